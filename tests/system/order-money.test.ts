import { amount, formatAmount, minus, ORDER_STATUS, plus } from '@crossbook/domain';
import { describe, expect, test, vi } from 'vitest';
import { playedHub } from '../played-hub.ts';
import { FULL } from '../property-runs.ts';
import { ordersOf, until } from './hub-process.ts';
import { expectEveryUnitInItsPlace, expectUnknownOutcomesProved, lockedOf, settled } from './venue-money.ts';

const BUY = { platformType: 43, tinstType: 1, symbol: 'BTCUSDT', side: 1 } as const;
const RESTING = { ...BUY, orderType: 1, price: '50000', quantity: '0.0004' } as const;
const MARKET = { ...BUY, orderType: 2, quoteQuantity: '250' } as const;

/** One between hold and answer, and one between answer and booking; in the full tier every one. */
const POINTS = FULL
  ? ['before-hold', 'after-hold', 'after-send', 'after-answer', 'before-post', 'after-post']
  : ['after-send', 'before-post'];

// Proofs wait for deadlines and lookups; on a busy machine several times as long.
vi.setConfig({ testTimeout: 240_000 });

const { simulator, hub } = playedHub();

const BINANCE = { platformType: 43 } as const;
const parts = () => ({ hub, simulator });

describe('an order and its money', () => {
  test('a market buy fills, settles and leaves nothing held', async () => {
    const member = await hub.memberWithFunds('10000');
    const placed = await member.call('connextrade/PlaceOrder', MARKET);
    expect(placed).toMatchObject({ code: 1, data: { status: ORDER_STATUS.FILLED } });
    await settled(member, BINANCE);
    const { data: fills } = await member.call('x/trade/Fills', { platformType: 43 });
    const spent = (fills?.rows ?? []).reduce((sum, row) => plus(sum, amount(row.quoteQuantity)), amount('0'));
    const { data: wallet } = await member.call('connexfunding/tradingbalance', { platformType: 43 });
    const usdt = wallet?.find((row) => row.asset === 'USDT');
    expect(usdt?.total).toBe(formatAmount(minus(amount('10000'), spent)));
    expect(await lockedOf(member, BINANCE)).toEqual([]);
    await expectEveryUnitInItsPlace(parts(), member, BINANCE);
  });

  test('a market buy by quantity is bounded and gives back what it did not need', async () => {
    const member = await hub.memberWithFunds('10000');
    const request = { ...BUY, orderType: 2, quantity: '0.01' } as const;
    expect(await member.call('connextrade/PlaceOrder', request)).toMatchObject({
      code: 1,
      data: { status: ORDER_STATUS.FILLED, cumQuantity: '0.01' },
    });
    await settled(member, BINANCE);
    expect(await lockedOf(member, BINANCE)).toEqual([]);
    await expectEveryUnitInItsPlace(parts(), member, BINANCE);
  });

  test('buying and selling back loses exactly the fees and the spread', async () => {
    const member = await hub.memberWithFunds('10000');
    await member.call('connextrade/PlaceOrder', { ...BUY, orderType: 2, quantity: '0.02' });
    const sell = { ...BUY, side: 2, orderType: 2, quantity: '0.019' } as const;
    expect(await member.call('connextrade/PlaceOrder', sell)).toMatchObject({ code: 1, data: { status: 4 } });
    await settled(member, BINANCE);
    await expectEveryUnitInItsPlace(parts(), member, BINANCE);
  });

  test('a resting order holds its price times quantity until it is cancelled', async () => {
    const member = await hub.memberWithFunds('1000');
    const placed = await member.call('connextrade/PlaceOrder', RESTING);
    expect(placed).toMatchObject({ code: 1, data: { status: ORDER_STATUS.OPEN } });
    expect(await lockedOf(member, BINANCE)).toEqual(['20 USDT']);
    const { data: open } = await member.call('connextrade/CurOrderList', { platformType: 43 });
    expect(open?.map((row) => row.orderId)).toEqual([placed.data?.orderId]);
    const orderId = placed.data?.orderId ?? '';
    expect(await member.call('connextrade/CancelOrder', { platformType: 43, orderId })).toMatchObject({
      code: 1,
    });
    const [row] = await settled(member, BINANCE);
    expect(row).toMatchObject({ status: ORDER_STATUS.CANCELLED, cumQuantity: '0' });
    expect(await lockedOf(member, BINANCE)).toEqual([]);
    expect(await member.call('connextrade/CancelOrder', { platformType: 43, orderId })).toMatchObject({
      code: 3012,
    });
    await expectEveryUnitInItsPlace(parts(), member, BINANCE);
  });

  test('a post-only order that would take is refused in the words of the exchange, and nothing is held', async () => {
    const member = await hub.memberWithFunds('10000');
    const { data } = await member.call('connexbasicdata/QuerySymInfo', {
      platformType: 43,
      tstate: 1,
      tinstId: 'BTCUSDT',
    });
    expect(data?.[0]?.tinstId).toBe('BTCUSDT');
    const answer = await fetch(`${simulator.url}/api/v3/ticker/bookTicker?symbol=BTCUSDT`);
    const book = (await answer.json()) as { askPrice: string };
    const price = formatAmount(amount(book.askPrice));
    const request = { ...BUY, orderType: 1, timeInForce: 4, quantity: '0.01' } as const;
    const over = formatAmount(plus(amount(price), amount('500')));
    const refused = await member.call('connextrade/PlaceOrder', { ...request, price: over });
    expect(refused.code).toBe(3017);
    expect(refused.msg).toContain('Post-only: it would have filled at once.');
    expect(await lockedOf(member, BINANCE)).toEqual([]);
    expect((await ordersOf(member))[0]).toMatchObject({ status: ORDER_STATUS.REJECT, settled: true });
    await expectEveryUnitInItsPlace(parts(), member, BINANCE);
  });

  test('the same clientId places one order, however often and however parallel it is sent', async () => {
    const member = await hub.memberWithFunds('1000');
    const clientId = '01890000-0000-7000-8000-00000000abcd';
    const answers = await Promise.all(
      Array.from({ length: 16 }, () => member.call('connextrade/PlaceOrder', { ...RESTING, clientId })),
    );
    expect(new Set(answers.map((answer) => answer.data?.orderId))).toEqual(new Set([clientId]));
    expect(await ordersOf(member)).toHaveLength(1);
    expect(await lockedOf(member, BINANCE)).toEqual(['20 USDT']);
    const changed = await member.call('connextrade/PlaceOrder', { ...RESTING, price: '50001', clientId });
    expect(changed.code).toBe(3013);
    expect(await ordersOf(member)).toHaveLength(1);
  });

  test('funds are never promised twice: parallel orders beyond the balance are refused', async () => {
    const member = await hub.memberWithFunds('100');
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => member.call('connextrade/PlaceOrder', RESTING)),
    );
    expect(answers.filter((answer) => answer.code === 1)).toHaveLength(5);
    expect(answers.filter((answer) => answer.code === 3010)).toHaveLength(7);
    expect(await lockedOf(member, BINANCE)).toEqual(['100 USDT']);
    await expectEveryUnitInItsPlace(parts(), member, BINANCE);
  });

  test("another member's order looks as if it did not exist", async () => {
    const owner = await hub.memberWithFunds('1000');
    const other = await hub.memberWithFunds('1000');
    const { data } = await owner.call('connextrade/PlaceOrder', RESTING);
    const orderId = data?.orderId ?? '';
    const foreign = await other.call('connextrade/CancelOrder', { platformType: 43, orderId });
    const unknown = '01890000-0000-7000-8000-00000000ffff';
    const missing = await other.call('connextrade/CancelOrder', { platformType: 43, orderId: unknown });
    expect(foreign).toEqual(missing);
    expect(foreign.code).toBe(3011);
    expect(await ordersOf(other)).toEqual([]);
    const reused = await other.call('connextrade/PlaceOrder', { ...RESTING, clientId: orderId });
    expect(reused.code).toBe(3013);
  });
});

describe('an unknown outcome', () => {
  test('of any kind is held until there is proof, and is never sent again', () =>
    expectUnknownOutcomesProved(parts(), BINANCE, { ...MARKET }, 'order.place'));

  test('a lost answer to a transfer is found again and nothing moves twice', async () => {
    const member = await hub.memberWithFunds('1000');
    await simulator.admin('faults', { kind: 'reset-after', match: 'broker', count: 1 });
    const request = { platformType: 43, direction: 1, asset: 'USDT', amount: '500' } as const;
    const moved = await member.call('connexfunding/UniversalTransfer', request);
    expect(moved.code).toBe(1);
    const rows = await until(
      async () => (await member.call('connexfunding/UniversalTransferHistory', {})).data?.rows ?? [],
      (found) => found.every((row) => row.state === 'done'),
    );
    expect(rows).toHaveLength(2);
    const { data: funding } = await member.call('connexfunding/fundingbalance', {});
    expect(funding).toEqual([{ asset: 'USDT', total: '48500', available: '48500', locked: '0' }]);
    await expectEveryUnitInItsPlace(parts(), member, BINANCE);
  });
});

describe('a killed process', () => {
  test.each(POINTS)('killed %s: the next start finds every unit where it belongs', async (point) => {
    const member = await hub.memberWithFunds('1000');
    await hub.kill();
    await hub.again({ CRASH_AT: point });
    const clientId = crypto.randomUUID();
    await expect(member.call('connextrade/PlaceOrder', { ...MARKET, clientId })).rejects.toThrow();
    expect(await hub.ended()).toBe('signal SIGKILL');
    await hub.again();
    if (point !== 'before-hold') {
      const [row] = await settled(member, BINANCE);
      expect(row?.orderId).toBe(clientId);
      const expected =
        point === 'after-hold' ? [ORDER_STATUS.FAIL] : [ORDER_STATUS.FILLED, ORDER_STATUS.FAIL];
      expect(expected).toContain(row?.status);
    }
    expect(await lockedOf(member, BINANCE)).toEqual([]);
    await expectEveryUnitInItsPlace(parts(), member, BINANCE);
    const replayed = await member.call('connextrade/PlaceOrder', { ...MARKET, clientId });
    expect(replayed).toMatchObject({ code: 1, data: { orderId: clientId } });
    await settled(member, BINANCE);
    expect(await ordersOf(member)).toHaveLength(1);
    await expectEveryUnitInItsPlace(parts(), member, BINANCE);
  });

  test('the simulator is killed and comes back: resting orders and balances are the same', async () => {
    const member = await hub.memberWithFunds('1000');
    const { data } = await member.call('connextrade/PlaceOrder', RESTING);
    await simulator.kill();
    await simulator.again();
    const orderId = data?.orderId ?? '';
    await until(
      async () => await member.call('connextrade/CancelOrder', { platformType: 43, orderId }),
      (answer) => answer.code === 1 || answer.code === 3012,
    );
    const [row] = await settled(member, BINANCE);
    expect(row).toMatchObject({ status: ORDER_STATUS.CANCELLED });
    await expectEveryUnitInItsPlace(parts(), member, BINANCE);
  });
});

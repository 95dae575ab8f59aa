import { amount, formatAmount, type Millis, minus, ZERO } from '@crossbook/domain';
import { beforeEach, describe, expect, test } from 'vitest';
import { openedOnce } from '../../../../../../tests/opened.ts';
import { unique } from '../../wire/rig.fixture.ts';
import { type Member, MemberRig, SWAP } from '../perps/member-rig.fixture.ts';
import type { ChannelSocket } from '../rig.fixture.ts';

/** What the private socket tells of contracts, and in which order. */

const rig = openedOnce(() => MemberRig.open());
let member: Member;
let socket: ChannelSocket;

const CHANNELS = [
  { channel: 'orders', instType: 'SWAP' },
  { channel: 'balance_and_position' },
  { channel: 'account' },
  { channel: 'positions', instType: 'SWAP' },
  { channel: 'liquidation-warning', instType: 'ANY' },
];
beforeEach(async () => {
  rig.core.clearHouse(SWAP);
  rig.core.marks.set(SWAP, 60_000);
  member = await rig.member(unique('listener'), '5015');
  await member.ask('POST account/set-leverage', { instId: SWAP, lever: '10', mgnMode: 'cross' });
  await member.ask('POST account/set-leverage', { instId: SWAP, lever: '10', mgnMode: 'isolated' });
  socket = await member.listen(...CHANNELS);
  socket.heard.splice(0);
});

/** Everything heard until a push of a channel fits, in short; what was heard is forgotten. */
async function until(
  channel: string,
  fits: (row: Record<string, string>) => boolean,
): Promise<readonly string[]> {
  const last = await socket.hear(({ arg, data }) => arg?.channel === channel && data.some(fits));
  return socket.heard.splice(0, socket.heard.indexOf(last) + 1).map(({ arg, data }) => {
    const [row] = data;
    if (arg.channel === 'orders') return `order ${row.category} ${row.state} ${row.fillSz}`;
    if (arg.channel === 'balance_and_position') return `why ${row.eventType}`;
    if (arg.channel === 'account') return 'account';
    return `${arg.channel} ${row.pos} ${row.mgnMode}`;
  });
}

describe('what an account hears', () => {
  test('at first all that is held, then of a fill the order, and why, money and position after it', async () => {
    await member.trade('buy', '5', 60_000);
    expect(await until('positions', ({ pos }) => pos === '5')).toEqual([
      ...['order normal live 0', 'order normal filled 5', 'why filled', 'account', 'positions 5 cross'],
    ]);
    const again = await member.listen(...CHANNELS);
    expect(again.pushes('positions')[0]).toMatchObject({
      arg: { channel: 'positions', instType: 'SWAP' },
      data: [{ pos: '5', mgnMode: 'cross', posSide: 'net', avgPx: '60000' }],
    });
    expect(again.pushes('balance_and_position')[0].data[0]).toMatchObject({
      eventType: 'snapshot',
      balData: [{ ccy: 'USDT', cashBal: '5013.5' }],
      posData: [{ instId: SWAP, pos: '5', mgnMode: 'cross', posSide: 'net' }],
    });
    again.close();
  });

  // "Account channel" (2025-11): pushed by placing and cancelling an order, too; "Balance and position channel": by fills and transfers.
  test('an order that rests is told by orders, then account with what it set aside; cancelled, it is given back', async () => {
    const [{ ordId }] = await member.ask('POST trade/order', {
      ...{ instId: SWAP, tdMode: 'cross', side: 'buy', ordType: 'limit', sz: '5', px: '59000' },
    });
    expect(await until('account', () => true)).toEqual(['order normal live 0', 'account']);
    const frozen = async () => {
      const [{ details }] = await member.ask('GET account/balance', { ccy: 'USDT' });
      return details[0].ordFrozen;
    };
    expect(Number(await frozen())).toBeCloseTo(296.475, 9);
    await member.ask('POST trade/cancel-order', { instId: SWAP, ordId });
    const last = await socket.hear(({ arg }) => arg?.channel === 'account');
    expect(last.data[0].details[0].ordFrozen).toBe('0');
    expect(await until('account', () => true)).toEqual(['order normal canceled 0', 'account']);
    expect(await frozen()).toBe('0');
  });

  test('a fill says its profit and fee, the reason its trade; a closed position comes once more with size 0', async () => {
    await member.trade('buy', '5', 60_000);
    await until('positions', ({ pos }) => pos === '5');
    await member.trade('sell', '5', 61_000);
    const closed = await socket.hear(({ arg, data }) => arg?.channel === 'positions' && data[0].pos === '0');
    expect(closed.data).toMatchObject([{ pos: '0', avgPx: '', upl: '', lever: '', instType: 'SWAP' }]);
    const [, filled] = socket.pushes('orders');
    expect(filled.data[0]).toMatchObject({
      ...{ state: 'filled', fillPnl: '50', fillFee: '-1.525', fillFeeCcy: 'USDT', execType: 'T' },
      ...{ pnl: '50', fee: '-1.525', tdMode: 'cross', category: 'normal' },
    });
    const [why] = socket.pushes('balance_and_position');
    expect(why.data[0]).toMatchObject({
      eventType: 'filled',
      balData: [{ ccy: 'USDT', cashBal: '5061.975' }],
      posData: [{ pos: '0', instId: SWAP }],
      trades: [{ instId: SWAP, tradeId: filled.data[0].tradeId }],
    });
    expect(socket.pushes('account')[0].data[0].details[0]).toMatchObject({ cashBal: '5061.975', upl: '0' });
  });

  test('of an order that fills in parts each part is heard to its end before the next', async () => {
    await member.order('buy', '5', { px: '60000' });
    expect(await until('account', () => true)).toEqual(['order normal live 0', 'account']);
    rig.core.house(SWAP, 'SELL', 60_000, 200);
    expect(await until('positions', ({ pos }) => pos === '2')).toEqual([
      ...['order normal partially_filled 2', 'why filled', 'account', 'positions 2 cross'],
    ]);
    rig.core.house(SWAP, 'SELL', 60_000, 300);
    expect(await until('positions', ({ pos }) => pos === '5')).toEqual([
      ...['order normal filled 3', 'why filled', 'account', 'positions 5 cross'],
    ]);
  });

  test('a flip is one fill with the profit of what it closed, then the position of the other sign', async () => {
    await member.trade('buy', '5', 60_000);
    await until('positions', ({ pos }) => pos === '5');
    const ordId = await member.trade('sell', '8', 61_000);
    expect(await until('positions', ({ pos }) => pos === '-3')).toEqual([
      ...['order normal live 0', 'order normal filled 8', 'why filled', 'account', 'positions -3 cross'],
    ]);
    const [fill, ...others] = await member.ask('GET trade/fills', { instType: 'SWAP', ordId });
    expect(others).toEqual([]);
    expect(fill).toMatchObject({ fillSz: '8', fillPx: '61000', fillPnl: '50' });
    expect(await member.ask('GET account/positions')).toMatchObject([{ pos: '-3', avgPx: '61000' }]);
  });

  test('funding, leverage and margin each have their reason', async () => {
    await member.trade('buy', '5', 60_000, { tdMode: 'isolated' });
    await until('positions', ({ pos }) => pos === '5');
    rig.core.perps.fundNow(SWAP);
    expect(await until('positions', ({ fundingFee }) => fundingFee === '-0.3')).toEqual([
      ...['why funding_fee', 'account', 'positions 5 isolated'],
    ]);
    const key = { instId: SWAP, posSide: 'net' };
    await member.ask('POST account/position/margin-balance', { ...key, type: 'add', amt: '10' });
    expect(await until('positions', () => true)).toEqual([
      ...['why adjust_margin', 'account', 'positions 5 isolated'],
    ]);
    await member.ask('POST account/set-leverage', { instId: SWAP, lever: '12', mgnMode: 'isolated' });
    expect(await until('positions', ({ lever }) => lever === '12')).toEqual([
      ...['why set_leverage', 'account', 'positions 5 isolated'],
    ]);
  });

  test('of a liquidation first a warning, then cancelled orders, the forced order, and what is left', async () => {
    const everybody = await rig.socket('public');
    everybody.subscribe({ channel: 'liquidation-orders', instType: 'SWAP' });
    await everybody.hear(({ event }) => event === 'subscribe');
    const tick = () => {
      rig.core.now = (rig.core.now + 500) as Millis;
    };
    await member.order('buy', '1', { px: '50000' });
    await member.trade('buy', '50', 60_000);
    await until('positions', ({ pos }) => pos === '50');
    rig.core.mark(SWAP, 50_600);
    expect(await until('liquidation-warning', () => true)).toEqual(['liquidation-warning 50 cross']);
    rig.core.mark(SWAP, 50_200);
    expect(await until('positions', ({ pos }) => pos === '0')).toEqual([
      ...['order normal canceled 0', 'account'],
      ...['order full_liquidation filled 50', 'why liquidation', 'account'],
      'positions 0 cross',
    ]);
    const family = { instType: 'SWAP', instFamily: 'BTC-USDT' };
    const [taped] = await member.ask('GET public/liquidation-orders', family);
    expect(taped).toMatchObject({ instId: SWAP, uly: 'BTC-USDT' });
    expect(taped.details[0]).toMatchObject({ posSide: 'long', side: 'sell', sz: '50' });
    for (const other of [{ instType: 'FUTURES' }, { state: 'unfilled' }, { instFamily: 'ETH-USDT' }]) {
      expect(await member.ask('GET public/liquidation-orders', { ...family, ...other })).toEqual([]);
    }
    const sizes = (rows: { details: { sz: string }[] }[]) => rows.flatMap(({ details }) => details[0]?.sz);
    const mine = await everybody.hear(
      ({ arg, data }) => arg?.channel === 'liquidation-orders' && data && sizes(data).includes('50'),
      tick,
    );
    expect(mine.data).toMatchObject([{ instId: SWAP, details: [{ posSide: 'long', side: 'sell' }] }]);
    everybody.close();
    const [fund] = await member.ask('GET public/insurance-fund', family);
    expect(fund).toMatchObject({ instFamily: 'BTC-USDT', details: [{ ccy: 'USDT', balance: fund.total }] });
    const [closed] = await member.ask('GET account/positions-history');
    expect(closed).toMatchObject({ type: '3', openMaxPos: '50' });
    const ended = await member.ask('GET trade/orders-history', { instType: 'SWAP', state: 'canceled' });
    expect(ended).toMatchObject([{ px: '50000', cancelSource: '3' }]);
    const bills = await member.ask('GET account/bills', { type: '5' });
    const [row] = await member.ask('GET account/balance', { ccy: 'USDT' });
    expect(row.details).toEqual([]);
    expect(bills.map(({ subType }: Record<string, string>) => subType)).toContain('107');
    expect(bills[0].bal).toBe('0');
  });

  test('a warning names the isolated position that is near liquidation, once, and not those beside it', async () => {
    await member.trade('buy', '1', 60_000);
    await member.trade('buy', '5', 60_000, { tdMode: 'isolated' });
    await until('positions', ({ pos }) => pos === '5');
    // At ten times 300 stand behind 3,000: from 54,739 down that is less than three times what must stay.
    rig.core.mark(SWAP, 54_700);
    rig.core.mark(SWAP, 54_650);
    await member.trade('buy', '2', 54_650);
    expect(
      (await until('positions', ({ pos }) => pos === '3')).filter((line) => /warning/.test(line)),
    ).toEqual(['liquidation-warning 5 isolated']);
  });

  test('where the fund has fallen everybody is warned once a second, and told of deleveraging; else nothing is said', async () => {
    const everybody = await rig.socket('public');
    everybody.subscribe({ channel: 'adl-warning', instType: 'SWAP', instFamily: 'BTC-USDT' });
    await everybody.hear(({ event }) => event === 'subscribe');
    const tick = () => {
      rig.core.now = (rig.core.now + 500) as Millis;
    };
    const reported = async (state: string) =>
      await everybody.hear(
        ({ arg, data }) => arg?.channel === 'adl-warning' && data?.[0].state === state,
        tick,
      );
    const lose = (text: string) => rig.core.perps.moveFund(amount(text));
    const had = rig.core.perps.insuranceFund();
    lose('-200000');
    // A second channel, which speaks every second too, proves that this one was silent.
    everybody.subscribe({ channel: 'mark-price', instId: SWAP });
    await everybody.hear(({ arg, data }) => arg?.channel === 'mark-price' && data !== undefined);
    rig.core.marks.set(SWAP, 60_001);
    await everybody.hear(({ data }) => data?.[0].markPx === '60001', tick);
    rig.core.marks.set(SWAP, 60_000);
    expect(everybody.pushes('adl-warning')).toEqual([]);
    lose('-200000');
    const warned = await reported('warning');
    expect(warned.arg).toEqual({ channel: 'adl-warning', instType: 'SWAP', instFamily: 'BTC-USDT' });
    const empty = 'adlBal adlRate adlRecBal adlRecRate adlType ccy decRate maxBal maxBalTs'.split(' ');
    expect(warned.data).toEqual([
      {
        ...Object.fromEntries(empty.map((name) => [name, ''])),
        ...{ instType: 'SWAP', instFamily: 'BTC-USDT', state: 'warning', ts: expect.any(String) },
        bal: formatAmount(rig.core.perps.insuranceFund()),
      },
    ]);
    rig.core.perps.moveFund(minus(ZERO, rig.core.perps.insuranceFund()));
    const winner = await rig.member(unique('winner'), '100000');
    await winner.trade('sell', '50', 60_000);
    await member.trade('buy', '50', 60_000);
    rig.core.mark(SWAP, 49_000);
    expect((await reported('adl')).data[0]).toMatchObject({ instFamily: 'BTC-USDT' });
    rig.core.perps.moveFund(minus(had, rig.core.perps.insuranceFund()));
    everybody.close();
  });

  test('of a part that is liquidated an order of its own category, and what is left of the position', async () => {
    const whale = await rig.member(unique('whale'), '1000000');
    await whale.ask('POST account/set-leverage', { instId: SWAP, lever: '20', mgnMode: 'cross' });
    await whale.trade('buy', '25000', 60_000);
    socket = await whale.listen(...CHANNELS);
    socket.heard.splice(0);
    rig.core.house(SWAP, 'BUY', 56_790, 2_200_000);
    rig.core.mark(SWAP, 56_800);
    const heard = await until('positions', ({ pos }) => pos === '5000');
    expect(heard.filter((line) => !line.startsWith('liquidation-warning'))).toEqual([
      'order partial_liquidation filled 20000',
      // The close, and the fee of the fund.
      ...['why liquidation', 'why liquidation', 'account', 'positions 5000 cross'],
    ]);
    const bills = await whale.ask('GET account/bills', { type: '5', subType: '103' });
    expect(bills).toMatchObject([{ sz: '20000', instId: SWAP, mgnMode: 'cross' }]);
    expect(await whale.ask('GET account/positions-history')).toEqual([]);
  });

  test('of his deleveraging a winner hears its order, why, money and position; bill and history are of that kind', async () => {
    const loser = await rig.member(unique('loser'), '3400');
    await loser.ask('POST account/set-leverage', { instId: SWAP, lever: '10', mgnMode: 'cross' });
    const had = rig.core.perps.insuranceFund();
    await member.trade('sell', '50', 60_000);
    await loser.trade('buy', '50', 60_000);
    await until('positions', ({ pos }) => pos === '-50');
    rig.core.perps.moveFund(minus(ZERO, had));
    rig.core.clearHouse(SWAP);
    rig.core.mark(SWAP, 50_000);
    expect(await until('positions', ({ pos }) => pos === '0')).toEqual([
      ...['order adl filled 50', 'why adl', 'account', 'positions 0 cross'],
    ]);
    const [order] = await member.ask('GET trade/orders-history', { instType: 'SWAP', category: 'adl' });
    expect(order).toMatchObject({ side: 'buy', accFillSz: '50', fee: '0', clOrdId: '' });
    const [bill] = await member.ask('GET account/bills', { type: '9' });
    expect(bill).toMatchObject({ subType: '127', sz: '50', fee: '0', ordId: order.ordId });
    expect(await member.ask('GET account/positions-history')).toMatchObject([
      { type: '5', openMaxPos: '50' },
    ]);
    rig.core.perps.moveFund(minus(had, rig.core.perps.insuranceFund()));
  });

  test('orders of other instruments and types are for those who follow them', async () => {
    const other = await member.listen(
      { channel: 'orders', instType: 'SPOT' },
      { channel: 'orders', instType: 'ANY' },
    );
    await member.order('buy', '1', { px: '50000' });
    const heard = await other.hear(({ data, arg }) => arg?.channel === 'orders' && data !== undefined);
    expect(heard.arg).toMatchObject({ instType: 'ANY' });
    expect(other.pushes('orders')).toHaveLength(1);
    other.close();
  });
});

describe('orders over the socket', () => {
  test('are placed, changed and cancelled by the number of the instrument, one by one and in batches', async () => {
    const [{ instIdCode }] = await member.ask('GET account/instruments', { instType: 'SWAP', instId: SWAP });
    const order = { instIdCode, tdMode: 'cross', side: 'buy', ordType: 'limit', sz: '1', px: '50000' };
    const ask = async (id: string, op: string, args: readonly object[]) => {
      socket.send({ id, op, args });
      return await socket.hear((message) => message.id === id && message.op === op);
    };
    const placed = await ask('1', 'order', [order]);
    expect(placed).toMatchObject({ code: '0', data: [{ sCode: '0' }] });
    const [{ ordId }] = placed.data;
    const changed = await ask('2', 'amend-order', [{ instIdCode, ordId, newSz: '2' }]);
    expect(changed).toMatchObject({ code: '0', data: [{ ordId, sCode: '0' }] });
    expect(await ask('3', 'cancel-order', [{ instIdCode, ordId }])).toMatchObject({ code: '0' });
    const both = await ask('4', 'batch-orders', [order, { ...order, tdMode: 'cash' }]);
    expect(both).toMatchObject({ code: '2', data: [{ sCode: '0' }, { sCode: '51000' }] });
    const names = [{ instIdCode, ordId: both.data[0].ordId }];
    expect(await ask('5', 'batch-cancel-orders', names)).toMatchObject({ code: '0' });
  });
});

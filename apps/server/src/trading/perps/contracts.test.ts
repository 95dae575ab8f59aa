import {
  type Amount,
  amount,
  formatAmount,
  type Millis,
  ORDER_STATUS,
  SIDE,
  type VenueFill,
  ZERO,
} from '@crossbook/domain';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ledgerBreaches } from '../../storage/ledger/ledger-check.ts';
import { BTCUSDT_PERP, CALLER, until } from '../trading-world.fixture.ts';
import { futuresWallet, openPerpsWorld, type PerpsWorld, placeContractOrder } from './perps-world.fixture.ts';

let perps: PerpsWorld;
beforeEach(async () => {
  perps = await openPerpsWorld();
});
afterEach(async () => {
  expect(await ledgerBreaches(perps.world.database.database, 'fold')).toEqual([]);
  await perps.world.close();
});

const one = amount('1');
const sell = { side: SIDE.SELL } as const;

/** What the venue has, to the unit. */
const venueWallet = () => formatAmount(perps.venue.wallet);

async function closed() {
  const answer = await perps.world.desk.handlers['connextrade/PositionHistory'](CALLER, { limit: 50 });
  return answer.ok ? answer.value.rows : [];
}

async function positions() {
  const answer = await perps.world.desk.handlers['connextrade/CurPositionList'](CALLER, {});
  return answer.ok ? answer.value.positions : [];
}

function stateOf(clientId: string, fill: VenueFill) {
  return {
    ...{ clientId: clientId as never, venueOrderId: fill.venueOrderId, symbol: 'BTCUSDT' },
    ...{ status: ORDER_STATUS.FILLED, cumulativeQuantity: fill.quantity, time: fill.time },
    cumulativeQuote: fill.quoteQuantity,
  };
}

const CONTRACT = { platformType: 43, symbol: 'BTCUSDT' } as const;

describe('the life of a position, booked as the venue books it', () => {
  test('open, add, partial close, flip, close: the wallet equals the venue to the unit at every step', async () => {
    const steps: readonly (readonly [string, Readonly<Record<string, unknown>>, string])[] = [
      ['open', { quantity: amount('2') }, '2'],
      ['add', { quantity: one }, '3'],
      ['partial close', { ...sell, quantity: one, reduceOnly: true }, '2'],
      ['flip', { ...sell, quantity: amount('5') }, '-3'],
      ['close', { quantity: amount('3'), reduceOnly: true }, ''],
    ];
    for (const [at, [what, part, quantity]] of steps.entries()) {
      perps.venue.price = amount(String(100 + at * 7));
      expect(await placeContractOrder(perps, part), what).toMatchObject({ ok: true, value: { status: 4 } });
      expect(await futuresWallet(perps), what).toBe(venueWallet());
      await perps.world.pass(1_000);
      const held = await positions();
      expect(held.map((row) => row.quantity).join(), what).toBe(quantity);
      // What liquidated the long is gone with it: the short that a flip leaves has no such price.
      const liquidates = what === 'flip' ? null : formatAmount((perps.venue.price / 2n) as Amount);
      for (const row of held) expect(row.liquidationPrice, what).toBe(liquidates);
    }
    const rows = await closed();
    expect(rows.map(({ direction, maxQuantity, ended }) => [direction, maxQuantity, ended])).toEqual([
      ['short', '3', 'closed'],
      ['long', '3', 'closed'],
    ]);
    const net = rows.reduce((sum, row) => sum + amount(row.net), 0n) as Amount;
    expect(formatAmount((amount('1000') + net) as Amount)).toBe(venueWallet());
  });

  test('a lost answer is looked up, and its fills are booked once', async () => {
    const { world, venue } = perps;
    world.venue.answers.place = async (_credentials, request) => {
      venue.trade(SIDE.BUY, one, { order: request.clientId });
      return { outcome: 'unknown', why: 'lost', deadlineAt: 0 as Millis };
    };
    world.venue.answers.find = async (_credentials, _instrument, clientId) => ({
      outcome: 'found',
      value: {
        ...{ clientId, venueOrderId: clientId as never, symbol: 'BTCUSDT', status: ORDER_STATUS.FILLED },
        ...{ cumulativeQuantity: one, cumulativeQuote: amount('100'), time: venue.now },
      },
    });
    world.venue.answers.fillsOfOrder = async () => ({ ok: true, value: venue.fills });
    expect(await placeContractOrder(perps)).toMatchObject({ ok: true, value: { status: 0 } });
    await world.pass(3_000);
    expect(await futuresWallet(perps)).toBe(venueWallet());
    expect(world.incidents).toEqual([]);
  });

  test('a resting order holds its cost until the venue has been read after its acknowledgement', async () => {
    const { world, venue } = perps;
    world.venue.answers.place = async (_credentials, { clientId }) => ({
      outcome: 'accepted',
      state: {
        ...{ clientId, venueOrderId: '77' as never, symbol: 'BTCUSDT', status: ORDER_STATUS.OPEN },
        ...{ cumulativeQuantity: 0n as Amount, cumulativeQuote: 0n as Amount, time: venue.now },
      },
      fills: [],
    });
    await placeContractOrder(perps, { orderType: 1, price: amount('90'), quantity: amount('2') });
    expect(await futuresWallet(perps)).toBe('1000 (18 held)');
    await world.pass(1_000);
    expect(await futuresWallet(perps)).toBe('1000');
  });
});

describe('an opening order holds what the venue will reserve for it', () => {
  const resting = { orderType: 1, price: amount('90') } as const;
  test.each([
    ['margin at its leverage', 'BUY 2 at 90', '18 held'],
    ['nothing, where it only makes the position smaller', 'SELL 1 at 110', ''],
    ['what the other side would need beyond the position', 'SELL 5 at 110', '15 held'],
    ['what it would lose at once against the mark', 'BUY 1 at 101', '11.1 held'],
  ])('%s: %s', async (_what, wanted, held) => {
    const { world, venue } = perps;
    await placeContractOrder(perps, { quantity: amount('2') });
    await world.pass(1_000);
    world.mark = amount('100');
    world.venue.answers.place = async () => ({ outcome: 'unknown', why: 'lost', deadlineAt: venue.now });
    const [side, quantity = '', , price = ''] = wanted.split(' ');
    await placeContractOrder(perps, {
      ...resting,
      ...{ side: side === 'BUY' ? SIDE.BUY : SIDE.SELL, quantity: amount(quantity), price: amount(price) },
    });
    expect(await futuresWallet(perps)).toBe(held === '' ? '999.9' : `999.9 (${held})`);
  });
});

describe('what opens must pass, what closes always goes', () => {
  const refusals: readonly (readonly [string, () => unknown, string])[] = [
    ['the money gate', () => (perps.world.halted = { error: 'money-halted' }), 'money-halted'],
    ['coming soon', () => (perps.world.platformState = 'coming-soon'), 'platform-coming-soon'],
    [
      'a contract that trades no more by its list',
      () => perps.world.instruments.splice(0, 2, { ...BTCUSDT_PERP, status: 'halted' }),
      'symbol-halted',
    ],
    [
      'another leverage at the venue',
      () => (perps.venue.setting_ = { ...perps.venue.setting_, leverageLong: 20 }),
      'settings-changed',
    ],
    [
      'another margin mode at the venue',
      () => (perps.venue.setting_ = { ...perps.venue.setting_, marginMode: 'isolated' }),
      'settings-changed',
    ],
    [
      'two positions at the venue',
      () => (perps.venue.setting_ = { ...perps.venue.setting_, positionMode: 'hedge' }),
      'settings-changed',
    ],
    [
      'settings that cannot be read',
      () => (perps.venue.answers.setting = async () => ({ ok: false, code: 'network' })),
      'contracts-away',
    ],
  ];
  test.each(refusals)('%s', async (_what, becomes, error) => {
    await placeContractOrder(perps, { quantity: amount('2') });
    const seen = { marginMode: 'cross', leverage: 10 };
    becomes();
    // What was read is good for half a minute.
    await perps.world.pass(31_000, 31_000);
    const sentBefore = perps.venue.sent.length;
    expect(await placeContractOrder(perps, seen)).toMatchObject({ ok: false, code: { error } });
    expect(perps.venue.sent.length).toBe(sentBefore);
    const closing = { ...sell, ...seen, quantity: one, reduceOnly: true };
    expect(await placeContractOrder(perps, closing)).toMatchObject({ ok: true });
    expect(perps.venue.sent.at(-1)?.contract).toMatchObject({ reduceOnly: true });
    const close = perps.world.desk.handlers['connextrade/ClosePosition'];
    expect(await close(callerNow(), { ...CONTRACT, effect: 0 })).toMatchObject({
      ok: true,
      value: { outcome: 'sent' },
    });
    expect(await futuresWallet(perps)).toBe(venueWallet());
    perps.world.halted = undefined;
  });

  test('a difference between booked and stated positions stops opening, and equal figures end that', async () => {
    const { world, venue } = perps;
    await placeContractOrder(perps, { quantity: amount('2') });
    await world.desk.start();
    const stated = venue.open.get(0);
    if (stated === undefined) throw new Error('no position');
    venue.open.set(0, { ...stated, quantity: amount('5') });
    await world.pass(70_000, 1_000);
    expect(world.incidents).toContain('positions differ from the venue, opening stopped');
    const differs = { of: 'BTCUSDT', amount: '3' };
    expect(await openingNow()).toEqual({ stopped: 'books-differ', differs });
    expect(await openingNow(43, 1), 'pairs go on').toEqual({ stopped: 'nothing' });
    const refused = { ok: false, code: { error: 'trading-halted' } };
    expect(await placeContractOrder(perps)).toMatchObject(refused);
    const move = { ...CONTRACT, effect: 0, amount: one } as const;
    const margin = (direction: 1 | 2) =>
      world.desk.handlers['x/trade/AdjustMargin'](callerNow(), { ...move, direction });
    expect(await margin(2), 'less margin is more risk').toMatchObject(refused);
    expect(await margin(1), 'more of it is none').toMatchObject({ code: { error: 'position-none' } });
    expect(await placeContractOrder(perps, { ...sell, quantity: one, reduceOnly: true })).toMatchObject({
      ok: true,
    });
    const after = venue.open.get(0);
    if (after === undefined) throw new Error('no position');
    venue.open.set(0, { ...after, quantity: one });
    await world.pass(30_000, 1_000);
    expect(await placeContractOrder(perps)).toMatchObject({ ok: true });
    expect(await openingNow()).toEqual({ stopped: 'nothing' });
  });

  test('a wallet that differs stops opening contracts as it stops pairs, never closing', async () => {
    const { world } = perps;
    await placeContractOrder(perps, { quantity: amount('2') });
    await world.desk.start();
    // The venue says that the pocket of pairs holds what the ledger has none of.
    world.venue.answers.balances = async () => ({
      ok: true,
      value: [{ asset: 'BTC', free: one, locked: ZERO }],
    });
    for (let waited = 0; world.desk.stats().balances.doubted === 0 && waited < 300; waited += 1)
      await world.pass(1_000, 1_000);
    expect(await openingNow()).toEqual({ stopped: 'books-differ', differs: { of: 'BTC', amount: '1' } });
    expect(await placeContractOrder(perps)).toMatchObject({ ok: false, code: { error: 'trading-halted' } });
    expect(
      await world.desk.handlers['connextrade/ClosePosition'](callerNow(), { ...CONTRACT, effect: 0 }),
    ).toMatchObject({ ok: true, value: { outcome: 'sent' } });
  });

  test('what was missed while the stream was down is found once it is up again, not only in turn', async () => {
    const { world, venue } = perps;
    await placeContractOrder(perps, { quantity: amount('2') });
    await world.desk.start();
    const [stream] = world.venue.streams;
    stream?.onOpen();
    await world.pass(20_000, 1_000);
    stream?.onClosed('gone');
    venue.price = amount('90');
    venue.trade(SIDE.SELL, amount('2'), { cause: 'liquidation', order: 'autoclose-5' });
    venue.pay('funding', '-0.5');
    stream?.onOpen();
    await world.pass(15_000, 1_000);
    expect(await futuresWallet(perps)).toBe(venueWallet());
    expect(await closed()).toMatchObject([{ ended: 'liquidated' }]);
  });

  test('what stops opening is told before anything is tried: the account on its way, then the money gate', async () => {
    const { world, venue } = perps;
    expect(await openingNow()).toEqual({ stopped: 'nothing' });
    expect(await openingNow(41)).toEqual({ stopped: 'account-none' });
    let go = (): void => undefined;
    const asked = new Promise<void>((begun) => {
      venue.answers.prepare = async () => {
        begun();
        await new Promise<void>((resolve) => {
          go = resolve;
        });
        return { outcome: 'done' };
      };
    });
    const order = placeContractOrder(perps);
    await asked;
    expect(await openingNow()).toEqual({ stopped: 'account-preparing' });
    world.halted = { error: 'money-halted' };
    expect(await openingNow()).toEqual({ stopped: 'money-halted' });
    world.halted = undefined;
    go();
    expect(await order).toMatchObject({ ok: true });
    expect(await openingNow()).toEqual({ stopped: 'nothing' });
  });
});

async function openingNow(platformType: 41 | 43 = 43, tinstType?: 1 | 2) {
  const request = { platformType, ...(tinstType === undefined ? {} : { tinstType }) };
  const answer = await perps.world.desk.handlers['x/trade/Opening'](callerNow(), request);
  return answer.ok ? answer.value : answer.code;
}

const callerNow = () => ({ ...CALLER, now: perps.world.time.clock() });

describe('what happened without an order of ours', () => {
  test('funding is booked once from the list, however often it is read, and counts in its position', async () => {
    const { world, venue } = perps;
    await placeContractOrder(perps);
    venue.pay('funding', '-0.25');
    venue.pay('funding', '0.1');
    await world.desk.start();
    await world.pass(12_000, 1_000);
    expect(await futuresWallet(perps)).toBe(venueWallet());
    await world.pass(90_000, 5_000);
    expect(await futuresWallet(perps)).toBe(venueWallet());
    const page = await world.desk.handlers['x/trade/FundingHistory'](CALLER, { limit: 50 });
    expect(page.ok && page.value.rows.map((row) => row.amount)).toEqual(['0.1', '-0.25']);
    const booked = (await positions()).map(({ realisedPnl, fees, funding }) => ({
      realisedPnl,
      fees,
      funding,
    }));
    expect(booked).toEqual([{ realisedPnl: '-0.2', fees: '0.05', funding: '-0.15' }]);
  });

  test.each([
    [
      'flat, with nothing open',
      () => perps.world.desk.handlers['connextrade/GetLeverage'](CALLER, CONTRACT),
      10,
    ],
    ['a position', () => placeContractOrder(perps), 15],
    [
      'a position that funding was paid for meanwhile',
      async () => {
        await placeContractOrder(perps);
        perps.venue.pay('funding', '-0.25');
      },
      60,
    ],
  ])('what a start asks of the budget: %s', async (_what, has, weight) => {
    const { world, venue } = perps;
    await has();
    await world.pass(1_000);
    venue.weight();
    await world.desk.start();
    await world.pass(1_000);
    expect(venue.weight()).toBe(weight);
    expect(await futuresWallet(perps)).toBe(venueWallet());
  });

  test('who has a position is listened to from a start on, though nobody of them is here', async () => {
    const { world } = perps;
    await placeContractOrder(perps);
    await world.desk.stop();
    const before = world.venue.streams.length;
    await world.restarted();
    expect(world.venue.streams.length).toBe(before + 1);
  });

  test('a liquidation while the hub was down is found at its start, with its fee', async () => {
    const { world, venue } = perps;
    await placeContractOrder(perps, { quantity: amount('3') });
    venue.price = amount('80');
    venue.trade(SIDE.SELL, amount('3'), { cause: 'liquidation', order: 'autoclose-1' });
    venue.pay('liquidation-fee', '-3');
    await world.desk.start();
    await world.pass(15_000, 1_000);
    expect(await futuresWallet(perps)).toBe(venueWallet());
    expect(await closed()).toMatchObject([{ ended: 'liquidated', maxQuantity: '3', realisedPnl: '-60' }]);
    const orders = await world.desk.handlers['connextrade/OrderHistory'](CALLER, {
      ...{ platformType: 43, tinstType: 2, limit: 50 },
    });
    expect(orders.ok && orders.value.rows.map(({ cause, side, status }) => [cause, side, status])).toEqual([
      ['liquidation', 2, 4],
      ['order', 1, 4],
    ]);
    expect(world.incidents).toEqual([]);
  });

  test('a list that does not say whose hand it was: the order behind its fill does', async () => {
    const { world, venue } = perps;
    await placeContractOrder(perps, { quantity: amount('2') });
    const fill = venue.trade(SIDE.SELL, amount('2'), { order: 'autoclose-7' });
    world.venue.answers.findByVenueId = async () => ({
      outcome: 'found',
      value: { ...stateOf('autoclose-7', fill), cause: 'deleveraging' },
    });
    await world.desk.start();
    await world.pass(15_000, 1_000);
    expect(await closed()).toMatchObject([{ ended: 'deleveraged' }]);
    expect(await futuresWallet(perps)).toBe(venueWallet());
  });

  test('a fill of an order whose answer is lost is never booked as the hand of the exchange, whoever finds it first', async () => {
    const { world, venue } = perps;
    await placeContractOrder(perps);
    const { find } = world.venue.answers;
    world.venue.answers.find = async () => ({ outcome: 'unknown', why: 'away' });
    world.venue.answers.place = async (_credentials, { clientId }) => {
      const fill = venue.trade(SIDE.SELL, one, { order: clientId });
      const value = stateOf(clientId, fill);
      world.venue.answers.findByVenueId = async () => ({ outcome: 'found', value });
      return { outcome: 'unknown', why: 'lost', deadlineAt: (venue.now + 15_000) as Millis };
    };
    await placeContractOrder(perps, sell);
    await world.desk.start();
    await world.pass(20_000, 1_000);
    expect(await futuresWallet(perps)).not.toBe(venueWallet());
    const [last] = venue.fills.slice(-1);
    if (last === undefined) throw new Error('no fill');
    world.venue.answers.find = async () => ({
      outcome: 'found',
      value: stateOf(last.venueOrderId, last),
    });
    world.venue.answers.fillsOfOrder = async () => ({ ok: true, value: [last] });
    await world.pass(60_000, 1_000);
    world.venue.answers.find = find ?? world.venue.answers.find;
    expect(await futuresWallet(perps)).toBe(venueWallet());
    expect(await closed()).toMatchObject([{ ended: 'closed', direction: 'long' }]);
  });

  test('a fill of an order that counts as settled is booked, told as an incident, and the order ends anew', async () => {
    const { world, venue } = perps;
    await placeContractOrder(perps);
    const [first] = venue.fills;
    if (first === undefined) throw new Error('no fill');
    const { venueOrderId: order } = first;
    venue.trade(SIDE.BUY, one, { order });
    const both = { ...first, quantity: amount('2'), quoteQuantity: amount('200') };
    world.venue.answers.find = async () => ({ outcome: 'found', value: stateOf(order, both) });
    world.venue.answers.fillsOfOrder = async () => ({ ok: true, value: venue.fills });
    await world.desk.start();
    await world.pass(20_000, 1_000);
    expect(world.incidents).toEqual(['a finished order came back']);
    expect(await futuresWallet(perps)).toBe(venueWallet());
    expect((await positions()).map(({ quantity }) => quantity)).toEqual(['2']);
    const unsettled = await world.orders.unsettledOf({ user: CALLER.user, platform: 1 });
    expect(unsettled).toEqual([]);
  });

  test('what the exchange did is booked where it happened, though an order that came later is booked before it', async () => {
    const { world, venue } = perps;
    await placeContractOrder(perps, { quantity: one });
    await world.pass(1_000);
    venue.price = amount('80');
    venue.trade(SIDE.SELL, one, { cause: 'liquidation', order: 'autoclose-8' });
    await world.pass(1_000);
    await placeContractOrder(perps, { ...sell, quantity: amount('3') });
    await world.desk.start();
    await world.pass(15_000, 1_000);
    expect(await closed()).toMatchObject([{ ended: 'liquidated', direction: 'long', realisedPnl: '-20' }]);
    expect((await positions()).map(({ quantity }) => quantity)).toEqual(['-3']);
    const [run] = await world.deps.contracts.booked({ user: CALLER.user });
    expect(formatAmount(run?.quantity ?? ZERO)).toBe('-3');
    expect(await futuresWallet(perps)).toBe(venueWallet());
  });

  test('a loss beyond the wallet stands as a debt until the insurance fund pays it', async () => {
    const { world, venue } = perps;
    await placeContractOrder(perps, { quantity: amount('60') });
    venue.price = amount('80');
    venue.trade(SIDE.SELL, amount('60'), { cause: 'liquidation', order: 'autoclose-2' });
    await world.desk.start();
    await world.pass(5_000, 1_000);
    expect(await futuresWallet(perps)).toBe('0');
    expect(await world.debt('USDT')).toBe(venueWallet());
    venue.pay('insurance', formatAmount(-venue.wallet as Amount));
    await world.pass(90_000, 5_000);
    expect(venueWallet()).toBe('0');
    expect(await world.debt('USDT')).toBe('0');
    expect(await futuresWallet(perps)).toBe('0');
  });

  test('a stream tells of a liquidation: its fill is booked, and the list tells nothing twice', async () => {
    const { world, venue } = perps;
    await placeContractOrder(perps, { quantity: amount('2') });
    await world.desk.start();
    venue.price = amount('90');
    const fill = venue.trade(SIDE.SELL, amount('2'), { cause: 'liquidation', order: 'autoclose-3' });
    const state = {
      ...{ clientId: 'autoclose-3' as never, venueOrderId: fill.venueOrderId, symbol: 'BTCUSDT' },
      ...{ status: ORDER_STATUS.FILLED, cumulativeQuantity: amount('2'), cumulativeQuote: amount('180') },
      time: venue.now,
    };
    for (const stream of world.venue.streams) stream.onOrder({ state, fill });
    await until(async () => (await closed()).length === 1);
    await world.pass(90_000, 5_000);
    expect(await futuresWallet(perps)).toBe(venueWallet());
    expect(await closed()).toHaveLength(1);
  });
});

test.each([
  ['its family', 'BTC-USDT'],
  ['its own name', 'BTCUSDT'],
])('the leverage table of a contract is found by %s', async (_name, sym) => {
  const answer = await perps.world.desk.handlers['connextrade/GetPositionTiers'](CALLER, {
    platformType: 43,
    sym,
  });
  expect(answer).toMatchObject({ ok: true });
});

test('AvailableClose is what the venue has of a position, and what orders that rest will close of it', async () => {
  const { world, venue } = perps;
  const ask = (effect: 0 | 1 = 0) =>
    world.desk.handlers['connextrade/AvailableClose'](CALLER, { ...CONTRACT, effect });
  expect(await ask()).toMatchObject({ value: { quantity: '0', inClosingOrders: '0' } });
  await placeContractOrder(perps, { ...sell, quantity: amount('3') });
  world.venue.answers.place = async (_credentials, { clientId }) => ({
    outcome: 'accepted',
    state: {
      ...{ clientId, venueOrderId: '78' as never, symbol: 'BTCUSDT', status: ORDER_STATUS.OPEN },
      ...{ cumulativeQuantity: ZERO, cumulativeQuote: ZERO, time: venue.now },
    },
    fills: [],
  });
  const closing = { orderType: 1, price: amount('90'), quantity: one, reduceOnly: true };
  expect(await placeContractOrder(perps, closing)).toMatchObject({ ok: true, value: { status: 2 } });
  expect(await ask()).toMatchObject({ value: { quantity: '3', inClosingOrders: '1' } });
  expect(await ask(1)).toMatchObject({ value: { quantity: '0', inClosingOrders: '0' } });
});

test('what AvailableOpen answers knows of the order before it, though no stream has told yet', async () => {
  const { world, venue } = perps;
  world.mark = amount('100');
  const open = { ...CONTRACT, side: 1, effect: 0, price: amount('100') } as const;
  const ask = () => world.desk.handlers['connextrade/AvailableOpen'](CALLER, open);
  expect(await ask()).toMatchObject({ value: { quantity: '100', bound: 'margin' } });
  venue.price = amount('120');
  await placeContractOrder(perps, { quantity: amount('10') });
  venue.wallet = amount('500');
  expect(await ask()).toMatchObject({ value: { quantity: '50', bound: 'margin' } });
});

describe('AvailableOpen and AvailableClose ask the venue only where something may have changed', () => {
  const handlers = () => perps.world.desk.handlers;
  const stream = () => perps.world.venue.streams[0];
  const asks = {
    AvailableOpen: () =>
      handlers()['connextrade/AvailableOpen'](callerNow(), { ...CONTRACT, side: 1, effect: 0 }),
    AvailableClose: () => handlers()['connextrade/AvailableClose'](callerNow(), { ...CONTRACT, effect: 0 }),
  };
  const each = (Object.keys(asks) as (keyof typeof asks)[]).map((name) => [name, asks[name]] as const);
  /** The member has a position, everything is read, and its stream is open. */
  beforeEach(async () => {
    perps.world.mark = amount('100');
    await placeContractOrder(perps, { quantity: amount('2') });
    stream()?.onOpen();
    for (const [, ask] of each) await ask();
    await perps.world.pass(1_000);
    perps.venue.weight();
  });

  test.each(each)('%s in a loop costs nothing', async (_name, ask) => {
    for (let at = 0; at < 10; at += 1) expect(await ask()).toMatchObject({ ok: true });
    expect(perps.venue.weight()).toBe(0);
  });

  test.each(each)('%s after an order reads once', async (_name, ask) => {
    await placeContractOrder(perps, { quantity: amount('1') });
    perps.venue.weight();
    for (let at = 0; at < 10; at += 1) expect(await ask()).toMatchObject({ ok: true });
    expect(perps.venue.weight()).toBe(15);
  });

  test.each(each)(
    '%s reads while the stream is closed; where we may not, what was stated last is it',
    async (_name, ask) => {
      stream()?.onClosed('gone');
      const before = await ask();
      expect([before.ok, perps.venue.weight()]).toEqual([true, 15]);
      perps.venue.spent.add('lookup');
      expect(await ask()).toEqual(before);
      expect(perps.venue.weight()).toBe(5);
    },
  );

  test.each(each)(
    '%s that we may not read for says so and when, once something has happened',
    async (_name, ask) => {
      perps.venue.spent.add('lookup');
      await placeContractOrder(perps, { quantity: amount('1') });
      const refused = { code: { error: 'venue-budget', allowed: '7' } };
      expect(await ask()).toMatchObject(refused);
      stream()?.onMalformed('a frame');
      await perps.world.pass(1_000);
      stream()?.onOpen();
      expect(await ask()).toMatchObject(refused);
    },
  );
});

test('what AvailableOpen answers is taken by the ledger, and one lot more is not', async () => {
  const { world } = perps;
  world.best = { bid: amount('99.9'), ask: amount('100'), receivedAt: world.time.clock() };
  const open = { ...CONTRACT, side: 1, effect: 0, price: amount('100') } as const;
  const answer = await world.desk.handlers['connextrade/AvailableOpen'](CALLER, open);
  if (!answer.ok) throw new Error(answer.code.error);
  const quantity = amount(answer.value.quantity);
  const limit = { orderType: 1, price: amount('100') } as const;
  const more = (quantity + amount('0.001')) as Amount;
  expect(await placeContractOrder(perps, { ...limit, quantity: more })).toMatchObject({
    code: { error: 'balance-insufficient' },
  });
  expect(await placeContractOrder(perps, { ...limit, quantity })).toMatchObject({ ok: true });
});

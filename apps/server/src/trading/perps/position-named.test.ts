import {
  amount,
  formatAmount,
  ORDER_STATUS,
  type PositionSide,
  SIDE,
  type VenuePosition,
  ZERO,
} from '@crossbook/domain';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTradingDesk } from '../desk.ts';
import { scaledId } from '../orders/place-scaled.ts';
import { CALLER, until } from '../trading-world.fixture.ts';
import { openPerpsWorld, type PerpsWorld, placeContractOrder } from './perps-world.fixture.ts';

/** A position is account, symbol, side and margin mode: what names less than that names none. */

let perps: PerpsWorld;
beforeEach(async () => {
  perps = await openPerpsWorld();
  perps.world.mark = amount('100');
});
afterEach(() => perps.world.close());

const callerNow = () => ({ ...CALLER, now: perps.world.time.clock() });
const handlers = () => perps.world.desk.handlers;
const CONTRACT = { platformType: 43, symbol: 'BTCUSDT' } as const;
const ID = '01890a5d-ac96-774b-bcce-b302099a8057' as never;
const sell = { side: SIDE.SELL } as const;

const close = (part: object = {}) =>
  handlers()['connextrade/ClosePosition'](callerNow(), { ...CONTRACT, effect: 0, ...part });
const reverse = (part: object = {}) =>
  handlers()['x/trade/ReversePosition'](callerNow(), {
    ...{ ...CONTRACT, effect: 0, side: 1, leverage: 10, ...part },
  });
const available = (part: object = {}) =>
  handlers()['connextrade/AvailableClose'](callerNow(), { ...CONTRACT, effect: 0, ...part });

describe('a cross and an isolated position side by side', () => {
  /** Two of it in cross margin, five in isolated, as OKX has them. */
  beforeEach(async () => {
    await placeContractOrder(perps, { quantity: amount('2') });
    const cross = perps.venue.open.get(0) as VenuePosition;
    const isolated = { ...cross, quantity: amount('5'), marginMode: 'isolated' } as const;
    // The books of this venue have one position of a side; the second one only stands in its list.
    perps.venue.open.set(9 as PositionSide, { ...isolated, isolatedMargin: amount('50') });
    await perps.world.pass(1_000);
  });

  const MODE = { ok: false, code: { error: 'field-invalid', field: 'marginMode' } };
  test.each([
    ['closing', () => close()],
    ['turning around', () => reverse()],
    ['AvailableClose', () => available()],
    [
      'a closing order',
      () => placeContractOrder(perps, { ...sell, reduceOnly: true, marginMode: undefined }),
    ],
  ])('%s that does not say which is refused, and nothing is sent', async (_what, ask) => {
    const sent = perps.venue.sent.length;
    expect(await ask()).toMatchObject(MODE);
    expect(perps.venue.sent).toHaveLength(sent);
  });

  test.each([
    ['cross', '2'],
    ['isolated', '5'],
  ] as const)('closing %s closes that one', async (marginMode, quantity) => {
    expect(await available({ marginMode })).toMatchObject({ value: { quantity, inClosingOrders: '0' } });
    const order = { quantity, marginMode, reduceOnly: true };
    expect(await close({ marginMode })).toMatchObject({ value: { outcome: 'sent', marginMode, order } });
  });

  test('orders that would close one of them do not count for the other', async () => {
    perps.world.venue.answers.place = async (_credentials, { clientId }) => ({
      outcome: 'accepted',
      state: {
        ...{ clientId, venueOrderId: '78' as never, symbol: 'BTCUSDT', status: 2 },
        ...{ cumulativeQuantity: ZERO, cumulativeQuote: ZERO, time: perps.venue.now },
      },
      fills: [],
    });
    const rests = { price: amount('110'), quantity: amount('1'), marginMode: 'isolated' };
    expect(await close(rests)).toMatchObject({ value: { outcome: 'sent' } });
    expect(await available({ marginMode: 'isolated' })).toMatchObject({ value: { inClosingOrders: '1' } });
    expect(await available({ marginMode: 'cross' })).toMatchObject({ value: { inClosingOrders: '0' } });
  });
});

test('what the exchange does to one of a cross and an isolated position is booked to that one', async () => {
  const { world, venue } = perps;
  await placeContractOrder(perps, { quantity: amount('2') });
  venue.setting_ = { ...venue.setting_, marginMode: 'isolated', leverageLong: 5, leverageShort: 5 };
  await world.pass(31_000, 31_000);
  expect(await placeContractOrder(perps, { quantity: amount('3') })).toMatchObject({ ok: true });
  const made = venue.trade(SIDE.SELL, amount('3'), { cause: 'liquidation', order: 'autoclose-9' });
  const fill = {
    ...made,
    contract: { ...made.contract, realisedPnl: ZERO, marginMode: 'isolated' },
  } as const;
  const state = {
    ...{ clientId: 'autoclose-9' as never, venueOrderId: fill.venueOrderId, symbol: 'BTCUSDT' },
    ...{
      status: ORDER_STATUS.FILLED,
      cumulativeQuantity: fill.quantity,
      cumulativeQuote: fill.quoteQuantity,
      time: venue.now,
    },
  } as const;
  for (const stream of world.venue.streams) stream.onOrder({ state, fill: fill as never });
  const booked = async () =>
    (await world.deps.contracts.booked({ user: CALLER.user })).map(
      ({ marginMode, quantity }) => `${marginMode} ${formatAmount(quantity)}`,
    );
  await until(async () => (await booked()).join() === 'cross 2');
  const answer = await handlers()['connextrade/OrderHistory'](callerNow(), {
    ...{ platformType: 43, tinstType: 2, limit: 1 },
  });
  expect(answer).toMatchObject({
    value: { rows: [{ cause: 'liquidation', marginMode: 'isolated', leverage: 5, side: SIDE.SELL }] },
  });
});

describe('an id that was used for something else is refused, whatever it was', () => {
  const REUSED = { ok: false, code: { error: 'client-id-reused', field: 'clientId' } };
  test.each([
    ['opening, for closing', {}, () => close({ clientId: ID })],
    ['opening, for turning around the same way', {}, () => reverse({ side: 1, clientId: ID })],
    ['closing, for another margin mode', CLOSES(), () => close({ clientId: ID, marginMode: 'isolated' })],
    ['closing, for another leg', CLOSES(), () => close({ clientId: ID, effect: 1 })],
    ['closing at market, at a price', CLOSES(), () => close({ clientId: ID, price: amount('120') })],
    ['closing, less of it', CLOSES(), () => close({ clientId: ID, quantity: amount('0.5') })],
    ['closing, for another time', CLOSES(), () => close({ clientId: ID, timeInForce: 2 })],
    ['closing, at another exchange', CLOSES(), () => close({ clientId: ID, platformType: 41 })],
    ['turning around, at another exchange', CLOSES(), () => reverse({ clientId: ID, platformType: 41 })],
  ])('%s', async (_what, part, ask) => {
    await placeContractOrder(perps, { quantity: amount('4') });
    expect(await placeContractOrder(perps, { ...part, clientId: ID })).toMatchObject({ ok: true });
    const sent = perps.venue.sent.length;
    expect(await ask()).toMatchObject(REUSED);
    expect(perps.venue.sent).toHaveLength(sent);
  });
});

function CLOSES() {
  return { ...sell, reduceOnly: true };
}

test.each([
  ['closed', () => close({ clientId: ID }), ''],
  ['turned around', () => reverse({ clientId: ID }), '-2'],
] as const)('%s twice in one moment under one id: both get the one order', async (_what, ask, left) => {
  const { venue } = perps;
  await placeContractOrder(perps, { quantity: amount('2') });
  // The second one looks at positions when the first one has ended.
  const listed = venue.positions;
  let first: Promise<unknown> | undefined;
  Object.assign(venue, {
    async positions(...given: Parameters<typeof listed>) {
      Object.assign(venue, { positions: listed });
      first = ask();
      await first;
      return listed(...given);
    },
  });
  const second = await ask();
  expect(second).toMatchObject({ ok: true, value: { outcome: 'sent' } });
  expect(second).toEqual(await first);
  expect(venue.sent).toHaveLength(2);
  const held = [...venue.open.values()].filter(({ quantity }) => quantity !== 0n);
  expect(held.map(({ quantity }) => formatAmount(quantity)).join()).toBe(left);
});

describe('both legs turned around, asked for again', () => {
  beforeEach(async () => {
    perps.venue.setting_ = { ...perps.venue.setting_, positionMode: 'hedge' };
    await placeContractOrder(perps, { effect: 1, quantity: amount('2') });
  });
  const turn = () => reverse({ effect: 1, clientId: ID });

  test('is what became of both, and nothing is sent', async () => {
    const first = await turn();
    const sent = perps.venue.sent.length;
    const again = await turn();
    expect(again).toEqual(first);
    expect(again).toMatchObject({
      value: { outcome: 'sent', half: false, order: { side: SIDE.SELL, effect: 2 } },
    });
    expect(perps.venue.sent).toHaveLength(sent);
  });

  test('after an end between the two it is unknown, never called done', async () => {
    await turn();
    const opened = scaledId(CALLER.user, ID, 1);
    await perps.world.database.owner.query('delete from fills where order_id = $1', [opened]);
    await perps.world.database.owner.query('delete from orders where id = $1', [opened]);
    expect(await turn()).toMatchObject({ ok: true, value: { outcome: 'unknown', order: null } });
  });
});

test('GetRpnl tells equity without what is owed, and what was realised from begin to before end', async () => {
  const { world, venue } = perps;
  const tell = async (begin = 0, end = 9_999_999_999_999) => {
    const answer = await handlers()['connexfunding/GetRpnl'](callerNow(), { begin, end });
    return answer.ok ? answer.value : answer.code;
  };
  await placeContractOrder(perps, { quantity: amount('60') });
  const opened = world.time.clock();
  await world.pass(1_000);
  venue.price = amount('80');
  venue.trade(SIDE.SELL, amount('60'), { cause: 'liquidation', order: 'autoclose-2' });
  const ended = world.time.clock();
  await world.desk.start();
  await world.pass(5_000, 1_000);
  // Wallets are told as worth nothing in this world: what is left is the debt.
  expect(await tell()).toEqual({ totalRpnl: '-1205.4', equity: formatAmount(venue.wallet) });
  expect(formatAmount(venue.wallet)).toBe('-205.4');
  expect(await tell(opened, ended)).toMatchObject({ totalRpnl: '-3' });
  expect(await tell(opened + 1)).toMatchObject({ totalRpnl: '-1202.4' });
  expect(await tell(ended + 1)).toMatchObject({ totalRpnl: '0' });
  venue.pay('insurance', '205.4');
  await world.pass(90_000, 5_000);
  expect(await tell()).toEqual({ totalRpnl: '-1205.4', equity: '0' });
});

test('each position that ends is told once, though both legs end in one moment', async () => {
  const { world, venue } = perps;
  venue.setting_ = { ...venue.setting_, positionMode: 'hedge' };
  await placeContractOrder(perps, { effect: 1, quantity: amount('2') });
  await placeContractOrder(perps, { ...sell, effect: 2, quantity: amount('3') });
  await world.pass(1_000);
  const answer = await handlers()['connextrade/ClosePositionAll'](callerNow(), {});
  expect(answer).toMatchObject({ ok: true, value: [{ outcome: 'sent' }, { outcome: 'sent' }] });
  const reported = () =>
    world.published.flatMap(({ event }) => (event.kind === 'position-closed' ? [event.closed] : []));
  await until(() => reported().length === 2);
  await placeContractOrder(perps, { effect: 1 });
  await world.pass(1_000);
  expect(
    reported()
      .map(({ effect, maxQuantity, ended }) => [effect, maxQuantity, ended])
      .sort(),
  ).toEqual([
    [1, '2', 'closed'],
    [2, '3', 'closed'],
  ]);
});

test('a start tells of what it finds, and of nothing that was told before', async () => {
  const { world, venue } = perps;
  await placeContractOrder(perps, { quantity: amount('2') });
  await close();
  const reported = () =>
    world.published.flatMap(({ event }) => (event.kind === 'position-closed' ? [event.closed.ended] : []));
  await until(() => reported().length === 1);
  await placeContractOrder(perps, { quantity: amount('3') });
  await world.desk.stop();
  const next = createTradingDesk(world.deps);
  await next.start();
  await placeContractOrder({ ...perps, desk: next });
  await world.pass(1_000);
  expect(reported()).toEqual(['closed']);
  await next.stop();
  venue.trade(SIDE.SELL, amount('4'), { cause: 'liquidation', order: 'autoclose-4' });
  const last = createTradingDesk(world.deps);
  await last.start();
  await world.pass(15_000, 1_000);
  await last.stop();
  expect(reported()).toEqual(['closed', 'liquidated']);
});

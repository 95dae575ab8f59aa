import { amount, ORDER_STATUS, SIDE, venueClientId } from '@crossbook/domain';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { listedLegId } from '../listed-legs.ts';
import { CALLER, openTradingWorld, type TradingWorld } from '../trading-world.fixture.ts';
import { placeStop } from './algo-world.fixture.ts';
import { ID, PairVenue, SIZE } from './pair-venue.fixture.ts';

/** A buy of a pair at Binance with take-profit and stop-loss: two coins at a hundred, in one list with its legs. */

let world: TradingWorld;
let venue: PairVenue;

beforeEach(async () => {
  world = await openTradingWorld();
  venue = new PairVenue(world);
  await world.account();
  await world.fund('USDT', '300');
  await world.desk.start();
  world.best = { bid: amount('99.9'), ask: amount('100.1'), receivedAt: world.time.clock() };
});
afterEach(() => world.close());

const TARGETS = { takeProfit: amount('120'), stopLoss: amount('80') };
function place(part: Readonly<Record<string, unknown>> = {}) {
  const order = { platformType: 43, tinstType: 1, symbol: 'BTCUSDT', side: 1, orderType: 1, timeInForce: 1 };
  const asked = { ...order, price: amount('100'), quantity: SIZE, clientId: ID, ...TARGETS, ...part };
  return world.desk.handlers['connextrade/PlaceOrder'](
    { ...CALLER, now: world.time.clock() },
    asked as never,
  );
}
const legs = async () =>
  (await world.deps.algos.ofParent(ID)).map(
    ({ plan, state, attempt, payloadHash }) => `${plan.kind} ${state} ${attempt} ${payloadHash}`,
  );
const LISTED = 'part 0 of its order';
const LATER = 'part 1 of its order';

const TINY = { price: amount('9000'), takeProfit: amount('9900'), stopLoss: amount('8000') };

describe('an order goes out with', () => {
  const leg = (price: string) => ({ trigger: { price: amount(price), by: 'last' } });
  test.each([
    ['both', {}, { kind: 'oco', takeProfit: leg('120'), stopLoss: leg('80') }],
    ['a stop alone', { takeProfit: undefined }, { kind: 'stop', leg: leg('80') }],
    ['a target alone', { stopLoss: undefined }, { kind: 'take-profit', leg: leg('120') }],
  ] as const)('%s, under ids of ours, for what is certain to arrive', async (_name, part, plan) => {
    expect(await place(part)).toMatchObject({ ok: true });
    expect(venue.listed).toMatchObject({
      ...{ clientId: venueClientId(listedLegId(ID, plan)), side: SIDE.SELL, plan },
      quantity: amount('1.998'),
    });
    expect(await world.order(ID)).toMatchObject({ listed: amount('1.998') });
    expect(await legs()).toEqual([]);
    expect(await world.wallet()).toEqual({ USDT: '300 (200 held)' });
  });

  test.each([
    ['of a market order', { orderType: 2, price: undefined }],
    ['too small to leave a lot behind the fee', { ...TINY, quantity: amount('0.001') }],
  ])('none %s: those are the hub’s', async (_name, part) => {
    await world.fund('USDT', '1000');
    expect(await place(part)).toMatchObject({ ok: true });
    expect(venue.listed).toBeUndefined();
    expect((await world.order(ID)).listed).toBeUndefined();
  });
});

test('its leg waits, and holds what it sells from the commit of the last fill on', async () => {
  await place();
  venue.fill(amount('0.8'), true);
  await world.pass(2_000);
  // What has come in is the member's until the leg needs it.
  expect(await world.wallet()).toEqual({ USDT: '220 (120 held)', BTC: '0.7992' });
  expect(await legs()).toEqual([]);
  venue.fill(SIZE, true);
  await world.pass(5_000);
  expect(await legs()).toEqual([`oco waiting 0 ${LISTED}`]);
  expect(await world.wallet()).toEqual({ USDT: '100', BTC: '1.998 (1.998 held)' });
  expect(await world.deps.algos.targets.byOrder(ID)).toMatchObject({ ended: true });
  // Selling them by hand is refused here, before the exchange would.
  expect(await placeStop({ world })).toMatchObject({ code: { error: 'balance-insufficient' } });
});

test('an order that ends before takes its legs along: the hub places one for what it bought, under another id', async () => {
  await place();
  venue.fill(amount('0.8'), true);
  await world.pass(2_000);
  const cancel = { platformType: 43, orderId: ID } as const;
  await world.desk.handlers['connextrade/CancelOrder'](
    { ...CALLER, now: world.time.clock() },
    cancel as never,
  );
  await world.pass(5_000);
  expect(await legs()).toEqual([`oco waiting 0 ${LATER}`]);
  expect(await world.wallet()).toEqual({ USDT: '220', BTC: '0.7992 (0.799 held)' });
});

test('a leg that sold before anybody heard of the last fill is booked behind it, once', async () => {
  await place();
  venue.fill(SIZE, false);
  venue.algos.fire(venue.listed?.clientId ?? ('' as never), '1.998');
  const [kept] = [...venue.algos.kept.values()];
  const [fill] = kept?.fills ?? [];
  if (kept === undefined || fill === undefined) throw new Error('nothing has sold');
  world.venue.streams.at(-1)?.onOrder({ state: venue.algos.orderOf(kept), fill });
  await world.pass(5_000);
  expect(await legs()).toEqual([`oco fired 0 ${LISTED}`]);
  expect(await world.wallet()).toEqual({ USDT: '279.73' });
  expect(await world.deps.orders.fillsOfOrder(ID)).toHaveLength(1);
  expect(world.incidents).toEqual([]);
});

describe('a leg that the venue does not have once its order has filled', () => {
  test('because it refused it is placed by the hub, for what is there', async () => {
    await place();
    venue.activation = 'refused';
    venue.fill(SIZE, true);
    await world.pass(30_000);
    expect((await legs()).sort()).toEqual([`oco refused 0 ${LISTED}`, `oco waiting 0 ${LATER}`]);
    expect(await world.wallet()).toEqual({ USDT: '100', BTC: '1.998 (1.998 held)' });
  });

  test('and never had is placed by the hub once that is proved', async () => {
    await place();
    venue.activation = 'absent';
    venue.fill(SIZE, true);
    await world.pass(30_000);
    expect(await legs()).toEqual([`oco placing 0 ${LISTED}`]);
    expect(await world.wallet()).toEqual({ USDT: '100', BTC: '1.998 (1.998 held)' });
    await world.pass(120_000, 2_500);
    expect(await legs()).toEqual([`oco waiting 1 ${LISTED}`]);
  });

  test('because its coins are promised elsewhere leaves the rest of them with one', async () => {
    await place();
    venue.fill(amount('1'), true);
    await world.pass(2_000);
    const own = await placeStop({ world }, { quantity: amount('0.9'), triggerPrice: amount('70') });
    expect(own).toMatchObject({ ok: true });
    venue.activation = 'refused';
    venue.fill(SIZE, true);
    await world.pass(30_000);
    expect((await legs()).sort()).toEqual([`oco refused 0 ${LISTED}`, `oco waiting 0 ${LATER}`]);
    expect(await world.wallet()).toEqual({ USDT: '100', BTC: '1.998 (1.998 held)' });
    const waiting = venue.waiting().map(([, { request }]) => request.quantity);
    expect(waiting).toEqual([amount('0.9'), amount('1.098')]);
    expect((await world.order(ID)).status).toBe(ORDER_STATUS.FILLED);
  });

  test('though its coins are promised elsewhere here stands all the same, and holds what there is', async () => {
    await place();
    venue.fill(amount('1'), true);
    await world.pass(2_000);
    // The exchange never hears of it: its request is lost, and the hub cannot know that yet.
    venue.algos.next = ['dropped'];
    await placeStop({ world }, { quantity: amount('0.9'), triggerPrice: amount('70') });
    venue.fill(SIZE, true);
    await world.pass(30_000);
    expect(await legs()).toEqual([`oco waiting 0 ${LISTED}`]);
    expect(await world.wallet()).toEqual({ USDT: '100', BTC: '1.998 (1.998 held)' });
    await world.pass(120_000, 2_500);
    venue.fire(true);
    await world.pass(10_000);
    expect(await legs()).toEqual([`oco fired 0 ${LISTED}`]);
    expect(await world.wallet()).toEqual({ USDT: '279.73' });
  });
});

test('a list that waits for its order takes a place of those that wait for prices', async () => {
  await world.fund('BTC', '1');
  await place();
  for (let at = 0; at < 4; at += 1)
    expect(await placeStop({ world }, { quantity: amount('0.1') })).toMatchObject({ ok: true });
  expect(await placeStop({ world }, { quantity: amount('0.1') })).toMatchObject({
    code: { error: 'too-many-open-orders', allowed: '5' },
  });
});

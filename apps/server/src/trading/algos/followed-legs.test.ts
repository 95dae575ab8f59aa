import { amount, SIDE, venueClientId } from '@crossbook/domain';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { OF_FILLS } from '../algo.ts';
import { listedLegId } from '../listed-legs.ts';
import { BTCUSDT, CALLER, openTradingWorld, type TradingWorld } from '../trading-world.fixture.ts';
import { placeStop } from './algo-world.fixture.ts';
import { ID, PairVenue, SIZE } from './pair-venue.fixture.ts';

/** A buy of a pair at OKX with take-profit and stop-loss: two coins at a hundred, of whose fills the exchange makes one leg. */

let world: TradingWorld;
let venue: PairVenue;

beforeEach(async () => {
  world = await openTradingWorld();
  venue = await PairVenue.open(world, 'fills');
  await world.desk.start();
  world.best = { bid: amount('99.9'), ask: amount('100.1'), receivedAt: world.time.clock() };
});
afterEach(() => world.close());

const OKX = { platformType: 41 } as const;
const TARGETS = { takeProfit: amount('120'), stopLoss: amount('80') };
function place(part: Readonly<Record<string, unknown>> = {}) {
  const order = { ...OKX, tinstType: 1, symbol: 'BTCUSDT', side: 1, orderType: 1, timeInForce: 1 };
  const asked = { ...order, price: amount('100'), quantity: SIZE, clientId: ID, ...TARGETS, ...part };
  return world.desk.handlers['connextrade/PlaceOrder'](
    { ...CALLER, now: world.time.clock() },
    asked as never,
  );
}
async function cancel(): Promise<void> {
  const caller = { ...CALLER, now: world.time.clock() };
  await world.desk.handlers['connextrade/CancelOrder'](caller, { ...OKX, orderId: ID } as never);
  await world.pass(5_000);
}
const legs = async () =>
  (await world.deps.algos.ofParent(ID)).map(
    ({ plan, state, attempt, payloadHash }) => `${plan.kind} ${state} ${attempt} ${payloadHash}`,
  );
const placed = () => venue.algos.calls.filter((call) => call === 'place').length;
const LATER = 'part 1 of its order';

describe('an order goes out with', () => {
  const leg = (price: string) => ({ trigger: { price: amount(price), by: 'last' } });
  const both = { kind: 'oco', takeProfit: leg('120'), stopLoss: leg('80') };
  const market = { orderType: 2, price: undefined };
  test.each([
    ['both', {}, both],
    ['a stop alone', { takeProfit: undefined }, { kind: 'stop', leg: leg('80') }],
    ['a target alone', { stopLoss: undefined }, { kind: 'take-profit', leg: leg('120') }],
    ['both, at market', market, both],
    ['both, for so much money', { ...market, quantity: undefined, quoteQuantity: amount('200') }, both],
  ] as const)('%s, under ids of ours, and says no size', async (_name, part, plan) => {
    expect(await place(part)).toMatchObject({ ok: true });
    const clientId = venueClientId(listedLegId(ID, plan as never));
    expect(venue.listed).toMatchObject({ clientId, side: SIDE.SELL, plan });
    expect(venue.listed).not.toHaveProperty('quantity');
    expect((await world.order(ID)).listed).toBeUndefined();
    expect(await legs()).toEqual([]);
    expect(await world.deps.algos.targets.byOrder(ID)).toMatchObject({ attached: true, parts: 1 });
  });
});

test('its leg has its coins from each fill on, and is a row from the commit of the last one on', async () => {
  await place();
  venue.fill(amount('0.8'), true);
  await world.pass(2_000);
  expect(await venue.wallet()).toEqual({ USDT: '220 (120 held)', BTC: '0.7992 (0.799 held)' });
  expect(await legs()).toEqual([]);
  // The exchange makes the leg as soon as the order ends, whoever ends it: nothing else may be promised of them.
  const own = { ...OKX, quantity: amount('0.5'), triggerPrice: amount('70') };
  expect(await placeStop({ world }, own)).toMatchObject({ code: { error: 'balance-insufficient' } });
  venue.fill(SIZE, true);
  await world.pass(5_000);
  expect(await legs()).toEqual([`oco waiting 0 ${OF_FILLS}`]);
  expect(await venue.wallet()).toEqual({ USDT: '100', BTC: '1.998 (1.998 held)' });
  expect(await world.deps.algos.targets.byOrder(ID)).toMatchObject({ ended: true });
  expect(placed()).toBe(0);
});

test('an order that ends before has its leg from the exchange, for what it bought', async () => {
  await place();
  venue.fill(amount('0.8'), true);
  await world.pass(2_000);
  await cancel();
  expect(await legs()).toEqual([`oco waiting 0 ${OF_FILLS}`]);
  expect(await venue.wallet()).toEqual({ USDT: '220', BTC: '0.7992 (0.799 held)' });
  expect(placed()).toBe(0);
});

test('an order that ends with nothing has no leg, and nothing is held', async () => {
  await place();
  await cancel();
  expect(await legs()).toEqual([]);
  expect(await venue.wallet()).toEqual({ USDT: '300' });
  expect(await world.deps.algos.targets.byOrder(ID)).toMatchObject({ ended: true });
});

test('what is too little for an order is held while its order rests, and free once that is over', async () => {
  world.instruments.splice(0, 1, { ...BTCUSDT, platform: 2, minQty: amount('0.01') });
  await place();
  venue.fill(amount('0.006'), true);
  await world.pass(2_000);
  expect(await venue.wallet()).toEqual({ USDT: '299.4 (199.4 held)', BTC: '0.005994 (0.005 held)' });
  venue.activation = 'absent';
  await cancel();
  expect(await legs()).toEqual([]);
  expect(await venue.wallet()).toEqual({ USDT: '299.4', BTC: '0.005994' });
  expect(await world.deps.algos.targets.byOrder(ID)).toMatchObject({ ended: true });
});

describe('a leg is as large as the exchange has made it', () => {
  test.each([
    ['less than there is: the rest is free', [990n, '0'], '1.98', '1.998 (1.98 held)'],
    ['the fee not taken off: what there is stays held', [1_000n, '0'], '2', '1.998 (1.998 held)'],
    ['the fee not taken off, and coins beside', [1_000n, '1'], '2', '2.998 (2 held)'],
  ] as const)('%s', async (_name, [mille, beside], size, wallet) => {
    if (beside !== '0') await world.fund('BTC', beside, CALLER.user, 2);
    await place();
    venue.mille = mille;
    venue.fill(SIZE, true);
    await world.pass(5_000);
    expect(await world.deps.algos.ofParent(ID)).toMatchObject([{ state: 'waiting', quantity: amount(size) }]);
    expect((await venue.wallet()).BTC).toBe(wallet);
    const [leg] = await world.deps.algos.ofParent(ID);
    const asked = { ...OKX, algoId: leg?.id } as never;
    await world.desk.handlers['connextrade/CancelAlgoOrder']({ ...CALLER, now: world.time.clock() }, asked);
    await world.pass(5_000);
    expect((await venue.wallet()).BTC).toBe(wallet.split(' ')[0]);
  });
});

test.each([
  ['filled', () => venue.fill(SIZE, false), '1.998', { USDT: '279.73' }],
  [
    'ended',
    () => {
      venue.fill(amount('0.8'), false);
      venue.end();
    },
    '0.799',
    { USDT: '291.82', BTC: '0.0002' },
  ],
] as const)(
  'a leg that sold before anybody heard that its order has %s is booked behind it, once',
  async (_name, act, sold, wallet) => {
    await place();
    act();
    venue.algos.fire(venue.listed?.clientId ?? ('' as never), sold);
    const [kept] = [...venue.algos.kept.values()];
    const [fill] = kept?.fills ?? [];
    if (kept === undefined || fill === undefined) throw new Error('nothing has sold');
    world.venue.streams.at(-1)?.onOrder({ state: venue.algos.orderOf(kept), fill });
    await world.pass(5_000);
    expect(await legs()).toEqual([`oco fired 0 ${OF_FILLS}`]);
    expect(await venue.wallet()).toEqual(wallet);
    expect(world.incidents).toEqual([]);
  },
);

describe('a leg that the exchange does not have once its order is over', () => {
  test('because it refused it is placed by the hub, for what is there', async () => {
    await place();
    venue.activation = 'refused';
    venue.fill(SIZE, true);
    await world.pass(30_000);
    expect((await legs()).sort()).toEqual([`oco refused 0 ${OF_FILLS}`, `oco waiting 0 ${LATER}`]);
    expect(await venue.wallet()).toEqual({ USDT: '100', BTC: '1.998 (1.998 held)' });
  });

  test('and never had is placed by the hub once that is proved', async () => {
    await place();
    venue.activation = 'absent';
    venue.fill(amount('0.8'), true);
    await cancel();
    await world.pass(30_000);
    expect(await legs()).toEqual([`oco placing 0 ${OF_FILLS}`]);
    expect((await venue.wallet()).BTC).toBe('0.7992 (0.799 held)');
    await world.pass(120_000, 2_500);
    expect(await legs()).toEqual([`oco waiting 1 ${OF_FILLS}`]);
    expect((await venue.wallet()).BTC).toBe('0.7992 (0.799 held)');
    expect(venue.waiting().map(([, { request }]) => request.quantity)).toEqual([amount('0.799')]);
  });
});

test('an order that met hundreds while nobody listened is booked in parts, each with its coins held', async () => {
  await place();
  for (let at = 0; at < 200; at += 1) venue.fill(amount('0.01'), at === 199);
  await world.pass(5_000);
  expect(await world.deps.orders.fillsOfOrder(ID)).toHaveLength(200);
  expect(await legs()).toEqual([`oco waiting 0 ${OF_FILLS}`]);
  expect(await venue.wallet()).toEqual({ USDT: '100', BTC: '1.998 (1.998 held)' });
  expect(world.incidents).toEqual([]);
});

import { amount, formatAmount, type OrderId, SIDE, venueClientId } from '@crossbook/domain';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openPerpsWorld, type PerpsWorld, placeContractOrder } from '../perps/perps-world.fixture.ts';
import { CALLER, FILLED, stateOf, until } from '../trading-world.fixture.ts';
import { AlgoVenue } from './algo-world.fixture.ts';

const ID = '01890000-0000-7000-8000-00000000abcd' as OrderId;
let perps: PerpsWorld;
let algos: AlgoVenue;
beforeEach(async () => {
  perps = await openPerpsWorld();
  algos = new AlgoVenue(perps.world);
  perps.world.venue.algos = algos;
});
afterEach(() => perps.world.close());

/** Two of the contract in cross margin and three in isolated, at an exchange that has both of one side. */
async function opensBoth(): Promise<void> {
  const { world, venue } = perps;
  expect(await placeContractOrder(perps, { quantity: amount('2') })).toMatchObject({ ok: true });
  venue.setting_ = { ...venue.setting_, marginMode: 'isolated' };
  await world.pass(31_000, 31_000);
  expect(await placeContractOrder(perps, { quantity: amount('3') })).toMatchObject({ ok: true });
}

test.each([
  ['cross margin', { marginMode: 'cross', filled: '1', quantity: '2' }],
  ['isolated margin', { marginMode: 'isolated', filled: '1', quantity: '3' }],
  [
    'isolated margin, of which more was traded than is booked',
    { marginMode: 'isolated', filled: '4', quantity: '4' },
  ],
  ['a position that is gone', { marginMode: 'isolated', filled: '0', quantity: '0.001', gone: true }],
] as const)('a stop that closes all of %s sends as much as is booked of that one', async (_what, of) => {
  const { world } = perps;
  const { marginMode, filled, quantity } = of;
  if (!('gone' in of)) await opensBoth();
  world.best = { bid: amount('99.9'), ask: amount('100.1'), receivedAt: world.time.clock() };
  const placed = await world.desk.handlers['connextrade/PlaceAlgoOrder'](
    { ...CALLER, now: world.time.clock() },
    {
      ...{ platformType: 43, tinstType: 2, symbol: 'BTCUSDT', side: SIDE.SELL, algoType: 'stop' },
      ...{ triggerPrice: amount('90'), whole: true, reduceOnly: true, timeInForce: 1 },
      ...{ marginMode, leverage: 10, clientId: ID },
    } as never,
  );
  expect(placed).toMatchObject({ ok: true, value: { quantity: null } });
  const { state } = algos.fire(venueClientId(ID), filled);
  world.venue.streams.at(-1)?.onAlgo?.(state);
  const row = () => world.deps.algos.byId(ID);
  await until(async () => (await row())?.state === 'fired');
  const child = await world.orders.byId((await row())?.childId as OrderId);
  expect(child?.contract?.marginMode).toBe(marginMode);
  expect(formatAmount(child?.quantity ?? amount('0'))).toBe(quantity);
});

test('a child that was booked as a stranger’s order, before anybody knew of it, is that order, and booked once', async () => {
  const { world, venue } = perps;
  const held = async () =>
    (await world.deps.contracts.booked(CALLER as never)).map(({ quantity }) =>
      formatAmount(quantity as never),
    );
  await placeContractOrder(perps, { quantity: amount('2') });
  world.best = { bid: amount('99.9'), ask: amount('100.1'), receivedAt: world.time.clock() };
  algos.childClientId = () => 'of the venue';
  algos.next = ['lost'];
  const placed = await world.desk.handlers['connextrade/PlaceAlgoOrder'](
    { ...CALLER, now: world.time.clock() },
    {
      ...{ platformType: 43, tinstType: 2, symbol: 'BTCUSDT', side: SIDE.SELL, algoType: 'stop' },
      ...{ triggerPrice: amount('90'), quantity: amount('1'), reduceOnly: true, timeInForce: 1 },
      ...{ marginMode: 'cross', leverage: 10, clientId: ID },
    } as never,
  );
  expect(placed).toMatchObject({ ok: true, value: { unknown: true } });
  // The exchange's answers lag behind its stream.
  const { find } = algos;
  Object.assign(algos, { find: async () => ({ outcome: 'not-found' }) });
  const { venueOrderId: _own, ...part } = venue.trade(SIDE.SELL, amount('1'));
  const { state, fills } = algos.fire(venueClientId(ID), '1', part);
  const venueOrderId = state.child?.venueOrderId;
  const [fill] = fills;
  if (venueOrderId === undefined || fill === undefined) throw new Error('it has fired');
  const stranger = stateOf({ id: ID, symbol: 'BTCUSDT' }, FILLED, '1', venueOrderId);
  world.venue.streams.at(-1)?.onOrder({ state: { ...stranger, clientId: 'of the venue' as never }, fill });
  await until(async () => (await held()).join() === '1');
  Object.assign(algos, { find });
  await world.pass(10_000, 1_000);
  const algo = await world.deps.algos.byId(ID);
  expect(algo).toMatchObject({ state: 'fired', unknown: false });
  const owner = { user: CALLER.user, platform: 1 } as const;
  const child = await world.orders.byVenueId(owner, venueOrderId, { symbol: 'BTCUSDT', symbolType: 'SWAP' });
  expect([algo?.childId, await held()]).toEqual([child?.id, ['1']]);
  expect(await world.orders.fillsOfOrder(algo?.childId as OrderId)).toHaveLength(1);
  expect(world.incidents).toEqual([]);
});

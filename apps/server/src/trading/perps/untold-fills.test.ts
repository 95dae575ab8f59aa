import {
  amount,
  formatAmount,
  type Millis,
  ORDER_STATUS,
  SIDE,
  type VenueFill,
  ZERO,
} from '@crossbook/domain';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ledgerBreaches } from '../../storage/ledger/ledger-check.ts';
import { CALLER, until } from '../trading-world.fixture.ts';
import { futuresWallet, openPerpsWorld, type PerpsWorld, placeContractOrder } from './perps-world.fixture.ts';

/** Fills that neither a stream nor the list of income told of (docs/decisions/0065). */

let perps: PerpsWorld;
beforeEach(async () => {
  perps = await openPerpsWorld();
});
afterEach(async () => {
  expect(await ledgerBreaches(perps.world.database.database, 'fold')).toEqual([]);
  await perps.world.close();
});

const one = amount('1');

/** What the venue has, to the unit. */
const venueWallet = () => formatAmount(perps.venue.wallet);

async function closed() {
  const answer = await perps.world.desk.handlers['connextrade/PositionHistory'](CALLER, { limit: 50 });
  return answer.ok ? answer.value.rows : [];
}

function stateOf(clientId: string, fill: VenueFill) {
  return {
    ...{ clientId: clientId as never, venueOrderId: fill.venueOrderId, symbol: 'BTCUSDT' },
    ...{ status: ORDER_STATUS.FILLED, cumulativeQuantity: fill.quantity, time: fill.time },
    cumulativeQuote: fill.quoteQuantity,
  };
}

test('a liquidation at the price of the entry moved no money, so that no list of it has an entry: its fill is found all the same', async () => {
  const { world, venue } = perps;
  const begunAt = venue.now;
  await placeContractOrder(perps, { quantity: amount('3') });
  await world.desk.start();
  await world.pass(15_000, 1_000);
  await world.desk.stop();
  venue.trade(SIDE.SELL, amount('3'), { cause: 'liquidation', order: 'autoclose-1', free: true });
  venue.pay('insurance', '-3');
  // Long enough that the list of income is read from beyond it.
  await world.pass(300_000, 60_000);
  const { fillsSince } = world.venue.answers;
  const asked: number[] = [];
  world.venue.answers.fillsSince = (...given) => {
    asked.push(given[2]);
    return fillsSince?.(...given) ?? Promise.reject(new Error('no list'));
  };
  const next = await world.restarted();
  await world.pass(15_000, 1_000);
  await next.stop();
  // Not from the beginning, but since positions last agreed.
  expect(asked.filter((since) => since < begunAt - 130_000)).toEqual([]);
  expect(await futuresWallet(perps)).toBe(venueWallet());
  expect(await world.deps.contracts.booked({ user: CALLER.user })).toEqual([]);
  expect(await closed()).toMatchObject([{ ended: 'liquidated', maxQuantity: '3', realisedPnl: '0' }]);
  expect(world.incidents).toEqual([]);
});

test('legs that the venue closed by itself are told by which side was dealt, where a list leaves the leg out (Bybit)', async () => {
  const { world, venue } = perps;
  venue.setting_ = { ...venue.setting_, positionMode: 'hedge' };
  await placeContractOrder(perps, { effect: 1, quantity: amount('2') });
  await placeContractOrder(perps, { effect: 2, side: SIDE.SELL, quantity: one });
  const traded = venue.fills.length;
  venue.price = amount('101');
  venue.trade(SIDE.SELL, amount('2'), { leg: 1, order: 'settled-1' });
  venue.trade(SIDE.BUY, one, { leg: 2, order: 'settled-2' });
  for (const { contract } of venue.fills.slice(traded)) delete (contract as { side?: number }).side;
  await world.desk.start();
  await world.pass(15_000, 1_000);
  expect(await futuresWallet(perps)).toBe(venueWallet());
  expect(await world.deps.contracts.booked({ user: CALLER.user })).toEqual([]);
  expect((await closed()).map(({ effect, maxQuantity }) => [effect, maxQuantity])).toEqual([
    [2, '1'],
    [1, '2'],
  ]);
  expect(world.incidents).toEqual([]);
  await world.desk.stop();
});

test('the same, though the list of positions was behind when both were compared, and agreed', async () => {
  const { world, venue } = perps;
  await placeContractOrder(perps, { quantity: amount('3') });
  await world.pass(10_000, 1_000);
  venue.lagMillis.positions = 9_000;
  venue.trade(SIDE.SELL, amount('3'), { cause: 'liquidation', order: 'autoclose-1', free: true });
  await world.pass(1_000);
  await world.desk.start();
  await world.pass(2_000, 1_000);
  expect(await world.deps.contracts.agreedAt({ user: CALLER.user, platform: 1 })).toBeGreaterThan(
    venue.fills.at(-1)?.time ?? 0,
  );
  await world.pass(90_000, 1_000);
  expect(await world.deps.contracts.booked({ user: CALLER.user })).toEqual([]);
  expect(await closed()).toMatchObject([{ ended: 'liquidated', maxQuantity: '3' }]);
  expect(world.incidents).toEqual([]);
});

test('the same, though orders turned the position twice before it was compared', async () => {
  const { world, venue } = perps;
  await placeContractOrder(perps);
  await world.pass(1_000);
  venue.trade(SIDE.SELL, one, { cause: 'liquidation', order: 'autoclose-1', free: true });
  await world.pass(1_000);
  await placeContractOrder(perps, { side: SIDE.SELL, quantity: amount('1.5') });
  await world.pass(1_000);
  await placeContractOrder(perps, { quantity: amount('0.6') });
  await world.desk.start();
  await world.pass(15_000, 1_000);
  const [run] = await world.deps.contracts.booked({ user: CALLER.user });
  expect(formatAmount(run?.quantity ?? ZERO)).toBe('-0.9');
  expect(world.incidents).toEqual([]);
});

test('what liquidates a position that is not booked yet is booked in the margin mode of the order that opened it', async () => {
  const { world, venue } = perps;
  venue.setting_ = { ...venue.setting_, marginMode: 'isolated' };
  world.venue.answers.place = async (_credentials, { clientId }) => {
    const value = stateOf(clientId, venue.trade(SIDE.BUY, one, { order: clientId }));
    world.venue.answers.findByVenueId = async () => ({ outcome: 'found', value });
    return { outcome: 'unknown', why: 'lost', deadlineAt: (venue.now + 15_000) as Millis };
  };
  world.venue.answers.find = async () => ({ outcome: 'unknown', why: 'away' });
  await placeContractOrder(perps);
  await world.desk.start();
  await world.pass(1_000);
  const [opened] = venue.fills;
  const fill = venue.trade(SIDE.SELL, one, { cause: 'liquidation', order: 'autoclose-9', free: true });
  for (const stream of world.venue.streams) stream.onOrder({ state: stateOf('autoclose-9', fill), fill });
  await until(async () => (await world.deps.contracts.booked({ user: CALLER.user })).length === 1);
  if (opened === undefined) throw new Error('no fill');
  world.venue.answers.fillsOfOrder = async () => ({ ok: true, value: [opened] });
  world.venue.answers.find = async () => ({
    outcome: 'found',
    value: stateOf(opened.venueOrderId, opened),
  });
  await world.pass(60_000, 1_000);
  expect(await world.deps.contracts.booked({ user: CALLER.user })).toEqual([]);
  expect(await closed()).toMatchObject([{ ended: 'liquidated', marginMode: 'isolated' }]);
  expect(await futuresWallet(perps)).toBe(venueWallet());
});

test('what was traded before the first order of a member is none of ours: it is never booked, and the difference is told', async () => {
  const { world, venue } = perps;
  venue.trade(SIDE.BUY, one, { order: 'by hand', free: true });
  await world.pass(200_000, 20_000);
  await placeContractOrder(perps, { quantity: amount('2') });
  await world.desk.start();
  await world.pass(30_000, 1_000);
  const [run] = await world.deps.contracts.booked({ user: CALLER.user });
  expect(formatAmount(run?.quantity ?? ZERO)).toBe('2');
  expect(world.incidents).toEqual(['positions differ from the venue, opening stopped']);
});

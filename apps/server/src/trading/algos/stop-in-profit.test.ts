import { amount, SIDE } from '@crossbook/domain';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openPerpsWorld, type PerpsWorld, placeContractOrder } from '../perps/perps-world.fixture.ts';
import { CALLER } from '../trading-world.fixture.ts';
import { AlgoVenue } from './algo-world.fixture.ts';

/** On a position a stop is held against the price, not against what was paid: it may lock a gain in (spec section 5). */

let perps: PerpsWorld;
let venue: AlgoVenue;
beforeEach(async () => {
  perps = await openPerpsWorld();
  venue = new AlgoVenue(perps.world);
  perps.world.venue.algos = venue;
});
afterEach(async () => {
  await perps.world.desk.stop();
  await perps.world.database.close();
});

test.each([
  ['a stop above the entry and below the price', 'stop', '105', 'taken'],
  ['a target below the entry', 'take-profit', '95', 'trigger-at-once'],
  ['a stop above the price', 'stop', '111', 'trigger-at-once'],
  ['a target above the price', 'take-profit', '111', 'taken'],
] as const)('long at 100, the price at 110: %s', async (_, algoType, trigger, answer) => {
  const { world } = perps;
  expect(await placeContractOrder(perps, {})).toMatchObject({ ok: true });
  world.best = { bid: amount('109.9'), ask: amount('110'), receivedAt: world.time.clock() };
  const caller = { ...CALLER, now: world.time.clock() };
  const done = await world.desk.handlers['connextrade/PlaceAlgoOrder'](caller, {
    ...{ platformType: 43, tinstType: 2, symbol: 'BTCUSDT', side: SIDE.SELL, reduceOnly: true, algoType },
    ...{ triggerPrice: amount(trigger), quantity: amount('1'), timeInForce: 1 },
    ...{ marginMode: 'cross', leverage: 10 },
  } as never);
  expect(done.ok ? 'taken' : done.code.error).toBe(answer);
  expect(venue.kept.size).toBe(answer === 'taken' ? 1 : 0);
});

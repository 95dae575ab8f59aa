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
  ['long', '110', 'a stop above the entry and below the price', 'stop', '105', 'taken'],
  ['long', '110', 'a target below the entry', 'take-profit', '95', 'trigger-at-once'],
  ['long', '110', 'a stop above the price', 'stop', '111', 'trigger-at-once'],
  ['long', '110', 'a target above the price', 'take-profit', '111', 'taken'],
  ['short', '90', 'a stop below the entry and above the price', 'stop', '95', 'taken'],
  ['short', '90', 'a target above the entry', 'take-profit', '105', 'trigger-at-once'],
  ['short', '90', 'a stop below the price', 'stop', '89', 'trigger-at-once'],
  ['short', '90', 'a target below the price', 'take-profit', '89', 'taken'],
] as const)('%s at 100, the price at %s: %s', async (held, now, _, algoType, trigger, answer) => {
  const { world } = perps;
  const [opens, closes] = held === 'long' ? [SIDE.BUY, SIDE.SELL] : [SIDE.SELL, SIDE.BUY];
  expect(await placeContractOrder(perps, { side: opens })).toMatchObject({ ok: true });
  world.best = { bid: amount(now), ask: amount(now), receivedAt: world.time.clock() };
  const caller = { ...CALLER, now: world.time.clock() };
  const done = await world.desk.handlers['connextrade/PlaceAlgoOrder'](caller, {
    ...{ platformType: 43, tinstType: 2, symbol: 'BTCUSDT', side: closes, reduceOnly: true, algoType },
    ...{ triggerPrice: amount(trigger), quantity: amount('1'), timeInForce: 1 },
    ...{ marginMode: 'cross', leverage: 10 },
  } as never);
  expect(done.ok ? 'taken' : done.code.error).toBe(answer);
  expect(venue.kept.size).toBe(answer === 'taken' ? 1 : 0);
});

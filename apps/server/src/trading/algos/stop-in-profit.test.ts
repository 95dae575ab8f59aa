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

const LONG = { held: 'long', now: '110', opens: SIDE.BUY, closes: SIDE.SELL } as const;
const SHORT = { held: 'short', now: '90', opens: SIDE.SELL, closes: SIDE.BUY } as const;

test.each([
  { of: LONG, what: 'a stop above the entry and below the price', stop: '105', fault: undefined },
  { of: LONG, what: 'a target below the entry', target: '95', fault: 'trigger-at-once' },
  { of: LONG, what: 'a stop above the price', stop: '111', fault: 'trigger-at-once' },
  { of: LONG, what: 'a target above the price', target: '111', fault: undefined },
  { of: SHORT, what: 'a stop below the entry and above the price', stop: '95', fault: undefined },
  { of: SHORT, what: 'a target above the entry', target: '105', fault: 'trigger-at-once' },
  { of: SHORT, what: 'a stop below the price', stop: '89', fault: 'trigger-at-once' },
  { of: SHORT, what: 'a target below the price', target: '89', fault: undefined },
])('$of.held at 100, the price at $of.now: $what', async ({ of, stop, target, fault }) => {
  const { world } = perps;
  expect(await placeContractOrder(perps, { side: of.opens })).toMatchObject({ ok: true });
  const price = amount(of.now);
  world.best = { bid: price, ask: price, receivedAt: world.time.clock() };
  const caller = { ...CALLER, now: world.time.clock() };
  const done = await world.desk.handlers['connextrade/PlaceAlgoOrder'](caller, {
    ...{ platformType: 43, tinstType: 2, symbol: 'BTCUSDT', side: of.closes, reduceOnly: true },
    algoType: stop === undefined ? 'take-profit' : 'stop',
    ...{ triggerPrice: amount(stop ?? target ?? ''), quantity: amount('1'), timeInForce: 1 },
    ...{ marginMode: 'cross', leverage: 10 },
  } as never);
  expect(done.ok ? undefined : done.code.error).toBe(fault);
  expect(venue.kept.size).toBe(fault === undefined ? 1 : 0);
});

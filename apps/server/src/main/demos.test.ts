import { randomUUID } from 'node:crypto';
import { amount, type OrderId, type UserId } from '@crossbook/domain';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { demoLeavings } from '../storage/stores/trading/leavings.ts';
import {
  type AlgoWorld,
  cancelsTogether,
  openAlgoWorld,
  placeStop,
} from '../trading/algos/algo-world.fixture.ts';
import { CALLER, CANCELLED, OPEN, stateOf, until } from '../trading/trading-world.fixture.ts';
import { type Clearing, createClearing } from './clearing.ts';
import { clearDemo } from './demos.ts';

let algo: AlgoWorld;
let over: Clearing;
let notes: string[];
let release: () => void;
beforeEach(async () => {
  algo = await openAlgoWorld();
  await algo.world.database.owner.query(
    `insert into members (id, demo, demo_seen_at, demo_ended_at, nickname, referral_code, created_at)
     overriding system value values ($1, true, 1, 2, 'Demo-7', 'DEMO7', 1)`,
    [CALLER.user],
  );
  notes = [];
  release = () => undefined;
  over = next();
});
afterEach(async () => {
  release();
  await over.stop();
  await algo.world.desk.stop();
  await algo.world.database.close();
});

/** One of a process: what another remembered it does not know. */
function next(): Clearing {
  const { database, time } = algo.world;
  const log = { warn: (_facts: object, event: string) => notes.push(event) } as never;
  const leavings = demoLeavings(database.database);
  const made = createClearing({ uncleared: leavings.uncleared, clear: clearDemo(leavings, time.clock), log });
  made.clearWith(algo.world.desk);
  return made;
}

const FAR = { triggerPrice: amount('90'), quantity: amount('0.5') };
const idOf = () => randomUUID() as OrderId;
const states = async () => {
  const { rows } = await algo.world.deps.algos.page(CALLER.user, { limit: 10 });
  return rows.map(({ state }) => state);
};
const cancels = () => algo.venue.calls.filter((call) => call === 'cancel').length;
const uncleared = () => demoLeavings(algo.world.database.database).uncleared(0 as UserId, 10);

test('what waits at the exchange is cancelled side by side with the orders once a demo is over, and nothing is held', async () => {
  for (const clientId of [idOf(), idOf()])
    expect(await placeStop(algo, { ...FAR, clientId })).toMatchObject({ ok: true });
  const { world } = algo;
  const id = idOf();
  const order = { id, symbol: 'BTCUSDT' };
  world.venue.answers.place = async () => ({
    outcome: 'accepted',
    state: stateOf(order, OPEN, '0'),
    fills: [],
  });
  world.venue.answers.cancel = async () => ({ outcome: 'cancelled', state: stateOf(order, CANCELLED, '0') });
  const bid = { platformType: 43, tinstType: 1, symbol: 'BTCUSDT', side: 1, orderType: 1, timeInForce: 1 };
  const terms = { price: amount('90'), quantity: amount('1'), clientId: id };
  const caller = { ...CALLER, now: world.time.clock() };
  const placed = await world.desk.handlers['connextrade/PlaceOrder'](caller, { ...bid, ...terms } as never);
  expect(placed).toMatchObject({ ok: true, value: { status: 2 } });
  expect(await world.wallet()).toEqual({ BTC: '2 (1 held)', USDT: '300 (90 held)' });
  const set = { platformType: 43, seconds: 120 } as const;
  expect(await world.desk.handlers['x/trade/SetCountdown'](caller, set)).toMatchObject({ ok: true });
  release = cancelsTogether(algo.venue, 2);
  over.add(CALLER.user);
  await until(async () => (await uncleared()).length === 0);
  expect(await world.deps.countdowns.all()).toEqual([]);
  expect(await states()).toEqual(['cancelled', 'cancelled']);
  expect(await world.wallet()).toEqual({ BTC: '2', USDT: '300' });
  expect(notes).toEqual([]);
});

test('a process that ended before leaves it to the next one, which reads the tables', async () => {
  await placeStop(algo, { ...FAR, clientId: idOf() });
  await over.stop();
  over.add(CALLER.user);
  expect(await states()).toEqual(['waiting']);
  over = next();
  await over.sweep();
  expect(await states()).toEqual(['cancelled']);
});

test('an exchange that does not answer, or refuses, is asked again by a later sweep, and one that did is not', async () => {
  await placeStop(algo, { ...FAR, clientId: idOf() });
  for (const how of ['dropped', 'refused'] as const) {
    algo.venue.next = [how];
    await over.sweep();
    expect([how, await states()]).toEqual([how, ['waiting']]);
    expect(await uncleared()).toEqual([CALLER.user]);
  }
  await over.sweep();
  expect(await states()).toEqual(['cancelled']);
  expect(await uncleared()).toEqual([]);
  const asked = cancels();
  await over.sweep();
  over.add(CALLER.user);
  await over.sweep();
  expect(cancels()).toBe(asked);
});

test('a demo that lives, and an account, keep what they have open', async () => {
  const { owner } = algo.world.database;
  await placeStop(algo, { ...FAR, clientId: idOf() });
  await owner.query('update members set demo_ended_at = null where id = $1', [CALLER.user]);
  await over.sweep();
  expect(await states()).toEqual(['waiting']);
});

test('each sweep takes the next hundred, so that demos whose exchange is away keep no others waiting', async () => {
  const { owner } = algo.world.database;
  await owner.query(
    `insert into members (id, demo, demo_seen_at, demo_ended_at, nickname, referral_code, created_at)
     overriding system value select 100 + n, true, 1, 2, 'Demo-' || n, 'D' || n, 1 from generate_series(1, 120) n`,
  );
  await over.sweep();
  expect(await uncleared()).toHaveLength(10);
  await over.sweep();
  expect(await uncleared()).toEqual([]);
});

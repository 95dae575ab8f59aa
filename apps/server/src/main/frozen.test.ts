import { randomUUID } from 'node:crypto';
import { type Amount, amount, type OrderId } from '@crossbook/domain';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { frozenLeavings } from '../storage/stores/trading/leavings.ts';
import {
  type AlgoWorld,
  cancelsTogether,
  openAlgoWorld,
  placeStop,
} from '../trading/algos/algo-world.fixture.ts';
import { CALLER, CANCELLED, OPEN, stateOf } from '../trading/trading-world.fixture.ts';
import { type Clearing, createClearing } from './clearing.ts';
import { clearFrozen } from './frozen.ts';

let algo: AlgoWorld;
let frozen: Clearing;
let notes: string[];
let release: () => void;
beforeEach(async () => {
  algo = await openAlgoWorld();
  await algo.world.database.owner.query(
    `insert into members (id, email, password_hash, nickname, referral_code, created_at)
     overriding system value values ($1, 'm@example.org', 'x', 'M7', 'M7', 1)`,
    [CALLER.user],
  );
  notes = [];
  release = () => undefined;
  frozen = next();
});
afterEach(async () => {
  release();
  await frozen.stop();
  await algo.world.desk.stop();
  await algo.world.database.close();
});

/** One of a process: what another remembered it does not know. */
function next(): Clearing {
  const { database, time } = algo.world;
  const log = { warn: (_facts: object, event: string) => notes.push(event) };
  const leavings = frozenLeavings(database.database);
  const made = createClearing({
    uncleared: leavings.uncleared,
    clear: clearFrozen(leavings, time.clock),
    log,
  });
  made.clearWith(algo.world.desk);
  return made;
}

/** A bid that rests and one that waits, an offer that rests and a stop that waits. */
async function placeAll(): Promise<void> {
  const { world } = algo;
  for (const [side, quantity, price] of [
    [1, amount('1'), amount('90')],
    [2, amount('0.5'), amount('110')],
  ] as const) {
    const id = randomUUID() as OrderId;
    const state = (status: typeof OPEN | typeof CANCELLED) => stateOf({ id, symbol: 'BTCUSDT' }, status, '0');
    world.venue.answers.place = async () => ({ outcome: 'accepted', state: state(OPEN), fills: [] });
    const order = { platformType: 43, tinstType: 1, symbol: 'BTCUSDT', side, orderType: 1, timeInForce: 1 };
    const caller = { ...CALLER, now: world.time.clock() };
    const terms = { price, quantity, clientId: id };
    const placed = await world.desk.handlers['connextrade/PlaceOrder'](caller, {
      ...order,
      ...terms,
    } as never);
    expect(placed).toMatchObject({ ok: true, value: { status: 2 } });
    if (side === 1)
      world.venue.answers.cancel = async () => ({ outcome: 'cancelled', state: state(CANCELLED) });
  }
  const stop = (terms: { side?: 1 | 2; triggerPrice: Amount; quantity: Amount }) =>
    placeStop(algo, { ...terms, clientId: randomUUID() as OrderId });
  expect(await stop({ triggerPrice: amount('80'), quantity: amount('0.5') })).toMatchObject({ ok: true });
  expect(await stop({ side: 1, triggerPrice: amount('120'), quantity: amount('0.5') })).toMatchObject({
    ok: true,
  });
}

const freeze = () =>
  algo.world.database.owner.query('update members set frozen_at = $2 where id = $1', [
    CALLER.user,
    algo.world.time.clock(),
  ]);

/** Sides of what is open, at the book and behind a trigger. */
async function openSides() {
  const caller = { ...CALLER, now: algo.world.time.clock() };
  const { handlers } = algo.world.desk;
  const orders = await handlers['connextrade/CurOrderList'](caller, { platformType: 43 });
  const algos = await handlers['connextrade/CurAlgoOrderList'](caller, {});
  return {
    orders: orders.ok ? orders.value.map(({ side }) => side) : [],
    algos: algos.ok ? algos.value.map(({ side }) => side) : [],
  };
}

test('a freeze ends the bids that rest and wait; what sells, a stop before all, stays', async () => {
  await placeAll();
  await frozen.sweep();
  expect(await openSides()).toEqual({
    orders: expect.arrayContaining([1, 2]),
    algos: expect.arrayContaining([1, 2]),
  });
  await freeze();
  await frozen.sweep();
  expect(await openSides()).toEqual({ orders: [2], algos: [2] });
  expect(await algo.world.wallet()).toEqual({ BTC: '2 (1 held)', USDT: '300' });
  expect(notes).toEqual([]);
});

test('bids that wait are cancelled side by side', async () => {
  for (const triggerPrice of [amount('120'), amount('130')])
    expect(
      await placeStop(algo, {
        side: 1,
        triggerPrice,
        quantity: amount('0.5'),
        clientId: randomUUID() as OrderId,
      }),
    ).toMatchObject({ ok: true });
  release = cancelsTogether(algo.venue, 2);
  await freeze();
  await frozen.sweep();
  expect(await openSides()).toEqual({ orders: [], algos: [] });
});

test('an exchange that does not answer is asked again, by a process that knows nothing of before', async () => {
  await placeAll();
  await freeze();
  algo.venue.next = ['refused'];
  await frozen.sweep();
  expect(await openSides()).toEqual({ orders: [2], algos: expect.arrayContaining([1, 2]) });
  await frozen.stop();
  frozen = next();
  await frozen.sweep();
  expect(await openSides()).toEqual({ orders: [2], algos: [2] });
});

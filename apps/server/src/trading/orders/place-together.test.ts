import { amount, type Millis, type OrderId } from '@crossbook/domain';
import type { SendOutcome } from '@crossbook/venues/trading';
import { afterEach, describe, expect, test } from 'vitest';
import { CALLER, NEW, OPEN, REJECT, stateOf, type TradingWorld } from '../trading-world.fixture.ts';
import { askFor, openBatchWorld, TWENTY, taken, venueTakes } from './batch-world.fixture.ts';
import { scaledId } from './place-scaled.ts';
import { okxWallet } from './resting-venue.fixture.ts';

let world: TradingWorld;
afterEach(() => world.close());

const LOST: SendOutcome = { outcome: 'unknown', why: 'lost', deadlineAt: 0 as Millis };
const NO_ROOM: SendOutcome = {
  ...{ outcome: 'refused', venueCode: 'LOCAL_RATE_LIMITED', message: 'not sent' },
  retryAfterMillis: 900,
};
const idAt = (at: number): OrderId => scaledId(CALLER.user, TWENTY.clientId, at);

/** How many of each outcome there are, in their order. */
function counted(rows: Awaited<ReturnType<typeof askFor>>): readonly string[] {
  const runs: { what: string; many: number }[] = [];
  for (const { outcome, order } of rows) {
    const what = order === null ? `${outcome}, none` : outcome;
    const last = runs.at(-1);
    if (last?.what === what) last.many += 1;
    else runs.push({ what, many: 1 });
  }
  return runs.map(({ what, many }) => `${many} ${what}`);
}

const found = (id: OrderId) => ({
  outcome: 'found' as const,
  value: stateOf({ id, symbol: 'BTCUSDT' }, OPEN, '0', id),
});

describe('twenty orders where the exchange takes ten by one call', () => {
  test('take two calls, each order written and held before its call is made', async () => {
    world = await openBatchWorld('300');
    const calls = venueTakes(world);
    const { placeSeveral } = world.venue.answers;
    const standing: string[] = [];
    world.venue.answers.placeSeveral = async (credentials, requests) => {
      const rows = await world.orders.openOf(CALLER.user, 2);
      const named = rows.filter(({ id }) =>
        requests.some((one) => one.clientId === stateOf({ id, symbol: '' }, OPEN, '0').clientId),
      );
      standing.push(
        `${named.length} ${named.every(({ status }) => status === NEW)} ${(await okxWallet(world)).USDT}`,
      );
      return placeSeveral === undefined ? [] : placeSeveral(credentials, requests);
    };
    const rows = await askFor(world);
    expect(counted(rows)).toEqual(['20 placed']);
    expect(calls.map(({ length }) => length)).toEqual([10, 10]);
    expect(standing).toEqual(['10 true 300 (100 held)', '10 true 300 (190 held)']);
    expect(world.venue.count('place')).toBe(0);
    expect(new Set(calls.flat().map(({ clientId }) => clientId)).size).toBe(20);
    expect(await okxWallet(world)).toEqual({ USDT: '300 (190 held)' });
  });

  test('asked for again, also side by side, are sent once', async () => {
    world = await openBatchWorld('300');
    const calls = venueTakes(world);
    const both = await Promise.all([askFor(world), askFor(world)]);
    expect(both.map(counted)).toEqual([['20 placed'], ['20 placed']]);
    expect(counted(await askFor(world))).toEqual(['20 placed']);
    expect(calls.map(({ length }) => length)).toEqual([10, 10]);
  });

  test('one that the exchange refuses keeps none of the others, and is not sent again', async () => {
    world = await openBatchWorld('300');
    const calls = venueTakes(world, (at, call) =>
      at === 3 && call === 1 ? { outcome: 'refused', venueCode: '51008', message: 'no' } : undefined,
    );
    const rows = ['3 placed', '1 refused', '16 placed'];
    expect(counted(await askFor(world))).toEqual(rows);
    expect(counted(await askFor(world))).toEqual(rows);
    expect(calls).toHaveLength(2);
    expect(await world.order(idAt(3))).toMatchObject({ status: REJECT, settled: true });
  });

  test("one beyond the exchange's limit is told so by its own row, and keeps none of the others", async () => {
    world = await openBatchWorld('300');
    venueTakes(world, (at, call) =>
      at === 9 && call === 2
        ? { outcome: 'refused', venueCode: '50011', message: 'Too Many Requests' }
        : undefined,
    );
    const rows = await askFor(world);
    expect(counted(rows)).toEqual(['19 placed', '1 refused']);
    expect(rows.at(-1)).toMatchObject({
      ...{ venueCode: '50011', reason: expect.stringContaining('takes no more at the moment') },
      order: { status: REJECT, refusal: { cause: 'rate-limit', venueCode: '50011' } },
    });
  });

  test('one of which nobody knows what became ends it: no further call is made, and a repeat waits for it', async () => {
    world = await openBatchWorld('300');
    const calls = venueTakes(world, (at) => (at === 4 ? LOST : undefined));
    const rows = ['4 placed', '1 unknown', '5 placed', '10 refused, none'];
    expect(counted(await askFor(world))).toEqual(rows);
    expect(counted(await askFor(world))).toEqual(rows);
    expect(calls).toHaveLength(1);
    expect(await okxWallet(world)).toEqual({ USDT: '300 (100 held)' });
    world.venue.answers.find = async () => found(idAt(4));
    await world.pass(5_000);
    venueTakes(world);
    expect(counted(await askFor(world))).toEqual(['20 placed']);
  });

  test.each([
    ['a lost answer', () => Promise.reject(new Error('reset'))],
    ['an answer about none of them', async () => []],
    ['an answer that all are unknown', async () => Array.from({ length: 10 }, () => LOST)],
  ])(
    'after %s ten are unknown, held and looked up each; none is sent again, none behind them',
    async (...of) => {
      world = await openBatchWorld('300');
      const [, answer] = of;
      let calls = 0;
      world.venue.answers.placeSeveral = async () => {
        calls += 1;
        return answer();
      };
      world.venue.answers.find = async () => ({ outcome: 'unknown', why: 'lost' });
      expect(counted(await askFor(world))).toEqual(['10 unknown', '10 refused, none']);
      expect(await okxWallet(world)).toEqual({ USDT: '300 (100 held)' });
      const looked = new Set<string>();
      world.venue.answers.find = async (_credentials, _instrument, clientId) => {
        looked.add(clientId);
        return found(clientId as string as OrderId);
      };
      await world.pass(20_000);
      expect([calls, looked.size, world.venue.count('place')]).toEqual([1, 10, 0]);
      for (let at = 0; at < 10; at += 1) expect((await world.order(idAt(at))).status).toBe(OPEN);
      expect(await world.orders.byId(idAt(10))).toBeUndefined();
      expect(await okxWallet(world)).toEqual({ USDT: '300 (100 held)' });
    },
  );

  test('money that reaches for three sends these three together, and a repeat what is missing', async () => {
    world = await openBatchWorld('32');
    const calls = venueTakes(world);
    expect(counted(await askFor(world))).toEqual(['3 placed', '17 refused, none']);
    expect(calls.map(({ length }) => length)).toEqual([3]);
    await world.fund('USDT', '300', CALLER.user, 2);
    expect(counted(await askFor(world))).toEqual(['20 placed']);
    expect(calls.map(({ length }) => length)).toEqual([3, 7, 10]);
  });

  test('without room at our own budget they are asked for again together, as long as there is time', async () => {
    world = await openBatchWorld('600');
    const calls = venueTakes(world, (_at, call) => (call <= 2 ? NO_ROOM : undefined));
    expect(counted(await askFor(world))).toEqual(['20 placed']);
    expect(calls.map(({ length }) => length)).toEqual([10, 10, 10, 10]);
    world.venue.answers.placeSeveral = async (_credentials, requests) =>
      requests.map(() => ({ ...NO_ROOM, retryAfterMillis: 11_000 }));
    const clientId = '01890000-0000-7000-8000-00000000ffff' as OrderId;
    const rows = await askFor(world, { clientId, side: 1, from: amount('84.5'), to: amount('65.5') });
    expect(counted(rows)).toEqual(['20 refused']);
    expect(rows[0]?.reason).toContain('11 seconds');
  });

  test('a room for some is no reason to ask again: what was written is not written twice', async () => {
    world = await openBatchWorld('300');
    const calls = venueTakes(world, (at) => (at === 9 ? NO_ROOM : undefined));
    expect(counted(await askFor(world))).toEqual(['9 placed', '1 refused', '9 placed', '1 refused']);
    expect(calls).toHaveLength(2);
  });

  test('what is held when its time is over is not sent', async () => {
    world = await openBatchWorld('300');
    const calls = venueTakes(world);
    let written = 0;
    world.crash = (point) => {
      if (point !== 'before-hold') return;
      written += 1;
      if (written === 3) world.time.advance(11_000);
    };
    const rows = await askFor(world);
    expect(calls).toEqual([]);
    expect(counted(rows)).toEqual(['3 refused', '17 refused, none']);
    expect(rows.map(({ reason }) => /at most (\d+) ms/.exec(reason ?? '')?.[1]).slice(0, 4)).toEqual([
      ...['10000', '10000', '2000', '10000'],
    ]);
    expect(await okxWallet(world)).toEqual({ USDT: '300' });
  });

  test('what breaks while one is written sends those that are held, and the next request goes on', async () => {
    world = await openBatchWorld('300');
    const calls = venueTakes(world);
    let written = 0;
    world.crash = (point) => {
      if (point === 'before-hold') written += 1;
      if (point === 'before-hold' && written === 4) throw new Error('no database');
    };
    await expect(askFor(world)).rejects.toThrow('no database');
    expect(calls.map(({ length }) => length)).toEqual([3]);
    world.crash = () => undefined;
    expect(counted(await askFor(world))).toEqual(['20 placed']);
    expect(calls.map(({ length }) => length)).toEqual([3, 7, 10]);
  });
});

test('where a market has no such call each goes by itself', async () => {
  world = await openBatchWorld('1');
  world.instruments.splice(0, 1, { ...world.instruments[0], platform: 1 } as never);
  await world.account();
  await world.fund('USDT', '300');
  world.venue.answers.place = async (_credentials, request) => taken(request);
  expect(counted(await askFor(world, { platformType: 43 }))).toEqual(['20 placed']);
  expect([world.venue.count('placeSeveral'), world.venue.count('place')]).toEqual([0, 20]);
});

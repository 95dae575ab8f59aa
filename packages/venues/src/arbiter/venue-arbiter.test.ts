import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../../tests/property-runs.ts';
import { ScriptedTime } from '../trading/scripted-transport.fixture.ts';
import { HOST_USE, type LimitScope, OPERATOR_USE } from './limit-scope.ts';
import { REQUEST_CLASSES, type RequestClass, WAIT_MILLIS_MAX } from './request-class.ts';
import { type ArbiterRequest, type Permit, VenueArbiter } from './venue-arbiter.ts';

const HOST: LimitScope = {
  name: 'host',
  weightMax: 1_000,
  windowMillis: 60_000,
  window: 'fixed',
  shared: HOST_USE,
};
const TRANSFERS: LimitScope = {
  name: 'transfers',
  weightMax: 4,
  windowMillis: 2_000,
  window: 'rolling',
  shared: OPERATOR_USE,
};
const ACCOUNT: LimitScope = { name: 'account', weightMax: 3, windowMillis: 1_000, window: 'rolling' };

function open() {
  const time = new ScriptedTime();
  const arbiter = new VenueArbiter({ clock: time.clock, timers: time });
  const request = (scope: LimitScope, requestClass: RequestClass, member?: string, weight = 1) =>
    ({
      requestClass,
      ...(member === undefined ? {} : { member }),
      costs: [{ scope, key: 'k', weight }],
    }) satisfies ArbiterRequest;
  return { time, arbiter, request };
}

/** Whether it was granted, `later` where it waits. */
function now(answer: Permit | Promise<Permit>): boolean | 'later' {
  return answer instanceof Promise ? 'later' : answer.granted;
}

/** How many of a row of requests are granted at once. */
function grantedAtOnce(ask: () => Permit | Promise<Permit>, tries: number): number {
  let granted = 0;
  for (let at = 0; at < tries; at += 1) if (now(ask()) === true) granted += 1;
  return granted;
}

const settled = () => new Promise<void>((done) => setImmediate(done));

describe('classes', () => {
  test('each class fills a budget so far and no further, so that those before it find their reserve', () => {
    const { arbiter, request } = open();
    const left = [...REQUEST_CLASSES].reverse().map((requestClass) => {
      let granted = 0;
      // A member each, so that nobody's own share ends it.
      while (now(arbiter.ask(request(HOST, requestClass, `${requestClass}${granted}`))) === true)
        granted += 1;
      return [requestClass, granted];
    });
    expect(Object.fromEntries(left)).toEqual({
      relay: 300,
      'balance-check': 50,
      reconciliation: 200,
      lookup: 250,
      'book-feed': 50,
      countdown: 50,
      order: 40,
      close: 30,
      cancel: 30,
    });
  });

  test('an urgent request that waits is served before a less urgent one that came earlier', async () => {
    const { time, arbiter, request } = open();
    grantedAtOnce(() => arbiter.ask(request(TRANSFERS, 'order', 'a')), 4);
    const served: string[] = [];
    for (const requestClass of ['relay', 'lookup', 'order', 'cancel'] as const) {
      const permit = arbiter.ask({ ...request(TRANSFERS, requestClass, 'a'), waitMillisMax: 5_000 });
      void Promise.resolve(permit).then(({ granted }) => granted && served.push(requestClass));
    }
    time.advance(2_000);
    await settled();
    expect(served).toEqual(['cancel', 'order', 'lookup', 'relay']);
  });
});

describe('turns', () => {
  test('members take turns however many requests each has waiting', async () => {
    const { time, arbiter, request } = open();
    const served: string[] = [];
    const ask = (member: string) =>
      void Promise.resolve(
        arbiter.ask({ ...request(TRANSFERS, 'order', member), waitMillisMax: 60_000 }),
      ).then(({ granted }) => granted && served.push(member));
    for (let at = 0; at < 16; at += 1) ask('greedy');
    for (const member of ['b', 'c', 'd']) ask(member);
    time.advance(2_000);
    await settled();
    expect(served).toEqual(['greedy', 'greedy', 'greedy', 'greedy', 'greedy', 'b', 'c', 'd']);
    time.advance(2_000);
    await settled();
    expect(served.slice(8)).toEqual(['greedy', 'greedy', 'greedy', 'greedy']);
  });

  test('one member alone leaves the others their room, and can still cancel when it may no longer order', () => {
    const { arbiter, request } = open();
    expect(grantedAtOnce(() => arbiter.ask(request(HOST, 'order', 'greedy')), 1_000)).toBe(100);
    expect(grantedAtOnce(() => arbiter.ask(request(HOST, 'cancel', 'greedy')), 1_000)).toBe(50);
    expect(now(arbiter.ask(request(HOST, 'order', 'other')))).toBe(true);
    expect(grantedAtOnce(() => arbiter.ask(request(HOST, 'cancel', 'other')), 149)).toBe(149);
  });

  test('who cancels two hundred by calls of ten takes the turns of twenty requests, and others theirs between them', async () => {
    const { time, arbiter, request } = open();
    const served: string[] = [];
    const ask = (member: string, weight: number) =>
      void Promise.resolve(
        arbiter.ask({ ...request(TRANSFERS, 'cancel', member, weight), waitMillisMax: 60_000 }),
      ).then(({ granted }) => granted && served.push(member));
    // Sixteen wait at most; each is one request of our address, whatever it names.
    for (let at = 0; at < 20; at += 1) ask('greedy', 1);
    for (const member of ['b', 'c']) for (let at = 0; at < 3; at += 1) ask(member, 1);
    time.advance(2_000);
    await settled();
    expect(served.slice(4)).toEqual(['greedy', 'b', 'c', 'greedy']);
    time.advance(2_000);
    await settled();
    expect(served.slice(8)).toEqual(['b', 'c', 'greedy', 'b']);
  });

  test('a call that counts ten times at the exchange counts ten times here, and leaves others their room', () => {
    const { arbiter, request } = open();
    // Of a budget that members share one may use 150 of 1,000 for cancels: fifteen such calls and no more.
    expect(grantedAtOnce(() => arbiter.ask(request(HOST, 'cancel', 'greedy', 10)), 100)).toBe(15);
    expect(now(arbiter.ask(request(HOST, 'cancel', 'greedy')))).not.toBe(true);
    expect(grantedAtOnce(() => arbiter.ask(request(HOST, 'cancel', 'other', 10)), 15)).toBe(15);
    expect(now(arbiter.ask(request(HOST, 'order', 'third')))).toBe(true);
  });

  test('when a budget runs low everybody is held to an equal part, and a newcomer finds one', () => {
    const { arbiter, request } = open();
    const used = Array.from({ length: 8 }, (_none, at) =>
      grantedAtOnce(() => arbiter.ask(request(HOST, 'order', `m${at}`)), 1_000),
    );
    expect(used).toEqual([100, 100, 100, 100, 100, 100, 100, 100]);
    const late = Array.from({ length: 3 }, (_none, at) =>
      grantedAtOnce(() => arbiter.ask(request(HOST, 'order', `n${at}`)), 1_000),
    );
    expect(late).toEqual([94, 46, 0]);
    expect(grantedAtOnce(() => arbiter.ask(request(HOST, 'cancel', 'newcomer')), 30)).toBe(30);
  });

  test('what the hub reads for itself about a member does not use the share of the member', () => {
    const { arbiter, request } = open();
    grantedAtOnce(() => arbiter.ask(request(HOST, 'reconciliation', 'm')), 200);
    expect(grantedAtOnce(() => arbiter.ask(request(HOST, 'order', 'm')), 100)).toBe(100);
  });
});

describe('waiting', () => {
  test('is short: a request that can have no room in time is refused at once, with the time until it can', () => {
    const { arbiter, request, time } = open();
    grantedAtOnce(() => arbiter.ask(request(HOST, 'book-feed')), 1_000);
    const wait = 60_000 - (time.clock() % 60_000);
    expect(arbiter.ask(request(HOST, 'book-feed'))).toEqual({ granted: false, retryAfterMillis: wait });
    expect(arbiter.stats).toMatchObject({ queued: 0, refused: 151 });
  });

  test('ends with room, or with a refusal that names a time', async () => {
    const { time, arbiter, request } = open();
    grantedAtOnce(() => arbiter.ask(request(ACCOUNT, 'cancel', 'a')), 3);
    const waiting = Array.from({ length: 8 }, () => arbiter.ask(request(ACCOUNT, 'cancel', 'a')));
    expect(waiting.map(now)).toEqual(Array.from({ length: 8 }, () => 'later'));
    time.advance(WAIT_MILLIS_MAX.cancel);
    const permits = await Promise.all(waiting);
    expect(permits.map(({ granted }) => granted)).toEqual([true, true, true, true, true, true, false, false]);
    expect(permits[7]).toMatchObject({ retryAfterMillis: 1_000 });
    expect([arbiter.stats.waiting, time.waiting]).toEqual([0, 0]);
  });

  test('an account that must wait keeps no other account waiting', () => {
    const { arbiter, request } = open();
    const cost = (key: string) => ({
      ...request(ACCOUNT, 'order', key),
      costs: [{ scope: ACCOUNT, key, weight: 1 }],
    });
    grantedAtOnce(() => arbiter.ask(cost('a')), 3);
    expect(now(arbiter.ask(cost('a')))).toBe('later');
    expect(now(arbiter.ask(cost('b')))).toBe(true);
  });

  test('is bounded: the seventeenth request of a member is refused, another member may still wait', () => {
    const { arbiter, request } = open();
    grantedAtOnce(() => arbiter.ask(request(TRANSFERS, 'lookup', 'a')), 4);
    const answers = Array.from({ length: 17 }, () => now(arbiter.ask(request(TRANSFERS, 'lookup', 'a'))));
    expect([answers.filter((one) => one === 'later').length, answers[16]]).toEqual([16, false]);
    expect(now(arbiter.ask(request(TRANSFERS, 'lookup', 'b')))).toBe('later');
  });

  test('closing answers everybody who waits', async () => {
    const { time, arbiter, request } = open();
    grantedAtOnce(() => arbiter.ask(request(TRANSFERS, 'order', 'a')), 4);
    const waiting = arbiter.ask({ ...request(TRANSFERS, 'order', 'a'), waitMillisMax: 5_000 });
    arbiter.close();
    expect([await waiting, time.waiting]).toEqual([{ granted: false, retryAfterMillis: 0 }, 0]);
  });
});

describe("the venue's own word", () => {
  const where = { scope: HOST, key: 'k' };

  test('a higher count is believed until its window ends, a lower one changes nothing', () => {
    const { time, arbiter, request } = open();
    arbiter.report(where, 980);
    arbiter.report(where, 10);
    expect([
      now(arbiter.ask(request(HOST, 'order', 'a'))),
      now(arbiter.ask(request(HOST, 'cancel', 'a'))),
    ]).toEqual([false, true]);
    time.advance(60_000);
    expect(now(arbiter.ask(request(HOST, 'order', 'a')))).toBe(true);
  });

  test('a pause holds every class and no other key; a shorter one does not end it', () => {
    const { time, arbiter, request } = open();
    arbiter.pause(where, 120_000);
    arbiter.pause(where, 1_000);
    time.advance(119_000);
    expect(arbiter.ask({ ...request(HOST, 'cancel', 'a'), waitMillisMax: 0 })).toEqual({
      granted: false,
      retryAfterMillis: 1_000,
    });
    const elsewhere = { ...request(HOST, 'cancel', 'a'), costs: [{ scope: HOST, key: 'other', weight: 1 }] };
    expect(now(arbiter.ask(elsewhere))).toBe(true);
    time.advance(1_000);
    expect(now(arbiter.ask(request(HOST, 'cancel', 'a')))).toBe(true);
  });

  test('what the venue did not count is given back once', () => {
    const { arbiter, request } = open();
    const permit = arbiter.ask(request(HOST, 'order', 'a', 100));
    if (permit instanceof Promise || !permit.granted) throw new Error('not granted');
    permit.giveBack();
    permit.giveBack();
    expect([
      arbiter.fill(where),
      grantedAtOnce(() => arbiter.ask(request(HOST, 'order', 'a')), 1_000),
    ]).toEqual([0, 100]);
  });
});

test('whatever is asked in whatever order: every request is answered before its wait is over, and no budget is overdrawn', async () => {
  const scopes = [HOST, TRANSFERS, ACCOUNT].map((scope) => ({
    ...scope,
    weightMax: Math.min(scope.weightMax, 40),
  }));
  const step = fc.record({
    pauseMillis: fc.constantFrom(0, 0, 0, 1, 700, 61_000),
    requestClass: fc.constantFrom(...REQUEST_CLASSES),
    member: fc.constantFrom('a', 'b', undefined),
    scopes: fc.subarray(scopes, { minLength: 1 }),
    weight: fc.integer({ min: 1, max: 3 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 120 }), async (steps) => {
      const { time, arbiter } = open();
      const answers: Promise<Permit>[] = [];
      for (const { pauseMillis, requestClass, member, weight, scopes: chosen } of steps) {
        time.advance(pauseMillis);
        const costs = chosen.map((scope) => ({ scope, key: 'k', weight }));
        const answer = arbiter.ask({ requestClass, ...(member === undefined ? {} : { member }), costs });
        answers.push(Promise.resolve(answer));
        for (const scope of scopes) expect(arbiter.fill({ scope, key: 'k' })).toBeLessThanOrEqual(1);
      }
      time.advance(Math.max(...Object.values(WAIT_MILLIS_MAX)));
      expect([arbiter.stats.waiting, time.waiting]).toEqual([0, 0]);
      const granted = (await Promise.all(answers)).filter((permit) => permit.granted).length;
      expect([granted, steps.length - granted]).toEqual([arbiter.stats.granted, arbiter.stats.refused]);
    }),
    { numRuns: runs(150) },
  );
});

import { randomBytes } from 'node:crypto';
import type { CallHandlers } from '@crossbook/contract';
import type { Millis, UserId } from '@crossbook/domain';
import { fastify } from 'fastify';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { SessionRecord } from '../accounts/ports.ts';
import { sessions } from '../accounts/sessions.ts';
import { secretsOf } from '../main/secrets.ts';
import { TestBrowser } from '../main/testing.ts';
import { createAdmission, type WorkKind } from './admission.ts';
import { addCallRoutes } from './call-routes.ts';
import { httpMetrics } from './metrics.ts';
import { requestLimits } from './request-limits.ts';

const ID = '01890000-0000-7000-8000-00000000abcd';
const NOW = 1_760_000_000_000 as Millis;

describe('places', () => {
  const fill = (kind: WorkKind, callerOf: (at: number) => string) => {
    const admission = createAdmission(() => NOW);
    const leave: (() => void)[] = [];
    for (let at = 0; ; at += 1) {
      const entered = admission.enter(kind, { caller: callerOf(at) });
      if (entered === undefined) return { admission, leave };
      leave.push(entered);
    }
  };

  test.each([
    ['of one caller', 32, 'order', () => 'a'],
    ['in all', 96, 'order', String],
    ['of cancels', 96, 'cancel', String],
    ['of strangers', 128, 'public', String],
    ['of members', 256, 'member', String],
  ] as const)('%s are %i, and free again when left', (_name, most, kind, callerOf) => {
    const { admission, leave } = fill(kind, callerOf);
    expect(leave).toHaveLength(most);
    expect(admission.full(kind)).toBe(callerOf === String);
    for (const one of leave) one();
    expect(admission.full(kind)).toBe(false);
    expect(admission.enter(kind, { caller: 'a', venue: '43' })).toBeDefined();
  });

  test('at a venue become fewer while its calls are slow, never none, and more again when they are quick', () => {
    let now = NOW as number;
    const admission = createAdmission(() => now as Millis);
    const crowd = (venue: string, millis: number): number => {
      const leave: (() => void)[] = [];
      for (let caller = 0; ; caller += 1) {
        const entered = admission.enter('order', { caller: String(caller), venue });
        if (entered === undefined) break;
        leave.push(entered);
      }
      now += millis;
      for (const one of leave) one();
      return leave.length;
    };
    const slow = Array.from({ length: 15 }, () => crowd('43', 601));
    expect(slow.slice(0, 3)).toEqual([64, 51, 40]);
    expect(slow.at(-1)).toBe(8);
    expect(crowd('41', 601)).toBe(64);
    const quick = Array.from({ length: 15 }, () => crowd('43', 600));
    expect(quick).toEqual([...quick].sort((left, right) => left - right));
    expect(quick.at(-1)).toBe(64);
  });

  /**
   * A hub that does one thing after the other, offered `load` times the rate that it can carry for a minute of scripted
   * time: an order takes `millis`, a refusal a tenth of that. Answers what share of its best rate it took after ten
   * seconds, and how long 99 of 100 of those waited.
   */
  function offered(millis: number, load: number): { readonly share: number; readonly p99: number } {
    let now = 0;
    const admission = createAdmission(() => now as Millis);
    const lanes: { readonly at: number; readonly leave: () => void }[] = [];
    const waits: number[] = [];
    let arrivals = 0;
    while (now < 60_000) {
      // What came while the hub was busy is looked at in its turn; each look costs a little.
      while ((arrivals * millis) / load <= now) {
        const at = (arrivals * millis) / load;
        arrivals += 1;
        const leave = admission.full('order', '43')
          ? undefined
          : admission.enter('order', { caller: String(arrivals), venue: '43' });
        now += millis / 10;
        if (leave !== undefined) lanes.push({ at, leave });
      }
      const served = lanes.shift();
      now += served === undefined ? millis / 10 : millis * 0.9;
      served?.leave();
      if (served !== undefined && now > 10_000) waits.push(now - served.at);
    }
    waits.sort((left, right) => left - right);
    return {
      share: (waits.length * millis) / 50_000,
      p99: waits[Math.floor(waits.length * 0.99)] ?? Number.NaN,
    };
  }

  test.each([2, 5, 10, 20, 40])(
    'keep a hub that needs %i ms for an order quick at twice its load',
    (millis) => {
      const { share, p99 } = offered(millis, 2);
      expect(share).toBeGreaterThan(0.85);
      expect(p99).toBeLessThan(1_000);
    },
  );

  test('full of orders leave cancels, members’ reads and strangers theirs', () => {
    const { admission } = fill('order', String);
    expect(admission.enter('order', { caller: 'z' })).toBeUndefined();
    for (const kind of ['cancel', 'member', 'public'] as const)
      expect(admission.enter(kind, { caller: '0' }), kind).toBeDefined();
  });
});

/** The routes of the calls over handlers that a test holds back; every cookie is a session of its own member. */
class Door {
  readonly #server = fastify({ logger: false });
  readonly #users = new Map<string, UserId>();
  readonly #held = Promise.withResolvers<void>();
  readonly #sessions = sessions(
    {
      live: async (hash) => {
        this.lookups += 1;
        return this.#session(hash);
      },
      open: async () => undefined,
      end: async () => undefined,
    },
    secretsOf(randomBytes(32)).stokenKey,
    randomBytes,
  );
  /** Orders whose handler was called. */
  begun = 0;
  /** Sessions that were looked up. */
  lookups = 0;
  #url = '';

  async open(): Promise<void> {
    this.#server.removeAllContentTypeParsers();
    this.#server.addContentTypeParser('*', (_request, _payload, done) => done(null, undefined));
    addCallRoutes(this.#server, {
      ...{ handlers: this.#handlers(), sessions: this.#sessions, tenant: 'crossbook' },
      ...{
        face: { proxy: undefined },
        limits: requestLimits(1_000, () => NOW),
        admission: createAdmission(() => NOW),
      },
      ...{ clock: () => NOW, metrics: httpMetrics({ processMetrics: false }), isOutcomeUnknown: () => false },
      log: { warn: () => undefined, error: () => undefined },
    });
    this.#url = await this.#server.listen({ port: 0, host: '127.0.0.1' });
  }

  member(user: number): TestBrowser {
    const browser = new TestBrowser(this.#url);
    const caller = { now: NOW, address: '127.0.0.1', userAgent: '', origin: '', language: 'en' } as const;
    const { cookie, stoken, record } = this.#sessions.issue(caller);
    this.#users.set(record.hash, user as UserId);
    browser.cookie = 'set' in cookie ? cookie.set : undefined;
    browser.stoken = stoken;
    return browser;
  }

  /** Resolves when so many orders are with their handler. */
  async reaches(count: number): Promise<void> {
    while (this.begun < count) await new Promise((next) => setImmediate(next));
  }

  /** Lets every order come to its end. */
  finish(): void {
    this.#held.resolve();
  }

  async close(): Promise<void> {
    this.finish();
    await this.#server.close();
  }

  #session(hash: string): SessionRecord {
    const user = this.#users.get(hash) ?? (1 as UserId);
    return { hash, epoch: 1, user, tkropen: false, expiresAt: (NOW + 1_000) as Millis };
  }

  #handlers(): CallHandlers {
    const handlers: Partial<CallHandlers> = {
      'connextrade/PlaceOrder': async () => {
        this.begun += 1;
        await this.#held.promise;
        return { ok: false, code: { error: 'balance-insufficient' } };
      },
      'connextrade/CancelOrder': async () => ({ ok: false, code: { error: 'order-unknown' } }),
      'connextrade/CurOrderList': async () => ({ ok: true, value: [] }),
      'common/country': async () => ({ ok: true, value: [] }),
    };
    return handlers as CallHandlers;
  }
}

const [BUSY, ORDER_UNKNOWN, TOO_POOR] = [1010, 3011, 3010];
const ORDER = { tinstType: 1, symbol: 'BTCUSDT', side: 1, orderType: 1, timeInForce: 1 } as const;

describe('a hub that is full of orders', () => {
  let door: Door;
  beforeEach(async () => {
    door = new Door();
    await door.open();
  });
  afterEach(() => door.close());

  const order = (member: TestBrowser, platformType: 41 | 43 = 43) =>
    member.call('connextrade/PlaceOrder', { ...ORDER, platformType, price: '100', quantity: '1' });
  const orders = (member: TestBrowser, count: number, platformType: 41 | 43 = 43) =>
    Array.from({ length: count }, () => order(member, platformType));

  test('answers further ones as busy at once, and cancels, reads and strangers as ever', async () => {
    const waiting = [
      ...orders(door.member(1), 32),
      ...orders(door.member(2), 32),
      ...orders(door.member(3), 32, 41),
    ];
    await door.reaches(96);
    const late = door.member(4);
    expect(await order(late)).toMatchObject({ code: BUSY, data: null });
    expect((await late.call('connextrade/CancelOrder', { platformType: 43, orderId: ID })).code).toBe(
      ORDER_UNKNOWN,
    );
    expect((await late.call('connextrade/CurOrderList', { platformType: 43 })).code).toBe(1);
    expect((await new TestBrowser(late.url).call('common/country', {})).code).toBe(1);
    expect(door.begun).toBe(96);
    door.finish();
    for (const answer of await Promise.all(waiting)) expect(answer.code).toBe(TOO_POOR);
    expect((await order(late)).code).toBe(TOO_POOR);
  });

  test('of one member, or at one venue, has room for the others', async () => {
    const waiting = orders(door.member(1), 32);
    await door.reaches(32);
    expect((await order(door.member(1))).code).toBe(BUSY);
    waiting.push(...orders(door.member(2), 32));
    await door.reaches(64);
    expect((await order(door.member(3))).code).toBe(BUSY);
    // What is refused costs little: nobody asks whose it is.
    expect(door.lookups).toBe(65);
    waiting.push(order(door.member(3), 41));
    await door.reaches(65);
    door.finish();
    await Promise.all(waiting);
  });
});

import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import type { AdminHandlers, CallHandlers, CallName } from '@crossbook/contract';
import type { Millis, UserId } from '@crossbook/domain';
import { fastify } from 'fastify';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { SessionRecord } from '../accounts/ports.ts';
import { sessions } from '../accounts/sessions/sessions.ts';
import { secretsOf } from '../main/secrets.ts';
import { type RawAnswer, TestBrowser } from '../main/testing.ts';
import { addAdminRoutes } from './admin-routes.ts';
import { createAdmission, type WorkKind, workOf } from './admission.ts';
import { addCallRoutes } from './call-routes.ts';
import { httpMetrics } from './metrics.ts';
import { type RequestClass, requestLimits } from './request-limits.ts';
import { securityLog } from './security-log.ts';

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
    ['of admins', 32, 'admin', String],
    ['of one admin', 8, 'admin', () => 'a'],
  ] as const)('%s are %i, and free again when left', (_name, most, kind, callerOf) => {
    const { admission, leave } = fill(kind, callerOf);
    expect(leave).toHaveLength(most);
    expect(admission.full(kind)).toBe(callerOf === String);
    for (const one of leave) one();
    expect(admission.full(kind)).toBe(false);
    expect(admission.enter(kind, { caller: 'a', venue: '43' })).toBeDefined();
  });

  test.each<[CallName, WorkKind]>([
    ['connextrade/PlaceOrder', 'order'],
    ['x/trade/PlaceScaled', 'order'],
    ['connextrade/PlaceAlgoOrder', 'order'],
    ['connextrade/ReplaceOrder', 'order'],
    ['connextrade/ReplaceAlgoOrder', 'order'],
    ['connextrade/CancelOrder', 'cancel'],
    ['connextrade/CancelAlgoOrder', 'cancel'],
    ['connextrade/CancelAll', 'cancel'],
    ['x/trade/ReversePosition', 'order'],
    ['connextrade/ClosePosition', 'cancel'],
    ['connextrade/ClosePositionAll', 'cancel'],
    ['connextrade/OrderHistory', 'member'],
  ])('of %s are those of a %s', (name, kind) => {
    expect(workOf(name, 'member')).toBe(kind);
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

  test('are not judged by calls that go on for seconds, which never take them all', () => {
    let now = NOW as number;
    const admission = createAdmission(() => now as Millis);
    const enter = (caller: string, isLong: boolean) =>
      admission.enter('cancel', { caller, venue: '43', isLong });
    const long = Array.from({ length: 96 }, (_, at) => enter(String(at >> 3), true));
    // Four of a member, and 32 of them all.
    expect(long.slice(0, 8).filter((one) => one !== undefined)).toHaveLength(4);
    expect(long.filter((one) => one !== undefined)).toHaveLength(32);
    const short = () => Array.from({ length: 64 }, (_, at) => enter(`one ${at}`, false));
    const beside = short().filter((one) => one !== undefined);
    expect(beside).toHaveLength(32);
    for (const one of beside) one?.();
    now += 10_000;
    for (const one of long) one?.();
    expect(short().filter((one) => one !== undefined)).toHaveLength(64);
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
    for (const kind of ['cancel', 'member', 'public', 'admin'] as const)
      expect(admission.enter(kind, { caller: '0' }), kind).toBeDefined();
  });
});

/** The routes of the calls over handlers that a test holds back; cookies are sessions of who the test says. */
class Door {
  readonly #server = fastify({ logger: false });
  readonly #users = new Map<string, Pick<SessionRecord, 'id' | 'user'>>();
  readonly #held = Promise.withResolvers<void>();
  readonly #sessions = sessions(
    {
      live: async (hash) => {
        this.lookups += 1;
        await this.lookup;
        return this.#session(hash);
      },
      open: async () => undefined,
      byId: async () => undefined,
      seen: async () => undefined,
      end: async () => undefined,
    },
    secretsOf(randomBytes(32)).stokenKey,
    randomBytes,
  );
  readonly admission = createAdmission(() => NOW);
  /** Orders and uploads whose handler was called. */
  begun = 0;
  /** Requests that came as far as their address' limit: what follows in the same step has happened too. */
  arrived = 0;
  /** Requests that are over, or whose sender went away. */
  closed = 0;
  /** What every look at a session waits for. */
  lookup: Promise<void> = Promise.resolve();
  readonly logged: string[] = [];
  /** Sessions that were looked up. */
  lookups = 0;
  #url = '';

  async open(): Promise<void> {
    this.#server.removeAllContentTypeParsers();
    this.#server.addContentTypeParser('*', (_request, _payload, done) => done(null, undefined));
    this.#server.addHook('onRequest', async ({ raw }) => {
      raw.once('close', () => {
        this.closed += 1;
      });
    });
    const limits = requestLimits(1_000, () => NOW);
    const log = (_facts: object, event: string): unknown => this.logged.push(event);
    const deps = {
      ...{ handlers: this.#handlers(), sessions: this.#sessions, tenant: 'crossbook' },
      ...{ face: { proxy: undefined }, admission: this.admission, log: { warn: log, error: log } },
      security: securityLog({ warn: () => undefined }, () => NOW),
      ...{ clock: () => NOW, metrics: httpMetrics({ processMetrics: false }), isOutcomeUnknown: () => false },
      limits: {
        take: (requestClass: RequestClass, address: string, requests?: number) => {
          this.arrived += 1;
          return limits.take(requestClass, address, requests);
        },
      },
    };
    addCallRoutes(this.#server, deps);
    const nobody = async (): Promise<undefined> => undefined;
    const admin = { authenticate: nobody, refused: nobody, changing: nobody, handlers: {} as AdminHandlers };
    addAdminRoutes(this.#server, { ...deps, admin });
    this.#url = await this.#server.listen({ port: 0, host: '127.0.0.1' });
  }

  member(user: number): TestBrowser {
    const browser = new TestBrowser(this.#url);
    const caller = { now: NOW, address: '127.0.0.1', userAgent: '', origin: '', language: 'en' } as const;
    const { cookie, stoken, record } = this.#sessions.issue(caller);
    this.#users.set(record.hash, { id: record.id, user: user as UserId });
    browser.cookie = 'set' in cookie ? cookie.set : undefined;
    browser.stoken = stoken;
    return browser;
  }

  /** Resolves when so many orders and uploads are with their handler. */
  reaches(count: number): Promise<void> {
    return this.until(() => this.begun >= count);
  }

  async until(holds: () => boolean): Promise<void> {
    while (!holds()) await new Promise((next) => setImmediate(next));
  }

  /** Sends the head of a POST and nothing of its body. */
  begin(path: string, headers: readonly string[] = []): Socket {
    const { host, hostname, port } = new URL(this.#url);
    const head = [`POST /api/${path} HTTP/1.1`, `Host: ${host}`, 'Content-Length: 5000', ...headers];
    const socket = connect(Number(port), hostname).on('error', () => undefined);
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    return socket;
  }

  /** Lets every order and upload come to its end. */
  finish(): void {
    this.#held.resolve();
  }

  async close(): Promise<void> {
    this.finish();
    await this.#server.close();
  }

  #session(hash: string): SessionRecord {
    const who = this.#users.get(hash) ?? { id: hash, user: 1 as UserId };
    const times = { expiresAt: (NOW + 1_000) as Millis, seenAt: NOW };
    return { ...who, ...times, hash, epoch: 1, tkropen: false, demo: false };
  }

  #handlers(): CallHandlers {
    const handlers: Partial<CallHandlers> = {
      'connextrade/PlaceOrder': async () => {
        this.begun += 1;
        await this.#held.promise;
        return { ok: false, code: { error: 'balance-insufficient' } };
      },
      'usercommon/upload': async () => {
        this.begun += 1;
        await this.#held.promise;
        return { ok: true, value: { fileId: ID, width: 700, height: 600 } };
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

function upload(member: TestBrowser): Promise<RawAnswer> {
  const form = new FormData();
  const fields = { sosflag: '3', stoken: member.stoken ?? '', kind: 'kyc-front' };
  for (const [field, value] of Object.entries(fields)) form.append(field, value);
  form.append('file', new Blob([new Uint8Array(9)]), 'a.png');
  return member.send('/api/usercommon/upload', form);
}

describe('senders who begin and send nothing', () => {
  let door: Door;
  const sockets: Socket[] = [];
  beforeEach(async () => {
    door = new Door();
    await door.open();
  });
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await door.close();
  });

  test.each(['x/admin/LogIn', 'x/admin/Me'])('a call of %s use no place, of nobody', async (path) => {
    // One place of the members is left.
    for (let caller = 0; caller < 255; caller += 1)
      door.admission.enter('member', { caller: String(caller) });
    for (let n = 0; n < 40; n += 1) sockets.push(door.begin(path));
    await door.until(() => door.arrived === 40);
    for (const kind of ['member', 'admin', 'public'] as const) expect(door.admission.full(kind)).toBe(false);
    expect((await door.member(1).call('connextrade/CurOrderList', { platformType: 43 })).code).toBe(1);
    for (const socket of sockets) socket.destroy();
    await door.until(() => door.closed >= 41);
    expect(door.logged).toEqual([]);
  });

  test('of a file, and go while their session is looked up, keep no place', async () => {
    door.finish();
    const lookup = Promise.withResolvers<void>();
    door.lookup = lookup.promise;
    const member = door.member(1);
    const type = 'Content-Type: multipart/form-data; boundary=x';
    const socket = door.begin('usercommon/upload', [`Cookie: sid=${member.cookie ?? ''}`, type]);
    await door.until(() => door.lookups === 1);
    socket.destroy();
    await door.until(() => door.closed === 1);
    lookup.resolve();
    expect((await upload(member)).envelope.code).toBe(1);
    expect(door.logged).toEqual([]);
  });
});

describe('uploads', () => {
  test('are one at a time for a member with three sessions, until the answer; another has his own', async () => {
    const door = new Door();
    await door.open();
    const first = upload(door.member(1));
    await door.reaches(1);
    for (const member of [door.member(1), door.member(1)]) {
      expect((await upload(member)).envelope.code).toBe(BUSY);
    }
    const other = upload(door.member(2));
    await door.reaches(2);
    door.finish();
    for (const { envelope } of await Promise.all([first, other])) expect(envelope.code).toBe(1);
    expect((await upload(door.member(1))).envelope.code).toBe(1);
    await door.close();
  });
});

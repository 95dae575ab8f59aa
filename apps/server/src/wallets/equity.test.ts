import { randomUUID } from 'node:crypto';
import type { CallResponse, MemberCaller } from '@crossbook/contract';
import {
  type Amount,
  amount,
  formatAmount,
  type Millis,
  type Platform,
  type UserId,
} from '@crossbook/domain';
import {
  type AccountRef,
  holdId,
  type LedgerCommand,
  type TransferKind,
  transferId,
} from '@crossbook/ledger';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ScriptedTime } from '../main/scripted-time.fixture.ts';
import type { PostgresLedgerStore } from '../storage/ledger/ledger-store.ts';
import { createEquityStore } from '../storage/stores/equity-store.ts';
import { openTestDatabase, type TestDatabase } from '../storage/testing.ts';
import { createEquityDesk, type EquityDesk } from './equity.ts';
import { createLastPrices } from './last-prices.ts';

const DAY = 86_400_000;
const MINUTE = 60_000;

let db: TestDatabase;
let ledger: PostgresLedgerStore;
beforeAll(async () => {
  db = await openTestDatabase();
  ledger = db.openLedger();
});
afterAll(() => db.close());

let lastUser = 0;
let user: UserId;
beforeEach(() => {
  lastUser += 1;
  user = lastUser as UserId;
});

/** Days of one test are no other's: rows of a day would be there already. */
let lastDay = 0;

/** One process: its clock stands some time before a midnight that no other test has crossed. */
class Node {
  readonly time = new ScriptedTime();
  readonly notes: string[] = [];
  prices: Record<string, string> | undefined = { BTC: '60000', ETH: '3000' };
  second: Record<string, string> | undefined = {};
  readonly desk: EquityDesk;
  #round: Promise<void> = Promise.resolve();

  constructor(day: number, beforeMidnight = MINUTE) {
    const midnight = Math.ceil(this.time.clock() / DAY) * DAY + day * DAY;
    this.time.advance(midnight - beforeMidnight - this.time.clock());
    const note = (event: string) => this.notes.push(event);
    const list = (prices: Record<string, string> | undefined) =>
      prices === undefined ? undefined : new Map(Object.entries(prices));
    const sources = [
      { name: '1', read: async () => list(this.prices) },
      { name: '2', read: async () => list(this.second) },
    ];
    const { clock, after } = this.time;
    this.desk = createEquityDesk({
      equities: createEquityStore(db.database),
      lastPrices: createLastPrices({ sources, clock, after, note }),
      every: (millis, run) =>
        this.time.every(millis, () => {
          this.#round = run();
        }),
      ...{ clock, note },
    });
    this.desk.start();
  }

  /** Lets time pass a second at a time, each until the round that it brought is over. */
  async pass(millis: number): Promise<void> {
    for (let passed = 0; passed < millis; passed += 1_000) {
      this.time.advance(1_000);
      await this.#round;
    }
  }

  async equity(of: UserId = user): Promise<CallResponse<'x/wallet/Equity'>> {
    const caller: MemberCaller = {
      ...{ user: of, sessionId: 'x', address: '127.0.0.1', userAgent: '', origin: '' },
      ...{ language: 'en', now: 0 as Millis },
    };
    const answer = await this.desk.handlers['x/wallet/Equity'](caller, {});
    if (!answer.ok) throw new Error('the call refuses nobody');
    return answer.value;
  }
}

function node(beforeMidnight?: number): Node {
  lastDay += 2;
  return new Node(lastDay, beforeMidnight);
}

const funding = (asset: string): AccountRef => ({ class: 'FUNDING', user, asset });
const trading = (asset: string, platform: Platform = 1): AccountRef => ({
  ...{ class: 'TRADING', user, platform, asset },
});
const outside = (asset: string): AccountRef => ({ class: 'EXTERNAL', counterparty: 'venue:1', asset });

function post(from: AccountRef, to: AccountRef, value: Amount, kind: TransferKind): LedgerCommand {
  return { do: 'post', id: transferId(randomUUID()), from, to, amount: value, kind };
}

async function book(...commands: readonly LedgerCommand[]): Promise<void> {
  expect(await ledger.commit({ commands, writes: [] })).toMatchObject({ ok: true });
}

const deposit = (asset: string, value: string) =>
  book(post(outside(asset), funding(asset), amount(value), 'test-funds'));

/** A trade at a venue: pays one asset and receives another. */
const trade = (paid: string, pays: string, received: string, receives: string) =>
  book(
    post(trading(paid), outside(paid), amount(pays), 'fill'),
    post(outside(received), trading(received), amount(receives), 'fill'),
  );

const toTrading = (asset: string, value: string) =>
  book(post(funding(asset), trading(asset), amount(value), 'universal-transfer'));

async function rows(): Promise<number> {
  const [row] = await db.database.query<{ count: number }>(
    'select count(*)::int as count from equity_snapshots where user_id = $1',
    [user],
  );
  return row?.count ?? 0;
}

type Expected = readonly [equity: string, start: string | null, net: string, change: string | null];

const stats = ({ equity, day }: CallResponse<'x/wallet/Equity'>): Expected => [
  ...([equity, day.start, day.netTransfers, day.change] as const),
];

describe("today's change", () => {
  const cases: readonly (readonly [string, (at: Node) => Promise<unknown>, Expected, string | null])[] = [
    ['is zero when nothing happened', async () => undefined, ['70000', '70000', '0', '0'], '0'],
    ['does not count a deposit', () => deposit('USDT', '500'), ['70500', '70000', '500', '0'], '0'],
    ['does not count a deposit of a coin', () => deposit('BTC', '1'), ['130000', '70000', '60000', '0'], '0'],
    [
      'does not count what left',
      () => book(post(funding('USDT'), outside('USDT'), amount('1000'), 'correction')),
      ['69000', '70000', '-1000', '0'],
      '0',
    ],
    [
      "does not see a move between the member's wallets",
      () => toTrading('BTC', '0.4'),
      ['70000', '70000', '0', '0'],
      '0',
    ],
    [
      'counts what a trade gained',
      () => trade('USDT', '3000', 'ETH', '1.7'),
      ['72100', '70000', '0', '2100'],
      '0.03',
    ],
    [
      'counts a fee',
      () => book(post(trading('USDT'), outside('USDT'), amount('7'), 'trade-fee')),
      ['69993', '70000', '0', '-7'],
      '-0.0001',
    ],
    [
      'counts a move of the price',
      async (at) => {
        at.prices = { BTC: '53000' };
        await at.pass(6_000);
      },
      ['63000', '70000', '0', '-7000'],
      '-0.1',
    ],
    [
      'counts only the trade when a deposit came too',
      async () => {
        await deposit('USDT', '500');
        await trade('USDT', '3000', 'ETH', '1.7');
      },
      ['72600', '70000', '500', '2100'],
      '0.03',
    ],
    [
      'is unknown when a coin without price came in',
      () => deposit('XYZ', '5'),
      ['70000', '70000', '0', null],
      null,
    ],
  ];
  test.each(cases)('%s', async (_name, happens, expected, rate) => {
    const at = node();
    await deposit('USDT', '10000');
    await deposit('BTC', '1');
    await toTrading('USDT', '5000');
    // What an order reserves is the member's all the same.
    await book({
      do: 'hold',
      id: holdId(randomUUID()),
      account: trading('USDT'),
      amount: amount('1'),
      kind: 'order-hold',
    });
    await at.pass(MINUTE);
    await happens(at);
    await at.pass(1_000);
    const answer = await at.equity();
    expect(stats(answer)).toEqual(expected);
    expect([answer.day.changeRate, answer.time]).toEqual([rate, at.time.clock()]);
  });

  test('is unknown without a snapshot, and begins with the next midnight', async () => {
    const at = node();
    await at.pass(MINUTE);
    await deposit('USDT', '100');
    expect(stats(await at.equity())).toEqual(['100', null, '100', null]);
    at.time.advance(DAY - 20 * MINUTE);
    expect(await rows()).toBe(0);
    await at.pass(21 * MINUTE);
    expect(stats(await at.equity())).toEqual(['100', '100', '0', '0']);
  });

  test('of nothing is no rate', async () => {
    const at = node();
    at.prices = {};
    await deposit('XYZ', '5');
    await at.pass(MINUTE);
    const { equity, day, missing } = await at.equity();
    expect([equity, day, missing]).toEqual([
      '0',
      { start: '0', netTransfers: '0', change: '0', changeRate: null },
      ['XYZ'],
    ]);
  });

  test('compares only sums of the same assets: a price that appears or goes is no gain or loss', async () => {
    const at = node();
    await deposit('USDT', '10');
    await deposit('XYZ', '5');
    await at.pass(MINUTE);
    expect((await at.equity()).day).toMatchObject({ start: '10', change: '0' });
    at.second = { XYZ: '2' };
    await at.pass(6_000);
    expect(await at.equity()).toMatchObject({
      equity: '20',
      day: { start: '10', change: null },
      missing: [],
    });
  });

  test('of a member who has nothing and never had is unknown', async () => {
    expect(await node().equity()).toMatchObject({
      equity: '0',
      day: { start: null, netTransfers: '0', change: null, changeRate: null },
      missing: [],
    });
  });
});

describe('a snapshot', () => {
  test('is one row, however many processes and rounds record it', async () => {
    const first = node();
    const second = new Node(lastDay);
    await deposit('USDT', '10');
    await Promise.all([first.pass(MINUTE), second.pass(MINUTE)]);
    expect(await rows()).toBe(1);
    await deposit('USDT', '5');
    const third = new Node(lastDay, -2 * MINUTE);
    await third.pass(MINUTE);
    await first.pass(20 * MINUTE);
    expect(await rows()).toBe(1);
    expect(stats(await third.equity())).toEqual(['15', '10', '5', '0']);
  });

  test.each([
    [5 * MINUTE, 1],
    [20 * MINUTE, 0],
  ])('of a process that started %d ms after midnight: %d', async (late, count) => {
    await deposit('USDT', '10');
    const at = node(-late);
    await at.pass(3_000);
    expect(await rows()).toBe(count);
    expect((await at.equity()).day.change).toBe(count === 1 ? '0' : null);
  });

  test('waits for prices that were read after midnight, and is not made with fewer; members without need do not wait', async () => {
    const at = node();
    await deposit('BTC', '1');
    const withCoin = user;
    lastUser += 1;
    user = lastUser as UserId;
    await deposit('USDT', '10');
    // Read before midnight: good enough for the call, not for the record.
    expect((await at.equity(withCoin)).equity).toBe('60000');
    at.prices = undefined;
    await at.pass(2 * MINUTE);
    expect((await at.equity(withCoin)).equity).toBe('60000');
    expect(await rows()).toBe(1);
    user = withCoin;
    expect(await rows()).toBe(0);
    expect(at.notes).toContain('equity snapshots wait for prices');
    at.prices = { BTC: '61000' };
    await at.pass(10_000);
    expect((await at.equity()).day).toMatchObject({ start: '61000', change: '0' });
  });

  test('whose prices never come is given up after ten minutes', async () => {
    const at = node();
    await deposit('BTC', '1');
    at.prices = undefined;
    await at.pass(11 * MINUTE);
    expect(at.notes.filter((note) => note.includes('given up'))).toHaveLength(1);
    at.prices = { BTC: '61000' };
    await at.pass(MINUTE);
    expect([await rows(), (await at.equity()).day.start]).toEqual([0, null]);
  });

  test('takes a coin from the second venue where the first does not answer', async () => {
    const at = node();
    await deposit('BTC', '1');
    at.prices = undefined;
    at.second = { BTC: '60010' };
    await at.pass(MINUTE);
    expect((await at.equity()).day.start).toBe('60010');
  });

  test('of many members takes more than one statement and forgets nobody', async () => {
    const first = lastUser + 1;
    lastUser += 1_203;
    const members = Array.from({ length: 1_203 }, (_none, at) => (first + at) as UserId);
    await Promise.all(
      members.map((member) =>
        book(
          post(outside('USDT'), { class: 'FUNDING', user: member, asset: 'USDT' }, amount('3'), 'test-funds'),
        ),
      ),
    );
    const at = node();
    await at.pass(MINUTE);
    const [row] = await db.database.query<{ count: number }>(
      'select count(*)::int as count from equity_snapshots where user_id between $1 and $2 and equity = 3',
      [first, lastUser],
    );
    expect(row?.count).toBe(1_203);
  });
});

test('the change is zero whatever transfers come and go, while prices stand still', {
  timeout: 120_000,
}, async () => {
  const step = fc.record({
    asset: fc.constantFrom('USDT', 'BTC', 'ETH'),
    value: fc.bigInt({ min: 1n, max: 10n ** 24n }),
    what: fc.constantFrom('in', 'out', 'across'),
  });
  const price = fc.bigInt({ min: 1n, max: 10n ** 23n }).map((value) => formatAmount(value as Amount));
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 8 }),
      fc.array(step, { maxLength: 8 }),
      fc.record({ BTC: price, ETH: price }),
      async (before, after, prices) => {
        lastUser += 1;
        user = lastUser as UserId;
        const at = node(1_000);
        at.prices = prices;
        const apply = async ({ asset, value, what }: (typeof before)[number]) => {
          const [from, to, kind] =
            what === 'in'
              ? [outside(asset), funding(asset), 'test-funds' as const]
              : what === 'out'
                ? [funding(asset), outside(asset), 'correction' as const]
                : [funding(asset), trading(asset, 2), 'universal-transfer' as const];
          // What the wallet does not hold is refused and moves nothing.
          await ledger.commit({ commands: [post(from, to, value as Amount, kind)], writes: [] });
        };
        await deposit('USDT', '1');
        for (const one of before) await apply(one);
        await at.pass(1_000);
        for (const one of after) await apply(one);
        const { equity, day } = await at.equity();
        expect(day.change).toBe('0');
        expect(amount(equity) - amount(day.start ?? '')).toBe(amount(day.netTransfers));
      },
    ),
    { numRuns: 20 },
  );
});

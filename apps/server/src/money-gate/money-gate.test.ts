import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createLedgerChecks } from '../storage/ledger/ledger-check.ts';
import { createGateOperator, createMoneyGateStore } from '../storage/stores/money-gate-store.ts';
import { openTestDatabase, type TestDatabase } from '../storage/testing.ts';
import { MoneyGate, UNCHECKED_MILLIS_MAX } from './money-gate.ts';
import { type GateStore, INVARIANTS, type LedgerChecks } from './ports.ts';

const HALTED = { error: 'money-halted' };
const ACCOUNT = `insert into ledger_accounts (key, class, owner, asset) values ('FUNDING/1/USDT', 'FUNDING', 1, 'USDT')`;
const plant = (units: number) =>
  `update ledger_accounts set posted = posted + ${units} * 0.000000000000000001 where key = 'FUNDING/1/USDT'`;

let db: TestDatabase;
let uptime: number;
let logged: string[];
beforeEach(async () => {
  db = await openTestDatabase();
  uptime = 1_000;
  logged = [];
  await db.owner.query(ACCOUNT);
});
afterEach(() => db.close());

/** A gate as one process has it. Only the first check of `start` runs by itself: the pause after it lasts for ever. */
function gateOf(parts: { store?: GateStore; checks?: LedgerChecks } = {}): MoneyGate {
  return new MoneyGate({
    store: createMoneyGateStore(db.database),
    checks: createLedgerChecks(db.database),
    uptimeMillis: () => uptime,
    pause: (_millis, signal) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve());
        if (signal.aborted) resolve();
      }),
    log: {
      warn: (_facts, event) => logged.push(event),
      error: (_facts, event) => logged.push(event),
    },
    ...parts,
  });
}

const operator = () => createGateOperator(db.owner);
const events = async () =>
  (await operator().history(50)).map(({ event, actor }) => `${event} ${actor}`).reverse();

describe('the money gate', () => {
  test('a planted error of one unit closes it at the next check, is written down once, and survives a restart', async () => {
    const gate = gateOf();
    await gate.check();
    expect(gate.refusal()).toBeUndefined();
    await db.owner.query(plant(1));
    await gate.check();
    await gate.check();
    expect(gate.refusal()).toEqual(HALTED);
    const [written] = await operator().history(2);
    expect(written).toMatchObject({ event: 'closed', actor: 'the ledger check' });
    expect(written?.reason).toContain('I1 at USDT: 0.000000000000000001, expected 0');
    expect(written?.evidence[0]).toMatchObject({ invariant: 'I1', subject: 'USDT' });
    expect(await events()).toEqual(['closed the ledger check']);
    await db.owner.query(plant(-1));
    const later = gateOf();
    await later.start();
    expect(later.refusal()).toEqual(HALTED);
    await later.stop();
    expect(later.refusal()).toEqual(HALTED);
  });

  test('it opens for an operator after a clean check of everything, for every process, and every step is written down', async () => {
    const [gate, other] = [gateOf(), gateOf()];
    await db.owner.query(plant(1));
    await gate.check();
    await other.check();
    expect(other.refusal()).toEqual(HALTED);
    const early = await operator().requestOpening('I hope it is fine', 'ann@desk');
    await gate.check();
    expect(await operator().answerTo(early)).toMatchObject({ event: 'open-refused' });
    expect(gate.refusal()).toEqual(HALTED);
    await db.owner.query(plant(-1));
    const request = await operator().requestOpening('the planted unit is taken back', 'ann@desk');
    await gate.check();
    await other.check();
    expect([gate.refusal(), other.refusal()]).toEqual([undefined, undefined]);
    expect(await operator().answerTo(request)).toMatchObject({ event: 'opened' });
    expect(await events()).toEqual([
      'closed the ledger check',
      'open-requested ann@desk',
      'open-refused the ledger check',
      'open-requested ann@desk',
      'opened the ledger check',
    ]);
  });

  test('each invariant says when it was looked at and found whole last, and a broken one what is wrong until all is verified', async () => {
    const gate = gateOf();
    expect(
      gate.standings().map(({ checkAgeMillis, goodAgeMillis }) => [checkAgeMillis, goodAgeMillis]),
    ).toEqual(INVARIANTS.map(() => [undefined, undefined]));
    await gate.check();
    uptime += 500;
    await db.owner.query(plant(1));
    await gate.check();
    uptime += 200;
    const broken = () => gate.standings().filter((one) => one.broken !== undefined);
    expect(broken().map(({ invariant }) => invariant)).toEqual(['I1', 'I5']);
    expect(broken()[0]).toEqual({
      ...{ invariant: 'I1', checkAgeMillis: 200, goodAgeMillis: 700 },
      broken: { invariant: 'I1', subject: 'USDT', found: '0.000000000000000001', expected: '0' },
    });
    expect(gate.standings()).toContainEqual({
      ...{ invariant: 'I8', checkAgeMillis: 200, goodAgeMillis: 200, broken: undefined },
    });
    await db.owner.query(plant(-1));
    await gate.check();
    expect(broken()).toHaveLength(2);
    await operator().requestOpening('the planted unit is taken back', 'ann@desk');
    await gate.check();
    expect(broken()).toEqual([]);
    expect(gate.standings()[0]).toMatchObject({ checkAgeMillis: 0, goodAgeMillis: 0 });
  });

  test('an operator closes it for every process', async () => {
    const gate = gateOf();
    await operator().close('a venue acts up', 'ann@desk');
    await operator().close('again', 'bob@desk');
    await gate.check();
    expect(gate.refusal()).toEqual(HALTED);
    expect(await events()).toEqual(['closed ann@desk']);
  });

  test('a breach is in force before it can be written down, and is written down later', async () => {
    const store = createMoneyGateStore(db.database);
    let away = true;
    const gate = gateOf({
      store: {
        ...store,
        close: (...given) => (away ? Promise.reject(new Error('away')) : store.close(...given)),
      },
    });
    await db.owner.query(plant(1));
    await gate.check();
    expect(gate.refusal()).toEqual(HALTED);
    expect(await events()).toEqual([]);
    away = false;
    await db.owner.query(plant(-1));
    await gate.check();
    expect(gate.refusal()).toEqual(HALTED);
    expect(await events()).toEqual(['closed the ledger check']);
  });
});

describe('a check that fails', () => {
  const failing = (): { checks: LedgerChecks; broken: boolean } => {
    const real = createLedgerChecks(db.database);
    const made = {
      broken: false,
      checks: {
        next: () => (made.broken ? Promise.reject(new Error('canceling statement')) : real.next()),
        all: () => real.all(),
      },
    };
    return made;
  };

  test('is logged and halts nothing by itself; 30 s without a good one do, and the next good one ends that', async () => {
    const part = failing();
    const gate = gateOf({ checks: part.checks });
    await gate.start();
    await gate.check();
    part.broken = true;
    uptime += 15_000;
    await gate.check();
    expect([gate.refusal(), gate.stats().failures]).toEqual([undefined, 1]);
    expect(logged).toEqual(['a ledger check failed']);
    uptime += UNCHECKED_MILLIS_MAX - 15_000;
    expect(gate.refusal()).toBeUndefined();
    uptime += 1;
    expect(gate.refusal()).toEqual(HALTED);
    expect(gate.stats()).toMatchObject({ open: false, checkAgeMillis: UNCHECKED_MILLIS_MAX + 1 });
    await gate.check();
    expect(logged.filter((event) => event.startsWith('incident'))).toHaveLength(1);
    part.broken = false;
    await gate.check();
    expect(gate.refusal()).toBeUndefined();
    expect(await events()).toEqual([]);
    await gate.stop();
  });

  test('that never ends halts as well', async () => {
    const gate = gateOf({ checks: { next: () => new Promise(() => undefined), all: async () => [] } });
    await gate.start().catch(() => undefined);
    uptime += UNCHECKED_MILLIS_MAX + 1;
    expect(gate.refusal()).toEqual(HALTED);
    expect(logged).toContain('incident: no check of the ledger ends well, money is halted');
  });

  test('is one line of the log a minute, however long the database is away', async () => {
    const part = failing();
    part.broken = true;
    const gate = gateOf({ checks: part.checks });
    for (let round = 0; round < 61; round += 1) await gate.check();
    expect(logged).toEqual(['a ledger check failed', 'a ledger check failed']);
  });
});

describe('the history of the gate', () => {
  test('the server can neither ask, nor answer what nobody asked, nor rewrite, nor touch the fold', async () => {
    await operator().close('by hand', 'ann@desk');
    const [closed] = await operator().history(1);
    const insert = `insert into money_gate_events (event, reason, actor) values ('open-requested', 'x', 'x')`;
    for (const statement of [
      insert,
      'delete from money_gate_events',
      `update money_gate_events set event = 'opened'`,
      'update ledger_check_sums set folded = 0',
      'update ledger_check_state set folded_seq = 0',
    ]) {
      await expect(db.database.query(statement), statement).rejects.toThrow('permission denied');
    }
    const store = createMoneyGateStore(db.database);
    await expect(store.answer('999', [])).rejects.toThrow('no request');
    await expect(store.answer(String(closed?.id), [])).rejects.toThrow('no request');
    expect((await store.read()).closed).toBe('by hand');
  });

  test('not even the owner can change it, and a request has one answer', async () => {
    const request = await operator().requestOpening('x', 'ann@desk');
    const store = createMoneyGateStore(db.database);
    const breach = { invariant: 'I1', subject: 'USDT', found: '1', expected: '0' } as const;
    await store.answer(request, [breach]);
    await store.answer(request, []);
    expect(await events()).toEqual(['open-requested ann@desk', 'open-refused the ledger check']);
    for (const statement of ['delete from money_gate_events', `update money_gate_events set reason = 'y'`]) {
      await expect(db.owner.query(statement)).rejects.toThrow('append-only');
    }
  });
});

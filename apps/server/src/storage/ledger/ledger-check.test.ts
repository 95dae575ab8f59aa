import type { Amount, Platform, UserId } from '@crossbook/domain';
import { type AccountRef, holdId, type LedgerCommand, transferId } from '@crossbook/ledger';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runs } from '../../../../../tests/property-runs.ts';
import type { LedgerChecks } from '../../money-gate/ports.ts';
import { openTestDatabase, type TestDatabase } from '../testing.ts';
import { createLedgerChecks, ledgerBreaches } from './ledger-check.ts';
import type { PostgresLedgerStore } from './ledger-store.ts';

const venue = (asset: string): AccountRef => ({ class: 'EXTERNAL', counterparty: 'venue:1', asset });
const wallet = (user: number, asset: string): AccountRef => ({
  ...{ class: 'TRADING', user: user as UserId, platform: 1 as Platform, asset },
});

let made = 0;

/** Deposits, and orders that hold, pay in parts and release: `count` units of a few members and two assets. */
async function trade(ledger: PostgresLedgerStore, count: number): Promise<void> {
  const units = Array.from({ length: count }, () => {
    made += 1;
    const asset = made % 3 === 0 ? 'BTC' : 'USDT';
    const account = wallet(1 + (made % 5), asset);
    const hold = holdId('check', made);
    const base = 10n ** 18n + BigInt(made);
    const commands: LedgerCommand[] = [
      {
        ...{ do: 'post', id: transferId('check', made), from: venue(asset), to: account },
        ...{ amount: base as Amount, kind: 'test-funds' },
      },
    ];
    if (made % 2 === 0) {
      commands.push({ do: 'hold', id: hold, account, amount: base as Amount, kind: 'order-hold' });
      commands.push({
        ...{ do: 'post-held', id: transferId('pay', made), hold, to: venue(asset) },
        ...{ amount: (base / 3n) as Amount, kind: 'fill' },
      });
    }
    if (made % 4 === 0) commands.push({ do: 'release', hold });
    return { commands };
  });
  const answers = await Promise.all(units.map((unit) => ledger.commit(unit)));
  expect(answers.every((answer) => answer.ok)).toBe(true);
}

const SMALL = { rowsMax: 40, oldRowsMax: 25, oldHoldsMax: 10 };

/** Checks until nothing is behind and both rotations have gone round once more. */
async function round(checks: LedgerChecks): Promise<number> {
  const begin = await checks.next();
  if (begin.breaches.length > 0) return 1;
  for (let steps = 2; ; steps += 1) {
    const { breaches, behind, rowRounds, holdRounds } = await checks.next();
    if (breaches.length > 0) return steps;
    if (!behind && rowRounds > begin.rowRounds && holdRounds > begin.holdRounds) return steps;
  }
}

const sums = async (db: TestDatabase) => {
  const folded = await db.owner.query(`select a.key, c.folded::text as sum from ledger_check_sums c
    join ledger_accounts a on a.id = c.account order by a.key`);
  const whole = await db.owner.query(`select a.key, a.posted::text as sum from ledger_accounts a
    where exists (select from ledger_transfers t where a.id in (t.from_account, t.to_account)) order by a.key`);
  return { folded, whole };
};

describe('incremental checks', () => {
  let db: TestDatabase;
  let ledger: PostgresLedgerStore;
  beforeAll(async () => {
    db = await openTestDatabase();
    ledger = db.openLedger();
  });
  afterAll(() => db.close());

  /** Runs against the ledger's own guards, as a fault of the database itself would. */
  const behindTheBack = async (statement: string) => {
    const client = await db.owner.pool.connect();
    await client.query(`set session_replication_role = replica; ${statement}`);
    await client.query('reset session_replication_role');
    client.release();
  };

  test('whatever is booked between them, in whatever steps: they agree with the full fold', async () => {
    const plan = fc.record({
      units: fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 5 }),
      steps: fc.record({
        rowsMax: fc.integer({ min: 1, max: 80 }),
        oldRowsMax: fc.integer({ min: 20, max: 80 }),
        oldHoldsMax: fc.integer({ min: 5, max: 50 }),
      }),
      restart: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(plan, async ({ units, steps, restart }) => {
        const checks = createLedgerChecks(db.database, steps);
        if (restart) await db.owner.query('select ledger_check_restart()');
        for (const count of units) {
          const booking = trade(ledger, count);
          expect((await checks.next()).breaches).toEqual([]);
          await booking;
        }
        while ((await checks.next()).behind);
        expect(await ledgerBreaches(db.database, 'fold')).toEqual([]);
        const { folded, whole } = await sums(db);
        const [rest] = await db.owner.query<{ left: string }>(
          'select count(*) as left from ledger_transfers where seq > (select folded_seq from ledger_check_state)',
        );
        if (rest?.left === '0') expect(folded).toEqual(whole);
      }),
      // Each run folds the whole ledger, which grows with every one.
      { numRuns: runs(6, 2) },
    );
    expect(await createLedgerChecks(db.database, SMALL).all()).toEqual([]);
  }, 900_000);

  const NEWEST = '(select id from ledger_transfers order by seq desc limit 1)';
  const OLDEST = '(select id from ledger_transfers order by seq limit 1)';
  const ENDED = '(select id from ledger_holds where released order by id limit 1)';
  const UNIT = '0.000000000000000001';

  test.each([
    ['a balance', `update ledger_accounts set posted = posted + $ where key = 'TRADING/1/1/USDT'`, 'I1'],
    [
      'two balances against each other',
      `update ledger_accounts set posted = posted + case owner when 1 then $ else -$ end
       where key in ('TRADING/1/1/USDT', 'TRADING/2/1/USDT')`,
      'I5',
    ],
    [
      'what a wallet holds',
      `update ledger_accounts set held = held + $ where key = 'TRADING/1/1/USDT'`,
      'I3',
    ],
  ])(
    '%s wrong by one unit is found by the next check, however old it is',
    async (_what, statement, invariant) => {
      const checks = createLedgerChecks(db.database);
      await trade(ledger, 20);
      while ((await checks.next()).behind);
      await behindTheBack(statement.replaceAll('$', UNIT));
      expect((await checks.next()).breaches[0]?.invariant).toBe(invariant);
      await behindTheBack(statement.replaceAll('$', `-${UNIT}`).replaceAll('--', ''));
      expect((await checks.next()).breaches).toEqual([]);
    },
  );

  test('a new movement of another size than its balances is found by the next check', async () => {
    const checks = createLedgerChecks(db.database);
    while ((await checks.next()).behind);
    await trade(ledger, 5);
    const tamper = (units: string) =>
      `update ledger_transfers set amount = amount + ${units} where id = ${NEWEST}`;
    await behindTheBack(tamper(UNIT));
    expect((await checks.next()).breaches.map(({ invariant }) => invariant)).toContain('I5');
    await behindTheBack(tamper(`-${UNIT}`));
    expect(await checks.all()).toEqual([]);
  });

  test.each([
    [
      'changed by one unit',
      (sign: string) => `update ledger_transfers set amount = amount ${sign} ${UNIT} where id = ${OLDEST}`,
    ],
    [
      'turned round',
      () =>
        `update ledger_transfers set from_account = to_account, to_account = from_account where id = ${OLDEST}`,
    ],
    [
      'given to an ended hold',
      (sign: string) => `update ledger_holds set paid = paid ${sign} ${UNIT} where id = ${ENDED}`,
    ],
  ])(
    'an old movement or ended hold %s is found within two rounds of the rotation',
    async (_what, statement) => {
      await trade(ledger, 100);
      const checks = createLedgerChecks(db.database, SMALL);
      expect(await checks.all()).toEqual([]);
      const steps = await round(checks);
      await behindTheBack(statement('+'));
      let taken = 0;
      for (; taken <= 2 * steps; taken += 1) if ((await checks.next()).breaches.length > 0) break;
      expect(taken).toBeLessThan(2 * steps);
      await behindTheBack(statement('-'));
      expect(await checks.all()).toEqual([]);
    },
  );

  test('two processes that check at once find nothing wrong and count nothing twice', async () => {
    const checks = [createLedgerChecks(db.database, SMALL), createLedgerChecks(db.database, SMALL)];
    const booking = trade(ledger, 300);
    for (let turn = 0; turn < 20; turn += 1) {
      const found = await Promise.all(checks.map((one) => one.next()));
      expect(found.flatMap(({ breaches }) => breaches)).toEqual([]);
    }
    await booking;
    expect(await createLedgerChecks(db.database).all()).toEqual([]);
  });
});

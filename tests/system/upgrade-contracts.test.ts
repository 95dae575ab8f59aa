import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TestBrowser } from '../../apps/server/src/main/testing.ts';
import { ledgerBreaches } from '../../apps/server/src/storage/ledger/ledger-check.ts';
import { readMigrations } from '../../apps/server/src/storage/migrations/migrations.ts';
import type { TestDatabase } from '../../apps/server/src/storage/testing.ts';
import { CONTRACT_VENUES } from './contract-venues.ts';
import { until } from './hub-process.ts';
import { type Installation, openInstallation, readFixture } from './installations/installation.ts';
import { type KeptMember, makeInstallation, shownTo, venueStats } from './installations/kept-contracts.ts';

/** A data folder with contracts of all exchanges starts under this version with every row and balance as it was. */

const NAME = 'installation-contracts';
/** Everything about contracts and money; what the exchange states anew (`contract_positions`) is compared as members see it. */
const TABLES = [
  'ledger_accounts',
  'ledger_holds',
  'ledger_transfers',
  'orders',
  'fills',
  'algo_orders',
  'order_targets',
  'contract_runs',
  'closed_positions',
  'contract_income',
  'contract_debts',
  'setting_changes',
  'universal_transfers',
  'venue_accounts',
];

/** What each row holds: a column that a later version added is empty in it, and says nothing. */
const rowsOf = async ({ owner }: TestDatabase): Promise<ReadonlyMap<string, readonly string[]>> => {
  const tables = new Map<string, readonly string[]>();
  for (const table of TABLES) {
    const rows = await owner.query<{ row: string }>(
      `select jsonb_strip_nulls(to_jsonb(t))::text as row from ${table} t order by 1`,
    );
    tables.set(
      table,
      rows.map(({ row }) => row),
    );
  }
  return tables;
};

if (process.env.MAKE_INSTALLATION === NAME)
  test('the folder is made anew', () => makeInstallation(NAME), 600_000);
else claimInstallation();

function claimInstallation(): void {
  const kept = readFixture<{ readonly endedAt: number; readonly members: readonly KeptMember[] }>(
    NAME,
    'expected.json',
  );
  let installation: Installation;
  let before: ReadonlyMap<string, readonly string[]>;

  beforeAll(async () => {
    installation = await openInstallation(NAME, {
      before: async (database) => {
        before = await rowsOf(database);
      },
      environment: { PLATFORM_3: 'live' },
      // A second after its end, so that no funding, liquidation or trigger of all the days since comes between.
      shiftMillis: kept.endedAt + 1_000 - Date.now(),
    });
  });
  afterAll(() => installation?.stop());

  const memberOf = async ({ email }: KeptMember): Promise<TestBrowser> => {
    const member = new TestBrowser(installation.hub.ready.url);
    expect(await member.logIn(email)).toMatchObject({ code: 1 });
    return member;
  };

  describe('an installation with contracts', () => {
    test('holds a row of everything, at every exchange', () => {
      for (const table of [
        'contract_runs',
        'closed_positions',
        'contract_income',
        'algo_orders',
        'setting_changes',
      ])
        expect([table, before.get(table)?.length ?? 0]).toEqual([
          table,
          expect.toSatisfy((rows) => rows >= 3),
        ]);
      expect(kept.members.map(({ name }) => name)).toEqual(CONTRACT_VENUES.map(({ name }) => name));
    });

    test('has every migration of this version', async () => {
      const rows = await installation.database.owner.query<{ name: string }>(
        'select name from schema_migrations order by number',
      );
      expect(rows.map(({ name }) => name)).toEqual(readMigrations().map(({ name }) => name));
    });

    test('has been compared with every exchange, and no row and no balance is another', async () => {
      const { database } = installation;
      await until(
        () =>
          database.owner.query<{ at: string | null }>('select agreed_at::text as at from contract_accounts'),
        (rows) => rows.length === CONTRACT_VENUES.length && rows.every(({ at }) => Number(at) > kept.endedAt),
      );
      for (const was of kept.members) {
        const asked = (await memberOf(was)).call('x/trade/Opening', { platformType: was.platformType });
        expect(await asked).toMatchObject({ data: { stopped: 'nothing' } });
      }
      expect(await rowsOf(database)).toEqual(before);
      expect(await ledgerBreaches(database.database, 'fold')).toEqual([]);
    });

    test.each(kept.members)('at $name members find positions, orders and money as they were', async (was) => {
      const member = await memberOf(was);
      expect(await shownTo(member, was.platformType)).toMatchObject(was.shown);
      expect(await venueStats(installation.simulator.ready.admin, was)).toEqual(was.venue);
    });

    test.each(kept.members)('at $name a position of then is closed now, and what rests ends', async (was) => {
      const { platformType, symbol } = was;
      const member = await memberOf(was);
      expect(
        await member.call('connextrade/ClosePosition', { platformType, symbol, effect: 0 }),
      ).toMatchObject({
        code: 1,
        data: { outcome: 'sent' },
      });
      await member.call('connextrade/CancelAll', { platformType });
      await until(
        async () => (await member.call('connextrade/CurOrderList', { platformType })).data ?? [],
        (rows) => rows.length === 0,
      );
      const history = await until(
        async () => (await member.call('connextrade/PositionHistory', { platformType })).data?.rows ?? [],
        (rows) => rows.length === 2,
      );
      expect(history[0]).toMatchObject({ direction: 'long', ended: 'closed' });
    });
  });
}

import type { Breach, CheckOutcome, LedgerChecks } from '../../money-gate/ports.ts';
import type { Database } from '../postgres/database.ts';

/** `figures` looks at accounts and open holds only; `fold` adds up the whole journal too. */
export type CheckDepth = 'figures' | 'fold';

/** More than this many breaches add nothing to the alarm. */
const BREACHES_MAX = 100;

// Each is one statement, so it sees one moment of the ledger, whatever is written meanwhile.
const BALANCE_RULES: readonly string[] = [
  `select 'I1' as invariant, asset as subject, sum(posted)::text as found, '0' as expected
   from ledger_accounts group by asset having sum(posted) <> 0`,
  `select case when held < 0 then 'I2' else 'I8' end as invariant, key as subject,
     (posted - held)::text as found, '>= 0' as expected
   from ledger_accounts where held < 0 or (class <> 'EXTERNAL' and posted < held)`,
  `select 'I3' as invariant, a.key as subject, a.held::text as found, coalesce(h.open, 0)::text as expected
   from ledger_accounts a
   left join (select account, sum(amount - paid) as open from ledger_holds where not released group by account) h
     on h.account = a.id
   where a.held <> coalesce(h.open, 0)`,
];

const FOLD: readonly string[] = [
  `select 'I5' as invariant, a.key as subject, a.posted::text as found, coalesce(f.moved, 0)::text as expected
   from ledger_accounts a
   left join (select account, sum(moved) as moved from (
       select from_account as account, -amount as moved from ledger_transfers
       union all select to_account, amount from ledger_transfers) legs group by account) f on f.account = a.id
   where a.posted <> coalesce(f.moved, 0)`,
  `select 'I4' as invariant, h.id::text as subject, h.paid::text as found, coalesce(t.paid, 0)::text as expected
   from ledger_holds h
   left join (select hold, sum(amount) as paid from ledger_transfers where hold is not null group by hold) t
     on t.hold = h.id
   where h.paid <> coalesce(t.paid, 0) or h.paid > h.amount`,
  `select 'I7' as invariant, t.id::text as subject, t.asset || ' ' || f.asset || ' ' || o.asset as found,
     'one asset' as expected
   from ledger_transfers t
   join ledger_accounts f on f.id = t.from_account
   join ledger_accounts o on o.id = t.to_account
   where t.asset <> f.asset or t.asset <> o.asset`,
];

/**
 * Looks for broken invariants. Constraints should make every one impossible; this is the witness that they do.
 * @returns the breaches, at most 100; none when all is well.
 */
export async function ledgerBreaches(database: Database, depth: CheckDepth): Promise<readonly Breach[]> {
  const breaches: Breach[] = [];
  for (const text of depth === 'fold' ? [...BALANCE_RULES, ...FOLD] : BALANCE_RULES) {
    breaches.push(...(await database.query<Breach>(`${text} limit ${BREACHES_MAX}`)));
  }
  return breaches.slice(0, BREACHES_MAX);
}

/** Movements and holds of one step; each step is one statement's time. */
export interface CheckSteps {
  readonly rowsMax: number;
  readonly oldRowsMax: number;
  readonly oldHoldsMax: number;
}

/** Milliseconds, not seconds: five million old movements go round in some ten minutes. */
const STEPS: CheckSteps = { rowsMax: 50_000, oldRowsMax: 10_000, oldHoldsMax: 2_000 };
/** While everything is verified nobody waits for the next check. */
const ALL_STEPS: CheckSteps = { rowsMax: 100_000, oldRowsMax: 100_000, oldHoldsMax: 20_000 };

/** A breach, or a row about the step itself, in which these are null. */
type MaybeBreach = { readonly [Field in keyof Breach]: Breach[Field] | null };

function isBreach(row: MaybeBreach): row is Breach {
  return row.invariant !== null;
}

/**
 * Checks that cost by what is new: the fold of the journal is kept in the database, and what was folded before is
 * verified again part by part (migration 0008). An error of balances, holds that are open, or new movements is found by
 * the next check; one of old movements or ended holds within two rounds of the rotation.
 */
export function createLedgerChecks(database: Database, steps: CheckSteps = STEPS): LedgerChecks {
  const step = async ({ rowsMax, oldRowsMax, oldHoldsMax }: CheckSteps): Promise<CheckOutcome> => {
    const fresh = await database.query<MaybeBreach & { readonly behind: boolean }>(
      { name: 'ledger-check-new', text: 'select * from ledger_check_new($1)' },
      [rowsMax],
    );
    const old = await database.query<
      MaybeBreach & { readonly row_rounds: string | null; readonly hold_rounds: string | null }
    >({ name: 'ledger-check-old', text: 'select * from ledger_check_old($1, $2)' }, [
      oldRowsMax,
      oldHoldsMax,
    ]);
    const rounds = old.find((row) => row.row_rounds !== null);
    const reported: readonly MaybeBreach[] = [...fresh, ...old];
    return {
      breaches: reported
        .filter(isBreach)
        .map(({ invariant, subject, found, expected }) => ({ invariant, subject, found, expected })),
      behind: fresh.some((row) => row.behind),
      rowRounds: Number(rounds?.row_rounds ?? 0),
      holdRounds: Number(rounds?.hold_rounds ?? 0),
    };
  };
  return {
    async next() {
      const atOnce = await ledgerBreaches(database, 'figures');
      const outcome = await step(steps);
      return { ...outcome, breaches: [...atOnce, ...outcome.breaches].slice(0, BREACHES_MAX) };
    },
    async all() {
      await database.query('select ledger_check_restart()');
      const breaches = [...(await ledgerBreaches(database, 'figures'))];
      for (;;) {
        const outcome = await step(ALL_STEPS);
        breaches.push(...outcome.breaches);
        const complete = !outcome.behind && outcome.rowRounds > 0 && outcome.holdRounds > 0;
        if (complete || breaches.length > 0) return breaches.slice(0, BREACHES_MAX);
      }
    },
  };
}

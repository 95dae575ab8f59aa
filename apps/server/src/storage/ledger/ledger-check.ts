import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../postgres/database.ts';

/** A broken invariant: which one (money-and-security.md 1.4), where, and the figures that disagree. */
export interface LedgerBreach {
  readonly invariant: 'I1' | 'I2' | 'I3' | 'I4' | 'I5' | 'I7' | 'I8';
  readonly subject: string;
  readonly found: string;
  readonly expected: string;
}

/** `figures` looks at accounts and open holds only; `fold` adds up the whole journal too. */
export type CheckDepth = 'figures' | 'fold';

/** More than this many breaches add nothing to the alarm. */
const BREACHES_MAX = 100;

// Each is one statement, so it sees one moment of the ledger, whatever is written meanwhile.
const FIGURES: readonly string[] = [
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
export async function ledgerBreaches(
  database: Database,
  depth: CheckDepth,
): Promise<readonly LedgerBreach[]> {
  const breaches: LedgerBreach[] = [];
  for (const text of depth === 'fold' ? [...FIGURES, ...FOLD] : FIGURES) {
    breaches.push(...(await database.query<LedgerBreach>(`${text} limit ${BREACHES_MAX}`)));
  }
  return breaches.slice(0, BREACHES_MAX);
}

/** How the online checker runs. */
export interface LedgerCheckOptions {
  readonly database: Database;
  /** Pause between two looks at the figures; 1000 by default. */
  readonly intervalMillis?: number;
  /** Every how many looks the whole journal is folded; 0 never. */
  readonly foldEveryLooks?: number;
  /** Stops money-out: called with every look that finds breaches. */
  readonly onBreach: (breaches: readonly LedgerBreach[]) => void;
  /** The database did not answer: the look is repeated, nothing is concluded. */
  readonly onError?: (error: Error) => void;
}

/** A running checker. */
export interface LedgerCheck {
  /** Ends after the look under way. */
  stop(): Promise<void>;
}

const INTERVAL_MILLIS = 1000;
/** A look over many accounts may take long; it then rests this many times as long, so it costs at most 5 %. */
const REST_PER_LOOK = 19;

/** Looks at the ledger for as long as the server runs. */
export function startLedgerCheck(options: LedgerCheckOptions): LedgerCheck {
  const stopping = new AbortController();
  const interval = options.intervalMillis ?? INTERVAL_MILLIS;
  const foldEvery = options.foldEveryLooks ?? 0;
  const run = async (): Promise<void> => {
    for (let look = 1; !stopping.signal.aborted; look += 1) {
      const begin = performance.now();
      try {
        const depth = foldEvery > 0 && look % foldEvery === 0 ? 'fold' : 'figures';
        const breaches = await ledgerBreaches(options.database, depth);
        if (breaches.length > 0) options.onBreach(breaches);
      } catch (error) {
        if (!stopping.signal.aborted) options.onError?.(error as Error);
      }
      const rest = Math.max(interval, (performance.now() - begin) * REST_PER_LOOK);
      await delay(rest, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  const running = run();
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}

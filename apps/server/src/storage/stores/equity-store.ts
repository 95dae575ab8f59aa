import {
  type Amount,
  assert,
  formatAmount,
  type Millis,
  parseSignedAmount,
  type UserId,
} from '@crossbook/domain';
import type { EquityStore } from '../../wallets/ports.ts';
import type { Database } from '../postgres/database.ts';

/** Kinds of movement that come from outside or go there; also in the two partial indexes of migration 0007. */
const OUTSIDE_KINDS = `('test-funds', 'correction')`;

/**
 * One statement, so that balances, transfers and snapshot are of one moment. Without a snapshot the journal's own time
 * says what is of today.
 */
const READING = `
  with snapshot as materialized (
    select equity, unpriced, ledger_seq from equity_snapshots where user_id = $1 and day = $2::date
  ), account as materialized (
    select id, asset, posted from ledger_accounts where owner = $1 and class in ('FUNDING', 'TRADING', 'FUTURES')
  ), moved as (
    select a.asset, t.amount from account a join ledger_transfers t on t.to_account = a.id
    where t.kind in ${OUTSIDE_KINDS}
      and t.seq > coalesce((select ledger_seq from snapshot), 0)
      and (exists (select from snapshot) or t.at >= $3)
    union all
    select a.asset, -t.amount from account a join ledger_transfers t on t.from_account = a.id
    where t.kind in ${OUTSIDE_KINDS}
      and t.seq > coalesce((select ledger_seq from snapshot), 0)
      and (exists (select from snapshot) or t.at >= $3)
  )
  select h.asset, h.total::text as total,
    coalesce((select sum(m.amount) from moved m where m.asset = h.asset), 0)::text as moved,
    (select equity::text from snapshot) as equity, (select unpriced from snapshot) as unpriced
  from (select asset, sum(posted) as total from account group by asset) h
  order by h.asset`;

/**
 * One statement again: a member's balances and the newest movement in them are of one moment. A sum that the column
 * cannot hold is left out rather than failing the whole set.
 */
const RECORD = `
  with member as materialized (
    select distinct a.owner from ledger_accounts a
    where a.owner > $3 and not exists (select from equity_snapshots s where s.user_id = a.owner and s.day = $1::date)
    order by a.owner limit $4
  ), worth as materialized (
    select a.owner, trunc(coalesce(sum(a.posted * p.price), 0), 18) as equity,
      coalesce(array_agg(distinct a.asset order by a.asset) filter (where p.price is null), '{}') as unpriced
    from member join ledger_accounts a on a.owner = member.owner
    left join unnest($5::text[], $6::numeric[]) p(asset, price) on p.asset = a.asset
    where a.class in ('FUNDING', 'TRADING', 'FUTURES') and a.posted > 0
    group by a.owner
  ), ready as (
    select w.*, (
      select coalesce(max(greatest(
        (select max(t.seq) from ledger_transfers t where t.to_account = a.id),
        (select max(t.seq) from ledger_transfers t where t.from_account = a.id))), 0)
      from ledger_accounts a where a.owner = w.owner and a.class in ('FUNDING', 'TRADING', 'FUTURES')) as ledger_seq
    from worth w
    where ($7 or cardinality(w.unpriced) = 0) and w.equity < 100000000000000000000
  ), written as (
    insert into equity_snapshots (user_id, day, equity, unpriced, ledger_seq, taken_at)
    select owner, $1::date, equity, unpriced, ledger_seq, $2 from ready
    on conflict (user_id, day) do nothing
    returning user_id
  )
  select (select max(owner) from member)::text as last_user, (select count(*) from written)::int as recorded,
    (select count(*) from worth where not $7 and cardinality(unpriced) > 0)::int as waiting`;

interface ReadingColumns {
  readonly asset: string;
  readonly total: string;
  readonly moved: string;
  readonly equity: string | null;
  readonly unpriced: readonly string[] | null;
}

function money(text: string): Amount {
  const value = parseSignedAmount(text);
  assert(value !== undefined, `a stored amount is readable: ${text}`);
  return value;
}

/** The UTC day as SQL's `date` reads it. */
function dayOf(dayStart: Millis): string {
  return new Date(dayStart).toISOString().slice(0, 10);
}

/** Equity snapshots in PostgreSQL, read beside the ledger they are taken of. */
export function createEquityStore(database: Database): EquityStore {
  return {
    async reading(user, dayStart) {
      const rows = await database.query<ReadingColumns>({ name: 'equity-reading', text: READING }, [
        user,
        dayOf(dayStart),
        new Date(dayStart),
      ]);
      const holdings = rows.map((row) => ({
        asset: row.asset,
        total: money(row.total),
        moved: money(row.moved),
      }));
      const { equity, unpriced } = rows[0] ?? { equity: null, unpriced: null };
      if (equity === null) return { holdings };
      return { holdings, start: { equity: money(equity), unpriced: unpriced ?? [] } };
    },
    async record({ dayStart, now, prices, complete, afterUser, membersMax }) {
      const [row] = await database.query<{ last_user: string | null; recorded: number; waiting: number }>(
        { name: 'equity-record', text: RECORD },
        [
          dayOf(dayStart),
          now,
          afterUser,
          membersMax,
          [...prices.keys()],
          [...prices.values()].map(formatAmount),
          complete,
        ],
      );
      assert(row !== undefined, 'an aggregate answers one row');
      const found = { recorded: row.recorded, left: row.waiting };
      return row.last_user === null ? found : { ...found, lastUser: Number(row.last_user) as UserId };
    },
  };
}

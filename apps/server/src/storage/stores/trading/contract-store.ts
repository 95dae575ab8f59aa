import {
  formatAmount,
  type MarginMode,
  type Millis,
  type Platform,
  type PositionSide,
  type UserId,
  type VenuePosition,
} from '@crossbook/domain';
import type { AccountOwner } from '../../../trading/account-pages.ts';
import type {
  BookedPosition,
  ClosedPosition,
  ContractStore,
  StoredFunding,
  Whose,
} from '../../../trading/contract-store.ts';
import type { Database } from '../../postgres/database.ts';
import { maybe, money, signedMoney } from '../order-columns.ts';
import { ALGO_OPEN } from './algo-store.ts';
import { createLongReads, type LongReads } from './long-reads.ts';
import { orderTotals } from './order-totals.ts';
import { SETTING_WRITES, settingChangesOf } from './setting-store.ts';
import { NEWEST, narrowing, pageOf } from './trading-store.ts';

/** Set-based statements of this store. */
export const CONTRACT_WRITES: Readonly<
  Record<string, string | { readonly sql: string; readonly key: string }>
> = {
  ...SETTING_WRITES,
  'contract-income.insert': `insert into contract_income (platform, user_id, kind, income_id, symbol, effect, margin_mode,
      asset, amount, rate, quantity, mark_price, at)
    select platform, user_id, kind, income_id, symbol, effect, margin_mode, asset, amount, rate, quantity, mark_price, at
    from jsonb_populate_recordset(null::contract_income, $1)`,
  'contract-debts.change': {
    sql: `insert into contract_debts (user_id, platform, asset, amount, since)
      select user_id, platform, asset, greatest(amount, 0), since
      from jsonb_to_recordset($1) as r(user_id bigint, platform smallint, asset text, amount numeric, since bigint)
      on conflict (user_id, platform, asset) do update set
        amount = contract_debts.amount + (select r.amount from jsonb_to_recordset($1)
          as r(user_id bigint, platform smallint, asset text, amount numeric)
          where r.user_id = excluded.user_id and r.platform = excluded.platform and r.asset = excluded.asset),
        since = case when contract_debts.amount = 0 then excluded.since else contract_debts.since end`,
    key: 'wallet',
  },
};

/** A contract has four positions at the most, and one event ends few runs of them. */
const CLOSED_AT_ONCE_MAX = 10;

interface RunColumns {
  readonly position_id: string;
  readonly user_id: string;
  readonly platform: number;
  readonly symbol: string;
  readonly effect: PositionSide;
  readonly margin_mode: MarginMode;
  readonly quantity: string;
  readonly leverage: number;
  readonly realised_pnl: string;
  readonly fees: string;
  readonly funding: string;
  readonly opened_at: string;
}

interface ClosedColumns extends Omit<RunColumns, 'quantity'> {
  readonly sequence: string;
  readonly direction: 'long' | 'short';
  readonly max_quantity: string;
  readonly entry_price: string;
  readonly exit_price: string;
  readonly ended: ClosedPosition['ended'];
  readonly closed_at: string;
}

interface IncomeColumns {
  readonly sequence: string;
  readonly income_id: string;
  readonly platform: number;
  readonly symbol: string | null;
  readonly effect: PositionSide | null;
  readonly amount: string;
  readonly rate: string | null;
  readonly quantity: string | null;
  readonly mark_price: string | null;
  readonly at: string;
}

const millis = (text: string) => Number(text) as Millis;

function runOf(row: Omit<RunColumns, 'quantity'>): Omit<BookedPosition, 'quantity'> {
  return {
    positionId: row.position_id,
    user: Number(row.user_id) as UserId,
    platform: row.platform as Platform,
    symbol: row.symbol,
    side: row.effect,
    marginMode: row.margin_mode,
    leverage: row.leverage,
    realisedPnl: signedMoney(row.realised_pnl),
    fees: signedMoney(row.fees),
    funding: signedMoney(row.funding),
    openedAt: millis(row.opened_at),
  };
}

function closedOf(row: ClosedColumns): ClosedPosition {
  return {
    ...runOf(row),
    direction: row.direction,
    maxQuantity: money(row.max_quantity),
    entryPrice: money(row.entry_price),
    exitPrice: money(row.exit_price),
    ended: row.ended,
    closedAt: millis(row.closed_at),
  };
}

function fundingOf(row: IncomeColumns): StoredFunding {
  return {
    id: row.income_id,
    platform: row.platform as Platform,
    symbol: row.symbol ?? '',
    side: row.effect ?? 0,
    amount: signedMoney(row.amount),
    ...maybe('rate', row.rate, signedMoney),
    ...maybe('quantity', row.quantity, signedMoney),
    ...maybe('markPrice', row.mark_price, signedMoney),
    time: millis(row.at),
  };
}

/** Amounts of a stated position travel as text in JSON. */
const AMOUNTS = [
  ...(['quantity', 'entryPrice', 'breakEvenPrice', 'markPrice', 'isolatedMargin'] as const),
  ...(['unrealisedPnl', 'initialMargin', 'maintenanceMargin', 'liquidationPrice'] as const),
] as const;

function statedText(position: VenuePosition): object {
  const texts = AMOUNTS.flatMap((name) => {
    const value = position[name];
    return value === undefined ? [] : [[name, formatAmount(value)]];
  });
  return { ...position, ...Object.fromEntries(texts) };
}

function statedOf(stated: Readonly<Record<string, unknown>>): VenuePosition {
  const amounts = AMOUNTS.flatMap((name) =>
    typeof stated[name] === 'string' ? [[name, signedMoney(stated[name])]] : [],
  );
  return { ...stated, ...Object.fromEntries(amounts) } as unknown as VenuePosition;
}

function where({ platform, symbol }: Whose, first: number) {
  return narrowing({ platform: platform === undefined ? undefined : String(platform), symbol }, first);
}

/** Positions and income in PostgreSQL. */
export function createContractStore(database: Database): ContractStore {
  const longReads = createLongReads();
  return {
    ...accountsOf(database),
    ...positionsOf(database, longReads),
    ...incomeOf(database, longReads),
    ...orderTotals(database, longReads),
    ...settingChangesOf(database),
  };
}

interface OwnerColumns {
  readonly user_id: string;
  readonly platform: number;
}

function ownerOf(row: OwnerColumns): AccountOwner {
  return { user: Number(row.user_id) as UserId, platform: row.platform as Platform };
}

function accountsOf(
  database: Database,
): Pick<
  ContractStore,
  | 'owners'
  | 'exposed'
  | 'exposedAmong'
  | 'incomeUntil'
  | 'readUntil'
  | 'agreedAt'
  | 'agreed'
  | 'debts'
  | 'debtsOlder'
  | 'debtChange'
> {
  return {
    async owners(limit, after) {
      const rows = await database.query<OwnerColumns>(
        `select user_id, platform from contract_accounts where (user_id, platform) > ($1, $2)
          order by user_id, platform limit $3`,
        [after?.user ?? 0, after?.platform ?? 0, limit],
      );
      return rows.map(ownerOf);
    },
    async exposed(limit, after) {
      const rows = await database.query<OwnerColumns & { readonly holds: boolean }>(
        `select user_id, platform, bool_or(holds) as holds from (
            (select distinct user_id, platform, true as holds from contract_runs
              where quantity <> 0 and (user_id, platform) > ($1, $2) order by user_id, platform limit $3)
            union all
            (select distinct user_id, platform, false from orders
              where not settled and symbol_type = 'SWAP' and (user_id, platform) > ($1, $2)
              order by user_id, platform limit $3)) e
          group by user_id, platform order by user_id, platform limit $3`,
        [after?.user ?? 0, after?.platform ?? 0, limit],
      );
      return rows.map((row) => ({ ...ownerOf(row), holds: row.holds }));
    },
    async exposedAmong(owners) {
      const rows = await database.query<OwnerColumns>(
        `select user_id, platform from unnest($1::bigint[], $2::smallint[]) as asked (user_id, platform)
          where exists (select from contract_runs r
              where r.user_id = asked.user_id and r.platform = asked.platform and r.quantity <> 0)
            or exists (select from orders o where o.user_id = asked.user_id and o.platform = asked.platform
              and not o.settled and o.symbol_type = 'SWAP')`,
        [owners.map(({ user }) => user), owners.map(({ platform }) => platform)],
      );
      return rows.map(ownerOf);
    },
    async incomeUntil({ user, platform }) {
      const [row] = await database.query<{ income_until: string }>(
        'select income_until from contract_accounts where user_id = $1 and platform = $2',
        [user, platform],
      );
      return row === undefined ? undefined : millis(row.income_until);
    },
    async readUntil({ user, platform }, until) {
      await database.query(
        `insert into contract_accounts (user_id, platform, income_until) values ($1, $2, $3)
          on conflict (user_id, platform) do update set
            income_until = greatest(contract_accounts.income_until, excluded.income_until)`,
        [user, platform, until],
      );
    },
    async agreedAt({ user, platform }) {
      const [row] = await database.query<{ agreed_at: string | null }>(
        `select coalesce(agreed_at, (select min(created_at) from orders o
            where o.user_id = a.user_id and o.platform = a.platform and o.symbol_type = 'SWAP')) as agreed_at
          from contract_accounts a where user_id = $1 and platform = $2`,
        [user, platform],
      );
      return row === undefined || row.agreed_at === null ? undefined : millis(row.agreed_at);
    },
    async agreed({ user, platform }, at) {
      await database.query(
        'update contract_accounts set agreed_at = $3 where user_id = $1 and platform = $2',
        [user, platform, at],
      );
    },
    async debts({ user, platform }) {
      const rows = await database.query<{ asset: string; amount: string }>(
        'select asset, amount from contract_debts where user_id = $1 and platform = $2 and amount <> 0',
        [user, platform],
      );
      return new Map(rows.map((row) => [row.asset, money(row.amount)]));
    },
    async debtsOlder(than) {
      const rows = await database.query<{ user_id: string; platform: number; amount: string }>(
        'select user_id, platform, amount from contract_debts where amount > 0 and since < $1 limit 100',
        [than],
      );
      return rows.map((row) => ({
        user: Number(row.user_id) as UserId,
        platform: row.platform as Platform,
        amount: money(row.amount),
      }));
    },
    debtChange: ({ user, platform, asset }, change, now) => ({
      table: 'contract-debts.change',
      row: {
        ...{ user_id: user, platform, asset, amount: formatAmount(change), since: now },
        wallet: `${user}/${platform}/${asset}`,
      },
    }),
  };
}

function positionsOf(
  database: Database,
  longReads: LongReads,
): Pick<
  ContractStore,
  'booked' | 'stated' | 'state' | 'modeMoved' | 'closed' | 'closedCount' | 'closedSince' | 'madeAnew'
> {
  return {
    async madeAnew({ user, platform }, symbol) {
      const [row] = await database.query<{ changed: boolean }>(
        'select contract_runs_made_anew($1, $2, $3) as changed',
        [user, platform, symbol],
      );
      return row?.changed === true;
    },
    async booked(whose) {
      const narrowed = where(whose, 2);
      const rows = await database.query<RunColumns>(
        {
          name: ['contract-runs', ...narrowed.columns].join('-'),
          text: `select * from contract_runs where user_id = $1 and quantity <> 0 ${narrowed.conditions}
            order by platform, symbol, effect, margin_mode`,
        },
        [whose.user, ...narrowed.values],
      );
      return rows.map((row) => ({ ...runOf(row), quantity: signedMoney(row.quantity) }));
    },
    async stated({ user, platform }) {
      const rows = await database.query<{ stated: Readonly<Record<string, unknown>> }>(
        'select stated from contract_positions where user_id = $1 and platform = $2',
        [user, platform],
      );
      return rows.map((row) => statedOf(row.stated));
    },
    async state({ user, platform }, positions) {
      const rows = positions.map((position) => ({
        ...{ user_id: user, platform, symbol: position.symbol, effect: position.side },
        ...{ margin_mode: position.marginMode, stated: statedText(position), version: position.version },
      }));
      await database.query(
        `insert into contract_positions select * from jsonb_populate_recordset(null::contract_positions, $1)
          on conflict (user_id, platform, symbol, effect, margin_mode) do update set stated = excluded.stated,
            version = excluded.version where contract_positions.version <= excluded.version`,
        [JSON.stringify(rows)],
      );
    },
    async modeMoved({ user, platform }, marginMode) {
      const other = 'user_id = $1 and platform = $2 and margin_mode <> $3';
      await database.query(
        `with stated as (delete from contract_positions where ${other}),
          waiting as (update algo_orders set margin_mode = $3
            where ${other} and ${ALGO_OPEN})
          update contract_runs set margin_mode = $3 where ${other}`,
        [user, platform, marginMode],
      );
    },
    async closedCount() {
      const [row] = await database.query<{ count: string }>(
        'select coalesce(max(sequence), 0)::text as count from closed_positions',
      );
      return row?.count ?? '0';
    },
    async closedSince({ user, platform }, symbol, { since, count }) {
      const rows = await database.query<ClosedColumns>(
        {
          name: 'closed-since',
          text: `select * from closed_positions where user_id = $1 and platform = $2 and symbol = $3 and closed_at >= $4
            and sequence > $5 order by closed_at desc limit ${CLOSED_AT_ONCE_MAX}`,
        },
        [user, platform, symbol, since, count],
      );
      return rows.map(closedOf);
    },
    async closed(whose, page) {
      const narrowed = where(whose, 4);
      const rows = await longReads(whose.user, () =>
        database.query<ClosedColumns>(
          {
            name: ['closed-positions', ...narrowed.columns].join('-'),
            text: `select * from closed_positions where user_id = $1 and sequence < $2 ${narrowed.conditions}
              order by sequence desc limit $3`,
          },
          [whose.user, page.cursor ?? NEWEST, page.limit + 1, ...narrowed.values],
        ),
      );
      return pageOf(rows, page.limit, { keep: closedOf, cursor: (row) => row.sequence });
    },
  };
}

function incomeOf(
  database: Database,
  longReads: LongReads,
): Pick<ContractStore, 'funding' | 'knownIncome' | 'knownTrades' | 'knownFills' | 'income'> {
  return {
    async funding(whose, page) {
      const narrowed = where(whose, 4);
      const rows = await longReads(whose.user, () =>
        database.query<IncomeColumns>(
          {
            name: ['funding', ...narrowed.columns].join('-'),
            text: `select * from contract_income where user_id = $1 and kind = 'funding' and sequence < $2
              ${narrowed.conditions} order by sequence desc limit $3`,
          },
          [whose.user, page.cursor ?? NEWEST, page.limit + 1, ...narrowed.values],
        ),
      );
      return pageOf(rows, page.limit, { keep: fundingOf, cursor: (row) => row.sequence });
    },
    async knownIncome({ user, platform }, entries) {
      const rows = await database.query<{ kind: string; income_id: string }>(
        `select kind, income_id from contract_income where user_id = $1 and platform = $2 and income_id = any($3)`,
        [user, platform, entries.map(({ id }) => id)],
      );
      return new Set(rows.map((row) => `${row.kind} ${row.income_id}`));
    },
    async knownTrades({ user, platform }, symbol, tradeIds) {
      const rows = await database.query<{ trade_id: string }>(
        `select trade_id from fills where platform = $1 and symbol_type = 'SWAP' and symbol = $2 and user_id = $3
          and trade_id = any($4)`,
        [platform, symbol, user, tradeIds],
      );
      return new Set(rows.map((row) => row.trade_id));
    },
    async knownFills({ user, platform }, symbol, fills) {
      const rows = await database.query<{ trade_id: string; venue_order_id: string | null }>(
        `select f.trade_id, o.venue_order_id from fills f join orders o on o.id = f.order_id
          where f.platform = $1 and f.symbol_type = 'SWAP' and f.symbol = $2 and f.user_id = $3 and f.trade_id = any($4)`,
        [platform, symbol, user, fills.map(({ tradeId }) => tradeId)],
      );
      return new Set(rows.map((row) => `${row.trade_id} ${row.venue_order_id}`));
    },
    income: ({ user, platform }, row) => ({
      table: 'contract-income.insert',
      row: {
        ...{ platform, user_id: user, kind: row.kind, income_id: row.id, symbol: row.symbol ?? null },
        ...{ effect: row.side ?? null, margin_mode: row.marginMode ?? null, asset: row.asset },
        ...{ amount: formatAmount(row.amount), rate: row.rate === undefined ? null : formatAmount(row.rate) },
        quantity: row.quantity === undefined ? null : formatAmount(row.quantity),
        mark_price: row.markPrice === undefined ? null : formatAmount(row.markPrice),
        at: row.time,
      },
    }),
  };
}

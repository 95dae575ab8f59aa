import {
  type AlgoLegName,
  type AlgoPlan,
  formatAmount,
  type MarginMode,
  type Millis,
  type OrderId,
  type Platform,
  type PositionSide,
  type Side,
  type SymbolType,
  type TimeInForce,
  type UserId,
  type VenueOrderId,
} from '@crossbook/domain';
import type { HoldId } from '@crossbook/ledger';
import type { AlgoFilter, AlgoState, AlgoStore, StoredAlgo, WhatWaits } from '../../../trading/algo.ts';
import type { Database } from '../../postgres/database.ts';
import { maybe, money } from '../order-columns.ts';
import { amountsOf, textsOf } from './amounts-in-json.ts';
import { createTargetStore, TARGET_WRITES } from './target-store.ts';
import { LAST_ID, NEWEST, narrowing, ORDER_CURSOR, pageOf } from './trading-store.ts';

/** Set-based statements of algo orders, registered with the ledger store so that they commit with the money. */
export const ALGO_WRITES: typeof TARGET_WRITES = {
  ...TARGET_WRITES,
  'algo-orders.insert': `insert into algo_orders
    select * from jsonb_populate_recordset(null::algo_orders, $1)`,
  'algo-orders.progress': `update algo_orders set plan = r.plan, quantity = r.quantity, attempt = r.attempt,
      hold_id = r.hold_id, hold_amount = r.hold_amount, state = r.state, unknown = r.unknown,
      cancel_pending = r.cancel_pending, venue_algo_id = r.venue_algo_id, changed_from = r.changed_from, child_id = r.child_id, child_leg = r.child_leg,
      executed = r.executed, reason = r.reason, deadline_at = r.deadline_at, lookups = r.lookups, first_lookup_at = r.first_lookup_at,
      updated_at = r.updated_at
    from jsonb_populate_recordset(null::algo_orders, $1) r where algo_orders.id = r.id`,
};

interface AlgoColumns {
  readonly id: string;
  readonly user_id: string;
  readonly platform: number;
  readonly symbol_type: SymbolType;
  readonly symbol: string;
  readonly base: string;
  readonly quote: string;
  readonly side: Side;
  readonly plan: unknown;
  readonly quantity: string | null;
  readonly time_in_force: TimeInForce;
  readonly effect: PositionSide;
  readonly reduce_only: boolean;
  readonly margin_mode: MarginMode | null;
  readonly leverage: number | null;
  readonly parent_id: string | null;
  readonly payload_hash: string;
  readonly attempt: number;
  readonly hold_id: string;
  readonly hold_asset: string;
  readonly hold_amount: string;
  readonly state: AlgoState;
  readonly unknown: boolean;
  readonly cancel_pending: boolean;
  readonly venue_algo_id: string | null;
  readonly changed_from: unknown;
  readonly executed: string | null;
  readonly child_id: string | null;
  readonly child_leg: AlgoLegName | null;
  readonly reason: string | null;
  readonly deadline_at: string | null;
  readonly lookups: number;
  readonly first_lookup_at: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

const millis = (text: string) => Number(text) as Millis;

function algoOf(row: AlgoColumns): StoredAlgo {
  const { effect: side, margin_mode: marginMode, reduce_only: reduceOnly, leverage } = row;
  return {
    id: row.id as OrderId,
    user: Number(row.user_id) as UserId,
    platform: row.platform as Platform,
    ...{ symbolType: row.symbol_type, symbol: row.symbol, base: row.base, quote: row.quote },
    ...{ side: row.side, plan: amountsOf<AlgoPlan>(row.plan), timeInForce: row.time_in_force },
    ...maybe('quantity', row.quantity, money),
    ...(marginMode === null ? {} : { contract: { side, marginMode, reduceOnly, leverage: leverage ?? 1 } }),
    ...maybe('parent', row.parent_id, (text) => text as OrderId),
    ...{ payloadHash: row.payload_hash, attempt: row.attempt },
    ...{ holdId: row.hold_id as HoldId, holdAsset: row.hold_asset, holdAmount: money(row.hold_amount) },
    ...{ state: row.state, unknown: row.unknown, cancelPending: row.cancel_pending },
    ...maybe('venueAlgoId', row.venue_algo_id, (text) => text as VenueOrderId),
    ...(row.changed_from === null ? {} : { changedFrom: amountsOf<WhatWaits>(row.changed_from) }),
    executed: money(row.executed ?? '0'),
    ...maybe('childId', row.child_id, (text) => text as OrderId),
    ...maybe('childLeg', row.child_leg, (text) => text as AlgoLegName),
    ...maybe('reason', row.reason, (text) => text),
    ...maybe('deadlineAt', row.deadline_at, millis),
    lookups: row.lookups,
    ...maybe('firstLookupAt', row.first_lookup_at, millis),
    createdAt: millis(row.created_at),
    updatedAt: millis(row.updated_at),
  };
}

function columnsOf(algo: StoredAlgo): Readonly<Record<string, unknown>> {
  const { contract, quantity } = algo;
  return {
    ...{ id: algo.id, user_id: algo.user, platform: algo.platform, symbol_type: algo.symbolType },
    ...{ symbol: algo.symbol, base: algo.base, quote: algo.quote, side: algo.side },
    ...{ plan: textsOf(algo.plan), time_in_force: algo.timeInForce },
    quantity: quantity === undefined ? null : formatAmount(quantity),
    ...{ effect: contract?.side ?? 0, reduce_only: contract?.reduceOnly ?? false },
    ...{ margin_mode: contract?.marginMode ?? null, leverage: contract?.leverage ?? null },
    ...{ parent_id: algo.parent ?? null, payload_hash: algo.payloadHash, attempt: algo.attempt },
    ...{
      hold_id: algo.holdId,
      hold_asset: algo.holdAsset,
      hold_amount: formatAmount(algo.holdAmount),
    },
    ...{ state: algo.state, unknown: algo.unknown, cancel_pending: algo.cancelPending },
    ...{ venue_algo_id: algo.venueAlgoId ?? null, child_id: algo.childId ?? null },
    changed_from: algo.changedFrom === undefined ? null : textsOf(algo.changedFrom),
    executed: formatAmount(algo.executed),
    ...{ child_leg: algo.childLeg ?? null, reason: algo.reason ?? null },
    ...{ deadline_at: algo.deadlineAt ?? null, lookups: algo.lookups },
    ...{ first_lookup_at: algo.firstLookupAt ?? null },
    ...{ created_at: algo.createdAt, updated_at: algo.updatedAt },
  };
}

/** Rows of `algo_orders` that are not over. */
export const ALGO_OPEN = "state in ('placing', 'waiting', 'firing')";

/** A long position is closed by selling, in either position mode. What is placed again may not have been sent yet. */
const WITHOUT_POSITION = `state in ('placing', 'waiting') and (state = 'waiting' or parent_id is not null or attempt > 0)
  and not cancel_pending and symbol_type = 'SWAP'
  and platform = $2 and ($3::bigint is null or user_id = $3) and ($4::text is null or symbol = $4)
  and (reduce_only or effect <> 0 and (effect = 1) = (side = 2))
  and exists (select from closed_positions c
    where c.user_id = algo_orders.user_id and c.platform = algo_orders.platform and c.symbol = algo_orders.symbol
      and c.effect = algo_orders.effect
      and c.margin_mode = any (contract_run_modes(algo_orders.platform, algo_orders.margin_mode))
      and c.direction = case when algo_orders.side = 2 then 'long' else 'short' end
      and c.closed_at > coalesce(
        (select max(f.filled_at) from fills f where f.order_id = algo_orders.parent_id), algo_orders.created_at))
  order by created_at`;

function narrowed({ platform, symbolType, symbol }: AlgoFilter, firstParameter: number) {
  const asked = { platform: platform?.toString(), symbol_type: symbolType, symbol };
  return narrowing(asked, firstParameter);
}

/** Algo orders in PostgreSQL. */
export function createAlgoStore(database: Database): AlgoStore {
  const read = async (where: string, values: readonly (string | number | null)[]) =>
    (await database.query<AlgoColumns>(`select * from algo_orders where ${where}`, values)).map(algoOf);
  return {
    async byId(id) {
      const [found] = await read('id = $1', [id]);
      return found;
    },
    open: () => read(`${ALGO_OPEN} order by created_at`, []),
    openOf(user, filter) {
      const { conditions, values } = narrowed(filter, 2);
      return read(`user_id = $1 and ${ALGO_OPEN} ${conditions} order by created_at desc, id desc`, [
        user,
        ...values,
      ]);
    },
    async openOwners() {
      const rows = await database.query<{ user_id: string; platform: number }>(
        `select distinct user_id, platform from algo_orders where ${ALGO_OPEN} order by user_id, platform`,
      );
      return rows.map((row) => ({ user: Number(row.user_id) as UserId, platform: row.platform as Platform }));
    },
    targets: createTargetStore(database),
    async byVenueId({ user, platform, symbol }, id) {
      const where = 'user_id = $1 and platform = $2 and symbol = $3 and venue_algo_id = $4';
      const [found] = await read(`${where} order by created_at desc limit 1`, [user, platform, symbol, id]);
      return found;
    },
    ofParent: (id) => read('parent_id = $1 order by created_at', [id]),
    withoutPosition: (limit, of) =>
      read(`${WITHOUT_POSITION} limit $1`, [limit, of.platform, of.user ?? null, of.symbol ?? null]),
    async page(user, page) {
      const [, time = NEWEST, id = LAST_ID] = ORDER_CURSOR.exec(page.cursor ?? '') ?? [];
      const { conditions, values } = narrowed(page, 5);
      const rows = await database.query<AlgoColumns>(
        `select * from algo_orders where user_id = $1 and (created_at, id) < ($2::bigint, $3::uuid) ${conditions}
          order by created_at desc, id desc limit $4`,
        [user, time, id, page.limit + 1, ...values],
      );
      return pageOf(rows, page.limit, { keep: algoOf, cursor: (row) => `${row.created_at}_${row.id}` });
    },
    insert: (algo) => ({ table: 'algo-orders.insert', row: columnsOf(algo) }),
    progress: (algo) => ({ table: 'algo-orders.progress', row: columnsOf(algo) }),
  };
}

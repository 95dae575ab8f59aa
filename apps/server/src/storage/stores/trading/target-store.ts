import type {
  AlgoLeg,
  MarginMode,
  Millis,
  OrderId,
  PartTarget,
  Platform,
  PositionSide,
  Trailing,
  UserId,
} from '@crossbook/domain';
import { formatAmount } from '@crossbook/domain';
import { ATTACHED, NO_ROOM, POSITION_CLOSED } from '../../../trading/algo.ts';
import type { StoredTargets, TargetStore } from '../../../trading/targets.ts';
import type { Database } from '../../postgres/database.ts';
import { money } from '../order-columns.ts';
import { amountsOf, textsOf } from './amounts-in-json.ts';

/** Set-based statements of the targets of orders. */
export const TARGET_WRITES: Readonly<
  Record<string, string | { readonly sql: string; readonly key: string }>
> = {
  'order-targets.insert': `insert into order_targets
    select * from jsonb_populate_recordset(null::order_targets, $1)`,
  'order-targets.progress': {
    sql: `update order_targets set placed = r.placed, parts = r.parts, ended = r.ended,
        attached = r.attached
      from jsonb_populate_recordset(null::order_targets, $1) r where order_targets.order_id = r.order_id`,
    key: 'order_id',
  },
};

interface TargetColumns {
  readonly order_id: string;
  readonly user_id: string;
  readonly platform: number;
  readonly take_profit: unknown;
  readonly stop_loss: unknown;
  readonly take_profits: unknown;
  readonly trailing_stop: unknown;
  readonly placed: string;
  readonly parts: number;
  readonly ended: boolean;
  readonly attached: boolean;
  readonly created_at: string;
}

function targetsOf(row: TargetColumns): StoredTargets {
  return {
    order: row.order_id as OrderId,
    ...{ user: Number(row.user_id) as UserId, platform: row.platform as Platform },
    ...(row.take_profit === null ? {} : { takeProfit: amountsOf<AlgoLeg>(row.take_profit) }),
    ...(row.stop_loss === null ? {} : { stopLoss: amountsOf<AlgoLeg>(row.stop_loss) }),
    ...(row.take_profits === null ? {} : { takeProfits: amountsOf<PartTarget[]>(row.take_profits) }),
    ...(row.trailing_stop === null ? {} : { trailing: amountsOf<Trailing>(row.trailing_stop) }),
    ...{ placed: money(row.placed), parts: row.parts, ended: row.ended, attached: row.attached },
    createdAt: Number(row.created_at) as Millis,
  };
}

function columnsOf(targets: StoredTargets): Readonly<Record<string, unknown>> {
  const { takeProfit, takeProfits, stopLoss, trailing } = targets;
  return {
    ...{ order_id: targets.order, user_id: targets.user, platform: targets.platform },
    take_profit: takeProfit === undefined ? null : textsOf(takeProfit),
    stop_loss: stopLoss === undefined ? null : textsOf(stopLoss),
    take_profits: takeProfits === undefined ? null : textsOf(takeProfits),
    trailing_stop: trailing === undefined ? null : textsOf(trailing),
    ...{ placed: formatAmount(targets.placed), parts: targets.parts, ended: targets.ended },
    ...{ attached: targets.attached },
    created_at: targets.createdAt,
  };
}

/** Targets of orders in PostgreSQL. */
export function createTargetStore(database: Database): TargetStore {
  return {
    async byOrder(id) {
      const [row] = await database.query<TargetColumns>('select * from order_targets where order_id = $1', [
        id,
      ]);
      return row === undefined ? undefined : targetsOf(row);
    },
    async open() {
      const rows = await database.query<{ order: OrderId; user_id: string; platform: Platform }>(
        `select t.order_id as order, t.user_id, t.platform from order_targets t join orders o on o.id = t.order_id
          where not t.ended order by o.cum_quantity > t.placed desc, t.created_at`,
      );
      return rows.map(({ user_id, ...row }) => ({ ...row, user: Number(user_id) as UserId }));
    },
    async attachedTo({ user, platform }, symbol) {
      const rows = await database.query<{ id: OrderId }>(
        `select t.order_id as id from order_targets t join orders o on o.id = t.order_id
          where t.user_id = $1 and t.platform = $2 and o.symbol = $3 and t.attached and not t.ended
          order by t.created_at`,
        [user, platform, symbol],
      );
      return rows.map(({ id }) => id);
    },
    async unprotected({ user, platform }) {
      const rows = await database.query<{
        readonly symbol: string;
        readonly side: PositionSide;
        readonly margin_mode: MarginMode;
        readonly filled_at: string;
      }>(
        // From what is open: what filled it, and the targets of those orders.
        `select r.symbol, r.effect as side, r.margin_mode, max(f.filled_at) as filled_at
          from contract_runs r
          join lateral (select x.order_id, max(x.filled_at) as filled_at from fills x
            where x.user_id = r.user_id and x.platform = r.platform and x.symbol_type = 'SWAP' and x.symbol = r.symbol
              and x.effect = r.effect and x.margin_mode = any (contract_run_modes(r.platform, r.margin_mode))
              and x.filled_at >= r.opened_at
            group by x.order_id) f on true
          join order_targets t on t.order_id = f.order_id
          join orders o on o.id = t.order_id
          where r.user_id = $1 and r.platform = $2 and r.quantity <> 0
            and (o.cum_quantity > t.placed
              or exists (select from algo_orders a where a.parent_id = o.id and a.payload_hash <> $3
                and (a.state in ('placing', 'refused') or a.state = 'waiting' and a.changed_from is not null
                  -- The exchange ended what the hub had placed, or what it sent was over too soon: in the life of this position.
                  or a.updated_at >= r.opened_at and (
                    a.payload_hash <> $4 and (a.state = 'expired' or a.state = 'cancelled' and a.reason <> $5)
                    or a.state = 'fired' and exists (select from orders c where c.id = a.child_id and c.settled
                      and c.cum_quantity < a.quantity)))))
          group by r.symbol, r.effect, r.margin_mode
        -- What its member placed by hand, waited, and is cancelled for a change at this moment.
        union all
        select r.symbol, r.effect, r.margin_mode, r.opened_at
          from contract_runs r
          join algo_orders a on a.user_id = r.user_id and a.platform = r.platform and a.symbol_type = 'SWAP'
            and a.symbol = r.symbol and a.effect = r.effect and a.margin_mode = r.margin_mode
          where r.user_id = $1 and r.platform = $2 and r.quantity <> 0 and a.parent_id is null
            and case when r.effect = 0 then a.reduce_only and (a.side = 2) = (r.quantity > 0)
              else (r.effect = 1) = (a.side = 2) end
            and (a.state = 'placing' and a.attempt > 0 or a.state = 'waiting' and a.changed_from is not null)`,
        [user, platform, NO_ROOM, ATTACHED, POSITION_CLOSED],
      );
      return rows.map(({ symbol, side, margin_mode: marginMode, filled_at }) => ({
        ...{ symbol, side, marginMode, filledAt: Number(filled_at) as Millis },
      }));
    },
    insert: (targets) => ({ table: 'order-targets.insert', row: columnsOf(targets) }),
    progress: (targets) => ({ table: 'order-targets.progress', row: columnsOf(targets) }),
  };
}

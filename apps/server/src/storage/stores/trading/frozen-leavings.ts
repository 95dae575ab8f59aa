import {
  type Millis,
  type OrderId,
  type Platform,
  type PlatformType,
  platformFacts,
  type UserId,
} from '@crossbook/domain';
import type { Database } from '../../postgres/database.ts';

/** Frozen members who may have left something open at the exchanges that makes their risk larger. */
export interface FrozenLeavings {
  /** Those after one, in a fixed order. */
  uncleared(after: UserId, membersMax: number): Promise<readonly UserId[]>;
  /** What is open of one, can grow a position or buys on a pair, and has not been asked to end: some of it, the oldest first. */
  opening(user: UserId): Promise<{
    readonly orderIds: readonly OrderId[];
    readonly algos: readonly { readonly platformType: PlatformType; readonly algoId: OrderId }[];
  }>;
  /** Marks one of whom nothing of it is open, once no call from before the freeze can be under way; others stay as they are. */
  markCleared(user: UserId, now: Millis): Promise<void>;
}

const LEFT = 'frozen_at is not null and (freeze_cleared_at is null or freeze_cleared_at < frozen_at)';
/** A buy of a pair; of contracts what does not only reduce, and in two legs the side that opens (effect 1 long, 2 short). */
const OPENS = `(symbol_type = 'SPOT' and side = 1 or symbol_type = 'SWAP' and not reduce_only and effect in (0, side))`;
const WAITS = `state in ('placing', 'waiting', 'firing')`;
/** Longer than any call takes that was let in before the freeze. */
const CALL_MILLIS_MAX = 60_000;
/** So many of each are ended at a time. */
const OPENING_MAX = 100;

/** Reads and marks them in PostgreSQL. */
export function frozenLeavings(database: Database): FrozenLeavings {
  return {
    async uncleared(after, membersMax) {
      const rows = await database.query<{ id: string }>(
        `select id from members where ${LEFT} and id > $1 order by id limit $2`,
        [after, membersMax],
      );
      return rows.map(({ id }) => Number(id) as UserId);
    },
    async opening(user) {
      const orders = await database.query<{ id: OrderId }>(
        `select id from orders where user_id = $1 and not settled and not cancel_pending and ${OPENS}
         order by created_at, id limit ${OPENING_MAX}`,
        [user],
      );
      const algos = await database.query<{ id: OrderId; platform: Platform }>(
        `select id, platform from algo_orders where user_id = $1 and ${WAITS} and not cancel_pending and ${OPENS}
         order by created_at, id limit ${OPENING_MAX}`,
        [user],
      );
      return {
        orderIds: orders.map(({ id }) => id),
        algos: algos.map(({ id, platform }) => ({
          platformType: platformFacts(platform).platformType,
          algoId: id,
        })),
      };
    },
    async markCleared(user, now) {
      await database.query(
        `update members set freeze_cleared_at = $2 where id = $1 and ${LEFT} and frozen_at < $2::bigint - ${CALL_MILLIS_MAX}
           and not exists (select from orders where user_id = $1 and not settled and ${OPENS})
           and not exists (select from algo_orders where user_id = $1 and ${WAITS} and ${OPENS})`,
        [user, now],
      );
    },
  };
}

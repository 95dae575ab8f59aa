import {
  type Millis,
  type OrderId,
  type Platform,
  type PlatformType,
  platformFacts,
  type UserId,
} from '@crossbook/domain';
import type { Database } from '../../postgres/database.ts';
import { ALGO_OPEN } from './algo-store.ts';

/** Members who may have left something open at the exchanges that nobody is there to end. */
export interface Leavings {
  /** Those after one, in a fixed order. */
  uncleared(after: UserId, membersMax: number): Promise<readonly UserId[]>;
  /** Marks one of whom nothing of it is open; one that has something stays as he is. */
  markCleared(user: UserId, now: Millis): Promise<void>;
}

/** Those of frozen members; none is marked while a call from before the freeze may be under way. */
export interface FrozenLeavings extends Leavings {
  /** What is open of one, can grow a position or buys on a pair, and has not been asked to end: some of it, the oldest first. */
  opening(user: UserId): Promise<{
    readonly orderIds: readonly OrderId[];
    readonly algos: readonly { readonly platformType: PlatformType; readonly algoId: OrderId }[];
  }>;
}

/** Conditions on members not cleared yet, on when one may be marked ($2 is now), on what is to end; and where the mark stands. */
type LeavingsTerms = Readonly<Record<'left' | 'due' | 'ends' | 'clearedAt', string>>;

/** Longer than any call takes that was let in before the freeze. */
const CALL_MILLIS_MAX = 60_000;
/** So many of each are ended at a time. */
const OPENING_MAX = 100;

const DEMO: LeavingsTerms = {
  left: 'demo and demo_ended_at is not null and demo_cleared_at is null',
  ...{ due: 'true', ends: 'true', clearedAt: 'demo_cleared_at' },
};

const FROZEN: LeavingsTerms = {
  left: 'frozen_at is not null and (freeze_cleared_at is null or freeze_cleared_at < frozen_at)',
  due: `frozen_at < $2::bigint - ${CALL_MILLIS_MAX}`,
  // A buy of a pair; of contracts what does not only reduce, and in two legs the side that opens (effect 1 long, 2 short).
  ends: `(symbol_type = 'SPOT' and side = 1 or symbol_type = 'SWAP' and not reduce_only and effect in (0, side))`,
  clearedAt: 'freeze_cleared_at',
};

/** Those of demos that are over: everything ends. */
export function demoLeavings(database: Database): Leavings {
  return leavings(database, DEMO);
}

/** Those of frozen members: what could make their risk larger ends. */
export function frozenLeavings(database: Database): FrozenLeavings {
  const { ends } = FROZEN;
  return {
    ...leavings(database, FROZEN),
    async opening(user) {
      const orders = await database.query<{ id: OrderId }>(
        `select id from orders where user_id = $1 and not settled and not cancel_pending and ${ends}
         order by created_at, id limit ${OPENING_MAX}`,
        [user],
      );
      const algos = await database.query<{ id: OrderId; platform: Platform }>(
        `select id, platform from algo_orders where user_id = $1 and ${ALGO_OPEN} and not cancel_pending and ${ends}
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
  };
}

/** Reads and marks them in PostgreSQL. */
function leavings(database: Database, { left, clearedAt, due, ends }: LeavingsTerms): Leavings {
  return {
    async uncleared(after, membersMax) {
      const rows = await database.query<{ id: string }>(
        `select id from members where ${left} and id > $1 order by id limit $2`,
        [after, membersMax],
      );
      return rows.map(({ id }) => Number(id) as UserId);
    },
    async markCleared(user, now) {
      await database.query(
        `update members set ${clearedAt} = $2 where id = $1 and ${left} and ${due}
           and not exists (select from orders where user_id = $1 and not settled and ${ends})
           and not exists (select from algo_orders where user_id = $1 and ${ALGO_OPEN} and ${ends})`,
        [user, now],
      );
    },
  };
}

import { createLanes, type UserId } from '@crossbook/domain';

/** So many run at once; the pool has connections for everything else beside them. */
const LONG_READS_MAX = 3;

/** Runs what may walk all that a member ever did. */
export type LongReads = <Value>(user: UserId, read: () => Promise<Value>) => Promise<Value>;

/**
 * Makes it: one read of a member at a time, in turns with those of others, and few in all. Somebody with a long history who
 * asks for sums in a loop would else have every connection, and an order would wait for one.
 */
export function createLongReads(most = LONG_READS_MAX): LongReads {
  const members = createLanes();
  const places = createLanes();
  const waiting = Array.from({ length: most }, () => 0);
  const change = (at: number, by: number): void => {
    waiting[at] = (waiting[at] ?? 0) + by;
  };
  return (user, read) =>
    members.run(String(user), () => {
      const at = waiting.indexOf(Math.min(...waiting));
      change(at, 1);
      return places.run(String(at), read).finally(() => change(at, -1));
    });
}

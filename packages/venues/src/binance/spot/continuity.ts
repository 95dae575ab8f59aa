import type { BookChange, Seq } from '@crossbook/domain';
import type { Continuity } from '../../venue-public.ts';

/**
 * Binance spot's rule for joining deltas to a book: drop u <= last; the next must have U <= last + 1 <= u,
 * every later one U = last + 1 (web-socket-streams.md, "How to manage a local order book correctly", 2026-07-21).
 * An overlap (U < last + 1 <= u) is answered with `continues` because sizes are absolute; BookSync allows it only
 * for the first delta after a snapshot.
 */
export function binanceSpotContinuity(applied: Seq, change: BookChange): Continuity {
  if (change.lastSeq <= applied) return 'already-applied';
  return change.firstSeq <= applied + 1 ? 'continues' : 'gap';
}

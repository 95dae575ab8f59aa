import type { BookChange, Seq } from '@crossbook/domain';
import type { Continuity } from '../../venue-public.ts';

/**
 * The futures' rule for joining deltas to a book: drop u < last; the first applied has U <= last <= u, every later one
 * pu = last ("How to manage a local order book correctly", USD-M futures). Update ids are shared by all symbols, so U
 * may lie far above the id before it and only `pu` proves that nothing is missing: a delta is normalised to the
 * range `(pu, u]`, its `firstSeq` is pu + 1. A snapshot anywhere in that range contains all that came before the delta,
 * which also covers what other clients accept, pu = last.
 */
export function binanceFuturesContinuity(applied: Seq, change: BookChange): Continuity {
  if (change.lastSeq <= applied) return 'already-applied';
  return change.firstSeq <= applied + 1 ? 'continues' : 'gap';
}

import type { BookChange, Seq } from '@crossbook/domain';
import type { Continuity } from '../../venue-public.ts';

/**
 * OKX's rule for joining updates to a book: each names the id before it (`prevSeqId`), which must be the last applied.
 * `firstSeq` is that id plus 1, so that an update without change (`seqId` = `prevSeqId`) and the one after maintenance,
 * whose id is lower than the one before, still continue. A range that overlaps what is applied is answered with
 * `continues` because sizes are absolute; BookSync allows it only for the first update after a snapshot by REST.
 * Source: OKX v5 guide, "Order book channel", sequence id (2026).
 */
export function okxContinuity(applied: Seq, change: BookChange): Continuity {
  if (change.firstSeq === applied + 1) return 'continues';
  if (change.lastSeq <= applied) return 'already-applied';
  return change.firstSeq <= applied ? 'continues' : 'gap';
}

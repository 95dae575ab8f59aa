import type { BookChange, Seq } from '@crossbook/domain';
import type { Continuity } from '../venue-public.ts';

/**
 * Bybit's rule: a snapshot replaces the book, each delta carries the update id of the one before plus one
 * (websocket/public/orderbook, 2026-07-24; true of every recorded delta). After a restart of its service the venue
 * sends a snapshot with u = 1; a delta whose id falls back contradicts the book.
 */
export function bybitContinuity(applied: Seq, change: BookChange): Continuity {
  if (change.lastSeq <= applied) return 'already-applied';
  return change.firstSeq === applied + 1 ? 'continues' : 'gap';
}

import type { BookChange, Seq } from '@crossbook/domain';
import type { Continuity } from '../../venue-public.ts';

/**
 * How far behind the book a delta may be and still be taken for a repeated one: ten seconds of updates. Two connections
 * overlap by less while one takes the other's place.
 */
const REPEATED_IDS_MAX = 100;

/**
 * Bybit's rule: a snapshot replaces the book, each delta carries the update id of the one before plus one
 * (websocket/public/orderbook, 2026-07-24; true of every recorded delta). After a restart of its service the venue
 * sends a snapshot with u = 1 and counts from there: ids that have fallen back far show that this snapshot was missed,
 * and taking their deltas for repetitions would keep a dead book alive.
 */
export function bybitContinuity(applied: Seq, change: BookChange): Continuity {
  if (change.lastSeq > applied) return change.firstSeq === applied + 1 ? 'continues' : 'gap';
  return applied - change.lastSeq <= REPEATED_IDS_MAX ? 'already-applied' : 'gap';
}

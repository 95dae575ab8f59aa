import type { Millis } from '@crossbook/domain';
import type { SimDepth } from '../../../exchange.ts';
import { type BookSide, changedLevels } from '../../wire/book-changes.ts';
import type { Desk } from '../desk.ts';
import type { Listed } from '../listing.ts';
import { levelRows } from '../market/market-data.ts';
import { bookChecksum, CHECKED_LEVELS } from './checksum.ts';
import type { MarketChannel } from './market-channel.ts';

/** Levels a side of the `books` channel. */
const BOOK_LEVELS = 400;
const BOOK_MILLIS = 100;
/** A book in which nothing happened says so after so long: an update without levels whose ids are equal. */
const QUIET_MILLIS_MAX = 60_000;

/**
 * `books`: the best 400 levels as they are, then every 100 ms what changed among them. Each update names the id before
 * it (`prevSeqId`), so that a client sees what it misses, and a checksum of the best 25.
 */
export function bookChannel(desk: Desk, listed: Listed): MarketChannel {
  const { instId, markets, format } = listed;
  let view: SimDepth = markets.depth(instId, BOOK_LEVELS);
  let dirty = false;
  let sentAt = desk.now();
  const strings = (side: BookSide) =>
    side
      .slice(0, CHECKED_LEVELS)
      .map(([ticks, lots]) => [format.price(ticks), format.quantity(lots)] as const);
  const push = (action: string, sides: { bids: BookSide; asks: BookSide }, previous: number, now: Millis) => {
    const row = {
      asks: levelRows(listed, sides.asks),
      bids: levelRows(listed, sides.bids),
      ts: String(now),
      checksum: bookChecksum(strings(view.bids), strings(view.asks)),
      prevSeqId: previous,
      seqId: view.lastUpdateId,
    };
    return `"action":"${action}","data":[${JSON.stringify(row)}]`;
  };
  const update = (now: Millis): readonly string[] => {
    const before = view;
    view = markets.depth(instId, BOOK_LEVELS);
    sentAt = now;
    const sides = {
      bids: changedLevels(before.bids, view.bids, 'bids'),
      asks: changedLevels(before.asks, view.asks, 'asks'),
    };
    // A lost update leaves the next one with a `prevSeqId` that its client never heard of.
    if (desk.faults.skipsDepth(`books/${instId}`)) return [];
    return [push('update', sides, before.lastUpdateId, now)];
  };
  return {
    symbol: instId,
    watches: true,
    everyMillis: BOOK_MILLIS,
    onBookChange: () => {
      dirty = true;
    },
    greeting: (now) => push('snapshot', view, -1, now),
    flush: (now) => {
      if (!dirty && now - sentAt < QUIET_MILLIS_MAX) return [];
      dirty = false;
      return update(now);
    },
  };
}

/** `books5` and `bbo-tbt`: the best levels whole, whenever they changed. */
export function topChannel(
  listed: Listed,
  shape: { readonly levels: number; readonly everyMillis: number },
): MarketChannel {
  const { instId, markets } = listed;
  let dirty = false;
  let last = '';
  const levels = () => {
    // One level alone would be told of a market that nobody looks at; a listener looks at it.
    const { bids, asks, lastUpdateId } = markets.depth(instId, Math.max(2, shape.levels));
    const row = (side: BookSide) => JSON.stringify(levelRows(listed, side.slice(0, shape.levels)));
    return { lastUpdateId, text: `"asks":${row(asks)},"bids":${row(bids)}` };
  };
  const pushOfTop = ({ lastUpdateId, text }: ReturnType<typeof levels>, now: Millis) =>
    `"data":[{${text},"instId":"${instId}","ts":"${now}","seqId":${lastUpdateId}}]`;
  return {
    symbol: instId,
    watches: true,
    everyMillis: shape.everyMillis,
    onBookChange: () => {
      dirty = true;
    },
    greeting: (now) => pushOfTop(levels(), now),
    flush: (now) => {
      if (!dirty) return [];
      dirty = false;
      const top = levels();
      if (top.text === last) return [];
      last = top.text;
      return [pushOfTop(top, now)];
    },
  };
}

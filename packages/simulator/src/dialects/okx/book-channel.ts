import type { Lots, Millis, Ticks } from '@crossbook/domain';
import type { SimDepth } from '../../exchange.ts';
import { bookChecksum, CHECKED_LEVELS } from './checksum.ts';
import type { Desk } from './desk.ts';
import type { Listed } from './listing.ts';
import type { MarketChannel } from './market-channel.ts';
import { levelRows } from './market-data.ts';

type Side = readonly (readonly [Ticks, Lots])[];

/** Levels a side of the `books` channel. */
const BOOK_LEVELS = 400;
const BOOK_MILLIS = 100;
/** A book in which nothing happened says so after so long: an update without levels whose ids are equal. */
const QUIET_MILLIS_MAX = 60_000;

/** What changed between two pictures of a side, best first; a level that is gone has size 0. */
export function changedLevels(
  before: Side,
  after: Side,
  better: (one: Ticks, other: Ticks) => boolean,
): Side {
  const changed: (readonly [Ticks, Lots])[] = [];
  let old = 0;
  let fresh = 0;
  while (old < before.length || fresh < after.length) {
    const was = before[old];
    const is = after[fresh];
    if (is !== undefined && (was === undefined || better(is[0], was[0]))) {
      changed.push(is);
      fresh += 1;
    } else if (was !== undefined && (is === undefined || better(was[0], is[0]))) {
      changed.push([was[0], 0 as Lots]);
      old += 1;
    } else {
      if (was !== undefined && is !== undefined && is[1] !== was[1]) changed.push(is);
      old += 1;
      fresh += 1;
    }
  }
  return changed;
}

const higher = (one: Ticks, other: Ticks): boolean => one > other;
const lower = (one: Ticks, other: Ticks): boolean => one < other;

/**
 * `books`: the best 400 levels as they are, then every 100 ms what changed among them. Each update names the id before
 * it (`prevSeqId`), so that a client sees what it misses, and a checksum of the best 25 (wire.md 3.8).
 */
export function bookChannel(desk: Desk, listed: Listed): MarketChannel {
  const { instId, markets, figures } = listed;
  let view: SimDepth = markets.depth(instId, BOOK_LEVELS);
  let dirty = false;
  let toldAt = desk.now();
  const strings = (side: Side) =>
    side
      .slice(0, CHECKED_LEVELS)
      .map(([ticks, lots]) => [figures.price(ticks), figures.quantity(lots)] as const);
  const push = (action: string, sides: { bids: Side; asks: Side }, previous: number, now: Millis) => {
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
    toldAt = now;
    const sides = {
      bids: changedLevels(before.bids, view.bids, higher),
      asks: changedLevels(before.asks, view.asks, lower),
    };
    // A lost update leaves the next one with a `prevSeqId` that its client never heard of.
    if (desk.faults.skipsDepth(`books/${instId}`)) return [];
    return [push('update', sides, before.lastUpdateId, now)];
  };
  return {
    instId,
    watches: true,
    everyMillis: BOOK_MILLIS,
    onBookChange: () => {
      dirty = true;
    },
    greeting: (now) => push('snapshot', view, -1, now),
    flush: (now) => {
      if (!dirty && now - toldAt < QUIET_MILLIS_MAX) return [];
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
    const row = (side: Side) => JSON.stringify(levelRows(listed, side.slice(0, shape.levels)));
    return { lastUpdateId, text: `"asks":${row(asks)},"bids":${row(bids)}` };
  };
  const pushOfTop = ({ lastUpdateId, text }: ReturnType<typeof levels>, now: Millis) =>
    `"data":[{${text},"instId":"${instId}","ts":"${now}","seqId":${lastUpdateId}}]`;
  return {
    instId,
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

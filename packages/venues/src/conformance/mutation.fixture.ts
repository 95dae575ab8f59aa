import type { MarketMessage } from '../venue-public.ts';

/** Damages frames for property tests, and says whether what a codec made of them can be trusted. */

/** One change of some bytes: what, where, and a byte that decides the rest. */
export type Edit = readonly [kind: number, where: number, value: number];

const TELLING_BYTES = '0123456789.-eE"[]{},:';

/** Changes bytes: sets, removes, inserts, copies another part, or puts a character that JSON and figures are made of. */
export function mutated(bytes: Buffer, edits: readonly Edit[]): Buffer {
  let changed = Buffer.from(bytes);
  for (const [kind, where, value] of edits) {
    const at = where % Math.max(changed.length, 1);
    if (kind === 0) changed[at] = value;
    else if (kind === 1)
      changed = Buffer.concat([changed.subarray(0, at), changed.subarray(at + 1 + (value % 40))]);
    else if (kind === 2)
      changed = Buffer.concat([changed.subarray(0, at), Buffer.of(value), changed.subarray(at)]);
    else if (kind === 3) changed = Buffer.concat([changed, changed.subarray(at, at + value)]);
    else changed[at] = TELLING_BYTES.charCodeAt(value % TELLING_BYTES.length);
  }
  return changed;
}

const KINDS = new Set<MarketMessage['kind']>([
  'book',
  'trades',
  'ticker',
  'perp-stats',
  'candle',
  'acknowledged',
  'ignored',
  'malformed',
]);

/** Every figure of a decoded message that is no figure in range; empty for a sound message. */
export function unsoundValues(message: MarketMessage): readonly unknown[] {
  if (!KINDS.has(message.kind)) return [message.kind];
  if (message.kind === 'book') {
    // An update that changes nothing may end where the one before ended.
    const { firstSeq, lastSeq, bids, asks } = message.change;
    return [firstSeq, lastSeq, ...bids.flat(), ...asks.flat()].filter((value) => !isCount(value));
  }
  if (message.kind === 'trades') {
    const { trades } = message;
    const nothing = trades.filter((trade) => trade.price === 0 || trade.size === 0);
    const values = trades.flatMap((trade) => [trade.price, trade.size, trade.time]);
    return [...nothing, ...values.filter((value) => !isCount(value))];
  }
  if (message.kind === 'ticker') return decimals([message.ticker.lastPrice, message.ticker.volume]);
  if (message.kind === 'perp-stats') {
    const { markPrice, indexPrice, fundingRate } = message.stats;
    return decimals([markPrice, indexPrice, fundingRate].filter((value) => value !== undefined));
  }
  if (message.kind !== 'candle') return [];
  const { open, high, low, close, volume } = message.candle;
  return [open, high, low, close, volume].filter((value) => !Number.isFinite(value) || value < 0);
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

function decimals(texts: readonly string[]): readonly string[] {
  return texts.filter((text) => !/^-?[0-9]+(?:\.[0-9]+)?$/.test(text));
}

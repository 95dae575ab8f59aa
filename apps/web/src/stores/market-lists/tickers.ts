import type { TickerFrame } from '@crossbook/contract';
import type { Platform, SymbolType, Ticker } from '@crossbook/domain';
import { createStore } from 'zustand/vanilla';
import { type PriceDirection, priceDirection } from '../../calculators/market/price-direction.ts';
import { bootConfig } from '../app/boot.ts';
import { now } from '../app/clock.ts';
import { follow } from '../market/live.ts';
import { type MarketName, marketKey, streamName } from '../market/market.ts';
import { venueRest } from '../market/venue-rest.ts';

/** 24-hour figures of one symbol as the stream sends them, and which way the last price moved. */
export type TickerRow = TickerFrame['d'] & { readonly direction: PriceDirection };

/** How the tickers of one of a platform's markets were last read by REST. */
export interface TickersRead {
  /** When they were last read, ms; `undefined` before the first time. */
  readonly at: number | undefined;
  /** Whether the newest try failed: what is shown is what was read before. */
  readonly failing: boolean;
}

/** Tickers of the lists on screen by `marketKey`, and the reads by `readKey`. */
export const tickersStore = createStore<{
  readonly rows: ReadonlyMap<string, TickerRow>;
  readonly reads: ReadonlyMap<string, TickersRead>;
}>(() => ({ rows: new Map(), reads: new Map() }));

/** Lists are repainted at most this often, however many symbols move. */
const REPAINT_MILLIS = 250;

const pending = new Map<string, TickerRow>();
const pendingReads = new Map<string, TickersRead>();
let repaintDue = false;

/** Names the list of one of a platform's markets. */
export function readKey(platform: Platform, symbolType: SymbolType): string {
  return `${platform}:${symbolType}`;
}

function flush(): void {
  repaintDue = false;
  const before = tickersStore.getState();
  const rows = pending.size === 0 ? before.rows : new Map([...before.rows, ...pending]);
  const reads = pendingReads.size === 0 ? before.reads : new Map([...before.reads, ...pendingReads]);
  pending.clear();
  pendingReads.clear();
  tickersStore.setState({ rows, reads });
}

function repaintSoon(): void {
  if (repaintDue) return;
  repaintDue = true;
  setTimeout(flush, REPAINT_MILLIS);
}

function fold(market: MarketName, stats: TickerFrame['d']): void {
  const key = marketKey(market);
  const before = pending.get(key) ?? tickersStore.getState().rows.get(key);
  // A REST answer may be older than what the stream has said meanwhile.
  if (before !== undefined && before.t > stats.t) return;
  const last = before === undefined ? undefined : Number(before.last);
  const direction = priceDirection(before?.direction ?? 'none', last, Number(stats.last));
  pending.set(key, { ...stats, direction });
  repaintSoon();
}

/** Follows the tickers of a list until the returned function is called. */
export function followTickers(markets: readonly MarketName[]): () => void {
  const releases = markets.map((market) =>
    follow(market.platform, { ch: 'ticker', ...streamName(market) }, (frame) => fold(market, frame.d)),
  );
  return () => {
    for (const release of releases) release();
  };
}

/** Lists are read again by REST this often; every 2 s before production (spec section 9). */
const REFRESH_MILLIS = { production: 10_000, preproduction: 2_000, test: 10_000 } as const;

/** A venue's ticker in the words of the stream. */
function streamStats(ticker: Ticker): TickerFrame['d'] {
  const { lastSize, markPrice, indexPrice, fundingRate, nextFundingTime, openInterest } = ticker;
  return {
    last: ticker.lastPrice,
    change: ticker.change,
    open: ticker.openPrice,
    high: ticker.highPrice,
    low: ticker.lowPrice,
    volume: ticker.volume,
    quoteVolume: ticker.quoteVolume,
    ...(lastSize === undefined ? {} : { lastSize }),
    t: ticker.time,
    ...(markPrice === undefined ? {} : { mark: markPrice }),
    ...(indexPrice === undefined ? {} : { index: indexPrice }),
    ...(fundingRate === undefined ? {} : { funding: fundingRate }),
    ...(nextFundingTime === undefined ? {} : { nextFunding: nextFundingTime }),
    ...(openInterest === undefined ? {} : { interest: openInterest }),
  };
}

async function refresh(platform: Platform, symbolType: SymbolType): Promise<void> {
  const rest = await venueRest(platform, symbolType);
  const answer = await rest?.tickers(symbolType);
  const key = readKey(platform, symbolType);
  // A failure is silent (spec section 8): what was read before stays, and its age tells.
  if (answer?.ok !== true) {
    const at = pendingReads.get(key)?.at ?? tickersStore.getState().reads.get(key)?.at;
    pendingReads.set(key, { at, failing: true });
    repaintSoon();
    return;
  }
  for (const ticker of answer.value) {
    fold({ platform, symbolType, symbol: ticker.symbol }, streamStats(ticker));
  }
  pendingReads.set(key, { at: now(), failing: false });
  repaintSoon();
}

/** Pause between two reads of a list: 10 s, or 2 s before production (spec section 9). */
export function refreshMillis(): number {
  return REFRESH_MILLIS[bootConfig().environment];
}

/** Runs now, again after each pause, and when the page becomes visible, until the returned function is called. */
export function repeatWhileShown(task: () => void): () => void {
  task();
  const id = setInterval(() => document.visibilityState === 'visible' && task(), refreshMillis());
  const look = () => document.visibilityState === 'visible' && task();
  document.addEventListener('visibilitychange', look);
  return () => {
    clearInterval(id);
    document.removeEventListener('visibilitychange', look);
  };
}

/** Reads the tickers of one of a platform's markets by REST now and again until the returned function is called. */
export function refreshTickers(platform: Platform, symbolType: SymbolType): () => void {
  return repeatWhileShown(() => void refresh(platform, symbolType));
}

import type { TickerFrame } from '@crossbook/contract';
import type { Platform } from '@crossbook/domain';
import { createStore } from 'zustand/vanilla';
import { type PriceDirection, priceDirection } from '../calculators/price-direction.ts';
import { bootConfig } from './boot.ts';
import { follow } from './live.ts';

/** 24-hour figures of one symbol as the stream sends them, and which way the last price moved. */
export type TickerRow = TickerFrame['d'] & { readonly direction: PriceDirection };

/** Tickers of the lists on screen, by `tickerKey`. */
export const tickersStore = createStore<{ readonly rows: ReadonlyMap<string, TickerRow> }>(() => ({
  rows: new Map(),
}));

/** Lists are repainted at most this often, however many symbols move. */
const REPAINT_MILLIS = 250;

const pending = new Map<string, TickerRow>();
let repaintDue = false;

/** Names a ticker: symbols repeat across platforms. */
export function tickerKey(platform: Platform, symbol: string): string {
  return `${platform}:${symbol}`;
}

function flush(): void {
  repaintDue = false;
  const rows = new Map([...tickersStore.getState().rows, ...pending]);
  pending.clear();
  tickersStore.setState({ rows });
}

function fold(platform: Platform, frame: Pick<TickerFrame, 's' | 'd'>): void {
  const key = tickerKey(platform, frame.s);
  const before = pending.get(key) ?? tickersStore.getState().rows.get(key);
  // A REST answer may be older than what the stream has said meanwhile.
  if (before !== undefined && before.t > frame.d.t) return;
  const last = before === undefined ? undefined : Number(before.last);
  const direction = priceDirection(before?.direction ?? 'none', last, Number(frame.d.last));
  pending.set(key, { ...frame.d, direction });
  if (repaintDue) return;
  repaintDue = true;
  setTimeout(flush, REPAINT_MILLIS);
}

/** Follows the tickers of a list until the returned function is called. */
export function followTickers(platform: Platform, symbols: readonly string[]): () => void {
  const releases = symbols.map((s) =>
    follow(platform, { ch: 'ticker', s }, (frame) => fold(platform, frame)),
  );
  return () => {
    for (const release of releases) release();
  };
}

/** Lists are read again by REST this often; every 2 s before production (spec section 9). */
const REFRESH_MILLIS = { production: 10_000, preproduction: 2_000, test: 10_000 } as const;

async function refresh(platform: Platform): Promise<void> {
  // The venue's decoder is a chunk of its own: lists show live prices before it has arrived.
  const { readVenueTickers } = await import('./venue-tickers.ts');
  for (const ticker of await readVenueTickers(platform)) {
    const { symbol, lastPrice, change, openPrice, highPrice, lowPrice, volume, quoteVolume, time } = ticker;
    const d = {
      last: lastPrice,
      change,
      open: openPrice,
      high: highPrice,
      low: lowPrice,
      volume,
      quoteVolume,
      t: time,
    };
    fold(platform, { s: symbol, d });
  }
}

/** Reads a platform's tickers by REST now and again every 10 s until the returned function is called. */
export function refreshTickers(platform: Platform): () => void {
  const { environment } = bootConfig();
  void refresh(platform);
  const id = setInterval(() => void refresh(platform), REFRESH_MILLIS[environment]);
  return () => clearInterval(id);
}

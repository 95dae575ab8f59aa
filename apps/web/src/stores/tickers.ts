import type { TickerFrame } from '@crossbook/contract';
import type { Platform, SymbolType, Ticker } from '@crossbook/domain';
import { createStore } from 'zustand/vanilla';
import { type PriceDirection, priceDirection } from '../calculators/price-direction.ts';
import { bootConfig } from './boot.ts';
import { follow } from './live.ts';
import { type MarketName, marketKey, streamMarket } from './market.ts';
import { venueRest } from './venue-rest.ts';

/** 24-hour figures of one symbol as the stream sends them, and which way the last price moved. */
export type TickerRow = TickerFrame['d'] & { readonly direction: PriceDirection };

/** Tickers of the lists on screen, by `marketKey`. */
export const tickersStore = createStore<{ readonly rows: ReadonlyMap<string, TickerRow> }>(() => ({
  rows: new Map(),
}));

/** Lists are repainted at most this often, however many symbols move. */
const REPAINT_MILLIS = 250;

const pending = new Map<string, TickerRow>();
let repaintDue = false;

function flush(): void {
  repaintDue = false;
  const rows = new Map([...tickersStore.getState().rows, ...pending]);
  pending.clear();
  tickersStore.setState({ rows });
}

function fold(market: MarketName, figures: TickerFrame['d']): void {
  const key = marketKey(market);
  const before = pending.get(key) ?? tickersStore.getState().rows.get(key);
  // A REST answer may be older than what the stream has said meanwhile.
  if (before !== undefined && before.t > figures.t) return;
  const last = before === undefined ? undefined : Number(before.last);
  const direction = priceDirection(before?.direction ?? 'none', last, Number(figures.last));
  pending.set(key, { ...figures, direction });
  if (repaintDue) return;
  repaintDue = true;
  setTimeout(flush, REPAINT_MILLIS);
}

/** Follows the tickers of a list until the returned function is called. */
export function followTickers(markets: readonly MarketName[]): () => void {
  const releases = markets.map((market) =>
    follow(market.platform, { ch: 'ticker', s: market.symbol, ...streamMarket(market.symbolType) }, (frame) =>
      fold(market, frame.d),
    ),
  );
  return () => {
    for (const release of releases) release();
  };
}

/** Lists are read again by REST this often; every 2 s before production (spec section 9). */
const REFRESH_MILLIS = { production: 10_000, preproduction: 2_000, test: 10_000 } as const;

/** A venue's ticker in the words of the stream. */
function streamFigures(ticker: Ticker): TickerFrame['d'] {
  const { markPrice, indexPrice, fundingRate, nextFundingTime, openInterest } = ticker;
  return {
    last: ticker.lastPrice,
    change: ticker.change,
    open: ticker.openPrice,
    high: ticker.highPrice,
    low: ticker.lowPrice,
    volume: ticker.volume,
    quoteVolume: ticker.quoteVolume,
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
  // Failures are silent and yield none (spec section 8).
  if (answer?.ok !== true) return;
  for (const ticker of answer.value) {
    fold({ platform, symbolType, symbol: ticker.symbol }, streamFigures(ticker));
  }
}

/** Reads the tickers of one of a platform's markets by REST now and again every 10 s until the returned function is called. */
export function refreshTickers(platform: Platform, symbolType: SymbolType): () => void {
  const { environment } = bootConfig();
  void refresh(platform, symbolType);
  const id = setInterval(() => void refresh(platform, symbolType), REFRESH_MILLIS[environment]);
  return () => clearInterval(id);
}

/** How long the hub may give an answer to others, ms: the same at all exchanges, so that screens feel alike. */
export const KEEP_MILLIS = {
  time: 0,
  /** Depth and trades: what a screen shows for a moment anyway. */
  book: 500,
  /** Tickers, marks and funding: lists refresh every 2 or 10 s. */
  ticker: 1_000,
  /** Tickers of all instruments where they weigh forty times one (Binance): half of the pause between two lists. */
  allTickers: 5_000,
  /** Figures that exchanges work out now and then. */
  openInterest: 5_000,
  /** Rates of the past. */
  fundingHistory: 60_000,
  /** The server itself reads them every ten minutes. */
  instruments: 120_000,
} as const;

import { randomBytes } from 'node:crypto';
import { type Millis, toNumberForDisplay } from '@crossbook/domain';
import { type OpenedVenue, openVenues } from '@crossbook/simulator';
import { type BookLook, correlation, type MinuteBar, returnsOf, type TapeTrade } from './measures.ts';

/** The same metrics of the simulated venues, on a clock of their own: nobody waits for the market. */

const SEED = 1;
const START = Date.UTC(2026, 10, 20, 23, 54) as Millis;
const STEP_MILLIS = 50;
const LOOK_STEPS = 20;
const LEVELS_SHOWN = 1_000;
const DAY_MINUTES = 1_440;

/** One half of a venue. */
export type Half = 'spot' | 'perps';

/** Simulated venues and their clock. */
export interface SimulatedMarkets {
  readonly binance: OpenedVenue;
  readonly bybit: OpenedVenue;
  /** Lets time pass in steps as the timer would. */
  pass(millis: number, each?: (step: number) => void): void;
  close(): Promise<void>;
}

/** Opens Binance and Bybit. @param start when the clock begins. */
export async function openMarkets(start: number = START): Promise<SimulatedMarkets> {
  let now: number = start;
  const opened = await openVenues(['binance', 'bybit'], {
    seed: SEED,
    clock: () => now as Millis,
    randomBytes: (size) => randomBytes(size),
    onFault: (fault) => {
      throw fault;
    },
  });
  if (!opened.ok) throw new Error(opened.code);
  const [binance, bybit] = opened.value as [OpenedVenue, OpenedVenue];
  return {
    binance,
    bybit,
    pass: (millis, each) => {
      for (let step = 0; step < millis / STEP_MILLIS; step += 1) {
        now += STEP_MILLIS;
        for (const venue of opened.value) venue.step(now as Millis);
        each?.(step);
      }
    },
    close: async () => {
      for (const venue of opened.value) await venue.close();
    },
  };
}

/** So many minutes of BTCUSDT up to now. */
export function simulatedBars(venue: OpenedVenue, half: Half, minutes: number): readonly MinuteBar[] {
  return venue.sides[half].candles('BTCUSDT', '1m', { limit: minutes + 1 }).slice(0, -1);
}

/**
 * When so many minutes began that turned over nearest to what was recorded, among the last minutes of both halves: what is
 * recorded is compared with minutes that are as busy.
 * @param turnovers USDT a second.
 */
export function minutesLike(
  venue: OpenedVenue,
  turnovers: Readonly<Record<Half, number>>,
  of: { readonly minutes: number; readonly among: number },
): number {
  const bars = {
    spot: simulatedBars(venue, 'spot', of.among),
    perps: simulatedBars(venue, 'perps', of.among),
  };
  const difference = (at: number): number =>
    Math.hypot(
      ...(['spot', 'perps'] as const).map((half) => {
        const some = bars[half].slice(at, at + of.minutes);
        const value = some.reduce((sum, { volume, close }) => sum + volume * close, 0);
        return Math.log(value / (of.minutes * 60) / turnovers[half]);
      }),
    );
  const starts = bars.spot.slice(0, -of.minutes).map((_, at) => at);
  const nearest = starts.reduce((best, at) => (difference(at) < difference(best) ? at : best), 0);
  return bars.spot[nearest]?.time ?? START;
}

/** The trades of a market since then; BTCUSDT where none is named. */
export function simulatedTrades(
  venue: OpenedVenue,
  half: Half,
  since: number,
  symbol = 'BTCUSDT',
): TapeTrade[] {
  const facts = venue[half].markets.get(symbol);
  if (facts === undefined) return [];
  const unit = toNumberForDisplay(facts.tickSize) * toNumberForDisplay(facts.lotSize);
  return venue.sides[half]
    .trades(symbol, { limit: 1_000_000 })
    .filter(({ time }) => time >= since)
    .map(({ time, price, quantity, buyerIsMaker }) => ({
      time,
      value: price * quantity * unit,
      buys: !buyerIsMaker,
    }));
}

/** What a watched market shows in so many milliseconds: its book once a second and all its trades. */
export function watchedSession(
  markets: SimulatedMarkets,
  of: { readonly venue: 'binance' | 'bybit'; readonly half: Half; readonly symbol: string },
  millis: number,
): { readonly trades: readonly TapeTrade[]; readonly looks: readonly BookLook[] } {
  const { half, symbol } = of;
  const venue = markets[of.venue];
  const leave = venue.watch(half, symbol);
  const facts = venue[half].markets.get(symbol);
  const tick = facts === undefined ? 1 : toNumberForDisplay(facts.tickSize);
  const lot = facts === undefined ? 1 : toNumberForDisplay(facts.lotSize);
  const looks: BookLook[] = [];
  const since = venue.spot.now();
  markets.pass(millis, (step) => {
    if (step % LOOK_STEPS !== 0) return;
    const book = venue[half].depth(symbol, LEVELS_SHOWN);
    const side = (levels: typeof book.bids) =>
      levels.map(([price, size]) => [price * tick, size * lot] as const);
    looks.push({ bids: side(book.bids), asks: side(book.asks) });
  });
  const trades = simulatedTrades(venue, half, since, symbol);
  leave();
  return { trades, looks };
}

/** How alike the lines of the last 24 hours are: the correlations of hourly returns of every two coins, ascending. */
export function lineLikeness(venue: OpenedVenue): readonly number[] {
  const symbols = [...venue.spot.markets.values()].filter(
    ({ status, quote }) => status === 'TRADING' && quote === 'USDT',
  );
  const days = 10;
  const rows = symbols.map(({ symbol }) =>
    returnsOf(
      venue.sides.spot.candles(symbol, '1h', { limit: (days * DAY_MINUTES) / 60 }).map(({ close }) => close),
    ),
  );
  return rows
    .flatMap((row, at) => rows.slice(at + 1).map((other) => correlation(row, other)))
    .sort((left, right) => left - right);
}

import type { CandleInterval, Instrument, Platform, SymbolType } from '@crossbook/domain';
import {
  BINANCE_FUTURES_CAPABILITIES,
  BINANCE_SPOT_CAPABILITIES,
  BYBIT_CAPABILITIES,
  OKX_CAPABILITIES,
  type VenuePublicRest,
} from '@crossbook/venues';
import type { ReadCandlePage } from '../../../stores/candles.ts';
import { venueRest } from '../../../stores/venue-rest.ts';

/** Bars asked for at once: on the first request, and scrolling back (spec section 9). A venue may give fewer. */
const CANDLE_PAGES: Readonly<Record<Platform, { readonly first: number; readonly older: number }>> = {
  1: { first: 1_500, older: 1_500 },
  2: { first: 300, older: 100 },
  3: { first: 1_000, older: 1_000 },
};

/** Reads candle pages of one instrument from the venue's public REST. */
export function candleReader(instrument: Instrument, interval: CandleInterval): ReadCandlePage {
  const { platform, symbolType } = instrument;
  const { first, older } = CANDLE_PAGES[platform];
  let rest: VenuePublicRest | undefined;
  return async (endTime) => {
    // One reader for the life of the series: bars that a venue lacks are built from pages it has seen.
    rest ??= await venueRest(platform, symbolType, [instrument]);
    const page = endTime === undefined ? { limit: first } : { limit: older, endTime };
    const answer = await rest?.candles(instrument, interval, page);
    return answer?.ok === true ? answer.value : undefined;
  };
}

const OKX_INTERVALS: readonly CandleInterval[] = [
  ...OKX_CAPABILITIES.candleIntervals,
  ...OKX_CAPABILITIES.builtCandleIntervals.keys(),
];

/** Intervals that a venue has, itself or built from shorter bars. One-second bars are never built (decisions.md 24). */
export function offeredIntervals(platform: Platform, symbolType: SymbolType): readonly CandleInterval[] {
  if (platform === 2) return OKX_INTERVALS;
  if (platform === 3) return BYBIT_CAPABILITIES.candleIntervals;
  return symbolType === 'SPOT'
    ? BINANCE_SPOT_CAPABILITIES.candleIntervals
    : BINANCE_FUTURES_CAPABILITIES.candleIntervals;
}

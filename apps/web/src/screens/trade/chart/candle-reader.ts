import type { CandleInterval, Instrument, Platform, SymbolType } from '@crossbook/domain';
import type { ReadCandlePage } from '../../../stores/market/candles.ts';
import { candlesOffered } from '../../../stores/market/market.ts';
import { venueRest } from '../../../stores/market/venue-rest.ts';

/** Reads candle pages of one instrument from the venue's public REST. */
export function candleReader(instrument: Instrument, interval: CandleInterval): ReadCandlePage {
  const { platform, symbolType } = instrument;
  const { newestPageMax, olderPageMax } = candlesOffered(platform, symbolType);
  let rest: Awaited<ReturnType<typeof venueRest>>;
  return async (endTime) => {
    // One reader for the life of the series: bars that a venue lacks are built from pages it has seen.
    rest ??= await venueRest(platform, symbolType, [instrument]);
    const page = endTime === undefined ? { limit: newestPageMax } : { limit: olderPageMax, endTime };
    const answer = await rest?.candles(instrument, interval, page);
    return answer?.ok === true ? answer.value : undefined;
  };
}

/** What the interval bar shows; all of the specification's resolutions are in the list behind it. */
export const INTERVALS_ON_THE_BAR: readonly CandleInterval[] = [
  '1s',
  '1m',
  '5m',
  '15m',
  '1h',
  '4h',
  '1d',
  '1w',
];

/** Intervals that a venue has, itself or built from shorter bars. */
export function offeredIntervals(platform: Platform, symbolType: SymbolType): readonly CandleInterval[] {
  const { native, built } = candlesOffered(platform, symbolType);
  return [...native, ...built.keys()];
}

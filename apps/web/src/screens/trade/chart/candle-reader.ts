import type { CandleInterval, Instrument } from '@crossbook/domain';
import { createBinancePublic, type FetchText } from '@crossbook/venues';
import { CANDLES_PER_PAGE, type ReadCandlePage } from '../../../stores/candles.ts';
import { now } from '../../../stores/clock.ts';

/** Longest wait for a page of candles. */
const FETCH_MILLIS_MAX = 15_000;

const fetchText: FetchText = async (url) => {
  const response = await fetch(url, { signal: AbortSignal.timeout(FETCH_MILLIS_MAX) });
  return { status: response.status, text: await response.text() };
};

/** Reads candle pages of one instrument from the venue's public REST, at the base that the hub handed out. */
export function candleReader(
  restBase: string,
  instrument: Instrument,
  interval: CandleInterval,
): ReadCandlePage {
  const base = new URL(restBase, window.location.href).href.replace(/\/$/, '');
  // Live candles come from the hub's own stream, so the venue's socket is never opened.
  const venue = createBinancePublic({
    restBase: base,
    socketBase: '',
    fetchText,
    clock: now,
    instruments: [instrument],
  });
  return async (endTime) => {
    const page = { limit: CANDLES_PER_PAGE, ...(endTime === undefined ? {} : { endTime }) };
    const answer = await venue.rest.candles(instrument, interval, page);
    return answer.ok ? answer.value : undefined;
  };
}

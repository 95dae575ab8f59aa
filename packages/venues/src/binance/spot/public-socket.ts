import type { MarketChannel, PublicSocketCodec } from '../../venue-public.ts';
import { trimBase } from '../../wire/query-url.ts';
import type { InstrumentTable } from '../../wire/scaled-instruments.ts';
import {
  CANDLE_READER,
  decodeCombined,
  type StreamReader,
  TICKER_READER,
} from '../market/combined-stream.ts';
import { normaliseBookDelta, normaliseStreamTrade } from '../market/normalise.ts';
import { streamName } from '../symbols.ts';
import { COMBINED_STREAM_PATH } from '../urls.ts';

/** The venue closes every connection at this age. */
const CONNECTION_LIFE_MILLIS_MAX = 24 * 3_600_000;

/** The codec of Binance spot's combined stream: `{"stream":"btcusdt@trade","data":{…}}`. */
export function createBinancePublicSocket(
  socketBase: string,
  instruments: InstrumentTable,
): PublicSocketCodec {
  const control = (method: string, channels: readonly MarketChannel[], requestId: number): string =>
    JSON.stringify({ method, params: channels.map(streamName), id: requestId });
  return {
    url: () => `${trimBase(socketBase)}${COMBINED_STREAM_PATH}`,
    subscribe: (channels, requestId) => control('SUBSCRIBE', channels, requestId),
    unsubscribe: (channels, requestId) => control('UNSUBSCRIBE', channels, requestId),
    decode: (frame, receivedAt) => decodeCombined(frame, receivedAt, instruments, readerOf),
    lifeMillisMax: CONNECTION_LIFE_MILLIS_MAX,
  };
}

const BOOK_READER: StreamReader = {
  event: 'depthUpdate',
  read({ data, scales, receivedAt }) {
    const change = normaliseBookDelta(data, scales, receivedAt);
    return change && { kind: 'book', change };
  },
};

const TRADE_READER: StreamReader = {
  event: 'trade',
  read({ data, scales }) {
    const trade = normaliseStreamTrade(data, scales);
    return trade && { kind: 'trades', trades: [trade] };
  },
};

function readerOf(channel: string): StreamReader | undefined {
  if (channel === 'depth' || channel === 'depth@100ms') return BOOK_READER;
  if (channel === 'trade') return TRADE_READER;
  if (channel === 'ticker') return TICKER_READER;
  return channel.startsWith('kline_') ? CANDLE_READER : undefined;
}

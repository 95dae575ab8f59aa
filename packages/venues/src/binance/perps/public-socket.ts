import type { MarketChannel, PublicSocketCodec } from '../../venue-public.ts';
import { trimBase } from '../../wire/query-url.ts';
import type { InstrumentTable } from '../../wire/scaled-instruments.ts';
import {
  CANDLE_READER,
  decodeCombined,
  type StreamReader,
  TICKER_READER,
} from '../market/combined-stream.ts';
import { streamName } from '../symbols.ts';
import { COMBINED_STREAM_PATH } from '../urls.ts';
import { normaliseFuturesDelta, normaliseFuturesTrade, normaliseStreamPremium } from './normalise.ts';

/** The two paths over which the streams are split since 2026-04-23, and what we follow on each. */
const LANES: Readonly<Record<'public' | 'market', readonly MarketChannel['kind'][]>> = {
  public: ['book', 'trades'],
  market: ['ticker', 'candle'],
};

/** The venue closes every connection at this age. */
const CONNECTION_LIFE_MILLIS_MAX = 24 * 3_600_000;

/**
 * The codec of the futures' combined stream of one path. `@trade` is followed rather than the documented `@aggTrade`
 * because only it has the ids of the REST trades, so that a tape can join the two.
 */
export function createBinanceFuturesPublicSocket(
  socketBase: string,
  lane: 'public' | 'market',
  instruments: InstrumentTable,
): PublicSocketCodec {
  const control = (method: string, channels: readonly MarketChannel[], requestId: number): string =>
    JSON.stringify({ method, params: channels.flatMap(streamNames), id: requestId });
  return {
    url: () => `${trimBase(socketBase)}/${lane}${COMBINED_STREAM_PATH}`,
    carries: (channel) => LANES[lane].includes(channel.kind),
    subscribe: (channels, requestId) => control('SUBSCRIBE', channels, requestId),
    unsubscribe: (channels, requestId) => control('UNSUBSCRIBE', channels, requestId),
    decode: (frame, receivedAt) => decodeCombined(frame, receivedAt, instruments, readerOf),
    lifeMillisMax: CONNECTION_LIFE_MILLIS_MAX,
  };
}

/** A ticker is two streams here: mark, index and funding come apart from the 24 hours. */
function streamNames(channel: MarketChannel): readonly string[] {
  const name = streamName(channel);
  return channel.kind === 'ticker' ? [name, `${channel.symbol.toLowerCase()}@markPrice@1s`] : [name];
}

const BOOK_READER: StreamReader = {
  event: 'depthUpdate',
  read({ data, scales, receivedAt }) {
    const change = normaliseFuturesDelta(data, scales, receivedAt);
    return change && { kind: 'book', change };
  },
};

const TRADE_READER: StreamReader = {
  event: 'trade',
  read({ data, scales }) {
    const trade = normaliseFuturesTrade(data, scales);
    if (trade === 'off-book') return { kind: 'ignored' };
    return trade && { kind: 'trades', trades: [trade] };
  },
};

const PREMIUM_READER: StreamReader = {
  event: 'markPriceUpdate',
  read({ data }) {
    const premium = normaliseStreamPremium(data);
    return premium && { kind: 'perp-stats', ...premium };
  },
};

/** Diffs at any speed; `depth5`, `depth10` and `depth20` are partial books and no diffs. */
const DIFF_CHANNEL = /^depth(?:@(?:0|100|500)ms)?$/;

function readerOf(channel: string): StreamReader | undefined {
  if (DIFF_CHANNEL.test(channel)) return BOOK_READER;
  if (channel === 'trade') return TRADE_READER;
  if (channel === 'ticker') return TICKER_READER;
  if (channel === 'markPrice' || channel === 'markPrice@1s') return PREMIUM_READER;
  return channel.startsWith('kline_') ? CANDLE_READER : undefined;
}

import type { Millis } from '@crossbook/domain';
import type { MarketChannel, MarketMessage, PublicSocketCodec } from '../venue-public.ts';
import { BINANCE_SPOT_CAPABILITIES } from './capabilities.ts';
import {
  normaliseBookDelta,
  normaliseStreamCandle,
  normaliseStreamTicker,
  normaliseStreamTrade,
} from './normalise.ts';
import { type InstrumentTable, streamName } from './symbols.ts';
import { COMBINED_STREAM_PATH, trimBase } from './urls.ts';
import { asCounter, asObject, asText, parseJson, textOf, type WireObject } from './wire.ts';

/** A frame larger than this is not read: the venue's largest message is well under 1 MB. */
const FRAME_BYTES_MAX = 4_000_000;

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
    decode: (frame, receivedAt) => decodeFrame(frame, receivedAt, instruments),
    lifeMillisMax: BINANCE_SPOT_CAPABILITIES.connectionLifeMillisMax,
  };
}

function decodeFrame(frame: Uint8Array, receivedAt: Millis, instruments: InstrumentTable): MarketMessage {
  if (frame.length > FRAME_BYTES_MAX) return malformed('frame too large');
  const text = textOf(frame);
  if (text === undefined) return malformed('not UTF-8');
  const message = asObject(parseJson(text));
  if (message === undefined) return malformed('not a JSON object');
  const stream = asText(message.stream);
  if (stream === undefined) return controlAnswer(message);
  const data = asObject(message.data);
  if (data === undefined) return malformed('no data');
  return decodeData({ stream, data, receivedAt, instruments });
}

/** Answers to SUBSCRIBE and UNSUBSCRIBE, and what the venue says about the connection itself. */
function controlAnswer(message: WireObject): MarketMessage {
  if (message.e === 'serverShutdown') return { kind: 'ignored' };
  const requestId = asCounter(message.id);
  if (requestId === undefined) return malformed('neither stream nor answer');
  if (message.result === null) return { kind: 'acknowledged', requestId, accepted: true };
  if (message.error !== undefined || typeof message.code === 'number') {
    return { kind: 'acknowledged', requestId, accepted: false };
  }
  return malformed('answer of unknown shape');
}

interface StreamFrame {
  readonly stream: string;
  readonly data: WireObject;
  readonly receivedAt: Millis;
  readonly instruments: InstrumentTable;
}

function decodeData(frame: StreamFrame): MarketMessage {
  const { stream, data, receivedAt, instruments } = frame;
  const at = stream.indexOf('@');
  const channel = stream.slice(at + 1);
  const event = eventOf(channel);
  if (at <= 0 || event === undefined) return { kind: 'ignored' };
  const symbol = asText(data.s);
  if (data.e !== event || symbol === undefined) return malformed('payload is not of its stream');
  if (symbol.toLowerCase() !== stream.slice(0, at)) return malformed('symbol is not of its stream');
  const scales = instruments.find(symbol);
  if (scales === undefined) return malformed('unknown symbol');
  if (event === 'depthUpdate') {
    const change = normaliseBookDelta(data, scales, receivedAt);
    return change === undefined ? malformed('depthUpdate') : { kind: 'book', change };
  }
  if (event === 'trade') {
    const trade = normaliseStreamTrade(data, scales);
    return trade === undefined ? malformed('trade') : { kind: 'trades', trades: [trade] };
  }
  if (event === '24hrTicker') {
    const ticker = normaliseStreamTicker(data);
    return ticker === undefined ? malformed('ticker') : { kind: 'ticker', ticker };
  }
  const bar = normaliseStreamCandle(data);
  if (bar === undefined || channel !== `kline_${bar.interval}`) return malformed('kline');
  return { kind: 'candle', symbol, ...bar };
}

/** The event type a stream carries; `undefined` for streams we do not follow. */
function eventOf(channel: string): 'depthUpdate' | 'trade' | '24hrTicker' | 'kline' | undefined {
  if (channel === 'depth' || channel === 'depth@100ms') return 'depthUpdate';
  if (channel === 'trade') return 'trade';
  if (channel === 'ticker') return '24hrTicker';
  return channel.startsWith('kline_') ? 'kline' : undefined;
}

function malformed(why: string): MarketMessage {
  return { kind: 'malformed', why };
}

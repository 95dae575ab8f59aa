import type { Millis } from '@crossbook/domain';
import type { MarketMessage } from '../../venue-public.ts';
import { asCounter, asObject, asText, parseJson, textOf, type WireObject } from '../../wire/guards.ts';
import type { InstrumentTable, ScaledInstrument } from '../../wire/scaled-instruments.ts';
import { normaliseStreamCandle, normaliseStreamTicker } from './normalise.ts';

/** The combined stream that spot and futures share: `{"stream":"btcusdt@trade","data":{…}}`. */

/** A frame larger than this is not read: the venue's largest message is well under 1 MB. */
const FRAME_BYTES_MAX = 4_000_000;

/** One payload whose stream, event type and symbol agree. */
export interface StreamEvent {
  readonly data: WireObject;
  readonly scales: ScaledInstrument;
  readonly receivedAt: Millis;
  /** The stream's name after the symbol: `kline_1m`. */
  readonly channel: string;
}

/** How one kind of stream is read. */
export interface StreamReader {
  /** The event type `e` that its payloads carry. */
  readonly event: string;
  /** `undefined` for any payload that is not of the documented shape. */
  read(event: StreamEvent): MarketMessage | undefined;
}

/** `ticker`: the rolling 24 hours. */
export const TICKER_READER: StreamReader = {
  event: '24hrTicker',
  read({ data }) {
    const ticker = normaliseStreamTicker(data);
    return ticker && { kind: 'ticker', ticker };
  },
};

/** `kline_<interval>`. */
export const CANDLE_READER: StreamReader = {
  event: 'kline',
  read({ data, scales, channel }) {
    const bar = normaliseStreamCandle(data);
    if (bar === undefined || channel !== `kline_${bar.interval}`) return undefined;
    return { kind: 'candle', symbol: scales.instrument.symbol, ...bar };
  },
};

/** Decodes a frame of a combined stream. Never throws, whatever the bytes are. */
export function decodeCombined(
  frame: Uint8Array,
  receivedAt: Millis,
  instruments: InstrumentTable,
  /** The reader of a channel; `undefined` for streams we do not follow. */
  readerOf: (channel: string) => StreamReader | undefined,
): MarketMessage {
  if (frame.length > FRAME_BYTES_MAX) return malformed('frame too large');
  const text = textOf(frame);
  if (text === undefined) return malformed('not UTF-8');
  const message = asObject(parseJson(text));
  if (message === undefined) return malformed('not a JSON object');
  const stream = asText(message.stream);
  if (stream === undefined) return controlAnswer(message);
  const data = asObject(message.data);
  if (data === undefined) return malformed('no data');
  const at = stream.indexOf('@');
  const channel = stream.slice(at + 1);
  const reader = readerOf(channel);
  if (at <= 0 || reader === undefined) return { kind: 'ignored' };
  const symbol = asText(data.s);
  if (data.e !== reader.event || symbol === undefined) return malformed('payload is not of its stream');
  if (symbol.toLowerCase() !== stream.slice(0, at)) return malformed('symbol is not of its stream');
  const scales = instruments.find(symbol);
  if (scales === undefined) return malformed('unknown symbol');
  return reader.read({ data, scales, receivedAt, channel }) ?? malformed(reader.event);
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

function malformed(why: string): MarketMessage {
  return { kind: 'malformed', why };
}

import type { CandleInterval, Millis } from '@crossbook/domain';
import type { BuiltCandles, CandleUpdate } from '../../built-candles.ts';
import type { MarketChannel, MarketMessage, PublicSocketCodec } from '../../venue-public.ts';
import { asArray, asObject, asText, parseJson, textOf, type WireObject } from '../../wire/guards.ts';
import { trimBase } from '../../wire/query-url.ts';
import type { InstrumentTable, ScaledInstrument } from '../../wire/scaled-instruments.ts';
import { BUILT_INTERVALS, NATIVE_INTERVALS } from '../intervals.ts';
import { type BybitCategory, SOCKET_PATHS } from '../urls.ts';
import { normaliseBook, normaliseStreamCandle, normaliseStreamTrades } from './normalise.ts';
import { TickerMemory } from './tickers.ts';

/** A frame larger than this is not read: the venue's largest message is well under 1 MB. */
const FRAME_BYTES_MAX = 4_000_000;
/** Bars of one `kline` message; two are usual at the turn of an interval. */
const BARS_PER_MESSAGE_MAX = 10;
const PING = '{"op":"ping"}';
const PING_EVERY_MILLIS = 20_000;
/** Topics of one request; spot refuses more. */
const TOPICS_PER_REQUEST_MAX = { spot: 10, linear: 100 } as const;
/** None is documented; a connection is renewed daily all the same. */
const CONNECTION_LIFE_MILLIS_MAX = 24 * 3_600_000;
/** 200 levels a side, every 100 ms. The chain of update ids is that of this depth alone. */
const BOOK_TOPIC = 'orderbook.200';
const INTERVAL_OF: ReadonlyMap<string, CandleInterval> = new Map(
  [...NATIVE_INTERVALS].map(([interval, name]) => [name, interval]),
);

/** What the codec of one category needs. */
export interface BybitPublicSocketOptions {
  readonly category: BybitCategory;
  readonly socketBase: string;
  readonly instruments: InstrumentTable;
  readonly builtCandles: BuiltCandles;
}

/**
 * The codec of Bybit's public socket of one category: `{"topic":"orderbook.200.BTCUSDT","type":"delta","data":{…}}`.
 * It remembers three things and nothing else: tickers (the perpetuals' deltas), the parts of built bars, and which
 * channels stand behind a topic, because 4 h and 8 h bars share one.
 */
export function createBybitPublicSocket(options: BybitPublicSocketOptions): PublicSocketCodec {
  const { category, socketBase } = options;
  const tickers = new TickerMemory();
  const topics = new TopicHolders();
  const memory = { ...options, tickers };
  return {
    url: () => `${trimBase(socketBase)}${SOCKET_PATHS.public[category]}`,
    subscribe(channels, requestId) {
      for (const channel of channels) {
        // What comes next is a snapshot; until then a delta would be merged into figures of another connection.
        if (channel.kind === 'ticker') tickers.forget(channel.symbol);
      }
      return control('subscribe', topics.hold(channels), requestId);
    },
    unsubscribe: (channels, requestId) => control('unsubscribe', topics.release(channels), requestId),
    decode: (frame, receivedAt) => decodeFrame(frame, receivedAt, memory),
    heartbeat: { everyMillis: PING_EVERY_MILLIS, frame: PING },
    channelsPerRequestMax: TOPICS_PER_REQUEST_MAX[category],
    lifeMillisMax: CONNECTION_LIFE_MILLIS_MAX,
  };
}

/** The venue refuses a request without topics: where there is nothing to say, a ping says it. */
function control(op: 'subscribe' | 'unsubscribe', topics: readonly string[], requestId: number): string {
  return topics.length === 0 ? PING : JSON.stringify({ req_id: String(requestId), op, args: topics });
}

/** Which channels want a topic. Subscribing again is harmless; the last one to go ends the topic. */
class TopicHolders {
  readonly #holders = new Map<string, Set<string>>();

  hold(channels: readonly MarketChannel[]): readonly string[] {
    const topics = new Set<string>();
    for (const channel of channels) {
      const topic = topicOf(channel);
      if (topic === undefined) continue;
      topics.add(topic);
      const holders = this.#holders.get(topic) ?? new Set();
      this.#holders.set(topic, holders.add(holderOf(channel)));
    }
    return [...topics];
  }

  release(channels: readonly MarketChannel[]): readonly string[] {
    const ended = new Set<string>();
    for (const channel of channels) {
      const topic = topicOf(channel);
      if (topic === undefined) continue;
      const holders = this.#holders.get(topic);
      holders?.delete(holderOf(channel));
      if (holders !== undefined && holders.size > 0) continue;
      this.#holders.delete(topic);
      ended.add(topic);
    }
    return [...ended];
  }
}

function holderOf(channel: MarketChannel): string {
  return channel.kind === 'candle' ? channel.interval : channel.kind;
}

/** `undefined` for one-second bars, which Bybit has not and which cannot be built. */
function topicOf(channel: MarketChannel): string | undefined {
  if (channel.kind === 'book') return `${BOOK_TOPIC}.${channel.symbol}`;
  if (channel.kind === 'trades') return `publicTrade.${channel.symbol}`;
  if (channel.kind === 'ticker') return `tickers.${channel.symbol}`;
  const native = BUILT_INTERVALS.get(channel.interval) ?? channel.interval;
  const name = NATIVE_INTERVALS.get(native);
  return name === undefined ? undefined : `kline.${name}.${channel.symbol}`;
}

interface CodecMemory {
  readonly instruments: InstrumentTable;
  readonly tickers: TickerMemory;
  readonly builtCandles: BuiltCandles;
}

function decodeFrame(frame: Uint8Array, receivedAt: Millis, memory: CodecMemory): MarketMessage {
  if (frame.length > FRAME_BYTES_MAX) return malformed('frame too large');
  const text = textOf(frame);
  if (text === undefined) return malformed('not UTF-8');
  const message = asObject(parseJson(text));
  if (message === undefined) return malformed('not a JSON object');
  const topic = asText(message.topic);
  if (topic === undefined) return controlAnswer(message);
  // Symbols have no dots: the last one ends the channel.
  const at = topic.lastIndexOf('.');
  const channel = topic.slice(0, Math.max(at, 0));
  const followed =
    channel === BOOK_TOPIC ||
    channel === 'publicTrade' ||
    channel === 'tickers' ||
    channel.startsWith('kline.');
  if (!followed) return { kind: 'ignored' };
  const scales = memory.instruments.find(topic.slice(at + 1));
  if (scales === undefined) return malformed('unknown symbol');
  return decodeData({ channel, message, scales, receivedAt }, memory);
}

/** Answers to subscriptions carry our `req_id`; a pong, and an accepted request of nobody, say nothing. */
function controlAnswer(message: WireObject): MarketMessage {
  const { op, success } = message;
  if (op === 'pong' || (op === 'ping' && success === true)) return { kind: 'ignored' };
  if ((op !== 'subscribe' && op !== 'unsubscribe') || typeof success !== 'boolean') {
    return malformed('neither topic nor answer');
  }
  const id = asText(message.req_id) ?? '';
  if (/^[0-9]{1,15}$/.test(id)) return { kind: 'acknowledged', requestId: Number(id), accepted: success };
  return success ? { kind: 'ignored' } : malformed('refused request without id');
}

interface TopicFrame {
  readonly channel: string;
  readonly message: WireObject;
  readonly scales: ScaledInstrument;
  readonly receivedAt: Millis;
}

function decodeData(frame: TopicFrame, memory: CodecMemory): MarketMessage {
  const { channel, message, scales } = frame;
  if (channel === BOOK_TOPIC) return decodeBook(frame);
  if (channel === 'publicTrade') {
    const trades = normaliseStreamTrades(message.data, scales);
    return trades === undefined ? malformed('publicTrade') : { kind: 'trades', trades };
  }
  if (channel === 'tickers') {
    const merged = memory.tickers.apply(message, scales.instrument.symbol);
    if (merged === 'malformed') return malformed('tickers');
    return merged === 'nothing' ? { kind: 'ignored' } : { kind: 'ticker', ticker: merged };
  }
  return decodeCandle(frame, memory.builtCandles);
}

function decodeBook(frame: TopicFrame): MarketMessage {
  const { message, scales, receivedAt } = frame;
  const data = asObject(message.data);
  const { type } = message;
  if (data === undefined || (type !== 'snapshot' && type !== 'delta')) return malformed('orderbook');
  const change = normaliseBook(data, type, scales, { time: message.ts, receivedAt });
  return change === undefined ? malformed('orderbook') : { kind: 'book', change };
}

/** At the turn of an interval one message closes a bar and opens the next (recorded 2026-08-09). */
function decodeCandle(frame: TopicFrame, builtCandles: BuiltCandles): MarketMessage {
  const { channel, message, scales } = frame;
  const name = channel.slice('kline.'.length);
  const interval = INTERVAL_OF.get(name);
  const rows = asArray(message.data);
  if (interval === undefined || rows === undefined || rows.length > BARS_PER_MESSAGE_MAX)
    return malformed('kline');
  const { symbol } = scales.instrument;
  const updates: CandleUpdate[] = [];
  for (const entry of rows) {
    const row = asObject(entry);
    const bar = row?.interval === name ? normaliseStreamCandle(row) : undefined;
    if (bar === undefined) return malformed('kline');
    updates.push({ interval, ...bar }, ...builtCandles.apply(symbol, interval, bar.candle, bar.closed));
  }
  const [first, ...further] = updates;
  if (first === undefined) return malformed('kline');
  return { kind: 'candle', symbol, ...first, ...(further.length === 0 ? {} : { further }) };
}

function malformed(why: string): MarketMessage {
  return { kind: 'malformed', why };
}

import type { Millis } from '@crossbook/domain';
import type { BuiltCandles, CandleUpdate } from '../../built-candles.ts';
import type { MarketMessage, PublicSocketCodec } from '../../venue-public.ts';
import {
  asArray,
  asCounter,
  asObject,
  asText,
  parseJson,
  textOf,
  type WireObject,
} from '../../wire/guards.ts';
import { rowsOf } from '../../wire/numbers.ts';
import type { InstrumentTable, ScaledInstrument } from '../../wire/scaled-instruments.ts';
import { intervalOfBar } from '../intervals.ts';
import { swapOf } from '../symbols.ts';
import { asTextCounter } from '../wire.ts';
import { ArgumentHolders } from './argument-holders.ts';
import { type BookIds, normaliseBook, normaliseCandle, normaliseTrades } from './normalise.ts';
import { normaliseFunding, normaliseIndexPrice, normaliseMarkPrice, normaliseTicker } from './tickers.ts';

/** A frame larger than this is not read: the venue's largest message is well under 100 kB. */
const FRAME_BYTES_MAX = 4_000_000;
const PING = 'ping';
const PONG = 'pong';
/** The venue drops a connection on which it has heard and said nothing for 30 s; a text `ping` keeps it. */
const PING_EVERY_MILLIS = 10_000;
/** Channels of one request, so that its arguments (up to four a channel) stay well below 64 kB. */
const CHANNELS_PER_REQUEST_MAX = 100;
/** Subscriptions, unsubscriptions and log-ons of one connection in an hour. */
const CONTROL_MESSAGES_MAX = 480;
/** No age limit is documented; connections are cut at maintenance. A day keeps them fresh. */
const CONNECTION_LIFE_MILLIS_MAX = 24 * 3_600_000;

/** What the codec of one of OKX's public sockets needs. */
export interface OkxPublicSocketOptions {
  /** Full address, path included. */
  readonly url: string;
  /** Candles are on `/business`, everything else on `/public`. */
  readonly route: 'public' | 'business';
  readonly instruments: InstrumentTable;
  readonly builtCandles: BuiltCandles;
}

/**
 * The codec of one of OKX's public sockets: `{"arg":{"channel":"books","instId":"BTC-USDT"},"action":"update","data":[…]}`.
 * A request is answered once for every argument. Where books carry no ids (recordings before 2023) it numbers them
 * itself and leaves the proof to their checksums.
 */
export function createOkxPublicSocket(options: OkxPublicSocketOptions): PublicSocketCodec {
  const holders = new ArgumentHolders();
  const numbers = new Map<string, number>();
  return {
    url: () => options.url,
    subscribe: (channels, requestId) => control('subscribe', holders.hold(channels), requestId),
    unsubscribe: (channels, requestId) => control('unsubscribe', holders.release(channels), requestId),
    decode: (frame, receivedAt) => decodeFrame(frame, { ...options, receivedAt, numbers }),
    heartbeat: { everyMillis: PING_EVERY_MILLIS, frame: PING },
    channelsPerRequestMax: CHANNELS_PER_REQUEST_MAX,
    controlMessagesMax: CONTROL_MESSAGES_MAX,
    lifeMillisMax: CONNECTION_LIFE_MILLIS_MAX,
    carries: (channel) => (channel.kind === 'candle') === (options.route === 'business'),
  };

  /** Where there is nothing to ask for, a ping says it. */
  function control(op: 'subscribe' | 'unsubscribe', args: readonly object[], requestId: number): string {
    return args.length === 0 ? PING : JSON.stringify({ id: String(requestId), op, args });
  }
}

interface Decoding extends OkxPublicSocketOptions {
  readonly receivedAt: Millis;
  /** The last number given to a book without ids, by symbol. */
  readonly numbers: Map<string, number>;
}

function decodeFrame(frame: Uint8Array, decoding: Decoding): MarketMessage {
  if (frame.length > FRAME_BYTES_MAX) return malformed('frame too large');
  const text = textOf(frame);
  if (text === undefined) return malformed('not UTF-8');
  if (text === PONG) return { kind: 'ignored' };
  const message = asObject(parseJson(text));
  if (message === undefined) return malformed('not a JSON object');
  if (message.event !== undefined) return controlAnswer(message);
  const arg = asObject(message.arg);
  const channel = asText(arg?.channel);
  const instId = asText(arg?.instId);
  if (channel === undefined) return malformed('neither event nor push');
  const read = READERS.get(channel) ?? (channel.startsWith('candle') ? decodeCandle : undefined);
  if (read === undefined) return { kind: 'ignored' };
  const rows = asArray(message.data);
  if (instId === undefined || rows === undefined || rows.length === 0) return malformed('no data');
  const scales = decoding.instruments.find(channel === 'index-tickers' ? swapOf(instId) : instId);
  if (scales === undefined) return malformed('unknown symbol');
  return read({ channel, instId, message, rows, scales }, decoding);
}

/** Answers carry our `id` where the request had one. `notice` announces a restart; the connection then closes. */
function controlAnswer(message: WireObject): MarketMessage {
  const { event } = message;
  if (event === 'notice' || event === 'channel-conn-count') return { kind: 'ignored' };
  const accepted = event === 'subscribe' || event === 'unsubscribe';
  if (!accepted && event !== 'error') return malformed('event of unknown shape');
  const requestId = asTextCounter(message.id);
  if (requestId !== undefined) return { kind: 'acknowledged', requestId, accepted };
  return accepted ? { kind: 'ignored' } : malformed('refused request without id');
}

interface Push {
  readonly channel: string;
  readonly instId: string;
  readonly message: WireObject;
  /** At least one. */
  readonly rows: readonly unknown[];
  readonly scales: ScaledInstrument;
}

type ReadPush = (push: Push, decoding: Decoding) => MarketMessage;

const READERS: ReadonlyMap<string, ReadPush> = new Map<string, ReadPush>([
  ['books', decodeBook],
  [
    'trades',
    ({ rows, scales }) => {
      const trades = normaliseTrades(rows, scales);
      return trades === undefined ? malformed('trades') : { kind: 'trades', trades };
    },
  ],
  [
    'tickers',
    (push) => {
      const ticker = normaliseTicker(onlyRow(push));
      return ticker?.symbol === push.instId ? { kind: 'ticker', ticker } : malformed('tickers');
    },
  ],
  ['mark-price', statsReader(normaliseMarkPrice)],
  ['index-tickers', statsReader(normaliseIndexPrice)],
  ['funding-rate', statsReader(normaliseFunding)],
]);

function statsReader(read: typeof normaliseMarkPrice): ReadPush {
  return (push) => {
    const row = onlyRow(push);
    const named = row === undefined ? undefined : read(row);
    if (named?.symbol !== push.scales.instrument.symbol) return malformed(push.channel);
    return { kind: 'perp-stats', ...named };
  };
}

function onlyRow(push: Push): WireObject | undefined {
  return push.rows.length === 1 ? asObject(push.rows[0]) : undefined;
}

function decodeBook(push: Push, decoding: Decoding): MarketMessage {
  const row = onlyRow(push);
  const { action } = push.message;
  if (row === undefined || (action !== 'snapshot' && action !== 'update')) return malformed('books');
  const kind = action === 'snapshot' ? 'snapshot' : 'delta';
  const ids = row.seqId === undefined ? numberedIds(kind, row, push, decoding) : chainedIds(kind, row);
  if (ids === undefined) return malformed('books');
  const change = normaliseBook(row, kind, ids, { scales: push.scales, receivedAt: decoding.receivedAt });
  return change === undefined ? malformed('books') : { kind: 'book', change };
}

function chainedIds(kind: 'snapshot' | 'delta', row: WireObject): BookIds | undefined {
  const last = asCounter(row.seqId);
  if (last === undefined) return undefined;
  if (kind === 'snapshot') return row.prevSeqId === -1 ? { first: last, last } : undefined;
  const previous = asCounter(row.prevSeqId);
  return previous === undefined ? undefined : { first: previous + 1, last };
}

/** Without ids only a checksum can prove that nothing is missing, and so it must be there. */
function numberedIds(
  kind: 'snapshot' | 'delta',
  row: WireObject,
  push: Push,
  { numbers }: Decoding,
): BookIds | undefined {
  const previous = numbers.get(push.instId);
  if (row.prevSeqId !== undefined || row.checksum === undefined || row.checksum === 0) return undefined;
  if (kind === 'delta' && previous === undefined) return undefined;
  const last = (previous ?? 0) + 1;
  numbers.set(push.instId, last);
  return { first: last, last };
}

function decodeCandle({ channel, rows, scales }: Push, { builtCandles }: Decoding): MarketMessage {
  const interval = intervalOfBar(channel.slice('candle'.length));
  if (interval === undefined) return { kind: 'ignored' };
  const { symbol } = scales.instrument;
  const bars = rowsOf(rows, (row) => normaliseCandle(row, scales));
  if (bars === undefined) return malformed('candle');
  const updates: CandleUpdate[] = [];
  for (const { candle, closed } of bars) {
    updates.push({ interval, candle, closed });
    updates.push(...builtCandles.apply(symbol, interval, candle, closed));
  }
  const [first, ...further] = updates;
  if (first === undefined) return malformed('candle');
  return { kind: 'candle', symbol, ...first, ...(further.length === 0 ? {} : { further }) };
}

function malformed(why: string): MarketMessage {
  return { kind: 'malformed', why };
}

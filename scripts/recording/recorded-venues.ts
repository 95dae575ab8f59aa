import type { Instrument, Millis, Platform, SymbolType } from '@crossbook/domain';
import {
  type BybitCategory,
  createBinanceFuturesPublic,
  createBinancePublic,
  createBybitPublic,
  createOkxPublic,
  type FetchText,
  type VenuePublic,
} from '@crossbook/venues';

/** What is read of the recordings of each venue beside what its own connector reads. */

/** A JSON object that was recorded; its fields have not been checked. */
export type RecordedObject = Readonly<Record<string, unknown>>;

/** A public half that can be told of instruments. */
export interface LearningVenue extends VenuePublic {
  learn(instruments: readonly Instrument[]): void;
}

/** What a message says about the best prices at one update id, as the venue's decimal strings. */
export interface RecordedBest {
  readonly symbol: string;
  readonly seq: number;
  readonly bid: readonly [price: string, size: string];
  readonly ask: readonly [price: string, size: string];
}

/** One connector and how its recorded messages are known. A further venue is one more entry of `RECORDED_VENUES`. */
export interface RecordedVenue {
  readonly venue: string;
  readonly platform: Platform;
  symbolTypeOf(symbol: string): SymbolType;
  create(fetchText: FetchText, clock: () => Millis): LearningVenue;
  /** Whether a socket of this address is this connector's. */
  owns(address: string): boolean;
  /** Whether a message is this connector's, where no address is known. `file` may say what the message does not. */
  recognises(message: RecordedObject, file: string): boolean;
  /** The instrument of a message on a book channel; `undefined` for all other messages. */
  bookSymbol(message: RecordedObject): string | undefined;
  /** The best prices that another channel tells, where it has update ids in common with the book. */
  best?(message: RecordedObject): RecordedBest | undefined;
  /** Whether a REST answer is a book, and the symbol in its address; only where books begin by REST. */
  readonly depthPath?: string;
  /** Whether a book message lacks what the venue sends today, so that the connector has to do with less. */
  lacks?(message: RecordedObject): boolean;
}

const BASES = { restBase: 'http://recording', socketBase: 'ws://recording' };

function part(message: RecordedObject, field: string): RecordedObject {
  const value = message[field];
  return typeof value === 'object' && value !== null ? (value as RecordedObject) : {};
}

function textIn(object: RecordedObject, field: string): string | undefined {
  const value = object[field];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function binanceBook(message: RecordedObject): string | undefined {
  const data = part(message, 'data');
  return data.e === 'depthUpdate' ? textIn(data, 's') : undefined;
}

/** `bookTicker`; spot's has no event type. `u` is the id of the book update behind it. */
function binanceBest(message: RecordedObject): RecordedBest | undefined {
  if (!textIn(message, 'stream')?.endsWith('@bookTicker')) return undefined;
  const { s: symbol, u: seq, b, B, a, A } = part(message, 'data');
  const texts = [symbol, b, B, a, A].every((value) => typeof value === 'string');
  if (!texts || !Number.isSafeInteger(seq)) return undefined;
  const [bid, bidSize, ask, askSize] = [b, B, a, A] as string[] as [string, string, string, string];
  return { symbol: symbol as string, seq: seq as number, bid: [bid, bidSize], ask: [ask, askSize] };
}

const isBinance = (message: RecordedObject): boolean =>
  message.stream !== undefined || message.lastUpdateId !== undefined;

/** Only futures link their updates (`pu`), and only their snapshots have a time of their own. */
const isBinanceFutures = (message: RecordedObject): boolean => {
  const data = part(message, 'data');
  return isBinance(message) && (data.pu !== undefined || (data.X ?? message.T) !== undefined);
};

function okxRow(message: RecordedObject): RecordedObject {
  return Array.isArray(message.data) ? part(message.data as unknown as RecordedObject, '0') : {};
}

function okxBook(message: RecordedObject): string | undefined {
  const arg = part(message, 'arg');
  const isPush = arg.channel === 'books' && message.event === undefined;
  return isPush ? textIn(arg, 'instId') : undefined;
}

/** `bbo-tbt` counts the same ids as `books`. */
function okxBest(message: RecordedObject): RecordedBest | undefined {
  const arg = part(message, 'arg');
  const symbol = textIn(arg, 'instId');
  const { bids, asks, seqId } = okxRow(message);
  if (arg.channel !== 'bbo-tbt' || symbol === undefined || !Number.isSafeInteger(seqId)) return undefined;
  const bid = firstLevel(bids);
  const ask = firstLevel(asks);
  return bid === undefined || ask === undefined ? undefined : { symbol, seq: seqId as number, bid, ask };
}

function firstLevel(levels: unknown): readonly [price: string, size: string] | undefined {
  const first: unknown = Array.isArray(levels) ? levels[0] : undefined;
  const [price, size] = Array.isArray(first) ? (first as unknown[]) : [];
  return typeof price === 'string' && typeof size === 'string' ? [price, size] : undefined;
}

/** The socket's book of the depth that the connector follows; other depths count other update ids. */
function bybitBook(message: RecordedObject): string | undefined {
  return textIn(message, 'topic')?.startsWith('orderbook.200.')
    ? textIn(part(message, 'data'), 's')
    : undefined;
}

/** Bybit says its category only in the address: a file without one is of perpetuals unless its path says spot. */
function bybit(category: BybitCategory, symbolType: SymbolType): RecordedVenue {
  return {
    venue: 'bybit',
    platform: 3,
    symbolTypeOf: () => symbolType,
    create: (fetchText, clock) => createBybitPublic({ ...BASES, category, fetchText, clock }),
    owns: (address) => address.includes(`/v5/public/${category}`),
    recognises: (message, file) =>
      message.topic !== undefined && /spot/i.test(file) === (category === 'spot'),
    bookSymbol: bybitBook,
  };
}

/** Every connector whose recordings can be replayed. The first that recognises a message has it. */
export const RECORDED_VENUES: readonly RecordedVenue[] = [
  {
    venue: 'binance',
    platform: 1,
    symbolTypeOf: () => 'SWAP',
    create: (fetchText, clock) => createBinanceFuturesPublic({ ...BASES, fetchText, clock }),
    owns: (address) => address.includes('//fstream.binance.'),
    recognises: isBinanceFutures,
    bookSymbol: binanceBook,
    best: binanceBest,
    depthPath: '/fapi/v1/depth',
  },
  {
    venue: 'binance',
    platform: 1,
    symbolTypeOf: () => 'SPOT',
    create: (fetchText, clock) => createBinancePublic({ ...BASES, fetchText, clock }),
    owns: (address) => address.includes('//stream.binance.'),
    recognises: isBinance,
    bookSymbol: binanceBook,
    best: binanceBest,
    depthPath: '/api/v3/depth',
  },
  {
    venue: 'okx',
    platform: 2,
    symbolTypeOf: (symbol) => (/^[^-]+-[^-]+$/.test(symbol) ? 'SPOT' : 'SWAP'),
    create: (fetchText, clock) =>
      createOkxPublic({
        restBase: BASES.restBase,
        publicSocketUrl: BASES.socketBase,
        businessSocketUrl: BASES.socketBase,
        fetchText,
        clock,
      }),
    owns: (address) => /okx\.com|okex\.com/.test(address),
    recognises: (message) => message.arg !== undefined,
    bookSymbol: okxBook,
    best: okxBest,
    lacks: (message) => okxRow(message).seqId === undefined,
  },
  bybit('spot', 'SPOT'),
  bybit('linear', 'SWAP'),
];

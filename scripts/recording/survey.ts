import {
  AMOUNT_MAX,
  AMOUNT_ONE,
  AMOUNT_SCALE,
  type Amount,
  type Instrument,
  lesser,
  type Millis,
  type Platform,
  type SymbolType,
} from '@crossbook/domain';
import { RecordedAnswers } from './recorded-answers.ts';
import { ONLY_CONNECTION, objectOf, type RecordedLine, recordedLines } from './recorded-lines.ts';
import { RECORDED_VENUES, type RecordedObject, type RecordedVenue } from './recorded-venues.ts';

/** Digits of a figure that surely fit a safe integer. */
const DIGITS_MAX = 15;
/** Instruments of one file that are looked at; beyond it the file is no recording of books. */
const INSTRUMENTS_MAX = 10_000;

/** The finest figures seen of an instrument. */
interface Stats {
  readonly venue: RecordedVenue;
  readonly symbol: string;
  messages: number;
  priceDecimals: number;
  sizeDecimals: number;
}

/** A REST answer with a book, kept until the replay reaches its time. */
export interface DepthAnswer {
  readonly venue: RecordedVenue;
  readonly symbol: string;
  readonly text: string;
  readonly at: number;
}

/** What a first reading of a file tells: whose messages it holds, of which instruments, and in what steps. */
export interface Survey {
  readonly file: string;
  readonly answers: RecordedAnswers;
  /** Books in answers that stand outside the order of the frames, oldest first. */
  readonly depths: readonly DepthAnswer[];
  readonly stats: readonly Stats[];
  /** The connector of a frame or answer; `undefined` where nobody knows it. */
  venueOf(line: RecordedLine, message: RecordedObject): RecordedVenue | undefined;
  /** The instrument of an answer that names none: that of most messages, where one has more than half of them. */
  mainSymbol(venue: RecordedVenue): string | undefined;
}

/** Reads a file for the first time. Rejects only where it cannot be opened. */
export async function survey(file: string): Promise<Survey> {
  const answers = new RecordedAnswers(file);
  const depths: DepthAnswer[] = [];
  const stats = new Map<string, Stats>();
  const addresses = new Map<string, string>();
  const votes = new Map<RecordedVenue, number>();
  const unaddressed = (message: RecordedObject) =>
    RECORDED_VENUES.find((one) => one.recognises(message, file));
  const venueOf = (line: RecordedLine, message: RecordedObject): RecordedVenue | undefined => {
    if (line.kind !== 'frame') return unaddressed(message);
    const address = addresses.get(line.connection);
    if (address !== undefined) return RECORDED_VENUES.find((one) => one.owns(address));
    // A file without addresses is of one connection: a message that lacks what tells it apart does not count.
    const [elected] = [...votes].sort((left, right) => right[1] - left[1]);
    return line.connection === ONLY_CONNECTION ? elected?.[0] : unaddressed(message);
  };
  for await (const line of recordedLines(file)) {
    if (line.kind === 'opened') addresses.set(line.connection, line.address);
    if (line.kind === 'answer') takeAnswer(line, { answers, depths, stats });
    if (line.kind !== 'frame') continue;
    const message = objectOf(line.text);
    if (message === undefined) continue;
    const venue = addresses.has(line.connection) ? venueOf(line, message) : unaddressed(message);
    const symbol = venue?.bookSymbol(message);
    if (venue === undefined || symbol === undefined) continue;
    votes.set(venue, (votes.get(venue) ?? 0) + 1);
    measure(stats, { venue, symbol }, message);
  }
  depths.sort((left, right) => left.at - right.at);
  const mainSymbol = (venue: RecordedVenue): string | undefined => {
    const of = [...stats.values()].filter((one) => one.venue === venue);
    const all = of.reduce((sum, one) => sum + one.messages, 0);
    return of.find((one) => one.messages * 2 > all)?.symbol;
  };
  return { file, answers, depths, stats: [...stats.values()], venueOf, mainSymbol };
}

interface Findings {
  readonly answers: RecordedAnswers;
  readonly depths: DepthAnswer[];
  readonly stats: Map<string, Stats>;
}

function takeAnswer(line: RecordedLine & { kind: 'answer' }, findings: Findings): void {
  if (line.url === undefined || !URL.canParse(line.url)) return;
  const { pathname, searchParams } = new URL(line.url);
  const venue = RECORDED_VENUES.find((one) => one.depthPath === pathname);
  const symbol = searchParams.get('symbol') ?? '';
  if (venue === undefined || symbol === '') {
    findings.answers.add(line.url, line.text);
    return;
  }
  findings.depths.push({ venue, symbol, text: line.text, at: line.at });
  const message = objectOf(line.text);
  if (message !== undefined) measure(findings.stats, { venue, symbol }, message);
}

function measure(
  stats: Map<string, Stats>,
  of: { readonly venue: RecordedVenue; readonly symbol: string },
  message: RecordedObject,
): void {
  const { venue, symbol } = of;
  const key = `${venue.venue} ${venue.symbolTypeOf(symbol)} ${symbol}`;
  let known = stats.get(key);
  if (known === undefined) {
    if (stats.size >= INSTRUMENTS_MAX) return;
    known = { venue, symbol, messages: 0, priceDecimals: 0, sizeDecimals: 0 };
    stats.set(key, known);
  }
  known.messages += 1;
  measureLevels(known, message);
}

/** Looks for levels, lists that begin with a price and a size in strings, wherever a venue puts them. */
function measureLevels(known: Stats, value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    const [price, size] = value as unknown[];
    if (typeof price === 'string' && typeof size === 'string') {
      known.priceDecimals = Math.max(known.priceDecimals, decimalsIn(price));
      known.sizeDecimals = Math.max(known.sizeDecimals, decimalsIn(size));
      return;
    }
  }
  for (const field of Object.values(value)) measureLevels(known, field);
}

/**
 * Digits after the point without trailing zeros; 0 for anything that is no plain decimal, and for a figure with more
 * digits than a safe integer: such a one is damaged, and must not make the steps too fine for all others.
 */
function decimalsIn(text: string): number {
  const [, whole = '', fraction = ''] = /^0*([0-9]+)\.([0-9]*?)0*$/.exec(text) ?? [];
  return whole.length + fraction.length > DIGITS_MAX ? 0 : fraction.length;
}

/**
 * The instrument to read a recording with: as listed, but never in coarser steps than its own figures have; where it
 * is not listed, in the steps of the finest figures seen.
 */
export function instrumentOf(
  seen: { readonly platform: Platform; readonly symbolType: SymbolType; readonly symbol: string },
  stats: Stats,
  listed: Instrument | undefined,
): { readonly instrument: Instrument; readonly derived: boolean } {
  const tickSeen = stepOf(stats.priceDecimals);
  const lotSeen = stepOf(stats.sizeDecimals);
  if (listed !== undefined) {
    const finer = tickSeen % listed.tickSize !== 0n && tickSeen < listed.tickSize;
    const lotSize = lesser(lotSeen, listed.lotSize);
    return {
      instrument: { ...listed, lotSize, tickSize: finer ? tickSeen : listed.tickSize },
      derived: finer,
    };
  }
  const instrument: Instrument = {
    ...seen,
    base: seen.symbol,
    quote: '',
    tickSize: tickSeen,
    lotSize: lotSeen,
    minPrice: tickSeen,
    maxPrice: AMOUNT_MAX,
    minQty: lotSeen,
    maxQty: AMOUNT_MAX,
    maxMarketQty: AMOUNT_MAX,
    minNotional: 0n as Amount,
    contractValue: AMOUNT_ONE as Amount,
    maxLeverage: 1,
    status: 'trading',
  };
  return { instrument, derived: true };
}

function stepOf(decimals: number): Amount {
  return (10n ** BigInt(AMOUNT_SCALE - decimals)) as Amount;
}

/** The recorder's clock as ours. */
export function millisOf(at: number): Millis {
  return Math.floor(at) as Millis;
}

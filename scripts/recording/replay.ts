import {
  type BookChange,
  formatTicks,
  type Instrument,
  type Millis,
  parseAmount,
  stepsToAmount,
} from '@crossbook/domain';
import { BookSync } from '@crossbook/venues';
import { objectOf, type RecordedLine, recordedLines } from './recorded-lines.ts';
import type { LearningVenue, RecordedBest, RecordedObject, RecordedVenue } from './recorded-venues.ts';
import { type DepthAnswer, instrumentOf, millisOf, type Survey, survey } from './survey.ts';

/** Update ids whose best prices wait for the other side of a comparison. */
const BESTS_KEPT_MAX = 20_000;
/** A book by REST is asked for with as many levels as any venue gives. */
const DEPTH_LIMIT = 5_000;

/** What became of one instrument of a recording. Printed as it is, one JSON line each. */
export interface ReplayReport {
  readonly file: string;
  readonly venue: string;
  readonly market: 'spot' | 'futures';
  readonly symbol: string;
  /** Book messages and REST books recorded of it, those that could not be read included. */
  readonly messages: number;
  /** Of these, how many are in the book. */
  readonly applied: number;
  readonly gaps: number;
  readonly resyncs: number;
  readonly crossed: number;
  /** Update ids for which another channel told the best prices and sizes, and how often the book said the same. */
  readonly bestEqual: number;
  readonly bestCompared: number;
  readonly checksumEqual: number;
  readonly checksumCompared: number;
  /** Times something weaker than the venue's own word was used: steps not from its listing, ids it did not send. */
  readonly fallbacks: number;
  /** At the end of the recording; `null` where the book is not live. */
  readonly bestBid: string | null;
  readonly bestAsk: string | null;
}

/** A whole file: its instruments, and how many lines nothing could be made of. */
export interface Replay {
  readonly reports: readonly ReplayReport[];
  readonly lines: number;
  readonly unreadable: number;
}

/** Builds the books of a recording with the product's own connectors. Rejects only where it cannot be opened. */
export async function replay(file: string): Promise<Replay> {
  const found = await survey(file);
  const clock = { now: 0 as Millis };
  const halves = await openHalves(found, () => clock.now);
  const pending = [...found.depths];
  const count = { lines: 0, unreadable: 0 };
  const opened = new Set<string>();
  for await (const line of recordedLines(file)) {
    count.lines += 1;
    if (line.kind === 'unreadable') count.unreadable += 1;
    if (line.kind === 'other' || line.kind === 'unreadable') continue;
    while (pending[0] !== undefined && pending[0].at <= line.at)
      await deliver(halves, found, pending.shift());
    clock.now = millisOf(line.at);
    if (line.kind === 'opened') {
      // What a connection fed before it was opened anew has a hole.
      if (opened.has(line.connection)) for (const half of halves.values()) half.reconnected(line.connection);
      opened.add(line.connection);
    } else if (!(await take(line, found, halves, clock.now))) count.unreadable += 1;
  }
  for (const depth of pending) await deliver(halves, found, depth);
  return { ...count, reports: [...halves.values()].flatMap((half) => half.reports(file)) };
}

type Halves = ReadonlyMap<RecordedVenue, ReplayedHalf>;

async function openHalves(found: Survey, clock: () => Millis): Promise<Halves> {
  const halves = new Map<RecordedVenue, ReplayedHalf>();
  for (const recorded of new Set(found.stats.map((stats) => stats.venue))) {
    const connector = recorded.create(found.answers.fetchText, clock);
    const lists = await Promise.all(
      ['SPOT' as const, 'SWAP' as const].map((type) => connector.rest.instruments(type)),
    );
    const listed = new Map(
      lists.flatMap((list) => (list.ok ? list.value : [])).map((one) => [one.symbol, one]),
    );
    const half = new ReplayedHalf(recorded, connector);
    for (const stats of found.stats) {
      if (stats.venue !== recorded) continue;
      const { symbol } = stats;
      const seen = { platform: recorded.platform, symbolType: recorded.symbolTypeOf(symbol), symbol };
      const { instrument, derived } = instrumentOf(seen, stats, listed.get(symbol));
      half.follow(instrument, derived);
    }
    halves.set(recorded, half);
  }
  return halves;
}

async function deliver(halves: Halves, found: Survey, depth: DepthAnswer | undefined): Promise<void> {
  if (depth === undefined) return;
  found.answers.answerNext(depth.text);
  await halves.get(depth.venue)?.takeDepth(depth.symbol);
}

/** False when nothing could be made of the line. */
async function take(
  line: RecordedLine & { kind: 'frame' | 'answer' },
  found: Survey,
  halves: Halves,
  now: Millis,
): Promise<boolean> {
  // What has an address was taken in the survey.
  if (line.kind === 'answer' && line.url !== undefined) return true;
  const message = objectOf(line.text);
  if (message === undefined) return line.text === 'pong';
  const venue = found.venueOf(line, message);
  const half = venue && halves.get(venue);
  if (venue === undefined || half === undefined) return false;
  if (line.kind === 'frame') return half.takeFrame(line, message, now);
  const symbol = found.mainSymbol(venue);
  if (symbol === undefined || venue.depthPath === undefined) return false;
  found.answers.answerNext(line.text);
  await half.takeDepth(symbol);
  return true;
}

/** One instrument while it is replayed. */
interface ReplayedBook {
  readonly instrument: Instrument;
  readonly sync: BookSync;
  readonly bests: BestComparison;
  connection: string | undefined;
  messages: number;
  fallbacks: number;
}

/** One connector and the books that it builds. */
class ReplayedHalf {
  readonly #recorded: RecordedVenue;
  readonly #connector: LearningVenue;
  readonly #books = new Map<string, ReplayedBook>();

  constructor(recorded: RecordedVenue, connector: LearningVenue) {
    this.#recorded = recorded;
    this.#connector = connector;
  }

  follow(instrument: Instrument, derived: boolean): void {
    this.#connector.learn([instrument]);
    const sync = new BookSync({ venue: this.#connector, symbol: instrument.symbol });
    const bests = new BestComparison(instrument);
    const book = { instrument, sync, bests, connection: undefined, messages: 0, fallbacks: derived ? 1 : 0 };
    this.#books.set(instrument.symbol, book);
  }

  /** A book by REST that was recorded for the symbol: the next call is answered with it. */
  async takeDepth(symbol: string): Promise<void> {
    const book = this.#books.get(symbol);
    if (book === undefined) return;
    book.messages += 1;
    const snapshot = await this.#connector.rest.depth(book.instrument, DEPTH_LIMIT);
    if (snapshot.ok) this.#apply(book, snapshot.value);
  }

  /** False for a frame that the connector cannot read. */
  takeFrame(
    line: { readonly connection: string; readonly text: string },
    message: RecordedObject,
    now: Millis,
  ): boolean {
    const book = this.#books.get(this.#recorded.bookSymbol(message) ?? '');
    const best = this.#recorded.best?.(message);
    if (best !== undefined) this.#books.get(best.symbol)?.bests.reported(best);
    if (book !== undefined) {
      book.messages += 1;
      book.connection = line.connection;
    }
    if (book !== undefined && this.#recorded.lacks?.(message) === true) book.fallbacks += 1;
    const decoded = this.#connector.socket.decode(Buffer.from(line.text), now);
    if (decoded.kind === 'book' && book !== undefined) this.#apply(book, decoded.change);
    // A frame about an instrument without a book in this file is not ours to read.
    return decoded.kind !== 'malformed' || decoded.why === 'unknown symbol';
  }

  /** The stream of a connection began anew. */
  reconnected(connection: string): void {
    for (const book of this.#books.values()) {
      if (book.connection === connection) book.sync.reconnected();
    }
  }

  reports(file: string): readonly ReplayReport[] {
    return [...this.#books.values()].map((book) => this.#report(file, book));
  }

  #apply(book: ReplayedBook, change: BookChange): void {
    book.sync.apply(change);
    if (book.sync.state === 'LIVE') book.bests.built(book.sync.book);
  }

  #report(file: string, { instrument, sync, bests, messages, fallbacks }: ReplayedBook): ReplayReport {
    const { applied, gaps, resyncs, crossed, checksumsCompared, checksumsWrong } = sync.counters;
    const bid = sync.state === 'LIVE' ? sync.book.bestBid() : undefined;
    const ask = sync.state === 'LIVE' ? sync.book.bestAsk() : undefined;
    return {
      file,
      venue: this.#recorded.venue,
      market: instrument.symbolType === 'SPOT' ? 'spot' : 'futures',
      symbol: instrument.symbol,
      messages,
      applied,
      gaps,
      resyncs,
      crossed,
      bestEqual: bests.equal,
      bestCompared: bests.compared,
      checksumEqual: checksumsCompared - checksumsWrong,
      checksumCompared: checksumsCompared,
      fallbacks,
      bestBid: bid === undefined ? null : formatTicks(bid, instrument),
      bestAsk: ask === undefined ? null : formatTicks(ask, instrument),
    };
  }
}

/** Compares the best prices and sizes of the book with those another channel tells for the same update id. */
class BestComparison {
  equal = 0;
  compared = 0;
  readonly #instrument: Instrument;
  readonly #built = new Map<number, string>();
  readonly #reported = new Map<number, string>();

  constructor(instrument: Instrument) {
    this.#instrument = instrument;
  }

  built(book: BookSync['book']): void {
    const bid = book.bestBid();
    const ask = book.bestAsk();
    if (bid === undefined || ask === undefined) return;
    const { tickSize, lotSize } = this.#instrument;
    const best = [
      stepsToAmount(bid, tickSize),
      stepsToAmount(book.bestBidSize(), lotSize),
      stepsToAmount(ask, tickSize),
      stepsToAmount(book.bestAskSize(), lotSize),
    ].join(' ');
    this.#meet(book.lastSeq, best, this.#built, this.#reported);
  }

  reported(best: RecordedBest): void {
    const stats = [...best.bid, ...best.ask].map((text) => parseAmount(text));
    if (stats.some((value) => value === undefined)) return;
    this.#meet(best.seq, stats.join(' '), this.#reported, this.#built);
  }

  #meet(seq: number, best: string, own: Map<number, string>, others: Map<number, string>): void {
    const other = others.get(seq);
    if (other !== undefined && !own.has(seq)) {
      this.compared += 1;
      if (other === best) this.equal += 1;
    }
    own.set(seq, best);
    // Ids of an update that lies so far back are not told any more.
    const [oldest] = own.keys();
    if (own.size > BESTS_KEPT_MAX && oldest !== undefined) own.delete(oldest);
  }
}

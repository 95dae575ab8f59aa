import type {
  BestFrame,
  BookFrame,
  CandleFrame,
  ChannelArg,
  EventFrame,
  ServerFrame,
  TickerFrame,
  TradesFrame,
  UserEvent,
  UserFrame,
  VenueFrame,
} from '@crossbook/contract';
import { channelKey } from './connection.ts';

/** A public frame that belongs to a subscription. */
export type PublicFrame = BookFrame | TradesFrame | TickerFrame | CandleFrame | BestFrame;

/** Where frames go after their sequence was checked. */
export interface FrameSink {
  onPublic(key: string, frame: PublicFrame): void;
  onVenue(frame: VenueFrame): void;
  onEvent(frame: EventFrame): void;
  onUser(event: UserEvent): void;
  /** A book or user sequence jumped: `book` wants a new snapshot, `user` a REST re-read. */
  onBookGap(arg: ChannelArg): void;
  onUserGap(): void;
  /** A frame that is no JSON object of ours. Counted, never thrown. */
  onMalformed(): void;
}

/** What the dispatcher remembers of one connection: last book sequence per market, last user sequence. */
export interface FrameDispatcher {
  /** Takes one text frame that is not `pong`. */
  take(text: string): void;
  /** Forgets sequences: a new connection begins. The user sequence survives, so that missed events show as a gap. */
  restart(): void;
  /** Forgets the member's sequence as well: another member, or none. */
  forgetMember(): void;
}

/** Public channels whose frames need no sequence. */
const PLAIN_CHANNELS: ReadonlySet<string> = new Set(['trades', 'ticker', 'candle', 'bbo']);

/** The subscription a public frame answers. */
export function frameKey(frame: PublicFrame): string {
  return channelKey(frame);
}

function parseFrame(text: string): ServerFrame | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return undefined;
    // The hub is our own and of the same version; shape beyond the discriminant is its contract.
    return 'ch' in value || 'event' in value ? (value as ServerFrame) : undefined;
  } catch {
    return undefined;
  }
}

/** Builds the dispatcher of one connection. */
export function createFrameDispatcher(sink: FrameSink): FrameDispatcher {
  const bookSeqs = new Map<string, number>();
  let userSeq: number | undefined;

  function onBook(frame: BookFrame): void {
    const key = frameKey(frame);
    if (frame.k === 's') bookSeqs.set(key, frame.q);
    else {
      const applied = bookSeqs.get(key);
      // Without a snapshot a delta says nothing; the snapshot was asked for already.
      if (applied === undefined) return;
      if (frame.p !== applied) {
        bookSeqs.delete(key);
        sink.onBookGap({ ch: 'book', s: frame.s, ...(frame.m === undefined ? {} : { m: frame.m }) });
        return;
      }
      bookSeqs.set(key, frame.q);
    }
    sink.onPublic(key, frame);
  }

  function onUser(frame: UserFrame): void {
    const expected = userSeq;
    userSeq = frame.q;
    if (frame.d.kind === 'hello') {
      // The first hello is followed by a REST read anyway (the login's catch-up); a later one must not have moved.
      if (expected !== undefined && frame.q !== expected) sink.onUserGap();
      return;
    }
    if (expected !== undefined && frame.q <= expected) {
      // An event we already had: keep the newer counter and drop it.
      userSeq = expected;
      return;
    }
    if (expected !== undefined && frame.q !== expected + 1) sink.onUserGap();
    sink.onUser(frame.d);
  }

  return {
    take(text) {
      const frame = parseFrame(text);
      if (frame === undefined) sink.onMalformed();
      else if ('event' in frame) sink.onEvent(frame);
      else if (frame.ch === 'book') onBook(frame);
      else if (frame.ch === 'user') onUser(frame);
      else if (frame.ch === 'venue') sink.onVenue(frame);
      else if (PLAIN_CHANNELS.has(frame.ch)) {
        sink.onPublic(frameKey(frame), frame);
      } else sink.onMalformed();
    },
    restart() {
      bookSeqs.clear();
    },
    forgetMember() {
      userSeq = undefined;
    },
  };
}

import {
  type BestFrame,
  type BookFrame,
  type CandleFrame,
  channelId,
  type EventFrame,
  PUBLIC_CHANNELS,
  type ServerFrame,
  type TickerFrame,
  type TradesFrame,
  type UserEvent,
  type UserFrame,
  type VenueFrame,
} from '@crossbook/contract';

/** A public frame that belongs to a subscription. */
export type PublicFrame = BookFrame | TradesFrame | TickerFrame | CandleFrame | BestFrame;

/** Where frames go. */
export interface FrameSink {
  /** @param id identity of the channel that the frame answers. */
  onPublic(id: string, frame: PublicFrame): void;
  onVenue(frame: VenueFrame): void;
  onEvent(frame: EventFrame): void;
  onUser(event: UserEvent): void;
  /** The sequence of private events jumped: what they say is read again by REST. */
  onUserGap(): void;
  /** A frame that is no JSON object of ours. Counted, never thrown. */
  onMalformed(): void;
}

/**
 * Gives each frame to where it belongs. Remembers the member's sequence only, across connections, so that missed events show
 * as a gap; the sequence of a book is checked where the book is folded.
 */
export interface FrameDispatcher {
  /** Takes one text frame that is not `pong`. */
  take(text: string): void;
  /** Forgets the member's sequence: another member, or none. */
  forgetMember(): void;
}

const PUBLIC: ReadonlySet<string> = new Set(PUBLIC_CHANNELS);

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

/** Builds a dispatcher. */
export function createFrameDispatcher(sink: FrameSink): FrameDispatcher {
  let userSeq: number | undefined;

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
      else if (frame.ch === 'user') onUser(frame);
      else if (frame.ch === 'venue') sink.onVenue(frame);
      else if (PUBLIC.has(frame.ch)) sink.onPublic(channelId(frame), frame);
      else sink.onMalformed();
    },
    forgetMember() {
      userSeq = undefined;
    },
  };
}

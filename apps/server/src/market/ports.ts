import type { Instrument, Millis, Platform, SymbolType } from '@crossbook/domain';

/** What happens on an upstream socket. `onFrame` gets the bytes as received. */
export interface FeedSocketHandlers {
  onOpen(): void;
  onFrame(bytes: Uint8Array): void;
  /** The far end answered a `ping`: it is there, whether or not it has anything to say. */
  onPong(): void;
  onClosed(why: string): void;
}

/** An upstream socket; `main.ts` makes it from `ws`. */
export interface FeedSocket {
  send(text: string): void;
  /** Asks the far end for a sign of life (RFC 6455 section 5.5.2). */
  ping(): void;
  close(): void;
}

/** What the market side needs from outside, besides its venue. */
export interface MarketPorts {
  readonly openSocket: (url: string, handlers: FeedSocketHandlers) => FeedSocket;
  readonly clock: () => Millis;
  /** A number from 0 (inclusive) to 1 (exclusive), for jitter only. */
  readonly chance: () => number;
  readonly every: (millis: number, run: () => void) => () => void;
  readonly after: (millis: number, run: () => void) => () => void;
  /** Hears of every list of instruments that an exchange has given. */
  readonly listed?: (rows: readonly Instrument[]) => void;
  /** What an exchange listed before this process began: its list until it answers. */
  readonly remembered?: (platform: Platform, symbolType: SymbolType) => readonly Instrument[];
  readonly note: (event: string, facts: Readonly<Record<string, unknown>>) => void;
}

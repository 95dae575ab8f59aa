/**
 * What the trading half needs of the outside world. The server adapts its HTTP client, `ws` and timers to these;
 * nothing in this package opens a connection or reads a clock by itself (house style 3).
 */

/** What happens on a socket. `onClose` comes exactly once, also when it never opened; nothing follows it. */
export interface TextSocketEvents {
  onOpen(): void;
  onText(text: string): void;
  /** Why, in a few words without addresses or headers: it is logged. */
  onClose(why: string): void;
}

/** An open or opening socket. Answers protocol pings by itself. */
export interface TextSocket {
  /** Writes one text frame. May throw when the socket is not open. */
  send(text: string): void;
  /** Closes it; `onClose` may follow. Closing twice changes nothing. */
  close(): void;
}

/** Opens a socket. Must not call `events` before it returns; may throw on an address that is none. */
export type OpenTextSocket = (url: string, events: TextSocketEvents) => TextSocket;

/** One HTTP request. Header values and the body may be secret: never log a request. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly timeoutMillis: number;
}

/** An answer of any status; header names in lower case. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Sends one request once: it must never repeat it by itself. Rejects on network failure and on time-out. */
export type SendHttp = (request: HttpRequest) => Promise<HttpAnswer>;

/** Timers as a port. `after` returns a function that cancels. */
export interface Timers {
  after(millis: number, run: () => void): () => void;
}

import type { Millis, SymbolType } from '@crossbook/domain';
import { KeptSocket, type KeptSocketBounds, type SocketLink } from '../../trading/kept-socket.ts';
import { PendingRequests } from '../../trading/pending-requests.ts';
import type { VenueClock } from '../../trading/venue-clock.ts';
import type { OpenTextSocket, Timers } from '../../transport.ts';
import type { VenueCredentials } from '../../venue-answers.ts';
import type { UserStreamHandlers } from '../../venue-streams.ts';
import { asArray, asObject, asText, parseJson, type WireObject } from '../../wire/guards.ts';
import { answerOfSocket, type CallAnswer } from './answers.ts';
import { WRONG_TIME } from './errors.ts';
import { loginFrame } from './sign.ts';

/** Requests under way on one socket at the same time; beyond it another way is taken. */
const PENDING_REQUESTS_MAX = 500;
/** Rows of one push that are read. */
const ROWS_PER_PUSH_MAX = 1_000;
const SUBSCRIBE_ID = 'subscribe';

/** A channel of the private socket and what its rows say; each market of the account brings its own. */
export interface ChannelReader {
  readonly channel: string;
  readonly instType?: SymbolType;
  /** Gives a row to the handlers; false for any shape that is not the documented one. */
  read(row: unknown, handlers: UserStreamHandlers): boolean;
}

/** What an account's socket needs. */
export interface AccountSocketOptions {
  readonly url: string;
  readonly openSocket: OpenTextSocket;
  readonly timers: Timers;
  readonly clock: () => Millis;
  readonly random: () => number;
  readonly bounds: Partial<KeptSocketBounds>;
  readonly venueClock: VenueClock;
  readonly credentials: VenueCredentials;
  readonly handlers: UserStreamHandlers;
  readonly readers: readonly ChannelReader[];
}

/** One operation as it is written. */
export interface Operation {
  readonly op: 'order' | 'batch-orders' | 'amend-order' | 'cancel-order' | 'batch-cancel-orders';
  readonly args: readonly object[];
  /** Moment of the venue's clock after which it must not carry the operation out. */
  readonly expiresAt?: Millis;
  readonly timeoutMillis: number;
}

/**
 * One account's private socket: log on, subscribe to what its readers read, and only then live. The same connection takes
 * the account's orders, because OKX knows whose they are by the log-on alone. While a link is replaced both deliver, so
 * that nothing is missed and events may come twice: receivers know fills by their trade id.
 */
export class AccountSocket {
  readonly #options: AccountSocketOptions;
  readonly #socket: KeptSocket;
  readonly #pending: PendingRequests<CallAnswer>;
  readonly #awaited = new Map<SocketLink, number>();

  constructor(options: AccountSocketOptions) {
    this.#options = options;
    this.#pending = new PendingRequests<CallAnswer>({
      timers: options.timers,
      pendingRequestsMax: PENDING_REQUESTS_MAX,
      lost: (why) => ({ kind: 'lost', why }),
    });
    const { credentials, venueClock, handlers } = options;
    this.#socket = new KeptSocket({
      ...options,
      heartbeat: () => 'ping',
      onOpen: (link) => link.send(loginFrame(credentials, venueClock.now())),
      onText: (text, link) => this.#onText(text, link),
      onLive: () => handlers.onOpen(),
      onLost: (why) => handlers.onClosed(why),
      onLinkClosed: (link) => this.#onLinkClosed(link),
    });
  }

  /**
   * Writes one operation before it returns.
   * @returns `undefined` when the socket is not open or full: nothing was written and another way may be taken.
   */
  call(operation: Operation): Promise<CallAnswer> | undefined {
    const { op, args, expiresAt, timeoutMillis } = operation;
    const deadline = expiresAt === undefined ? {} : { expTime: String(expiresAt) };
    return this.#pending.write(this.#socket.current, timeoutMillis, (id) =>
      JSON.stringify({ id, op, ...deadline, args }),
    );
  }

  close(): void {
    this.#socket.close();
  }

  #onText(text: string, link: SocketLink): void {
    if (text === 'pong') return;
    const frame = asObject(parseJson(text));
    if (frame === undefined) this.#options.handlers.onMalformed('not a JSON object');
    else if (frame.op !== undefined) this.#onAnswer(frame);
    else if (frame.event !== undefined) this.#onEvent(frame, link);
    else if (frame.arg !== undefined) this.#onPush(frame);
    else this.#options.handlers.onMalformed('neither event, answer nor push');
  }

  #onAnswer(frame: WireObject): void {
    const read = answerOfSocket(frame);
    if (read !== undefined) this.#pending.settle(read.id, read.answer);
  }

  #onEvent(frame: WireObject, link: SocketLink): void {
    const { event } = frame;
    if (event === 'login' && frame.code !== '0') {
      this.#refused(asText(frame.code) ?? 'unreadable answer', link);
    } else if (event === 'login') {
      const args = subscriptionsOf(this.#options.readers);
      this.#awaited.set(link, args.length);
      link.send(JSON.stringify({ id: SUBSCRIBE_ID, op: 'subscribe', args }));
    } else if (event === 'subscribe') {
      const left = (this.#awaited.get(link) ?? 0) - 1;
      this.#awaited.set(link, left);
      if (left === 0) link.ready();
    } else if (event === 'notice') {
      // An upgrade will close the connection: its successor is made ready first.
      this.#socket.replace();
    } else if (event === 'error') {
      const read = answerOfSocket(frame);
      if (read !== undefined && this.#pending.has(read.id)) this.#pending.settle(read.id, read.answer);
      else this.#refused(asText(frame.code) ?? 'unreadable answer', link);
    }
    // `channel-conn-count` says how many connections follow a channel.
  }

  /** The reconnect comes with growing delays, so that a refused key does not hammer the venue. */
  #refused(code: string, link: SocketLink): void {
    if (WRONG_TIME.has(code)) this.#options.venueClock.measure();
    link.close(`log-on or subscription refused: ${code.slice(0, 20)}`);
  }

  #onPush(frame: WireObject): void {
    const { handlers, readers } = this.#options;
    const arg = asObject(frame.arg);
    const own = readers.filter(
      ({ channel, instType = arg?.instType }) =>
        channel === arg?.channel && (arg.instType ?? instType) === instType,
    );
    if (own.length === 0) return;
    const rows = asArray(frame.data);
    if (rows === undefined || rows.length > ROWS_PER_PUSH_MAX) {
      handlers.onMalformed(String(arg?.channel));
      return;
    }
    for (const row of rows) {
      for (const reader of own) if (!reader.read(row, handlers)) handlers.onMalformed(reader.channel);
    }
  }

  #onLinkClosed(link: SocketLink): void {
    this.#awaited.delete(link);
    this.#pending.linkClosed(link);
  }
}

/** Several readers may share a channel, which is subscribed once. */
function subscriptionsOf(readers: readonly ChannelReader[]): readonly object[] {
  const args = readers.map(({ channel, instType }) =>
    instType === undefined ? { channel } : { channel, instType },
  );
  return [...new Map(args.map((arg) => [JSON.stringify(arg), arg])).values()];
}

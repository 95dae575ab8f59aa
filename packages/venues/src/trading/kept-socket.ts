import type { Millis } from '@crossbook/domain';
import type { OpenTextSocket, TextSocket, TextSocketEvents, Timers } from '../transport.ts';

/** Bounds of a kept socket; the defaults are those of decision 0030.35. */
export interface KeptSocketBounds {
  /** From opening until the link is ready, handshake included. */
  readonly readyMillisMax: number;
  /** A heartbeat is sent this often; one that nothing follows until the next ends the link. */
  readonly heartbeatMillis: number;
  readonly reconnectDelayMillisMin: number;
  readonly reconnectDelayMillisMax: number;
  /** A link that was ready this long makes the next reconnect start at the shortest delay again. */
  readonly steadyMillis: number;
  /** The venue cuts at 24 h: at this age a successor is made ready first. */
  readonly lifeMillisMax: number;
  /** How long the old link stays open beside its successor, for what is still on its way. */
  readonly overlapMillis: number;
}

/** The bounds in production. */
export const KEPT_SOCKET_BOUNDS: KeptSocketBounds = {
  readyMillisMax: 10_000,
  heartbeatMillis: 15_000,
  reconnectDelayMillisMin: 250,
  reconnectDelayMillisMax: 30_000,
  steadyMillis: 30_000,
  lifeMillisMax: 23 * 3_600_000,
  overlapMillis: 15_000,
};

/** One connection of a kept socket. */
export interface SocketLink {
  /** Writes a text; false (and nothing written) when the link is not open. A throw of the socket passes through. */
  send(text: string): boolean;
  /** The handshake is done: this link is the current one from now on. */
  ready(): void;
  close(why: string): void;
}

/** What a kept socket needs and tells. */
export interface KeptSocketOptions {
  readonly url: string;
  readonly openSocket: OpenTextSocket;
  readonly timers: Timers;
  readonly clock: () => Millis;
  /** Uniform in [0, 1): jitter. */
  readonly random: () => number;
  readonly bounds?: Partial<KeptSocketBounds>;
  /** A text that the venue answers at once. */
  heartbeat(): string;
  /** A link has opened: shake hands, then call `ready`. */
  onOpen(link: SocketLink): void;
  onText(text: string, link: SocketLink): void;
  /** There is a current link again after there was none. A planned change of links does not count. */
  onLive?(): void;
  /** There is no current link; a new one will come. Also after every attempt that failed, so that somebody hears why. */
  onLost?(why: string): void;
  /** Any link has gone, current or not. */
  onLinkClosed?(link: SocketLink): void;
}

/** Enough to reach any delay bound, and far from overflowing. */
const DOUBLINGS_MAX = 30;

interface LinkState {
  readonly link: SocketLink;
  socket: TextSocket;
  open: boolean;
  closed: boolean;
  readyAt: Millis | undefined;
  heard: boolean;
  readonly timers: Set<() => void>;
}

/**
 * One socket that is always there again: reconnects with full jitter and never gives up, notices silence by heartbeats
 * of the application (protocol pongs prove only that the peer's kernel lives), and replaces itself before the venue
 * cuts it, the new link being ready before the old one closes.
 */
export class KeptSocket {
  readonly #options: KeptSocketOptions;
  readonly #bounds: KeptSocketBounds;
  readonly #states = new Set<LinkState>();
  #current: LinkState | undefined;
  #attempts = 0;
  #closed = false;
  #cancelReconnect: (() => void) | undefined;

  constructor(options: KeptSocketOptions) {
    this.#options = options;
    this.#bounds = { ...KEPT_SOCKET_BOUNDS, ...options.bounds };
    this.#open();
  }

  /** The link to write to; `undefined` while there is none. */
  get current(): SocketLink | undefined {
    return this.#current?.link;
  }

  /** Makes a successor now (the venue announced that it will close). */
  replace(): void {
    const opening = [...this.#states].some((state) => state.readyAt === undefined);
    if (!opening && !this.#closed && this.#cancelReconnect === undefined) this.#open();
  }

  /** Closes everything for good. */
  close(): void {
    this.#closed = true;
    this.#cancelReconnect?.();
    for (const state of [...this.#states]) this.#end(state, 'closed by us');
  }

  #open(): void {
    this.#cancelReconnect = undefined;
    const { openSocket, url } = this.#options;
    const state: LinkState = {
      link: {
        send: (text) => this.#send(state, text),
        ready: () => this.#ready(state),
        close: (why) => this.#end(state, why),
      },
      socket: { send: () => undefined, close: () => undefined },
      open: false,
      closed: false,
      readyAt: undefined,
      heard: false,
      timers: new Set(),
    };
    this.#states.add(state);
    try {
      state.socket = openSocket(url, this.#events(state));
    } catch {
      // An address that is none throws at once.
      this.#end(state, 'socket could not be opened');
      return;
    }
    this.#after(state, this.#bounds.readyMillisMax, () => {
      if (state.readyAt === undefined) this.#end(state, 'not ready in time');
    });
  }

  #events(state: LinkState): TextSocketEvents {
    return {
      onOpen: () => {
        if (state.closed) return;
        state.open = true;
        this.#options.onOpen(state.link);
      },
      onText: (text) => {
        if (state.closed) return;
        state.heard = true;
        this.#options.onText(text, state.link);
      },
      onClose: (why) => this.#end(state, why),
    };
  }

  #send(state: LinkState, text: string): boolean {
    if (!state.open || state.closed) return false;
    state.socket.send(text);
    return true;
  }

  #ready(state: LinkState): void {
    if (state.closed || state.readyAt !== undefined) return;
    state.readyAt = this.#options.clock();
    const previous = this.#current;
    this.#current = state;
    this.#after(state, this.#bounds.lifeMillisMax, () => this.replace());
    this.#beat(state);
    if (previous === undefined) this.#options.onLive?.();
    else this.#after(previous, this.#bounds.overlapMillis, () => this.#end(previous, 'replaced'));
  }

  #beat(state: LinkState): void {
    this.#after(state, this.#bounds.heartbeatMillis, () => {
      state.heard = false;
      try {
        this.#send(state, this.#options.heartbeat());
      } catch {
        this.#end(state, 'heartbeat not written');
        return;
      }
      this.#after(state, this.#bounds.heartbeatMillis, () => {
        if (!state.heard) this.#end(state, 'silent');
        else this.#beat(state);
      });
    });
  }

  #end(state: LinkState, why: string): void {
    if (state.closed) return;
    state.closed = true;
    this.#states.delete(state);
    for (const cancel of state.timers) cancel();
    state.timers.clear();
    state.socket.close();
    if (this.#current === state) this.#current = undefined;
    this.#options.onLinkClosed?.(state.link);
    if (this.#closed) return;
    if (this.#current === undefined) this.#options.onLost?.(why);
    this.#reconnect(state);
  }

  /** Full jitter: anywhere between nothing and a bound that doubles, so that many clients do not come back as one. */
  #reconnect(ended: LinkState): void {
    if (this.#closed || this.#cancelReconnect !== undefined) return;
    const opening = [...this.#states].some((state) => state.readyAt === undefined);
    const retired = this.#current !== undefined && ended.readyAt !== undefined;
    if (opening || retired) return;
    const { clock, random, timers } = this.#options;
    const { reconnectDelayMillisMin, reconnectDelayMillisMax, steadyMillis } = this.#bounds;
    if (ended.readyAt !== undefined && clock() - ended.readyAt >= steadyMillis) this.#attempts = 0;
    const doubled = reconnectDelayMillisMin * 2 ** Math.min(this.#attempts, DOUBLINGS_MAX);
    this.#attempts += 1;
    const delay = random() * Math.min(reconnectDelayMillisMax, doubled);
    this.#cancelReconnect = timers.after(delay, () => this.#open());
  }

  #after(state: LinkState, millis: number, run: () => void): void {
    const cancel = this.#options.timers.after(millis, () => {
      state.timers.delete(cancel);
      if (!state.closed) run();
    });
    state.timers.add(cancel);
  }
}

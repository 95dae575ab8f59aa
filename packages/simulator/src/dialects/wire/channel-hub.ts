import type { Millis } from '@crossbook/domain';
import type { ExchangeListener, SimBookChange, SimTrade } from '../../exchange.ts';

/** One channel that somebody listens to: gathers what happens, writes it when it is due. */
export interface StreamChannel {
  /** The market whose updates it takes; `undefined` for channels about several. */
  readonly symbol: string | undefined;
  /** How often it speaks, at whole multiples of it; 0 is at every tick of the hub. */
  readonly everyMillis: number;
  onTrade?(trade: SimTrade): void;
  onBookChange?(change: SimBookChange): void;
  /** What one who joins hears first: what the others have been told so far. `undefined` for nothing. */
  greeting?(now: Millis): string | undefined;
  /** The payloads since the last flush, as text. */
  flush(now: Millis): readonly string[];
}

/** A channel that was made, and how to stop looking at its market. */
export interface OpenedChannel {
  readonly channel: StreamChannel;
  unwatch?(): void;
}

/** Takes frames; each is made once and shared by all who listen. */
export interface FrameSubscriber {
  deliver(frame: Buffer): void;
}

/** What a hub needs of its dialect. */
export interface ChannelHubParts<Subscriber> {
  now(): Millis;
  /** How often the hub looks which channels are due. */
  readonly tickMillis: number;
  /** Writes one payload as the dialect's frames, and hands them to all who listen. */
  send(name: string, payload: string, subscribers: Iterable<Subscriber>): void;
  /** Whether this payload of this channel is to be lost (faults.ts). */
  loses?(name: string): boolean;
  /** Hears of a fault of ours. */
  onFault(fault: unknown): void;
}

interface OpenChannel<Subscriber> extends OpenedChannel {
  readonly name: string;
  readonly subscribers: Set<Subscriber>;
  dueAt: number;
}

/** All channels that somebody listens to. One tick gathers, writes each payload once, and sends it to all. */
export class ChannelHub<Subscriber> {
  readonly #parts: ChannelHubParts<Subscriber>;
  readonly #channels = new Map<string, OpenChannel<Subscriber>>();
  readonly #bySymbol = new Map<string, Set<OpenChannel<Subscriber>>>();
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: ChannelHubParts<Subscriber>) {
    this.#parts = parts;
  }

  /** Joins a channel, opened where nobody listens to it yet. @returns it; `undefined` when `open` has none. */
  join(
    name: string,
    subscriber: Subscriber,
    open: () => OpenedChannel | undefined,
  ): StreamChannel | undefined {
    const known = this.#channels.get(name) ?? this.#open(name, open());
    known?.subscribers.add(subscriber);
    return known?.channel;
  }

  leave(name: string, subscriber: Subscriber): void {
    const open = this.#channels.get(name);
    if (open === undefined || !open.subscribers.delete(subscriber) || open.subscribers.size > 0) return;
    this.#channels.delete(name);
    open.unwatch?.();
    const { symbol } = open.channel;
    if (symbol !== undefined) {
      const others = this.#bySymbol.get(symbol);
      others?.delete(open);
      if (others?.size === 0) this.#bySymbol.delete(symbol);
    }
    if (this.#channels.size === 0) this.#stop();
  }

  /** What the core is to call. */
  listener(): ExchangeListener {
    return {
      onTrade: (trade) => {
        for (const { channel } of this.#bySymbol.get(trade.symbol) ?? []) channel.onTrade?.(trade);
      },
      onBookChange: (change) => {
        for (const { channel } of this.#bySymbol.get(change.symbol) ?? []) channel.onBookChange?.(change);
      },
    };
  }

  close(): void {
    this.#stop();
    for (const open of this.#channels.values()) open.unwatch?.();
    this.#channels.clear();
    this.#bySymbol.clear();
  }

  #open(name: string, opened: OpenedChannel | undefined): OpenChannel<Subscriber> | undefined {
    if (opened === undefined) return undefined;
    const open: OpenChannel<Subscriber> = { ...opened, name, subscribers: new Set(), dueAt: 0 };
    this.#channels.set(name, open);
    const { symbol } = open.channel;
    if (symbol !== undefined) {
      this.#bySymbol.set(symbol, (this.#bySymbol.get(symbol) ?? new Set()).add(open));
    }
    if (this.#timer === undefined) {
      this.#timer = setInterval(() => this.#tick(), this.#parts.tickMillis);
      this.#timer.unref();
    }
    return open;
  }

  #stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #tick(): void {
    const now = this.#parts.now();
    for (const open of this.#channels.values()) {
      const { everyMillis } = open.channel;
      if (everyMillis > 0 && now < open.dueAt) continue;
      open.dueAt = everyMillis === 0 ? 0 : now - (now % everyMillis) + everyMillis;
      try {
        this.#flush(open, now);
      } catch (fault) {
        // One channel that fails must not silence the others.
        this.#parts.onFault(fault);
      }
    }
  }

  #flush({ name, channel, subscribers }: OpenChannel<Subscriber>, now: Millis): void {
    for (const payload of channel.flush(now)) {
      if (this.#parts.loses?.(name) !== true) this.#parts.send(name, payload, subscribers);
    }
  }
}

/** Hands one text to all who listen, as one frame. */
export function deliverAll(text: string, subscribers: Iterable<FrameSubscriber>): void {
  const frame = Buffer.from(text);
  for (const subscriber of subscribers) subscriber.deliver(frame);
}

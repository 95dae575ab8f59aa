import type { Millis } from '@crossbook/domain';
import type { ExchangeListener } from '../../exchange.ts';
import type { Desk } from './endpoint.ts';
import type { StreamChannel } from './stream-channels.ts';

/** What the hub needs of a dialect: spot's and the futures' streams run on hubs of their own. */
interface StreamHubParts {
  now(): Millis;
  /** The channel of a stream's name; `undefined` when there is no such stream. */
  makeChannel(name: string): StreamChannel | undefined;
  /** Tells the market side that somebody looks at a market, until the returned function is called. */
  readonly watch: Desk['watch'];
  /** Whether this depth update of this stream is to be lost (faults.ts). */
  skipsDepth(stream: string): boolean;
  readonly onFault: Desk['onFault'];
}

/** Takes a stream's frames; both forms are made once and shared by all who listen. */
export interface StreamSubscriber {
  /** Whether it wants `{stream,data}` around the payload. */
  readonly combined: boolean;
  deliver(frame: Buffer): void;
}

interface OpenStream {
  readonly name: string;
  readonly channel: StreamChannel;
  readonly subscribers: Set<StreamSubscriber>;
  readonly unwatch: () => void;
  dueAt: number;
}

const TICK_MILLIS = 25;

/** All market streams that somebody listens to. One tick gathers, writes each frame once, and sends it to all. */
export class StreamHub {
  readonly #parts: StreamHubParts;
  readonly #streams = new Map<string, OpenStream>();
  readonly #bySymbol = new Map<string, Set<OpenStream>>();
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: StreamHubParts) {
    this.#parts = parts;
  }

  /** Joins a stream; a name that no stream has is accepted and stays silent, as at Binance. */
  join(name: string, subscriber: StreamSubscriber): void {
    const stream = this.#streams.get(name) ?? this.#open(name);
    stream?.subscribers.add(subscriber);
  }

  leave(name: string, subscriber: StreamSubscriber): void {
    const stream = this.#streams.get(name);
    if (stream === undefined) return;
    stream.subscribers.delete(subscriber);
    if (stream.subscribers.size > 0) return;
    this.#streams.delete(name);
    stream.unwatch();
    if (stream.channel.symbol !== undefined) {
      const others = this.#bySymbol.get(stream.channel.symbol);
      others?.delete(stream);
      if (others?.size === 0) this.#bySymbol.delete(stream.channel.symbol);
    }
    if (this.#streams.size === 0) this.#stop();
  }

  /** Streams with at least one listener. */
  get size(): number {
    return this.#streams.size;
  }

  /** What the core is to call. */
  listener(): ExchangeListener {
    return {
      onTrade: (trade) => {
        for (const stream of this.#bySymbol.get(trade.symbol) ?? []) stream.channel.onTrade?.(trade);
      },
      onBookChange: (change) => {
        for (const stream of this.#bySymbol.get(change.symbol) ?? []) stream.channel.onBookChange?.(change);
      },
    };
  }

  close(): void {
    this.#stop();
    for (const stream of this.#streams.values()) stream.unwatch();
    this.#streams.clear();
    this.#bySymbol.clear();
  }

  #open(name: string): OpenStream | undefined {
    const channel = this.#parts.makeChannel(name);
    if (channel === undefined) return undefined;
    const unwatch = channel.symbol === undefined ? () => undefined : this.#parts.watch(channel.symbol);
    const stream: OpenStream = { name, channel, subscribers: new Set(), unwatch, dueAt: 0 };
    this.#streams.set(name, stream);
    if (channel.symbol !== undefined) {
      const others = this.#bySymbol.get(channel.symbol) ?? new Set();
      this.#bySymbol.set(channel.symbol, others.add(stream));
    }
    if (this.#timer === undefined) {
      this.#timer = setInterval(() => this.#tick(), TICK_MILLIS);
      this.#timer.unref();
    }
    return stream;
  }

  #stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #tick(): void {
    const now = this.#parts.now();
    for (const stream of this.#streams.values()) {
      const { everyMillis } = stream.channel;
      if (everyMillis > 0 && now < stream.dueAt) continue;
      stream.dueAt = everyMillis === 0 ? 0 : now - (now % everyMillis) + everyMillis;
      try {
        this.#flush(stream, now);
      } catch (fault) {
        // One stream that fails must not silence the others.
        this.#parts.onFault(fault);
      }
    }
  }

  #flush(stream: OpenStream, now: Millis): void {
    const isDiff = /@depth(@|$)/.test(stream.name);
    for (const payload of stream.channel.flush(now)) {
      if (isDiff && this.#parts.skipsDepth(stream.name)) continue;
      let raw: Buffer | undefined;
      let combined: Buffer | undefined;
      for (const subscriber of stream.subscribers) {
        if (subscriber.combined) {
          combined ??= Buffer.from(`{"stream":"${stream.name}","data":${payload}}`);
          subscriber.deliver(combined);
        } else {
          raw ??= Buffer.from(payload);
          subscriber.deliver(raw);
        }
      }
    }
  }
}

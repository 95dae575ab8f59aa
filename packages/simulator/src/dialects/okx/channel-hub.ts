import type { Millis } from '@crossbook/domain';
import type { ExchangeListener } from '../../exchange.ts';
import type { Desk } from './desk.ts';
import { argumentText, type ChannelArgument, type MarketChannel } from './market-channel.ts';

/** Takes a channel's frames; each is made once and shared by all who listen. */
export interface ChannelSubscriber {
  deliver(frame: Buffer | string): void;
}

interface OpenChannel {
  readonly name: string;
  readonly channel: MarketChannel;
  readonly subscribers: Set<ChannelSubscriber>;
  readonly unwatch: () => void;
  dueAt: number;
}

const TICK_MILLIS = 25;

/** All public channels that somebody listens to. One tick gathers, writes each frame once, and sends it to all. */
export class ChannelHub {
  readonly #desk: Desk;
  readonly #channels = new Map<string, OpenChannel>();
  readonly #byInstrument = new Map<string, Set<OpenChannel>>();
  #timer: NodeJS.Timeout | undefined;

  constructor(desk: Desk) {
    this.#desk = desk;
  }

  /**
   * Joins a channel, made by `make` where nobody listens to it yet. @returns what the listener hears first, `''` for
   * nothing; `undefined` when there is no such channel.
   */
  join(
    argument: ChannelArgument,
    subscriber: ChannelSubscriber,
    make: (desk: Desk, argument: ChannelArgument) => MarketChannel | undefined,
  ): string | undefined {
    const name = argumentText(argument);
    const open = this.#channels.get(name) ?? this.#open(name, make(this.#desk, argument));
    if (open === undefined) return undefined;
    open.subscribers.add(subscriber);
    const greeting = open.channel.greeting(this.#desk.now());
    return greeting === undefined ? '' : frameOf(name, greeting);
  }

  leave(argument: ChannelArgument, subscriber: ChannelSubscriber): void {
    const name = argumentText(argument);
    const open = this.#channels.get(name);
    if (open === undefined) return;
    open.subscribers.delete(subscriber);
    if (open.subscribers.size > 0) return;
    this.#channels.delete(name);
    open.unwatch();
    const { instId } = open.channel;
    if (instId !== undefined) {
      const others = this.#byInstrument.get(instId);
      others?.delete(open);
      if (others?.size === 0) this.#byInstrument.delete(instId);
    }
    if (this.#channels.size === 0) this.#stop();
  }

  /** What the core is to call, for pairs and contracts alike. */
  listener(): ExchangeListener {
    return {
      onTrade: (trade) => {
        for (const open of this.#byInstrument.get(trade.symbol) ?? []) open.channel.onTrade?.(trade);
      },
      onBookChange: (change) => {
        for (const open of this.#byInstrument.get(change.symbol) ?? []) open.channel.onBookChange?.(change);
      },
    };
  }

  close(): void {
    this.#stop();
    for (const open of this.#channels.values()) open.unwatch();
    this.#channels.clear();
    this.#byInstrument.clear();
  }

  #open(name: string, channel: MarketChannel | undefined): OpenChannel | undefined {
    if (channel === undefined) return undefined;
    const { instId } = channel;
    const listed = instId === undefined ? undefined : this.#desk.listing.find(instId);
    const watches = listed !== undefined && channel.watches;
    const unwatch = watches ? this.#desk.venue.watch(listed.part, listed.instId) : () => undefined;
    const open: OpenChannel = { name, channel, subscribers: new Set(), unwatch, dueAt: 0 };
    this.#channels.set(name, open);
    if (instId !== undefined) {
      const others = this.#byInstrument.get(instId) ?? new Set();
      this.#byInstrument.set(instId, others.add(open));
    }
    if (this.#timer === undefined) {
      this.#timer = setInterval(() => this.#tick(), TICK_MILLIS);
      this.#timer.unref();
    }
    return open;
  }

  #tick(): void {
    const now = this.#desk.now();
    for (const open of this.#channels.values()) {
      if (now < open.dueAt) continue;
      open.dueAt = now + open.channel.everyMillis;
      try {
        this.#flush(open, now);
      } catch (fault) {
        // One channel that fails must not silence the others.
        this.#desk.onFault(fault);
      }
    }
  }

  #flush(open: OpenChannel, now: Millis): void {
    for (const push of open.channel.flush(now)) {
      const frame = Buffer.from(frameOf(open.name, push));
      for (const subscriber of open.subscribers) subscriber.deliver(frame);
    }
  }

  #stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

function frameOf(argument: string, push: string): string {
  return `{"arg":${argument},${push}}`;
}

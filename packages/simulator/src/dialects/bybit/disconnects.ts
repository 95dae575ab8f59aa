import type { Millis } from '@crossbook/domain';
import type { AccountNumber } from '../../exchange.ts';
import { BoundedMap } from '../wire/bounded-map.ts';

/** What is protected on its own (order/dcp). */
export const DCP_PRODUCTS = ['OPTIONS', 'DERIVATIVES', 'SPOT'] as const;
/** One of them. */
export type DcpProduct = (typeof DCP_PRODUCTS)[number];

/** How often it is looked whether a window has passed. */
const LOOK_MILLIS = 250;
/** Orders whose reason is remembered. */
const CANCELLED_MAX = 10_000;

/** What a guard works with. */
export interface GuardParts {
  now(): Millis;
  /** Cancels what an account has in the market. */
  cancel(account: AccountNumber, product: DcpProduct): Promise<void>;
  onFault(fault: unknown): void;
}

interface Guarded {
  readonly account: AccountNumber;
  readonly product: DcpProduct;
  /** Connections that subscribe to its topic. */
  alive: number;
  /** When its orders are cancelled, while none is alive. */
  dueAt?: Millis;
}

/**
 * Cancels an account's orders when all its private connections that asked for it have been gone for as long as it has
 * set. In memory: a restart forgets windows, connections and reasons.
 */
export class DisconnectGuards {
  readonly #parts: GuardParts;
  /** Seconds, by account and product. */
  readonly #windows = new Map<AccountNumber, Map<DcpProduct, number>>();
  readonly #guarded = new Map<string, Guarded>();
  readonly #cancelled = new BoundedMap<string, true>(CANCELLED_MAX);
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: GuardParts) {
    this.#parts = parts;
  }

  /** @param seconds until orders are cancelled. */
  set(account: AccountNumber, product: DcpProduct, seconds: number): void {
    const own = this.#windows.get(account) ?? new Map<DcpProduct, number>();
    this.#windows.set(account, own.set(product, seconds));
  }

  /** What an account has set, in seconds. */
  windows(account: AccountNumber): ReadonlyMap<DcpProduct, number> {
    return this.#windows.get(account) ?? new Map();
  }

  /**
   * A connection asks to be watched. @returns what ends that, once: its owner who wants it no more, or its end, from which
   * the window counts ("The timing starts from the first disconnection").
   */
  watch(account: AccountNumber, product: DcpProduct): (why: 'unwanted' | 'gone') => void {
    const name = `${account} ${product}`;
    const guarded = this.#guarded.get(name) ?? { account, product, alive: 0 };
    this.#guarded.set(name, guarded);
    guarded.alive += 1;
    delete guarded.dueAt;
    let over = false;
    return (why) => {
      if (over) return;
      over = true;
      guarded.alive -= 1;
      const seconds = this.windows(account).get(product);
      if (guarded.alive > 0) return;
      if (seconds === undefined || why === 'unwanted') this.#guarded.delete(name);
      else this.#arm(guarded, seconds);
    };
  }

  /** An order is about to be cancelled for it. */
  note(orderId: string): void {
    this.#cancelled.set(orderId, true);
  }

  /** Whether an order was cancelled for it. */
  hasCancelled(orderId: string): boolean {
    return this.#cancelled.has(orderId);
  }

  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#guarded.clear();
  }

  #arm(guarded: Guarded, seconds: number): void {
    guarded.dueAt = (this.#parts.now() + seconds * 1_000) as Millis;
    this.#timer ??= setInterval(() => this.#look(), LOOK_MILLIS);
    this.#timer.unref();
  }

  #look(): void {
    const now = this.#parts.now();
    let waiting = false;
    for (const [name, { account, product, dueAt }] of [...this.#guarded]) {
      if (dueAt === undefined) continue;
      waiting ||= dueAt > now;
      if (dueAt > now) continue;
      this.#guarded.delete(name);
      this.#parts.cancel(account, product).catch((fault: unknown) => this.#parts.onFault(fault));
    }
    if (waiting) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

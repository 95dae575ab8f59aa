import type { UserEvent } from '@crossbook/contract';
import type { Amount, Millis, OrderId, Platform, SymbolType, UserId } from '@crossbook/domain';
import type { MarketPorts } from './ports.ts';
import {
  type AlertKeeper,
  type FiredAlert,
  type PriceAlert,
  type PriceAlertStore,
  priceAlertRow,
} from './price-alerts.ts';

/** How often what was heard is compared. */
const LOOK_EVERY_MILLIS = 1_000;
/** A symbol with an alert that nothing was heard of for so long is asked for. */
const SILENT_MILLIS_MAX = 10_000;
/** Up to so many symbols of a market are asked for one by one, more as the list of all. */
const ONE_BY_ONE_MAX = 5;
/** Alerts written at once. */
const FIRED_AT_ONCE_MAX = 500;
const PAGE_MAX = 5_000;
const SWEEP_EVERY_MILLIS = 3_600_000;

/** One market's last prices, as far as alerts need them. */
export interface PriceSource {
  readonly platform: Platform;
  readonly symbolType: SymbolType;
  /** Tells every last price that somebody's stream brings anyway; it is worked out for a symbol that is waited for alone. */
  hearPrices(listener: (symbol: string, read: () => Amount | undefined) => void): void;
  /** Last prices by REST; of all symbols where none is named. What the venue does not answer is absent. */
  askPrices(symbols: readonly string[] | undefined): Promise<ReadonlyMap<string, Amount>>;
}

/** Alerts of one symbol, the next to fire first on each side. */
interface SymbolAlerts {
  readonly rises: PriceAlert[];
  readonly falls: PriceAlert[];
  /** What the last price was between since the last look. */
  span: { low: Amount; high: Amount } | undefined;
  heardAt: number;
}

/** What the watch works with. */
export interface AlertWatchParts {
  readonly store: PriceAlertStore;
  readonly sources: readonly PriceSource[];
  readonly ports: Pick<MarketPorts, 'clock' | 'every' | 'note'>;
  readonly publish: (user: UserId, event: UserEvent) => void;
}

function keyOf({ platform, symbolType }: Pick<PriceAlert, 'platform' | 'symbolType'>): string {
  return `${platform}:${symbolType}`;
}

/** Puts one into a list that is in order. @param before whether the first belongs before the second. */
function insert(
  list: PriceAlert[],
  alert: PriceAlert,
  before: (left: PriceAlert, right: PriceAlert) => boolean,
): void {
  let [from, to] = [0, list.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    const there = list[middle];
    if (there !== undefined && before(there, alert)) from = middle + 1;
    else to = middle;
  }
  list.splice(from, 0, alert);
}

/**
 * Compares price alerts with last prices, once a second: those that a stream brings because somebody follows the symbol, and
 * those of a REST read where nobody does. It opens no stream. What was touched between two reads of such a symbol, or while the
 * hub was away, is not noticed (decision 0056).
 */
export class AlertWatch implements AlertKeeper {
  readonly #parts: AlertWatchParts;
  readonly #byMarket = new Map<string, Map<string, SymbolAlerts>>();
  readonly #byId = new Map<OrderId, PriceAlert>();
  /** Those that fired and are not written yet: a database that was away loses none. */
  readonly #due = new Map<OrderId, FiredAlert>();
  readonly #asking = new Set<string>();
  #looking: Promise<void> | undefined;
  #sweptAt = 0;
  #stopLooks = (): void => undefined;

  constructor(parts: AlertWatchParts) {
    this.#parts = parts;
    for (const source of parts.sources) {
      const symbols = new Map<string, SymbolAlerts>();
      this.#byMarket.set(keyOf(source), symbols);
      source.hearPrices((symbol, read) => {
        const known = symbols.get(symbol);
        if (known !== undefined) this.#hear(known, read());
      });
    }
  }

  get count(): number {
    return this.#byId.size;
  }

  /** Loads what waits, and begins to look. */
  async start(): Promise<void> {
    let after: OrderId | undefined;
    for (;;) {
      const page = await this.#parts.store.waiting(after, PAGE_MAX);
      for (const alert of page) if (!this.#byId.has(alert.id)) this.keep(alert);
      after = page.at(-1)?.id;
      if (page.length < PAGE_MAX) break;
    }
    this.#stopLooks = this.#parts.ports.every(LOOK_EVERY_MILLIS, () => this.#look());
  }

  /** Ends looking; resolves when nothing is being written any more. */
  async stop(): Promise<void> {
    this.#stopLooks();
    await this.#looking;
  }

  keep(alert: PriceAlert): void {
    this.#forget(alert.id);
    const symbols = this.#byMarket.get(keyOf(alert));
    if (symbols === undefined) return;
    const known = symbols.get(alert.symbol) ?? { rises: [], falls: [], span: undefined, heardAt: 0 };
    symbols.set(alert.symbol, known);
    this.#byId.set(alert.id, alert);
    // What was heard before it was set is no news to it, but to the others.
    this.#collect(known);
    if (alert.direction === 'rises') insert(known.rises, alert, (left, right) => left.price <= right.price);
    else insert(known.falls, alert, (left, right) => left.price >= right.price);
  }

  drop(user: UserId, id: OrderId): void {
    if (this.#byId.get(id)?.user === user) this.#forget(id);
  }

  #forget(id: OrderId): void {
    const alert = this.#byId.get(id);
    if (alert === undefined) return;
    this.#byId.delete(id);
    this.#due.delete(id);
    const symbols = this.#byMarket.get(keyOf(alert));
    const known = symbols?.get(alert.symbol);
    if (symbols === undefined || known === undefined) return;
    const list = known[alert.direction];
    const place = list.findIndex((one) => one.id === id);
    if (place >= 0) list.splice(place, 1);
    if (known.rises.length + known.falls.length === 0) symbols.delete(alert.symbol);
  }

  #hear(known: SymbolAlerts, price: Amount | undefined): void {
    if (price === undefined || price <= 0n) return;
    known.heardAt = this.#parts.ports.clock();
    const { span } = known;
    if (span === undefined) known.span = { low: price, high: price };
    else if (price < span.low) span.low = price;
    else if (price > span.high) span.high = price;
  }

  /** Notes what has fired by what was heard of a symbol; it stays in its list until that is written. */
  #collect(known: SymbolAlerts): void {
    const { span, rises, falls } = known;
    if (span === undefined) return;
    known.span = undefined;
    const time = this.#parts.ports.clock();
    for (const alert of rises) {
      if (alert.price > span.high) break;
      if (!this.#due.has(alert.id)) this.#due.set(alert.id, { ...alert, fired: { price: span.high, time } });
    }
    for (const alert of falls) {
      if (alert.price < span.low) break;
      if (!this.#due.has(alert.id)) this.#due.set(alert.id, { ...alert, fired: { price: span.low, time } });
    }
  }

  #look(): void {
    const now = this.#parts.ports.clock();
    for (const source of this.#parts.sources) this.#ask(source, now);
    for (const symbols of this.#byMarket.values()) {
      for (const known of symbols.values()) this.#collect(known);
    }
    if (this.#looking !== undefined) return;
    const sweeps = Math.abs(now - this.#sweptAt) >= SWEEP_EVERY_MILLIS;
    if (this.#due.size === 0 && !sweeps) return;
    if (sweeps) this.#sweptAt = now;
    this.#looking = this.#write(sweeps ? now : undefined)
      .catch((error: unknown) =>
        this.#parts.ports.note('price alerts were not written', { error: String(error) }),
      )
      .finally(() => {
        this.#looking = undefined;
      });
  }

  async #write(sweepAt: Millis | undefined): Promise<void> {
    const { store, publish } = this.#parts;
    const due = [...this.#due.values()].slice(0, FIRED_AT_ONCE_MAX);
    if (due.length > 0) {
      const written = await store.fire(due);
      // One that was moved meanwhile waits for its new price, one that was removed for none.
      for (const fired of due) if (this.#due.get(fired.id) === fired) this.#forget(fired.id);
      for (const alert of written) publish(alert.user, { kind: 'price-alert', alert: priceAlertRow(alert) });
    }
    if (sweepAt === undefined) return;
    for (const id of await store.sweep(sweepAt)) this.#forget(id);
  }

  /** Asks for the symbols that nothing was heard of, one question of a market at a time; never waits. */
  #ask(source: PriceSource, now: Millis): void {
    const key = keyOf(source);
    const symbols = this.#byMarket.get(key);
    if (symbols === undefined || symbols.size === 0 || this.#asking.has(key)) return;
    const silent = [...symbols].filter(([, { heardAt }]) => Math.abs(now - heardAt) > SILENT_MILLIS_MAX);
    if (silent.length === 0) return;
    // Asked is asked: a venue that does not answer is not asked faster.
    for (const [, known] of silent) known.heardAt = now;
    this.#asking.add(key);
    const names = silent.map(([symbol]) => symbol);
    source
      .askPrices(names.length <= ONE_BY_ONE_MAX ? names : undefined)
      .then((prices) => {
        for (const symbol of names) {
          const known = symbols.get(symbol);
          if (known !== undefined) this.#hear(known, prices.get(symbol));
        }
      })
      .catch((error: unknown) =>
        this.#parts.ports.note('last prices not read', { error: String(error), market: key }),
      )
      .finally(() => this.#asking.delete(key));
  }
}

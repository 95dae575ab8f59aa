import { isFinal, type OrderId } from '@crossbook/domain';
import type { CompanionWrite, LedgerStore } from '@crossbook/ledger';
import type { StoredOrder } from '../order.ts';
import type { OpenOrders, OrderPlace, OrderStore } from '../ports.ts';

/** Members' markets whose open orders are remembered; beyond it the one remembered longest is read again when needed. */
const MARKETS_REMEMBERED_MAX = 20_000;

/** Ports whose writes are counted, and the count. */
export interface CountedOrders {
  readonly orders: OrderStore;
  readonly ledger: LedgerStore;
  readonly openOrders: OpenOrders;
}

/** One reading of a market's open orders, and what was written while it was under way. */
interface Reading {
  readonly ids: Promise<Set<OrderId>>;
  readonly written: Map<OrderId, boolean>;
}

/** Ids of the open orders of every market that was asked for, as they are in the store. */
class OpenOrderIds {
  readonly #orders: OrderStore;
  readonly #markets = new Map<string, Set<OrderId>>();
  readonly #readings = new Map<string, Reading>();

  constructor(orders: OrderStore) {
    this.#orders = orders;
  }

  /** An order's row was written for certain. */
  note(order: StoredOrder): void {
    const key = keyOf(order);
    const open = isOpen(order);
    this.#readings.get(key)?.written.set(order.id, open);
    change(this.#markets.get(key), order.id, open);
  }

  /** A row may have been written or not: the market is read again. */
  forget(order: StoredOrder): void {
    this.#markets.delete(keyOf(order));
    this.#readings.delete(keyOf(order));
  }

  /** The ids as far as they are known now; `undefined` asks for `read`. */
  now(place: OrderPlace): ReadonlySet<OrderId> | undefined {
    return this.#markets.get(keyOf(place));
  }

  /** Reads a market's ids. They may be unknown again by the time it resolves: a row may have been lost meanwhile. */
  async read(place: OrderPlace): Promise<void> {
    const key = keyOf(place);
    const reading = this.#readings.get(key) ?? this.#begin(key, place);
    try {
      const ids = await reading.ids;
      // Forgotten, or remembered already: the reading was shared.
      if (this.#readings.get(key) !== reading) return;
      for (const [id, open] of reading.written) change(ids, id, open);
      this.#remember(key, ids);
    } finally {
      if (this.#readings.get(key) === reading) this.#readings.delete(key);
    }
  }

  #begin(key: string, { user, platform, symbol, symbolType }: OrderPlace): Reading {
    const rows = this.#orders.openOf(user, platform, { symbol, symbolType });
    const reading = {
      ids: rows.then((found) => new Set(found.map(({ id }) => id))),
      written: new Map<OrderId, boolean>(),
    };
    this.#readings.set(key, reading);
    return reading;
  }

  #remember(key: string, ids: Set<OrderId>): void {
    const [oldest] = this.#markets.keys();
    if (this.#markets.size >= MARKETS_REMEMBERED_MAX && oldest !== undefined) this.#markets.delete(oldest);
    this.#markets.set(key, ids);
  }
}

/**
 * Counts open orders as they are written. It is exact as long as every row of an order is written through the ports it
 * returns, in this process: a commit that is certain changes the count, and after any other the rows are read again.
 */
export function countOpenOrders(stores: {
  readonly orders: OrderStore;
  readonly ledger: LedgerStore;
}): CountedOrders {
  const open = new OpenOrderIds(stores.orders);
  const written = new WeakMap<CompanionWrite, StoredOrder>();
  const counted = (write: CompanionWrite, order: StoredOrder): CompanionWrite => {
    written.set(write, order);
    return write;
  };
  const commit: LedgerStore['commit'] = async (unit) => {
    const rows = (unit.writes ?? []).flatMap((write) => written.get(write) ?? []);
    let applied = false;
    try {
      const committed = await stores.ledger.commit(unit);
      applied = committed.ok && !committed.value.replayed;
      return committed;
    } finally {
      for (const order of rows) {
        if (applied) open.note(order);
        else open.forget(order);
      }
    }
  };
  return {
    orders: {
      ...stores.orders,
      insert: (order) => counted(stores.orders.insert(order), order),
      progress: (order) => counted(stores.orders.progress(order), order),
    },
    ledger: {
      commit,
      fundingBalances: (user) => stores.ledger.fundingBalances(user),
      tradingBalances: (user, platform, wallet) => stores.ledger.tradingBalances(user, platform, wallet),
    },
    openOrders: placesOf(open),
  };
}

function placesOf(open: OpenOrderIds): OpenOrders {
  const taken = new Map<string, Set<OrderId>>();
  return {
    async take(order) {
      const key = keyOf(order);
      let ids = open.now(order);
      while (ids === undefined) {
        await open.read(order);
        ids = open.now(order);
      }
      const places = taken.get(key) ?? new Set<OrderId>();
      const unwritten = [...places].filter((id) => id !== order.id && ids?.has(id) !== true);
      const others = ids.size - (ids.has(order.id) ? 1 : 0) + unwritten.length;
      taken.set(key, places.add(order.id));
      const giveBack = (): void => {
        places.delete(order.id);
        if (places.size === 0 && taken.get(key) === places) taken.delete(key);
      };
      return { others, giveBack };
    },
  };
}

function keyOf({ user, platform, symbolType, symbol }: OrderPlace): string {
  return `${platform}:${user}:${symbolType}:${symbol}`;
}

/** The same orders as `OrderStore.openOf`. */
function isOpen({ settled, status }: StoredOrder): boolean {
  return !settled && !isFinal(status);
}

function change(ids: Set<OrderId> | undefined, id: OrderId, open: boolean): void {
  if (open) ids?.add(id);
  else ids?.delete(id);
}

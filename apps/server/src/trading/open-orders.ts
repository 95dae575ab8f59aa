import { isFinal, type OrderId, type Platform, type UserId } from '@crossbook/domain';
import type { CompanionWrite, LedgerStore } from '@crossbook/ledger';
import type { StoredOrder } from './order.ts';
import type { OrderStore } from './ports.ts';

/** Members' markets whose open orders are remembered; beyond it the one remembered longest is read again when needed. */
const MARKETS_REMEMBERED_MAX = 20_000;

/** Where an order counts: 200 of them may be open there. */
export type OrderPlace = Pick<StoredOrder, 'id' | 'user' | 'platform' | 'symbol'>;

/** How many orders a member has open in an instrument, without reading them for every new one. */
export interface OpenOrders {
  /**
   * Takes a place for an order that is about to be written, so that calls side by side count each other.
   * @returns how many other orders are open or about to be, and what gives the place back once the row is written or not.
   */
  take(order: OrderPlace): Promise<{ readonly others: number; readonly giveBack: () => void }>;
  /** How many are open or about to be. */
  count(user: UserId, platform: Platform, symbol: string): Promise<number>;
}

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

/**
 * Counts open orders as they are written. It is exact as long as every row of an order is written through the ports it
 * returns, in this process: a commit that is certain changes the count, and after any other the rows are read again.
 */
export function countOpenOrders(stores: {
  readonly orders: OrderStore;
  readonly ledger: LedgerStore;
}): CountedOrders {
  const markets = new Map<string, Set<OrderId>>();
  const readings = new Map<string, Reading>();
  const taken = new Map<string, Set<OrderId>>();
  const written = new WeakMap<CompanionWrite, StoredOrder>();

  const forget = (key: string): void => {
    markets.delete(key);
    readings.delete(key);
  };
  const note = (order: StoredOrder): void => {
    const key = keyOf(order);
    const open = isOpen(order);
    readings.get(key)?.written.set(order.id, open);
    change(markets.get(key), order.id, open);
  };
  const remember = (key: string, ids: Set<OrderId>): void => {
    const [oldest] = markets.keys();
    if (markets.size >= MARKETS_REMEMBERED_MAX && oldest !== undefined) markets.delete(oldest);
    markets.set(key, ids);
  };
  const begin = (key: string, { user, platform, symbol }: Omit<OrderPlace, 'id'>): Reading => {
    const ids = stores.orders
      .openOf(user, platform, symbol)
      .then((rows) => new Set(rows.map((row) => row.id)));
    const reading = { ids, written: new Map<OrderId, boolean>() };
    readings.set(key, reading);
    return reading;
  };
  const idsOf = async (place: Omit<OrderPlace, 'id'>): Promise<Set<OrderId>> => {
    const key = keyOf(place);
    for (;;) {
      const known = markets.get(key);
      if (known !== undefined) return known;
      const reading = readings.get(key) ?? begin(key, place);
      try {
        const ids = await reading.ids;
        // Forgotten meanwhile: what was read may lack a row whose commit was uncertain.
        if (readings.get(key) !== reading) continue;
        readings.delete(key);
        for (const [id, open] of reading.written) change(ids, id, open);
        remember(key, ids);
      } catch (error) {
        if (readings.get(key) === reading) readings.delete(key);
        throw error;
      }
    }
  };
  const takenAt = (key: string): Set<OrderId> => {
    const ids = taken.get(key) ?? new Set();
    taken.set(key, ids);
    return ids;
  };
  const counted = (write: CompanionWrite, order: StoredOrder): CompanionWrite => {
    written.set(write, order);
    return write;
  };

  return {
    orders: {
      ...stores.orders,
      insert: (order) => counted(stores.orders.insert(order), order),
      progress: (order) => counted(stores.orders.progress(order), order),
    },
    ledger: {
      async commit(unit) {
        const rows = (unit.writes ?? []).flatMap((write) => written.get(write) ?? []);
        let applied = false;
        try {
          const committed = await stores.ledger.commit(unit);
          applied = committed.ok && !committed.value.replayed;
          return committed;
        } finally {
          for (const order of rows) applied ? note(order) : forget(keyOf(order));
        }
      },
      fundingBalances: (user) => stores.ledger.fundingBalances(user),
      tradingBalances: (user, platform) => stores.ledger.tradingBalances(user, platform),
    },
    openOrders: {
      async take(order) {
        const key = keyOf(order);
        let ids: Set<OrderId>;
        do ids = await idsOf(order);
        while (markets.get(key) !== ids);
        const places = takenAt(key);
        const others = [...places].filter((id) => id !== order.id && !ids.has(id)).length;
        places.add(order.id);
        const giveBack = (): void => {
          places.delete(order.id);
          if (places.size === 0 && taken.get(key) === places) taken.delete(key);
        };
        return { others: others + ids.size - (ids.has(order.id) ? 1 : 0), giveBack };
      },
      async count(user, platform, symbol) {
        const ids = await idsOf({ user, platform, symbol });
        const places = taken.get(keyOf({ user, platform, symbol })) ?? [];
        return ids.size + [...places].filter((id) => !ids.has(id)).length;
      },
    },
  };
}

function keyOf({ user, platform, symbol }: Omit<OrderPlace, 'id'>): string {
  return `${platform}:${user}:${symbol}`;
}

/** The same orders as `OrderStore.openOf`. */
function isOpen({ settled, status }: StoredOrder): boolean {
  return !settled && !isFinal(status);
}

function change(ids: Set<OrderId> | undefined, id: OrderId, open: boolean): void {
  if (open) ids?.add(id);
  else ids?.delete(id);
}

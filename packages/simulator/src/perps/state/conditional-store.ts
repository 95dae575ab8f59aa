import type { AccountNumber } from '../../exchange.ts';
import type { ConditionalRef, PerpConditional, WaitingConditional } from '../../perp-conditionals.ts';
import type { PerpOrder, SimPositionKey } from '../../perp-exchange.ts';
import { isOver } from '../../triggers/conditional-order.ts';
import { TriggerIndex } from '../../triggers/trigger-index.ts';

/** Conditional orders kept per account; when a quarter more have gathered the oldest that are over go. */
const KEPT_PER_ACCOUNT_MAX = 20_000;
/** More than any venue lets wait of one account in one contract. */
const WAITING_PER_ACCOUNT_AND_CONTRACT_MAX = 1_000;

/** One account's conditional orders. */
interface Shelf {
  /** Ascending by id, because ids ascend with time. */
  readonly all: Map<number, PerpConditional>;
  readonly open: Set<number>;
  readonly newestOfClient: Map<string, number>;
  /** By the order whose fills they protect. */
  readonly ofParent: Map<string, number[]>;
}

/** Everybody's conditional orders, and by contract those that wait. */
export class ConditionalStore {
  readonly #shelves = new Map<AccountNumber, Shelf>();
  readonly #indices = new Map<string, TriggerIndex<WaitingConditional>>();
  #lastId = 0;

  get nextId(): number {
    return this.#lastId + 1;
  }

  /** Takes an order in as it is now. */
  put(order: PerpConditional): void {
    const { algoId, clientId, group } = order;
    const { account, symbol } = order.sends;
    const shelf = this.#shelf(account as AccountNumber);
    const namesake = shelf.all.get(shelf.newestOfClient.get(clientId) ?? 0);
    // Legs of one order share its name, which is that of the first.
    if (namesake?.group === undefined || namesake.group !== group) shelf.newestOfClient.set(clientId, algoId);
    if (!shelf.all.has(algoId)) adopt(shelf, order);
    shelf.all.set(algoId, order);
    if (isOver(order)) shelf.open.delete(algoId);
    else shelf.open.add(algoId);
    const index = this.#indices.get(symbol) ?? new TriggerIndex(WAITING_PER_ACCOUNT_AND_CONTRACT_MAX);
    this.#indices.set(symbol, index);
    if (order.state === 'WAITING') index.put(order);
    else index.remove(algoId);
    this.#lastId = Math.max(this.#lastId, algoId);
    if (shelf.all.size > KEPT_PER_ACCOUNT_MAX * 1.25) forget(shelf);
  }

  find(account: AccountNumber, ref: ConditionalRef): PerpConditional | undefined {
    const shelf = this.#shelves.get(account);
    const algoId = 'algoId' in ref ? ref.algoId : shelf?.newestOfClient.get(ref.clientId);
    return algoId === undefined ? undefined : shelf?.all.get(algoId);
  }

  /** An account's orders of one contract or of all, that are not over, oldest first. */
  open(account: AccountNumber, symbol?: string): PerpConditional[] {
    const shelf = this.#shelves.get(account);
    return [...(shelf?.open ?? [])]
      .sort((a, b) => a - b)
      .flatMap((algoId) => shelf?.all.get(algoId) ?? [])
      .filter((order) => symbol === undefined || order.sends.symbol === symbol);
  }

  /** Those of them that have not fired. */
  waiting(account: AccountNumber, symbol?: string): WaitingConditional[] {
    return this.open(account, symbol).filter((order) => order.state === 'WAITING');
  }

  /** Those that wait and end with a position. */
  protecting(key: SimPositionKey): WaitingConditional[] {
    return this.waiting(key.account, key.symbol).filter(
      ({ attached, sends }) =>
        attached?.position !== undefined &&
        sends.positionSide === key.side &&
        sends.marginMode === key.marginMode,
    );
  }

  /** What an order's fills have brought, oldest first. */
  ofParent({
    account,
    symbol,
    orderId,
  }: Pick<PerpOrder, 'account' | 'symbol' | 'orderId'>): PerpConditional[] {
    const shelf = this.#shelves.get(account);
    const ids = shelf?.ofParent.get(`${symbol} ${orderId}`) ?? [];
    return ids.flatMap((algoId) => shelf?.all.get(algoId) ?? []);
  }

  /** Whatever became of them, oldest first. */
  allOf(account: AccountNumber): PerpConditional[] {
    return [...(this.#shelves.get(account)?.all.values() ?? [])];
  }

  /** Those that wait in a contract; `undefined` where nobody's do. */
  index(symbol: string): TriggerIndex<WaitingConditional> | undefined {
    const index = this.#indices.get(symbol);
    return index === undefined || index.size === 0 ? undefined : index;
  }

  /** Contracts in which any waits. */
  symbolsWaiting(): string[] {
    return [...this.#indices].flatMap(([symbol, index]) => (index.size > 0 ? [symbol] : []));
  }

  get anyWaiting(): boolean {
    for (const index of this.#indices.values()) if (index.size > 0) return true;
    return false;
  }

  *everything(): Generator<PerpConditional> {
    for (const shelf of this.#shelves.values()) yield* shelf.all.values();
  }

  #shelf(account: AccountNumber): Shelf {
    const known = this.#shelves.get(account);
    if (known !== undefined) return known;
    const shelf: Shelf = { all: new Map(), open: new Set(), newestOfClient: new Map(), ofParent: new Map() };
    this.#shelves.set(account, shelf);
    return shelf;
  }
}

function adopt(shelf: Shelf, { algoId, attached, sends }: PerpConditional): void {
  if (attached?.parentId === undefined) return;
  const name = `${sends.symbol} ${attached.parentId}`;
  shelf.ofParent.set(name, [...(shelf.ofParent.get(name) ?? []), algoId]);
}

function forget(shelf: Shelf): void {
  for (const [algoId, { clientId, attached, sends }] of shelf.all) {
    if (shelf.all.size <= KEPT_PER_ACCOUNT_MAX) return;
    if (shelf.open.has(algoId)) continue;
    shelf.all.delete(algoId);
    if (attached?.parentId !== undefined) shelf.ofParent.delete(`${sends.symbol} ${attached.parentId}`);
    if (shelf.newestOfClient.get(clientId) === algoId) shelf.newestOfClient.delete(clientId);
  }
}

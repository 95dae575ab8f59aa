import type { Millis, OrderId, UserId } from '@crossbook/domain';

/** Orders with targets that are open at once in the whole hub: some 30 MB. */
const ORDERS_MAX = 200_000;
/** One member's: nobody takes the places of the others. */
const OF_ONE_MAX = 500;

/** An order with targets, and since when it is watched. */
interface Watched {
  readonly user: UserId;
  readonly since: Millis;
}

/** The orders whose targets are followed, bounded for each member and in all. */
export class WatchedTargets {
  readonly #orders = new Map<OrderId, Watched>();
  readonly #counts = new Map<UserId, number>();

  /** Whether there is a place for one more of a member. */
  hasRoom(user: UserId): boolean {
    return this.#orders.size < ORDERS_MAX && (this.#counts.get(user) ?? 0) < OF_ONE_MAX;
  }

  /** Watches an order; one that is watched stays as it is. */
  add(id: OrderId, watched: Watched): void {
    if (this.#orders.has(id)) return;
    this.#orders.set(id, watched);
    this.#counts.set(watched.user, (this.#counts.get(watched.user) ?? 0) + 1);
  }

  has(id: OrderId): boolean {
    return this.#orders.has(id);
  }

  /** Since when an order is watched; `undefined` = it is not. */
  since(id: OrderId): Millis | undefined {
    return this.#orders.get(id)?.since;
  }

  /** Whose it is; `undefined` = it is not watched. */
  user(id: OrderId): UserId | undefined {
    return this.#orders.get(id)?.user;
  }

  delete(id: OrderId): void {
    const watched = this.#orders.get(id);
    if (watched === undefined) return;
    this.#orders.delete(id);
    const left = (this.#counts.get(watched.user) ?? 1) - 1;
    if (left === 0) this.#counts.delete(watched.user);
    else this.#counts.set(watched.user, left);
  }

  /** The next orders in turn; they go to the end of the line. */
  next(most: number): readonly OrderId[] {
    const ids = [...this.#orders.keys()].slice(0, most);
    for (const id of ids) {
      const watched = this.#orders.get(id) as Watched;
      this.#orders.delete(id);
      this.#orders.set(id, watched);
    }
    return ids;
  }
}

/** Of one member's orders so many are taken in one turn: whoever has many makes nobody wait. */
const DUE_OF_ONE_MAX = 10;

/**
 * Orders that have filled and whose legs are not all there, or whose look failed: they come before all that only wait. As
 * many as are watched.
 */
export class DueTargets {
  readonly #orders = new Map<OrderId, UserId | undefined>();

  /** At the end of the line; one that is in it keeps its place. Nobody's, where its member is not known. */
  add(id: OrderId, user: UserId | undefined): void {
    if (!this.#orders.has(id)) this.#orders.set(id, user);
  }

  delete(id: OrderId): void {
    this.#orders.delete(id);
  }

  /** Takes the next out of the line, at most so many and ten of one member. */
  take(most: number): readonly OrderId[] {
    const taken: OrderId[] = [];
    const counts = new Map<UserId | undefined, number>();
    for (const [id, user] of this.#orders) {
      if (taken.length === most) break;
      const count = counts.get(user) ?? 0;
      if (count === DUE_OF_ONE_MAX) continue;
      counts.set(user, count + 1);
      taken.push(id);
    }
    for (const id of taken) this.#orders.delete(id);
    return taken;
  }
}

import type { OrderId, UserId } from '@crossbook/domain';

/** Of one member's orders so many are taken in one turn: whoever has many makes nobody wait. */
const OF_ONE_MAX = 10;

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
      if (count === OF_ONE_MAX) continue;
      counts.set(user, count + 1);
      taken.push(id);
    }
    for (const id of taken) this.#orders.delete(id);
    return taken;
  }
}

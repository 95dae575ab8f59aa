import type { SimOrder } from '../../../exchange.ts';
import { BoundedMap } from '../../wire/bounded-map.ts';

/** Notes remembered at once; the oldest go first, and all go with the process: OKX's labels are no part of trading. */
const NOTES_MAX = 20_000;

type Owner = Pick<SimOrder, 'account' | 'clientId'>;

/**
 * What clients write beside their orders and hear again: a `tag`, the `reqId` of an amendment under way, and what a
 * countdown cancelled.
 */
export class OrderNotes {
  readonly #tags = new BoundedMap<string, string>(NOTES_MAX);
  readonly #amendments = new Map<string, string>();
  readonly #countdowns = new BoundedMap<string, true>(NOTES_MAX);

  noteTag(order: Owner, tag: string): void {
    if (tag !== '') this.#tags.set(keyOf(order), tag);
  }

  tagOf(order: Owner): string {
    return this.#tags.get(keyOf(order)) ?? '';
  }

  /** An amendment is being carried out until `endAmendment`. */
  beginAmendment(order: Owner, reqId: string): void {
    this.#amendments.set(keyOf(order), reqId);
  }

  /** The `reqId` of the amendment under way. */
  amendmentOf(order: Owner): string {
    return this.#amendments.get(keyOf(order)) ?? '';
  }

  /** Whether its owner is changing it right now. */
  isAmended(order: Owner): boolean {
    return this.#amendments.has(keyOf(order));
  }

  endAmendment(order: Owner): void {
    this.#amendments.delete(keyOf(order));
  }

  /** An order is about to be cancelled because a countdown ran out. */
  noteCountdown(ordId: string): void {
    this.#countdowns.set(ordId, true);
  }

  /** Whether a countdown, not its owner, cancelled it. */
  endedByCountdown(ordId: string): boolean {
    return this.#countdowns.has(ordId);
  }
}

function keyOf({ account, clientId }: Owner): string {
  return `${account} ${clientId}`;
}

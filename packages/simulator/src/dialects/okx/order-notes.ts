import type { SimOrder } from '../../exchange.ts';
import { BoundedMap } from '../wire/bounded-map.ts';

/** Notes remembered at once; the oldest go first, and all go with the process: OKX's labels are no part of trading. */
const NOTES_MAX = 20_000;

type Owner = Pick<SimOrder, 'account' | 'clientId'>;

/** What clients write beside their orders and hear again: a `tag`, and the `reqId` of an amendment under way. */
export class OrderNotes {
  readonly #tags = new BoundedMap<string, string>(NOTES_MAX);
  readonly #amendments = new Map<string, string>();

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
}

function keyOf({ account, clientId }: Owner): string {
  return `${account} ${clientId}`;
}

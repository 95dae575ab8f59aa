import { REQUEST_CLASSES, type RequestClass } from './request-class.ts';

/** Whoever has a place in a queue. */
export interface Queued {
  readonly request: { readonly requestClass: RequestClass; readonly member?: string };
}

/** Where the hub asks for itself. */
const NOBODY = '';

/**
 * Requests that wait, by class and member. Served in the order of the classes; the members of a class take turns, one
 * request each, however many each has waiting, and the turn goes on where it ended the time before.
 */
export class TurnQueue<Entry extends Queued> {
  readonly #classes: ReadonlyMap<RequestClass, Map<string, Entry[]>>;
  readonly #sizes = new Map<RequestClass, number>();
  #size = 0;

  constructor() {
    this.#classes = new Map(REQUEST_CLASSES.map((requestClass) => [requestClass, new Map()]));
  }

  get size(): number {
    return this.#size;
  }

  /** Whether one more of the class, and of the member in it, may wait. */
  hasPlace(
    { requestClass, member }: Entry['request'],
    most: { readonly perClass: number; readonly perMember: number },
  ): boolean {
    if ((this.#sizes.get(requestClass) ?? 0) >= most.perClass) return false;
    const ofMember = member === undefined ? 0 : (this.#classes.get(requestClass)?.get(member)?.length ?? 0);
    return ofMember < most.perMember;
  }

  add(entry: Entry): void {
    const { requestClass, member = NOBODY } = entry.request;
    const members = this.#classes.get(requestClass);
    const waiting = members?.get(member);
    if (waiting === undefined) members?.set(member, [entry]);
    else waiting.push(entry);
    this.#count(requestClass, 1);
  }

  /** Offers entries in their turn; those for which `serve` answers true leave the queue. */
  serve(serve: (entry: Entry) => boolean): void {
    for (const [requestClass, members] of this.#classes) {
      for (const [member, waiting] of members) {
        const served = waiting.findIndex(serve);
        if (served < 0) continue;
        waiting.splice(served, 1);
        this.#count(requestClass, -1);
        // Behind everybody else: this loop comes to it again when the others have had their turn.
        members.delete(member);
        if (waiting.length > 0) members.set(member, waiting);
      }
    }
  }

  /** Empties the queue. */
  clear(): readonly Entry[] {
    const all = [...this.#classes.values()].flatMap((members) => [...members.values()].flat());
    for (const members of this.#classes.values()) members.clear();
    this.#sizes.clear();
    this.#size = 0;
    return all;
  }

  #count(requestClass: RequestClass, change: number): void {
    this.#sizes.set(requestClass, (this.#sizes.get(requestClass) ?? 0) + change);
    this.#size += change;
  }
}

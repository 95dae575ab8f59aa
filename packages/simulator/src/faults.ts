/**
 * Faults on order, for tests of the unknown outcome: what a client sees of a call that was, or was not,
 * carried out. Bounded, seeded, and off unless the admin API asks.
 */

/** What happens to a matching call. `-before`: it is not carried out. `-after`: it is. */
export const FAULT_KINDS = [
  'delay',
  'timeout-before',
  'timeout-after',
  'reset-before',
  'reset-after',
  'silence-after',
  'skip-depth',
] as const;
/**
 * `delay` answers late; `timeout-*` answers -1007; `reset-*` closes the connection without an answer;
 * `silence-after` never answers and keeps the connection; `skip-depth` loses one depth update of a stream.
 */
export type FaultKind = (typeof FAULT_KINDS)[number];

/** One plan: the next `count` calls whose name begins with `match` fail, each with `probability`. */
export interface FaultPlan {
  readonly kind: FaultKind;
  /** Beginning of an endpoint's name (`order.`, `order.place`) or, for `skip-depth`, of a stream's. Empty: all. */
  readonly match: string;
  readonly count: number;
  /** With `delay`. */
  readonly delayMillis: number;
  /** 0 to 1. */
  readonly probability: number;
  /** Of the dice; the same seed fails the same calls. */
  readonly seed: number;
}

/** Plans waiting at the same time. */
const PLANS_MAX = 64;

interface ActivePlan {
  readonly plan: FaultPlan;
  left: number;
  state: number;
}

/** The next number of a mulberry32 sequence, and its value in [0, 1). */
function roll(active: ActivePlan): number {
  active.state = (active.state + 0x6d2b79f5) | 0;
  let mixed = Math.imul(active.state ^ (active.state >>> 15), 1 | active.state);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
}

/** The faults that are armed. */
export class FaultBox {
  #plans: ActivePlan[] = [];

  /** Arms a plan. @returns false when too many wait already. */
  arm(plan: FaultPlan): boolean {
    if (this.#plans.length >= PLANS_MAX) return false;
    this.#plans.push({ plan, left: plan.count, state: plan.seed | 0 });
    return true;
  }

  clear(): void {
    this.#plans = [];
  }

  list(): readonly (FaultPlan & { readonly left: number })[] {
    return this.#plans.map(({ plan, left }) => ({ ...plan, left }));
  }

  /** The fault that this call meets, if any; uses it up. */
  take(name: string): FaultPlan | undefined {
    return this.#take(name, (kind) => kind !== 'skip-depth');
  }

  /** Whether this depth update of this stream is to be lost. */
  skipsDepth(stream: string): boolean {
    return this.#take(stream, (kind) => kind === 'skip-depth') !== undefined;
  }

  #take(name: string, wanted: (kind: FaultKind) => boolean): FaultPlan | undefined {
    if (this.#plans.length === 0) return undefined;
    const hit = this.#plans.find(
      (active) =>
        wanted(active.plan.kind) &&
        name.startsWith(active.plan.match) &&
        (active.plan.probability >= 1 || roll(active) < active.plan.probability),
    );
    if (hit === undefined) return undefined;
    hit.left -= 1;
    if (hit.left <= 0) this.#plans = this.#plans.filter((active) => active !== hit);
    return hit.plan;
  }
}

/**
 * Answers a call as the fault that it met demands: never, by breaking the connection, late, or (without a fault, and
 * where only the answer differs) at once.
 */
export function answerUnder(
  fault: FaultPlan | undefined,
  ways: { readonly answer: () => void; readonly drop: () => void },
): void {
  if (fault?.kind === 'silence-after') return;
  if (fault?.kind.startsWith('reset')) ways.drop();
  else if (fault?.kind === 'delay') setTimeout(ways.answer, fault.delayMillis).unref();
  else ways.answer();
}

import type { Millis } from '@crossbook/domain';
import type { Timers } from '../transport.ts';
import { Budget, budgetKey, type Use } from './budget.ts';
import type { Cost, LimitScope } from './limit-scope.ts';
import { REQUEST_CLASSES, type RequestClass, rankOf, WAIT_MILLIS_MAX } from './request-class.ts';
import { TurnQueue } from './turn-queue.ts';

/** Budgets remembered before those that are idle are forgotten. */
const BUDGETS_MAX = 20_000;
/** Requests of one class, and of one member in it, that may wait; beyond it they are refused at once. */
const WAITING_MAX = { perClass: 500, perMember: 16 } as const;
/** Waiting requests are looked at no more often than this. */
const LOOK_MILLIS_MIN = 5;

/** One request before it is written. */
export interface ArbiterRequest {
  readonly requestClass: RequestClass;
  /** Whose turn it is: a member's account, a visitor's address; absent for what the hub asks for itself. */
  readonly member?: string;
  readonly costs: readonly Cost[];
  /** Instead of the usual wait of the class, ms. */
  readonly waitMillisMax?: number;
}

/** What the arbiter says: write it now, or do not, and ask again after so long (ms). */
export type Permit =
  | {
      readonly granted: true;
      /** The venue did not count it after all; of one scope where it is named. */
      giveBack(scope?: LimitScope): void;
    }
  | { readonly granted: false; readonly retryAfterMillis: number };

/** For metrics: since the start; `waiting` now. */
export interface ArbiterStats {
  readonly granted: number;
  readonly queued: number;
  readonly refused: number;
  readonly pauses: number;
  readonly waiting: number;
}

interface Waiting {
  readonly request: ArbiterRequest;
  readonly deadline: number;
  readonly answer: (permit: Permit) => void;
}

/** Who must wait behind others for one budget: classes from a rank on, and single ones. */
interface Lack {
  fromRank: number;
  readonly classes: Set<RequestClass>;
  until: number;
}

/** What an arbiter needs from outside. */
export interface ArbiterOptions {
  readonly clock: () => Millis;
  readonly timers: Timers;
  /** Multiplies what one visitor's address may use of the relay's share; 1 unless configured otherwise. */
  readonly visitorFactor?: number;
}

/**
 * The one arbiter of a venue: whoever is about to write a request to it asks here first, the hub's own feeds and the
 * relay included. It keeps one budget for each limit of the venue, serves urgent classes first and members in turns,
 * and rather lets a request wait for a moment than refuses it.
 */
export class VenueArbiter {
  readonly #options: ArbiterOptions;
  readonly #budgets = new Map<string, Budget>();
  readonly #queue = new TurnQueue<Waiting>();
  /** Budgets that somebody waits for, by the looks and refusals since the last look. */
  readonly #lacks = new Map<string, Lack>();
  #stats = { granted: 0, queued: 0, refused: 0, pauses: 0 };
  #lookAt = Number.POSITIVE_INFINITY;
  #cancelTimer: () => void = () => undefined;

  constructor(options: ArbiterOptions) {
    this.#options = options;
  }

  /**
   * Asks for one request. Answered at once wherever nothing has to be waited for, so that the request can be written
   * before anything else happens.
   */
  ask(request: ArbiterRequest): Permit | Promise<Permit> {
    const now = this.#options.clock();
    if (now >= this.#lookAt) this.#look();
    const behind = this.#behindUntil(request);
    const permit = behind === undefined ? this.#tryNow(request, now) : undefined;
    if (permit !== undefined) return permit;
    const waitMillis = request.waitMillisMax ?? WAIT_MILLIS_MAX[request.requestClass];
    const notBefore = behind ?? this.#notBefore(request, now);
    if (notBefore - now > waitMillis || !this.#queue.hasPlace(request, WAITING_MAX))
      return this.#refuse(notBefore - now);
    return new Promise((answer) => {
      const deadline = now + waitMillis;
      this.#queue.add({ request, deadline, answer });
      this.#stats.queued += 1;
      this.#lookNoLaterThan(Math.min(Math.max(notBefore, now + LOOK_MILLIS_MIN), deadline), now);
    });
  }

  /** The venue's own count of what one key has used in the window under way. */
  report(cost: Pick<Cost, 'scope' | 'key'>, used: number): void {
    const now = this.#options.clock();
    if (Number.isFinite(used) && used >= 0) this.#budget(cost, now).report(used, now);
  }

  /** The venue wants to hear nothing of one key for so long (ms), whatever the class. */
  pause(cost: Pick<Cost, 'scope' | 'key'>, millis: number): void {
    const now = this.#options.clock();
    this.#stats.pauses += 1;
    this.#budget(cost, now).pause(now + millis);
  }

  get stats(): ArbiterStats {
    return { ...this.#stats, waiting: this.#queue.size };
  }

  /** What is used now of one budget, as a part of it; for metrics. */
  fill(cost: Pick<Cost, 'scope' | 'key'>): number {
    const now = this.#options.clock();
    return (this.#budgets.get(budgetKey(cost))?.used(now) ?? 0) / cost.scope.weightMax;
  }

  /** Refuses whatever waits, and whatever comes. */
  close(): void {
    this.#cancelTimer();
    for (const { answer } of this.#queue.clear()) answer({ granted: false, retryAfterMillis: 0 });
  }

  #tryNow(request: ArbiterRequest, now: number): Permit | undefined {
    const budgets = request.costs.map((cost) => ({ cost, budget: this.#budget(cost, now) }));
    if (!budgets.every(({ cost, budget }) => budget.room(cost.weight, request, now).free)) return undefined;
    const uses = budgets.map(({ cost, budget }) => ({ budget, use: budget.take(cost.weight, request, now) }));
    this.#stats.granted += 1;
    return {
      granted: true,
      giveBack: (scope) =>
        this.#giveBack(uses.filter(({ budget }) => scope === undefined || budget.scope === scope)),
    };
  }

  #giveBack(uses: readonly { readonly budget: Budget; readonly use: Use }[]): void {
    const now = this.#options.clock();
    for (const { budget, use } of uses) budget.giveBack(use, now);
    if (this.#queue.size > 0) this.#lookNoLaterThan(now + LOOK_MILLIS_MIN, now);
  }

  /** Until when somebody with an older claim waits for one of the same budgets; `undefined` where nobody does. */
  #behindUntil({ requestClass, costs }: ArbiterRequest): number | undefined {
    if (this.#queue.size === 0) return undefined;
    const rank = rankOf(requestClass);
    for (const cost of costs) {
      const lack = this.#lacks.get(budgetKey(cost));
      if (lack === undefined) continue;
      if (rank >= lack.fromRank || lack.classes.has(requestClass)) return lack.until;
    }
    return undefined;
  }

  /** The earliest moment at which every budget may have room; remembers what is lacking, for those who come later. */
  #notBefore(request: ArbiterRequest, now: number): number {
    let latest = now;
    for (const cost of request.costs) {
      const room = this.#budget(cost, now).room(cost.weight, request, now);
      if (room.free) continue;
      latest = Math.max(latest, room.notBefore);
      if (cost.scope.shared === undefined || room.lackedBy === 'member') continue;
      const key = budgetKey(cost);
      const lack = this.#lacks.get(key) ?? { fromRank: REQUEST_CLASSES.length, classes: new Set(), until: 0 };
      this.#lacks.set(key, lack);
      lack.until = Math.max(lack.until, room.notBefore);
      if (room.lackedBy === 'class') lack.classes.add(request.requestClass);
      else lack.fromRank = Math.min(lack.fromRank, rankOf(request.requestClass));
    }
    return latest;
  }

  #refuse(retryAfterMillis: number): Permit {
    this.#stats.refused += 1;
    return { granted: false, retryAfterMillis: Math.max(1, Math.ceil(retryAfterMillis)) };
  }

  /** Serves whoever waits: classes in their order, members of a class in turns; ends the waits that took too long. */
  #look(): void {
    const now = this.#options.clock();
    this.#cancelTimer();
    this.#lookAt = Number.POSITIVE_INFINITY;
    this.#lacks.clear();
    this.#queue.serve(({ request, deadline, answer }) => {
      const behind = this.#behindUntil(request);
      const permit = behind === undefined ? this.#tryNow(request, now) : undefined;
      if (permit !== undefined) {
        answer(permit);
        return true;
      }
      const notBefore = behind ?? this.#notBefore(request, now);
      if (now >= deadline || notBefore > deadline) {
        answer(this.#refuse(notBefore - now));
        return true;
      }
      this.#lookNoLaterThan(Math.min(Math.max(notBefore, now + LOOK_MILLIS_MIN), deadline), now);
      return false;
    });
  }

  #lookNoLaterThan(at: number, now: number): void {
    if (at >= this.#lookAt) return;
    this.#cancelTimer();
    this.#lookAt = at;
    this.#cancelTimer = this.#options.timers.after(Math.max(0, at - now), () => this.#look());
  }

  #budget(cost: Pick<Cost, 'scope' | 'key'>, now: number): Budget {
    const key = budgetKey(cost);
    const known = this.#budgets.get(key);
    if (known !== undefined) return known;
    if (this.#budgets.size >= BUDGETS_MAX) this.#forgetIdle(now);
    const budget = new Budget(cost.scope, this.#options.visitorFactor ?? 1);
    this.#budgets.set(key, budget);
    return budget;
  }

  #forgetIdle(now: number): void {
    for (const [key, budget] of this.#budgets) if (budget.isIdle(now)) this.#budgets.delete(key);
  }
}

import type { Cost, LimitScope } from './limit-scope.ts';
import { isMembersOwn, type RequestClass } from './request-class.ts';

/** Beyond this part of what a class may fill, each member is held to an equal part. */
const SCARCE_FROM = 0.5;

/** Who asks, and for what. */
export interface Asking {
  readonly requestClass: RequestClass;
  /** The member or visitor whose turn it is; absent for what the hub asks for itself. */
  readonly member?: string;
}

/** What was used, until it is out of the window. */
export interface Use extends Asking {
  weight: number;
  readonly endsAt: number;
}

/**
 * Room at once, or the earliest moment at which there may be, and who lacks it: everybody of this class and less urgent
 * ones (`budget`), everybody of this class (`class`), or this member alone (`member`).
 */
export type Room =
  | { readonly free: true }
  | { readonly free: false; readonly notBefore: number; readonly lackedBy: 'budget' | 'class' | 'member' };

const FREE: Room = { free: true };

/**
 * What is used of one limit by one key. Pure: time is handed in. Every use is kept until its window has passed, so that
 * what a class and a member use is known at any moment; a limit has at most as many uses as its weight.
 */
export class Budget {
  readonly scope: LimitScope;
  readonly #visitorFactor: number;
  readonly #uses: Use[] = [];
  readonly #byClass = new Map<RequestClass, number>();
  readonly #byMember = new Map<string, number>();
  readonly #byVisitor = new Map<string, number>();
  #used = 0;
  #pausedUntil = 0;

  /** @param visitorFactor multiplies what one visitor's address may use. */
  constructor(scope: LimitScope, visitorFactor = 1) {
    this.scope = scope;
    this.#visitorFactor = visitorFactor;
  }

  /** Weight used in the current window. */
  used(now: number): number {
    this.#forget(now);
    return this.#used;
  }

  /** Whether nothing is remembered that matters. */
  isIdle(now: number): boolean {
    return this.used(now) === 0 && now >= this.#pausedUntil;
  }

  /** Whether the request may go now. */
  room(weight: number, asking: Asking, now: number): Room {
    this.#forget(now);
    const { weightMax, shared } = this.scope;
    const { requestClass, member } = asking;
    const full =
      now < this.#pausedUntil || this.#used + weight > weightMax * (shared?.fillMax[requestClass] ?? 1);
    const lacked = (lackedBy: 'budget' | 'class' | 'member'): Room => ({
      free: false,
      notBefore: this.#nextChange(now),
      lackedBy,
    });
    if (full) return lacked('budget');
    if (shared === undefined) return FREE;
    const classMax = weightMax * (shared.classMax[requestClass] ?? 1);
    if ((this.#byClass.get(requestClass) ?? 0) + weight > classMax) return lacked('class');
    const counted = member !== undefined && isMembersOwn(requestClass);
    return !counted || this.#memberMay(weight, asking, classMax) ? FREE : lacked('member');
  }

  /** Uses weight. @returns the use, for giving it back. */
  take(weight: number, asking: Asking, now: number): Use {
    this.#forget(now);
    const use: Use = { ...asking, weight, endsAt: this.#endOf(now) };
    this.#uses.push(use);
    this.#count(use, weight);
    return use;
  }

  /** A use that the venue did not count after all. */
  giveBack(use: Use, now: number): void {
    this.#forget(now);
    if (use.endsAt <= now) return;
    this.#count(use, -use.weight);
    use.weight = 0;
  }

  /** The venue's own count, which others behind our address may have raised: believed where it is higher. */
  report(used: number, now: number): void {
    this.#forget(now);
    const missing = used - this.#used;
    // Nobody of ours used it, so that it counts against the budget alone.
    if (missing > 0) this.take(missing, { requestClass: 'book-feed' }, now);
  }

  /** The venue wants silence until then. */
  pause(until: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, until);
  }

  /** The next moment at which there may be more room than now. */
  #nextChange(now: number): number {
    return now < this.#pausedUntil ? this.#pausedUntil : (this.#uses[0]?.endsAt ?? now);
  }

  #memberMay(weight: number, { requestClass, member = '' }: Asking, classMax: number): boolean {
    const { weightMax, shared } = this.scope;
    const askers = this.#askers(requestClass);
    const own = askers.get(member) ?? 0;
    const most = shared?.memberMax[requestClass];
    // Whoever has used nothing yet has a turn, however many others there are.
    if (own === 0 || shared === undefined || most === undefined) return true;
    const factor = requestClass === 'relay' ? this.#visitorFactor : 1;
    if (own + weight > weightMax * most * factor) return false;
    const fill = Math.min(weightMax * shared.fillMax[requestClass], classMax);
    const used = classMax < weightMax ? (this.#byClass.get(requestClass) ?? 0) : this.#used;
    if (used + weight <= fill * SCARCE_FROM) return true;
    // One part is kept for somebody who has not come yet.
    return own + weight <= (fill / (askers.size + 1)) * factor;
  }

  /** Visitors of the relay share among themselves, members among themselves. */
  #askers(requestClass: RequestClass): Map<string, number> {
    return requestClass === 'relay' ? this.#byVisitor : this.#byMember;
  }

  #endOf(now: number): number {
    const { window, windowMillis } = this.scope;
    return window === 'rolling' ? now + windowMillis : (Math.floor(now / windowMillis) + 1) * windowMillis;
  }

  #forget(now: number): void {
    let ended = 0;
    for (const use of this.#uses) {
      if (use.endsAt > now) break;
      this.#count(use, -use.weight);
      ended += 1;
    }
    if (ended > 0) this.#uses.splice(0, ended);
  }

  #count({ requestClass, member }: Asking, weight: number): void {
    this.#used += weight;
    add(this.#byClass, requestClass, weight);
    if (member !== undefined && isMembersOwn(requestClass)) add(this.#askers(requestClass), member, weight);
  }
}

function add<Key>(counts: Map<Key, number>, key: Key, weight: number): void {
  const count = (counts.get(key) ?? 0) + weight;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}

/** Which budget a cost is about. */
export function budgetKey({ scope, key }: Pick<Cost, 'scope' | 'key'>): string {
  return `${scope.name} ${key}`;
}

import type { CallName } from '@crossbook/contract';
import type { Millis } from '@crossbook/domain';

/** What calls share a bound. Each kind has places of its own, so that orders never use those of cancels and reads. */
export type WorkKind = 'order' | 'cancel' | 'member' | 'public' | 'admin';

/** Of what a call takes a part: its member (strangers: their network), and the venue that it asks. */
export interface Shares {
  readonly caller: string;
  readonly venue?: string;
  /** It asks a venue for one thing after the other, for seconds: it has fewer places, and its time says nothing of the venue. */
  readonly isLong?: boolean;
}

interface Bounds {
  /** In all. With the rate that a machine can carry this bounds how long an order waits for its answer. */
  readonly all: number;
  readonly caller: number;
  /**
   * So that a venue that takes its time to answer keeps only its own calls waiting. Less of it is used while calls there
   * take longer than `TARGET_MILLIS`: what a slower machine or venue can carry is found by measuring.
   */
  readonly venue: number;
}

/** Calls under way at a time, most. */
const UNDER_WAY_MAX: Readonly<Record<WorkKind, Bounds>> = {
  order: { all: 96, caller: 32, venue: 64 },
  cancel: { all: 96, caller: 32, venue: 64 },
  member: { all: 256, caller: 32, venue: 256 },
  public: { all: 128, caller: 64, venue: 128 },
  admin: { all: 32, caller: 8, venue: 32 },
};

/** Of those, so many may be taken by calls that go on for seconds: all members have places for single ones beside them. */
const LONG_MAX = { all: 32, caller: 4 };

/** Calls at a venue should be answered within this; while they are not, fewer are let in. */
const TARGET_MILLIS = 600;
const VENUE_PLACES_MIN = 8;
/** One slow crowd counts once. */
const SHRINKS_EVERY_MILLIS = 100;
const SHRUNK = 0.8;
const GROWN = 0.25;

/** How many calls of one kind may be under way at one venue, by how long they take. */
class VenuePlaces {
  readonly #most: number;
  #now: number;
  #shrunkAt = Number.NEGATIVE_INFINITY;

  constructor(most: number) {
    this.#most = most;
    this.#now = most;
  }

  get most(): number {
    return Math.floor(this.#now);
  }

  answered(millis: number, now: number): void {
    if (millis <= TARGET_MILLIS) {
      this.#now = Math.min(this.#most, this.#now + GROWN);
    } else if (now - this.#shrunkAt >= SHRINKS_EVERY_MILLIS) {
      this.#now = Math.max(VENUE_PLACES_MIN, this.#now * SHRUNK);
      this.#shrunkAt = now;
    }
  }
}

/** Bounds the work under way: what finds no place is refused at once, so that nothing waits in a line that only grows. */
export interface Admission {
  /**
   * Whether no place is left, in all or at the venue: asked as soon as that much of a request is known, for what is
   * refused must cost little, or a flood of refusals takes the time of those that have a place.
   */
  full(kind: WorkKind, venue?: string): boolean;
  /** Takes a place; answers what gives it back, or `undefined` when there is none. */
  enter(kind: WorkKind, shares: Shares): (() => void) | undefined;
}

/** Calls that put something to a venue, or may. */
const ORDERING: ReadonlySet<CallName> = new Set<CallName>([
  'connextrade/PlaceOrder',
  'x/trade/PlaceScaled',
  'x/trade/ReversePosition',
  'connextrade/PlaceAlgoOrder',
  'connextrade/ReplaceOrder',
  'connextrade/ReplaceAlgoOrder',
]);
/** Calls that only ever lower risk: orders never use their places. */
const LOWERING: ReadonlySet<CallName> = new Set<CallName>([
  'connextrade/CancelAlgoOrder',
  'connextrade/CancelOrder',
  'connextrade/CancelAll',
  'connextrade/ClosePosition',
  'connextrade/ClosePositionAll',
]);

/** Calls that ask a venue for one thing after the other. */
const LONG: ReadonlySet<CallName> = new Set<CallName>([
  'x/trade/PlaceScaled',
  'connextrade/CancelAll',
  'connextrade/ClosePositionAll',
  'x/trade/SetCountdown',
]);

/** Whether a call goes on for seconds by itself. */
export function isLong(name: CallName): boolean {
  return LONG.has(name);
}

/** Which places a call uses. */
export function workOf(name: CallName, access: 'member' | 'public'): WorkKind {
  if (ORDERING.has(name)) return 'order';
  return LOWERING.has(name) ? 'cancel' : access;
}

/** Makes the bounds, all places free. */
export function createAdmission(clock: () => Millis): Admission {
  const taken = new Map<string, number>();
  /** One for each kind and platform that the contract knows. */
  const venues = new Map<string, VenuePlaces>();
  const count = (key: string): number => taken.get(key) ?? 0;
  const change = (key: string, by: number): void => {
    const now = count(key) + by;
    if (now === 0) taken.delete(key);
    else taken.set(key, now);
  };
  const placesAt = (key: string, kind: WorkKind): VenuePlaces => {
    const places = venues.get(key) ?? new VenuePlaces(UNDER_WAY_MAX[kind].venue);
    venues.set(key, places);
    return places;
  };
  const full = (kind: WorkKind, venue?: string): boolean => {
    if (count(kind) >= UNDER_WAY_MAX[kind].all) return true;
    // A venue that nobody asked yet has all its places, and what is no venue is not remembered.
    const places = venues.get(`${kind} at ${venue}`)?.most ?? UNDER_WAY_MAX[kind].venue;
    return venue !== undefined && count(`${kind} at ${venue}`) >= places;
  };
  return {
    full,
    enter(kind, { caller, venue, isLong = false }) {
      const keys = [kind, `${kind} of ${caller}`];
      if (full(kind, venue) || count(`${kind} of ${caller}`) >= UNDER_WAY_MAX[kind].caller) return undefined;
      const [long, own] = [`long ${kind}`, `long ${kind} of ${caller}`];
      if (isLong && (count(long) >= LONG_MAX.all || count(own) >= LONG_MAX.caller)) return undefined;
      if (isLong) keys.push(long, own);
      const at = `${kind} at ${venue}`;
      const places = venue === undefined ? undefined : placesAt(at, kind);
      if (places !== undefined) keys.push(at);
      for (const key of keys) change(key, 1);
      const from = clock();
      return () => {
        for (const key of keys) change(key, -1);
        const now = clock();
        if (!isLong) places?.answered(now - from, now);
      };
    },
  };
}

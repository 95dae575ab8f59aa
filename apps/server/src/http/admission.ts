import type { CallName } from '@crossbook/contract';

/** What calls share a bound. Each kind has places of its own, so that orders never use those of cancels and reads. */
export type WorkKind = 'order' | 'cancel' | 'member' | 'public';

/** Of what a call takes a part: its member (strangers: their address), and the venue that it asks. */
export interface Shares {
  readonly caller: string;
  readonly venue?: string;
}

interface Bounds {
  /** In all. With the rate that a machine can carry this bounds how long an order waits for its answer. */
  readonly all: number;
  readonly caller: number;
  /** So that a venue that takes its time to answer keeps only its own orders waiting. */
  readonly venue: number;
}

/** Calls under way at a time, most. */
const UNDER_WAY_MAX: Readonly<Record<WorkKind, Bounds>> = {
  order: { all: 96, caller: 32, venue: 64 },
  cancel: { all: 96, caller: 32, venue: 64 },
  member: { all: 256, caller: 32, venue: 256 },
  public: { all: 128, caller: 64, venue: 128 },
};

/** Bounds the work under way: what finds no place is refused at once, so that nothing waits in a line that only grows. */
export interface Admission {
  /** Whether no place is left in all; asked before anything else of a request is looked at. */
  full(kind: WorkKind): boolean;
  /** Takes a place; answers what gives it back, or `undefined` when there is none. */
  enter(kind: WorkKind, shares: Shares): (() => void) | undefined;
}

/** Which places a call uses. */
export function workOf(name: CallName, access: 'member' | 'public'): WorkKind {
  if (name === 'connextrade/PlaceOrder') return 'order';
  return name === 'connextrade/CancelOrder' ? 'cancel' : access;
}

/** Makes the bounds, all places free. */
export function createAdmission(): Admission {
  const taken = new Map<string, number>();
  const count = (key: string): number => taken.get(key) ?? 0;
  const change = (key: string, by: number): void => {
    const now = count(key) + by;
    if (now === 0) taken.delete(key);
    else taken.set(key, now);
  };
  return {
    full: (kind) => count(kind) >= UNDER_WAY_MAX[kind].all,
    enter(kind, { caller, venue }) {
      const { all, caller: ofCaller, venue: ofVenue } = UNDER_WAY_MAX[kind];
      const bounds: (readonly [key: string, most: number])[] = [
        [kind, all],
        [`${kind} of ${caller}`, ofCaller],
      ];
      if (venue !== undefined) bounds.push([`${kind} at ${venue}`, ofVenue]);
      if (bounds.some(([key, most]) => count(key) >= most)) return undefined;
      for (const [key] of bounds) change(key, 1);
      return () => {
        for (const [key] of bounds) change(key, -1);
      };
    },
  };
}

import type { Millis, OrderId } from '@crossbook/domain';
import type { LookupTimes } from './intent.ts';
import type { LookupOutcome } from './step.ts';

/** A doubt of this age no longer takes the places of new ones. */
const OLD_DOUBT_MILLIS = 120_000;
/** An old doubt waits a fortieth of its age for its next lookup, and this long at the most. */
const AGE_PARTS = 40;
const OLD_WAIT_MILLIS_MAX = 300_000;
/** An outcome that is open this long needs a person; the money stays held. */
const OPEN_OUTCOME_MILLIS_MAX = 600_000;

interface Waiting {
  at: number;
  tries: number;
  /** Counts who asked, so that a lookup notices that another was asked for while it ran. */
  asks: number;
  readonly share: string;
  readonly since: number;
  running: 'fresh' | 'old' | undefined;
  reported: boolean;
}

/** What the queue works with. */
export interface LookupWork {
  readonly clock: () => Millis;
  readonly after: (millis: number, run: () => void) => () => void;
  readonly times: LookupTimes;
  readonly lookUp: (id: OrderId) => Promise<LookupOutcome>;
  /** A lookup broke. */
  readonly failed: (id: OrderId, error: unknown) => void;
  /** An outcome has been open for too long; told once while it waits. */
  readonly overdue: (id: OrderId, openMillis: number, why: string) => void;
}

/** Intents that wait for a lookup, each until a lookup says that it needs none. */
export interface LookupQueue {
  now(id: OrderId, share: string, since?: Millis): void;
  soon(id: OrderId, share: string): void;
  /** A lookup unless one is waited for already: that one keeps its time. */
  want(id: OrderId, share: string): void;
  /** Begins no further lookup; resolves when those under way are over. */
  stop(): Promise<void>;
  waiting(): number;
}

/**
 * Makes the queue. A lookup runs when it falls due, a bounded number of each share at a time; whoever has waited longest
 * comes first, and old doubts have places of their own.
 */
export function createLookupQueue(work: LookupWork): LookupQueue {
  const { clock, times } = work;
  const waiting = new Map<OrderId, Waiting>();
  const places = createPlaces(times);
  const running = new Set<Promise<void>>();
  let stopTimer = (): void => undefined;
  let armedFor = Number.POSITIVE_INFINITY;
  let stopped = false;

  const arm = (at: number): void => {
    if (stopped || at >= armedFor) return;
    stopTimer();
    armedFor = at;
    stopTimer = work.after(Math.max(0, at - clock()), run);
  };

  const run = (): void => {
    armedFor = Number.POSITIVE_INFINITY;
    const now = clock();
    const due: [OrderId, Waiting][] = [];
    let next = Number.POSITIVE_INFINITY;
    for (const [id, entry] of waiting) {
      if (entry.running !== undefined) continue;
      if (entry.at <= now) due.push([id, entry]);
      else next = Math.min(next, entry.at);
    }
    due.sort(([, left], [, right]) => left.at - right.at);
    for (const [id, entry] of due) {
      if (!places.take(entry, now)) continue;
      const lookingUp = lookUpOne(id, entry).finally(() => running.delete(lookingUp));
      running.add(lookingUp);
    }
    arm(next);
  };

  const lookUpOne = async (id: OrderId, entry: Waiting): Promise<void> => {
    const { asks } = entry;
    let outcome: LookupOutcome;
    try {
      outcome = await work.lookUp(id);
    } catch (error) {
      work.failed(id, error);
      outcome = { outcome: 'again', why: String(error) };
    }
    places.leave(entry);
    // Somebody asked for another lookup meanwhile: it stays as they asked.
    if (entry.asks === asks) {
      if (outcome.outcome === 'done') waiting.delete(id);
      else again(id, entry, outcome.why);
    }
    arm(clock());
  };

  const again = (id: OrderId, entry: Waiting, why: string): void => {
    const age = clock() - entry.since;
    entry.tries += 1;
    const grown = Math.min(OLD_WAIT_MILLIS_MAX, age / AGE_PARTS);
    entry.at = clock() + (times.firstMillis[entry.tries] ?? Math.max(times.thenMillis, grown));
    if (entry.reported || age <= OPEN_OUTCOME_MILLIS_MAX) return;
    entry.reported = true;
    work.overdue(id, age, why);
  };

  const schedule = (id: OrderId, delay: number, about: { share: string; since?: Millis }): void => {
    const at = clock() + delay;
    const known = waiting.get(id);
    if (known === undefined) {
      const { share, since = clock() } = about;
      const fresh = { running: undefined, reported: false, tries: 0, asks: 1 };
      waiting.set(id, { at, share, since, ...fresh });
    } else {
      // Whoever is asked for again keeps the place that it has in the queue.
      known.at = known.running === undefined ? Math.min(known.at, at) : at;
      known.tries = 0;
      known.asks += 1;
    }
    arm(at);
  };

  return {
    now: (id, share, since) => schedule(id, 0, since === undefined ? { share } : { share, since }),
    soon: (id, share) => schedule(id, times.firstMillis[0] ?? times.thenMillis, { share }),
    want(id, share) {
      if (!waiting.has(id)) schedule(id, 0, { share });
    },
    async stop() {
      stopped = true;
      stopTimer();
      await Promise.all(running);
    },
    waiting: () => waiting.size,
  };
}

/** Who may look: so many fresh and so many old doubts of a share at a time. */
function createPlaces(times: LookupTimes) {
  const taken = new Map<string, number>();
  const key = (entry: Waiting) => `${entry.running} ${entry.share}`;
  return {
    take(entry: Waiting, now: number): boolean {
      entry.running = now - entry.since > OLD_DOUBT_MILLIS ? 'old' : 'fresh';
      const count = taken.get(key(entry)) ?? 0;
      const free = count < times.atOnceMax[entry.running];
      if (free) taken.set(key(entry), count + 1);
      else entry.running = undefined;
      return free;
    },
    leave(entry: Waiting): void {
      const left = (taken.get(key(entry)) ?? 1) - 1;
      if (left === 0) taken.delete(key(entry));
      else taken.set(key(entry), left);
      entry.running = undefined;
    },
  };
}

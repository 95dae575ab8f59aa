import { type Millis, PLATFORMS, type Platform } from '@crossbook/domain';
import type { AccountOwner } from './account-pages.ts';

/** A rotation over all accounts of a platform takes at least this long. */
const ROUND_MILLIS_MIN = 60_000;

/** Who was compared out of turn so lately has no turn. */
const FRESH_MILLIS = 30_000;

/** What rotates, and how fast. */
export interface RotationOptions {
  readonly platform: Platform;
  readonly clock: () => Millis;
  /** Pause between two turns, ms. */
  readonly pauseMillis: number;
  /** Pause between two lookups for work, ms: at most what falls due in one is done in one. */
  readonly tickMillis: number;
  /** Owners in a fixed order, those behind `after`; none behind the last. Of other platforms too. */
  readonly page: (after?: AccountOwner) => Promise<readonly AccountOwner[]>;
}

/** The accounts of one platform in turn, at a pace that the venue's budget hardly feels. */
export interface Rotation {
  readonly platform: Platform;
  /** Turns that have come since they were asked for before. */
  turns(now: number): number;
  /** The next in turn; `undefined` where nobody is before the round's time is over. */
  next(now: number): Promise<AccountOwner | undefined>;
  /** A turn that cost as much as so many more. */
  longer(turns: number): void;
  compared(owner: AccountOwner): void;
  /** When the account that has waited longest was compared; the start while some have not been. */
  oldestAt(): number;
}

/** An account as a key of a map. */
export function ownerKey({ user, platform }: AccountOwner): string {
  return `${platform}:${user}`;
}

/** One for every platform. */
export function createRotations(
  options: (platform: Platform) => Omit<RotationOptions, 'platform'>,
): readonly Rotation[] {
  return PLATFORMS.map(({ platform }) => createRotation({ ...options(platform), platform }));
}

/** How long ago the account of each platform that has waited longest was compared; ms. */
export function oldestMillis(rotations: readonly Rotation[], now: number): ReadonlyMap<Platform, number> {
  return new Map(rotations.map((rotation) => [rotation.platform, now - rotation.oldestAt()]));
}

function createRotation({ platform, clock, pauseMillis, tickMillis, page }: RotationOptions): Rotation {
  const startedAt = clock();
  /** Compared accounts, the one that has waited longest first. */
  const comparedAt = new Map<string, number>();
  const seen = new Set<string>();
  let rounds = 0;
  let waiting: readonly AccountOwner[] = [];
  let last: AccountOwner | undefined;
  let begunAt = Number.NEGATIVE_INFINITY;
  let nextAt = startedAt as number;

  /** Accounts that are no more among them are not waited for. */
  const endRound = (): void => {
    rounds += 1;
    for (const key of comparedAt.keys()) if (!seen.has(key)) comparedAt.delete(key);
    seen.clear();
  };

  const isFresh = (owner: AccountOwner, now: number): boolean =>
    now - (comparedAt.get(ownerKey(owner)) ?? Number.NEGATIVE_INFINITY) < FRESH_MILLIS;

  return {
    platform,
    turns(now) {
      // What was missed while there was nobody to compare is not caught up with, but for one tick.
      nextAt = Math.max(nextAt, now - Math.max(0, tickMillis - pauseMillis));
      let turns = 0;
      for (; nextAt <= now; nextAt += pauseMillis) turns += 1;
      return turns;
    },
    async next(now) {
      while (true) {
        const at = waiting.findIndex((owner) => !isFresh(owner, now));
        const first = waiting[at];
        waiting = first === undefined ? [] : waiting.slice(at + 1);
        if (first !== undefined) return first;
        if (last === undefined && now - begunAt < ROUND_MILLIS_MIN) return undefined;
        if (last === undefined) begunAt = now;
        const read = await page(last);
        last = read.at(-1);
        waiting = read.filter((owner) => owner.platform === platform);
        for (const owner of waiting) seen.add(ownerKey(owner));
        if (last !== undefined) continue;
        endRound();
        return undefined;
      }
    },
    longer(turns) {
      nextAt += turns * pauseMillis;
    },
    compared(owner) {
      comparedAt.delete(ownerKey(owner));
      comparedAt.set(ownerKey(owner), clock());
    },
    oldestAt: () => (rounds === 0 ? startedAt : (comparedAt.values().next().value ?? clock())),
  };
}

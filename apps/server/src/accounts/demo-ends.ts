import type { Millis, UserId } from '@crossbook/domain';
import type { DemoEnd, DemoStore, SessionEnd } from './ports.ts';

/** Who has not looked in for so long has gone. */
export const DEMO_LIFE_MILLIS = 7 * 86_400_000;
/** Demos alive at a time; above it the one idle longest ends for a newcomer. */
export const DEMOS_ALIVE_MAX = 1_000;
/** Of them from one network, times `ADDRESS_LIMIT_FACTOR`: nobody takes all places. */
const DEMOS_ALIVE_PER_NETWORK_MAX = 100;
/** Nobody's demo ends for a newcomer who was there within this time. */
export const DEMO_IDLE_MILLIS_MIN = 3_600_000;
/** How many end in one sweep. */
const ENDS_PER_SWEEP_MAX = 100;

/** Demos alive of one network, where several members stand behind an address `factor` times as many, and half of all at most. */
export function demosPerNetworkMax(factor: number): number {
  return Math.min(DEMOS_ALIVE_PER_NETWORK_MAX * factor, DEMOS_ALIVE_MAX / 2);
}

/** Who hears of demos that are over. */
export interface DemoEndListeners {
  readonly events: { ended(end: SessionEnd): void };
  /** What it left at the venues is cleared away. */
  readonly demoOver: (user: UserId, now: Millis) => void;
}

/** Tells of a demo that is over. */
export function tellOver(
  { events, demoOver }: DemoEndListeners,
  { user, sessions }: DemoEnd,
  now: Millis,
): void {
  for (const end of sessions) events.ended(end);
  demoOver(user, now);
}

/** Ends demos that nobody came back to. */
export async function endIdleDemos(
  deps: DemoEndListeners & { readonly demos: Pick<DemoStore, 'endIdle'> },
  now: Millis,
): Promise<void> {
  const ended = await deps.demos.endIdle((now - DEMO_LIFE_MILLIS) as Millis, now, ENDS_PER_SWEEP_MAX);
  for (const end of ended) tellOver(deps, end, now);
}

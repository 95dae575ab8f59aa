import type { Platform, PlatformState } from '@crossbook/domain';
import type { Config } from '../../config.ts';
import type { HttpLog } from '../../http/call-routes.ts';
import type { Database } from '../../storage/postgres/database.ts';
import { newestSayings, type PlatformSaying } from '../../storage/stores/platform-state-store.ts';

/** How often what was said is read again besides each change: a change whose reading failed is late by this at most. */
const READ_EVERY_MILLIS = 5_000;

/** Which platforms are open, now: what admins have said last, else what the operator's variables say. */
export interface PlatformStates {
  stateOf(platform: Platform): PlatformState;
  /** Closed for now by an admin, and not because it is still to come. */
  paused(platform: Platform): boolean;
  /** What was said last; undefined where nobody has said anything. */
  saying(platform: Platform): PlatformSaying | undefined;
  /** Whether orders can reach the exchange at all: a real one needs the operator's key. */
  canOpen(platform: Platform): boolean;
  /** Takes up what was said meanwhile. */
  refresh(): Promise<void>;
  start(): void;
  stop(): void;
}

/** Reads what was said; a hub that cannot does not start. @param log told where a later reading fails. */
export async function platformStates(
  database: Database,
  { venues }: Pick<Config, 'venues'>,
  log: Pick<HttpLog, 'warn'>,
): Promise<PlatformStates> {
  let said: ReadonlyMap<Platform, PlatformSaying> = new Map();
  let timer: NodeJS.Timeout | undefined;
  const venueOf = (platform: Platform) => venues.find((venue) => venue.platform === platform);
  const canOpen = (platform: Platform): boolean => {
    const venue = venueOf(platform);
    return venue !== undefined && (venue.mode === 'simulator' || venue.master !== undefined);
  };
  const failed = (error: unknown) => log.warn({ error }, 'states of platforms were not read');
  const refresh = async (): Promise<void> => {
    said = new Map((await newestSayings(database)).map((row) => [row.platform, row]));
  };
  await refresh();
  return {
    stateOf(platform) {
      const state = said.get(platform)?.state ?? venueOf(platform)?.state;
      return state === 'live' && canOpen(platform) ? 'live' : 'coming-soon';
    },
    paused: (platform) => said.get(platform)?.state === 'paused',
    saying: (platform) => said.get(platform),
    ...{ canOpen, refresh },
    start() {
      timer = setInterval(() => void refresh().catch(failed), READ_EVERY_MILLIS);
      timer.unref();
    },
    stop: () => clearInterval(timer),
  };
}

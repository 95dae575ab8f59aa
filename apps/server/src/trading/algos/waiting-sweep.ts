import type { Instrument, Platform } from '@crossbook/domain';
import type { AccountOwner } from '../account-pages.ts';
import { algoClientId, isResized, type StoredAlgo } from '../algo.ts';
import type { TradingDeps } from '../ports.ts';
import { ownerKey } from '../rotation.ts';

/** Members whose lists are read at a venue in one tick: one question each to the venue, or one for every instrument. */
const PER_TICK_MAX = 2;
const TICK_MILLIS = 1_000;
/** Everybody who has something waiting is compared that often, or as often as there is a place: streams may drop events. */
const ROUND_MILLIS = 60_000;

/** Comparing what waits here with the venues' lists. */
export interface WaitingSweep {
  /** Everybody is compared once, then round and round. */
  start(listen: (owner: AccountOwner) => Promise<void>): Promise<void>;
  stop(): void;
  /** The member's algo orders are in doubt: compared as soon as there is a place. */
  doubt(owner: AccountOwner): void;
}

/** Makes it. @param lookUp is told of every algo order about which hub and venue do not agree. */
export function createWaitingSweep(deps: TradingDeps, lookUp: (algo: StoredAlgo) => void): WaitingSweep {
  const due = new Map<string, AccountOwner>();
  /** Venues that are being asked: one that is silent keeps nobody else waiting. */
  const asking = new Set<Platform>();
  let roundAt = 0;
  let stopTimer = (): void => undefined;

  const compare = async (owner: AccountOwner): Promise<void> => {
    const strays = await strayAlgos(deps, owner);
    if (strays === 'unread') due.set(ownerKey(owner), owner);
    else for (const algo of strays) lookUp(algo);
  };

  const askVenue = async (platform: Platform): Promise<void> => {
    asking.add(platform);
    try {
      const owners = [...due.values()].filter((owner) => owner.platform === platform);
      for (const owner of owners.slice(0, PER_TICK_MAX)) {
        due.delete(ownerKey(owner));
        await compare(owner);
      }
    } finally {
      asking.delete(platform);
    }
  };

  const work = async (): Promise<void> => {
    if (deps.clock() >= roundAt) {
      roundAt = deps.clock() + ROUND_MILLIS;
      for (const owner of await deps.algos.openOwners()) due.set(ownerKey(owner), owner);
    }
    const platforms = new Set([...due.values()].map(({ platform }) => platform));
    await Promise.all([...platforms].filter((platform) => !asking.has(platform)).map(askVenue));
  };
  const tick = (): void => {
    work().catch((error: unknown) =>
      deps.log.note('waiting orders were not compared', { error: String(error) }),
    );
  };

  return {
    async start(listen) {
      for (const owner of await deps.algos.openOwners()) {
        await listen(owner);
        due.set(ownerKey(owner), owner);
      }
      roundAt = deps.clock() + ROUND_MILLIS;
      stopTimer = deps.timers.every(TICK_MILLIS, tick);
    },
    stop: () => stopTimer(),
    doubt(owner) {
      due.set(ownerKey(owner), owner);
    },
  };
}

/** What waits by our rows and not by the venue's list, and what is in doubt by our rows. */
async function strayAlgos(
  deps: TradingDeps,
  { user, platform }: AccountOwner,
): Promise<readonly StoredAlgo[] | 'unread'> {
  const ours = (await deps.algos.openOf(user, { platform })).filter(({ state }) => state !== 'placing');
  const algos = deps.venue(platform)?.trading.algos;
  const account = await deps.accounts.find(user, platform);
  if (ours.length === 0 || algos === undefined || account.state !== 'ready') return [];
  const instruments = instrumentsOf(deps, ours);
  const listed = await algos.waiting(account.credentials, instruments);
  if (!listed.ok) return 'unread';
  const waiting = listed.value.filter(({ status }) => status === 'waiting');
  const named = new Map(waiting.map((state) => [state.clientId, state]));
  // What the venue made itself has no id of ours.
  const numbered = new Map(waiting.map((state) => [state.venueAlgoId, state]));
  return ours.filter((algo) => {
    const { state, unknown, cancelPending, venueAlgoId } = algo;
    const shown = named.get(algoClientId(algo)) ?? (venueAlgoId && numbered.get(venueAlgoId));
    // Its orders come and go while it is listed.
    const makes = algo.plan.kind === 'iceberg';
    return !shown || makes || isResized(algo, shown) || state === 'firing' || unknown || cancelPending;
  });
}

function instrumentsOf({ market }: TradingDeps, algos: readonly StoredAlgo[]): readonly Instrument[] {
  const found = new Map<string, Instrument>();
  for (const { platform, symbolType, symbol } of algos) {
    const instrument = market.instrument(platform, symbolType, symbol);
    if (instrument !== undefined) found.set(`${symbolType} ${symbol}`, instrument);
  }
  return [...found.values()];
}

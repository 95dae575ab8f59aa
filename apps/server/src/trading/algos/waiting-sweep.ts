import type { Instrument, Millis, Platform } from '@crossbook/domain';
import type { AccountOwner } from '../account-pages.ts';
import { algoClientId, isResized, type StoredAlgo } from '../algo.ts';
import type { BookedPosition } from '../contract-store.ts';
import type { TradingDeps } from '../ports.ts';
import { ownerKey } from '../rotation.ts';
import type { ForeignAlgos, ForeignLook } from './foreign-algos.ts';

/** Members whose lists are read at a venue in one tick: one question each to the venue, or one for every instrument. */
const PER_TICK_MAX = 2;
const TICK_MILLIS = 1_000;
/** Everybody who has something waiting is compared that often, or as often as there is a place: streams may drop events. */
const ROUND_MILLIS = 60_000;
/** A member who looks has the list read again after so long; of so many is it remembered when it was read. */
const LOOK_MILLIS = 30_000;
const LOOKS_MAX = 10_000;

/** Comparing what waits here with the venues' lists. */
export interface WaitingSweep {
  /** Everybody is compared once, then round and round. */
  start(listen: (owner: AccountOwner) => Promise<void>): Promise<void>;
  stop(): void;
  /** The member's algo orders are in doubt: compared as soon as there is a place. */
  doubt(owner: AccountOwner): void;
  /** Somebody looks at them: the list is read, unless it was a moment ago. */
  look(owner: AccountOwner): void;
}

/** Makes it. @param lookUp is told of every algo order about which hub and venue do not agree. */
export function createWaitingSweep(
  deps: TradingDeps,
  lookUp: (algo: StoredAlgo) => void,
  foreign: ForeignAlgos,
): WaitingSweep {
  const looked = new Map<string, Millis>();
  const due = new Map<string, AccountOwner>();
  /** Venues that are being asked: one that is silent keeps nobody else waiting. */
  const asking = new Set<Platform>();
  let roundAt = 0;
  let stopTimer = (): void => undefined;

  const compare = async (owner: AccountOwner): Promise<void> => {
    const look = await readWaiting(deps, owner, foreign.places(owner));
    if (look === 'unread') due.set(ownerKey(owner), owner);
    if (look === 'unread' || look === undefined) return;
    for (const algo of strayAlgos(look)) lookUp(algo);
    const since = await deps.algos.openOf(owner.user, { platform: owner.platform });
    await foreign.keep(owner, { ...look, ours: [...look.ours, ...since] });
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
      for (const owner of [...(await deps.algos.openOwners()), ...foreign.owners()])
        due.set(ownerKey(owner), owner);
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
    look(owner) {
      const key = ownerKey(owner);
      if (deps.clock() - (looked.get(key) ?? 0) < LOOK_MILLIS) return;
      looked.delete(key);
      looked.set(key, deps.clock());
      const [oldest] = looked.keys();
      if (looked.size > LOOKS_MAX && oldest !== undefined) looked.delete(oldest);
      due.set(key, owner);
    },
  };
}

/** The venue's list beside our rows, where there is anything that could be on it. */
async function readWaiting(
  deps: TradingDeps,
  { user, platform }: AccountOwner,
  foreign: ReturnType<ForeignAlgos['places']>,
): Promise<ForeignLook | 'unread' | undefined> {
  const ours = await deps.algos.openOf(user, { platform });
  const positions = await deps.contracts.booked({ user, platform });
  const algos = deps.venue(platform)?.trading.algos;
  const account = await deps.accounts.find(user, platform);
  if (algos === undefined || account.state !== 'ready') return undefined;
  const instruments = instrumentsOf(deps, [...ours.filter(isSent), ...positions.map(ofContract), ...foreign]);
  const any = algos.opening === undefined ? [] : contractsOf(deps, platform);
  // Where nothing is known of, only what may open a position is asked for.
  const opening = instruments.length === 0 ? algos.opening : undefined;
  if (instruments.length === 0 && opening === undefined) return undefined;
  const listed = await (opening === undefined
    ? algos.waiting(account.credentials, [...new Set([...instruments, ...any])])
    : opening(account.credentials, any));
  return listed.ok ? { ours, positions, listed: listed.value } : 'unread';
}

function contractsOf({ market }: TradingDeps, platform: Platform): readonly Instrument[] {
  return market.instruments(platform).filter(({ symbolType }) => symbolType === 'SWAP');
}

function isSent({ state }: StoredAlgo): boolean {
  return state !== 'placing';
}

function ofContract({ platform, symbol }: BookedPosition) {
  return { platform, symbolType: 'SWAP', symbol } as const;
}

/** What waits by our rows and not by the venue's list, and what is in doubt by our rows. */
function strayAlgos({ ours, listed }: ForeignLook): readonly StoredAlgo[] {
  const waiting = listed.filter(({ status }) => status === 'waiting');
  const named = new Map(waiting.map((state) => [state.clientId, state]));
  // What the venue made itself has no id of ours.
  const numbered = new Map(waiting.map((state) => [state.venueAlgoId, state]));
  return ours.filter(isSent).filter((algo) => {
    const { state, unknown, cancelPending, venueAlgoId } = algo;
    const shown = named.get(algoClientId(algo)) ?? (venueAlgoId && numbered.get(venueAlgoId));
    // Its orders come and go while it is listed.
    const makes = algo.plan.kind === 'iceberg';
    return !shown || makes || isResized(algo, shown) || state === 'firing' || unknown || cancelPending;
  });
}

function instrumentsOf(
  { market }: TradingDeps,
  places: readonly Pick<StoredAlgo, 'platform' | 'symbolType' | 'symbol'>[],
): readonly Instrument[] {
  const found = new Map<string, Instrument>();
  for (const { platform, symbolType, symbol } of places) {
    const instrument = market.instrument(platform, symbolType, symbol);
    if (instrument !== undefined) found.set(`${symbolType} ${symbol}`, instrument);
  }
  return [...found.values()];
}

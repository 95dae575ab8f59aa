import { isFinal, ORDER_STATUS, type OrderId, type Platform, type UserId } from '@crossbook/domain';
import { venueProfile } from '@crossbook/venues';
import type { AskedFor } from '@crossbook/venues/trading';
import type { AccountOwner } from '../account-pages.ts';
import { clientIdAtVenue, isNameless } from '../order.ts';
import type { TradingDeps } from '../ports.ts';
import { createRotations, oldestMillis, ownerKey, type Rotation } from '../rotation.ts';

/** Pause between two lookups for work. */
const TICK_MILLIS = 1_000;
/** A member whose stream is silent, or whose comparison came to nothing or to a difference, is compared again. */
const AGAIN_MILLIS = 10_000;
/** Comparisons that may differ one after another before the rotation is enough; orders are looked up meanwhile. */
const DIFFERENCES_MAX = 5;
/** Doubts of one platform in one tick: those for which the venue is asked, and those looked at. */
const PER_TICK_MAX = { asked: 2, seen: 20 } as const;
/** Members in doubt at once; beyond it the rotation finds what there is. */
const DOUBTS_MAX = 10_000;

/**
 * Comparing members' open orders with the venues' lists: where there is doubt, and besides one after the other at the
 * slow pace of the venue, because streams may drop events while they look healthy. One at a time at each platform.
 */
export interface OpenOrderComparison {
  /** Begins; returns what ends it. */
  start(): () => void;
  /** The member's orders are in doubt: compared as soon as there is a place. */
  compare(user: UserId, platform: Platform): void;
  /** Nothing is heard of the member's orders: compared again and again, until `heard`. */
  unheard(user: UserId, platform: Platform): void;
  /** The member's stream is open: what it did not tell before is compared once. */
  heard(user: UserId, platform: Platform): void;
  /** How long ago the open orders that have waited longest were compared, or the hub started; ms. */
  oldestMillis(): ReadonlyMap<Platform, number>;
}

interface Doubt {
  readonly owner: AccountOwner;
  readonly unheard: boolean;
  readonly nextAt: number;
  readonly differences: number;
}

/** What came of one comparison, and how many instruments the venue was asked for. */
interface Compared {
  readonly outcome: 'equal' | 'different' | 'unread';
  readonly instruments: number;
}

/** Members in doubt. */
class Doubts {
  readonly #clock: () => number;
  readonly #doubts = new Map<string, Doubt>();
  /** Places taken in this tick. */
  readonly #taken = new Map<Platform, { asked: number; seen: number }>();

  constructor(clock: () => number) {
    this.#clock = clock;
  }

  has(owner: AccountOwner): boolean {
    return this.#doubts.has(ownerKey(owner));
  }

  raise(owner: AccountOwner, part: Partial<Doubt> = {}): void {
    const key = ownerKey(owner);
    const known = this.#doubts.get(key);
    if (known === undefined && this.#doubts.size >= DOUBTS_MAX) return;
    const unheard = known?.unheard ?? false;
    this.#doubts.set(key, { owner, unheard, nextAt: this.#clock(), differences: 0, ...part });
  }

  /** Another tick has places of its own. */
  tick(): void {
    this.#taken.clear();
  }

  /** The next to be compared, as long as there are places. */
  next(platform: Platform): Doubt | undefined {
    const taken = this.#takenAt(platform);
    if (taken.asked >= PER_TICK_MAX.asked || taken.seen >= PER_TICK_MAX.seen) return undefined;
    const now = this.#clock();
    for (const found of this.#doubts.values()) {
      if (found.owner.platform !== platform || found.nextAt > now) continue;
      taken.seen += 1;
      return found;
    }
    return undefined;
  }

  compared(found: Doubt, { outcome, instruments }: Compared): void {
    const { owner } = found;
    if (instruments > 0) this.#takenAt(owner.platform).asked += 1;
    // Doubted once more meanwhile: what was read may have been older.
    if (this.#doubts.get(ownerKey(owner)) !== found) return;
    this.#doubts.delete(ownerKey(owner));
    const differences = outcome === 'different' ? found.differences + 1 : 0;
    const again = outcome === 'unread' || (differences > 0 && differences < DIFFERENCES_MAX);
    // Behind all others, so that members take turns.
    if (found.unheard || again)
      this.raise(owner, { ...found, differences, nextAt: this.#clock() + AGAIN_MILLIS });
  }

  #takenAt(platform: Platform): { asked: number; seen: number } {
    const taken = this.#taken.get(platform) ?? { asked: 0, seen: 0 };
    this.#taken.set(platform, taken);
    return taken;
  }
}

/** Makes the comparison. @param lookUp is told of every order about which hub and venue do not agree. */
export function createOpenOrderComparison(
  deps: TradingDeps,
  lookUp: (id: OrderId, platform: Platform) => void,
): OpenOrderComparison {
  const doubts = new Doubts(deps.clock);
  const running = new Set<Platform>();
  const rotations = createRotations((platform) => ({
    ...{ clock: deps.clock, tickMillis: TICK_MILLIS },
    pauseMillis: venueProfile(platform).trading.openOrdersReadEveryMillis,
    page: async (after) => (after === undefined ? deps.orders.unsettledOwners() : []),
  }));

  const compareOwner = async (owner: AccountOwner, askedFor: AskedFor): Promise<Compared> => {
    try {
      const { strays, ...compared } = await strayOrders(deps, owner, askedFor);
      for (const id of strays) lookUp(id, owner.platform);
      return compared;
    } catch (error) {
      deps.log.note('comparison failed', { ...owner, error: String(error) });
      return { outcome: 'unread', instruments: 0 };
    }
  };

  const compareInDoubt = async (found: Doubt, rotation: Rotation): Promise<void> => {
    const { owner } = found;
    const { outcome, instruments } = await compareOwner(owner, 'reconciliation');
    if (outcome !== 'unread') rotation.compared(owner);
    doubts.compared(found, { outcome, instruments });
  };

  const compareInTurn = async (rotation: Rotation): Promise<void> => {
    const now = deps.clock();
    for (let turns = rotation.turns(now); turns > 0; turns -= 1) {
      const owner = await rotation.next(now);
      if (owner === undefined) return;
      if (doubts.has(owner)) continue;
      const { outcome, instruments } = await compareOwner(owner, 'balance-check');
      if (outcome !== 'unread') rotation.compared(owner);
      rotation.longer(Math.max(0, instruments - 1));
    }
  };

  /** A platform that takes its time to fail keeps only its own members waiting. */
  const work = async (rotation: Rotation, inTurn: boolean): Promise<void> => {
    const { platform } = rotation;
    if (running.has(platform)) return;
    running.add(platform);
    try {
      for (let found = doubts.next(platform); found !== undefined; found = doubts.next(platform))
        await compareInDoubt(found, rotation);
      if (inTurn) await compareInTurn(rotation);
    } catch (error) {
      deps.log.note('comparison failed', { platform, error: String(error) });
    } finally {
      running.delete(platform);
    }
  };
  const workAt = (platform: Platform): void => {
    for (const rotation of rotations) if (rotation.platform === platform) void work(rotation, false);
  };

  return {
    compare(user, platform) {
      doubts.raise({ user, platform });
      workAt(platform);
    },
    unheard: (user, platform) =>
      doubts.raise({ user, platform }, { unheard: true, nextAt: deps.clock() + AGAIN_MILLIS }),
    heard(user, platform) {
      doubts.raise({ user, platform }, { unheard: false });
      workAt(platform);
    },
    oldestMillis: () => oldestMillis(rotations, deps.clock()),
    start: () =>
      deps.timers.every(TICK_MILLIS, () => {
        doubts.tick();
        for (const rotation of rotations) void work(rotation, true);
      }),
  };
}

/** Orders we hold open that the venue does not list, or lists further along than we do. */
async function strayOrders(
  deps: TradingDeps,
  { user, platform }: AccountOwner,
  askedFor: AskedFor,
): Promise<Compared & { readonly strays: readonly OrderId[] }> {
  const ours = await deps.orders.openOf(user, platform);
  const desk = deps.venue(platform);
  const account = await deps.accounts.find(user, platform);
  if (ours.length === 0 || desk === undefined || account.state !== 'ready')
    return { outcome: 'equal', instruments: 0, strays: [] };
  // A contract may have the name of a pair.
  const symbols = new Set(ours.map(({ symbolType, symbol }) => `${symbolType} ${symbol}`));
  const instruments = deps.market
    .instruments(platform)
    .filter(({ symbolType, symbol }) => symbols.has(`${symbolType} ${symbol}`));
  const listed = await desk.trading.asking(askedFor).openOrders(account.credentials, instruments);
  const asked = { instruments: instruments.length };
  if (!listed.ok) return { ...asked, outcome: 'unread', strays: [] };
  const theirs = new Map(listed.value.map((state) => [state.clientId, state]));
  const numbered = new Map(listed.value.map((state) => [state.venueOrderId, state]));
  const strays = ours.filter((order) => {
    const { venueOrderId } = order;
    const state =
      isNameless(order) && venueOrderId !== undefined
        ? numbered.get(venueOrderId)
        : theirs.get(clientIdAtVenue(order));
    // Lists of what is open may show what was closed a moment ago (Bybit's does).
    return (
      state === undefined ||
      isFinal(state.status) ||
      state.cumulativeQuantity !== order.cumQuantity ||
      order.status === ORDER_STATUS.UNKNOWN ||
      order.amendment !== undefined
    );
  });
  // One that is unknown or being changed is looked up in any case, and no reason to read the list again.
  const differ = strays.some(
    ({ status, amendment }) => status !== ORDER_STATUS.UNKNOWN && amendment === undefined,
  );
  return { ...asked, outcome: differ ? 'different' : 'equal', strays: strays.map(({ id }) => id) };
}

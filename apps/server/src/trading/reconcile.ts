import {
  isFinal,
  type Lanes,
  type Millis,
  ORDER_STATUS,
  type OrderId,
  type Platform,
  type UserId,
  venueClientId,
} from '@crossbook/domain';
import { venueProfile } from '@crossbook/venues';
import { type AbsenceProof, type LookOutcome, lookUp } from './look-up.ts';
import { recordProgress } from './on-venue-event.ts';
import type { StoredOrder } from './order.ts';
import type { AccountOwner, TradingDeps } from './ports.ts';

/** How often orders with an uncertain outcome are looked at: after 1, 2, 4, 8 and then every 15 s. */
const LOOK_DELAY_MILLIS = [1_000, 2_000, 4_000, 8_000] as const;
const LOOK_DELAY_MILLIS_MAX = 15_000;
/** How often resting orders are compared with the venue's own list: streams may drop events while they look healthy. */
const COMPARE_EVERY_MILLIS = 10_000;
const TICK_MILLIS = 500;
/** Orders being looked at at once, so that a long list starves neither the rest nor the venue's budget. */
const LOOKS_AT_ONCE_MAX = 20;
/** Members compared in one round; with more of them a round goes on where the one before ended. */
const COMPARED_PER_ROUND_MAX = 50;
/** An outcome that is open this long needs a person (money-and-security.md 1.5); the money stays held. */
const OPEN_OUTCOME_MILLIS_MAX = 600_000;

/** Keeps every unsettled order moving towards proof. */
export interface Reconciliation {
  /** Looks at everything a former process left unsettled, then goes on at intervals. */
  start(): Promise<void>;
  lookSoon(order: Pick<StoredOrder, 'id'>): void;
  /** Compares a member's open orders with the venue's. */
  compare(user: UserId, platform: Platform): void;
  stop(): void;
  /** Orders waiting for a look; for health pages and tests. */
  waiting(): number;
}

interface Due {
  at: number;
  tries: number;
  /** Counts who asked, so that a look notices that another was asked for while it ran. */
  asks: number;
  readonly since: number;
  told: boolean;
}

/** Builds the reconciliation on the shared lanes, so that look-ups and stream events never race. */
export function createReconciliation(
  deps: TradingDeps,
  lanes: Lanes,
  wiring: { readonly proof: AbsenceProof; readonly listen: (order: StoredOrder) => Promise<void> },
): Reconciliation {
  const queue = createLookQueue(deps, (id) => lanes.run(id, () => lookUp(deps, id, wiring.proof)));
  const rounds = createRounds(deps, queue.now);
  const stops: (() => void)[] = [];
  return {
    async start() {
      for (const order of await deps.orders.unsettled()) {
        const left = order.status === ORDER_STATUS.NEW ? await adopt(deps, lanes, order) : order;
        await wiring.listen(left);
        queue.now(left.id);
      }
      stops.push(deps.timers.every(TICK_MILLIS, queue.tick));
      stops.push(deps.timers.every(COMPARE_EVERY_MILLIS, rounds.compareNext));
    },
    lookSoon: (order) => queue.soon(order.id),
    compare: rounds.compare,
    stop() {
      for (const stop of stops) stop();
    },
    waiting: queue.waiting,
  };
}

/** Orders that wait for a look, each until a look says that it needs none. */
function createLookQueue(deps: TradingDeps, look: (id: OrderId) => Promise<LookOutcome>) {
  const due = new Map<OrderId, Due>();
  const looking = new Set<OrderId>();

  const schedule = (id: OrderId, delay: number, tries: number): void => {
    const at = deps.clock() + delay;
    const known = due.get(id);
    if (known === undefined) due.set(id, { at, tries, asks: 1, since: deps.clock(), told: false });
    else {
      // Whoever is asked for again keeps the place that it has in the queue.
      const sooner = looking.has(id) ? at : Math.min(known.at, at);
      Object.assign(known, { at: sooner, tries, asks: known.asks + 1 });
    }
  };

  const again = (id: OrderId, entry: Due): void => {
    entry.tries += 1;
    entry.at = deps.clock() + (LOOK_DELAY_MILLIS[entry.tries] ?? LOOK_DELAY_MILLIS_MAX);
    if (entry.told || deps.clock() - entry.since <= OPEN_OUTCOME_MILLIS_MAX) return;
    entry.told = true;
    deps.log.incident('the outcome of an order is still open', { id, sinceMillis: entry.since });
  };

  const lookAt = async (id: OrderId, entry: Due): Promise<void> => {
    looking.add(id);
    const { asks } = entry;
    try {
      const outcome = await look(id);
      // Somebody asked for another look meanwhile: it stays as they asked.
      if (entry.asks !== asks) return;
      if (outcome === 'done') due.delete(id);
      else again(id, entry);
    } catch (error) {
      deps.log.note('look-up failed', { id, error: String(error) });
      if (entry.asks === asks) again(id, entry);
    } finally {
      looking.delete(id);
    }
  };

  return {
    now: (id: OrderId): void => schedule(id, 0, 0),
    soon: (id: OrderId): void => schedule(id, LOOK_DELAY_MILLIS[0], 0),
    tick(): void {
      const now = deps.clock();
      // Whoever has waited longest comes first: orders at a venue that takes its time to fail come back again and again.
      const ready = [...due]
        .filter(([id, entry]) => entry.at <= now && !looking.has(id))
        .sort(([, left], [, right]) => left.at - right.at);
      for (const [id, entry] of ready.slice(0, LOOKS_AT_ONCE_MAX - looking.size)) void lookAt(id, entry);
    },
    waiting: (): number => due.size,
  };
}

/** Comparing members' open orders with the venues' lists, never more than one round at a time at each platform. */
function createRounds(deps: TradingDeps, lookNow: (id: OrderId) => void) {
  const running = new Set<Platform>();
  const begins = new Map<Platform, number>();
  const compareMember = async (user: UserId, platform: Platform): Promise<void> => {
    try {
      for (const id of await strayOrders(deps, user, platform)) lookNow(id);
    } catch (error) {
      deps.log.note('comparison failed', { user, platform, error: String(error) });
    }
  };
  /** A platform that takes its time to fail keeps only its own members waiting. */
  const compareAt = async (platform: Platform, owners: readonly AccountOwner[]): Promise<void> => {
    if (running.has(platform)) return;
    running.add(platform);
    const left = begins.get(platform) ?? 0;
    const begin = left >= owners.length ? 0 : left;
    const now = owners.slice(begin, begin + COMPARED_PER_ROUND_MAX);
    begins.set(platform, begin + now.length);
    for (const { user } of now) await compareMember(user, platform);
    running.delete(platform);
  };
  const compareAll = async (): Promise<void> => {
    const owners = await deps.orders.unsettledOwners();
    const platforms = new Set(owners.map(({ platform }) => platform));
    for (const platform of platforms) {
      void compareAt(
        platform,
        owners.filter((owner) => owner.platform === platform),
      );
    }
  };
  return {
    compare: (user: UserId, platform: Platform): void => void compareMember(user, platform),
    compareNext(): void {
      compareAll().catch((error) => deps.log.note('comparison failed', { error: String(error) }));
    },
  };
}

/** An order a former process left at NEW may or may not have been sent: its outcome is unknown, its money stays held. */
function adopt(deps: TradingDeps, lanes: Lanes, order: StoredOrder): Promise<StoredOrder> {
  const fenceClosesAt = (deps.clock() + venueProfile(order.platform).trading.orderDeadlineMillis) as Millis;
  return lanes.run(order.id, () =>
    recordProgress(deps, order, { status: ORDER_STATUS.UNKNOWN, fenceClosesAt }),
  );
}

/** Orders we hold open that the venue does not list, or lists further along than we do. */
async function strayOrders(deps: TradingDeps, user: UserId, platform: Platform): Promise<readonly OrderId[]> {
  const ours = await deps.orders.openOf(user, platform);
  const desk = deps.venue(platform);
  const account = await deps.accounts.find(user, platform);
  if (ours.length === 0 || desk === undefined || account.state !== 'ready') return [];
  const symbols = new Set(ours.map((order) => order.symbol));
  const instruments = deps.market
    .instruments(platform)
    .filter((instrument) => symbols.has(instrument.symbol));
  const listed = await desk.trading.openOrders(account.credentials, instruments);
  if (!listed.ok) return [];
  const theirs = new Map(listed.value.map((state) => [state.clientId, state]));
  return ours
    .filter((order) => {
      const state = theirs.get(venueClientId(order.id));
      // Lists of what is open may show what was closed a moment ago (Bybit's does).
      return (
        state === undefined ||
        isFinal(state.status) ||
        state.cumulativeQuantity !== order.cumQuantity ||
        order.status === ORDER_STATUS.UNKNOWN
      );
    })
    .map((order) => order.id);
}

import {
  type Lanes,
  type Millis,
  ORDER_STATUS,
  type OrderId,
  type Platform,
  type UserId,
} from '@crossbook/domain';
import { type AbsenceProof, lookUp } from './look-up.ts';
import { recordProgress } from './on-venue-event.ts';
import type { StoredOrder } from './order.ts';
import type { TradingDeps } from './ports.ts';

/** How often orders with an uncertain outcome are looked at: after 1, 2, 4, 8 and then every 15 s. */
const LOOK_DELAY_MILLIS = [1_000, 2_000, 4_000, 8_000, 15_000] as const;
/** How often resting orders are compared with the venue's own list: streams may drop events while they look healthy. */
const COMPARE_EVERY_MILLIS = 10_000;
const TICK_MILLIS = 500;
/** A crashed process may have had a request in flight this long before it died (request time plus the venue's window). */
const CRASH_FENCE_MILLIS = 15_000;
/** Orders looked at in one tick, so that a long list never starves the rest. */
const LOOKS_PER_TICK_MAX = 20;

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
  readonly at: number;
  readonly tries: number;
}

/** Builds the reconciliation on the shared lanes, so that look-ups and stream events never race. */
export function createReconciliation(
  deps: TradingDeps,
  lanes: Lanes,
  wiring: { readonly proof: AbsenceProof; readonly listen: (order: StoredOrder) => Promise<void> },
): Reconciliation {
  const due = new Map<OrderId, Due>();
  const stops: (() => void)[] = [];

  const schedule = (id: OrderId, tries: number): void => {
    const delay = LOOK_DELAY_MILLIS[Math.min(tries, LOOK_DELAY_MILLIS.length - 1)] ?? COMPARE_EVERY_MILLIS;
    due.set(id, { at: deps.clock() + delay, tries });
  };

  const look = async (id: OrderId, tries: number): Promise<void> => {
    try {
      const outcome = await lanes.run(id, () => lookUp(deps, id, wiring.proof));
      if (outcome === 'again' && !due.has(id)) schedule(id, tries + 1);
    } catch (error) {
      deps.log.note('look-up failed', { id, error: String(error) });
      if (!due.has(id)) schedule(id, tries + 1);
    }
  };

  const tick = (): void => {
    const now = deps.clock();
    const ready = [...due].filter(([, entry]) => entry.at <= now).slice(0, LOOKS_PER_TICK_MAX);
    for (const [id, entry] of ready) {
      due.delete(id);
      void look(id, entry.tries);
    }
  };

  const lookNow = (id: OrderId): void => {
    due.set(id, { at: deps.clock(), tries: 0 });
  };

  const compareMember = async (user: UserId, platform: Platform): Promise<void> => {
    for (const id of await strayOrders(deps, user, platform)) lookNow(id);
  };
  const compare = (user: UserId, platform: Platform): void => {
    compareMember(user, platform).catch((error) => {
      deps.log.note('comparison failed', { user, platform, error: String(error) });
    });
  };

  const compareAll = async (): Promise<void> => {
    const members = new Map<string, StoredOrder>();
    for (const order of await deps.orders.unsettled()) members.set(`${order.platform}:${order.user}`, order);
    for (const order of members.values()) await compareMember(order.user, order.platform);
  };

  return {
    async start() {
      for (const order of await deps.orders.unsettled()) {
        const left = order.status === ORDER_STATUS.NEW ? await adopt(deps, lanes, order) : order;
        await wiring.listen(left);
        lookNow(left.id);
      }
      stops.push(deps.timers.every(TICK_MILLIS, tick));
      const again = () =>
        compareAll().catch((error) => deps.log.note('comparison failed', { error: String(error) }));
      stops.push(deps.timers.every(COMPARE_EVERY_MILLIS, () => void again()));
    },
    lookSoon: (order) => schedule(order.id, 0),
    compare,
    stop() {
      for (const stop of stops) stop();
    },
    waiting: () => due.size,
  };
}

/** An order a former process left at NEW may or may not have been sent: its outcome is unknown, its money stays held. */
function adopt(deps: TradingDeps, lanes: Lanes, order: StoredOrder): Promise<StoredOrder> {
  const fenceClosesAt = (deps.clock() + CRASH_FENCE_MILLIS) as Millis;
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
  const theirs = new Map(listed.value.map((state) => [state.clientId as string, state]));
  return ours
    .filter((order) => {
      const state = theirs.get(order.id.replaceAll('-', ''));
      return (
        state === undefined ||
        state.cumulativeQuantity !== order.cumQuantity ||
        order.status === ORDER_STATUS.UNKNOWN
      );
    })
    .map((order) => order.id);
}

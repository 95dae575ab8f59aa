import type { CallHandlers } from '@crossbook/contract';
import { type Amount, createLanes, type OrderId, type Platform, type UserId } from '@crossbook/domain';
import type { AccountOwner } from './account-pages.ts';
import { type BalanceCheckStats, createBalanceCheck } from './accounts/balance-check.ts';
import { createUserStreams, orderOfEvent, type StreamReactions } from './accounts/user-streams.ts';
import { openVenueAccount } from './accounts/venue-accounts.ts';
import { cancelOrder } from './orders/cancel-order.ts';
import { type OrderUpdate, onVenueEvent } from './orders/on-venue-event.ts';
import { startOperatorRequests } from './orders/operator-requests.ts';
import { ABSENCE_PROOF, type AbsenceProof, lookupShare } from './orders/order-intent.ts';
import { fillPage, openOrderRows, orderPage } from './orders/order-queries.ts';
import { type Placing, placeOrder } from './orders/place-order.ts';
import { createReconciliation } from './orders/reconcile.ts';
import { type ContractHandlers, createPerpsDesk, type PerpsDesk } from './perps/perps-desk.ts';
import type { TradingDeps, VenueAccount } from './ports.ts';

/** The calls this feature answers. */
export type TradingHandlers = Pick<
  CallHandlers,
  | 'connextrade/PlaceOrder'
  | 'connextrade/CancelOrder'
  | 'connextrade/CurOrderList'
  | 'connextrade/OrderHistory'
  | 'x/trade/Fills'
> &
  ContractHandlers;

/** How the feature stands. */
export interface TradingStats {
  /** Orders whose outcome is being looked up. */
  readonly waiting: number;
  /** Private streams held open. */
  readonly streams: number;
  readonly balances: BalanceCheckStats;
}

/** The trading feature, put together. */
export interface TradingDesk {
  readonly handlers: TradingHandlers;
  /** Settles what a former process left, then keeps reconciling. */
  start(): Promise<void>;
  /** Ends streams and timers; resolves when no order is being worked on. */
  stop(): Promise<void>;
  /** The member's account at a platform, made on first use; wallets ask for it through a port. */
  venueAccount(user: UserId, platform: Platform): Promise<VenueAccount>;
  /** Opens the member's private stream at the platform, if there is an account. */
  listen(user: UserId, platform: Platform): void;
  /** What the venue lets go of an asset behind open positions; `undefined` where there are none. */
  withdrawable(owner: AccountOwner, asset: string): Promise<Amount | undefined>;
  /** Figures for metrics. */
  stats(): TradingStats;
  /** How long ago the account of each platform that has waited longest was compared; ms. */
  oldestBalanceChecks(): ReadonlyMap<Platform, number>;
  /** The same of members' open orders. */
  oldestOrderComparisons(): ReadonlyMap<Platform, number>;
  /** The older of both at one platform; 0 where there is nobody to compare. */
  oldestCheckMillis(platform: Platform): number;
}

/** Puts the trading feature together. */
export function createTradingDesk(given: TradingDeps, proof: AbsenceProof = ABSENCE_PROOF): TradingDesk {
  const lanes = createLanes();
  const deps = tellingPerps(given, (order) => perps.onOrder(order));
  const listenTo = async (user: UserId, platform: Platform): Promise<void> => {
    try {
      await streams.ensure(user, platform);
    } catch (error) {
      // Fills are found by comparing all the same.
      deps.log.note('no private stream', { user, platform, error: String(error) });
    }
  };
  const listen: Placing['listen'] = ({ user, platform }) => listenTo(user, platform);
  const reconciliation = createReconciliation(deps, lanes, { proof, listen });
  const { comparison } = reconciliation;

  const balances = createBalanceCheck(deps, ({ user, platform }) => comparison.compare(user, platform));

  const streams = createUserStreams(deps, {
    onSilence: toBoth(comparison.unheard, (owner) => perps.onUnheard(owner)),
    onMalformed: toBoth(comparison.compare, (owner) => perps.onUnheard(owner)),
    onOpen(owner, again) {
      comparison.heard(owner.user, owner.platform);
      if (again) balances.doubt(owner);
      perps.onHeard(owner);
    },
    onContracts: (event, owner) => perps.onContracts(event, owner),
    onOrder(event, owner) {
      const { platform } = owner;
      const id = orderOfEvent(event);
      if (id === undefined) return perps.onForeign(event, owner);
      const fills = event.fill === undefined ? [] : [event.fill];
      bookEvent(id, platform, { state: event.state, fills, barrier: false });
    },
  });

  const bookEvent = (id: OrderId, platform: Platform, update: OrderUpdate): void => {
    const lookupSoon = () => reconciliation.lookupSoon(id, lookupShare({ platform }));
    lanes
      .run(id, () => onVenueEvent(deps, id, update))
      .then((booked) => {
        if (booked?.needsLookup === true) lookupSoon();
      })
      .catch((error) => {
        deps.log.note('a stream event was not booked', { id, error: String(error) });
        lookupSoon();
      });
  };

  let stopOperator = async (): Promise<void> => undefined;
  const placing: Placing = {
    ...{ deps, lanes, listen, machine: reconciliation },
    doubtful: balances.doubtful,
  };
  const perps = createPerpsDesk(placing);
  return {
    handlers: handlersOf(placing, perps),
    async start() {
      await reconciliation.start();
      stopOperator = startOperatorRequests(deps, lanes);
      balances.start();
      await perps.start();
    },
    async stop() {
      const looked = reconciliation.stop();
      await stopOperator();
      await balances.stop();
      await perps.stop();
      streams.close();
      await looked;
      await lanes.idle();
      await deps.balances.idle();
    },
    async venueAccount(user, platform) {
      const account = await openVenueAccount(deps, lanes, { user, platform });
      if (account.state === 'ready') await listenTo(user, platform);
      return account;
    },
    withdrawable: perps.withdrawable,
    listen: (user, platform) => void listenTo(user, platform),
    oldestBalanceChecks: balances.oldestMillis,
    oldestOrderComparisons: comparison.oldestMillis,
    oldestCheckMillis(platform) {
      const ages = [balances, comparison].map((checks) => checks.oldestMillis().get(platform) ?? 0);
      return Math.max(...ages);
    },
    stats: () => ({
      waiting: reconciliation.waiting(),
      streams: streams.open(),
      balances: balances.stats(),
    }),
  };
}

/** Pairs hear of silence, and contracts do. */
function toBoth(pairs: StreamReactions['onSilence'], contracts: (owner: AccountOwner) => void) {
  return (user: UserId, platform: Platform): void => {
    pairs(user, platform);
    contracts({ user, platform });
  };
}

function handlersOf(placing: Placing, perps: PerpsDesk): TradingHandlers {
  const { deps } = placing;
  return {
    'connextrade/PlaceOrder': (caller, request) =>
      request.tinstType === 2 ? perps.place(caller, request) : placeOrder(placing, caller, request),
    'connextrade/CancelOrder': (caller, request) => cancelOrder(placing, caller, request),
    'connextrade/CurOrderList': (caller, request) => openOrderRows(deps, caller, request),
    'connextrade/OrderHistory': (caller, request) => orderPage(deps, caller, request),
    'x/trade/Fills': (caller, request) => fillPage(deps, caller, request),
    ...perps.handlers,
  };
}

/** The same ports; whoever hears of a contract's order hears it once the fills are booked. */
function tellingPerps(given: TradingDeps, onOrder: PerpsDesk['onOrder']): TradingDeps {
  return {
    ...given,
    publish(user, event) {
      given.publish(user, event);
      if (event.kind !== 'order' || event.order.symbolType !== 'SWAP') return;
      onOrder({ user, platform: event.order.exchange, symbol: event.order.symbol });
    },
  };
}

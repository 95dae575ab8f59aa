import type { CallHandlers } from '@crossbook/contract';
import {
  type Amount,
  createLanes,
  type Lanes,
  type OrderId,
  type Platform,
  type UserId,
  uuidV7,
} from '@crossbook/domain';
import type { AccountOwner } from './account-pages.ts';
import { type BalanceCheckStats, createBalanceCheck, type DoubtedAccount } from './accounts/balance-check.ts';
import { CountdownKeeper } from './accounts/countdown-keeper.ts';
import { createUserStreams, orderOfEvent, type StreamReactions } from './accounts/user-streams.ts';
import { openVenueAccount } from './accounts/venue-accounts.ts';
import { type AlgoDesk, type AlgoHandlers, createAlgoDesk } from './algos/algo-desk.ts';
import type { StoredOrder } from './order.ts';
import { cancelOrder } from './orders/cancel-order.ts';
import { type OrderUpdate, onVenueEvent } from './orders/on-venue-event.ts';
import { startOperatorRequests } from './orders/operator-requests.ts';
import { ABSENCE_PROOF, type AbsenceProof, lookupShare } from './orders/order-intent.ts';
import { fillPage, openOrderRows, orderPage } from './orders/order-queries.ts';
import { type PlaceOne, type Placing, placeOrder } from './orders/place-order.ts';
import { placeScaled } from './orders/place-scaled.ts';
import { createReconciliation, type Reconciliation } from './orders/reconcile.ts';
import { replaceOrder } from './orders/replace-order.ts';
import { faultsIgnored } from './perps/contract-checks.ts';
import { type ContractHandlers, createPerpsDesk, type PerpsDesk } from './perps/perps-desk.ts';
import { refusal, type TradingDeps, type VenueAccount } from './ports.ts';
import { bringsTargets } from './targets.ts';

/** The calls this feature answers. */
export type TradingHandlers = Pick<
  CallHandlers,
  | 'connextrade/PlaceOrder'
  | 'connextrade/CancelOrder'
  | 'connextrade/ReplaceOrder'
  | 'x/trade/PlaceScaled'
  | 'connextrade/CurOrderList'
  | 'connextrade/OrderHistory'
  | 'x/trade/Fills'
> &
  AlgoHandlers &
  ContractHandlers &
  CountdownKeeper['handlers'];

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
  /** Accounts whose balances differ from their venue: they open nothing there. */
  doubtedAccounts(): readonly DoubtedAccount[];
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
  const deps = telling(given, { perps: () => perps, algos: () => algos });
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
      algos.onHeard(owner);
    },
    onAlgo: (state, owner) => algos.onAlgo(state, owner),
    onContracts: (event, owner) => perps.onContracts(event, owner),
    onOrder: (event, owner) => onOrder(event, owner),
  });

  const onOrder = orderRouting({ deps, lanes, reconciliation }, { perps: () => perps, algos: () => algos });
  let stopOperator = async (): Promise<void> => undefined;
  const placing: Placing = {
    ...{ deps, lanes, listen, machine: reconciliation },
    doubtful: balances.doubtful,
    children: (owner, of) => algos.children(owner, of),
  };
  const perps = createPerpsDesk(placing);
  const algos = createAlgoDesk(placing, perps, proof);
  const countdowns = new CountdownKeeper(deps, lanes);
  return {
    handlers: { ...handlersOf(placing, perps, algos), ...countdowns.handlers },
    async start() {
      await perps.begin();
      await reconciliation.start();
      stopOperator = startOperatorRequests(deps, lanes);
      balances.start();
      await algos.start();
      await perps.start();
      await countdowns.start();
    },
    async stop() {
      const looked = reconciliation.stop();
      await stopOperator();
      await countdowns.stop();
      await balances.stop();
      await algos.stop();
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
    doubtedAccounts: balances.doubted,
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

interface Routing {
  readonly deps: TradingDeps;
  readonly lanes: Lanes;
  readonly reconciliation: Reconciliation;
}

/** Which order an event is about: one of ours by its id, the child of an algo order, or one that nobody here sent. */
function orderRouting(
  { deps, lanes, reconciliation }: Routing,
  { perps, algos }: { readonly perps: () => PerpsDesk; readonly algos: () => AlgoDesk },
): StreamReactions['onOrder'] {
  const book = (id: OrderId, update: OrderUpdate, at: { platform: Platform; missing?: () => undefined }) => {
    const lookupSoon = () => reconciliation.lookupSoon(id, lookupShare(at));
    lanes
      .run(id, () => onVenueEvent(deps, id, update, at.missing))
      .then((booked) => {
        if (booked?.needsLookup === true) lookupSoon();
      })
      .catch((error) => {
        deps.log.note('a stream event was not booked', { id, error: String(error) });
        lookupSoon();
      });
  };
  return (event, owner) => {
    const { platform } = owner;
    const id = orderOfEvent(event);
    const fills = event.fill === undefined ? [] : [event.fill];
    const update = { state: event.state, fills, barrier: false };
    const child = (foreign: () => void): undefined => {
      const taken = (order: StoredOrder): void => book(order.id, update, { platform });
      algos().onOrder(event, owner, { taken, foreign });
    };
    if (id === undefined) child(() => perps().onForeign(event, owner));
    // An id of ours that is no order's may be that of an algo order.
    else book(id, update, { platform, missing: () => child(() => book(id, update, { platform })) });
  };
}

/** Pairs hear of silence, and contracts do. */
function toBoth(pairs: StreamReactions['onSilence'], contracts: (owner: AccountOwner) => void) {
  return (user: UserId, platform: Platform): void => {
    pairs(user, platform);
    contracts({ user, platform });
  };
}

/** Refusals after which an order may be there all the same. */
const UNJUDGED: ReadonlySet<string> = new Set(['busy', 'unavailable', 'outcome-unknown']);

function handlersOf(
  placing: Placing,
  perps: PerpsDesk,
  algos: AlgoDesk,
): Omit<TradingHandlers, keyof CountdownKeeper['handlers']> {
  const { deps } = placing;
  const placeOne: PlaceOne = (caller, request, ask) =>
    request.tinstType === 2
      ? perps.place(caller, request, ask)
      : placeOrder(placing, caller, request, { ask });
  const place: TradingHandlers['connextrade/PlaceOrder'] = async (caller, request) => {
    if (!bringsTargets(request)) return placeOne(caller, request);
    const clientId = request.clientId ?? uuidV7(deps.clock(), deps.random(10));
    if (!algos.protection.watch(clientId, caller.user)) return refusal({ error: 'busy' });
    const placed = await placeOne(caller, { ...request, clientId });
    if (placed.ok || UNJUDGED.has(placed.code.error)) algos.protection.touch(clientId);
    else algos.protection.refused(clientId);
    return placed;
  };
  const { changeTerms, acknowledged } = perps;
  const replacing = { place, changeTerms, acknowledged };
  return {
    'connextrade/ReplaceOrder': (caller, request) => replaceOrder(placing, caller, request, replacing),
    'connextrade/PlaceOrder': place,
    'x/trade/PlaceScaled': (caller, request) => {
      const { side, effect = 0, reduceOnly = false } = request;
      const ignored =
        request.tinstType === 2 ? faultsIgnored({ side, contract: { side: effect, reduceOnly } }) : [];
      return placeScaled(placing, caller, request, { place: placeOne, ignored });
    },
    'connextrade/CancelOrder': (caller, request) => cancelOrder(placing, caller, request),
    'connextrade/CurOrderList': (caller, request) => openOrderRows(deps, caller, request),
    'connextrade/OrderHistory': (caller, request) => orderPage(deps, caller, request),
    'x/trade/Fills': (caller, request) => fillPage(deps, caller, request),
    ...perps.handlers,
    ...algos.handlers,
  };
}

/** The same ports; contracts hear of their orders, and targets of orders and legs, once that is booked. */
function telling(
  given: TradingDeps,
  { perps, algos }: { readonly perps: () => PerpsDesk; readonly algos: () => AlgoDesk },
): TradingDeps {
  return {
    ...given,
    publish(user, event) {
      given.publish(user, event);
      if (event.kind === 'algo') {
        const { parentOrderId, state } = event.algo;
        const parent = parentOrderId as OrderId | null;
        if (parent !== null && state === 'fired') algos().protection.touch(parent);
        else if (parent !== null) algos().protection.heard(parent);
      }
      if (event.kind !== 'order') return;
      const { orderId, exchange: platform, symbol, symbolType } = event.order;
      algos().protection.heard(orderId as OrderId);
      if (symbolType !== 'SWAP') return;
      perps().onOrder({ user, platform, symbol });
      if (event.order.cumQuantity !== '0') algos().onFilled({ user, platform }, symbol);
    },
  };
}

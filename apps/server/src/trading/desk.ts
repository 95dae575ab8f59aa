import type { CallHandlers } from '@crossbook/contract';
import { createLanes, type OrderId, type Platform, type UserId } from '@crossbook/domain';
import { cancelOrder } from './cancel-order.ts';
import { ABSENCE_PROOF, type AbsenceProof } from './look-up.ts';
import { onVenueEvent } from './on-venue-event.ts';
import type { StoredOrder } from './order.ts';
import { fillPage, openOrderRows, orderPage } from './order-queries.ts';
import { type Placing, placeOrder } from './place-order.ts';
import type { TradingDeps, VenueAccount } from './ports.ts';
import { createReconciliation } from './reconcile.ts';
import { createUserStreams, orderOfEvent } from './user-streams.ts';
import { openVenueAccount } from './venue-accounts.ts';

/** The calls this feature answers. */
export type TradingHandlers = Pick<
  CallHandlers,
  | 'connextrade/PlaceOrder'
  | 'connextrade/CancelOrder'
  | 'connextrade/CurOrderList'
  | 'connextrade/OrderHistory'
  | 'x/trade/Fills'
>;

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
  /** Orders whose outcome is being looked up. */
  waiting(): number;
}

/** Puts the trading feature together. */
export function createTradingDesk(deps: TradingDeps, proof: AbsenceProof = ABSENCE_PROOF): TradingDesk {
  const lanes = createLanes();
  const listen = (order: StoredOrder) => streams.ensure(order.user, order.platform);
  const reconciliation = createReconciliation(deps, lanes, { proof, listen });

  const streams = createUserStreams(deps, {
    compare: reconciliation.compare,
    onOrder(event) {
      const id = orderOfEvent(event);
      if (id === undefined) return;
      const fills = event.fill === undefined ? [] : [event.fill];
      bookEvent(id, { state: event.state, fills, barrier: false });
    },
  });

  const bookEvent = (id: OrderId, news: Parameters<typeof onVenueEvent>[2]): void => {
    lanes
      .run(id, () => onVenueEvent(deps, id, news))
      .then((booked) => {
        if (booked?.needsLook === true) reconciliation.lookSoon(booked.order);
      })
      .catch((error) => {
        deps.log.note('a stream event was not booked', { id, error: String(error) });
        reconciliation.lookSoon({ id });
      });
  };

  const placing: Placing = { deps, lanes, listen, lookSoon: reconciliation.lookSoon };
  return {
    handlers: {
      'connextrade/PlaceOrder': (caller, request) => placeOrder(placing, caller, request),
      'connextrade/CancelOrder': (caller, request) => cancelOrder(placing, caller, request),
      'connextrade/CurOrderList': (caller, request) => openOrderRows(deps, caller, request),
      'connextrade/OrderHistory': (caller, request) => orderPage(deps, caller, request),
      'x/trade/Fills': (caller, request) => fillPage(deps, caller, request),
    },
    start: () => reconciliation.start(),
    async stop() {
      reconciliation.stop();
      streams.close();
      await lanes.idle();
    },
    async venueAccount(user, platform) {
      const account = await openVenueAccount(deps, lanes, { user, platform });
      if (account.state === 'ready') await streams.ensure(user, platform);
      return account;
    },
    listen(user, platform) {
      streams
        .ensure(user, platform)
        .catch((error) => deps.log.note('no private stream', { user, error: String(error) }));
    },
    waiting: () => reconciliation.waiting(),
  };
}

import type { VenueOrderCalls } from '../../venue-orders.ts';
import type { UserStream } from '../../venue-streams.ts';
import type { VenueTrading } from '../../venue-trading.ts';
import { trimBase } from '../../wire/query-url.ts';
import { listBalances } from '../account/balances.ts';
import { type Asking, type BybitTradingOptions, Calls, RECEIVE_WINDOW_MILLIS } from '../account/calls.ts';
import { findTransfer, MasterIds, openMemberAccount, transferFunds } from '../account/sub-accounts.ts';
import { openUserSocket } from '../account/user-socket.ts';
import { BYBIT_PROFILE } from '../profile.ts';
import { listFillsOfOrder, listFillsSince } from '../spot/trading/fills.ts';
import { normaliseOrderPush } from '../spot/trading/normalise.ts';
import { cancelOrder, findOrder, listOpenOrders, placeOrder } from '../spot/trading/orders.ts';
import { SOCKET_PATHS } from '../urls.ts';

/** Makes Bybit's trading half for spot in unified accounts. Sockets are opened for the accounts that trade. */
export function createBybitTrading(options: BybitTradingOptions): VenueTrading {
  const calls = new Calls(options);
  const masterIds = new MasterIds(calls);
  const streams = new Set<UserStream>();
  return {
    forgetsUnfilledMillis: BYBIT_PROFILE.trading.forgetsUnfilledMillis,
    place: (credentials, request) => placeOrder(calls, credentials, request),
    ...orderCalls(calls),
    asking: (requestClass) => orderCalls(calls.inClass(requestClass)),
    balances: (credentials) => listBalances(calls, credentials),
    operatorFunds: (master) => listBalances(calls, master),
    openMemberAccount: (master, label) => openMemberAccount(calls, master, label),
    transfer: (master, request) => transferFunds(calls, masterIds, master, request),
    findTransfer: (master, clientId) => findTransfer(calls, master, clientId),
    userStream(credentials, handlers) {
      const stream = openUserSocket({
        ...options,
        url: `${trimBase(options.socketBase)}${SOCKET_PATHS.private}`,
        bounds: options.socketBounds ?? {},
        credentials,
        venueClock: calls.venueClock,
        receiveWindowMillis: options.receiveWindowMillis ?? RECEIVE_WINDOW_MILLIS,
        handlers,
        orders: normaliseOrderPush,
      });
      streams.add(stream);
      return {
        close() {
          streams.delete(stream);
          stream.close();
        },
      };
    },
    close() {
      for (const stream of streams) stream.close();
      streams.clear();
      calls.close();
    },
  };
}

function orderCalls(calls: Asking): VenueOrderCalls {
  return {
    cancel: (credentials, instrument, clientId) => cancelOrder(calls, credentials, instrument, clientId),
    find: (credentials, instrument, clientId) => findOrder(calls, credentials, instrument, { clientId }),
    findByVenueId: (credentials, instrument, venueOrderId) =>
      findOrder(calls, credentials, instrument, { venueOrderId }),
    openOrders: (credentials, instruments) => listOpenOrders(calls, credentials, instruments),
    fillsOfOrder: (credentials, instrument, id) => listFillsOfOrder(calls, credentials, instrument, id),
    fillsSince: (credentials, instrument, since) => listFillsSince(calls, credentials, instrument, since),
  };
}

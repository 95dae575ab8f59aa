import type { VenueOrderCalls } from '../../venue-orders.ts';
import type { UserStream } from '../../venue-streams.ts';
import type { VenueTrading } from '../../venue-trading.ts';
import { listBalances } from '../account/balances.ts';
import { type Asking, Calls, type OkxTradingOptions } from '../account/calls.ts';
import {
  findTransfer,
  listFundingBalances,
  openMemberAccount,
  transferFunds,
} from '../account/sub-accounts.ts';
import { OKX_PROFILE } from '../profile.ts';
import { listFillsOfOrder, listFillsSince } from '../spot/trading/fills.ts';
import { normaliseOrderPush } from '../spot/trading/normalise.ts';
import { cancelOrder, findOrder, listOpenOrders, placeOrder } from '../spot/trading/orders.ts';

/** Makes OKX's trading half for spot. An account's orders go over its private socket while its stream is followed. */
export function createOkxTrading(options: OkxTradingOptions): VenueTrading {
  const calls = new Calls(options, { instType: 'SPOT', read: normaliseOrderPush });
  const streams = new Set<UserStream>();
  return {
    forgetsUnfilledMillis: OKX_PROFILE.trading.forgetsUnfilledMillis,
    place: (credentials, request) => placeOrder(calls, credentials, request),
    ...orderCalls(calls),
    asking: (requestClass) => orderCalls(calls.inClass(requestClass)),
    balances: (credentials) => listBalances(calls, credentials),
    operatorFunds: (master) => listFundingBalances(calls, master),
    openMemberAccount: (master, label) => openMemberAccount(calls, master, label),
    transfer: (master, request) => transferFunds(calls, master, request),
    findTransfer: (master, clientId) => findTransfer(calls, master, clientId),
    userStream(credentials, handlers) {
      const stream = calls.follow(credentials, handlers);
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

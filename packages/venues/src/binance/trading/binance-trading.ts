import { joinedStreams } from '../../trading/joined-streams.ts';
import { orderCalls } from '../../trading/order-room.ts';
import type { UserStream, UserStreamHandlers } from '../../venue-streams.ts';
import type { VenueTrading } from '../../venue-trading.ts';
import { listBalances } from '../account/balances.ts';
import { type BinanceTradingOptions, Calls, RECEIVE_WINDOW_MILLIS } from '../account/calls.ts';
import { findTransfer, openMemberAccount, transferFunds } from '../account/sub-accounts.ts';
import { CONTRACT_ORDERS } from '../perps/trading/orders.ts';
import { binanceContracts } from '../perps/trading/settings.ts';
import { openContractSocket } from '../perps/trading/user-socket.ts';
import { BINANCE_PROFILE } from '../profile.ts';
import { SPOT_ORDERS } from '../spot/trading/orders.ts';
import { openUserSocket } from '../spot/trading/user-socket.ts';

const ORDERS = { SPOT: SPOT_ORDERS, SWAP: CONTRACT_ORDERS };

/** Makes Binance's trading half. It connects at once and keeps its socket until `close`. */
export function createBinanceTrading(options: BinanceTradingOptions): VenueTrading {
  const calls = new Calls(options);
  const { futures } = options;
  const streams = new Set<UserStream>();
  return {
    forgetsUnfilledMillis: BINANCE_PROFILE.trading.forgetsUnfilledMillis,
    place: (credentials, request) => ORDERS[request.instrument.symbolType].place(calls, credentials, request),
    ...orderCalls(calls, ORDERS),
    asking: (requestClass) => orderCalls(calls.inClass(requestClass), ORDERS),
    balances: (credentials) => listBalances(calls, credentials),
    operatorFunds: (master) => listBalances(calls, master),
    openMemberAccount: (master, label) => openMemberAccount(calls, master, label),
    transfer: (master, request) => transferFunds(calls, master, request),
    findTransfer: (master, clientId) => findTransfer(calls, master, clientId),
    ...(futures === undefined ? {} : { contracts: binanceContracts(calls) }),
    userStream(credentials, handlers) {
      const shared = { ...options, bounds: options.socketBounds ?? {}, credentials };
      const ofPairs = (handlers: UserStreamHandlers): UserStream =>
        openUserSocket({
          ...shared,
          url: options.wsApiUrl,
          venueClock: calls.venueClock,
          receiveWindowMillis: options.receiveWindowMillis ?? RECEIVE_WINDOW_MILLIS,
          handlers,
        });
      const stream =
        futures === undefined
          ? ofPairs(handlers)
          : joinedStreams(handlers, [
              ofPairs,
              (handlers) =>
                openContractSocket({ ...shared, socketBase: futures.socketBase, calls, handlers }),
            ]);
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

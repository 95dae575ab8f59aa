import { FollowedStreams } from '../../trading/followed-streams.ts';
import { orderActs, orderCalls } from '../../trading/order-room.ts';
import type { VenueTrading } from '../../venue-trading.ts';
import { trimBase } from '../../wire/query-url.ts';
import { bybitAlgos } from '../account/algo-calls.ts';
import { BALANCE_READER, listBalances } from '../account/balances.ts';
import { type BybitTradingOptions, Calls, RECEIVE_WINDOW_MILLIS } from '../account/calls.ts';
import { Disconnects } from '../account/countdown.ts';
import { orderReaders } from '../account/order-shapes.ts';
import { findTransfer, MasterIds, openMemberAccount, transferFunds } from '../account/sub-accounts.ts';
import { openUserSocket } from '../account/user-socket.ts';
import { CONTRACT_ALGOS } from '../perps/trading/algos.ts';
import { MarginModes } from '../perps/trading/margin-modes.ts';
import { CONTRACT_ORDERS } from '../perps/trading/orders.ts';
import { bybitContracts } from '../perps/trading/settings.ts';
import { contractReaders } from '../perps/trading/topics.ts';
import { withTrailingStops } from '../perps/trading/trailing-stops.ts';
import { BYBIT_PROFILE } from '../profile.ts';
import { SPOT_ALGOS } from '../spot/trading/algos.ts';
import { SPOT_SHAPE } from '../spot/trading/normalise.ts';
import { SPOT_ORDERS } from '../spot/trading/orders.ts';
import { SOCKET_PATHS } from '../urls.ts';

const ORDERS = { SPOT: SPOT_ORDERS, SWAP: CONTRACT_ORDERS };
const PAIR_READERS = [...orderReaders(SPOT_SHAPE), BALANCE_READER];

/** Makes Bybit's trading half in unified accounts. Sockets are opened for the accounts that trade. */
export function createBybitTrading(options: BybitTradingOptions): VenueTrading {
  const calls = new Calls(options);
  const masterIds = new MasterIds(calls);
  const modes = options.contracts === true ? new MarginModes(calls) : undefined;
  const streams = new FollowedStreams();
  const disconnects = new Disconnects(calls);
  return {
    forgetsUnfilledMillis: BYBIT_PROFILE.trading.forgetsUnfilledMillis,
    ...orderActs(calls, ORDERS, calls.inClass('lookup')),
    ...orderCalls(calls, ORDERS),
    countdown: disconnects,
    algos: withTrailingStops(calls, bybitAlgos(calls, { SPOT: SPOT_ALGOS, SWAP: CONTRACT_ALGOS })),
    asking: (requestClass) => orderCalls(calls.inClass(requestClass), ORDERS),
    ...(modes === undefined ? {} : { contracts: bybitContracts(calls, modes) }),
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
        readers:
          modes === undefined
            ? PAIR_READERS
            : [...PAIR_READERS, ...contractReaders(modes, credentials, () => calls.venueClock.now())],
      });
      const forget = disconnects.follow(credentials, stream);
      return streams.keep({
        close: () => {
          forget();
          stream.close();
        },
      });
    },
    close() {
      streams.close();
      calls.close();
    },
  };
}

import { ok, type VenueAlgoState } from '@crossbook/domain';
import { notExpressible } from '../../trading/call-answers.ts';
import { FollowedStreams } from '../../trading/followed-streams.ts';
import { joinedStreams } from '../../trading/joined-streams.ts';
import { orderActs, orderCalls } from '../../trading/order-room.ts';
import type { VenueAlgos } from '../../venue-algos.ts';
import type { UserStream, UserStreamHandlers } from '../../venue-streams.ts';
import type { VenueTrading } from '../../venue-trading.ts';
import { listBalances } from '../account/balances.ts';
import { type BinanceTradingOptions, Calls, RECEIVE_WINDOW_MILLIS } from '../account/calls.ts';
import { findTransfer, openMemberAccount, transferFunds } from '../account/sub-accounts.ts';
import { CONTRACT_ALGOS } from '../perps/trading/algos.ts';
import { binanceCountdown } from '../perps/trading/countdown.ts';
import { CONTRACT_ORDERS } from '../perps/trading/orders.ts';
import { binanceContracts } from '../perps/trading/settings.ts';
import { openContractSocket } from '../perps/trading/user-socket.ts';
import { BINANCE_PROFILE } from '../profile.ts';
import { SPOT_ALGOS } from '../spot/trading/algos.ts';
import { SPOT_ORDERS } from '../spot/trading/orders.ts';
import { openUserSocket } from '../spot/trading/user-socket.ts';

const ORDERS = { SPOT: SPOT_ORDERS, SWAP: CONTRACT_ORDERS };
const ALGOS = { SPOT: SPOT_ALGOS, SWAP: CONTRACT_ALGOS };

/** Makes Binance's trading half. It connects at once and keeps its socket until `close`. */
export function createBinanceTrading(options: BinanceTradingOptions): VenueTrading {
  const calls = new Calls(options);
  const { futures } = options;
  const streams = new FollowedStreams();
  return {
    forgetsUnfilledMillis: BINANCE_PROFILE.trading.forgetsUnfilledMillis,
    ...orderActs(calls, ORDERS, calls.inClass('lookup')),
    ...orderCalls(calls, ORDERS),
    asking: (requestClass) => orderCalls(calls.inClass(requestClass), ORDERS),
    balances: (credentials) => listBalances(calls, credentials),
    operatorFunds: (master) => listBalances(calls, master),
    openMemberAccount: (master, label) => openMemberAccount(calls, master, label),
    transfer: (master, request) => transferFunds(calls, master, request),
    findTransfer: (master, clientId) => findTransfer(calls, master, clientId),
    algos: algosOf(calls),
    ...(futures === undefined
      ? {}
      : { contracts: binanceContracts(calls), countdown: binanceCountdown(calls) }),
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
      return streams.keep(stream);
    },
    close() {
      streams.close();
      calls.close();
    },
  };
}

/** Algo orders of both markets; the instrument says which is meant. */
function algosOf(calls: Calls): VenueAlgos {
  return {
    place: (credentials, request) => ALGOS[request.instrument.symbolType].place(calls, credentials, request),
    amend: async () => notExpressible('one that waits cannot be changed'),
    cancel: (credentials, key) => ALGOS[key.instrument.symbolType].cancel(calls, credentials, key),
    find: (credentials, key) => ALGOS[key.instrument.symbolType].find(calls, credentials, key),
    async waiting(credentials, instruments) {
      const found: VenueAlgoState[] = [];
      for (const symbolType of ['SPOT', 'SWAP'] as const) {
        const asked = instruments.filter((instrument) => instrument.symbolType === symbolType);
        if (asked.length === 0) continue;
        const states = await ALGOS[symbolType].waiting(calls, credentials, asked);
        if (!states.ok) return states;
        found.push(...states.value);
      }
      return ok(found);
    },
  };
}

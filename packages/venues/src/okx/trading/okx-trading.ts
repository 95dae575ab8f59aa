import { AMOUNT_ONE, type Amount } from '@crossbook/domain';
import { FollowedStreams } from '../../trading/followed-streams.ts';
import { orderActs, orderCalls } from '../../trading/order-room.ts';
import type { VenueTrading } from '../../venue-trading.ts';
import { okxAlgos } from '../account/algo-calls.ts';
import { algoReaders } from '../account/algo-shapes.ts';
import { BALANCE_READER } from '../account/balance-shapes.ts';
import { listBalances } from '../account/balances.ts';
import { Calls, type OkxTradingOptions } from '../account/calls.ts';
import { okxCountdown } from '../account/countdown.ts';
import { orderReader } from '../account/order-shapes.ts';
import {
  findTransfer,
  listFundingBalances,
  openMemberAccount,
  transferFunds,
} from '../account/sub-accounts.ts';
import { CONTRACT_ALGO_TERMS } from '../perps/trading/algos.ts';
import { contractReaders } from '../perps/trading/channels.ts';
import { SWAP_SHAPE } from '../perps/trading/normalise.ts';
import { CONTRACT_ORDERS } from '../perps/trading/orders.ts';
import { okxContracts } from '../perps/trading/settings.ts';
import { OKX_PROFILE } from '../profile.ts';
import { SPOT_ALGO_TERMS } from '../spot/trading/algos.ts';
import { SPOT_SHAPE } from '../spot/trading/normalise.ts';
import { SPOT_ORDERS } from '../spot/trading/orders.ts';

const ORDERS = { SPOT: SPOT_ORDERS, SWAP: CONTRACT_ORDERS };
const ALGO_WORDS = {
  SPOT: { terms: SPOT_ALGO_TERMS, shape: SPOT_SHAPE },
  SWAP: { terms: CONTRACT_ALGO_TERMS, shape: SWAP_SHAPE },
};
const PAIR_READERS = [orderReader(SPOT_SHAPE, () => AMOUNT_ONE as Amount), BALANCE_READER];

/** Makes OKX's trading half. An account's orders go over its private socket while its stream is followed. */
export function createOkxTrading(options: OkxTradingOptions): VenueTrading {
  const traded = options.contracts === true;
  const calls = new Calls(options, (codes) => {
    const contracts = traded ? contractReaders((symbol) => codes.contractValue(symbol)) : [];
    return {
      private: [...PAIR_READERS, ...contracts],
      business: [...algoReaders('SPOT'), ...(traded ? algoReaders('SWAP') : [])],
    };
  });
  const streams = new FollowedStreams();
  return {
    forgetsUnfilledMillis: OKX_PROFILE.trading.forgetsUnfilledMillis,
    ...orderActs(calls, ORDERS, calls.inClass('lookup')),
    ...orderCalls(calls, ORDERS),
    asking: (requestClass) => orderCalls(calls.inClass(requestClass), ORDERS),
    ...(traded ? { contracts: okxContracts(calls) } : {}),
    algos: okxAlgos(calls, options.timers, ALGO_WORDS),
    countdown: okxCountdown(calls),
    balances: (credentials) => listBalances(calls, credentials),
    operatorFunds: (master) => listFundingBalances(calls, master),
    openMemberAccount: (master, label) => openMemberAccount(calls, master, label),
    transfer: (master, request) => transferFunds(calls, master, request),
    findTransfer: (master, clientId) => findTransfer(calls, master, clientId),
    userStream(credentials, handlers) {
      const stream = calls.follow(credentials, handlers);
      return streams.keep(stream);
    },
    close() {
      streams.close();
      calls.close();
    },
  };
}

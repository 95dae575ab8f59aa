import { ACCOUNT_ENDPOINTS } from './account/account.ts';
import { SUB_ACCOUNT_ENDPOINTS } from './account/sub-accounts.ts';
import { TRANSFER_ENDPOINTS } from './account/transfers.ts';
import { batchOf } from './batches.ts';
import { byCategory } from './by-category.ts';
import { DCP_ENDPOINTS } from './dcp.ts';
import { countedAs, type Endpoint, sharedCall, signedCall, tradeCall } from './endpoint.ts';
import type { BybitCategory } from './format.ts';
import { INSTRUMENT_ENDPOINTS } from './market/instruments.ts';
import { MARKET_DATA_ENDPOINTS } from './market/market-data.ts';
import { TICKER_ENDPOINTS } from './market/tickers.ts';
import { historyOf, realtimeOf } from './order-lists.ts';
import { amendContractOrder } from './perps/amends.ts';
import { CONTRACT_ENDPOINTS } from './perps/contracts.ts';
import { MONEY_ENDPOINTS } from './perps/money-lists.ts';
import { contractExecutions, LINEAR_ORDERS } from './perps/order-queries.ts';
import { cancelAllContractOrders, cancelContractOrder, placeContractOrder } from './perps/orders.ts';
import { POSITION_ENDPOINTS } from './perps/positions.ts';
import { preCheck } from './perps/pre-check.ts';
import { PRICE_LIMIT_ENDPOINTS } from './perps/price-limits.ts';
import { SETTING_ENDPOINTS } from './perps/settings.ts';
import { STOP_ENDPOINTS } from './perps/trading-stop.ts';
import { executions, SPOT_ORDERS } from './spot/order-queries.ts';
import { amend, cancel, cancelAll, place } from './spot/orders.ts';

/** Calls an account may send in a second (rate-limit, 2026-07-24). */
const ORDERS = { spot: 20, linear: 10 };
const AMENDS = { spot: 10, linear: 10 };
const READS = 50;

const placing = byCategory({ spot: place, linear: placeContractOrder });
const cancelling = byCategory({ spot: cancel, linear: cancelContractOrder });
const amending = byCategory({ spot: amend, linear: amendContractOrder });
const cancellingAll = byCategory({ spot: cancelAll, linear: cancelAllContractOrders });
/** Batches of one kind, by their name on the trade socket. */
function several(
  name: string,
  singles: Readonly<Record<BybitCategory, Endpoint['prepare']>>,
): Endpoint['prepare'] {
  const of = (category: BybitCategory) =>
    batchOf(
      category,
      singles[category],
      countedAs({ name, perSecondMax: ORDERS.spot, linearPerSecondMax: ORDERS.linear }, category),
    );
  return byCategory({ spot: of('spot'), linear: of('linear') });
}

const placingSeveral = several('order.create-batch', { spot: place, linear: placeContractOrder });
const cancellingSeveral = several('order.cancel-batch', { spot: cancel, linear: cancelContractOrder });
const amendingSeveral = several('order.amend-batch', { spot: amend, linear: amendContractOrder });
const listing = byCategory({ spot: realtimeOf(SPOT_ORDERS), linear: realtimeOf(LINEAR_ORDERS) });
const listingEnded = byCategory({ spot: historyOf(SPOT_ORDERS), linear: historyOf(LINEAR_ORDERS) });

/** Orders and executions of pairs and contracts: one address each, and codes of batches beside them in `retExtInfo`. */
const ORDER_ENDPOINTS: readonly Endpoint[] = [
  sharedCall(tradeCall, 'order.create POST /v5/order/create', ORDERS, placing),
  sharedCall(tradeCall, 'order.cancel POST /v5/order/cancel', ORDERS, cancelling),
  sharedCall(tradeCall, 'order.amend POST /v5/order/amend', AMENDS, amending),
  sharedCall(signedCall, 'order.cancelAll POST /v5/order/cancel-all', ORDERS, cancellingAll),
  sharedCall(tradeCall, 'order.create-batch POST /v5/order/create-batch', ORDERS, placingSeveral),
  sharedCall(tradeCall, 'order.cancel-batch POST /v5/order/cancel-batch', ORDERS, cancellingSeveral),
  sharedCall(tradeCall, 'order.amend-batch POST /v5/order/amend-batch', ORDERS, amendingSeveral),
  signedCall('order.preCheck POST /v5/order/pre-check', ORDERS.linear, preCheck),
  signedCall('order.realtime GET /v5/order/realtime', READS, listing),
  signedCall('order.history GET /v5/order/history', READS, listingEnded),
  signedCall(
    'execution.list GET /v5/execution/list',
    READS,
    byCategory({ spot: executions, linear: contractExecutions }),
  ),
];

/** Every call of the dialect: one table, two doors. */
export const ENDPOINTS: readonly Endpoint[] = [
  ...INSTRUMENT_ENDPOINTS,
  ...MARKET_DATA_ENDPOINTS,
  ...TICKER_ENDPOINTS,
  ...CONTRACT_ENDPOINTS,
  ...ORDER_ENDPOINTS,
  ...DCP_ENDPOINTS,
  ...POSITION_ENDPOINTS,
  ...SETTING_ENDPOINTS,
  ...STOP_ENDPOINTS,
  ...PRICE_LIMIT_ENDPOINTS,
  ...MONEY_ENDPOINTS,
  ...ACCOUNT_ENDPOINTS,
  ...SUB_ACCOUNT_ENDPOINTS,
  ...TRANSFER_ENDPOINTS,
];

/** By `METHOD /path`. */
export const REST_ENDPOINTS: ReadonlyMap<string, Endpoint> = new Map(
  ENDPOINTS.map((entry) => [entry.route, entry] as const),
);

/** By the trade socket's `op`. */
export const SOCKET_ENDPOINTS: ReadonlyMap<string, Endpoint> = new Map(
  ENDPOINTS.filter((entry) => entry.socket).map((entry) => [entry.name, entry] as const),
);

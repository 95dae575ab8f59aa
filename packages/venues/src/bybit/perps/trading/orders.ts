import {
  formatAmount,
  ORDER_TYPE,
  type OrderTargets,
  ok,
  type Result,
  SIDE,
  type TriggerBy,
} from '@crossbook/domain';
import { closesItsLeg, fitsItsMode } from '../../../trading/contract-terms.ts';
import type { OrderRoom } from '../../../trading/order-room.ts';
import type { VenueReadFailure } from '../../../venue-answers.ts';
import type { VenueOrderRequest } from '../../../venue-orders.ts';
import { asObject, type WireObject } from '../../../wire/guards.ts';
import { rowsOf } from '../../../wire/numbers.ts';
import type { Asking, Call } from '../../account/calls.ts';
import { type Asked, fillsIn } from '../../account/fill-pages.ts';
import { ordersIn, TIMES_IN_FORCE } from '../../account/order-calls.ts';
import { readPages } from '../../account/pages.ts';
import { ACCOUNT_CALLS } from '../../limits.ts';
import { asMillis } from '../../wire.ts';
import { LINEAR_SHAPE, pnlOf } from './normalise.ts';

/** Orders on linear contracts; sizes are coins. */
export const CONTRACT_ORDERS: OrderRoom<Asking> = {
  ...ordersIn({
    shape: LINEAR_SHAPE,
    limits: {
      ...{ place: ACCOUNT_CALLS.placeLinear, cancel: ACCOUNT_CALLS.cancelLinear },
      placeSeveral: ACCOUNT_CALLS.placeSeveralLinear,
      cancelSeveral: ACCOUNT_CALLS.cancelSeveralLinear,
    },
    // Without a symbol the list wants the coin that contracts settle in.
    list: { settleCoin: 'USDT' },
    named: {},
    parameters: orderParameters,
  }),
  ...fillsIn({ shape: LINEAR_SHAPE, ofList: {}, complete: withRealised }),
};

/** `triggerBy`. */
export const TRIGGER_WORDS: Readonly<Record<TriggerBy, string>> = {
  last: 'LastPrice',
  mark: 'MarkPrice',
  index: 'IndexPrice',
};

/** `positionIdx` is that of the position, not of the order: a sell that closes the long leg names the long leg. */
export function orderParameters(request: VenueOrderRequest): Call['parameters'] | undefined {
  const { contract, price, quantity, side, attached } = request;
  if (contract === undefined || quantity === undefined || !fitsItsMode(contract)) return undefined;
  if (contract.reduceOnly && (attached !== undefined || !closesItsLeg(contract, side))) return undefined;
  const stops = attachedParameters(attached ?? {});
  if (stops === undefined) return undefined;
  const common = {
    category: LINEAR_SHAPE.category,
    symbol: request.instrument.symbol,
    side: side === SIDE.BUY ? 'Buy' : 'Sell',
    orderLinkId: request.clientId,
    positionIdx: contract.side,
    ...(contract.reduceOnly ? { reduceOnly: true } : {}),
    qty: formatAmount(quantity),
    ...stops,
  };
  if (request.type === ORDER_TYPE.MARKET) return { ...common, orderType: 'Market' };
  if (request.type !== ORDER_TYPE.LIMIT || price === undefined) return undefined;
  const timeInForce = TIMES_IN_FORCE[request.timeInForce];
  return { ...common, orderType: 'Limit', price: formatAmount(price), timeInForce };
}

/** What an order protects its own fills with: partial, because what is full replaces that of the whole position. */
function attachedParameters({
  takeProfit,
  takeProfits,
  stopLoss,
  trailing,
}: OrderTargets): Call['parameters'] | undefined {
  // There is one of each, and what trails hangs on the position.
  if (takeProfits !== undefined || trailing !== undefined) return undefined;
  const legs = [
    ['takeProfit', 'tp', takeProfit],
    ['stopLoss', 'sl', stopLoss],
  ] as const;
  let parameters: Call['parameters'] = {};
  for (const [name, prefix, leg] of legs) {
    if (leg === undefined) continue;
    if (leg.trigger === undefined) return undefined;
    const { price, by } = leg.trigger;
    parameters = {
      ...{ ...parameters, tpslMode: 'Partial', [name]: formatAmount(price) },
      [`${prefix}TriggerBy`]: TRIGGER_WORDS[by],
      [`${prefix}OrderType`]: leg.limit === undefined ? 'Market' : 'Limit',
      ...(leg.limit === undefined ? {} : { [`${prefix}LimitPrice`]: formatAmount(leg.limit) }),
    };
  }
  return parameters;
}

/**
 * Executions with what they realised: where the list leaves it out, the transaction log has it under the same id. What
 * neither says stays without, and cannot be read as a fill.
 */
async function withRealised([calls, credentials]: Asked, rows: readonly WireObject[]): Promise<Rows> {
  const times = rows
    .filter((row) => LINEAR_SHAPE.isFill(row) && pnlOf(row) === undefined)
    .map((row) => asMillis(row.execTime) ?? 0);
  if (times.length === 0) return ok(rows);
  const log = await readPages(calls, credentials, {
    path: '/v5/account/transaction-log',
    requestClass: 'lookup',
    parameters: {
      ...{ accountType: 'UNIFIED', category: LINEAR_SHAPE.category, currency: 'USDT', limit: 50 },
      // The log writes its rows a moment after the executions.
      ...{
        startTime: Math.min(...times) - LOG_MARGIN_MILLIS,
        endTime: Math.max(...times) + LOG_MARGIN_MILLIS,
      },
    },
    read: (list) => rowsOf(list, asObject),
  });
  if (!log.ok) return log;
  const flows = new Map(log.value.map(({ tradeId, cashFlow }) => [tradeId, cashFlow]));
  return ok(rows.map((row) => (flows.has(row.execId) ? { ...row, execPnl: flows.get(row.execId) } : row)));
}

type Rows = Result<readonly WireObject[], VenueReadFailure>;
const LOG_MARGIN_MILLIS = 60_000;

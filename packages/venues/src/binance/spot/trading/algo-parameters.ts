import { type AlgoLeg, AMOUNT_ONE, formatAmount, SIDE, TIME_IN_FORCE } from '@crossbook/domain';
import type { VenueAlgoRequest } from '../../../venue-algos.ts';
import type { ListedLegs } from '../../../venue-orders.ts';
import type { CallParameters } from '../../account/sign.ts';
import { TIMES_IN_FORCE } from './order-parameters.ts';

/** Algo orders of Binance spot in the words of its calls (rest-api.md, "New order" and "Order lists", 2026-07-21). */

function sharedParameters({ instrument, side, quantity }: VenueAlgoRequest): CallParameters | undefined {
  if (quantity === undefined) return undefined;
  return {
    symbol: instrument.symbol,
    side: side === SIDE.BUY ? 'BUY' : 'SELL',
    quantity: formatAmount(quantity),
    newOrderRespType: 'RESULT',
  };
}

/** An algo order that stands alone. */
export function algoParameters(request: VenueAlgoRequest): CallParameters | undefined {
  const { plan, clientId } = request;
  const shared = sharedParameters(request);
  if (shared === undefined || plan.kind === 'oco' || plan.kind === 'iceberg') return undefined;
  const own = plan.kind === 'trailing' ? trailingParameters(plan.trailing) : legParameters(request, plan);
  return own && { ...shared, ...own, newClientOrderId: clientId };
}

/** What each purpose is called. */
const PURPOSES = { stop: 'STOP_LOSS', 'take-profit': 'TAKE_PROFIT' } as const;

/**
 * What waits behind the order of a list, one leg or a pair; together with its side and size, which the venue is told
 * before that has filled. @returns `undefined` where the plan has no such words.
 */
export function pendingParameters(request: ListedLegs): CallParameters | undefined {
  const { plan, clientId, side, quantity } = request;
  if (plan.kind === 'trailing' || quantity === undefined) return undefined;
  const leg = plan.kind === 'oco' ? undefined : legParameters(request, plan);
  const legs =
    plan.kind === 'oco'
      ? pairLegs(request, { above: 'pendingAbove', below: 'pendingBelow' })
      : leg && prefixed('pending', { ...leg, clientOrderId: clientId });
  return (
    legs && {
      ...{ pendingSide: side === SIDE.BUY ? 'BUY' : 'SELL', pendingQuantity: formatAmount(quantity) },
      ...legs,
    }
  );
}

/** One order that waits; nothing but the last price is followed, and none is post-only. */
function legParameters(
  { timeInForce }: Pick<VenueAlgoRequest, 'timeInForce'>,
  { kind, leg: { trigger, limit } }: { readonly kind: keyof typeof PURPOSES; readonly leg: AlgoLeg },
): CallParameters | undefined {
  if (trigger?.by !== 'last') return undefined;
  const stopPrice = formatAmount(trigger.price);
  if (limit === undefined) return { type: PURPOSES[kind], stopPrice };
  if (timeInForce === TIME_IN_FORCE.POST_ONLY) return undefined;
  const rests = { price: formatAmount(limit), timeInForce: TIMES_IN_FORCE[timeInForce] };
  return { type: `${PURPOSES[kind]}_LIMIT`, stopPrice, ...rests };
}

/** A pair. */
export function pairParameters(request: VenueAlgoRequest): CallParameters | undefined {
  const shared = sharedParameters(request);
  const legs = pairLegs(request, { above: 'above', below: 'below' });
  return shared && legs && { ...shared, listClientOrderId: request.clientId, ...legs };
}

/** What names the legs of a pair in a call. */
interface PairNames {
  readonly above: string;
  readonly below: string;
}

/** Both legs: which of the two lies above the price follows from the side. A target without a trigger rests in the book. */
function pairLegs(
  request: Pick<VenueAlgoRequest, 'plan' | 'side' | 'childClientIds' | 'timeInForce'>,
  { above, below }: PairNames,
): CallParameters | undefined {
  const { plan, childClientIds, side } = request;
  if (plan.kind !== 'oco') return undefined;
  const { takeProfit, stopLoss } = plan;
  const { trigger, limit } = takeProfit;
  const rests = trigger === undefined && limit !== undefined;
  const target = rests
    ? { type: 'LIMIT_MAKER', price: formatAmount(limit) }
    : legParameters(request, { kind: 'take-profit', leg: takeProfit });
  const stop = legParameters(request, { kind: 'stop', leg: stopLoss });
  if (target === undefined || stop === undefined) return undefined;
  const [targetId, stopId] = childClientIds;
  const [targetSide, stopSide] = side === SIDE.SELL ? [above, below] : [below, above];
  return {
    ...prefixed(targetSide, { ...target, clientOrderId: targetId }),
    ...prefixed(stopSide, { ...stop, clientOrderId: stopId }),
  };
}

/** `above`, `stopPrice` -> `aboveStopPrice`. */
export function prefixed(prefix: string, parameters: CallParameters): CallParameters {
  const named = Object.entries(parameters).map(
    ([name, value]) => [`${prefix}${name.slice(0, 1).toUpperCase()}${name.slice(1)}`, value] as const,
  );
  return Object.fromEntries(named);
}

/** Hundredths of a percent, which the venue counts. */
const BIPS = 10_000n;

/**
 * It follows from the next trade, or from an activation towards which the price has to come as towards a target: a
 * STOP_LOSS would wait for the price to go the other way first (trailing-stop-faq.md, 2026-07-21).
 */
function trailingParameters({
  ratio,
  activation,
  by,
}: Extract<VenueAlgoRequest['plan'], { kind: 'trailing' }>['trailing']): CallParameters | undefined {
  if (ratio === undefined || by !== 'last' || (ratio * BIPS) % AMOUNT_ONE !== 0n) return undefined;
  const trailingDelta = Number((ratio * BIPS) / AMOUNT_ONE);
  if (activation === undefined) return { type: 'STOP_LOSS', trailingDelta };
  return { type: 'TAKE_PROFIT', trailingDelta, stopPrice: formatAmount(activation) };
}

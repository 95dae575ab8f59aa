import { type Amount, formatAmount } from '../amount.ts';
import { notionalDown } from '../instrument.ts';
import { ORDER_TYPE, SIDE, TIME_IN_FORCE } from '../order.ts';
import { largestQuantity, type OrderMarket, type OrderRequest, type OrderTerms } from './order-request.ts';

/** What can be wrong with an order by itself: names of the error catalogue, in its order, which is that of the checks. */
export const ORDER_FAULT_NAMES = [
  'symbol-halted',
  'order-combination',
  'price-step',
  'price-range',
  'quantity-step',
  'quantity-range',
  'price-stale',
  'notional-too-small',
  'balance-insufficient',
] as const;
/** One such name. */
export type OrderFaultName = (typeof ORDER_FAULT_NAMES)[number];

/** What keeps nobody from closing a position: the venue itself knows what is too small, too far, or does not trade now. */
export const NOT_OF_CLOSING: readonly OrderFaultName[] = [
  'symbol-halted',
  'price-stale',
  'notional-too-small',
];

/** One thing that is wrong with an order. */
export interface OrderFault {
  readonly name: OrderFaultName;
  /** The value that is wrong; absent where it is the order as a whole. */
  readonly field?: 'price' | 'quantity' | 'quoteQuantity' | 'visibleQuantity';
  /** What would be right: a step, a bound, a sentence, or the two ends of a range. */
  readonly allowed?: readonly string[];
  readonly given?: string;
}

/** One rule: a fault, or nothing. Values that are absent break none but `order-combination`. */
type Check = (request: OrderRequest, market: OrderMarket) => OrderFault | undefined;

const instrumentTrades: Check = ({ instrument }) =>
  instrument.status === 'trading' ? undefined : { name: 'symbol-halted', given: instrument.symbol };

const settingsGoTogether: Check = (request, { offer }) => {
  const wrong = combinationFault(request) ?? notOffered(request, offer);
  return wrong === undefined ? undefined : { name: 'order-combination', allowed: [wrong] };
};

function combinationFault(request: OrderRequest): string | undefined {
  const { price, quantity, quoteQuantity, side, timeInForce } = request;
  const market = request.type === ORDER_TYPE.MARKET;
  if ((quantity === undefined) === (quoteQuantity === undefined)) {
    return 'exactly one of quantity and quoteQuantity';
  }
  if (market && price !== undefined) return 'a market order has no price';
  if (!market && price === undefined) return 'a limit order needs a price';
  if (quoteQuantity !== undefined && !(market && side === SIDE.BUY)) {
    return 'quoteQuantity is for market buys';
  }
  if (market && timeInForce !== TIME_IN_FORCE.GTC && timeInForce !== TIME_IN_FORCE.IOC) {
    return 'a market order is neither fill-or-kill nor post-only';
  }
  const rests = timeInForce === TIME_IN_FORCE.GTC || timeInForce === TIME_IN_FORCE.POST_ONLY;
  if (request.visible !== undefined && (market || !rests)) return 'an iceberg is a limit order that rests';
  return undefined;
}

function notOffered(
  { type, timeInForce, visible, instrument }: OrderRequest,
  { orderTypes, timesInForce, icebergPartsMax }: OrderMarket['offer'],
): string | undefined {
  const icebergs = icebergPartsMax !== undefined && instrument.symbolType === 'SPOT';
  if (visible !== undefined && !icebergs) return 'icebergs are not offered here';
  if (!orderTypes.includes(type)) return 'the exchange does not offer this order type';
  if (!timesInForce.includes(timeInForce)) return 'the exchange does not offer this time in force';
  return undefined;
}

const priceOnStep: Check = ({ price, instrument }) =>
  offStep(price, instrument.tickSize, { name: 'price-step', field: 'price' });

const priceInRange: Check = ({ price, instrument }) =>
  outside(price, [instrument.minPrice, instrument.maxPrice], { name: 'price-range', field: 'price' });

const quantityOnStep: Check = ({ quantity, quoteQuantity, visible, instrument }, { offer }) =>
  offStep(quantity, instrument.lotSize, { name: 'quantity-step', field: 'quantity' }) ??
  offStep(quoteQuantity, offer.quoteStep, { name: 'quantity-step', field: 'quoteQuantity' }) ??
  offStep(visible, instrument.lotSize, { name: 'quantity-step', field: 'visibleQuantity' });

const quantityInRange: Check = (request, { offer }) =>
  outside(request.quantity, [request.instrument.minQty, largestQuantity(request.type, request.instrument)], {
    name: 'quantity-range',
    field: 'quantity',
  }) ?? visibleInRange(request, offer.icebergPartsMax);

/** What an iceberg shows is an order's size itself, and the whole of it comes in so many parts. */
function visibleInRange(
  { quantity, visible, instrument }: OrderRequest,
  partsMax: number | undefined,
): OrderFault | undefined {
  if (quantity === undefined || partsMax === undefined) return undefined;
  const { lotSize, minQty } = instrument;
  const part = BigInt(partsMax) * lotSize;
  const shown = (((quantity + part - 1n) / part) * lotSize) as Amount;
  const least = shown > minQty ? shown : minQty;
  return outside(visible, [least, quantity], { name: 'quantity-range', field: 'visibleQuantity' });
}

const priceIsFresh: Check = ({ type, side }, market) => {
  const best = bestOfOtherSide(side, market);
  return type === ORDER_TYPE.MARKET && (market.priceStale || best === undefined)
    ? { name: 'price-stale' }
    : undefined;
};

const valueIsEnough: Check = (request, market) => {
  const { instrument, quoteQuantity } = request;
  const value = quoteQuantity ?? notionalOf(request, market);
  if (value === undefined || value >= instrument.minNotional) return undefined;
  return {
    name: 'notional-too-small',
    field: sizeField(request),
    allowed: [`${formatAmount(instrument.minNotional)} ${instrument.quote}`],
  };
};

/** The checks in the order of the catalogue. */
const CHECKS: readonly Check[] = [
  instrumentTrades,
  settingsGoTogether,
  priceOnStep,
  priceInRange,
  quantityOnStep,
  quantityInRange,
  priceIsFresh,
  valueIsEnough,
];

/** Everything that is wrong with an order but its balance, in the order of the catalogue; empty for a sound one. */
export function orderFaults(request: OrderRequest, market: OrderMarket): readonly OrderFault[] {
  return CHECKS.map((check) => check(request, market)).filter((fault) => fault !== undefined);
}

/** Whether less is available than the order holds: the last check, made by the hold itself at the hub. */
export function balanceFault(
  request: OrderRequest,
  { holdAmount }: OrderTerms,
  available: Amount,
): OrderFault | undefined {
  return holdAmount <= available ? undefined : { name: 'balance-insufficient', field: sizeField(request) };
}

function sizeField({ quantity }: OrderRequest): 'quantity' | 'quoteQuantity' {
  return quantity === undefined ? 'quoteQuantity' : 'quantity';
}

/** Price times quantity in quote; a market order is valued at the side it takes. */
function notionalOf(request: OrderRequest, market: OrderMarket): Amount | undefined {
  const { instrument, price, quantity, side, type } = request;
  const valued = type === ORDER_TYPE.MARKET ? bestOfOtherSide(side, market) : price;
  if (valued === undefined || quantity === undefined) return undefined;
  return notionalDown(valued, quantity, instrument.contractValue);
}

function bestOfOtherSide(side: OrderRequest['side'], { bestAsk, bestBid }: OrderMarket): Amount | undefined {
  return side === SIDE.BUY ? bestAsk : bestBid;
}

function offStep(
  value: Amount | undefined,
  step: Amount,
  fault: Pick<OrderFault, 'name' | 'field'>,
): OrderFault | undefined {
  if (value === undefined || value % step === 0n) return undefined;
  return { ...fault, allowed: [formatAmount(step)] };
}

function outside(
  value: Amount | undefined,
  [least, most]: readonly [Amount, Amount],
  fault: Pick<OrderFault, 'name' | 'field'>,
): OrderFault | undefined {
  if (value === undefined || (value >= least && value <= most)) return undefined;
  return { ...fault, allowed: [formatAmount(least), formatAmount(most)] };
}

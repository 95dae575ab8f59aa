import {
  type Amount,
  amountToSteps,
  type Lots,
  ok,
  type Result,
  refused,
  type Ticks,
} from '@crossbook/domain';
import type { SimTrigger } from '../../../conditional-terms.ts';
import type { MarketFacts, NewSimOrder, SimOrderKind, SimTimeInForce } from '../../../exchange.ts';
import type { Desk } from '../endpoint.ts';
import {
  type BinanceError,
  ERRORS,
  mandatory,
  mandatoryEither,
  notRequired,
  refusalError,
} from '../errors.ts';
import type { ParamReader } from '../params.ts';

/** Binance's names of the kinds of orders. */
export const ORDER_TYPES = [
  'LIMIT',
  'LIMIT_MAKER',
  'MARKET',
  'STOP_LOSS',
  'STOP_LOSS_LIMIT',
  'TAKE_PROFIT',
  'TAKE_PROFIT_LIMIT',
] as const;
export type OrderType = (typeof ORDER_TYPES)[number];

const STRATEGY_TYPE_MIN = 1_000_000;
const PEG_FIELDS = ['pegPriceType', 'pegOffsetValue', 'pegOffsetType'] as const;

/** One order of a call, be it the only one or one of a list; not yet counted in steps. */
export interface OrderLeg {
  readonly type: OrderType;
  readonly timeInForce: SimTimeInForce;
  readonly price: Amount | undefined;
  readonly stopPrice: Amount | undefined;
  readonly trailingBips: number | undefined;
  /** 0 is as good as absent. */
  readonly icebergQuantity: Amount | undefined;
  readonly clientId: string;
}

/** How the parameters of an order are called in a call. */
export interface LegNames {
  /** `type`, `price`, `stopPrice`, ... under the name that they have there. */
  readonly of: (field: string) => string;
  readonly clientId: string;
  readonly quantity: string;
  /** Which types it may have; another is refused so. */
  readonly types: readonly OrderType[];
  readonly otherType: BinanceError;
  /** Whether its quantity stands there for it alone, or by quote. */
  readonly ownQuantity: boolean;
}

/** The only order of a call. */
export const PLAIN_NAMES: LegNames = {
  of: (field) => field,
  clientId: 'newClientOrderId',
  quantity: 'quantity',
  types: ORDER_TYPES,
  otherType: ERRORS.badOrderType,
  ownQuantity: true,
};

/** `above`, `stopPrice` → `aboveStopPrice`. */
export function prefixedName(prefix: string, field: string): string {
  return prefix + field.slice(0, 1).toUpperCase() + field.slice(1);
}

/** An order of a list, whose parameters begin with its place there: `aboveStopPrice`. */
export function prefixed(
  prefix: string,
  rest: Pick<LegNames, 'types' | 'otherType'> & { readonly quantity: string },
): LegNames {
  const of = (field: string) => prefixedName(prefix, field);
  return { ...rest, of, clientId: of('clientOrderId'), ownQuantity: false };
}

/** The parameters of an order of a list, besides its side and quantity. */
export function legParams(prefix: string): string {
  const fields =
    'type clientOrderId icebergQty price stopPrice trailingDelta timeInForce strategyId strategyType pegPriceType pegOffsetType pegOffsetValue';
  return fields
    .split(' ')
    .map((field) => prefixedName(prefix, field))
    .join(' ');
}

/** Whether an order of this type waits for a price. */
export function isContingent(type: OrderType): boolean {
  return type.startsWith('STOP_LOSS') || type.startsWith('TAKE_PROFIT');
}

/** What each kind must and must not have. */
function checkType(reader: ParamReader, type: OrderType, { of, quantity, ownQuantity }: LegNames): void {
  const need = (name: string) => {
    if (!reader.has(name)) reader.refuse(mandatory(name));
  };
  const forbid = (...fields: readonly string[]) => {
    for (const field of fields) if (reader.has(of(field))) reader.refuse(notRequired(of(field)));
  };
  const byQuote = ownQuantity && type === 'MARKET';
  if (byQuote) {
    if (!reader.has(quantity) && !reader.has('quoteOrderQty')) {
      reader.refuse(mandatoryEither(quantity, 'quoteOrderQty'));
    }
    if (reader.has(quantity)) forbid('quoteOrderQty');
  }
  const priced = type.includes('LIMIT');
  if (priced && type !== 'LIMIT_MAKER') need(of('timeInForce'));
  else forbid('timeInForce');
  if (!byQuote) need(quantity);
  if (priced) need(of('price'));
  else forbid('price', 'icebergQty');
  if (ownQuantity && !byQuote) forbid('quoteOrderQty');
  if (!isContingent(type)) forbid('stopPrice', 'trailingDelta');
  else if (!reader.has(of('stopPrice')) && !reader.has(of('trailingDelta'))) {
    reader.refuse(mandatoryEither(of('stopPrice'), of('trailingDelta')));
  }
  forbid(...PEG_FIELDS);
}

/** Reads what labels an order, which changes nothing. */
export function readStrategy(reader: ParamReader, of: LegNames['of']): void {
  reader.integer(of('strategyId'));
  const type = reader.integer(of('strategyType'));
  if (type !== undefined && type < STRATEGY_TYPE_MIN) reader.refuse(ERRORS.badStrategyType);
}

/** Reads one order of a call, its quantities too. */
export function readLeg(
  reader: ParamReader,
  desk: Desk,
  names: LegNames,
): {
  readonly leg: OrderLeg;
  readonly quantity: Amount | undefined;
  readonly quoteQuantity: Amount | undefined;
} {
  const { of } = names;
  reader.requiredText(of('type'));
  const type = reader.choice(of('type'), ORDER_TYPES, ERRORS.badOrderType) ?? 'LIMIT';
  if (!names.types.includes(type)) reader.refuse(names.otherType);
  const timeInForce = reader.choice(of('timeInForce'), ['GTC', 'IOC', 'FOK'], ERRORS.badTimeInForce);
  const quantity = reader.decimal(names.quantity);
  const quoteQuantity = names.ownQuantity ? reader.decimal('quoteOrderQty') : undefined;
  const price = reader.decimal(of('price'));
  const stopPrice = reader.decimal(of('stopPrice'));
  const trailingBips = reader.integer(of('trailingDelta'));
  const icebergQuantity = reader.decimal(of('icebergQty'));
  checkType(reader, type, names);
  const iceberg = icebergQuantity !== undefined && icebergQuantity !== 0n;
  if (iceberg && type !== 'LIMIT_MAKER' && timeInForce !== 'GTC') reader.refuse(ERRORS.badIceberg);
  readStrategy(reader, of);
  const clientId = reader.clientId(names.clientId) ?? desk.randomText(22);
  const leg: OrderLeg = {
    ...{ type, price, stopPrice, trailingBips, icebergQuantity, clientId },
    // A market order never rests: the core is told so, the answer says GTC as Binance's does.
    timeInForce: type.includes('LIMIT') ? (timeInForce ?? 'GTC') : 'IOC',
  };
  return { leg, quantity, quoteQuantity };
}

/** Counts an amount in steps; an amount between two steps fails the filter that sets the step. */
function steps(
  value: Amount | undefined,
  step: Amount,
  refusal: BinanceError,
): Result<number | undefined, BinanceError> {
  if (value === undefined) return ok(undefined);
  const counted = amountToSteps(value, step);
  return counted === undefined ? refused(refusal) : ok(counted);
}

function kindOf(type: OrderType): SimOrderKind {
  if (type === 'LIMIT_MAKER') return type;
  return type.endsWith('LIMIT') ? 'LIMIT' : 'MARKET';
}

/** What an order of a list, or the only one, is in the core's own units, or the filter that its numbers fail. */
export function legOrder(
  whose: Pick<NewSimOrder, 'account' | 'side' | 'selfTradePrevention'>,
  leg: OrderLeg,
  { market, quantity }: { readonly market: MarketFacts; readonly quantity: Amount | undefined },
): Result<NewSimOrder, BinanceError> {
  if (leg.price === 0n || leg.stopPrice === 0n) return refused(ERRORS.invalidPrice);
  if (quantity === 0n) return refused(ERRORS.invalidQuantity);
  const price = steps(leg.price, market.tickSize, refusalError('PRICE_FILTER'));
  if (!price.ok) return price;
  const stopPrice = steps(leg.stopPrice, market.tickSize, refusalError('PRICE_FILTER'));
  if (!stopPrice.ok) return stopPrice;
  const lots = steps(quantity, market.lotSize, refusalError('LOT_SIZE'));
  if (!lots.ok) return lots;
  const visible = steps(leg.icebergQuantity, market.lotSize, refusalError('LOT_SIZE'));
  if (!visible.ok) return visible;
  const trigger: SimTrigger = {
    purpose: leg.type.startsWith('STOP_LOSS') ? 'STOP' : 'TAKE_PROFIT',
    ...(stopPrice.value === undefined ? {} : { price: stopPrice.value as Ticks }),
    ...(leg.trailingBips === undefined ? {} : { trailingBips: leg.trailingBips }),
  };
  return ok({
    ...whose,
    symbol: market.symbol,
    kind: kindOf(leg.type),
    timeInForce: leg.timeInForce,
    clientId: leg.clientId,
    ...(price.value === undefined ? {} : { price: price.value as Ticks }),
    ...(lots.value === undefined ? {} : { quantity: lots.value as Lots }),
    ...(isContingent(leg.type) ? { trigger } : {}),
    ...(visible.value === undefined || visible.value === 0 ? {} : { visible: visible.value as Lots }),
  });
}

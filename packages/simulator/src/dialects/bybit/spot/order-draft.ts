import {
  type Amount,
  type Lots,
  mulDown,
  ok,
  type Result,
  refused,
  type Ticks,
  toNumberForDisplay,
} from '@crossbook/domain';
import type { SimTrigger } from '../../../conditional-terms.ts';
import type {
  AccountNumber,
  MarketFacts,
  NewSimOrder,
  SelfTradePrevention,
  SimOrderKind,
  SimRefusal,
  SimTimeInForce,
} from '../../../exchange.ts';
import type { Desk } from '../endpoint.ts';
import { type BybitError, badNumber, ERRORS, invalid, missing, REFUSALS } from '../errors.ts';
import type { ParamReader } from '../params.ts';
import { type AttachedDraft, readAttached } from './attached.ts';
import { countSteps, PRICE_STEPS, QUANTITY_STEPS } from './steps.ts';

const LINK_ID = /^[a-zA-Z0-9_-]{1,36}$/;
const QUOTE_DECIMALS = 8;
/** Parameters of price bounds, none of which are here. */
const UNSUPPORTED = ['slippageTolerance', 'slippageToleranceType', 'bboSideType', 'bboLevel'];
/** What a new order may be: a plain one, or one that waits with its money locked or without. */
const PLACED_FILTERS = ['Order', 'tpslOrder', 'StopOrder'] as const;
/** Kinds of orders of pairs: a take profit and a stop loss that came with one order are a kind of their own. */
export const ORDER_FILTERS = [...PLACED_FILTERS, 'BidirectionalTpslOrder'] as const;
export type OrderFilter = (typeof ORDER_FILTERS)[number];
const SELF_TRADE: Readonly<Record<string, SelfTradePrevention>> = {
  None: 'NONE',
  CancelMaker: 'EXPIRE_MAKER',
  CancelTaker: 'EXPIRE_TAKER',
  CancelBoth: 'EXPIRE_BOTH',
};

/** A new order as read: well-formed, not yet counted in steps. */
export interface OrderDraft {
  readonly market: MarketFacts | undefined;
  readonly side: 'BUY' | 'SELL';
  readonly kind: SimOrderKind;
  readonly timeInForce: SimTimeInForce;
  /** `quantity` in base coin; orders by value have `quoteQuantity`. */
  readonly quantity: Amount | undefined;
  readonly quoteQuantity: Amount | undefined;
  readonly price: Amount | undefined;
  /** Present: it waits for this price of the last trade, with its money locked (tpslOrder) or not (StopOrder). */
  readonly waits: { readonly price: Amount; readonly fundedWhenFired: boolean } | undefined;
  /** Absent: the venue gives one. */
  readonly linkId: string | undefined;
  readonly selfTradePrevention: SelfTradePrevention;
  /** Take profit and stop loss that come with it. */
  readonly attached: AttachedDraft;
}

function readTimeInForce(reader: ParamReader): SimTimeInForce | 'PostOnly' {
  const asked = reader.choice('timeInForce', ['GTC', 'IOC', 'FOK', 'PostOnly', 'RPI'], ERRORS.badTimeInForce);
  if (asked === 'RPI') reader.refuse(ERRORS.notSupported);
  return asked === undefined || asked === 'RPI' ? 'GTC' : asked;
}

function readWaits(reader: ParamReader): OrderDraft['waits'] {
  const filter = reader.choice('orderFilter', PLACED_FILTERS, ERRORS.badOrderFilter) ?? 'Order';
  const price = reader.decimal('triggerPrice', badNumber('triggerPrice'));
  if (price === 0n) reader.refuse(badNumber('triggerPrice'));
  if (filter === 'Order') {
    if (price !== undefined) reader.refuse(ERRORS.notSupported);
    return undefined;
  }
  if (price === undefined) reader.refuse(missing('triggerPrice'));
  return price === undefined ? undefined : { price, fundedWhenFired: filter === 'StopOrder' };
}

function readUnsupported(reader: ParamReader): void {
  for (const name of UNSUPPORTED) if (reader.has(name)) reader.refuse(ERRORS.notSupported);
  const leverage = reader.integer('isLeverage') ?? 0;
  if (leverage > 1) reader.refuse(invalid('isLeverage'));
  if (leverage === 1) reader.refuse(ERRORS.notSupported);
}

/** A market order counts quote coin when it buys and base coin when it sells, unless it says which. */
function readQuantity(
  reader: ParamReader,
  market: boolean,
  side: 'BUY' | 'SELL',
): Pick<OrderDraft, 'quantity' | 'quoteQuantity'> {
  if (!reader.has('qty')) reader.refuse(missing('qty'));
  const unit = reader.choice('marketUnit', ['baseCoin', 'quoteCoin']);
  const byValue = market && (unit ?? (side === 'BUY' ? 'quoteCoin' : 'baseCoin')) === 'quoteCoin';
  const given = reader.decimal('qty', badNumber('qty'));
  if (given === 0n) reader.refuse(badNumber('qty'));
  return byValue
    ? { quantity: undefined, quoteQuantity: given }
    : { quantity: given, quoteQuantity: undefined };
}

/** Reads a new spot order: symbol, side, type, then the rest. */
export function readOrderDraft(reader: ParamReader, desk: Desk): OrderDraft {
  const market = reader.market(desk.venue.spot.markets, ERRORS.orderSymbol);
  if (!reader.has('side')) reader.refuse(missing('side'));
  const side = reader.choice('side', ['Buy', 'Sell'], ERRORS.badSide) === 'Sell' ? 'SELL' : 'BUY';
  if (!reader.has('orderType')) reader.refuse(missing('orderType'));
  const type = reader.choice('orderType', ['Limit', 'Market'], ERRORS.badOrderType);
  const isMarket = type === 'Market';
  const timeInForce = readTimeInForce(reader);
  const quantities = readQuantity(reader, isMarket, side);
  if (!isMarket && !reader.has('price')) reader.refuse(missing('price'));
  const price = isMarket ? undefined : reader.decimal('price', badNumber('price'));
  if (price === 0n) reader.refuse(badNumber('price'));
  const linkId = reader.text('orderLinkId');
  if (linkId !== undefined && !LINK_ID.test(linkId)) reader.refuse(invalid('orderLinkId'));
  const smpType = reader.text('smpType') ?? 'None';
  const selfTradePrevention = Object.hasOwn(SELF_TRADE, smpType) ? SELF_TRADE[smpType] : undefined;
  if (selfTradePrevention === undefined) reader.refuse(invalid('smpType'));
  const waits = readWaits(reader);
  // What an order sells of an unknown price cannot be locked.
  const unbounded = waits !== undefined && side === 'SELL' && quantities.quoteQuantity !== undefined;
  if (unbounded) reader.refuse(ERRORS.notSupported);
  const attached = readAttached(reader, !isMarket && waits === undefined);
  readUnsupported(reader);
  const postOnly = timeInForce === 'PostOnly';
  return {
    market,
    side,
    kind: isMarket ? 'MARKET' : postOnly ? 'LIMIT_MAKER' : 'LIMIT',
    // A market order never rests, whatever it says.
    timeInForce: isMarket ? 'IOC' : postOnly ? 'GTC' : timeInForce,
    ...quantities,
    price,
    waits,
    linkId,
    selfTradePrevention: selfTradePrevention ?? 'NONE',
    attached,
  };
}

/** An order of a pair waits for its price from where the last trade stands: it says no direction. */
function triggerOf({ side, waits }: OrderDraft, price: Ticks, last: Ticks): SimTrigger {
  const purpose = price > last === (side === 'BUY') ? 'STOP' : 'TAKE_PROFIT';
  return { purpose, price, ...(waits?.fundedWhenFired === true ? { fundedWhenFired: true } : {}) };
}

/** The order in the core's own units, or what its figures are refused for. */
export function toSimOrder(
  draft: OrderDraft,
  market: MarketFacts,
  who: { readonly account: AccountNumber; readonly clientId: string; readonly last: Ticks | undefined },
): Result<NewSimOrder, BybitError> {
  const { side, kind, timeInForce, selfTradePrevention, quoteQuantity } = draft;
  const { account, clientId, last } = who;
  const price = countSteps(draft.price, market.tickSize, PRICE_STEPS);
  if (!price.ok) return price;
  const quantity = countSteps(draft.quantity, market.lotSize, QUANTITY_STEPS);
  if (!quantity.ok) return quantity;
  const waited = countSteps(draft.waits?.price, market.tickSize, PRICE_STEPS);
  if (!waited.ok) return waited;
  if (quoteQuantity !== undefined && quoteQuantity % 10n ** BigInt(18 - QUOTE_DECIMALS) !== 0n) {
    return refused(ERRORS.amountDecimals);
  }
  return ok({
    ...{ account, clientId },
    symbol: market.symbol,
    ...{ side, kind, timeInForce, selfTradePrevention },
    // A post-only order that would take is acknowledged and cancelled at once (order/create-order, 2026-07-24).
    ...(kind === 'LIMIT_MAKER' ? { whenTaking: 'EXPIRE' as const } : {}),
    ...(waited.value === undefined
      ? {}
      : { trigger: triggerOf(draft, waited.value as Ticks, last ?? (0 as Ticks)) }),
    ...(price.value === undefined ? {} : { price: price.value as Ticks }),
    ...(quantity.value === undefined ? {} : { quantity: quantity.value as Lots }),
    ...(quoteQuantity === undefined ? {} : { quoteQuantity }),
  });
}

/** Bybit's code for a refusal of the core: it tells too much and too little apart. */
export function refusalError(
  refusal: SimRefusal,
  draft: Pick<OrderDraft, 'side' | 'price' | 'quantity' | 'quoteQuantity'>,
  market: MarketFacts,
  averagePrice: number,
): BybitError {
  const { price, quantity, quoteQuantity } = draft;
  if (refusal === 'PRICE_FILTER') {
    return price !== undefined && price > market.maxPrice ? ERRORS.priceTooHigh : ERRORS.priceTooLow;
  }
  if (refusal === 'LOT_SIZE') {
    return quantity !== undefined && quantity > market.maxQty
      ? ERRORS.quantityTooLarge
      : ERRORS.quantityTooSmall;
  }
  if (refusal === 'NOTIONAL') {
    const value =
      quoteQuantity ??
      (price === undefined || quantity === undefined ? market.minNotional : mulDown(price, quantity));
    return value > market.maxNotional ? ERRORS.amountTooLarge : ERRORS.valueTooSmall;
  }
  if (refusal === 'PERCENT_PRICE_BY_SIDE' && price !== undefined) {
    const above = toNumberForDisplay(price) > averagePrice;
    if (draft.side === 'BUY') return above ? ERRORS.buyAboveBand : ERRORS.priceTooLow;
    return above ? ERRORS.priceTooHigh : ERRORS.sellBelowBand;
  }
  return REFUSALS[refusal];
}

import {
  AMOUNT_ONE,
  type Amount,
  decimalsOf,
  divDown,
  floorTo,
  formatAmount,
  formatAmountFixed,
  type Instrument,
  largestSpotQuantity,
  lesser,
  minus,
  mulUp,
  notionalDown,
  notionalUp,
  ORDER_TYPE,
  type OrderMarket,
  type OrderRequest,
  type OrderType,
  SIDE,
  type Side,
  spotTerms,
  TIME_IN_FORCE,
  type TimeInForce,
  ZERO,
} from '@crossbook/domain';
import { entryAmount, readNumberEntry, stepEntry } from './number-entry.ts';

/** The fields a person fills in. */
export type TicketField = 'price' | 'quantity' | 'quote' | 'visible';

/** What stands in the ticket. Texts are exactly what the fields show; thinking about them is in the functions below. */
export interface TicketState {
  readonly side: Side;
  readonly type: OrderType;
  readonly timeInForce: TimeInForce;
  readonly price: string;
  readonly quantity: string;
  /** How much of an iceberg the book shows at a time; empty for any other order. */
  readonly visible: string;
  /** Amount of quote to spend, for market buys. */
  readonly quote: string;
  /** Whether a market buy is given in quote or in base. */
  readonly unit: 'quote' | 'base';
  /** Where the slider stands, 0 to 100; `undefined` once a size was typed. */
  readonly percent: number | undefined;
}

/** What the ticket must know of the world. Anything still loading is `undefined`. */
export interface TicketFacts extends OrderMarket {
  readonly instrument: Instrument;
  /** Fractions: 0.001 is 0.1 %. */
  readonly makerFee: Amount;
  readonly takerFee: Amount;
  readonly availableBase: Amount | undefined;
  readonly availableQuote: Amount | undefined;
  /** False on a platform that is coming soon. */
  readonly platformOpen: boolean;
}

/** What a person, the book or a key may do to the ticket. */
export type TicketAction =
  | { readonly kind: 'side'; readonly side: Side }
  | { readonly kind: 'type'; readonly type: OrderType }
  | { readonly kind: 'time-in-force'; readonly timeInForce: TimeInForce }
  | { readonly kind: 'unit'; readonly unit: 'quote' | 'base' }
  | { readonly kind: 'write'; readonly field: TicketField; readonly text: string }
  | { readonly kind: 'step'; readonly field: TicketField; readonly steps: number }
  | { readonly kind: 'percent'; readonly percent: number }
  | { readonly kind: 'best' }
  | { readonly kind: 'pick-price'; readonly price: Amount }
  | { readonly kind: 'pick-size'; readonly size: Amount }
  | { readonly kind: 'sent' };

/** An untouched ticket. */
export function emptyTicket(side: Side = SIDE.BUY): TicketState {
  return {
    side,
    type: ORDER_TYPE.LIMIT,
    timeInForce: TIME_IN_FORCE.GTC,
    price: '',
    quantity: '',
    visible: '',
    quote: '',
    unit: 'quote',
    percent: undefined,
  };
}

/** Whether the size is given as an amount of quote to spend. */
export function sizedInQuote(state: TicketState): boolean {
  return state.type === ORDER_TYPE.MARKET && state.side === SIDE.BUY && state.unit === 'quote';
}

/** The order that stands in the ticket. What is not filled in, or zero, is absent. */
export function requestOf(state: TicketState, { instrument }: TicketFacts): OrderRequest {
  return { instrument, ...entriesOf(state) };
}

function entriesOf(state: TicketState): Omit<OrderRequest, 'instrument'> {
  const { side, type } = state;
  const limit = type === ORDER_TYPE.LIMIT;
  const price = limit ? positive(state.price) : undefined;
  const quoteQuantity = sizedInQuote(state) ? positive(state.quote) : undefined;
  const quantity = sizedInQuote(state) ? undefined : positive(state.quantity);
  const visible = mayHide(state) ? positive(state.visible) : undefined;
  return {
    ...{ side, type, timeInForce: limit ? state.timeInForce : TIME_IN_FORCE.GTC },
    ...(price === undefined ? {} : { price }),
    ...(quantity === undefined ? {} : { quantity }),
    ...(quoteQuantity === undefined ? {} : { quoteQuantity }),
    ...(visible === undefined ? {} : { visible }),
  };
}

/** Whether an order of this kind can be an iceberg: a limit order that rests. */
export function mayHide({ type, timeInForce }: TicketState): boolean {
  const rests = timeInForce === TIME_IN_FORCE.GTC || timeInForce === TIME_IN_FORCE.POST_ONLY;
  return type === ORDER_TYPE.LIMIT && rests;
}

function positive(text: string): Amount | undefined {
  const value = entryAmount(text);
  return value === ZERO ? undefined : value;
}

/** What another kind of order begins with. */
const ofKind = { timeInForce: TIME_IN_FORCE.GTC, visible: '', percent: undefined } as const;

/** The ticket after one action. */
export function reduce(state: TicketState, action: TicketAction, facts: TicketFacts): TicketState {
  switch (action.kind) {
    case 'side':
      return { ...state, side: action.side, percent: undefined };
    case 'type':
      return { ...state, type: action.type, ...ofKind };
    case 'time-in-force':
      return { ...state, timeInForce: action.timeInForce };
    case 'unit':
      return { ...state, unit: action.unit, percent: undefined };
    case 'write':
      return write(state, action.field, action.text);
    case 'step':
      return write(
        state,
        action.field,
        stepEntry(state[action.field], stepOf(action.field, facts), action.steps),
      );
    case 'percent':
      return atPercent(state, action.percent, facts);
    case 'best': {
      const best = bestFor(state, facts);
      return best === undefined ? state : write(state, 'price', priceText(best, facts));
    }
    case 'pick-price':
      return write({ ...state, type: ORDER_TYPE.LIMIT }, 'price', priceText(action.price, facts));
    case 'pick-size':
      return write({ ...state, unit: 'base' }, 'quantity', quantityText(action.size, facts));
    case 'sent':
      return { ...state, quantity: '', visible: '', quote: '', percent: undefined };
  }
}

function write(state: TicketState, field: TicketField, text: string): TicketState {
  const entry = readNumberEntry(text);
  if (entry === undefined) return state;
  const ofSize = field === 'quantity' || field === 'quote';
  return { ...state, [field]: entry, percent: ofSize ? undefined : state.percent };
}

function stepOf(field: TicketField, facts: TicketFacts): Amount {
  if (field === 'price') return facts.instrument.tickSize;
  return field === 'quote' ? (AMOUNT_ONE as Amount) : facts.instrument.lotSize;
}

function priceText(price: Amount, facts: TicketFacts): string {
  return formatAmountFixed(price, decimalsOf(facts.instrument.tickSize));
}

function quantityText(quantity: Amount, facts: TicketFacts): string {
  const { lotSize } = facts.instrument;
  return formatAmountFixed(floorTo(quantity, lotSize), decimalsOf(lotSize));
}

/** Price of the BBO button: the other side's best, which fills at once; one's own side's best when only making. */
function bestFor(state: TicketState, facts: TicketFacts): Amount | undefined {
  const making = state.timeInForce === TIME_IN_FORCE.POST_ONLY;
  return (state.side === SIDE.BUY) === making ? facts.bestBid : facts.bestAsk;
}

function atPercent(state: TicketState, percent: number, facts: TicketFacts): TicketState {
  const share = BigInt(Math.max(0, Math.min(100, Math.round(percent))));
  const most = maxSize(state, facts);
  if (most === undefined) return { ...state, percent };
  const size = ((most * share) / 100n) as Amount;
  if (sizedInQuote(state)) {
    return { ...state, percent, quote: size === ZERO ? '' : formatAmountFixed(size, quoteDecimals(facts)) };
  }
  return { ...state, percent, quantity: size === ZERO ? '' : quantityText(size, facts) };
}

function quoteDecimals({ instrument, offer }: TicketFacts): number {
  return Math.min(decimalsOf(offer.quoteStep), Math.max(2, decimalsOf(instrument.tickSize)));
}

/**
 * The largest size the available balance covers: quote where the size is in quote, else base in whole lots.
 * `undefined` while a figure it needs is missing.
 */
export function maxSize(state: TicketState, facts: TicketFacts): Amount | undefined {
  const available = state.side === SIDE.BUY ? facts.availableQuote : facts.availableBase;
  if (available === undefined) return undefined;
  if (sizedInQuote(state)) return floorTo(available, (10n ** BigInt(18 - quoteDecimals(facts))) as Amount);
  return largestSpotQuantity(requestOf(state, facts), facts, available);
}

/** Where the slider stands: where it was put, else the share that the typed size is of the largest one; whole percent. */
export function percentShown(state: TicketState, facts: TicketFacts): number {
  if (state.percent !== undefined) return state.percent;
  const size = entryAmount(sizedInQuote(state) ? state.quote : state.quantity);
  const most = maxSize(state, facts);
  if (size === undefined || most === undefined || most === ZERO) return 0;
  return Number(lesser(((size * 100n) / most) as Amount, 100n as Amount));
}

/** What the order will cost and bring, before it is sent. Estimates for market orders; `undefined` where unknown. */
export interface TicketSummary {
  /** Limit, or the best price of the other side. */
  readonly price: Amount | undefined;
  /** Base. */
  readonly quantity: Amount | undefined;
  /** Quote: price × quantity, rounded as the requester pays (up) or receives (down). */
  readonly value: Amount | undefined;
  /** Whether it would take liquidity at once. */
  readonly role: 'maker' | 'taker';
  readonly feeRate: Amount;
  /** Largest fee at that rate, rounded up, in `feeAsset`: what is received. */
  readonly fee: Amount | undefined;
  readonly feeAsset: string;
  /** What is set aside while the order lives. The fee comes off what is received, so it is not part of it. */
  readonly hold: Amount | undefined;
  readonly holdAsset: string;
  /** What arrives when it is filled completely at `price`, fee taken off. */
  readonly receive: Amount | undefined;
  readonly receiveAsset: string;
  readonly available: Amount | undefined;
}

/** The figures below the ticket. */
export function summarise(state: TicketState, facts: TicketFacts): TicketSummary {
  const { base, quote } = facts.instrument;
  const buying = state.side === SIDE.BUY;
  const market = state.type === ORDER_TYPE.MARKET;
  const price = market ? (buying ? facts.bestAsk : facts.bestBid) : entryAmount(state.price);
  const role = roleOf(state, price, facts);
  const feeRate = role === 'taker' ? facts.takerFee : facts.makerFee;
  const { quantity, value } = sizes(state, price, facts);
  const gross = buying ? quantity : value;
  const fee = gross === undefined ? undefined : mulUp(gross, feeRate);
  return {
    price,
    quantity,
    value,
    role,
    feeRate,
    fee,
    feeAsset: buying ? base : quote,
    hold: spotTerms(requestOf(state, facts), facts)?.holdAmount,
    holdAsset: buying ? quote : base,
    receive: gross === undefined || fee === undefined ? undefined : minus(gross, fee),
    receiveAsset: buying ? base : quote,
    available: buying ? facts.availableQuote : facts.availableBase,
  };
}

function sizes(
  state: TicketState,
  price: Amount | undefined,
  facts: TicketFacts,
): { quantity: Amount | undefined; value: Amount | undefined } {
  if (sizedInQuote(state)) {
    const value = entryAmount(state.quote);
    const quantity =
      value === undefined || price === undefined || price === ZERO
        ? undefined
        : floorTo(divDown(value, price), facts.instrument.lotSize);
    return { quantity, value };
  }
  const quantity = entryAmount(state.quantity);
  if (quantity === undefined || price === undefined) return { quantity, value: undefined };
  const notional = state.side === SIDE.BUY ? notionalUp : notionalDown;
  return { quantity, value: notional(price, quantity) };
}

function roleOf(state: TicketState, price: Amount | undefined, facts: TicketFacts): 'maker' | 'taker' {
  if (state.type === ORDER_TYPE.MARKET) return 'taker';
  if (state.timeInForce === TIME_IN_FORCE.POST_ONLY) return 'maker';
  if (state.timeInForce !== TIME_IN_FORCE.GTC) return 'taker';
  const other = state.side === SIDE.BUY ? facts.bestAsk : facts.bestBid;
  if (price === undefined || other === undefined) return 'maker';
  return (state.side === SIDE.BUY ? price >= other : price <= other) ? 'taker' : 'maker';
}

/** What is written into the call; decimal strings. */
export interface TicketRequest {
  readonly side: Side;
  readonly orderType: OrderType;
  readonly timeInForce: TimeInForce;
  readonly price?: string;
  readonly quantity?: string;
  readonly quoteQuantity?: string;
  readonly visibleQuantity?: string;
}

/** The order as it is sent; ask `errors` first. */
export function orderRequestOf(state: TicketState): TicketRequest {
  const { side, type, timeInForce, price, quantity, quoteQuantity, visible } = entriesOf(state);
  return {
    ...{ side, orderType: type, timeInForce },
    ...(price === undefined ? {} : { price: formatAmount(price) }),
    ...(quantity === undefined ? {} : { quantity: formatAmount(quantity) }),
    ...(quoteQuantity === undefined ? {} : { quoteQuantity: formatAmount(quoteQuantity) }),
    ...(visible === undefined ? {} : { visibleQuantity: formatAmount(visible) }),
  };
}

/**
 * The ticket of a stranger's first minute: a small market buy, about a tenth of what is available and at most
 * 100 of quote, never below twice the smallest order.
 */
export function firstOrder(facts: TicketFacts): TicketState {
  const least = (facts.instrument.minNotional * 2n) as Amount;
  const hundred = (AMOUNT_ONE * 100n) as Amount;
  const tenth = facts.availableQuote === undefined ? hundred : ((facts.availableQuote / 10n) as Amount);
  const spend = floorTo(lesser(tenth, hundred), AMOUNT_ONE as Amount);
  const sensible = spend > least ? spend : least;
  return {
    ...emptyTicket(SIDE.BUY),
    type: ORDER_TYPE.MARKET,
    unit: 'quote',
    quote: formatAmount(sensible),
  };
}

import {
  type Amount,
  amountToSteps,
  decimalsOf,
  formatAmount,
  type Lots,
  ok,
  type Result,
  refused,
  stepsToAmount,
  type Ticks,
} from '@crossbook/domain';
import type {
  AccountNumber,
  SelfTradePrevention,
  SimOrderKind,
  SimTimeInForce,
} from '../../../../exchange.ts';
import type { NewPerpOrder, PerpRefusal, SimPositionSide } from '../../../../perp-exchange.ts';
import type { PerpFacts } from '../../../../venue.ts';
import { type BinanceError, ERRORS, invalidData, mandatory, notRequired } from '../../errors.ts';
import type { ParamReader } from '../../params.ts';
import { type FuturesDesk, namedContract } from '../desk.ts';
import { beyondBand, FUTURES_ERRORS, perpRefusalError, tooLittle } from '../errors.ts';
import { shown } from '../format.ts';

const CONDITIONAL = [
  'STOP',
  'STOP_MARKET',
  'TAKE_PROFIT',
  'TAKE_PROFIT_MARKET',
  'TRAILING_STOP_MARKET',
] as const;
const TYPES = ['LIMIT', 'MARKET', ...CONDITIONAL] as const;
const CLIENT_ID = /^[.A-Z:/a-z0-9_-]{1,36}$/;
const CLIENT_ID_LENGTH = 22;
/** What only conditional orders have. */
const CONDITIONAL_PARAMETERS = ['stopPrice', 'activationPrice', 'callbackRate', 'closePosition'];
const SELF_TRADE_MODE_DEFAULT = 'EXPIRE_MAKER';

/** How much of a new order's story the answer tells: as it was taken, or as it was left. */
export type FuturesResponseType = 'ACK' | 'RESULT';

/** A new order as read: well-formed, not yet counted in steps. */
export interface FuturesDraft {
  readonly contract: PerpFacts | undefined;
  readonly side: 'BUY' | 'SELL';
  readonly positionSide: SimPositionSide;
  readonly kind: SimOrderKind;
  readonly timeInForce: SimTimeInForce;
  readonly quantity: Amount | undefined;
  readonly price: Amount | undefined;
  readonly reduceOnly: boolean;
  /** It was sent at all: in hedge mode that alone is refused. */
  readonly saysReduceOnly: boolean;
  readonly clientId: string;
  readonly selfTradePrevention: SelfTradePrevention;
  readonly responseType: FuturesResponseType;
}

/** Reads a side that must be there. */
export function readSide(reader: ParamReader): 'BUY' | 'SELL' {
  reader.requiredText('side');
  return reader.choice('side', ['BUY', 'SELL'], ERRORS.badSide) ?? 'BUY';
}

/** Reads which position is meant; the one of one-way mode when nothing is said. */
export function readPositionSide(reader: ParamReader): SimPositionSide {
  return reader.choice('positionSide', ['BOTH', 'LONG', 'SHORT'], FUTURES_ERRORS.badPositionSide) ?? 'BOTH';
}

function readType(reader: ParamReader): 'LIMIT' | 'MARKET' {
  reader.requiredText('type');
  const type = reader.choice('type', TYPES, ERRORS.badOrderType);
  if (type !== undefined && type !== 'LIMIT' && type !== 'MARKET') reader.refuse(FUTURES_ERRORS.algoOrder);
  return type === 'MARKET' ? 'MARKET' : 'LIMIT';
}

/** What each type must and must not have. */
function checkType(reader: ParamReader, type: 'LIMIT' | 'MARKET'): void {
  const need = (name: string) => {
    if (!reader.has(name)) reader.refuse(mandatory(name));
  };
  if (type === 'LIMIT') for (const name of ['timeInForce', 'quantity', 'price']) need(name);
  else {
    if (reader.raw('closePosition') === 'true') reader.refuse(FUTURES_ERRORS.closePosition);
    need('quantity');
    if (reader.has('price')) reader.refuse(notRequired('price'));
    if (reader.has('timeInForce')) reader.refuse(notRequired('timeInForce'));
  }
  for (const name of CONDITIONAL_PARAMETERS) {
    if (reader.has(name) && reader.raw(name) !== 'false') reader.refuse(notRequired(name));
  }
}

/** Orders at a price that the venue finds, and orders that end by date, are not simulated. */
function readTimeInForce(reader: ParamReader): 'GTC' | 'IOC' | 'FOK' | 'GTX' {
  const match = reader.text('priceMatch');
  if (match !== undefined && match !== 'NONE') reader.refuse(invalidData('priceMatch'));
  reader.integer('goodTillDate');
  return reader.choice('timeInForce', ['GTC', 'IOC', 'FOK', 'GTX'], ERRORS.badTimeInForce) ?? 'GTC';
}

/** Reads a new order in the order in which the venue names what is wrong: symbol, side, type, then the rest. */
export function readFuturesDraft(reader: ParamReader, desk: FuturesDesk): FuturesDraft {
  const contract = namedContract(reader, desk);
  const side = readSide(reader);
  const type = readType(reader);
  const positionSide = readPositionSide(reader);
  const timeInForce = readTimeInForce(reader);
  const quantity = reader.decimal('quantity');
  const price = reader.decimal('price');
  const saysReduceOnly = reader.has('reduceOnly');
  const reduceOnly = reader.flag('reduceOnly') ?? false;
  checkType(reader, type);
  const clientId = reader.pattern('newClientOrderId', CLIENT_ID, FUTURES_ERRORS.badClientId);
  const mode = reader.choice('selfTradePreventionMode', [
    'NONE',
    'EXPIRE_TAKER',
    'EXPIRE_MAKER',
    'EXPIRE_BOTH',
  ]);
  return {
    contract,
    side,
    positionSide,
    kind: timeInForce === 'GTX' ? 'LIMIT_MAKER' : type,
    timeInForce: type === 'MARKET' ? 'IOC' : timeInForce === 'GTX' ? 'GTC' : timeInForce,
    quantity,
    price,
    reduceOnly,
    saysReduceOnly,
    clientId: clientId ?? desk.randomText(CLIENT_ID_LENGTH),
    selfTradePrevention: mode ?? SELF_TRADE_MODE_DEFAULT,
    responseType: reader.choice('newOrderRespType', ['ACK', 'RESULT']) ?? 'ACK',
  };
}

/** Counts an amount in steps, or says what is wrong with it: too many decimals come before all else. */
export function stepsOf(
  value: Amount,
  step: Amount,
  words: { readonly notPositive: BinanceError; readonly offStep: BinanceError },
): Result<number, BinanceError> {
  if (decimalsOf(value) > decimalsOf(step)) return refused(FUTURES_ERRORS.badPrecision);
  if (value <= 0n) return refused(words.notPositive);
  const steps = amountToSteps(value, step);
  return steps === undefined ? refused(words.offStep) : ok(steps);
}

/** The words of a price and of a size. */
export const PRICE_WORDS = {
  notPositive: FUTURES_ERRORS.priceNotPositive,
  offStep: FUTURES_ERRORS.priceOffTick,
};
export const SIZE_WORDS = {
  notPositive: FUTURES_ERRORS.sizeNotPositive,
  offStep: FUTURES_ERRORS.sizeOffStep,
};

/** The order in the core's own units, or what is wrong with its figures. */
export function toPerpOrder(
  draft: FuturesDraft,
  desk: FuturesDesk,
  account: AccountNumber,
): Result<NewPerpOrder, BinanceError> {
  const { contract, price, quantity } = draft;
  if (contract === undefined || quantity === undefined) return refused(ERRORS.badSymbol);
  const { symbol } = contract;
  const hedge = draft.saysReduceOnly && desk.perps.setting(account, symbol).positionMode === 'HEDGE';
  if (hedge) return refused(FUTURES_ERRORS.reduceOnlyInHedge);
  const lots = stepsOf(quantity, contract.lotSize, SIZE_WORDS);
  if (!lots.ok) return lots;
  const ticks = price === undefined ? undefined : stepsOf(price, contract.tickSize, PRICE_WORDS);
  if (ticks?.ok === false) return ticks;
  return ok({
    account,
    symbol,
    side: draft.side,
    positionSide: draft.positionSide,
    kind: draft.kind,
    timeInForce: draft.timeInForce,
    ...(ticks === undefined ? {} : { price: ticks.value as Ticks }),
    quantity: lots.value as Lots,
    reduceOnly: draft.reduceOnly,
    clientId: draft.clientId,
    selfTradePrevention: draft.selfTradePrevention,
  });
}

/** The venue's words for what the core refuses of an order: one refusal of the core may have several codes. */
export function orderRefusal(
  code: PerpRefusal,
  order: {
    readonly symbol: string;
    readonly side: 'BUY' | 'SELL';
    readonly price?: Ticks;
    readonly quantity: Lots;
  },
  desk: FuturesDesk,
): BinanceError {
  const contract = desk.perps.contracts.get(order.symbol);
  if (contract === undefined) return ERRORS.badSymbol;
  const { side, price } = order;
  if (code === 'NOTIONAL') return tooLittle(formatAmount(contract.minNotional));
  if (code === 'LOT_SIZE') {
    const small = stepsToAmount(order.quantity, contract.lotSize) < contract.minQty;
    return small ? FUTURES_ERRORS.sizeTooSmall : FUTURES_ERRORS.sizeTooLarge;
  }
  if (price === undefined) return perpRefusalError(code);
  const exact = stepsToAmount(price, contract.tickSize);
  if (code === 'PRICE_FILTER') {
    return exact < contract.minPrice ? FUTURES_ERRORS.priceTooLow : FUTURES_ERRORS.priceTooHigh;
  }
  if (code !== 'PRICE_BAND') return perpRefusalError(code);
  const { mark } = desk.perps.stats(order.symbol);
  const multiplier = side === 'BUY' ? contract.bidMultiplierUp : contract.askMultiplierDown;
  const bound = mark * Number(formatAmount(multiplier));
  return beyondBand(side, shown(bound, desk.format.of(order.symbol).priceDecimals));
}

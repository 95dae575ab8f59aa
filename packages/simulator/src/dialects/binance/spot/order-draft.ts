import {
  type Amount,
  amountToSteps,
  type Lots,
  ok,
  type Result,
  refused,
  type Ticks,
} from '@crossbook/domain';
import type {
  AccountNumber,
  MarketFacts,
  NewSimOrder,
  SelfTradePrevention,
  SimOrderKind,
  SimTimeInForce,
} from '../../../exchange.ts';
import type { Desk } from '../endpoint.ts';
import {
  type BinanceError,
  ERRORS,
  invalidData,
  mandatory,
  mandatoryEither,
  notRequired,
  refusalError,
} from '../errors.ts';
import type { ParamReader } from '../params.ts';
import { SELF_TRADE_MODE_DEFAULT } from './exchange-info.ts';
import type { ResponseType } from './order-shapes.ts';

/** Parameters of a new order, all that Binance documents. */
export const ORDER_PARAMS =
  'symbol side type timeInForce quantity quoteOrderQty price newClientOrderId strategyId strategyType stopPrice trailingDelta icebergQty newOrderRespType selfTradePreventionMode pegPriceType pegOffsetValue pegOffsetType';

const TYPES = [
  'LIMIT',
  'MARKET',
  'LIMIT_MAKER',
  'STOP_LOSS',
  'STOP_LOSS_LIMIT',
  'TAKE_PROFIT',
  'TAKE_PROFIT_LIMIT',
] as const;
const STRATEGY_TYPE_MIN = 1_000_000;

/** A new order as read: well-formed, not yet counted in steps. */
export interface OrderDraft {
  readonly market: MarketFacts | undefined;
  readonly side: 'BUY' | 'SELL';
  readonly kind: SimOrderKind;
  readonly timeInForce: SimTimeInForce;
  readonly quantity: Amount | undefined;
  readonly quoteQuantity: Amount | undefined;
  readonly price: Amount | undefined;
  readonly clientId: string;
  readonly selfTradePrevention: SelfTradePrevention;
  readonly responseType: ResponseType;
}

function readKind(reader: ParamReader): SimOrderKind {
  reader.requiredText('type');
  const type = reader.choice('type', TYPES, ERRORS.badOrderType) ?? 'LIMIT';
  if (type === 'LIMIT' || type === 'MARKET' || type === 'LIMIT_MAKER') return type;
  reader.refuse(reader.has('trailingDelta') ? ERRORS.trailing : ERRORS.stopOrders);
  return 'LIMIT';
}

/** What each kind must and must not have. */
function checkKind(reader: ParamReader, kind: SimOrderKind): void {
  const need = (name: string) => {
    if (!reader.has(name)) reader.refuse(mandatory(name));
  };
  const forbid = (name: string) => {
    if (reader.has(name)) reader.refuse(notRequired(name));
  };
  if (kind === 'MARKET') {
    if (!reader.has('quantity') && !reader.has('quoteOrderQty')) {
      reader.refuse(mandatoryEither('quantity', 'quoteOrderQty'));
    }
    if (reader.has('quantity')) forbid('quoteOrderQty');
    for (const name of ['timeInForce', 'price', 'icebergQty']) forbid(name);
  } else {
    if (kind === 'LIMIT') need('timeInForce');
    else forbid('timeInForce');
    need('quantity');
    need('price');
    forbid('quoteOrderQty');
    if (reader.has('icebergQty')) reader.refuse(ERRORS.iceberg);
  }
  for (const name of ['stopPrice', 'trailingDelta', 'pegPriceType', 'pegOffsetValue', 'pegOffsetType']) {
    forbid(name);
  }
}

function readStrategy(reader: ParamReader): void {
  reader.integer('strategyId');
  const type = reader.integer('strategyType');
  if (type !== undefined && type < STRATEGY_TYPE_MIN) reader.refuse(ERRORS.badStrategyType);
}

/** Reads a new order in the order Binance names what is wrong: symbol, side, type, then the rest. */
export function readOrderDraft(reader: ParamReader, desk: Desk): OrderDraft {
  const market = reader.market(desk.exchange.markets);
  reader.requiredText('side');
  const side = reader.choice('side', ['BUY', 'SELL'], ERRORS.badSide) ?? 'BUY';
  const kind = readKind(reader);
  const timeInForce = reader.choice('timeInForce', ['GTC', 'IOC', 'FOK'], ERRORS.badTimeInForce);
  const quantity = reader.decimal('quantity');
  const quoteQuantity = reader.decimal('quoteOrderQty');
  const price = reader.decimal('price');
  checkKind(reader, kind);
  readStrategy(reader);
  const clientId = reader.clientId('newClientOrderId') ?? desk.randomText(22);
  const mode = reader.choice(
    'selfTradePreventionMode',
    ['NONE', 'EXPIRE_TAKER', 'EXPIRE_MAKER', 'EXPIRE_BOTH', 'DECREMENT', 'TRANSFER'],
    invalidData('selfTradePreventionMode'),
  );
  if (mode === 'DECREMENT' || mode === 'TRANSFER') reader.refuse(ERRORS.selfTradeMode);
  const asked = reader.choice('newOrderRespType', ['ACK', 'RESULT', 'FULL']);
  return {
    market,
    side,
    kind,
    // A market order never rests: the core is told so, the answer says GTC as Binance's does.
    timeInForce: kind === 'MARKET' ? 'IOC' : (timeInForce ?? 'GTC'),
    quantity,
    quoteQuantity,
    price,
    clientId,
    selfTradePrevention:
      mode === undefined || mode === 'DECREMENT' || mode === 'TRANSFER' ? SELF_TRADE_MODE_DEFAULT : mode,
    responseType: asked ?? (kind === 'LIMIT_MAKER' ? 'ACK' : 'FULL'),
  };
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

/** The order in the core's own units, or the filter that its numbers fail. */
export function toSimOrder(
  draft: OrderDraft,
  market: MarketFacts,
  account: AccountNumber,
): Result<NewSimOrder, BinanceError> {
  if (draft.price === 0n) return refused(ERRORS.invalidPrice);
  if (draft.quantity === 0n || draft.quoteQuantity === 0n) return refused(ERRORS.invalidQuantity);
  const price = steps(draft.price, market.tickSize, refusalError('PRICE_FILTER'));
  if (!price.ok) return price;
  const quantity = steps(draft.quantity, market.lotSize, refusalError('LOT_SIZE'));
  if (!quantity.ok) return quantity;
  return ok({
    account,
    symbol: market.symbol,
    side: draft.side,
    kind: draft.kind,
    timeInForce: draft.timeInForce,
    clientId: draft.clientId,
    selfTradePrevention: draft.selfTradePrevention,
    ...(price.value === undefined ? {} : { price: price.value as Ticks }),
    ...(quantity.value === undefined ? {} : { quantity: quantity.value as Lots }),
    ...(draft.quoteQuantity === undefined ? {} : { quoteQuantity: draft.quoteQuantity }),
  });
}

import { type Amount, ok, type Result } from '@crossbook/domain';
import type { AccountNumber, MarketFacts, NewSimOrder, SelfTradePrevention } from '../../../exchange.ts';
import type { NewSimOrderList } from '../../../order-list-port.ts';
import type { Desk } from '../endpoint.ts';
import { type BinanceError, ERRORS, mandatory, notRequired } from '../errors.ts';
import type { ParamReader } from '../params.ts';
import { readResponseType, readSelfTradePrevention, readSide } from './order-draft.ts';
import {
  legOrder,
  legParams,
  ORDER_TYPES,
  type OrderLeg,
  type OrderType,
  prefixed,
  prefixedName,
  readLeg,
  readStrategy,
} from './order-leg.ts';
import type { ResponseType } from './order-shapes.ts';

const SHARED = 'symbol listClientOrderId newOrderRespType selfTradePreventionMode';
const WORKING = `workingSide workingQuantity ${legParams('working')}`;

/** Parameters of new lists, all that Binance documents. */
export const LIST_PARAMS = {
  oco: `${SHARED} side quantity ${legParams('above')} ${legParams('below')}`,
  oto: `${SHARED} ${WORKING} pendingSide pendingQuantity ${legParams('pending')}`,
  /** The older form of `oco`. */
  limitStop: `${SHARED} side quantity limitClientOrderId price limitStrategyId limitStrategyType limitIcebergQty trailingDelta stopClientOrderId stopPrice stopStrategyId stopStrategyType stopLimitPrice stopIcebergQty stopLimitTimeInForce`,
  otoco: `${SHARED} ${WORKING} pendingSide pendingQuantity ${legParams('pendingAbove')} ${legParams('pendingBelow')}`,
} as const;

/** One order of a list as read. */
interface ListedDraft {
  readonly side: 'BUY' | 'SELL';
  readonly leg: OrderLeg;
  readonly quantity: Amount | undefined;
}

/** A new list as read: well-formed, not yet counted in steps. */
export interface ListDraft {
  readonly market: MarketFacts | undefined;
  readonly clientId: string;
  readonly working: ListedDraft | undefined;
  readonly others: readonly ListedDraft[];
  readonly selfTradePrevention: SelfTradePrevention;
  readonly responseType: ResponseType;
}

const PAIR_TYPES: readonly OrderType[] = [
  'STOP_LOSS_LIMIT',
  'STOP_LOSS',
  'LIMIT_MAKER',
  'TAKE_PROFIT',
  'TAKE_PROFIT_LIMIT',
];

/** Where the orders of a pair must stand: a stop beyond the price, a limit or a target where it gains. */
function checkPair(
  reader: ParamReader,
  side: 'BUY' | 'SELL',
  types: { above: OrderType; below: OrderType },
): void {
  const buys = side === 'BUY';
  if (types.above === 'LIMIT_MAKER' && types.below === 'LIMIT_MAKER') reader.refuse(ERRORS.twoLimits);
  for (const [place, type] of Object.entries(types)) {
    const stop = type.startsWith('STOP_LOSS');
    const belongs = (place === 'above') === (buys === stop);
    if (belongs) continue;
    if (stop) reader.refuse(buys ? ERRORS.buyStopAbove : ERRORS.sellStopBelow);
    else if (type === 'LIMIT_MAKER') reader.refuse(buys ? ERRORS.buyLimitBelow : ERRORS.sellLimitAbove);
    else reader.refuse(buys ? ERRORS.buyTargetBelow : ERRORS.sellTargetAbove);
  }
}

function readPair(
  reader: ParamReader,
  desk: Desk,
  names: { readonly side: string; readonly quantity: string; readonly above: string; readonly below: string },
): ListedDraft[] {
  const side = readSide(reader, names.side);
  const rest = { types: PAIR_TYPES, otherType: ERRORS.ocoType, quantity: names.quantity };
  const above = { side, ...readLeg(reader, desk, prefixed(names.above, rest)) };
  const below = { side, ...readLeg(reader, desk, prefixed(names.below, rest)) };
  checkPair(reader, side, { above: above.leg.type, below: below.leg.type });
  // Answers name the stop first.
  return side === 'BUY' ? [above, below] : [below, above];
}

/** The pair as `order/oco` names it: a limit order that does not take, and a stop, which is a limit order if it has a price. */
function readLimitAndStop(reader: ParamReader, desk: Desk): ListedDraft[] {
  const side = readSide(reader, 'side');
  for (const name of ['quantity', 'price', 'stopPrice'])
    if (!reader.has(name)) reader.refuse(mandatory(name));
  const priced = reader.has('stopLimitPrice');
  if (priced !== reader.has('stopLimitTimeInForce')) {
    reader.refuse(priced ? mandatory('stopLimitTimeInForce') : notRequired('stopLimitTimeInForce'));
  }
  const quantity = reader.decimal('quantity');
  const clientId = (name: string) => reader.clientId(name) ?? desk.randomText(22);
  const none = { stopPrice: undefined, trailingBips: undefined };
  const limit: OrderLeg = {
    ...none,
    ...{ type: 'LIMIT_MAKER', timeInForce: 'GTC', price: reader.decimal('price') },
    icebergQuantity: reader.decimal('limitIcebergQty'),
    clientId: clientId('limitClientOrderId'),
  };
  const asked = reader.choice('stopLimitTimeInForce', ['GTC', 'IOC', 'FOK'], ERRORS.badTimeInForce);
  const stop: OrderLeg = {
    type: priced ? 'STOP_LOSS_LIMIT' : 'STOP_LOSS',
    timeInForce: asked ?? 'IOC',
    price: reader.decimal('stopLimitPrice'),
    stopPrice: reader.decimal('stopPrice'),
    trailingBips: reader.integer('trailingDelta'),
    icebergQuantity: reader.decimal('stopIcebergQty'),
    clientId: clientId('stopClientOrderId'),
  };
  if ((stop.icebergQuantity ?? 0n) !== 0n && asked !== 'GTC') reader.refuse(ERRORS.badIceberg);
  for (const leg of ['limit', 'stop']) readStrategy(reader, (field) => prefixedName(leg, field));
  return [
    { side, leg: stop, quantity },
    { side, leg: limit, quantity },
  ];
}

function readWorking(reader: ParamReader, desk: Desk): ListedDraft {
  const side = readSide(reader, 'workingSide');
  const rest = {
    types: ['LIMIT', 'LIMIT_MAKER'] as const,
    otherType: ERRORS.badOrderType,
    quantity: 'workingQuantity',
  };
  return { side, ...readLeg(reader, desk, prefixed('working', rest)) };
}

function readPending(reader: ParamReader, desk: Desk): ListedDraft[] {
  const side = readSide(reader, 'pendingSide');
  const rest = { types: ORDER_TYPES, otherType: ERRORS.badOrderType, quantity: 'pendingQuantity' };
  return [{ side, ...readLeg(reader, desk, prefixed('pending', rest)) }];
}

const OTHERS: Readonly<Record<keyof typeof LIST_PARAMS, (reader: ParamReader, desk: Desk) => ListedDraft[]>> =
  {
    oco: (reader, desk) =>
      readPair(reader, desk, { side: 'side', quantity: 'quantity', above: 'above', below: 'below' }),
    limitStop: readLimitAndStop,
    oto: readPending,
    otoco: (reader, desk) =>
      readPair(reader, desk, {
        ...{ side: 'pendingSide', quantity: 'pendingQuantity' },
        ...{ above: 'pendingAbove', below: 'pendingBelow' },
      }),
  };

/** Reads a new list of a kind. */
export function readListDraft(reader: ParamReader, desk: Desk, kind: keyof typeof LIST_PARAMS): ListDraft {
  const market = reader.market(desk.exchange.markets);
  const clientId = reader.clientId('listClientOrderId') ?? desk.randomText(22);
  const working = kind === 'oco' || kind === 'limitStop' ? undefined : readWorking(reader, desk);
  const others = OTHERS[kind](reader, desk);
  const selfTradePrevention = readSelfTradePrevention(reader);
  const responseType = readResponseType(reader) ?? 'RESULT';
  return { market, clientId, working, others, selfTradePrevention, responseType };
}

/** The list in the core's own units, or the filter that its numbers fail. */
export function toSimList(
  draft: ListDraft,
  market: MarketFacts,
  account: AccountNumber,
): Result<NewSimOrderList, BinanceError> {
  const { selfTradePrevention, clientId } = draft;
  const orderOf = ({ side, leg, quantity }: ListedDraft) =>
    legOrder({ account, side, selfTradePrevention }, leg, { market, quantity });
  const others: NewSimOrder[] = [];
  for (const other of draft.others) {
    const order = orderOf(other);
    if (!order.ok) return order;
    others.push(order.value);
  }
  const list = { account, symbol: market.symbol, clientId, others };
  if (draft.working === undefined) return ok(list);
  const working = orderOf(draft.working);
  return working.ok ? ok({ ...list, working: working.value }) : working;
}

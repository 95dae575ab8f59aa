import type { Lots, Millis } from '@crossbook/domain';
import type { AccountNumber, SimOrderId } from '../../../../exchange.ts';
import type { PerpConditional } from '../../../../perp-conditionals.ts';
import type { PerpOrder, PerpRefusal } from '../../../../perp-exchange.ts';
import type { FuturesDesk } from '../desk.ts';
import { perpRefusalError } from '../errors.ts';
import { averagePrice, limitPrice, type ShapeDesk, timeInForceOf, typeOf } from './order-shapes.ts';

/** What shapes of conditional orders are written with. */
export type AlgoShapeDesk = ShapeDesk & {
  readonly perps: Pick<FuturesDesk['perps'], 'contracts' | 'perpOrder'>;
};

const STATUS: Readonly<Record<PerpConditional['state'], string>> = {
  WAITING: 'NEW',
  TRIGGERING: 'TRIGGERING',
  TRIGGERED: 'TRIGGERED',
  FINISHED: 'FINISHED',
  REFUSED: 'REJECTED',
  CANCELLED: 'CANCELED',
  EXPIRED: 'EXPIRED',
};
const NO_AVERAGE = '0.00000';

function orderTypeOf({ purpose, sends }: PerpConditional): string {
  if (purpose === 'TRAILING') return 'TRAILING_STOP_MARKET';
  return sends.kind === 'MARKET' ? `${purpose}_MARKET` : purpose;
}

/** What ends with a position says so in its time in force. */
function algoTimeInForce({ attached, sends }: PerpConditional): string {
  return attached?.position === undefined ? timeInForceOf({ ...sends, origin: 'MEMBER' }) : 'GTE_GTC';
}

/** What both the answers and the stream say of it. */
function factsOf(desk: AlgoShapeDesk, order: PerpConditional) {
  const { trigger, sends, attached, state } = order;
  const format = desk.format.of(sends.symbol);
  const price = (ticks: number | undefined) => (ticks === undefined ? '' : format.price(ticks as never));
  return {
    type: orderTypeOf(order),
    timeInForce: algoTimeInForce(order),
    quantity: format.size(sends.quantity === 'WHOLE' ? (0 as Lots) : sends.quantity),
    status: STATUS[state],
    trigger: trigger.at === 'PRICE' ? price(trigger.price) : '',
    price: limitPrice(desk, sends),
    workingType: trigger.by === 'MARK' ? 'MARK_PRICE' : 'CONTRACT_PRICE',
    closes: attached?.position === 'WHOLE',
    activate: trigger.at === 'TRAIL' ? price(trigger.activation) : '',
    callbackRate: trigger.at === 'TRAIL' && 'bips' in trigger.back ? `${trigger.back.bips / 100}` : '',
    triggerTime: 'firedAt' in order ? order.firedAt : 0,
  };
}

/** The order that it sent. */
function childOf(desk: AlgoShapeDesk, order: PerpConditional): PerpOrder | undefined {
  if (!('childId' in order)) return undefined;
  const { account, symbol } = order.sends;
  return desk.perps.perpOrder(account as AccountNumber, symbol, { orderId: order.childId as SimOrderId });
}

/** The answer to a new conditional order. */
export function placedAlgo(desk: AlgoShapeDesk, order: PerpConditional): object {
  const { sends } = order;
  const facts = factsOf(desk, order);
  return {
    algoId: order.algoId,
    clientAlgoId: order.clientId,
    algoType: 'CONDITIONAL',
    orderType: facts.type,
    symbol: sends.symbol,
    side: sends.side,
    positionSide: sends.positionSide,
    timeInForce: facts.timeInForce,
    quantity: facts.quantity,
    algoStatus: facts.status,
    triggerPrice: facts.trigger,
    price: facts.price,
    icebergQuantity: null,
    selfTradePreventionMode: sends.selfTradePrevention,
    workingType: facts.workingType,
    priceMatch: 'NONE',
    closePosition: facts.closes,
    priceProtect: order.guarded === true,
    reduceOnly: sends.reduceOnly,
    activatePrice: facts.activate,
    callbackRate: facts.callbackRate,
    createTime: order.createdAt,
    updateTime: order.updatedAt,
    triggerTime: facts.triggerTime,
    goodTillDate: 0,
  };
}

/** A conditional order as the queries show it. */
export function queriedAlgo(desk: AlgoShapeDesk, order: PerpConditional): object {
  const child = childOf(desk, order);
  return {
    ...placedAlgo(desk, order),
    actualOrderId: child === undefined ? '' : `${child.orderId}`,
    actualPrice: child === undefined ? NO_AVERAGE : averagePrice(desk, child),
    tpTriggerPrice: '0.000',
    tpPrice: '0.000',
    slTriggerPrice: '0.000',
    slPrice: '0.000',
    tpOrderType: '',
  };
}

/** `ALGO_UPDATE`. */
export function algoUpdate(desk: AlgoShapeDesk, order: PerpConditional, now: Millis): object {
  const { sends } = order;
  const facts = factsOf(desk, order);
  const child = childOf(desk, order);
  const executed = child && {
    ap: averagePrice(desk, child),
    aq: desk.format.of(sends.symbol).size(child.executed),
    act: typeOf(child),
  };
  const trails = order.trigger.at === 'TRAIL';
  return {
    e: 'ALGO_UPDATE',
    T: order.updatedAt,
    E: now,
    o: {
      caid: order.clientId,
      aid: order.algoId,
      at: 'CONDITIONAL',
      o: facts.type,
      s: sends.symbol,
      S: sends.side,
      ps: sends.positionSide,
      f: facts.timeInForce,
      q: facts.quantity,
      X: facts.status,
      ai: 'childId' in order ? `${order.childId}` : '',
      ...executed,
      tp: facts.trigger === '' ? '0' : facts.trigger,
      p: facts.price,
      V: sends.selfTradePrevention,
      wt: facts.workingType,
      pm: 'NONE',
      cp: facts.closes,
      pP: order.guarded === true,
      R: sends.reduceOnly,
      tt: facts.triggerTime,
      gtd: 0,
      ...(trails ? { cr: facts.callbackRate } : {}),
      ia: order.trigger.at === 'TRAIL' && order.trigger.best !== undefined,
      ...(order.state === 'REFUSED' ? { rm: perpRefusalError(order.refusal as PerpRefusal).msg } : {}),
    },
  };
}

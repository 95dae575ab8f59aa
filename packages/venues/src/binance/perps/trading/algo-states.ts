import {
  type Amount,
  type Millis,
  POSITION_SIDE,
  type PositionSide,
  SIDE,
  TIME_IN_FORCE,
  type TimeInForce,
  type TriggerBy,
  type TriggerPlan,
  type VenueAlgoState,
  type VenueAlgoStatus,
  type VenueClientId,
  type VenueOrderId,
} from '@crossbook/domain';
import { planOfLegs } from '../../../trading/shown-plan.ts';
import type { ListedAlgo, ShownAlgo } from '../../../venue-algos.ts';
import { asCounter, asObject, asText, type WireObject } from '../../../wire/guards.ts';
import { asAmount } from '../../../wire/numbers.ts';

/**
 * Algo orders of USD-M contracts to domain values. Pure; `undefined` for anything that is not the documented shape.
 * Source: New Algo Order, Query Algo Order and Event: Algo Order Update of the futures' documents (2026-07).
 */

/** FINISHED says that the child has ended, filled or not: what became of it is told of the child. */
const STATUSES: ReadonlyMap<unknown, VenueAlgoStatus> = new Map<string, VenueAlgoStatus>([
  ['NEW', 'waiting'],
  ['TRIGGERING', 'firing'],
  ['TRIGGERED', 'fired'],
  ['FINISHED', 'fired'],
  ['REJECTED', 'refused'],
  ['CANCELED', 'cancelled'],
  ['EXPIRED', 'expired'],
]);

/** The answer of a placement or a query, and a row of a list. */
export function normaliseAlgo(answer: unknown): VenueAlgoState | undefined {
  const order = asObject(answer);
  return (
    order &&
    stateOf({
      clientId: order.clientAlgoId,
      algoId: order.algoId,
      symbol: order.symbol,
      status: order.algoStatus,
      childId: order.actualOrderId,
      reason: undefined,
      time: order.updateTime,
    })
  );
}

const BY: ReadonlyMap<unknown, TriggerBy> = new Map<unknown, TriggerBy>([
  ['CONTRACT_PRICE', 'last'],
  ['MARK_PRICE', 'mark'],
]);
const TIMES: ReadonlyMap<unknown, TimeInForce> = new Map<unknown, TimeInForce>([
  ['GTC', TIME_IN_FORCE.GTC],
  ['IOC', TIME_IN_FORCE.IOC],
  ['FOK', TIME_IN_FORCE.FOK],
  ['GTX', TIME_IN_FORCE.POST_ONLY],
]);
const POSITIONS: ReadonlyMap<unknown, PositionSide> = new Map<unknown, PositionSide>([
  ['BOTH', POSITION_SIDE.NET],
  ['LONG', POSITION_SIDE.LONG],
  ['SHORT', POSITION_SIDE.SHORT],
]);

function planIn(row: WireObject): TriggerPlan | undefined {
  const by = BY.get(row.workingType);
  if (row.orderType === 'TRAILING_STOP_MARKET') {
    const [percent, activation] = [asAmount(row.callbackRate), asAmount(row.activatePrice)];
    if (percent === undefined || percent === 0n || by === undefined) return undefined;
    const from = activation === undefined || activation === 0n ? {} : { activation };
    return { kind: 'trailing', trailing: { by, ratio: (percent / 100n) as Amount, ...from } };
  }
  const leg = { price: asAmount(row.triggerPrice), by, limit: asAmount(row.price) };
  if (row.orderType === 'STOP' || row.orderType === 'STOP_MARKET') return planOfLegs(undefined, leg);
  if (row.orderType === 'TAKE_PROFIT' || row.orderType === 'TAKE_PROFIT_MARKET')
    return planOfLegs(leg, undefined);
  return undefined;
}

/** A row of the list in full; `undefined` where it leaves out what its member must know. */
export function shownIn(row: WireObject | undefined): ShownAlgo | undefined {
  const side = row?.side === 'BUY' ? SIDE.BUY : row?.side === 'SELL' ? SIDE.SELL : undefined;
  const position = POSITIONS.get(row?.positionSide);
  if (row === undefined || side === undefined || position === undefined) return undefined;
  const plan = planIn(row);
  const timeInForce = TIMES.get(row.timeInForce);
  const quantity = asAmount(row.quantity);
  const whole = row.closePosition === true;
  if (plan === undefined || timeInForce === undefined) return undefined;
  if (!whole && (quantity === undefined || quantity === 0n)) return undefined;
  const closesLeg =
    position !== POSITION_SIDE.NET && (position === POSITION_SIDE.LONG) === (side === SIDE.SELL);
  return {
    ...{ side, plan, position, timeInForce },
    reduces: whole || closesLeg || row.reduceOnly === true,
    ...(whole || quantity === undefined ? {} : { quantity }),
  };
}

/** A row of the list of what waits. */
export function normaliseListed(entry: unknown): ListedAlgo | undefined {
  const state = normaliseAlgo(entry);
  const shown = shownIn(asObject(entry));
  return state && (shown === undefined ? state : { ...state, shown });
}

/** `ALGO_UPDATE`. */
export function normaliseAlgoUpdate(event: WireObject): VenueAlgoState | undefined {
  const order = asObject(event.o);
  return (
    order &&
    stateOf({
      clientId: order.caid,
      algoId: order.aid,
      symbol: order.s,
      status: order.X,
      childId: order.ai,
      reason: order.rm,
      time: event.T,
    })
  );
}

function stateOf(fields: Readonly<Record<string, unknown>>): VenueAlgoState | undefined {
  const clientId = asText(fields.clientId);
  const algoId = asCounter(fields.algoId);
  const symbol = asText(fields.symbol);
  const named = STATUSES.get(fields.status);
  const time = asCounter(fields.time);
  if (clientId === undefined || algoId === undefined || symbol === undefined) return undefined;
  if (named === undefined || time === undefined) return undefined;
  const childId = named === 'fired' ? CHILD_ID.exec(asText(fields.childId) ?? '')?.[0] : undefined;
  const reason = asText(fields.reason);
  return {
    clientId: clientId as VenueClientId,
    venueAlgoId: String(algoId) as VenueOrderId,
    symbol,
    // One may stand triggered for a while before its child has an id.
    status: named === 'fired' && childId === undefined ? 'firing' : named,
    ...(childId === undefined ? {} : { child: { venueOrderId: childId as VenueOrderId } }),
    ...(reason === undefined ? {} : { reason }),
    time: time as Millis,
  };
}

/** An order's number; before there is one the field is empty or 0. */
const CHILD_ID = /^[1-9][0-9]{0,19}$/;

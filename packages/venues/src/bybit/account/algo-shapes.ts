import {
  type AlgoLegName,
  POSITION_SIDE,
  type PositionSide,
  SIDE,
  type Side,
  TIME_IN_FORCE,
  type TimeInForce,
  type TriggerBy,
  type TriggerPlan,
  type VenueAlgoState,
  type VenueAlgoStatus,
  type VenueClientId,
  type VenueOrderId,
} from '@crossbook/domain';
import { planOfLegs } from '../../trading/shown-plan.ts';
import type { FoundAlgo, ListedAlgo, ShownAlgo } from '../../venue-algos.ts';
import { asCounter, asObject, asText, type WireObject } from '../../wire/guards.ts';
import { asAmount, rowsOf } from '../../wire/numbers.ts';
import { asMillis } from '../wire.ts';

/**
 * Orders that wait for a price, to domain values. At Bybit they are rows of the lists and topics of all orders, and the
 * order that one becomes keeps its id.
 * Source: bybit-exchange/docs v5, enum, order/open-order (2026-07-24).
 */

/** `stopOrderType`, with the leg that it is where the venue placed it with an order or for a position. */
const KINDS: ReadonlyMap<unknown, AlgoLegName | undefined> = new Map<string, AlgoLegName | undefined>([
  ['Stop', undefined],
  ['tpslOrder', undefined],
  // Of pairs, set at the exchange: two that came with one order, and two of which one cancels the other.
  ['BidirectionalTpslOrder', undefined],
  ['OcoOrder', undefined],
  ['TrailingStop', undefined],
  ['TakeProfit', 'take-profit'],
  ['PartialTakeProfit', 'take-profit'],
  ['StopLoss', 'stop-loss'],
  ['PartialStopLoss', 'stop-loss'],
]);

/** States that say all by themselves; `Cancelled` does not. */
const STATUSES: ReadonlyMap<unknown, VenueAlgoStatus> = new Map<string, VenueAlgoStatus>([
  ['Untriggered', 'waiting'],
  ['Triggered', 'firing'],
  ['New', 'fired'],
  ['PartiallyFilled', 'fired'],
  ['Filled', 'fired'],
  ['PartiallyFilledCanceled', 'fired'],
  ['Deactivated', 'cancelled'],
  ['Rejected', 'refused'],
]);

/** Reasons that are none, or say only that its member cancelled it. */
const NO_REASONS: ReadonlySet<unknown> = new Set(['EC_NoError', 'EC_PerCancelRequest', 'UNKNOWN', '']);

/** Whether a row is of an order that waits for a price, or has waited. */
export function isAlgo(row: WireObject): boolean {
  return KINDS.has(row.stopOrderType);
}

/** Whether a row is of an order that is not in the market, nor was. */
export function isUnfired({ orderStatus }: WireObject): boolean {
  return orderStatus === 'Untriggered' || orderStatus === 'Triggered' || orderStatus === 'Deactivated';
}

/** One such order; `undefined` for anything that is not the documented shape. */
export function normaliseAlgo(entry: unknown): VenueAlgoState | undefined {
  const row = asObject(entry);
  const clientId = row?.orderLinkId;
  const venueOrderId = asText(row?.orderId) as VenueOrderId | undefined;
  const symbol = asText(row?.symbol);
  const time = asMillis(row?.updatedTime);
  if (row === undefined || typeof clientId !== 'string' || venueOrderId === undefined) return undefined;
  if (symbol === undefined || time === undefined) return undefined;
  const status = STATUSES.get(row.orderStatus) ?? statusOfCancelled(row);
  if (status === undefined) return undefined;
  const leg = KINDS.get(row.stopOrderType);
  const parent = asText(row.parentOrderLinkId);
  const quantity = asAmount(row.qty);
  const reason = status === 'refused' || status === 'cancelled' ? reasonOf(row) : undefined;
  return {
    ...{ clientId: clientId as VenueClientId, venueAlgoId: venueOrderId, symbol, status, time },
    ...(status === 'fired' ? { child: leg === undefined ? { venueOrderId } : { venueOrderId, leg } } : {}),
    ...(parent === undefined ? {} : { parent: parent as VenueClientId }),
    ...(leg === undefined ? {} : { leg }),
    ...(quantity === undefined || quantity === 0n ? {} : { quantity }),
    ...(reason === undefined ? {} : { reason }),
  };
}

/** A list of such orders, with what each that waits asks for, under either name of its one leg; a market order's price is 0. */
export function normaliseFound(list: unknown): FoundAlgo[] | undefined {
  return rowsOf(list, (entry) => {
    const state = normaliseAlgo(entry);
    if (state?.status !== 'waiting') return state;
    const row = asObject(entry);
    const [trigger, limit] = [asAmount(row?.triggerPrice), asAmount(row?.price)];
    const leg = {
      ...(trigger === undefined ? {} : { trigger }),
      ...(limit === undefined || limit === 0n ? {} : { limit }),
    };
    return { ...state, asks: { takeProfit: leg, stopLoss: leg } };
  });
}

const BY: ReadonlyMap<unknown, TriggerBy> = new Map<unknown, TriggerBy>([
  ['LastPrice', 'last'],
  ['MarkPrice', 'mark'],
  ['IndexPrice', 'index'],
]);
const TIMES: ReadonlyMap<unknown, TimeInForce> = new Map<unknown, TimeInForce>([
  ['GTC', TIME_IN_FORCE.GTC],
  ['IOC', TIME_IN_FORCE.IOC],
  ['FOK', TIME_IN_FORCE.FOK],
  ['PostOnly', TIME_IN_FORCE.POST_ONLY],
]);
const POSITIONS: readonly PositionSide[] = [POSITION_SIDE.NET, POSITION_SIDE.LONG, POSITION_SIDE.SHORT];

function planIn(row: WireObject, side: Side): TriggerPlan | undefined {
  const price = asAmount(row.triggerPrice);
  // How far it follows is a word of its position, not of its row.
  if (row.stopOrderType === 'TrailingStop')
    return {
      kind: 'trailing',
      trailing: { by: 'last', ...(price === undefined || price === 0n ? {} : { activation: price }) },
    };
  const leg = { price, by: BY.get(row.triggerBy), limit: asAmount(row.price) };
  const direction = asCounter(row.triggerDirection);
  if (direction !== 1 && direction !== 2) return undefined;
  // A stop goes with the price that runs away, a take-profit with the one that comes.
  return (direction === 1) === (side === SIDE.BUY) ? planOfLegs(undefined, leg) : planOfLegs(leg, undefined);
}

/** A row of what waits on a contract, in full; `undefined` where it leaves out what its member must know. */
export function shownIn(row: WireObject | undefined): ShownAlgo | undefined {
  const side = row?.side === 'Buy' ? SIDE.BUY : row?.side === 'Sell' ? SIDE.SELL : undefined;
  const position = POSITIONS[asCounter(row?.positionIdx) ?? -1];
  if (row === undefined || side === undefined || position === undefined) return undefined;
  const plan = planIn(row, side);
  const timeInForce = TIMES.get(row.timeInForce);
  const quantity = asAmount(row.qty);
  if (plan === undefined || timeInForce === undefined || quantity === undefined) return undefined;
  const closesLeg =
    position !== POSITION_SIDE.NET && (position === POSITION_SIDE.LONG) === (side === SIDE.SELL);
  const whole = quantity === 0n || row.stopOrderType === 'TrailingStop';
  return {
    ...{ side, plan, position, timeInForce },
    reduces: whole || closesLeg || row.reduceOnly === true || row.closeOnTrigger === true,
    ...(whole ? {} : { quantity }),
  };
}

/** A row of the list of what waits. */
export function normaliseListed(entry: unknown): ListedAlgo | undefined {
  const state = normaliseAlgo(entry);
  const shown = shownIn(asObject(entry));
  return state && (shown === undefined ? state : { ...state, shown });
}

/**
 * Of a cancelled one: what has traded has fired, and what the market gives a reason for was refused when it fired. The
 * rest is over without a fill, whether its member cancelled it before or after it fired.
 */
function statusOfCancelled(row: WireObject): VenueAlgoStatus | undefined {
  if (row.orderStatus !== 'Cancelled') return undefined;
  const traded = asAmount(row.cumExecQty);
  if (traded === undefined) return undefined;
  if (traded > 0n) return 'fired';
  return NO_REASONS.has(row.rejectReason ?? '') ? 'cancelled' : 'refused';
}

function reasonOf({ rejectReason, cancelType }: WireObject): string | undefined {
  return [rejectReason, cancelType].map(asText).find((text) => text !== undefined && !NO_REASONS.has(text));
}

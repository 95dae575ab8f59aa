import type {
  AlgoLegName,
  VenueAlgoState,
  VenueAlgoStatus,
  VenueClientId,
  VenueOrderId,
} from '@crossbook/domain';
import type { FoundAlgo } from '../../venue-algos.ts';
import { asObject, asText, type WireObject } from '../../wire/guards.ts';
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

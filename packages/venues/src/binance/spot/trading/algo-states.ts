import type {
  AlgoLegName,
  Millis,
  VenueAlgoState,
  VenueAlgoStatus,
  VenueClientId,
  VenueOrderId,
} from '@crossbook/domain';
import { asCounter, asObject, asText, type WireObject } from '../../../wire/guards.ts';

/**
 * Algo orders of Binance spot to domain values. Pure; `undefined` for anything that is not the documented shape. Here an
 * algo order is an order that is not on the book yet and goes there under its own id: it is its own child. A pair of
 * them (OCO) is a list of two orders, and may wait behind a working one. Source: rest-api.md, user-data-stream.md, enums.md (2026-07-21).
 */

/** One order that waits, waited or belongs to a list, as answers and the stream tell it. */
export interface AlgoOrder {
  readonly clientId: VenueClientId;
  readonly venueOrderId: VenueOrderId;
  readonly symbol: string;
  readonly leg: AlgoLegName;
  /** The list that it belongs to. */
  readonly listId?: number;
  readonly status: VenueAlgoStatus;
  /** The order of its list that it waits for has not filled yet. */
  readonly pending: boolean;
  readonly reason?: string;
  readonly time: Millis;
}

/** Fields of such an order, whatever a message calls them. */
interface AlgoFields {
  readonly clientId: unknown;
  readonly orderId: unknown;
  readonly symbol: unknown;
  readonly type: unknown;
  readonly status: unknown;
  readonly listId: unknown;
  readonly executed: unknown;
  /** When it went to the book; -1 or absent where it has not. */
  readonly workingTime: unknown;
  readonly reason: unknown;
  readonly time: unknown;
}

/** What has ended without having fired. EXPIRED is looked at more closely: the venue may have refused to work it. */
const ENDED: ReadonlyMap<unknown, VenueAlgoStatus> = new Map<string, VenueAlgoStatus>([
  ['CANCELED', 'cancelled'],
  ['EXPIRED', 'expired'],
  ['EXPIRED_IN_MATCH', 'expired'],
  ['REJECTED', 'refused'],
]);
const OPEN: ReadonlySet<unknown> = new Set([
  'NEW',
  'PENDING_NEW',
  'PENDING_CANCEL',
  'PARTIALLY_FILLED',
  'FILLED',
]);
/** Why an order ended that the engine would not take when it fired. */
const REFUSED_WHEN_FIRED = 'REJECTED';

/** An order of an answer; `null` where it is an ordinary one. */
export function algoOrder(answer: unknown): AlgoOrder | null | undefined {
  const order = asObject(answer);
  return (
    order &&
    read({
      ...{ clientId: order.origClientOrderId ?? order.clientOrderId, orderId: order.orderId },
      ...{ symbol: order.symbol, type: order.type, status: order.status, listId: order.orderListId },
      ...{ executed: order.executedQty, workingTime: order.workingTime, reason: order.expiryReason },
      time: order.updateTime ?? order.transactTime,
    })
  );
}

/** The order of an `executionReport`; `null` where it is an ordinary one. */
export function reportedAlgoOrder(event: WireObject): AlgoOrder | null | undefined {
  return read({
    ...{ clientId: asText(event.C) ?? event.c, orderId: event.i, symbol: event.s, type: event.o },
    ...{ status: event.X, listId: event.g, executed: event.z, workingTime: event.W, reason: event.eR },
    time: event.T,
  });
}

function read(fields: AlgoFields): AlgoOrder | null | undefined {
  const { type, listId, status } = fields;
  const leg = legOf(type, listId);
  if (leg === undefined) return null;
  const clientId = asText(fields.clientId);
  const orderId = asCounter(fields.orderId);
  const symbol = asText(fields.symbol);
  const time = asCounter(fields.time);
  if (clientId === undefined || orderId === undefined || symbol === undefined || time === undefined)
    return undefined;
  if (!ENDED.has(status) && !OPEN.has(status)) return undefined;
  const reason = asText(fields.reason);
  const list = asCounter(listId);
  return {
    clientId: clientId as VenueClientId,
    venueOrderId: String(orderId) as VenueOrderId,
    symbol,
    leg,
    ...(list === undefined ? {} : { listId: list }),
    status: hasFired(fields) ? 'fired' : endOf(status, reason),
    pending: status === 'PENDING_NEW',
    ...(reason === undefined ? {} : { reason }),
    time: time as Millis,
  };
}

/** Which part an order plays; ordinary orders play none. A limit order of a list is the target of a pair. */
function legOf(type: unknown, listId: unknown): AlgoLegName | undefined {
  if (type === 'STOP_LOSS' || type === 'STOP_LOSS_LIMIT') return 'stop-loss';
  if (type === 'TAKE_PROFIT' || type === 'TAKE_PROFIT_LIMIT') return 'take-profit';
  // Without a list its number is -1.
  return type === 'LIMIT_MAKER' && asCounter(listId) !== undefined ? 'take-profit' : undefined;
}

/** It works from the moment it fired; the limit order of a pair, which works from the start, from its first fill. */
function hasFired({ type, status, executed, workingTime }: AlgoFields): boolean {
  if (status === 'PARTIALLY_FILLED' || status === 'FILLED' || /[1-9]/.test(asText(executed) ?? ''))
    return true;
  return type !== 'LIMIT_MAKER' && asCounter(workingTime) !== undefined;
}

function endOf(status: unknown, reason: string | undefined): VenueAlgoStatus {
  return reason === REFUSED_WHEN_FIRED ? 'refused' : (ENDED.get(status) ?? 'waiting');
}

/** The state of one that stands alone. */
export function stateOfOrder({ leg: _, listId: __, pending: ___, ...order }: AlgoOrder): VenueAlgoState {
  const { venueOrderId, ...rest } = order;
  return {
    ...rest,
    venueAlgoId: venueOrderId,
    ...(order.status === 'fired' ? { child: { venueOrderId } } : {}),
  };
}

import type { Millis, VenueAlgoState, VenueAlgoStatus, VenueClientId, VenueOrderId } from '@crossbook/domain';
import { asCounter, asObject, asText, type WireObject } from '../../../wire/guards.ts';

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

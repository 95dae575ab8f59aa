import { refused } from '@crossbook/domain';
import type { AccountNumber } from '../../../exchange.ts';
import { limitRefusal, ORDERS_PER_2_SECONDS } from '../call-limits.ts';
import type { Desk } from '../desk.ts';
import { hasExpired, type Outcome, withFault } from '../dispatch.ts';
import { ERRORS } from '../errors.ts';
import { actOnAll, amendOne, cancelOne, type OrderAct, placeOne } from '../trade/orders.ts';
import type { SocketRequest } from './socket-message.ts';

/** An operation of the private socket: what it does, and its name among fault plans and limits. */
interface Operation {
  readonly name: string;
  readonly act: OrderAct;
  readonly batch: boolean;
  readonly per2SecondsMax: number;
}

const { single, batch: several } = ORDERS_PER_2_SECONDS;
const OPERATIONS: ReadonlyMap<string, Operation> = new Map([
  ['order', { name: 'order.place', act: placeOne, batch: false, per2SecondsMax: single }],
  ['batch-orders', { name: 'order.place.batch', act: placeOne, batch: true, per2SecondsMax: several }],
  ['cancel-order', { name: 'order.cancel', act: cancelOne, batch: false, per2SecondsMax: single }],
  [
    'batch-cancel-orders',
    { name: 'order.cancel.batch', act: cancelOne, batch: true, per2SecondsMax: several },
  ],
  ['amend-order', { name: 'order.amend', act: amendOne, batch: false, per2SecondsMax: single }],
  ['batch-amend-orders', { name: 'order.amend.batch', act: amendOne, batch: true, per2SecondsMax: several }],
]);

/** Whether an operation trades. */
export function isTradeOperation(op: string): boolean {
  return OPERATIONS.has(op);
}

/** Carries out one operation of an account. Limits are shared with the same calls by REST. */
export async function operate(desk: Desk, account: AccountNumber, request: SocketRequest): Promise<Outcome> {
  const operation = OPERATIONS.get(request.op);
  const stop = (error: (typeof ERRORS)[keyof typeof ERRORS]): Outcome => ({
    answer: refused(error),
    fault: undefined,
  });
  if (operation === undefined) return stop(ERRORS.badMethod);
  const { name, act, batch, per2SecondsMax } = operation;
  const { args, expiry } = request;
  if (args.length === 0 || (!batch && args.length > 1)) return stop(ERRORS.badJson);
  const tooOften = limitRefusal(desk, { name, per2SecondsMax, who: String(account), bags: args });
  if (tooOften !== undefined) return stop(tooOften);
  if (hasExpired(desk, expiry)) return stop(ERRORS.expiryPassed);
  try {
    return await withFault(desk, name, () => actOnAll(desk, account, args, act));
  } catch (fault) {
    desk.onFault(fault);
    return stop(ERRORS.timeout);
  }
}

import type { OrderRef, SimOrderId } from '../../exchange.ts';
import { mandatoryEither } from './errors.ts';
import type { ParamReader } from './params.ts';

/** Which order a call means: by `orderId`, by client id, or both, which must then be the same order. */
export interface OrderChoice {
  readonly orderId: number | undefined;
  readonly clientId: string | undefined;
}

/** Reads the two ways to name an order; one of them must be there. */
export function readOrderChoice(
  reader: ParamReader,
  names: { readonly orderId: string; readonly clientId: string },
): OrderChoice {
  const orderId = reader.integer(names.orderId);
  const clientId = reader.text(names.clientId);
  if (orderId === undefined && clientId === undefined) {
    reader.refuse(mandatoryEither(names.clientId, names.orderId));
  }
  return { orderId, clientId };
}

/** The core's reference for a choice; `orderId` leads where both are given. */
export function orderRef(choice: OrderChoice): OrderRef {
  return choice.orderId !== undefined
    ? { orderId: choice.orderId as SimOrderId }
    : { clientId: choice.clientId ?? '' };
}

/** How almost every call names an order. */
export const BY_ID = { orderId: 'orderId', clientId: 'origClientOrderId' };

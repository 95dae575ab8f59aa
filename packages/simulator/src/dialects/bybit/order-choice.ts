import { missing } from './errors.ts';
import type { ParamReader } from './params.ts';

/** Which order a call is about. The venue's id goes before the client's. */
export interface OrderChoice {
  readonly orderId: string | undefined;
  readonly orderLinkId: string | undefined;
}

/** Reads the ids. `needed`: one of them must be there. */
export function readOrderChoice(reader: ParamReader, needed: boolean): OrderChoice {
  const orderId = reader.text('orderId');
  const orderLinkId = reader.text('orderLinkId');
  if (needed && orderId === undefined && orderLinkId === undefined) {
    reader.refuse(missing('orderId or orderLinkId'));
  }
  return { orderId, orderLinkId };
}

/** Whether the choice names an order at all. */
export function namesOrder(choice: OrderChoice): boolean {
  return choice.orderId !== undefined || choice.orderLinkId !== undefined;
}

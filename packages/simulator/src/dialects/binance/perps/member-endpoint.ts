import {
  type Endpoint,
  FUTURES_PREFIX,
  type Manner,
  type Prepared,
  REST_KEY,
  REST_SIGNED,
  SIGNED,
} from '../endpoint.ts';
import type { ParamReader } from '../params.ts';
import type { FuturesDesk } from './desk.ts';

/** What is signed, through both doors. */
export const BOTH_DOORS: Manner = SIGNED;
/** The same where it counts against the account's orders. */
export const ORDERING: Manner = { ...SIGNED, countsOrder: true };
/** What is signed, by REST alone. */
export const BY_REST: Manner = REST_SIGNED;
export const BY_REST_ORDERING: Manner = { ...REST_SIGNED, countsOrder: true };
/** The key alone says who asks. */
export const WITH_KEY: Manner = { ...REST_KEY, socket: true };

/**
 * Declares a call about an account.
 * @param head `order.place POST /fapi/v1/order`: the WebSocket API's method, or a name of ours, then its route.
 */
export function memberEndpoint(
  manner: Manner,
  head: string,
  prepare: (reader: ParamReader, desk: FuturesDesk) => Prepared,
): Endpoint<FuturesDesk> {
  const [name = '', ...route] = head.split(' ');
  const rest = route.length === 0 ? [] : [route.join(' ')];
  return { ...manner, name: `${FUTURES_PREFIX}${name}`, rest, params: 'ANY', prepare };
}

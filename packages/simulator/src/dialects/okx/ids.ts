import type { AccountNumber, OrderRef, SimFill, SimOrder, SimOrderId } from '../../exchange.ts';
import type { Listed } from './listing.ts';

/**
 * OKX's ids are unique at the venue, the core's within a market: the instrument's code is the end of each. Ids of one
 * market ascend with time.
 */

const CODE_SPAN = 10_000n;
const ID = /^[0-9]{1,20}$/;

/** `ordId` of an order. */
export function ordIdOf(listed: Listed, orderId: SimOrderId): string {
  return String(BigInt(orderId) * CODE_SPAN + BigInt(listed.code));
}

/** `billId` of a fill: a trade of two orders of one account has two. */
export function billIdOf(listed: Listed, fill: Pick<SimFill, 'tradeId' | 'side'>): string {
  const side = fill.side === 'BUY' ? 0n : 1n;
  return String((BigInt(fill.tradeId) * CODE_SPAN + BigInt(listed.code)) * 2n + side);
}

/** Codes of pairs, moved to where no instrument has one. */
const PAID_CODES = 2_000n;

/** `billId` of what was paid in a trade of a pair; `billIdOf` is that of what was received. */
export function paidBillIdOf(listed: Listed, fill: Pick<SimFill, 'tradeId' | 'side'>): string {
  return String(BigInt(billIdOf(listed, fill)) + 2n * PAID_CODES);
}

/** The end of ids of what belongs to no instrument. */
const NO_CODE = 1n;

/** `billId` of a payment that is no trade. */
export function incomeBillId(sequence: number): string {
  return String((BigInt(sequence) * CODE_SPAN + NO_CODE) * 2n);
}

/** The instrument's code and the core's id behind an `ordId`; `undefined` when it is none. */
export function splitOrdId(
  ordId: string,
): { readonly code: number; readonly orderId: SimOrderId } | undefined {
  if (!ID.test(ordId)) return undefined;
  const orderId = Number(BigInt(ordId) / CODE_SPAN);
  if (!Number.isSafeInteger(orderId)) return undefined;
  return { code: Number(BigInt(ordId) % CODE_SPAN), orderId: orderId as SimOrderId };
}

/** The instrument's code and the trade behind a `billId`. */
export function splitBillId(billId: string): { readonly code: number; readonly tradeId: number } | undefined {
  if (!ID.test(billId)) return undefined;
  const both = splitOrdId(String(BigInt(billId) / 2n));
  return both === undefined ? undefined : { code: both.code, tradeId: both.orderId };
}

/** Orders placed without an id have one of ours in the core, which no client can choose. */
const OWN_MARK = '-';

/** The core's client id of an order without `clOrdId`. */
export function ownClientId(random: string): string {
  return OWN_MARK + random;
}

/** `clOrdId` of an order; empty where its owner gave none, or it is an order of the venue's own. */
export function clOrdIdOf(order: Pick<SimOrder, 'clientId'>): string {
  return order.clientId.includes(OWN_MARK) ? '' : order.clientId;
}

/** The core's reference for the names that a call gave; `ordId` leads. `undefined` when neither can be one. */
export function orderRef(
  listed: Listed,
  names: { readonly ordId: string | undefined; readonly clOrdId: string | undefined },
): OrderRef | undefined {
  if (names.ordId === undefined) return names.clOrdId === undefined ? undefined : { clientId: names.clOrdId };
  const split = splitOrdId(names.ordId);
  return split?.code === listed.code ? { orderId: split.orderId } : undefined;
}

/** Numbers of accounts begin behind this one. */
const UID_ORIGIN = 44_705_892_343_000_000n;

/** `uid` by which OKX knows an account. */
export function uidOf(account: AccountNumber): string {
  return String(UID_ORIGIN + BigInt(account));
}

import type { Desk } from './desk.ts';
import { ERRORS, type OkxError } from './errors.ts';
import type { ParamBag } from './params.ts';
import type { Use } from './rate-limits.ts';

/** What one call uses of which limits (OKX v5 guide, "Rate Limits" and the limit of each call's page, 2025-11 and 2026). */

/** Orders placed, changed or cancelled one by one in two seconds, and those of batches, which count apart. */
export const ORDERS_PER_2_SECONDS = { single: 60, batch: 300 } as const;
const BATCH = '.batch';
/** Algo orders are cancelled by a list alone, and each of it counts ("Cancel algo order": 20 orders per 2 seconds). */
const ALGO_CANCEL = 'order.algo.cancel';
/** New and changed orders of an account's contracts in two seconds, whatever calls they came by; pairs are exempt. */
const ACCOUNT_ORDERS_MAX = 1_000;
const ACCOUNT_ORDER_CALLS = ['order.place', 'order.amend'];

type CountedBy = 'instId' | 'instType' | 'ccy';

/** "Rate limit rule: User ID + Instrument ID" and its like: values of a parameter that are counted each for itself, by the call's name. */
const COUNTED_BY: Readonly<Record<string, CountedBy>> = {
  'order.place': 'instId',
  'order.cancel': 'instId',
  'order.amend': 'instId',
  'order.find': 'instId',
  'order.close': 'instId',
  'order.algo.place': 'instId',
  'order.algo.cancel': 'instId',
  'order.algo.amend': 'instId',
  markPrice: 'instId',
  openInterest: 'instId',
  fundingRate: 'instId',
  'fundingRate.history': 'instId',
  instruments: 'instType',
  'account.instruments': 'instType',
  'transfer.place': 'ccy',
};

/** One call of an address or an account. */
export interface CountedCall {
  readonly name: string;
  readonly per2SecondsMax: number;
  readonly windowMillis?: number;
  readonly who: string;
  /** Every object of the request; batches have several. */
  readonly bags: readonly ParamBag[];
}

/** The part of a limit that one object of a request belongs to: only what exists makes a part of its own. */
function partOf(desk: Desk, bag: ParamBag, by: CountedBy | undefined): string {
  if (by === undefined) return '';
  const value = bag.get(by);
  if (by !== 'instId') return typeof value === 'string' && /^[A-Z]{2,8}$/.test(value) ? value : '';
  const code = Number(bag.get('instIdCode'));
  const listed = typeof value === 'string' ? desk.listing.find(value) : desk.listing.findCode(code);
  return listed?.instId ?? '';
}

/** Counts a call. @returns why it must wait. */
export function limitRefusal(desk: Desk, call: CountedCall): OkxError | undefined {
  const { bags, who, windowMillis } = call;
  const plain = call.name.endsWith(BATCH) ? call.name.slice(0, -BATCH.length) : call.name;
  // A batch of one order counts as the order alone.
  const alone = plain !== call.name && bags.length === 1;
  const name = alone ? plain : call.name;
  const max = alone ? ORDERS_PER_2_SECONDS.single : call.per2SecondsMax;
  const parts = (bags.length === 0 ? [new Map()] : bags).map((bag) => partOf(desk, bag, COUNTED_BY[plain]));
  const own = [...new Set(parts)].map((part): Use => {
    // Orders of a batch count one by one, whatever else comes as a list counts once.
    const weight =
      plain === call.name && plain !== ALGO_CANCEL ? 1 : parts.filter((one) => one === part).length;
    return {
      key: `${name} ${who} ${part}`,
      max,
      weight,
      ...(windowMillis === undefined ? {} : { windowMillis }),
    };
  });
  const now = desk.now();
  if (!desk.rates.allows(own, now)) return ERRORS.tooMany;
  if (!ACCOUNT_ORDER_CALLS.includes(plain)) return undefined;
  const weight = parts.filter((part) => desk.listing.find(part)?.part === 'perps').length;
  const all: Use = { key: `orders ${who}`, max: ACCOUNT_ORDERS_MAX, weight };
  return desk.rates.allows([all], now) ? undefined : ERRORS.tooManyOrders;
}

import { type Millis, refused } from '@crossbook/domain';
import type { AccountNumber } from '../../../exchange.ts';
import { openAccountType } from '../account-types.ts';
import { type Desk, TAGS_PER_ACCOUNT_MAX } from '../desk.ts';
import { type Answer, type Endpoint, rows, type SignedCall, signedEndpoint } from '../endpoint.ts';
import { cannotBeEmpty, ERRORS, parameterError } from '../errors.ts';
import { splitOrdId } from '../ids.ts';
import { TAG } from '../orders/order-words.ts';
import { ordersOf } from './adapters.ts';

/** Cancelling everything when its owner is not heard of for a while (OKX v5 guide, "POST / Cancel All After", 2026). */

const SECONDS_MIN = 10;
const SECONDS_MAX = 120;
/** Once a second, for an account and for each of its tags. */
const PER_2_SECONDS_MAX = 2;
/** All tags of an account and the account itself. */
const ALL_PER_2_SECONDS_MAX = (TAGS_PER_ACCOUNT_MAX + 1) * PER_2_SECONDS_MAX;

/** Cancels what is open of pairs and contracts, one by one. @param tag of the orders that are meant; empty: all. */
async function cancelOpen(desk: Desk, account: AccountNumber, tag: string): Promise<void> {
  for (const listed of desk.listing.all()) {
    const orders = ordersOf(listed);
    const place = { account, listed };
    for (const entry of orders.open(desk, place)) {
      const ordId = String(entry.id);
      const orderId = splitOrdId(ordId)?.orderId;
      const named = orderId === undefined ? undefined : orders.find(desk, place, { orderId });
      if (named === undefined || (tag !== '' && desk.orderNotes.tagOf(named.order) !== tag)) continue;
      desk.orderNotes.noteCountdown(ordId);
      await orders.cancel(desk, named);
    }
  }
}

async function cancelAfter(call: SignedCall): Promise<Answer> {
  const { desk, reader } = call;
  const ts = desk.now();
  if (!reader.has('timeOut')) reader.refuse(cannotBeEmpty('timeOut'));
  const seconds = reader.integer('timeOut') ?? 0;
  if (seconds !== 0 && (seconds < SECONDS_MIN || seconds > SECONDS_MAX))
    reader.refuse(parameterError('timeOut'));
  const tag = reader.pattern('tag', TAG) ?? '';
  if (reader.refusal !== undefined) return refused(reader.refusal);
  const account = await openAccountType(desk, call.account, '18');
  const owner = `${account} ${tag}`;
  const use = { key: `trade.cancelAfter ${owner}`, max: PER_2_SECONDS_MAX, weight: 1 };
  if (!desk.rates.allows([use], ts)) return refused(ERRORS.tooMany);
  const triggerTime = (ts + seconds * 1_000) as Millis;
  if (seconds === 0) desk.cancelTimers.clear({ account, part: tag });
  else if (
    !desk.cancelTimers.set({ account, part: tag, triggerTime, run: () => cancelOpen(desk, account, tag) })
  ) {
    return refused(ERRORS.tooManyCountdowns);
  }
  return rows([{ triggerTime: seconds === 0 ? '0' : String(triggerTime), tag, ts: String(ts) }]);
}

/** The countdown. */
export const CANCEL_AFTER_ENDPOINTS: readonly Endpoint[] = [
  signedEndpoint('countdown POST /api/v5/trade/cancel-all-after', ALL_PER_2_SECONDS_MAX, cancelAfter),
];

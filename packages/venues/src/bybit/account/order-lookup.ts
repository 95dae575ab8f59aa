import type { Instrument } from '@crossbook/domain';
import { reasonOf } from '../../trading/call-answers.ts';
import type { FindOutcome, VenueCredentials } from '../../venue-answers.ts';
import type { OrderName } from '../../venue-orders.ts';
import { ACCOUNT_CALLS } from '../limits.ts';
import type { Asking } from './calls.ts';
import { isNoSuchOrder } from './errors.ts';
import type { OrderShape } from './order-shapes.ts';

/** What is looked up, and how an answer is read. */
export interface OrderQuestion<Found> {
  readonly category: OrderShape['category'];
  readonly instrument: Instrument;
  readonly name: OrderName;
  /** Rows of a list; `undefined` for any other shape. */
  read(list: unknown): readonly Found[] | undefined;
  /** Whether a row is about what was asked. */
  isAbout(found: Found): boolean;
}

/**
 * Looks one order up by our id or the venue's: among the open and recently closed ones, then in the history, where alone
 * older ones are. `not-found` only when both have answered that they have none.
 */
export async function lookUp<Found>(
  calls: Asking,
  credentials: VenueCredentials,
  question: OrderQuestion<Found>,
): Promise<FindOutcome<Found>> {
  const recent = await findIn('/v5/order/realtime', calls, credentials, question);
  if (recent.outcome !== 'not-found') return recent;
  return findIn('/v5/order/history', calls, credentials, question);
}

async function findIn<Found>(
  path: string,
  calls: Asking,
  credentials: VenueCredentials,
  { category, instrument, name, read, isAbout }: OrderQuestion<Found>,
): Promise<FindOutcome<Found>> {
  const id = 'clientId' in name ? { orderLinkId: name.clientId } : { orderId: name.venueOrderId };
  const { answer } = await calls.send(credentials, {
    method: 'GET',
    path,
    requestClass: 'lookup',
    limit: ACCOUNT_CALLS.read,
    parameters: { category, symbol: instrument.symbol, ...id },
  });
  if (answer.kind === 'error' && isNoSuchOrder(answer.error)) return { outcome: 'not-found' };
  if (answer.kind !== 'result') return { outcome: 'unknown', why: reasonOf(answer) };
  const found = read(answer.value.list);
  if (found === undefined) return { outcome: 'unknown', why: 'unreadable order' };
  const [one] = found;
  if (one === undefined) return { outcome: 'not-found' };
  // An id that stands for two orders, or another order, proves nothing of ours.
  const sound = found.length === 1 && isAbout(one);
  return sound ? { outcome: 'found', value: one } : { outcome: 'unknown', why: 'list of other orders' };
}

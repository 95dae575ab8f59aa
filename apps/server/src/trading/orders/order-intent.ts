import { formatAmount, isFinal, ORDER_STATUS } from '@crossbook/domain';
import { venueProfile } from '@crossbook/venues';
import type { AbsenceRule, IntentDoubt, IntentRules, IntentStep, LookupTimes } from '../../intents/intent.ts';
import type { StoredOrder } from '../order.ts';
import type { TradingDeps } from '../ports.ts';
import { settleWithTerms, writeTerms } from './amendment.ts';
import { absenceOf, findOrder } from './lookup.ts';
import { bookUpdate, onVenueEvent, recordProgress } from './on-venue-event.ts';
import type { OrderProof } from './order-proof.ts';

/** Proof of absence: at least so many lookups over at least so long, the deadline behind us. */
export type AbsenceProof = Pick<AbsenceRule, 'lookupsMin' | 'spanMillisMin'>;

/** The rule in production. */
export const ABSENCE_PROOF: AbsenceProof = { lookupsMin: 5, spanMillisMin: 60_000 };

/** Orders with an uncertain outcome are looked up after 1, 2, 4, 8 and then every 15 s. */
const LOOKUPS: LookupTimes = {
  firstMillis: [1_000, 2_000, 4_000, 8_000],
  thenMillis: 15_000,
  atOnceMax: { fresh: 16, old: 4 },
};

/** Lookups that may miss an order the venue had acknowledged: what it answers from may lag behind what it did. */
const LAGGING_LOOKUPS_MAX = 2;

/** Orders as intents: the row and its hold are the write-ahead, and only the call that made one ever sends it. */
export function orderRules(deps: TradingDeps, proof: AbsenceProof): IntentRules<StoredOrder, OrderProof> {
  return {
    name: 'order',
    lane: (id) => id,
    load: (id) => deps.orders.byId(id),
    left: () => deps.orders.unsettled(),
    standing: (order) => ({
      id: order.id,
      ended: order.settled,
      perhapsSent: true,
      taken: order.venueOrderId !== undefined,
      absences: order.lookups,
      createdAt: order.createdAt,
      ...(order.deadlineAt === undefined ? {} : { deadlineAt: order.deadlineAt }),
      ...(order.firstLookupAt === undefined ? {} : { firstAbsenceAt: order.firstLookupAt }),
    }),
    share: lookupShare,
    find: (order) => findOrder(deps, order),
    deadlineMillis: ({ platform }) => venueProfile(platform).trading.orderDeadlineMillis,
    absence: { ...proof, countedFrom: 'first-lookup' },
    proveAbsent: (order) => absenceOf(deps, order),
    settle: (order, proved) => settleOrder(deps, order, proved),
    unclear: (order, doubt) => recordDoubt(deps, order, doubt),
    shownUnknown: (order) => ({ ...order, status: ORDER_STATUS.UNKNOWN }),
    evidence: orderEvidence,
    lookups: LOOKUPS,
  };
}

/** Lookups of one platform share their places. */
export function lookupShare({ platform }: Pick<StoredOrder, 'platform'>): string {
  return String(platform);
}

async function settleOrder(
  deps: TradingDeps,
  order: StoredOrder,
  proved: OrderProof,
): Promise<IntentStep<StoredOrder>> {
  const over = async (change: Parameters<typeof recordProgress>[2]) => {
    // Before its end is written: nobody would look at a change of it again.
    const terms = { askedAt: deps.clock() };
    const still =
      order.amendment === undefined ? order : await writeTerms(deps, order, { terms, lowers: false });
    const after = await recordProgress(deps, still, { ...change, settled: true });
    return { intent: after, needsLookup: false };
  };
  if ('refused' in proved) return over({ status: ORDER_STATUS.REJECT, reason: proved.refused });
  if ('absent' in proved) {
    const { FAIL, CANCELLED } = ORDER_STATUS;
    return over({ status: proved.absent === 'failed' ? FAIL : CANCELLED });
  }
  if (proved.terms !== undefined) return settleWithTerms(deps, order, { ...proved, terms: proved.terms });
  const booked =
    proved.first === true
      ? await bookUpdate(deps, { order, booked: [] }, proved.update)
      : await onVenueEvent(deps, order.id, proved.update);
  const needsLookup = booked?.needsLookup !== false || proved.receiptOnly === true;
  return { intent: booked?.order ?? order, needsLookup };
}

async function recordDoubt(deps: TradingDeps, order: StoredOrder, doubt: IntentDoubt): Promise<StoredOrder> {
  const seen = { lookups: doubt.absences, firstLookupAt: doubt.firstAbsenceAt };
  if (order.venueOrderId !== undefined) {
    return recordProgress(deps, order, { ...seen, status: acknowledgedButAbsent(deps, order, doubt) });
  }
  const change = { ...seen, status: ORDER_STATUS.UNKNOWN, deadlineAt: doubt.deadlineAt };
  return recordProgress(deps, order, change);
}

/** An order that the venue had acknowledged cannot be unknown to it yet: that is for a person, not for a rule. */
function acknowledgedButAbsent(deps: TradingDeps, order: StoredOrder, { absences, often }: IntentDoubt) {
  const lagging = absences <= LAGGING_LOOKUPS_MAX;
  const forgets = deps.venue(order.platform)?.trading.forgetsUnfilledMillis ?? 0;
  const quiet = deps.clock() - order.createdAt >= forgets && !often;
  if (!lagging && !quiet) {
    deps.log.incident('an acknowledged order is gone', { id: order.id });
    const what = 'an acknowledged order is gone';
    deps.incidents.open({ subject: 'order', id: order.id, what, evidence: orderEvidence(order) });
  }
  // The venue has reported how it ended; only bookings are missing.
  return lagging || isFinal(order.status) ? order.status : ORDER_STATUS.UNKNOWN;
}

/** An order as a person who must decide about it reads it. */
export function orderEvidence(order: StoredOrder): Readonly<Record<string, unknown>> {
  const { payloadHash: _hash, amendment, ...rest } = order;
  const text = (value: unknown) =>
    typeof value === 'bigint' ? formatAmount(value as StoredOrder['holdAmount']) : value;
  const asked = Object.entries(amendment ?? {}).map(([name, value]) => [`amendment.${name}`, value] as const);
  return Object.fromEntries([...Object.entries(rest), ...asked].map(([name, value]) => [name, text(value)]));
}

import {
  type Amount,
  isFinal,
  isResting,
  type Millis,
  minus,
  notionalUp,
  type OrderId,
  plus,
  SIDE,
} from '@crossbook/domain';
import { isUnjudged } from '@crossbook/ledger';
import type { AmendOutcome } from '@crossbook/venues/trading';
import { announce } from '../booking/announce.ts';
import { type AmendedTerms, clientIdAtVenue, isNameless, type StoredOrder } from '../order.ts';
import { type Refused, refusal, type TradingDeps } from '../ports.ts';
import { keptReason, refusalOfReason } from '../venue-refusal.ts';
import { costAt, keep, settleWithTerms, withHold, writeTerms } from './amendment.ts';
import { type Whereabouts, whereabouts } from './lookup.ts';
import { lookupShare } from './order-intent.ts';
import type { Placing } from './place-order.ts';
import { termsOf } from './send.ts';

/** How far a change under the order's own id came; `replace`: it cannot be changed so and must be placed anew. */
export type AmendAnswer =
  | { readonly ok: true; readonly outcome: 'amended' | 'pending'; readonly order: StoredOrder }
  | { readonly ok: true; readonly outcome: 'replace' }
  | Refused;

const REPLACE = { ok: true, outcome: 'replace' } as const;

/**
 * Changes an order that rests under its own id: more is held before the venue is asked, less once it has shown the new
 * terms. It is asked once; what came of a lost answer the order's terms prove, also to the next process. In the order's lane.
 * @param from the terms that it was made for: others mean that another change came first.
 * @param more what the change of an order on a contract holds besides.
 */
export async function amendOrder(
  placing: Placing,
  id: OrderId,
  { from, to, more }: AskedAmendment,
): Promise<AmendAnswer> {
  const { deps, machine } = placing;
  const order = await deps.orders.byId(id);
  if (order === undefined || isFinal(order.status))
    return refusal({ error: 'order-final', field: 'orderId' });
  if (order.amendment !== undefined || order.price !== from.price || order.quantity !== from.quantity)
    return refusal({ error: 'change-pending' });
  const where = await whereabouts(deps, order, 'cancel');
  if (where === undefined || !rests(order) || to.quantity <= order.cumQuantity) return REPLACE;
  const held = await holdFor(placing, order, { to, more });
  if (!held.ok || held.outcome !== 'held') return held;
  try {
    return await carryOut(placing, held.order, { to, where });
  } catch (error) {
    // The venue was asked: what came of it only the order's terms tell.
    deps.log.note('a change of an order was not written', { id, error: String(error) });
    machine.lookupSoon(id, lookupShare(order));
    return refusal({ error: 'outcome-unknown' });
  }
}

/** What a member wants changed, and of what. */
interface AskedAmendment {
  readonly from: Pick<StoredOrder, 'price' | 'quantity'>;
  readonly to: AmendedTerms;
  readonly more: Amount;
}

/** Asks the venue for the change that is held for, and writes what came of it. @throws Error when it was not written. */
async function carryOut(
  { deps, machine }: Placing,
  order: StoredOrder,
  { to, where }: { readonly to: AmendedTerms; readonly where: Whereabouts },
): Promise<AmendAnswer> {
  const outcome = await ask(deps, order, where);
  const lookupSoon = () => machine.lookupSoon(order.id, lookupShare(order));
  if (outcome.outcome === 'refused') {
    await writeTerms(deps, order, { terms: { askedAt: deps.clock() }, lowers: true });
    return refusal(refusalOfReason(keptReason(outcome)));
  }
  if (outcome.outcome === 'amended') {
    const terms = { ...to, askedAt: deps.clock() };
    const update = { state: outcome.state, fills: [], barrier: false };
    const { intent, needsLookup } = await settleWithTerms(deps, order, { update, terms });
    if (needsLookup) lookupSoon();
    return { ok: true, outcome: 'amended', order: intent };
  }
  lookupSoon();
  // The venue has done with a request that it has answered; a lost one may still arrive.
  const deadlineAt = outcome.outcome === 'unknown' ? outcome.deadlineAt : deps.clock();
  const amendment = { ...to, lookups: 0, ...(deadlineAt === undefined ? {} : { deadlineAt }) };
  return { ok: true, outcome: 'pending', order: await keep(deps, order, amendment) };
}

/** Whether the venue has taken it under a name of ours, and nothing about it is open. */
function rests(order: StoredOrder): boolean {
  const { status, venueOrderId, cancelPending } = order;
  return isResting(status) && venueOrderId !== undefined && !isNameless(order) && !cancelPending;
}

/** The write-ahead: what is asked for, and a hold that covers both and what may fill on the way from one to the other. */
async function holdFor(
  { deps, machine }: Placing,
  order: StoredOrder,
  { to, more }: Omit<AskedAmendment, 'from'>,
): Promise<
  { readonly ok: true; readonly outcome: 'held'; readonly order: StoredOrder } | typeof REPLACE | Refused
> {
  const moved = withHold(order, order.contract === undefined ? largest(order, to) : more);
  const after = { ...moved.order, amendment: { ...to, lookups: 0 }, updatedAt: deps.clock() };
  deps.crash('before-hold');
  const done = await deps.ledger.commit({ commands: moved.commands, writes: [deps.orders.amend(after)] });
  deps.crash('after-hold');
  if (done.ok) {
    announce(deps, after, []);
    return { ok: true, outcome: 'held', order: after };
  }
  // Whether it is written nobody can say: nothing was sent, and a lookup clears it.
  if (done.code === 'outcome-unknown') machine.lookupSoon(order.id, lookupShare(order));
  if (isUnjudged(done.code)) return refusal({ error: done.code });
  // One after the other they may fit where both at once do not.
  return order.contract === undefined ? REPLACE : refusal({ error: 'balance-insufficient' });
}

/** The dearest way from one to the other: all of the old order may fill on the way, and what is added comes on top. */
function largest(order: StoredOrder, to: AmendedTerms): Amount {
  const added = minus(to.quantity, order.quantity ?? to.quantity);
  const both =
    order.side === SIDE.BUY && added > 0n
      ? plus(order.holdAmount, notionalUp(to.price, added))
      : order.holdAmount;
  const next = costAt(order, to);
  return next > both ? next : both;
}

/** Asks the venue, once. Whatever breaks once it may have been asked leaves the outcome unknown. */
async function ask(
  deps: TradingDeps,
  order: StoredOrder,
  { amend, credentials, instrument }: Whereabouts,
): Promise<
  | Exclude<AmendOutcome, { outcome: 'unknown' }>
  | { readonly outcome: 'unknown'; readonly deadlineAt?: Millis }
> {
  const { side, contract, amendment, cumQuantity: executed } = order;
  if (amendment === undefined) throw new Error(`order ${order.id}: its change is not written`);
  const clientId = clientIdAtVenue(order);
  try {
    const asked = amend(credentials, {
      ...{ clientId, instrument, side, timeInForce: order.sendTimeInForce },
      ...{ price: amendment.price, quantity: amendment.quantity, executed, replacementId: clientId },
      ...(contract === undefined ? {} : { contract: termsOf(contract) }),
    });
    deps.crash('after-send');
    const answered = await asked;
    deps.crash('after-answer');
    return answered;
  } catch (error) {
    deps.log.note('a change of an order stopped half way', { id: order.id, error: String(error) });
    return { outcome: 'unknown' };
  }
}

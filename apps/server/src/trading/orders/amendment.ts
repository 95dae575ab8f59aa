import {
  type Amount,
  assert,
  isFinal,
  type Millis,
  minus,
  notionalUp,
  plus,
  SIDE,
  ZERO,
} from '@crossbook/domain';
import { type AccountRef, holdId, type LedgerCommand } from '@crossbook/ledger';
import { venueProfile } from '@crossbook/venues';
import type { IntentStep } from '../../intents/intent.ts';
import { announce } from '../booking/announce.ts';
import { commitWithRows } from '../booking/booked-rows.ts';
import { endOfHold } from '../booking/settle.ts';
import { contractAccount } from '../contract-settle.ts';
import type { AmendedTerms, StoredOrder } from '../order.ts';
import type { TradingDeps } from '../ports.ts';
import { onVenueEvent, type UpdateOutcome } from './on-venue-event.ts';
import type { OrderProof, TermsRead } from './order-proof.ts';

/** What a venue answers from may lag behind what it did: the terms of before must be shown so often after the deadline. */
const OLD_TERMS_SHOWN_MIN = 2;

/** All that an order of a pair costs by some terms: what it has executed, and the rest at its price. */
export function costAt(order: StoredOrder, { price, quantity }: AmendedTerms): Amount {
  const { spent } = executed(order);
  const rest = minus(quantity, order.cumQuantity);
  return plus(spent, order.side === SIDE.BUY ? notionalUp(price, rest) : rest);
}

function executed({ side, contract, cumQuantity, cumQuote }: StoredOrder): { readonly spent: Amount } {
  // The hold of an order on a contract is never paid out of.
  if (contract !== undefined) return { spent: ZERO };
  return { spent: side === SIDE.BUY ? cumQuote : cumQuantity };
}

/**
 * The order with another hold in place of its own, which then holds what `total` leaves after its fills; the same order
 * where there is nothing to move. Both are one commit.
 */
export function withHold(
  order: StoredOrder,
  total: Amount,
): { readonly order: StoredOrder; readonly commands: readonly LedgerCommand[] } {
  assert(order.sharesHold === undefined, 'an order that shares a hold is never changed');
  const amount = minus(total, executed(order).spent);
  const { user, platform, holdAsset: asset, contract } = order;
  // What is complete is freed by its end. That of a contract may have ended by now, whatever the row says.
  if ((contract === undefined && total === order.holdAmount) || amount <= 0n) return { order, commands: [] };
  const spot: AccountRef = { class: 'TRADING', user, platform, asset };
  const account = contract === undefined ? spot : contractAccount({ user, platform, asset });
  const id = holdId('order', order.holdId, 'next');
  const hold: LedgerCommand = { do: 'hold', id, account, amount, kind: 'order-hold' };
  return { order: { ...order, holdId: id, holdAmount: total }, commands: [...endOfHold(order), hold] };
}

/**
 * Books what was read of an order while a change of it was under way: fills at terms of which the larger is held, and then
 * what it asks for now. In its lane.
 */
export async function settleWithTerms(
  deps: TradingDeps,
  order: StoredOrder,
  { update, terms }: Extract<OrderProof, { readonly update: unknown }> & { readonly terms: TermsRead },
): Promise<IntentStep<StoredOrder>> {
  const ends = isFinal(update.state.status);
  // Before its end is booked: nobody would look at it again.
  if (ends) await writeTerms(deps, order, { terms, lowers: false });
  const booked = await onVenueEvent(deps, order.id, update);
  if (ends || booked === undefined)
    return { intent: booked?.order ?? order, needsLookup: booked?.needsLookup !== false };
  const decided = await decide(deps, booked, terms);
  return {
    intent: decided.order,
    needsLookup: booked.needsLookup || decided.open,
    why: 'whether it was changed is not known yet',
  };
}

/** Whether the venue has carried the change out: its terms say so, or those of before still stand when it no longer can. */
async function decide(
  deps: TradingDeps,
  { order, needsLookup }: UpdateOutcome,
  terms: TermsRead,
): Promise<{ readonly order: StoredOrder; readonly open: boolean }> {
  const { amendment } = order;
  if (amendment === undefined) return { order, open: false };
  const now = termsOf(order, terms);
  const done = now.price === amendment.price && now.quantity === amendment.quantity;
  // What is not booked yet may have filled at the old price: nothing of the hold is freed before.
  if (needsLookup)
    return { order: done ? await keep(deps, { ...order, ...amended(now) }, amendment) : order, open: true };
  if (done) return { order: await writeTerms(deps, order, { terms, lowers: true }), open: false };
  const { deadlineAt } = amendment;
  if (deadlineAt === undefined) {
    // Its sender is gone, and may have asked until a moment ago.
    const from = (deps.clock() + venueProfile(order.platform).trading.orderDeadlineMillis) as Millis;
    return { order: await keep(deps, order, { ...amendment, deadlineAt: from }), open: true };
  }
  if (terms.askedAt <= deadlineAt) return { order, open: true };
  const lookups = amendment.lookups + 1;
  if (lookups < OLD_TERMS_SHOWN_MIN)
    return { order: await keep(deps, order, { ...amendment, lookups }), open: true };
  return { order: await writeTerms(deps, order, { terms, lowers: true }), open: false };
}

function termsOf({ price, quantity }: StoredOrder, read: TermsRead): Partial<AmendedTerms> {
  const at = read.price ?? price;
  const size = read.quantity ?? quantity;
  return { ...(at === undefined ? {} : { price: at }), ...(size === undefined ? {} : { quantity: size }) };
}

function amended(terms: Partial<AmendedTerms>): Partial<AmendedTerms> & Pick<StoredOrder, 'sendPrice'> {
  return terms.price === undefined ? terms : { ...terms, sendPrice: terms.price };
}

/** Writes what is known of a change that is not proved. In the order's lane. */
export async function keep(
  deps: TradingDeps,
  order: StoredOrder,
  amendment: NonNullable<StoredOrder['amendment']>,
): Promise<StoredOrder> {
  return commitTerms(deps, { ...order, amendment }, []);
}

/**
 * Writes what an order asks for, as is proved: no change of it is under way any more, and where it `lowers` its hold is what
 * those terms cost. In its lane.
 */
export async function writeTerms(
  deps: TradingDeps,
  order: StoredOrder,
  { terms, lowers }: { readonly terms: TermsRead; readonly lowers: boolean },
): Promise<StoredOrder> {
  const { amendment: _decided, ...rest } = order;
  const now = termsOf(order, terms);
  const { price, quantity } = now;
  const after: StoredOrder = { ...rest, ...amended(now) };
  // That of a contract ends when the venue's figures contain the order.
  if (!lowers || order.contract !== undefined || price === undefined || quantity === undefined)
    return commitTerms(deps, after, []);
  const cost = costAt(order, { price, quantity });
  if (cost > order.holdAmount) {
    deps.log.incident('an order asks for more than is held', { id: order.id });
    return commitTerms(deps, after, []);
  }
  const held = withHold(after, cost);
  return commitTerms(deps, held.order, held.commands);
}

async function commitTerms(
  deps: TradingDeps,
  order: StoredOrder,
  commands: readonly LedgerCommand[],
): Promise<StoredOrder> {
  const after = { ...order, updatedAt: deps.clock() };
  deps.crash('before-post');
  const done = await commitWithRows(deps, { commands, writes: [deps.orders.amend(after)] });
  deps.crash('after-post');
  if (!done.ok) throw new Error(`order ${order.id}: its terms were not written: ${done.code}`);
  announce(deps, after, []);
  return after;
}

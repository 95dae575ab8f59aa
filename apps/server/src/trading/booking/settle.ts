import {
  type Amount,
  lesser,
  minus,
  type Platform,
  plus,
  SIDE,
  type VenueFill,
  ZERO,
} from '@crossbook/domain';
import { type AccountRef, type LedgerCommand, transferId } from '@crossbook/ledger';
import type { StoredFill, StoredOrder } from '../order.ts';

/**
 * Out of what a fill is paid; the three parts sum to its cost. All from the hold is the rule; the others exist so that a
 * fill is never dropped and a member never negative when a venue did more than we held for (decision 0004):
 * first what the member has free, and only the rest stands as a debt of the platform (decision 0030.3).
 */
export interface Payment {
  readonly held: Amount;
  readonly available: Amount;
  readonly debt: Amount;
  /** The fee stands as a debt too: it is charged in an asset of which the member has too little. */
  readonly feeFromDebt: boolean;
}

/** The figures of a fill that decide what it costs. */
type Executed = Pick<VenueFill | StoredFill, 'quantity' | 'quoteQuantity'>;

/** What a fill costs of the order's held asset. */
export function costOf(order: Pick<StoredOrder, 'side'>, fill: Executed): Amount {
  return order.side === SIDE.BUY ? fill.quoteQuantity : fill.quantity;
}

/**
 * What an order's hold still has to give after some fills; nothing once the order has settled and with it ended its hold. A
 * shared hold goes on: the ledger says how much of it is left.
 */
export function restOfHold(order: StoredOrder, booked: readonly Executed[]): Amount {
  if (order.settled && order.sharesHold === undefined) return ZERO;
  const spent = booked.reduce((sum, fill) => plus(sum, costOf(order, fill)), ZERO);
  return spent >= order.holdAmount ? ZERO : minus(order.holdAmount, spent);
}

/** The payment to try first: from the hold as far as it reaches, the rest from what the member has free. */
export function paymentByRule(cost: Amount, held: Amount): Payment {
  const fromHold = lesser(cost, held);
  return { held: fromHold, available: minus(cost, fromHold), debt: ZERO, feeFromDebt: false };
}

/**
 * Every payment worth trying for one fill, best first. The last two expect nothing of the hold or the wallet, so that one
 * always fits.
 * @param held what the hold should still have. @param free what the member has free of the asset, as read just now.
 */
export function paymentsToTry(cost: Amount, held: Amount, free: Amount): readonly Payment[] {
  const rule = paymentByRule(cost, held);
  const own = lesser(rule.available, free);
  const split: Payment = { ...rule, available: own, debt: minus(rule.available, own) };
  const unheld = lesser(cost, free);
  const withoutHold: Payment = { ...rule, held: ZERO, available: unheld, debt: minus(cost, unheld) };
  const allDebt: Payment = { held: ZERO, available: ZERO, debt: cost, feeFromDebt: true };
  return [
    rule,
    { ...rule, feeFromDebt: true },
    split,
    { ...split, feeFromDebt: true },
    withoutHold,
    { ...withoutHold, feeFromDebt: true },
    allDebt,
  ];
}

function venueAccount(platform: Platform, asset: string): AccountRef {
  return { class: 'EXTERNAL', counterparty: `venue:${platform}`, asset };
}

function debtAccount(platform: Platform, asset: string): AccountRef {
  return { class: 'EXTERNAL', counterparty: `debt:${platform}`, asset };
}

function wallet(order: StoredOrder, asset: string): AccountRef {
  return { class: 'TRADING', user: order.user, platform: order.platform, asset };
}

/**
 * Movements of one fill: what was paid leaves, what was bought arrives, the fee leaves. Ids derive from the venue's own
 * trade id, so a replay is a no-op (invariant I12).
 */
export function fillCommands(
  order: StoredOrder,
  fill: VenueFill,
  payment: Payment,
): readonly LedgerCommand[] {
  const id = (leg: string) => transferId('fill', order.platform, order.symbol, fill.tradeId, order.id, leg);
  const buys = order.side === SIDE.BUY;
  const [paid, got] = buys ? [order.quote, order.base] : [order.base, order.quote];
  const gotAmount = buys ? fill.quantity : fill.quoteQuantity;
  const commands: LedgerCommand[] = [];
  const post = (
    leg: string,
    amount: Amount,
    sides: { readonly from: AccountRef; readonly to: AccountRef },
  ) => {
    if (amount <= 0n) return;
    const kind = leg === 'fee' ? 'trade-fee' : 'fill';
    commands.push({ do: 'post', id: id(leg), ...sides, amount, kind });
  };
  const venue = (asset: string) => venueAccount(order.platform, asset);
  if (payment.held > 0n) {
    const pay = { id: id('pay'), to: venue(paid), amount: payment.held, kind: 'fill' } as const;
    commands.push({ do: 'post-held', hold: order.holdId, ...pay });
  }
  post('pay-free', payment.available, { from: wallet(order, paid), to: venue(paid) });
  post('pay-debt', payment.debt, { from: debtAccount(order.platform, paid), to: venue(paid) });
  post('get', gotAmount, { from: venue(got), to: wallet(order, got) });
  const { feeAsset } = fill;
  const feeFrom = payment.feeFromDebt ? debtAccount(order.platform, feeAsset) : wallet(order, feeAsset);
  post('fee', fill.fee, { from: feeFrom, to: venue(feeAsset) });
  return commands;
}

/** Frees what is left of an order's hold; nothing where it has none, or one that its algo order ends. */
export function endOfHold({ holdId: hold, holdAmount, sharesHold }: StoredOrder): readonly LedgerCommand[] {
  return holdAmount === 0n || sharesHold === true ? [] : [{ do: 'release', hold }];
}

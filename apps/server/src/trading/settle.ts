import { type Platform, SIDE, type VenueFill } from '@crossbook/domain';
import { type AccountRef, type LedgerCommand, type LedgerRefusal, transferId } from '@crossbook/ledger';
import type { StoredOrder } from './order.ts';

/**
 * Out of what a fill is paid. `held` is the rule; the others exist so that a fill is never dropped and a member never
 * negative when a venue did more than we held for (money-and-security.md 1.5, decisions.md 3).
 */
export type PaidFrom = 'held' | 'available' | 'debt';

/** The next source to try after a refusal; `undefined` when a refusal cannot be cured that way. */
export function nextSource(source: PaidFrom, refusal: LedgerRefusal): PaidFrom | undefined {
  const holdGone = refusal === 'hold-exceeded' || refusal === 'hold-resolved' || refusal === 'unknown-hold';
  if (source === 'held' && holdGone) return 'available';
  if (source !== 'debt' && refusal === 'insufficient-funds') return 'debt';
  return undefined;
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
  source: PaidFrom,
): readonly LedgerCommand[] {
  const id = (leg: string) => transferId('fill', order.platform, order.symbol, fill.tradeId, order.id, leg);
  const buys = order.side === SIDE.BUY;
  const paid = buys
    ? { asset: order.quote, amount: fill.quoteQuantity }
    : { asset: order.base, amount: fill.quantity };
  const got = buys
    ? { asset: order.base, amount: fill.quantity }
    : { asset: order.quote, amount: fill.quoteQuantity };
  const commands: LedgerCommand[] = [];
  if (paid.amount > 0n) {
    const to = venueAccount(order.platform, paid.asset);
    const pay = { id: id('pay'), to, amount: paid.amount, kind: 'fill' } as const;
    if (source === 'held') commands.push({ do: 'post-held', hold: order.holdId, ...pay });
    else {
      const from =
        source === 'available' ? wallet(order, paid.asset) : debtAccount(order.platform, paid.asset);
      commands.push({ do: 'post', from, ...pay });
    }
  }
  if (got.amount > 0n) {
    const from = venueAccount(order.platform, got.asset);
    commands.push({
      do: 'post',
      id: id('get'),
      from,
      to: wallet(order, got.asset),
      amount: got.amount,
      kind: 'fill',
    });
  }
  if (fill.fee > 0n) {
    // A fee in a third asset the member does not hold stands as a debt until it is settled.
    const inKind = fill.feeAsset === got.asset;
    const from =
      inKind || source !== 'debt' ? wallet(order, fill.feeAsset) : debtAccount(order.platform, fill.feeAsset);
    const to = venueAccount(order.platform, fill.feeAsset);
    commands.push({ do: 'post', id: id('fee'), from, to, amount: fill.fee, kind: 'trade-fee' });
  }
  return commands;
}

/** Frees what is left of an order's hold. */
export function releaseCommand(order: StoredOrder): LedgerCommand {
  return { do: 'release', hold: order.holdId };
}

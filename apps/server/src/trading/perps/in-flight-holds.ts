import { type Millis, ORDER_STATUS } from '@crossbook/domain';
import type { AccountOwner } from '../account-pages.ts';
import { endOfHold } from '../booking/settle.ts';
import { contractWallet } from '../contract-settle.ts';
import type { TradingDeps } from '../ports.ts';

/**
 * Ends the holds of orders that the venue had acknowledged before its figures were read: from then on these contain what
 * the orders cost. A hold that has ended already stays ended.
 */
export async function endHolds(deps: TradingDeps, owner: AccountOwner, begunAt: Millis): Promise<void> {
  const orders = await deps.orders.unsettledOf(owner);
  const contained = orders.filter(
    ({ contract, holdAmount, status, venueOrderId, amendment, updatedAt }) =>
      contract !== undefined &&
      amendment === undefined &&
      holdAmount > 0n &&
      venueOrderId !== undefined &&
      status !== ORDER_STATUS.NEW &&
      status !== ORDER_STATUS.UNKNOWN &&
      updatedAt < begunAt,
  );
  if (contained.length === 0) return;
  const ended = await deps.ledger.commit({ commands: contained.flatMap(endOfHold) });
  if (!ended.ok) return deps.log.note('holds were not ended', { ...owner, code: ended.code });
  if (ended.value.replayed) return;
  deps.balances.tell(
    owner,
    contained.map(({ holdAsset }) => holdAsset),
    contractWallet(owner.platform),
  );
}

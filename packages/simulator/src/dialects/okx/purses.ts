import { type LabelledSub, masterOf, SUB_LABEL_PREFIX, subAccountsOf } from '../../accounts/labels.ts';
import type { AccountNumber, SimBalance } from '../../exchange.ts';
import type { Desk } from './desk.ts';

/**
 * OKX keeps two purses of every account: funding (6) and trading (18). The core has one per account, so the second is a
 * core account of its own, made when something first moves into it. A member's own account is his trading purse, where
 * the admin API puts his funds; the master's is his funding purse, out of which members are paid.
 */

/** A purse by the number that transfers name it with. */
export type Purse = '6' | '18';

/** Whether this is the operator's own account. */
export function isMaster(desk: Desk, account: AccountNumber): boolean {
  return masterOf(desk.venue.spot) === account;
}

function secondLabel(account: AccountNumber, purse: Purse): string {
  return `${purse === '6' ? 'funding' : 'trading'}-purse:${account}`;
}

function isOwn(desk: Desk, account: AccountNumber, purse: Purse): boolean {
  return isMaster(desk, account) === (purse === '6');
}

/** The core's account of a purse, made where it is not there yet. */
export async function openPurse(desk: Desk, account: AccountNumber, purse: Purse): Promise<AccountNumber> {
  if (isOwn(desk, account, purse)) return account;
  return await desk.venue.spot.openAccount(secondLabel(account, purse));
}

/** The core's account of a purse; `undefined` while nothing was ever in it. */
export function purseOf(desk: Desk, account: AccountNumber, purse: Purse): AccountNumber | undefined {
  return isOwn(desk, account, purse) ? account : desk.venue.spot.accountOfLabel(secondLabel(account, purse));
}

/** What lies in a purse, nothing of what is empty left out. */
export function balancesOf(desk: Desk, account: AccountNumber, purse: Purse): readonly SimBalance[] {
  const held = purseOf(desk, account, purse);
  return held === undefined ? [] : desk.venue.spot.balances(held);
}

/** All sub-accounts, the newest first as OKX lists them. */
export function subAccounts(desk: Desk): readonly LabelledSub[] {
  return subAccountsOf(desk.venue.spot).reverse();
}

/** The sub-account of a name. */
export function findSubAccount(desk: Desk, name: string): AccountNumber | undefined {
  return desk.venue.spot.accountOfLabel(SUB_LABEL_PREFIX + name);
}

/** Makes the sub-account of a name. */
export function openSubAccount(desk: Desk, name: string): Promise<AccountNumber> {
  return desk.venue.spot.openAccount(SUB_LABEL_PREFIX + name);
}

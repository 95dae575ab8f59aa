import { type LabelledSub, masterOf, SUB_LABEL_PREFIX, subAccountsOf } from '../../accounts/labels.ts';
import type { AccountNumber, SimBalance } from '../../exchange.ts';
import type { Desk } from './desk.ts';

/**
 * OKX has two account types: funding (6) and trading (18). The core has one account, so the second is a core account of
 * its own, made when something first moves into it. A member's own account is of type trading, where the admin API puts
 * his funds; the master's is of type funding, out of which members are paid.
 */

/** An account type by the number that transfers name it with. */
export type AccountType = '6' | '18';

/** Whether this is the operator's own account. */
export function isMaster(desk: Desk, account: AccountNumber): boolean {
  return masterOf(desk.venue.spot) === account;
}

function secondLabel(account: AccountNumber, accountType: AccountType): string {
  return `${accountType === '6' ? 'funding' : 'trading'}-purse:${account}`;
}

function isOwn(desk: Desk, account: AccountNumber, accountType: AccountType): boolean {
  return isMaster(desk, account) === (accountType === '6');
}

/** The core's account of an account type, made where it is not there yet. */
export async function openAccountType(
  desk: Desk,
  account: AccountNumber,
  accountType: AccountType,
): Promise<AccountNumber> {
  if (isOwn(desk, account, accountType)) return account;
  return await desk.venue.spot.openAccount(secondLabel(account, accountType));
}

/** The core's account of an account type; `undefined` while nothing was ever in it. */
export function accountTypeOf(
  desk: Desk,
  account: AccountNumber,
  accountType: AccountType,
): AccountNumber | undefined {
  return isOwn(desk, account, accountType)
    ? account
    : desk.venue.spot.accountOfLabel(secondLabel(account, accountType));
}

/** Balances of an account type, empty ones included. */
export function balancesOf(
  desk: Desk,
  account: AccountNumber,
  accountType: AccountType,
): readonly SimBalance[] {
  const held = accountTypeOf(desk, account, accountType);
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

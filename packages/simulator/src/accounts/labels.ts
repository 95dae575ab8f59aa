import type { AccountNumber, Exchange } from '../exchange.ts';

/** Labels by which every venue here knows the operator's own account and his members', whatever its dialect calls them. */

/** The operator's own account, whose key may make sub-accounts; the admin API opens it. */
export const MASTER_LABEL = 'master';

/** Sub-accounts are the accounts whose label begins so; what follows is the dialect's to choose. */
export const SUB_LABEL_PREFIX = 'sub:';

/** The operator's own account; `undefined` until the admin API has opened it. */
export function masterOf(exchange: Pick<Exchange, 'accountOfLabel'>): AccountNumber | undefined {
  return exchange.accountOfLabel(MASTER_LABEL);
}

/** An account below the master, and its label without the prefix. */
export interface LabelledSub {
  readonly account: AccountNumber;
  readonly name: string;
}

/** All sub-accounts, the oldest first. */
export function subAccountsOf(exchange: Pick<Exchange, 'accounts'>): LabelledSub[] {
  const found: LabelledSub[] = [];
  for (const { account, label } of exchange.accounts()) {
    if (label.startsWith(SUB_LABEL_PREFIX))
      found.push({ account, name: label.slice(SUB_LABEL_PREFIX.length) });
  }
  return found;
}

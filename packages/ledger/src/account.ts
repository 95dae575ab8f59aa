import { assert, type Brand, type Platform, type UserId } from '@crossbook/domain';

/** Which wallet of a member at a platform. */
export type TradingWallet = 'TRADING' | 'FUTURES';

/**
 * Who stands outside at a platform: the venue itself, what it owes beyond a member's account, and whence positions earn:
 * realised profit, funding, its insurance fund.
 */
export type OutsideParty = 'venue' | 'debt' | 'pnl' | 'funding' | 'insurance';

/**
 * Where money can stand. Only EXTERNAL may be negative: it mirrors what lies outside, so the
 * whole ledger sums to zero (invariants I1, I8). The set is closed: a new class is a new line here and in the SQL.
 */
export type AccountRef =
  | { readonly class: 'FUNDING'; readonly user: UserId; readonly asset: string }
  /** A trading wallet; `FUTURES` is the second one of a platform that keeps contracts' money apart (Binance). */
  | {
      readonly class: TradingWallet;
      readonly user: UserId;
      readonly platform: Platform;
      readonly asset: string;
    }
  | { readonly class: 'IN_TRANSIT'; readonly platform: Platform; readonly asset: string }
  | {
      readonly class: 'HOUSE_FEE' | 'HOUSE_PROMO' | 'HOUSE_FX' | 'ROUNDING' | 'SUSPENSE';
      readonly asset: string;
    }
  | {
      readonly class: 'EXTERNAL';
      readonly counterparty: `${OutsideParty}:${Platform}` | 'chain';
      readonly asset: string;
    };

/** An account's name in storage: one text per account, its asset last. */
export type AccountKey = Brand<string, 'AccountKey'>;

// An asset code never holds the separator; venues list codes in several scripts, so letters are not restricted.
const ASSET = /^[^/\s"\\{},]{1,40}$/;

/**
 * Writes an account as its key, such as `TRADING/12/1/USDT`. Equal accounts have equal keys.
 * @throws Error when the asset or the member's id cannot be one: a mistake of ours.
 */
export function accountKey(account: AccountRef): AccountKey {
  assert(ASSET.test(account.asset), `an asset code, not ${JSON.stringify(account.asset)}`);
  switch (account.class) {
    case 'FUNDING':
      return `FUNDING/${memberOf(account.user)}/${account.asset}` as AccountKey;
    case 'TRADING':
    case 'FUTURES':
      return `${account.class}/${memberOf(account.user)}/${account.platform}/${account.asset}` as AccountKey;
    case 'IN_TRANSIT':
      return `IN_TRANSIT/${account.platform}/${account.asset}` as AccountKey;
    case 'EXTERNAL':
      return `EXTERNAL/${account.counterparty}/${account.asset}` as AccountKey;
    default:
      return `${account.class}/${account.asset}` as AccountKey;
  }
}

function memberOf(user: UserId): UserId {
  assert(Number.isSafeInteger(user) && user > 0, `a member id, not ${user}`);
  return user;
}

/** Only EXTERNAL mirrors what lies outside and may therefore be negative (invariant I8). */
export function mayBeNegative(account: AccountRef): boolean {
  return account.class === 'EXTERNAL';
}

import {
  type Amount,
  type CurrencyTerms,
  divDown,
  amount as exact,
  formatAmount,
  MEMO_RULES,
  type MemoRule,
  type NetworkId,
  type NetworkTerms,
  type RewardTerms,
  SHIPPED_CURRENCY,
  SHIPPED_REWARDS,
  shippedNetwork,
} from '@crossbook/domain';
import type { Fields } from './setting-store.ts';

/** Fields as texts, which is how they are stored: `yes` and `no`, decimal strings, whole numbers. */
export type FieldTexts = Readonly<Record<string, string>>;

/** What is in force of a field; `undefined` where nothing was ever set. */
function now(fields: Fields, field: string): string | undefined {
  return fields.get(field)?.now?.value;
}

function flagOf(fields: Fields, field: string, shipped: boolean): boolean {
  const value = now(fields, field);
  return value === undefined ? shipped : value === 'yes';
}

function amountOf(fields: Fields, field: string, shipped: Amount): Amount {
  const value = now(fields, field);
  return value === undefined ? shipped : exact(value);
}

function wholeOf(fields: Fields, field: string, shipped: number): number {
  return Number(now(fields, field) ?? shipped);
}

/** `yes` or `no`. */
export function yesNo(flag: boolean): string {
  return flag ? 'yes' : 'no';
}

/** What the hub gives, of what was set. */
export function rewardTermsOf(fields: Fields): RewardTerms {
  const percent = now(fields, 'self-rate');
  return {
    firstTrade: amountOf(fields, 'first-trade', SHIPPED_REWARDS.firstTrade),
    selfRateBps: percent === undefined ? SHIPPED_REWARDS.selfRateBps : Math.round(Number(percent) * 100),
  };
}

/** The same as texts. */
export function rewardTexts({ firstTrade, selfRateBps }: RewardTerms): FieldTexts {
  const percent = formatAmount(divDown(exact(String(selfRateBps)), exact('100')));
  return { 'first-trade': formatAmount(firstTrade), 'self-rate': percent };
}

/** A currency, of what was set. */
export function currencyTermsOf(fields: Fields): CurrencyTerms {
  const name = now(fields, 'name');
  return {
    shown: flagOf(fields, 'shown', SHIPPED_CURRENCY.shown),
    deposits: flagOf(fields, 'deposits', SHIPPED_CURRENCY.deposits),
    withdrawals: flagOf(fields, 'withdrawals', SHIPPED_CURRENCY.withdrawals),
    position: wholeOf(fields, 'position', SHIPPED_CURRENCY.position),
    ...(name === undefined ? {} : { name }),
  };
}

/** The same as texts. */
export function currencyTexts({ shown, deposits, withdrawals, position, name }: CurrencyTerms): FieldTexts {
  return {
    ...{ shown: yesNo(shown), deposits: yesNo(deposits), withdrawals: yesNo(withdrawals) },
    ...{ position: String(position), ...(name === undefined ? {} : { name }) },
  };
}

/** A currency on a network, of what was set. */
export function networkTermsOf(asset: string, network: NetworkId, fields: Fields): NetworkTerms {
  const shipped = shippedNetwork(asset, network);
  const memo = MEMO_RULES.find((rule) => rule === now(fields, 'memo'));
  return {
    ...{ asset, network },
    deposits: flagOf(fields, 'deposits', shipped.deposits),
    withdrawals: flagOf(fields, 'withdrawals', shipped.withdrawals),
    confirmations: wholeOf(fields, 'confirmations', shipped.confirmations),
    minimum: amountOf(fields, 'minimum', shipped.minimum),
    fee: amountOf(fields, 'fee', shipped.fee),
    memo: memo ?? (shipped.memo satisfies MemoRule),
  };
}

/** The same as texts. */
export function networkTexts(terms: NetworkTerms): FieldTexts {
  const { deposits, withdrawals, confirmations, minimum, fee, memo } = terms;
  return {
    ...{ deposits: yesNo(deposits), withdrawals: yesNo(withdrawals), confirmations: String(confirmations) },
    ...{ minimum: formatAmount(minimum), fee: formatAmount(fee), memo },
  };
}

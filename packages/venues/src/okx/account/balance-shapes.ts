import { type Amount, lesser, minus, plus, ZERO } from '@crossbook/domain';
import type { VenueBalance } from '../../venue-funds.ts';
import { asObject, asText, type WireObject } from '../../wire/guards.ts';
import { asAmount, asSignedAmount, rowsOf } from '../../wire/numbers.ts';
import type { ChannelReader } from './account-socket.ts';

/** One currency of the funding account. */
export function normaliseBalance(entry: unknown): VenueBalance | undefined {
  const row = asObject(entry);
  const asset = asText(row?.ccy);
  const free = asAmount(row?.availBal);
  const locked = asAmount(row?.frozenBal);
  if (asset === undefined || free === undefined || locked === undefined) return undefined;
  return { asset, free, locked };
}

/**
 * What was paid in and realised of one currency of the trading account: `cashBal` and what isolated positions have set
 * aside, which the venue states with their profit (recorded 2025-04: `eq` is `cashBal` and `isoEq`).
 */
export function walletOf(row: WireObject): Amount | undefined {
  const cash = asSignedAmount(row.cashBal);
  const isolated = orNothing(row.isoEq);
  const profit = orNothing(row.isoUpl);
  if (cash === undefined || isolated === undefined || profit === undefined) return undefined;
  return minus(plus(cash, isolated), profit);
}

/** The venue leaves a figure empty, or out, where there is nothing of it. */
function orNothing(value: unknown): Amount | undefined {
  return value === '' || value === undefined ? ZERO : asSignedAmount(value);
}

/**
 * One currency of the trading account: `availBal` is free, the rest of the wallet locked. `frozenBal` counts profit that
 * is not realised, and so is no part of a balance. A wallet below 0 has nothing.
 */
function normaliseTradingBalance(entry: unknown): VenueBalance | undefined {
  const row = asObject(entry);
  const asset = asText(row?.ccy);
  const available = asAmount(row?.availBal);
  const wallet = row && walletOf(row);
  if (asset === undefined || available === undefined || wallet === undefined) return undefined;
  const total = wallet < ZERO ? ZERO : wallet;
  const free = lesser(available, total);
  return { asset, free, locked: minus(total, free) };
}

/** The balances of an account answer or push. Only what the venue names. */
export function normaliseBalances(entry: unknown): VenueBalance[] | undefined {
  return rowsOf(asObject(entry)?.details, normaliseTradingBalance);
}

/** Balances as the account channel gives them. */
export const BALANCE_READER: ChannelReader = {
  channel: 'account',
  read(row, handlers) {
    const balances = normaliseBalances(row);
    if (balances !== undefined) handlers.onBalances(balances);
    return balances !== undefined;
  },
};

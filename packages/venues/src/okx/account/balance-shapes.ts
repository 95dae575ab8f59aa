import type { VenueBalance } from '../../venue-funds.ts';
import { asObject, asText } from '../../wire/guards.ts';
import { asAmount, rowsOf } from '../../wire/numbers.ts';
import type { ChannelReader } from './account-socket.ts';

/** One currency of the trading or the funding account. */
export function normaliseBalance(entry: unknown): VenueBalance | undefined {
  const row = asObject(entry);
  const asset = asText(row?.ccy);
  const free = asAmount(row?.availBal);
  const locked = asAmount(row?.frozenBal);
  if (asset === undefined || free === undefined || locked === undefined) return undefined;
  return { asset, free, locked };
}

/** The figures of an account answer or push: `availBal` is free, `frozenBal` locked. Only what the venue names. */
export function normaliseBalances(entry: unknown): VenueBalance[] | undefined {
  return rowsOf(asObject(entry)?.details, normaliseBalance);
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

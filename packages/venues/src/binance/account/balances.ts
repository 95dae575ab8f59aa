import type { Result } from '@crossbook/domain';
import type { VenueCredentials, VenueReadFailure } from '../../venue-answers.ts';
import type { VenueBalance } from '../../venue-funds.ts';
import { asObject, asText, type WireObject } from '../../wire/guards.ts';
import { asAmount, rowsOf } from '../../wire/numbers.ts';
import { type Call, type Calls, readCall } from './calls.ts';

/** Balances of the whole account. */
export function listBalances(
  calls: Calls,
  credentials: VenueCredentials,
): Promise<Result<readonly VenueBalance[], VenueReadFailure>> {
  const call: Call = {
    socketMethod: 'account.status',
    method: 'GET',
    path: '/api/v3/account',
    weight: 20,
    requestClass: 'balance-check',
    parameters: {},
  };
  return readCall(calls, credentials, call, balancesOfAccount);
}

/** `outboundAccountPosition`: only the assets that may have changed. */
export function balancesOfPosition(event: WireObject): VenueBalance[] | undefined {
  return rowsOf(event.B, (row) => {
    const balance = asObject(row);
    return balanceOf(balance?.a, balance?.f, balance?.l);
  });
}

/** The balances of an account answer. */
function balancesOfAccount(answer: unknown): VenueBalance[] | undefined {
  return rowsOf(asObject(answer)?.balances, (row) => {
    const balance = asObject(row);
    return balanceOf(balance?.asset, balance?.free, balance?.locked);
  });
}

function balanceOf(asset: unknown, free: unknown, locked: unknown): VenueBalance | undefined {
  const name = asText(asset);
  const freeAmount = asAmount(free);
  const lockedAmount = asAmount(locked);
  if (name === undefined || freeAmount === undefined || lockedAmount === undefined) return undefined;
  return { asset: name, free: freeAmount, locked: lockedAmount };
}

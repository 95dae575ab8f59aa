import { ok, type Result, refused } from '@crossbook/domain';
import { failedRead } from '../../trading/call-answers.ts';
import type { VenueCredentials, VenueReadFailure } from '../../venue-answers.ts';
import type { VenueBalance } from '../../venue-funds.ts';
import { ACCOUNT_CALLS } from '../limits.ts';
import { onlyRow } from './answers.ts';
import { normaliseBalances } from './balance-shapes.ts';
import type { Calls } from './calls.ts';

/** Balances of the whole trading account. */
export async function listBalances(
  calls: Calls,
  credentials: VenueCredentials,
): Promise<Result<readonly VenueBalance[], VenueReadFailure>> {
  const { answer } = await calls.send(credentials, {
    method: 'GET',
    path: '/api/v5/account/balance',
    requestClass: 'balance-check',
    limit: ACCOUNT_CALLS.balance,
    parameters: {},
  });
  if (answer.kind !== 'result') return failedRead(answer);
  const balances = normaliseBalances(onlyRow(answer.rows));
  return balances === undefined ? refused('malformed') : ok(balances);
}

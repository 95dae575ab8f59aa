import { type Amount, minus, ok, type Result, refused, ZERO } from '@crossbook/domain';
import { failedRead } from '../../trading/call-answers.ts';
import type { VenueCredentials, VenueReadFailure } from '../../venue-answers.ts';
import type { VenueBalance } from '../../venue-funds.ts';
import { asArray, asObject, asText } from '../../wire/guards.ts';
import { asAmount, asSignedAmount, rowsOf } from '../../wire/numbers.ts';
import { ACCOUNT_CALLS } from '../limits.ts';
import type { Calls } from './calls.ts';
import type { TopicReader } from './user-socket.ts';

/** Balances of the unified account. */
export async function listBalances(
  calls: Calls,
  credentials: VenueCredentials,
): Promise<Result<readonly VenueBalance[], VenueReadFailure>> {
  const { answer } = await calls.send(credentials, {
    method: 'GET',
    path: '/v5/account/wallet-balance',
    requestClass: 'balance-check',
    limit: ACCOUNT_CALLS.read,
    parameters: { accountType: 'UNIFIED' },
  });
  if (answer.kind !== 'result') return failedRead(answer);
  const balances = normaliseWallet(answer.value.list);
  return balances === undefined ? refused('malformed') : ok(balances);
}

/** The coins of a unified account, from `wallet-balance` or the `wallet` stream. */
export function normaliseWallet(accounts: unknown): VenueBalance[] | undefined {
  const unified = asArray(accounts)
    ?.map(asObject)
    .find((account) => account?.accountType === 'UNIFIED');
  return rowsOf(unified?.coin, (row) => {
    const coin = asObject(row);
    const asset = asText(coin?.coin);
    // A loss beyond the wallet that open positions make up for leaves it below 0.
    const total = asSignedAmount(coin?.walletBalance);
    const locked = asAmount(coin?.locked);
    if (asset === undefined || total === undefined || locked === undefined) return undefined;
    return { asset, free: lessOrNone(total, locked), locked };
  });
}

/** Balances as the topic of that name gives them, an account in each row. */
export const BALANCE_READER: TopicReader = {
  topic: 'wallet',
  read(row, handlers) {
    const balances = normaliseWallet([row]);
    if (balances !== undefined) handlers.onBalances(balances);
    return balances !== undefined;
  },
};

/** While an order is being booked `locked` may run ahead of the balance. */
function lessOrNone(total: Amount, locked: Amount): Amount {
  return locked > total && total >= ZERO ? ZERO : minus(total, locked);
}

import { formatAmount } from '@crossbook/domain';
import type { VenueCredentials } from '@crossbook/venues/trading';
import type { PaperFaucet } from '../wallets/ports.ts';

/** The simulator's admin API, as far as paper money needs it. */

const TIMEOUT_MILLIS = 10_000;

async function post(admin: string, call: string, body: object): Promise<Record<string, unknown>> {
  const response = await fetch(`${admin}/${call}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(TIMEOUT_MILLIS),
  });
  if (!response.ok) throw new Error(`the simulator answered ${response.status} to ${call}`);
  return (await response.json()) as Record<string, unknown>;
}

/**
 * A key of the simulator's master account, which owns the members' accounts there.
 * @throws Error when the simulator does not answer.
 */
export async function simulatorMaster(admin: string): Promise<VenueCredentials> {
  const { apiKey, secret } = await post(admin, 'master', {});
  if (typeof apiKey !== 'string' || typeof secret !== 'string')
    throw new Error('the simulator gave no master key');
  return { apiKey, secret };
}

/** Paper money: credits the master account at the simulated venue, once per id, so that asking again is harmless. */
export function paperFaucet(admin: string): PaperFaucet {
  return {
    async credit(_platform, asset, amount, creditId) {
      const body = { label: 'master', asset, amount: formatAmount(amount), creditId };
      return post(admin, 'credit', body).then(
        () => 'done' as const,
        () => 'unknown' as const,
      );
    },
  };
}

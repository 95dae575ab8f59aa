import { formatAmount, type Platform, platformFacts } from '@crossbook/domain';
import type { VenueCredentials } from '@crossbook/venues/trading';
import type { Custody, CustodyMove, PaperFaucet } from '../../wallets/ports.ts';

/** The simulator's admin API, as far as paper money needs it. */

const TIMEOUT_MILLIS = 10_000;
/** The code of a move that was refused because the account has too little; nothing moved. */
const SHORT = 'INSUFFICIENT_BALANCE';

function ask(admin: string, call: string, body: object): Promise<Response> {
  return fetch(`${admin}/${call}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(TIMEOUT_MILLIS),
  });
}

async function post(admin: string, call: string, body: object): Promise<Record<string, unknown>> {
  const response = await ask(admin, call, body);
  if (!response.ok) throw new Error(`the simulator answered ${response.status} to ${call}`);
  return (await response.json()) as Record<string, unknown>;
}

/**
 * A key of the master account at a simulated venue, which owns the members' accounts there.
 * @throws Error when the simulator does not answer.
 */
export async function simulatorMaster(admin: string, platform: Platform): Promise<VenueCredentials> {
  const { apiKey, secret, passphrase } = await post(admin, 'master', { venue: slugOf(platform) });
  if (typeof apiKey !== 'string' || typeof secret !== 'string')
    throw new Error('the simulator gave no master key');
  return typeof passphrase === 'string' ? { apiKey, secret, passphrase } : { apiKey, secret };
}

/** Paper money: credits the master account at a simulated venue, once per id, so that asking again is harmless. */
export function paperFaucet(admin: string): PaperFaucet {
  return {
    async credit(platform, asset, amount, creditId) {
      const venue = slugOf(platform);
      const body = { venue, label: 'master', asset, amount: formatAmount(amount), creditId };
      return post(admin, 'credit', body).then(
        () => 'done' as const,
        () => 'unknown' as const,
      );
    },
  };
}

/**
 * Paper money of funding wallets lies in the master account at one simulated venue, its home. For a transfer exactly its
 * amount is brought to the venue or taken home, under an id made of the transfer's: whatever is asked again moves
 * nothing again, no balance is read to decide, and so transfers at the same moment cannot take each other's funds.
 */
export function paperCustody(admin: string, home: Platform): Custody {
  return {
    async provide(move) {
      if (move.platform === home) return 'there';
      return moved(admin, move, { from: home, to: move.platform, leg: 'out' });
    },
    async collect(move) {
      if (move.platform === home) return 'done';
      const outcome = await moved(admin, move, { from: move.platform, to: home, leg: 'home' });
      // What came in is there to be taken: that it is not to be had is for a person, and nothing is concluded from it.
      return outcome === 'moved' ? 'done' : 'unknown';
    },
  };
}

async function moved(
  admin: string,
  { asset, amount, transfer }: CustodyMove,
  way: { readonly from: Platform; readonly to: Platform; readonly leg: 'out' | 'home' },
): Promise<'moved' | 'short' | 'unknown'> {
  const venues = { from: slugOf(way.from), to: slugOf(way.to) };
  const body = { ...venues, asset, amount: formatAmount(amount), moveId: `${transfer}-${way.leg}` };
  try {
    const response = await ask(admin, 'custody/move', body);
    const answer = (await response.json()) as { readonly code?: unknown } | null;
    if (response.ok) return 'moved';
    return answer?.code === SHORT ? 'short' : 'unknown';
  } catch {
    return 'unknown';
  }
}

function slugOf(platform: Platform): string {
  return platformFacts(platform).slug;
}

import {
  type Amount,
  formatAmount,
  type PlatformType,
  parseSignedAmount,
  platformOfType,
  ZERO,
} from '@crossbook/domain';
import { venueProfile } from '@crossbook/venues';
import { availableOf, type BalancesState, balancesStore } from './balances.ts';
import { getTestFunds, transfer } from './transfers.ts';

/** Where money for margin can come from: the other pocket of a venue that has two, or the funding wallet. */
export type MarginSource = 'spot' | 'funding';

/** Whether a platform's venue keeps a spot and a futures wallet apart. */
export function hasPockets(platformType: PlatformType): boolean {
  const facts = platformOfType(platformType);
  return facts !== undefined && venueProfile(facts.platform).trading.contracts.ownPocket;
}

/** What is available of an asset in the futures pocket, or in the one pocket there is. */
export function availableForContracts(
  state: BalancesState,
  platformType: PlatformType,
  asset: string,
): Amount {
  if (!hasPockets(platformType)) return availableOf(state, platformType, asset);
  const row = state.wallets[platformType]?.rows.find(
    (candidate) => candidate.asset === asset && candidate.pocket === 'futures',
  );
  return row === undefined ? ZERO : (parseSignedAmount(row.available) ?? ZERO);
}

/** Sources with money for margin, the nearest first. */
export function marginSources(
  state: BalancesState,
  platformType: PlatformType,
  asset: string,
): readonly { readonly source: MarginSource; readonly available: Amount }[] {
  const spot = hasPockets(platformType) ? availableOf(state, platformType, asset) : ZERO;
  const all = [
    { source: 'spot' as const, available: spot },
    { source: 'funding' as const, available: availableOf(state, 'funding', asset) },
  ];
  return all.filter(({ available }) => available > ZERO);
}

/** Moves money to where contracts take it from. @returns whether it is there or on its way. */
export async function moveToMargin(
  platformType: PlatformType,
  source: MarginSource,
  { asset, amount }: { readonly asset: string; readonly amount: Amount },
): Promise<boolean> {
  const pocket = hasPockets(platformType) ? { tinstType: 2 as const } : {};
  const answer = await transfer({
    ...{ platformType, asset, amount: formatAmount(amount) },
    ...(source === 'spot' ? { direction: 3 as const } : { direction: 1 as const, ...pocket }),
  });
  return answer.ok && answer.data.state !== 'refused';
}

/** Paper money for margin: into the funding wallet first, and on to where contracts take it from. */
export async function testFundsForMargin(platformType: PlatformType, amount: Amount): Promise<boolean> {
  if (availableOf(balancesStore.getState(), 'funding', 'USDT') < amount) {
    const answer = await getTestFunds(undefined, undefined);
    if (!answer.ok) return false;
  }
  return moveToMargin(platformType, 'funding', { asset: 'USDT', amount });
}

import type { Instrument, VenueOrderId } from '@crossbook/domain';
import { venueProfile } from '@crossbook/venues';
import type { AlgoKey, VenueAlgos, VenueCredentials } from '@crossbook/venues/trading';
import { algoClientId, type StoredAlgo } from '../algo.ts';
import type { TradingDeps, VenueDesk } from '../ports.ts';

/** Where an algo order is. */
export interface AlgoWhereabouts {
  readonly desk: VenueDesk;
  readonly algos: VenueAlgos;
  readonly credentials: VenueCredentials;
  readonly instrument: Instrument;
}

/** Where the venue can be asked about an algo order; `undefined` when it cannot. */
export async function algoWhereabouts(
  deps: TradingDeps,
  algo: StoredAlgo,
): Promise<AlgoWhereabouts | undefined> {
  const desk = deps.venue(algo.platform);
  const instrument = deps.market.instrument(algo.platform, algo.symbolType, algo.symbol);
  const account = await deps.accounts.find(algo.user, algo.platform);
  const algos = desk?.trading.algos;
  if (desk === undefined || algos === undefined || instrument === undefined || account.state !== 'ready')
    return undefined;
  return { desk, algos, instrument, credentials: account.credentials };
}

/** How the venue is told which one is meant. */
export function algoKey(algo: StoredAlgo, { instrument }: AlgoWhereabouts): AlgoKey {
  const { plan, contract, venueAlgoId, createdAt, unknown } = algo;
  const hangs =
    plan.kind === 'trailing' && contract !== undefined && hangsOnPosition(algo)
      ? {
          hangs: {
            ...{ position: contract.side, side: algo.side, trailing: plan.trailing },
            ...{ since: createdAt, changing: unknown },
          },
        }
      : {};
  const key = { instrument, clientId: algoClientId(algo), kind: plan.kind, ...hangs };
  return venueAlgoId === undefined ? key : { ...key, venueAlgoId };
}

type Kind = Pick<StoredAlgo, 'platform' | 'symbolType'> & {
  readonly plan: { readonly kind: StoredAlgo['plan']['kind'] };
};

/** Whether one is a trailing stop that hangs on a position there: one of each, closing all of it, and without an id of ours. */
export function hangsOnPosition({ platform, symbolType, plan }: Kind): boolean {
  if (plan.kind !== 'trailing') return false;
  return venueProfile(platform).trading.algos[symbolType].trailing?.ofPosition === true;
}

/**
 * Whether what the venue shows in place of one without an id is that of another row: the newest that has hung on the position is
 * then an older one, and the one that is looked for never was.
 */
export async function isOfAnother(
  { algos }: Pick<TradingDeps, 'algos'>,
  algo: StoredAlgo,
  shown: VenueOrderId,
): Promise<boolean> {
  if (algo.venueAlgoId !== undefined || !hangsOnPosition(algo)) return false;
  const known = await algos.byVenueId(algo, shown);
  return known !== undefined && known.id !== algo.id;
}

import type { Instrument } from '@crossbook/domain';
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
  const key = { instrument, clientId: algoClientId(algo), kind: algo.plan.kind };
  return algo.venueAlgoId === undefined ? key : { ...key, venueAlgoId: algo.venueAlgoId };
}

import { POSITION_SIDE } from '@crossbook/domain';
import type {
  AlgoSendOutcome,
  ContractOrderTerms,
  FoundAlgo,
  VenueAlgoRequest,
} from '@crossbook/venues/trading';
import type { IntentAnswer } from '../../intents/intent.ts';
import { algoClientId, childClientIds, type StoredAlgo } from '../algo.ts';
import type { ContractPart } from '../order.ts';
import type { TradingDeps } from '../ports.ts';
import { keptReason } from '../venue-refusal.ts';
import { isPlacedAgain } from './next-placement.ts';
import { algoWhereabouts } from './whereabouts.ts';

/**
 * What is proved of an algo order. `looked`: the venue was asked just now, so that a cancel before it came to nothing.
 * `taken`: who asked deals with the answer, and nothing is written of it.
 */
export type AlgoProof =
  | { readonly taken: true }
  | { readonly refused: string }
  | { readonly absent: true }
  | { readonly state: FoundAlgo; readonly looked: boolean };

/** Puts a written algo order to its venue: the one call, whose outcome may stay unknown. */
export async function askVenue(deps: TradingDeps, algo: StoredAlgo): Promise<IntentAnswer<AlgoProof>> {
  const where = await algoWhereabouts(deps, algo);
  if (where === undefined) {
    const why = 'the exchange is not connected for orders that wait';
    // What protects a fill waits until it is.
    return isPlacedAgain(algo)
      ? { outcome: 'not-sent', why }
      : { outcome: 'proved', proof: { refused: why } };
  }
  const asked = where.algos.place(where.credentials, requestOf(algo, where.instrument));
  deps.crash('after-send');
  const outcome: AlgoSendOutcome = await asked;
  deps.crash('after-answer');
  if (outcome.outcome === 'unknown') return outcome;
  if (outcome.outcome === 'accepted')
    return { outcome: 'proved', proof: { state: outcome.state, looked: false } };
  // What protects a fill waits until our own budget has room.
  return isPlacedAgain(algo) && outcome.retryAfterMillis !== undefined
    ? { outcome: 'not-sent', why: keptReason(outcome) }
    : { outcome: 'proved', proof: { refused: keptReason(outcome) } };
}

function requestOf(algo: StoredAlgo, instrument: VenueAlgoRequest['instrument']): VenueAlgoRequest {
  const { side, plan, timeInForce, quantity, contract } = algo;
  return {
    ...{ clientId: algoClientId(algo), childClientIds: childClientIds(algo) },
    ...{ instrument, side, plan, timeInForce },
    ...(quantity === undefined ? { whole: true } : { quantity }),
    ...(contract === undefined ? {} : { contract: termsOf(contract) }),
  };
}

function termsOf({ side, marginMode, reduceOnly }: ContractPart): ContractOrderTerms {
  return { side, positionMode: side === POSITION_SIDE.NET ? 'one-way' : 'hedge', marginMode, reduceOnly };
}

import { POSITION_SIDE, SIDE, type VenuePosition } from '@crossbook/domain';
import type {
  AlgoChangeOutcome,
  AlgoSendOutcome,
  ContractOrderTerms,
  FoundAlgo,
  VenueAlgoRequest,
} from '@crossbook/venues/trading';
import type { IntentAnswer, IntentStep } from '../../intents/intent.ts';
import { algoClientId, childClientIds, POSITION_CLOSED, type StoredAlgo } from '../algo.ts';
import type { ContractPart } from '../order.ts';
import { isClosing } from '../perps/contract-checks.ts';
import type { TradingDeps } from '../ports.ts';
import { keptReason } from '../venue-refusal.ts';
import { isLeftOver, isPlacedAgain } from './next-placement.ts';
import { type AlgoChanges, recordAlgo } from './record-algo.ts';
import { type AlgoWhereabouts, algoKey, algoWhereabouts } from './whereabouts.ts';

/** A leg that was written so long ago is late: its fill is not what it is sent for. */
const LATE_MILLIS = 5_000;
/** More of a member's wait at no exchange on one contract. */
const OF_CONTRACT_MAX = 200;

/**
 * What is proved of an algo order. `looked`: the venue was asked just now, so that a cancel before it came to nothing.
 * `taken`: who asked deals with the answer, and nothing is written of it.
 */
export type AlgoProof =
  | { readonly taken: true }
  | { readonly refused: string }
  | { readonly absent: true }
  /** It was never sent, and is not wanted any more. */
  | { readonly unwanted: { readonly reason?: string } }
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

/**
 * Why what the hub itself brings to the venue is not sent: it is being cancelled, the other leg of its part has worked, its position
 * was closed. What comes late asks the venue for its position: that was closed perhaps while nobody here heard of it.
 */
export async function whyNotSent(
  deps: TradingDeps,
  algo: StoredAlgo,
): Promise<IntentAnswer<AlgoProof> | undefined> {
  const unwanted = (reason?: string) =>
    ({ outcome: 'proved', proof: { unwanted: reason === undefined ? {} : { reason } } }) as const;
  if (algo.cancelPending || (await isLeftOver(deps, algo))) return unwanted();
  const { id, user, platform, symbol, contract, side, attempt, createdAt } = algo;
  if (contract === undefined || !isClosing({ side, contract })) return undefined;
  const closed = await deps.algos.withoutPosition(OF_CONTRACT_MAX, { platform, user, symbol });
  if (closed.some((one) => one.id === id)) return unwanted(POSITION_CLOSED);
  if (attempt === 0 && deps.clock() - createdAt < LATE_MILLIS) return undefined;
  const where = await algoWhereabouts(deps, algo);
  const read = await where?.desk.trading.contracts?.positions(where.credentials, [where.instrument], 'close');
  if (read?.ok !== true) return { outcome: 'not-sent', why: 'its position could not be read' };
  // Its close is booked in a moment, and says so in the row.
  const stands = read.value.some((open) => isClosedBy(open, { side, contract, symbol }));
  return stands ? undefined : { outcome: 'not-sent', why: 'the exchange has no position for it' };
}

/** A position to sell is long, in either position mode. */
function isClosedBy(
  open: VenuePosition,
  { side, contract, symbol }: Pick<StoredAlgo, 'side' | 'symbol'> & { readonly contract: ContractPart },
): boolean {
  if (open.symbol !== symbol || open.side !== contract.side || open.quantity === 0n) return false;
  return contract.side !== POSITION_SIDE.NET || open.quantity > 0n === (side === SIDE.SELL);
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

/** What a cancel came to. */
export interface AlgoCancel {
  /** The row as it is now. */
  readonly cancelled: StoredAlgo;
  /** The venue says that it is gone. */
  readonly done: boolean;
  /** Why the venue does not cancel it; where this and `done` are absent, what became of it is to be looked up. */
  readonly refused?: string;
}

/**
 * Asks the venue to cancel what is marked so, and writes its answer. `ended` only where the venue says that it is. In the algo
 * order's lane.
 */
export async function askCancel(
  deps: TradingDeps,
  algo: StoredAlgo,
  end: AlgoChanges = { state: 'cancelled' },
): Promise<AlgoCancel> {
  const where = await algoWhereabouts(deps, algo);
  const outcome = await askSafely(deps, algo, where, async (known) => {
    const asked = known.algos.cancel(known.credentials, algoKey(algo, known));
    deps.crash('after-send');
    const answered = await asked;
    deps.crash('after-answer');
    return answered;
  });
  try {
    if (outcome.outcome === 'refused') {
      const refused = keptReason(outcome);
      // It is asked again: the mark stands until it is gone.
      if (await isLeftOver(deps, algo)) return { cancelled: algo, done: false, refused };
      const cancelled = await recordAlgo(deps, algo, {
        ...{ cancelPending: false, reason: undefined, changedFrom: undefined },
      });
      return { cancelled, done: false, refused };
    }
    // Of an iceberg something may rest still: its end is read with its orders.
    if (outcome.outcome === 'done' && algo.plan.kind !== 'iceberg') {
      const cancelled =
        end.state === undefined
          ? algo
          : await recordAlgo(deps, algo, { ...end, cancelPending: false, unknown: false });
      return { cancelled, done: true };
    }
  } catch (error) {
    // The venue has answered, and nothing of it is written: it is asked again.
    deps.log.note('a cancel of an algo order was not written', { id: algo.id, error: String(error) });
  }
  return { cancelled: algo, done: false };
}

/**
 * One that waits at the exchange and is left over: cancelled now, and again after every lookup that shows it there, for nothing else
 * would take it away while its position is open. In its lane.
 */
export async function cancelLeftOver(deps: TradingDeps, algo: StoredAlgo): Promise<IntentStep<StoredAlgo>> {
  const marked =
    algo.cancelPending && algo.changedFrom === undefined
      ? algo
      : await recordAlgo(deps, algo, { cancelPending: true, changedFrom: undefined });
  const { cancelled, done, refused } = await askCancel(deps, marked);
  return done
    ? { intent: cancelled, needsLookup: false }
    : { intent: cancelled, needsLookup: true, why: refused ?? 'whether it was cancelled is not known yet' };
}

/** Whatever breaks once the venue may have been asked leaves the outcome unknown. */
export async function askSafely(
  deps: TradingDeps,
  algo: StoredAlgo,
  where: AlgoWhereabouts | undefined,
  ask: (where: AlgoWhereabouts) => Promise<AlgoChangeOutcome>,
): Promise<AlgoChangeOutcome> {
  if (where === undefined) return { outcome: 'unknown', why: 'the account or the instrument is not there' };
  try {
    return await ask(where);
  } catch (error) {
    deps.log.note('a change of an algo order stopped half way', { id: algo.id, error: String(error) });
    return { outcome: 'unknown', why: 'stopped half way' };
  }
}

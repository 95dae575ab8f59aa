import { type Instrument, SIDE, type VenueAlgoState, type VenueClientId } from '@crossbook/domain';
import type { RequestClass } from '../../arbiter/request-class.ts';
import { reasonOf } from '../../trading/call-answers.ts';
import { waitOf } from '../../trading/unsent.ts';
import type {
  AlgoChangeOutcome,
  AlgoKey,
  AlgoSendOutcome,
  VenueAlgoRequest,
  VenueAlgos,
} from '../../venue-algos.ts';
import type { FindOutcome, VenueCredentials } from '../../venue-answers.ts';
import { refusalOf } from './answers.ts';
import type { Asking, Call } from './calls.ts';
import { CANCEL_REJECTED, NO_SUCH_ORDER } from './errors.ts';

/** Calls about algo orders that both markets make alike; what they send and how answers are read is handed in. */

/** Algo orders of one type of market. None can be changed: one is cancelled, another placed; none comes with an order. */
export type AlgoRoom = {
  readonly [Name in Exclude<keyof VenueAlgos, 'amend' | 'opening' | 'attached' | 'slices'>]: (
    calls: Asking,
    ...asked: Parameters<VenueAlgos[Name]>
  ) => ReturnType<VenueAlgos[Name]>;
};

/** One account and how it is asked. */
export interface Asker {
  readonly calls: Asking;
  readonly credentials: VenueCredentials;
}

/** Protective stops go before what opens: those that only lower a position, and those that sell what a pair holds. */
export function classOf({ contract, whole, side }: VenueAlgoRequest): RequestClass {
  const protects = contract === undefined ? side === SIDE.SELL : contract.reduceOnly || whole === true;
  return protects ? 'close' : 'order';
}

/** Puts one algo order to the venue, once. */
export async function placeAlgo(
  { calls, credentials }: Asker,
  { instrument, clientId }: VenueAlgoRequest,
  call: Call,
  read: (answer: unknown) => VenueAlgoState | undefined,
): Promise<AlgoSendOutcome> {
  const { answer, deadlineAt } = await calls.send(credentials, call);
  if (answer.kind !== 'result')
    return refusalOf(answer, call.market) ?? { outcome: 'unknown', why: reasonOf(answer), deadlineAt };
  const state = read(answer.value);
  if (state === undefined) return { outcome: 'unknown', why: 'unreadable placement', deadlineAt };
  return isOf(state, instrument, clientId)
    ? { outcome: 'accepted', state }
    : { outcome: 'unknown', why: 'answer about another order', deadlineAt };
}

/** Cancels one. -2011 means only that none waits by that id: it may just have fired. */
export async function cancelAlgo(
  { calls, credentials }: Asker,
  call: Call,
  read: (answer: unknown) => 'done' | 'gone' | undefined,
): Promise<AlgoChangeOutcome> {
  const { answer } = await calls.send(credentials, call);
  if (answer.kind === 'result') {
    const outcome = read(answer.value);
    return outcome === undefined ? { outcome: 'unknown', why: 'unreadable cancel answer' } : { outcome };
  }
  if (answer.kind === 'error' && answer.error.code === CANCEL_REJECTED && answer.error.status < 500)
    return { outcome: 'gone' };
  return refusalOf(answer, call.market) ?? { outcome: 'unknown', why: reasonOf(answer) };
}

/** Looks one up by our id. */
export async function findAlgo(
  { calls, credentials }: Asker,
  { instrument, clientId }: AlgoKey,
  call: Call,
  read: (answer: unknown) => VenueAlgoState | undefined,
): Promise<FindOutcome<VenueAlgoState>> {
  const { answer } = await calls.send(credentials, call);
  if (answer.kind === 'result') {
    const value = read(answer.value);
    return value !== undefined && isOf(value, instrument, clientId)
      ? { outcome: 'found', value }
      : { outcome: 'unknown', why: 'unreadable algo order' };
  }
  if (answer.kind === 'error' && answer.error.code === NO_SUCH_ORDER && answer.error.status < 500)
    return { outcome: 'not-found' };
  return { outcome: 'unknown', why: reasonOf(answer), ...waitOf(answer) };
}

/** Whether a state is about the algo order that was meant; anything else proves nothing. */
function isOf(state: VenueAlgoState, { symbol }: Instrument, clientId: VenueClientId): boolean {
  return state.symbol === symbol && state.clientId === clientId;
}

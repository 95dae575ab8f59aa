import { type Instrument, isFinal, ORDER_STATUS, type VenueOrderState } from '@crossbook/domain';
import type { CancelOutcome, OrderName } from '../venue-orders.ts';
import { isAbout } from './order-name.ts';

/** What an answer says of one of the orders that its call named; `taken`: acknowledged, and not yet seen done. */
export type SeveralAnswer = CancelOutcome | 'taken';

/** The same outcome of each that a call named. */
export function ofEach<Outcome>(named: readonly unknown[], outcome: Outcome): readonly Outcome[] {
  return named.map(() => outcome);
}

/** Orders that were cancelled with one call, and how that is proved. */
export interface TakenCancels {
  readonly instrument: Instrument;
  readonly names: readonly OrderName[];
  /** One of each name. */
  readonly answers: readonly SeveralAnswer[];
  /** States of the instrument's orders that ended last, by one question; none where nothing was answered. */
  ended(): Promise<readonly VenueOrderState[]>;
  /** Looks up one that is not among them. */
  one(name: OrderName): Promise<CancelOutcome>;
}

/** What became of cancels that a venue only acknowledges: one list shows most, what it does not show is looked up. */
export async function provedCancels(cancels: TakenCancels): Promise<readonly CancelOutcome[]> {
  const { instrument, names, answers } = cancels;
  const ended = answers.includes('taken') ? await cancels.ended() : [];
  const outcomes = names.map((name, at): CancelOutcome | Promise<CancelOutcome> => {
    const answer = answers[at] ?? { outcome: 'unknown', why: 'no answer about it' };
    if (answer !== 'taken') return answer;
    const state = ended.find((one) => isFinal(one.status) && isAbout(one, instrument, name));
    if (state === undefined) return cancels.one(name);
    return state.status === ORDER_STATUS.CANCELLED ? { outcome: 'cancelled', state } : { outcome: 'gone' };
  });
  return Promise.all(outcomes);
}

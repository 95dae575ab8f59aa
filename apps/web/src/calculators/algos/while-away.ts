import type { AlgoRow } from '@crossbook/contract';

/** Where one that waits stands while its exchange cannot be reached. */
export type WhileAway = 'at-venue' | 'at-hub';

/**
 * What is certain of an order that waits while its exchange is away: what it holds it goes on watching, and a leg that the
 * hub still has to place is placed once it is back. `undefined` where its state says all there is to say.
 */
export function whileAway({
  state,
  unknown,
  parentOrderId,
}: Pick<AlgoRow, 'state' | 'unknown' | 'parentOrderId'>): WhileAway | undefined {
  if (unknown) return undefined;
  if (state === 'waiting') return 'at-venue';
  return state === 'placing' && parentOrderId !== null ? 'at-hub' : undefined;
}

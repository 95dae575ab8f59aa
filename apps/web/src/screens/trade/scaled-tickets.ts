import { lazyPart } from '../../ui/read-ahead.ts';

/** The tickets of scaled orders: rarely asked for, so that no page waits for them. */
export const ScaledPair = lazyPart(async () => (await import('./scaled/ScaledPair.tsx')).ScaledPair);
/** Of a contract. */
export const ScaledContract = lazyPart(
  async () => (await import('./scaled/ScaledContract.tsx')).ScaledContract,
);

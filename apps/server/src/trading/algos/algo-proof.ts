import type { FoundAlgo } from '@crossbook/venues/trading';

/** What is proved of an algo order. `looked`: the venue was asked just now, so that a cancel before it came to nothing. */
export type AlgoProof =
  | { readonly refused: string }
  | { readonly absent: true }
  | { readonly state: FoundAlgo; readonly looked: boolean };

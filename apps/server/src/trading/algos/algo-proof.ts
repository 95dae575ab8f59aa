import type { FoundAlgo } from '@crossbook/venues/trading';

/**
 * What is proved of an algo order. `looked`: the venue was asked just now, so that a cancel before it came to nothing.
 * `taken`: who asked deals with the answer, and nothing is written of it.
 */
export type AlgoProof =
  | { readonly taken: true }
  | { readonly refused: string }
  | { readonly absent: true }
  | { readonly state: FoundAlgo; readonly looked: boolean };

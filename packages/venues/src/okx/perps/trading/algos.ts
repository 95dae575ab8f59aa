import type { AlgoTerms } from '../../account/algo-words.ts';
import { termsIn } from './orders.ts';

/** Algo orders on swaps say the position as orders do. */
export const CONTRACT_ALGO_TERMS: AlgoTerms = ({ contract, side }) =>
  contract === undefined ? undefined : termsIn(contract, side);

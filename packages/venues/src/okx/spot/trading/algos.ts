import { SIDE } from '@crossbook/domain';
import { type AlgoTerms, legsOf } from '../../account/algo-words.ts';

/**
 * Algo orders on pairs follow the last price alone (error 51415). `sz` of a buy at market would count quote: what is
 * meant is said, also where only one leg of two is one.
 */
export const SPOT_ALGO_TERMS: AlgoTerms = ({ side, plan }) => {
  const legs = legsOf(plan);
  if (legs.some(({ trigger }) => trigger !== undefined && trigger.by !== 'last')) return undefined;
  const limits =
    plan.kind === 'iceberg' || (plan.kind !== 'trailing' && legs.every(({ limit }) => limit !== undefined));
  return { tdMode: 'cash', ...(side === SIDE.BUY && !limits ? { tgtCcy: 'base_ccy' } : {}) };
};

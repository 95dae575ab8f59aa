import { minus, ZERO } from '@crossbook/domain';
import type { OrderShape } from '../../account/order-shapes.ts';

/**
 * Orders on pairs. A fee with a plus would be a rebate, which spot tells elsewhere: it is not taken for a fee, and what a
 * member got beyond his fills shows when balances are compared.
 */
export const SPOT_SHAPE: OrderShape = {
  instType: 'SPOT',
  further: () => ({}),
  feeOf: (charged) => (charged < ZERO ? minus(ZERO, charged) : ZERO),
};

import { asText, type WireObject } from '../../../wire/guards.ts';
import { asAmount } from '../../../wire/numbers.ts';
import type { OrderShape } from '../../account/order-shapes.ts';

/** Executions of pairs. Rebates are not expressible. */
export const SPOT_SHAPE: OrderShape = {
  category: 'spot',
  isFill: ({ execType }) => execType === 'Trade',
  fee: ({ execFee }) => asAmount(execFee),
  feeAsset: receivedAsset,
  further: () => ({}),
};

/**
 * The asset of a fee whose currency the venue does not name: what was received (enum, "Spot Fee Currency
 * Instruction"). Only USDT pairs are traded (spec section 8), so that the symbol ends with the quote.
 */
function receivedAsset(execution: WireObject): string | undefined {
  const symbol = asText(execution.symbol);
  if (symbol === undefined || !symbol.endsWith('USDT')) return undefined;
  if (execution.side === 'Sell') return 'USDT';
  return execution.side === 'Buy' ? symbol.slice(0, -'USDT'.length) : undefined;
}

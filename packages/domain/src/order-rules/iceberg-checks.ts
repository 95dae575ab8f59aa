import type { AlgoOffer, Iceberg } from '../algo-order.ts';
import { type Amount, formatAmount } from '../amount.ts';
import type { AlgoFault, AlgoField, AlgoRequest } from './algo-request.ts';

/** The rules of icebergs alone; the others of algo orders hold for them too. */

function icebergOf({ plan }: Pick<AlgoRequest, 'plan'>): Iceberg | undefined {
  return plan.kind === 'iceberg' ? plan.iceberg : undefined;
}

/** What does not go together, and the field that is in the way where it is one. */
export function icebergCombination(request: AlgoRequest): readonly [string, AlgoField?] | undefined {
  const iceberg = icebergOf(request);
  if (iceberg === undefined || (iceberg.ratio === undefined) !== (iceberg.distance === undefined))
    return undefined;
  return ['exactly one of behindRatio and behindDistance'];
}

/** What the venue has not, and the field that asks for it. */
export function icebergLacking(
  request: AlgoRequest,
  offer: AlgoOffer,
): readonly [AlgoField, string] | undefined {
  const iceberg = icebergOf(request);
  if (iceberg === undefined || iceberg.distance === undefined || offer.iceberg?.distance === true)
    return undefined;
  return ['behindDistance', 'behindDistance'];
}

/** How far behind the market, and that a slice is an order's size itself, of which there are not too many. */
export function icebergRange(request: AlgoRequest, offer: AlgoOffer): AlgoFault | undefined {
  const iceberg = icebergOf(request);
  const { quantity, instrument } = request;
  if (iceberg === undefined || quantity === undefined || offer.iceberg === undefined) return undefined;
  const { visible, ratio } = iceberg;
  const { ratio: range, slicesMax } = offer.iceberg;
  if (ratio !== undefined && (ratio < range.min || ratio > range.max || ratio % range.step !== 0n)) {
    const allowed = [formatAmount(range.min), formatAmount(range.max)];
    return { name: 'trailing-range', field: 'behindRatio', allowed };
  }
  const { lotSize, minQty } = instrument;
  if (visible % lotSize !== 0n)
    return { name: 'quantity-step', field: 'visibleQuantity', allowed: [formatAmount(lotSize)] };
  const part = BigInt(slicesMax) * lotSize;
  const shown = (((quantity + part - 1n) / part) * lotSize) as Amount;
  const least = shown > minQty ? shown : minQty;
  if (visible >= least && visible <= quantity) return undefined;
  const allowed = [formatAmount(least), formatAmount(quantity)];
  return { name: 'quantity-range', field: 'visibleQuantity', allowed };
}

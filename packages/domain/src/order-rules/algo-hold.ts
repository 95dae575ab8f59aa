import type { AlgoLeg } from '../algo-order.ts';
import { type Amount, floorTo, lesser, mulDown, ZERO } from '../amount.ts';
import { notionalUp } from '../instrument.ts';
import { SIDE } from '../order.ts';
import { trailingBuyMax } from './algo-checks.ts';
import type { AlgoMarket, AlgoRequest } from './algo-request.ts';

/**
 * What an algo order on a pair holds from its placement, until its child has it: a sell its quantity, a buy its quantity
 * at the highest price it may pay, an `oco` once at its dearer leg. Contracts hold nothing while they wait.
 * `undefined` while the price of a trailing buy is not known.
 * @param marketBuyBound how far above its trigger a market buy may go, as a factor.
 */
export function algoHold(
  request: AlgoRequest,
  { prices }: Pick<AlgoMarket, 'prices'>,
  marketBuyBound: Amount,
): { readonly asset: string; readonly amount: Amount } | undefined {
  const { instrument, side, quantity } = request;
  if (instrument.symbolType === 'SWAP') return { asset: instrument.quote, amount: ZERO };
  if (quantity === undefined) return undefined;
  if (side === SIDE.SELL) return { asset: instrument.base, amount: quantity };
  const price = buyPriceMax(request, prices, marketBuyBound);
  return price === undefined ? undefined : { asset: instrument.quote, amount: notionalUp(price, quantity) };
}

function buyPriceMax(
  { plan, instrument }: AlgoRequest,
  prices: AlgoMarket['prices'],
  bound: Amount,
): Amount | undefined {
  const atMarket = (trigger: Amount): Amount =>
    lesser(floorTo(mulDown(trigger, bound), instrument.tickSize), instrument.maxPrice);
  const ofLeg = ({ trigger, limit }: AlgoLeg): Amount =>
    limit ?? (trigger === undefined ? ZERO : atMarket(trigger.price));
  if (plan.kind === 'trailing') {
    const begins = plan.trailing.activation ?? prices[plan.trailing.by];
    return begins === undefined ? undefined : atMarket(trailingBuyMax(plan.trailing, begins));
  }
  if (plan.kind === 'iceberg') return plan.iceberg.limit;
  if (plan.kind !== 'oco') return ofLeg(plan.leg);
  const [target, stop] = [ofLeg(plan.takeProfit), ofLeg(plan.stopLoss)];
  return target > stop ? target : stop;
}

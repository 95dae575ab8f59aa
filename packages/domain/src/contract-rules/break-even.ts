import { AMOUNT_ONE, type Amount, ceilTo, floorTo, magnitude, mulUp, ZERO } from '../amount.ts';
import {
  type ContractOrderRequest,
  type ContractScene,
  positionMet,
  reckonedPrice,
  signedQuantity,
} from './margin-terms.ts';
import { positionAfter } from './position-after.ts';

/**
 * Where closing all of a position would neither win nor lose, after an order was filled as taker at the price that it is reckoned
 * at; on the tick that is further away for the member. What was paid and won so far is in the price that the venue states of
 * the position now. `undefined` when it ends flat, or nothing above 0 would do.
 */
export function breakEvenAfterOrder(order: ContractOrderRequest, scene: ContractScene): Amount | undefined {
  const { takerFee, instrument, terms } = scene;
  const met = positionMet(order, scene);
  const held = met === undefined ? undefined : { ...met, quantity: signedQuantity(met) };
  const before = held?.quantity ?? ZERO;
  const price = reckonedPrice(order, scene);
  const whole = (order.buys ? order.quantity : -order.quantity) as Amount;
  // What only closes is cut to what there is to close.
  const closes = before !== 0n && before > 0n !== whole > 0n;
  const most = closes ? magnitude(before) : ZERO;
  const size = order.reduceOnly && order.quantity > most ? most : order.quantity;
  const fill = { quantity: (order.buys ? size : -size) as Amount, price };
  const { after, turned } = positionAfter(held, fill);
  if (after === undefined) return undefined;
  const closeFee =
    terms.breakEvenFeeMin === undefined
      ? 0n
      : takerFee > terms.breakEvenFeeMin
        ? takerFee
        : terms.breakEvenFeeMin;
  /** What is left of coins once the fee of closing them is paid. */
  const net = (coins: bigint): bigint => coins - (magnitude(coins as Amount) * closeFee) / AMOUNT_ONE;
  const traded = turned ? after.quantity : fill.quantity;
  const paid = traded * price + mulUp(magnitude(traded as Amount), takerFee) * price;
  const carried = turned || held === undefined ? 0n : net(before) * (held.breakEvenPrice ?? held.entryPrice);
  const divisor = net(after.quantity);
  if (divisor === 0n) return undefined;
  const exact = ((carried + paid) / divisor) as Amount;
  if (exact <= 0n) return undefined;
  return after.quantity > 0n ? ceilTo(exact, instrument.tickSize) : floorTo(exact, instrument.tickSize);
}

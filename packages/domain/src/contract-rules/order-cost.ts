import { AMOUNT_ONE, type Amount, ceilTo, lesser, magnitude, minus, mulUp, ZERO } from '../amount.ts';
import { notionalUp } from '../instrument.ts';
import type { VenuePosition } from '../position.ts';
import {
  type ContractOrderRequest,
  type ContractScene,
  leverageHundredths,
  positionMet,
  reckonedPrice,
  signedQuantity,
} from './margin-terms.ts';

/** The venues state money in eight decimals. */
const UNIT = (AMOUNT_ONE / 10n ** 8n) as Amount;

/** How an order divides: what closes of the position that it meets, and what opens. */
export function orderParts(
  order: ContractOrderRequest,
  scene: ContractScene,
): { readonly closing: Amount; readonly opening: Amount } {
  const held = signedQuantity(positionMet(order, scene) ?? { side: 0, quantity: ZERO });
  const against = held > 0n !== order.buys;
  const closing = against ? lesser(order.quantity, magnitude(held)) : ZERO;
  const opensLeg = order.side === 0 || (order.side === 1) === order.buys;
  const opening = order.reduceOnly || !opensLeg ? ZERO : ((order.quantity - closing) as Amount);
  return { closing, opening };
}

/** What must be available for the venue to take an order, in whole 1e-8, rounded up. */
export function contractOrderCost(order: ContractOrderRequest, scene: ContractScene): Amount {
  if (order.reduceOnly) return ZERO;
  const priced = { ...order, price: reckonedPrice(order, scene) };
  const before = ordersMargin(scene.orders, scene);
  const grown = ceilTo(ordersMargin([...scene.orders, priced], scene), UNIT) - (before - (before % UNIT));
  const loss = ceilTo(openLoss(priced, scene), UNIT);
  return ((grown > 0n ? grown : 0n) + loss) as Amount;
}

/** What a size at a price sets aside at a leverage, rounded up: margin, and where the venue counts it the fee to close. */
export function marginOf(
  size: { readonly quantity: Amount; readonly price: Amount; readonly long: boolean },
  hundredths: bigint,
  scene: Pick<ContractScene, 'instrument' | 'terms' | 'takerFee'>,
): Amount {
  const value = notionalUp(size.price, size.quantity, scene.instrument.contractValue);
  const margin = upward(value * 100n, hundredths);
  return (margin + feeToClose(value, { long: size.long, hundredths }, scene)) as Amount;
}

/** What a position that stands alone has set aside when it is opened, at its entry; rounded up. */
export function marginAtEntry(
  position: Pick<VenuePosition, 'side' | 'quantity' | 'entryPrice' | 'leverage'>,
  scene: Pick<ContractScene, 'instrument' | 'terms' | 'takerFee'>,
): Amount {
  const quantity = signedQuantity(position);
  const size = { quantity: magnitude(quantity), price: position.entryPrice, long: quantity > 0n };
  return marginOf(size, BigInt(Math.round(position.leverage * 100)), scene);
}

/** The fee of closing a value where its margin is used up; 0 where margin does not count it. */
export function feeToClose(
  value: Amount,
  { long, hundredths }: { readonly long: boolean; readonly hundredths: bigint },
  { terms, takerFee }: Pick<ContractScene, 'terms' | 'takerFee'>,
): Amount {
  if (!terms.closingFeeInMargin) return ZERO;
  const left = long ? hundredths - 100n : hundredths + 100n;
  return upward(value * left * takerFee, hundredths * AMOUNT_ONE);
}

/** A quotient of two integers above or at 0, rounded up. */
function upward(numerator: bigint, denominator: bigint): Amount {
  return ((numerator + denominator - 1n) / denominator) as Amount;
}

/** Margin of open orders on the contract, rounded up. */
function ordersMargin(orders: readonly ContractOrderRequest[], scene: ContractScene): Amount {
  const opening = orders.filter(({ reduceOnly }) => !reduceOnly);
  const net = opening.filter(({ side }) => side === 0);
  const legs = opening.filter(({ side, buys }) => side !== 0 && (side === 1) === buys);
  const ofNet = scene.terms.orders === 'netted' ? nettedMargin(net, scene) : dearerDirection(net, scene);
  return legs.reduce((sum, order) => (sum + marginAlone(order, order.quantity, scene)) as Amount, ofNet);
}

function nettedMargin(orders: readonly ContractOrderRequest[], scene: ContractScene): Amount {
  const held = heldNet(scene);
  const own = heldValue(held, scene);
  const sideValue = (buys: boolean): bigint =>
    orders
      .filter((order) => order.buys === buys)
      .reduce((sum, order) => sum + value(order.quantity, reckonedPrice(order, scene), scene), 0n);
  const signed = held < 0n ? -own : own;
  const long = magnitude((signed + sideValue(true)) as Amount);
  const short = magnitude((signed - sideValue(false)) as Amount);
  // Orders never lessen both: the worse is at least what is held.
  const worse = long > short ? long : short;
  return upward((worse - own) * 100n, leverageHundredths(0, scene));
}

function dearerDirection(orders: readonly ContractOrderRequest[], scene: ContractScene): Amount {
  const held = heldNet(scene);
  const [buying, selling] = [true, false].map((buys) => {
    const nearestFirst = orders
      .filter((order) => order.buys === buys)
      .map((order) => ({ order, price: reckonedPrice(order, scene) }))
      .sort((a, b) => (a.price === b.price ? 0 : a.price > b.price === buys ? -1 : 1));
    let free = held > 0n !== buys ? magnitude(held) : ZERO;
    return nearestFirst.reduce((sum, { order }) => {
      const closing = lesser(free, order.quantity);
      free = minus(free, closing);
      return sum + marginAlone(order, minus(order.quantity, closing), scene);
    }, 0n);
  });
  return ((buying ?? 0n) > (selling ?? 0n) ? buying : selling) as Amount;
}

/** Margin and fees of opening a part of an order by itself. */
function marginAlone(order: ContractOrderRequest, quantity: Amount, scene: ContractScene): Amount {
  if (quantity === 0n) return ZERO;
  const price = reckonedPrice(order, scene);
  const margin = marginOf(
    { quantity, price, long: order.buys },
    leverageHundredths(order.side, scene),
    scene,
  );
  const fee = scene.terms.openingFeeInCost ? mulUp(value(quantity, price, scene), scene.takerFee) : ZERO;
  return (margin + fee) as Amount;
}

function openLoss(order: ContractOrderRequest, scene: ContractScene): Amount {
  if (!scene.terms.openLossInCost) return ZERO;
  const price = reckonedPrice(order, scene);
  const worse = order.buys ? price - scene.mark : scene.mark - price;
  return worse <= 0n ? ZERO : value(orderParts(order, scene).opening, worse as Amount, scene);
}

function value(quantity: Amount, price: Amount, { instrument }: ContractScene): Amount {
  return notionalUp(price, quantity, instrument.contractValue);
}

function heldNet(scene: ContractScene): Amount {
  return positionMet({ side: 0 }, scene)?.quantity ?? ZERO;
}

function heldValue(held: Amount, scene: ContractScene): Amount {
  return value(magnitude(held), scene.mark, scene);
}

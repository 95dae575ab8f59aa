import { AMOUNT_ONE, type Amount, assert, minus, stepsToAmount } from '@crossbook/domain';
import type { PerpTier } from '../../perp-exchange.ts';
import { leverageAmount, over, times } from './rounding.ts';
import type { ContractView, OrderView, PositionView } from './rules.ts';

/** How a venue measures a position against its tiers. */
export type TierUnit = 'NOTIONAL' | 'CONTRACTS';

/** Base coins of some lots; signed as they are. */
export function coinsOf(contract: ContractView, lots: number): Amount {
  const size = stepsToAmount(lots, contract.lotSize);
  return contract.contractValue === AMOUNT_ONE ? size : times(size, contract.contractValue);
}

/** Value of some lots at a price, signed as they are. */
export function valueAt(contract: ContractView, lots: number, price: Amount): Amount {
  return times(coinsOf(contract, lots), price);
}

/** Value of a position's size at the mark, at least 0. */
export function notionalOf(position: PositionView): Amount {
  return valueAt(position.contract, Math.abs(position.lots), position.contract.mark);
}

/** Profit at the mark that is not realised, before fees. */
export function profitOf({ contract, lots, entryPrice }: PositionView): Amount {
  return times(coinsOf(contract, lots), minus(contract.mark, entryPrice));
}

/** Lots of an order, above 0 when it buys. */
export function signedLots(order: OrderView): number {
  return order.side === 'BUY' ? order.lots : -order.lots;
}

/** Whether an order of hedge mode opens its leg. */
export function opensLeg(order: OrderView): boolean {
  return (order.positionSide === 'LONG') === (order.side === 'BUY');
}

/** Whether position and order concern the same position: symbol, margin mode, side. */
export function changes(order: OrderView, position: PositionView): boolean {
  return sameBook(order, position) && order.positionSide === position.side;
}

/** Whether two of them share symbol and margin mode. */
export function sameBook(one: OrderView | PositionView, other: OrderView | PositionView): boolean {
  return one.contract.symbol === other.contract.symbol && one.marginMode === other.marginMode;
}

/** Lots of an order beyond what it closes of its position; resting orders that close too are not counted. */
export function openingLots(order: OrderView, positions: readonly PositionView[]): number {
  if (order.reduceOnly) return 0;
  if (order.positionSide !== 'BOTH') return opensLeg(order) ? order.lots : 0;
  const held = positions.find((position) => changes(order, position))?.lots ?? 0;
  const against = Math.sign(held) === -Math.sign(signedLots(order)) ? Math.abs(held) : 0;
  return Math.max(0, order.lots - against);
}

/** Size in the unit of the venue's tiers. */
export function tierSize(unit: TierUnit, contract: ContractView, lots: number, price: Amount): Amount {
  const size = Math.abs(lots);
  return unit === 'CONTRACTS' ? stepsToAmount(size, contract.lotSize) : valueAt(contract, size, price);
}

/** The tier of a size: the first whose cap is not below it, the last one beyond the table. */
export function tierAt(contract: ContractView, size: Amount): PerpTier {
  const tier = contract.tiers.find(({ cap }) => size <= cap) ?? contract.tiers.at(-1);
  assert(tier !== undefined, `${contract.symbol} has tiers`);
  return tier;
}

/** The largest number of lots whose size is not above a cap of the tier table. */
export function lotsWithin(unit: TierUnit, contract: ContractView, cap: Amount): number {
  if (unit === 'CONTRACTS') return Number(cap / contract.lotSize);
  const lotValue = contract.mark * contract.lotSize * contract.contractValue;
  return Number((cap * AMOUNT_ONE * AMOUNT_ONE) / lotValue);
}

/** What a value takes of margin at a leverage. */
export function leveraged(value: Amount, leverage: number): Amount {
  return over(value, leverageAmount(leverage));
}

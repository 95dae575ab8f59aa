import { AMOUNT_ONE, type Amount, amount, ceilTo, floorTo, minus, plus, ZERO } from '@crossbook/domain';
import { directionalInitial } from './directional-orders.ts';
import { coinsOf, leveraged, notionalOf, valueAt } from './exposure.ts';
import { greater, leverageAmount, magnitude, over, times } from './rounding.ts';
import type { AccountView, ContractView, MarginRules, OrderView, PositionView } from './rules.ts';
import { rulesOf } from './venue-rules.ts';

/**
 * Bybit unified trading account, linear contracts, as of the change of 2025-09-02. Sources: "Initial Margin (USDT
 * Contract)", "Maintenance Margin (USDT Contract)", "Liquidation Price" and "Break-even price" of the exchange's help.
 */

const MONEY_DECIMALS = 8;
// The exchange reckons market orders at the edge of its price band; for buys that is this much above: a choice.
const MARKET_BUY_SURCHARGE = amount('1.05');
/** The least fee rate that break-even prices count with. */
const BREAK_EVEN_FEE_MIN = amount('0.00055');

/** What closing some signed lots costs where the margin of their entry is used up; it is part of both margins. */
function feeToClose(contract: ContractView, lots: number, entry: Amount, leverage: number): Amount {
  const share = over(AMOUNT_ONE as Amount, leverageAmount(leverage));
  const left = (lots > 0 ? AMOUNT_ONE - share : AMOUNT_ONE + share) as Amount;
  const bankrupt = times(entry, left);
  return times(valueAt(contract, Math.abs(lots), bankrupt), contract.takerFee);
}

function feeOf({ contract, lots, entryPrice, leverage }: PositionView): Amount {
  return feeToClose(contract, lots, entryPrice, leverage);
}

/** Margin that an isolated position sets aside when it is opened, the fee to close with it. */
function marginAtEntry(contract: ContractView, lots: number, price: Amount, leverage: number): Amount {
  const margin = leveraged(valueAt(contract, Math.abs(lots), price), leverage);
  return plus(margin, feeToClose(contract, lots, price, leverage));
}

/** Margin, the fee to open and the fee to close. */
function marginOf(order: OrderView, lots: number): Amount {
  const { contract, price = contract.mark, leverage } = order;
  const value = valueAt(contract, lots, price);
  const signed = order.side === 'BUY' ? lots : -lots;
  const fees = plus(times(value, contract.takerFee), feeToClose(contract, signed, price, leverage));
  return plus(leveraged(value, leverage), fees);
}

/** In cross hedge mode only what one leg is larger by has a maintenance rate. Seen for equal legs; beyond it a choice. */
function exposedLots(position: PositionView, account: AccountView): number {
  const size = Math.abs(position.lots);
  if (position.marginMode === 'ISOLATED' || position.side === 'BOTH') return size;
  const other = account.positions.find(
    ({ contract, marginMode, side }) =>
      contract.symbol === position.contract.symbol && marginMode === 'CROSS' && side !== position.side,
  );
  return Math.max(0, size - Math.abs(other?.lots ?? 0));
}

function marketPrice({ contract, side }: OrderView): Amount {
  if (side === 'SELL') return contract.bestBid ?? contract.mark;
  return times(contract.bestAsk ?? contract.mark, MARKET_BUY_SURCHARGE);
}

/** Profit, fees and funding so far over what is left, and the fee of the close. */
function breakEvenPrice(position: PositionView): Amount {
  const { contract, lots, entryPrice } = position;
  const coins = coinsOf(contract, lots);
  const realised = plus(minus(position.realisedPnl, position.feesPaid), position.funding);
  const fee = times(magnitude(coins), greater(contract.takerFee, BREAK_EVEN_FEE_MIN));
  return over(minus(times(coins, entryPrice), realised), minus(coins, fee));
}

/** Bybit linear contracts. */
export const BYBIT_RULES: MarginRules = rulesOf({
  moneyDecimals: MONEY_DECIMALS,
  tierUnit: 'NOTIONAL',
  positionInitial: (position) =>
    position.marginMode === 'ISOLATED'
      ? position.isolatedWallet
      : plus(leveraged(notionalOf(position), position.leverage), feeOf(position)),
  // What the position has aside is its initial margin; what it was opened with stays.
  marginToKeep: ({ contract, lots, entryPrice, leverage }) =>
    marginAtEntry(contract, lots, entryPrice, leverage),
  exposedLots,
  fixedMaintenance: feeOf,
  liquidationRate: () => ZERO,
  heldBack: () => ZERO,
  ordersInitial: (orders, positions) => directionalInitial(orders, positions, marginOf),
  marketPrice,
  openLoss: () => ZERO,
  breakEvenPrice,
  // Longs up to the tick was seen, shorts down to it is a choice.
  shownLiquidationPrice: (exact, { contract, lots }) =>
    lots > 0 ? ceilTo(exact, contract.tickSize) : floorTo(exact, contract.tickSize),
  isolatedMargin: marginAtEntry,
  liquidationFeeRate: ({ takerFee }) => takerFee,
  // The lowest tier goes whole; of larger positions the difference to the tier that suffices.
  liquidationTiers: (tier) => Array.from({ length: tier - 1 }, (_, index) => tier - 1 - index),
  stepMustHold: true,
  // Profit ratio times effective leverage.
  adlBy: 'LEVERAGE',
});

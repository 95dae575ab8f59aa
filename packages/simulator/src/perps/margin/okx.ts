import { AMOUNT_SCALE, type Amount, minus, plus, ZERO } from '@crossbook/domain';
import { directionalInitial } from './directional-orders.ts';
import { coinsOf, leveraged, notionalOf, valueAt } from './exposure.ts';
import { magnitude, over, times } from './rounding.ts';
import type { AccountView, MarginRules, OrderView, PositionView } from './rules.ts';
import { rulesOf } from './venue-rules.ts';

/**
 * OKX swaps, Futures mode. Sources: "Futures mode: cross margin trading", "isolated margin trading" and "Liquidation" of
 * the exchange's help, `api/v5/account/positions` and `account/balance`.
 */

// Partial liquidation goes down two tiers, from the third on.
const TIERS_A_STEP = 2;

/** Margin and the fee to open it. */
function marginOf({ contract, price = contract.mark, leverage }: OrderView, lots: number): Amount {
  const value = valueAt(contract, lots, price);
  return plus(leveraged(value, leverage), times(value, contract.takerFee));
}

/** Spot orders, needs of isolated orders and fees of cross ones do not stand behind cross positions. */
function heldBack(account: AccountView): Amount {
  const isolated = account.orders.filter(({ marginMode }) => marginMode === 'ISOLATED');
  const needs = [...Map.groupBy(isolated, ({ contract }) => contract.symbol)].map(([symbol, orders]) => {
    const own = account.positions.filter(
      ({ contract, marginMode }) => contract.symbol === symbol && marginMode === 'ISOLATED',
    );
    return directionalInitial(orders, own, marginOf);
  });
  const fees = account.orders
    .filter(({ marginMode }) => marginMode === 'CROSS')
    .map(({ contract, lots, price = contract.mark }) =>
      times(valueAt(contract, lots, price), contract.takerFee),
    );
  return [...needs, ...fees].reduce(plus, account.spotLocked);
}

/** The exchange does not say what a market order is reckoned at: the best price on the other side, a choice. */
function marketPrice({ contract, side }: OrderView): Amount {
  return (side === 'BUY' ? contract.bestAsk : contract.bestBid) ?? contract.mark;
}

/** Profit, fees and funding so far over what is left, and the fee of the close. */
function breakEvenPrice(position: PositionView): Amount {
  const { contract, lots, entryPrice } = position;
  const coins = coinsOf(contract, lots);
  const realised = plus(minus(position.realisedPnl, position.feesPaid), position.funding);
  const fee = times(magnitude(coins), contract.takerFee);
  return over(minus(times(coins, entryPrice), realised), minus(coins, fee));
}

/** Isolated prices come a tick early. Seen for longs; for shorts the mirror image is a choice. */
function shownLiquidationPrice(exact: Amount, { contract, lots, marginMode }: PositionView): Amount {
  if (marginMode === 'CROSS') return exact;
  return lots > 0 ? plus(exact, contract.tickSize) : minus(exact, contract.tickSize);
}

/** OKX swaps. */
export const OKX_RULES: MarginRules = rulesOf({
  moneyDecimals: AMOUNT_SCALE,
  tierUnit: 'CONTRACTS',
  positionInitial: (position) =>
    position.marginMode === 'ISOLATED'
      ? position.isolatedWallet
      : leveraged(notionalOf(position), position.leverage),
  // What the position has aside is its initial margin; what its leverage asks for at entry must stay.
  marginToKeep: ({ contract, lots, entryPrice, leverage }) =>
    leveraged(valueAt(contract, Math.abs(lots), entryPrice), leverage),
  exposedLots: ({ lots }) => Math.abs(lots),
  fixedMaintenance: () => ZERO,
  liquidationRate: ({ takerFee }) => takerFee,
  heldBack,
  ordersInitial: (orders, positions) => directionalInitial(orders, positions, marginOf),
  marketPrice,
  openLoss: () => ZERO,
  breakEvenPrice,
  shownLiquidationPrice,
  isolatedMargin: (contract, lots, price, leverage) =>
    leveraged(valueAt(contract, Math.abs(lots), price), leverage),
  liquidationFeeRate: ({ takerFee }) => takerFee,
  liquidationTiers: (tier, passesAtFirstTier) =>
    tier > TIERS_A_STEP && passesAtFirstTier ? [tier - TIERS_A_STEP] : [],
  stepMustHold: false,
  // Profit ratio times effective leverage.
  adlBy: 'LEVERAGE',
});

import { type Amount, amount, minus, plus, ZERO } from '@crossbook/domain';
import { coinsOf, leveraged, notionalOf, opensLeg, valueAt } from './exposure.ts';
import { greater, magnitude, over, stated, times } from './rounding.ts';
import type { MarginRules, OrderView, PositionView } from './rules.ts';
import { rulesOf } from './venue-rules.ts';

/**
 * Binance USD-M, single-asset mode. Sources: "Leverage and Margin of USD-M Futures", "How to Calculate Liquidation
 * Price of USD-M Futures Contracts" and "Cost required to open a position" of the exchange's help, and
 * `fapi/v3/positionRisk`.
 */

const MONEY_DECIMALS = 8;
const PRICE_DECIMALS = 8;
// The exchange names 0.05 % in one text and does not in another: a choice.
const MARKET_BUY_SURCHARGE = amount('1.0005');
// `liquidationFee` of fapi/v1/exchangeInfo, the same for all contracts that are listed here.
const LIQUIDATION_FEE_RATE = amount('0.0125');

/** Worse of the two directions over leverage, less what the position has set aside already. */
function oneWayInitial(orders: readonly OrderView[], position: PositionView | undefined): Amount {
  const [first] = orders;
  if (first === undefined) return ZERO;
  const { contract } = first;
  const held = position === undefined ? ZERO : valueAt(contract, position.lots, contract.mark);
  const bids = sumOf(orders.filter(({ side }) => side === 'BUY'));
  const asks = sumOf(orders.filter(({ side }) => side === 'SELL'));
  const worse = greater(magnitude(plus(held, bids)), magnitude(minus(held, asks)));
  return greater(ZERO, minus(leveraged(worse, first.leverage), leveraged(magnitude(held), first.leverage)));
}

/** Value of orders that may open; each has its price. */
function sumOf(orders: readonly OrderView[]): Amount {
  return orders
    .filter(({ reduceOnly }) => !reduceOnly)
    .reduce((sum, { contract, lots, price = ZERO }) => plus(sum, valueAt(contract, lots, price)), ZERO);
}

/** A short's opening is reckoned at its own price; the exchange's newer text also names last x 1.0015: a choice. */
function openLoss(order: OrderView, lots: number): Amount {
  const { contract, side, price = contract.mark } = order;
  const ahead = side === 'BUY' ? minus(contract.mark, price) : minus(price, contract.mark);
  return times(coinsOf(contract, lots), greater(ZERO, minus(ZERO, ahead)));
}

function marketPrice({ contract, side }: OrderView): Amount {
  if (side === 'BUY') return times(contract.bestAsk ?? contract.mark, MARKET_BUY_SURCHARGE);
  return greater(contract.bestBid ?? contract.mark, contract.mark);
}

/** Fees paid and what was realised so far over what is left; funding stays out: a choice. */
function breakEvenPrice(position: PositionView): Amount {
  const net = minus(position.realisedPnl, position.feesPaid);
  return stated(
    minus(position.entryPrice, over(net, coinsOf(position.contract, position.lots))),
    PRICE_DECIMALS,
  );
}

/** Binance USD-M. */
export const BINANCE_RULES: MarginRules = rulesOf({
  moneyDecimals: MONEY_DECIMALS,
  tierUnit: 'NOTIONAL',
  positionInitial: (position) => leveraged(notionalOf(position), position.leverage),
  exposedLots: ({ lots }) => Math.abs(lots),
  fixedMaintenance: () => ZERO,
  liquidationRate: () => ZERO,
  heldBack: () => ZERO,
  ordersInitial: (orders, positions) => {
    const oneWay = orders.filter(({ positionSide }) => positionSide === 'BOTH');
    const legs = orders.filter((order) => order.positionSide !== 'BOTH' && opensLeg(order));
    const net = positions.find(({ side }) => side === 'BOTH');
    return legs.reduce(
      (sum, order) => plus(sum, leveraged(sumOf([order]), order.leverage)),
      oneWayInitial(oneWay, net),
    );
  },
  marketPrice,
  openLoss,
  breakEvenPrice,
  shownLiquidationPrice: (exact) => stated(exact, PRICE_DECIMALS),
  isolatedMargin: (contract, lots, price, leverage) =>
    leveraged(valueAt(contract, Math.abs(lots), price), leverage),
  liquidationFeeRate: () => LIQUIDATION_FEE_RATE,
  // Small positions go whole; of larger ones as much as the tier needs at which the account is safe again.
  liquidationTiers: (tier) => Array.from({ length: tier - 1 }, (_, index) => tier - 1 - index),
  stepMustHold: true,
  // Profit ratio times how near the liquidation is.
  adlBy: 'RATIO',
});

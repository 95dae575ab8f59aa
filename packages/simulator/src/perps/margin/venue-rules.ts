import { AMOUNT_SCALE, type Amount, ceilTo, minus, plus, ZERO } from '@crossbook/domain';
import {
  leveraged,
  lotsWithin,
  notionalOf,
  openingLots,
  opensLeg,
  profitOf,
  sameBook,
  signedLots,
  tierSize,
  valueAt,
} from './exposure.ts';
import type { VenueFormulas } from './formulas.ts';
import { bankruptcyPrice, liquidationPrice, liquidationStep } from './liquidation.ts';
import {
  crossEquityOf,
  crossWalletOf,
  equityOf,
  maintenanceOf,
  maintenanceTier,
  poolOf,
  ratioOf,
  requirementOf,
  total,
} from './requirement.ts';
import { fraction, greater, nearest, stated, times } from './rounding.ts';
import {
  type AccountView,
  BANKRUPT_RATIO,
  type ContractView,
  type FillView,
  type MarginRules,
  type OrderView,
  type PoolStats,
  type PositionView,
} from './rules.ts';

/** The figures of a venue, from where its formulas differ. */
export function rulesOf(formulas: VenueFormulas): MarginRules {
  const { moneyDecimals } = formulas;
  const money = (value: Amount): Amount => stated(value, moneyDecimals);
  return {
    notional: (position) => money(notionalOf(position)),
    unrealisedPnl: (position) => money(profitOf(position)),
    positionInitial: (position) => money(formulas.positionInitial(position)),
    marginToKeep: (position) =>
      money(formulas.marginToKeep?.(position) ?? formulas.positionInitial(position)),
    maintenance: (position, account) => money(maintenanceOf(formulas, position, account)),
    tier: (position) => maintenanceTier(formulas, position).tier,
    ratio: (position, account) => poolRatio(formulas, position, account),
    liquidationPrice: (position, account) => liquidationPrice(formulas, position, account),
    shownLiquidationPrice: (position, account) => {
      const exact = liquidationPrice(formulas, position, account);
      if (exact === undefined || exact > position.contract.maxPrice) return undefined;
      return formulas.shownLiquidationPrice(exact, position);
    },
    bankruptcyPrice: (position, account) => bankruptcyPrice(formulas, position, account),
    breakEvenPrice: (position) => formulas.breakEvenPrice(position),
    adlScore: (position, account) => adlScore(formulas, position, account),
    fundingAmount: (position, rate) => {
      const paid = times(notionalOf(position), rate);
      return money(position.lots > 0 ? minus(ZERO, paid) : paid);
    },
    liquidationFee: (contract, notional) => money(times(notional, formulas.liquidationFeeRate(contract))),
    liquidationStep: (position, account) => liquidationStep(formulas, position, account),
    isolatedMove: (position, fill) => isolatedMove(formulas, position, fill),
    pool: (account) => poolStats(formulas, account),
    available: (account) => crossFunds(formulas, account).available,
    cost: (order, account) => costOf(formulas, order, account),
    fitsTier: (order, account) => fitsTier(formulas, order, account),
    largestLots: (contract, leverage) => lotsWithin(formulas.tierUnit, contract, roomAt(contract, leverage)),
  };
}

function poolRatio(formulas: VenueFormulas, position: PositionView, account: AccountView): number {
  const requirement = total(poolOf(position, account), (one) => requirementOf(formulas, one, account));
  return ratioOf(requirement, equityOf(formulas, position, account));
}

/** Profit weighed by danger; of those that lose, the safer ones lie further back. */
function adlScore(formulas: VenueFormulas, position: PositionView, account: AccountView): number {
  const { contract, entryPrice, leverage } = position;
  const cost = leveraged(valueAt(contract, Math.abs(position.lots), entryPrice), leverage);
  const profit = cost <= 0n ? 0 : fraction(profitOf(position), cost);
  const danger =
    formulas.adlBy === 'RATIO'
      ? poolRatio(formulas, position, account)
      : ratioOf(notionalOf(position), equityOf(formulas, position, account));
  return profit >= 0 ? profit * danger : profit / Math.max(danger, 1 / BANKRUPT_RATIO);
}

function isolatedMove(formulas: VenueFormulas, position: PositionView | undefined, fill: FillView): Amount {
  const opened = (lots: number): Amount =>
    stated(formulas.isolatedMargin(fill.contract, lots, fill.price, fill.leverage), formulas.moneyDecimals);
  if (position === undefined || Math.sign(position.lots) === Math.sign(fill.lots)) return opened(fill.lots);
  const held = Math.abs(position.lots);
  const closed = Math.min(held, Math.abs(fill.lots));
  const back = stated(
    nearest(position.isolatedWallet * BigInt(closed), BigInt(held)) as Amount,
    formulas.moneyDecimals,
  );
  if (closed === Math.abs(fill.lots)) return minus(ZERO, closed === held ? position.isolatedWallet : back);
  return minus(opened(position.lots + fill.lots), position.isolatedWallet);
}

/** Orders by what they share margin with: symbol and margin mode. */
function groupsOf(account: AccountView): readonly (readonly OrderView[])[] {
  const [first] = account.orders;
  if (first === undefined) return [];
  // Most accounts have orders on one contract: this is asked for every order.
  const sharesAll = ({ contract, marginMode }: OrderView): boolean =>
    contract.symbol === first.contract.symbol && marginMode === first.marginMode;
  if (account.orders.every(sharesAll)) return [account.orders];
  const groups = Map.groupBy(
    account.orders,
    ({ contract, marginMode }) => `${contract.symbol} ${marginMode}`,
  );
  return [...groups.values()];
}

function groupInitial(
  formulas: VenueFormulas,
  orders: readonly OrderView[],
  positions: readonly PositionView[],
): Amount {
  const [first] = orders;
  if (first === undefined) return ZERO;
  const own = positions.filter((position) => sameBook(first, position));
  return stated(formulas.ordersInitial(orders, own), formulas.moneyDecimals);
}

/** What the cross wallet and the profit of cross positions are, and how much of them is in use. */
function crossFunds(
  formulas: VenueFormulas,
  account: AccountView,
): Pick<
  PoolStats,
  'crossWallet' | 'crossUnrealisedPnl' | 'crossInitial' | 'orderInitial' | 'equity' | 'inUse' | 'available'
> {
  const money = (stat: (position: PositionView) => Amount) => (position: PositionView) =>
    stated(stat(position), formulas.moneyDecimals);
  const cross = account.positions.filter(({ marginMode }) => marginMode === 'CROSS');
  const crossWallet = crossWalletOf(account);
  const crossUnrealisedPnl = total(cross, money(profitOf));
  const crossInitial = total(
    cross,
    money((position) => formulas.positionInitial(position)),
  );
  const orderInitial = groupsOf(account).reduce(
    (sum, orders) => plus(sum, groupInitial(formulas, orders, account.positions)),
    ZERO,
  );
  const equity = plus(crossWallet, crossUnrealisedPnl);
  const inUse = plus(plus(crossInitial, orderInitial), account.spotLocked);
  const available = greater(ZERO, minus(equity, inUse));
  return { crossWallet, crossUnrealisedPnl, crossInitial, orderInitial, equity, inUse, available };
}

function poolStats(formulas: VenueFormulas, account: AccountView): PoolStats {
  const money = (stat: (position: PositionView) => Amount) => (position: PositionView) =>
    stated(stat(position), formulas.moneyDecimals);
  const maintenance = money((position) => maintenanceOf(formulas, position, account));
  const { positions } = account;
  const cross = positions.filter(({ marginMode }) => marginMode === 'CROSS');
  const { crossWallet, crossUnrealisedPnl, crossInitial, orderInitial, equity, inUse, available } =
    crossFunds(formulas, account);
  const withoutProfit = crossUnrealisedPnl < 0n ? equity : crossWallet;
  const requirement = total(cross, (position) => requirementOf(formulas, position, account));
  return {
    crossWallet,
    unrealisedPnl: total(positions, money(profitOf)),
    crossUnrealisedPnl,
    positionInitial: total(
      positions,
      money((position) => formulas.positionInitial(position)),
    ),
    ...{ crossInitial, orderInitial },
    maintenance: total(positions, maintenance),
    crossMaintenance: total(cross, maintenance),
    crossRequirement: requirement,
    ...{ equity, inUse, available },
    withdrawable: greater(ZERO, minus(withoutProfit, inUse)),
    ratio: ratioOf(requirement, crossEquityOf(formulas, account)),
  };
}

function costOf(formulas: VenueFormulas, order: OrderView, account: AccountView): Amount {
  if (order.reduceOnly) return ZERO;
  const priced = { ...order, price: order.price ?? formulas.marketPrice(order) };
  const { positions } = account;
  const before = account.orders.filter((one) => sameBook(one, order));
  const grown = minus(
    groupInitial(formulas, [...before, priced], positions),
    groupInitial(formulas, before, positions),
  );
  const loss = formulas.openLoss(priced, openingLots(order, positions));
  return ceilTo(
    plus(greater(ZERO, grown), loss),
    (10n ** BigInt(AMOUNT_SCALE - formulas.moneyDecimals)) as Amount,
  );
}

/** What the tier table allows at a leverage, in the unit of its tiers; 0 beyond the first tier's leverage. */
function roomAt(contract: ContractView, leverage: number): Amount {
  return contract.tiers.findLast(({ maxLeverage }) => maxLeverage >= leverage)?.cap ?? ZERO;
}

function fitsTier(formulas: VenueFormulas, order: OrderView, account: AccountView): boolean {
  if (openingLots(order, account.positions) === 0) return true;
  const { contract } = order;
  const size = (lots: number, price: Amount): Amount => tierSize(formulas.tierUnit, contract, lots, price);
  const held = account.positions.find(
    (position) => sameBook(order, position) && position.side === order.positionSide,
  );
  // One-way: lots of the order's direction, so that a position against it makes room.
  const direction = Math.sign(signedLots(order));
  const own = size(held?.lots ?? 0, contract.mark);
  const start = Math.sign(held?.lots ?? direction) === direction ? own : minus(ZERO, own);
  const orders = [...account.orders, order].filter(
    (one) =>
      sameBook(one, order) &&
      one.positionSide === order.positionSide &&
      one.side === order.side &&
      !one.reduceOnly &&
      (one.positionSide === 'BOTH' || opensLeg(one)),
  );
  const sum = orders.reduce(
    (so, one) => plus(so, size(one.lots, one.price ?? formulas.marketPrice(one))),
    start,
  );
  return sum <= roomAt(contract, order.leverage);
}

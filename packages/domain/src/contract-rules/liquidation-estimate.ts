import {
  AMOUNT_ONE,
  type Amount,
  ceilTo,
  floorTo,
  lesser,
  magnitude,
  mulUp,
  plus,
  toNumberForDisplay,
  ZERO,
} from '../amount.ts';
import type { LeverageTier, PositionSide } from '../position.ts';
import {
  type ContractOrderRequest,
  type ContractScene,
  leverageHundredths,
  positionMet,
  signedQuantity,
} from './margin-terms.ts';
import { feeToClose, marginOf } from './order-cost.ts';
import { positionAfter, profitOfClosing } from './position-after.ts';

const SCALE = AMOUNT_ONE * AMOUNT_ONE;

/** One position as liquidation sees it: signed coins, and what stands behind it alone. */
interface Leg {
  readonly side: PositionSide;
  readonly quantity: Amount;
  readonly entryPrice: Amount;
  readonly isolatedMargin: Amount;
  readonly leverage: bigint;
}

/**
 * The mark that would liquidate the position of a side as it stands, on the tick nearer to the mark.
 * `undefined`: none above 0, or no tiers are known.
 */
export function liquidationEstimate(
  side: PositionSide,
  scene: ContractScene,
  margin: { readonly added: Amount } = { added: 0n as Amount },
): Amount | undefined {
  // What stands behind it is one of the two.
  const legs = legsOf(scene).map((leg) => ({
    ...leg,
    isolatedMargin: plus(leg.isolatedMargin, margin.added),
  }));
  return solve(side, legs, scene, plus(scene.pool.wallet, margin.added));
}

/** The same after an order was filled as taker at the price that it is reckoned at. `undefined` also when it ends flat. */
export function liquidationAfterOrder(order: ContractOrderRequest, scene: ContractScene): Amount | undefined {
  const then = afterOrder(order, scene);
  return then === undefined ? undefined : solve(order.side, then.legs, scene, then.wallet);
}

/**
 * What maintenance will take at the mark, after such an order, of the money behind the position: 1 = liquidation.
 * `undefined` when it ends flat, or no tiers are known.
 */
export function marginRatioAfterOrder(order: ContractOrderRequest, scene: ContractScene): number | undefined {
  const { mark, terms, takerFee } = scene;
  const then = afterOrder(order, scene);
  if (then === undefined) return undefined;
  let equity = backing(then.own, scene, then.wallet);
  let needed = 0n;
  for (const leg of isolated(scene) ? [then.own] : then.legs) {
    const coins = coinsOf(leg.quantity, scene);
    const maintenance = ratedMaintenance(leg, then.legs, scene);
    if (maintenance === undefined) return undefined;
    needed += maintenance;
    const whole = magnitude(((coins * mark) / AMOUNT_ONE) as Amount);
    if (terms.closingFeeAtLiquidation) needed += (whole * takerFee) / AMOUNT_ONE;
    equity += (coins * (mark - leg.entryPrice)) / AMOUNT_ONE - fixedFee(leg, scene);
  }
  if (equity <= needed) return 1;
  return needed <= 0n ? 0 : toNumberForDisplay(needed as Amount) / toNumberForDisplay(equity as Amount);
}

/**
 * What must stay behind the position of a side at the mark, beside the other positions of its contract.
 * `undefined` without such a position, or when no tiers are known.
 */
export function maintenanceAtMark(side: PositionSide, scene: ContractScene): Amount | undefined {
  const legs = legsOf(scene);
  const leg = legs.find((one) => one.side === side);
  const rated = leg && ratedMaintenance(leg, legs, scene);
  return leg && rated !== undefined ? ((rated + fixedFee(leg, scene)) as Amount) : undefined;
}

/** Maintenance at the mark without what of it stays the same at every mark. */
function ratedMaintenance(leg: Leg, all: readonly Leg[], scene: ContractScene): bigint | undefined {
  const contracts = exposedOf(leg, all, scene);
  const value = (coinsOf(contracts, scene) * scene.mark) / AMOUNT_ONE;
  const tier = tierOf({ contracts, value }, scene.tiers);
  return tier && (value * tier.maintenanceRate) / AMOUNT_ONE - tier.deduction;
}

/** Legs and wallet after an order; `undefined` when its position is flat. */
function afterOrder(
  order: ContractOrderRequest,
  scene: ContractScene,
): { readonly own: Leg; readonly legs: readonly Leg[]; readonly wallet: Amount } | undefined {
  const { instrument, takerFee } = scene;
  const legs = legsOf(scene);
  const met = legs.find(({ side }) => side === order.side);
  const price = fillPrice(order, scene);
  const quantity = filled(order, met?.quantity ?? (0n as Amount));
  const effect = positionAfter(met, { quantity: (order.buys ? quantity : -quantity) as Amount, price });
  const value = (price * quantity * instrument.contractValue) / SCALE;
  const profit =
    met === undefined
      ? 0n
      : profitOfClosing(met, { quantity: effect.closed, price }, instrument.contractValue);
  const wallet = (scene.pool.wallet + profit - mulUp(value as Amount, takerFee)) as Amount;
  const others = legs.filter((leg) => leg !== met);
  if (effect.after === undefined) return undefined;
  const leverage = leverageHundredths(order.side, scene);
  const long = effect.after.quantity > 0n;
  const kept =
    met === undefined || effect.turned
      ? 0n
      : met.isolatedMargin - (met.isolatedMargin * effect.closed) / magnitude(met.quantity);
  const aside = marginOf({ quantity: effect.opened, price, long }, leverage, scene);
  const own: Leg = {
    ...{ ...effect.after, side: order.side, leverage },
    isolatedMargin: (kept + aside) as Amount,
  };
  return { own, legs: [...others, own], wallet };
}

function fillPrice(order: ContractOrderRequest, scene: ContractScene): Amount {
  if (order.price !== undefined) return order.price;
  return (order.buys ? scene.bestAsk : scene.bestBid) ?? scene.mark;
}

/** A reduce-only order, and one that closes a leg, fills no more than is held. */
function filled(order: ContractOrderRequest, held: Amount): Amount {
  const closes = order.reduceOnly || (order.side !== 0 && (order.side === 1) !== order.buys);
  return closes ? lesser(magnitude(held), order.quantity) : order.quantity;
}

const isolated = ({ setting }: ContractScene): boolean => setting.marginMode === 'isolated';

function legsOf(scene: ContractScene): readonly Leg[] {
  const sides: readonly PositionSide[] = [0, 1, 2];
  return sides.flatMap((side) => {
    const position = positionMet({ side }, scene);
    if (position === undefined) return [];
    return [
      {
        ...{ side, quantity: signedQuantity(position), entryPrice: position.entryPrice },
        isolatedMargin: position.isolatedMargin ?? ZERO,
        leverage: BigInt(Math.round(position.leverage * 100)),
      },
    ];
  });
}

/** Equity besides the profit of the contract's own legs, less what the other positions need; at 1e-18. */
function backing(leg: Leg, scene: ContractScene, wallet: Amount): bigint {
  if (isolated(scene)) return leg.isolatedMargin;
  const { instrument, positions, takerFee, terms, heldBack = 0n } = scene;
  let sum = wallet - heldBack;
  for (const position of positions) {
    if (position.marginMode === 'isolated') sum -= position.isolatedMargin ?? 0n;
    else if (position.symbol !== instrument.symbol) {
      sum += position.unrealisedPnl - position.maintenanceMargin;
      // Cross margin is the notional over the leverage.
      const notional = (position.initialMargin * BigInt(Math.round(position.leverage * 100))) / 100n;
      if (terms.closingFeeAtLiquidation) sum -= (notional * takerFee) / AMOUNT_ONE;
    }
  }
  return sum;
}

/**
 * (backing + deductions - fees to close - s q E) / (q rate - s q) over the legs that share their money, for each
 * combination of tiers; the root whose sizes lie in those tiers counts, of two the one nearer to the mark.
 */
function solve(
  side: PositionSide,
  all: readonly Leg[],
  scene: ContractScene,
  wallet: Amount,
): Amount | undefined {
  const leg = all.find((one) => one.side === side);
  if (leg === undefined) return undefined;
  const legs = (isolated(scene) ? [leg] : all).map((one) => ({
    coins: coinsOf(one.quantity, scene),
    exposed: coinsOf(exposedOf(one, all, scene), scene),
    entry: one.entryPrice,
    fee: fixedFee(one, scene),
  }));
  const money = backing(leg, scene, wallet);
  const closing = scene.terms.closingFeeAtLiquidation ? scene.takerFee : 0n;
  const roots = combinations(legs, scene).flatMap((tiered) => {
    let above = money * AMOUNT_ONE;
    let below = 0n;
    for (const { coins, exposed, entry, fee, tier } of tiered) {
      above += tier.deduction * AMOUNT_ONE - fee * AMOUNT_ONE - coins * entry;
      below += exposed * tier.maintenanceRate + magnitude(coins) * closing - coins * AMOUNT_ONE;
    }
    if (below === 0n) return [];
    const price = ((above * AMOUNT_ONE) / below) as Amount;
    const fits = tiered.every(({ exposed, tier }) => liesIn(tier, exposed, price, scene));
    return price > 0n && fits ? [price] : [];
  });
  const far = (price: Amount): bigint => (price > scene.mark ? price - scene.mark : scene.mark - price);
  const [nearest] = roots.sort((a, b) => (far(a) < far(b) ? -1 : 1));
  if (nearest === undefined) return undefined;
  const { tickSize } = scene.instrument;
  return nearest < scene.mark ? ceilTo(nearest, tickSize) : floorTo(nearest, tickSize);
}

function coinsOf(quantity: Amount, { instrument }: ContractScene): Amount {
  return ((quantity * instrument.contractValue) / AMOUNT_ONE) as Amount;
}

/** Size that maintenance rates fall on, at least 0. */
function exposedOf(leg: Leg, all: readonly Leg[], scene: ContractScene): Amount {
  const size = magnitude(leg.quantity);
  if (!scene.terms.legsCoverEachOther || isolated(scene)) return size;
  const cover = magnitude(all.find((one) => one !== leg)?.quantity ?? ZERO);
  return (size > cover ? size - cover : 0n) as Amount;
}

function fixedFee(leg: Leg, scene: ContractScene): bigint {
  const coins = coinsOf(leg.quantity, scene);
  const long = coins > 0n;
  const value = (magnitude(coins) * leg.entryPrice) / AMOUNT_ONE;
  return feeToClose(value as Amount, { long, hundredths: leg.leverage }, scene);
}

/** The tier of a size; beyond all of them the last one. */
function tierOf(
  size: { readonly contracts: bigint; readonly value: bigint },
  tiers: readonly LeverageTier[],
): LeverageTier | undefined {
  return (
    tiers.find(({ unit, cap }) => (unit === 'contracts' ? size.contracts : size.value) <= cap) ?? tiers.at(-1)
  );
}

/** The legs with one tier each, in every combination; where tiers count contracts each leg has but its own. */
function combinations<OneLeg extends { readonly exposed: bigint }>(
  legs: readonly OneLeg[],
  { tiers, instrument }: ContractScene,
): readonly (readonly (OneLeg & { readonly tier: LeverageTier })[])[] {
  return legs.reduce<readonly (readonly (OneLeg & { readonly tier: LeverageTier })[])[]>(
    (combined, leg) => {
      const own = tierOf(
        { contracts: (leg.exposed * AMOUNT_ONE) / instrument.contractValue, value: 0n },
        tiers,
      );
      const possible = tiers.filter((tier) => tier.unit === 'notional' || tier === own);
      return combined.flatMap((before) => possible.map((tier) => [...before, { ...leg, tier }]));
    },
    [[]],
  );
}

/** Whether a size at a price lies in a tier of notional; the last one has no end. */
function liesIn(tier: LeverageTier, coins: bigint, price: Amount, { tiers }: ContractScene): boolean {
  const size = (coins * price) / AMOUNT_ONE;
  return (
    tier.unit === 'contracts' || (size >= tier.floor && (size <= tier.cap || tier.tier === tiers.length))
  );
}

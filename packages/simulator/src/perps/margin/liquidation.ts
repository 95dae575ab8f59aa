import { AMOUNT_ONE, type Amount, minus, plus, ZERO } from '@crossbook/domain';
import { coinsOf, lotsWithin, notionalOf, valueAt } from './exposure.ts';
import type { VenueFormulas } from './formulas.ts';
import { equityOf, maintenanceTier, poolOf, requirementOf, total } from './requirement.ts';
import { nearest, over, times } from './rounding.ts';
import type { AccountView, PositionView } from './rules.ts';

/** Where and how much is liquidated. */

/** Lots, above 0, that one step of liquidation closes at the mark. */
export function liquidationStep(
  formulas: VenueFormulas,
  position: PositionView,
  account: AccountView,
): number {
  const { contract } = position;
  const size = Math.abs(position.lots);
  const equity = equityOf(formulas, position, account);
  const all = total(poolOf(position, account), (one) => requirementOf(formulas, one, account));
  const rest = minus(all, requirementOf(formulas, position, account));
  const holds = (changed: PositionView, left: Amount): boolean =>
    plus(rest, requirementOf(formulas, changed, account)) < left;
  const atFirstTier = { ...position, contract: { ...contract, tiers: contract.tiers.slice(0, 1) } };
  const { tier } = maintenanceTier(formulas, position);
  for (const target of formulas.liquidationTiers(tier, holds(atFirstTier, equity))) {
    const kept = lotsWithin(formulas.tierUnit, contract, contract.tiers[target - 1]?.cap ?? ZERO);
    if (kept < 1 || kept >= size) continue;
    const fee = times(valueAt(contract, size - kept, contract.mark), formulas.liquidationFeeRate(contract));
    const smaller = { ...position, lots: Math.sign(position.lots) * kept };
    if (!formulas.stepMustHold || holds(smaller, minus(equity, fee))) return size - kept;
  }
  return size;
}

/** A position's own margin, or its share by notional of the pool's equity (a choice), is used up there; at least 0. */
export function bankruptcyPrice(
  formulas: VenueFormulas,
  position: PositionView,
  account: AccountView,
): Amount {
  const { contract } = position;
  const pool = poolOf(position, account);
  const fees = total(pool, (one) => formulas.fixedMaintenance(one));
  const equity = minus(equityOf(formulas, position, account), fees);
  const share = over(times(equity, notionalOf(position)), total(pool, notionalOf));
  const price = minus(contract.mark, over(share, coinsOf(contract, position.lots)));
  return price < 0n ? ZERO : price;
}

/** One stretch of marks in which a leg's requirement is a straight line. */
interface Stretch {
  /** Up to this mark; absent on the last one. */
  readonly upTo?: Amount;
  readonly rate: Amount;
  readonly deduction: Amount;
}

/**
 * The mark of the contract at which equity is just the requirement, everything else standing still: for every stretch of
 * marks within one tier the root of two straight lines, kept when it lies in the stretch. Of two, the nearer one.
 */
export function liquidationPrice(
  formulas: VenueFormulas,
  position: PositionView,
  account: AccountView,
): Amount | undefined {
  const { contract } = position;
  const pool = poolOf(position, account);
  const legs = pool.filter((one) => one.contract.symbol === contract.symbol);
  const others = pool.filter((one) => one.contract.symbol !== contract.symbol);
  const lines = legs.map((leg) => ({
    cost: coinsOf(contract, Math.abs(leg.lots)),
    exposed: coinsOf(contract, formulas.exposedLots(leg, account)),
    stretches: stretchesOf(formulas, leg, account),
  }));
  const net = legs.reduce((sum, leg) => plus(sum, coinsOf(contract, leg.lots)), ZERO);
  // Equity at mark 0, and what of the requirement does not depend on the mark.
  const start = minus(equityOf(formulas, position, account), times(net, contract.mark));
  const fixed = plus(
    total(others, (one) => requirementOf(formulas, one, account)),
    total(legs, (leg) => formulas.fixedMaintenance(leg)),
  );
  const feeRate = formulas.liquidationRate(contract);
  const borders = [...new Set(lines.flatMap(({ stretches }) => stretches.flatMap(({ upTo }) => upTo ?? [])))];
  const ends: readonly (Amount | undefined)[] = [...borders.sort((a, b) => (a < b ? -1 : 1)), undefined];
  const roots = ends.flatMap((end, index) => {
    const from = ends[index - 1] ?? ZERO;
    let slope = net * AMOUNT_ONE;
    let constant = fixed - start;
    for (const { cost, exposed, stretches } of lines) {
      const stretch = stretches.find(({ upTo }) => upTo === undefined || (end !== undefined && upTo >= end));
      slope -= exposed * (stretch?.rate ?? ZERO) + cost * feeRate;
      constant -= exposed === 0n ? 0n : (stretch?.deduction ?? 0n);
    }
    if (slope === 0n) return [];
    const root = nearest(constant * AMOUNT_ONE * AMOUNT_ONE, slope) as Amount;
    return root > 0n && root >= from && (end === undefined || root <= end) ? [root] : [];
  });
  const distance = (price: Amount): bigint =>
    price > contract.mark ? price - contract.mark : contract.mark - price;
  return roots.sort((a, b) => (distance(a) < distance(b) ? -1 : 1))[0];
}

/** A leg's tiers as stretches of marks: one of all marks where the tiers count contracts. */
function stretchesOf(formulas: VenueFormulas, leg: PositionView, account: AccountView): readonly Stretch[] {
  const { contract } = leg;
  const lots = formulas.exposedLots(leg, account);
  const coins = coinsOf(contract, lots);
  if (formulas.tierUnit === 'CONTRACTS' || coins === 0n) {
    const tier = maintenanceTier(formulas, leg, lots);
    return [{ rate: tier.maintenanceRate, deduction: tier.deduction }];
  }
  return contract.tiers.map((tier, index) => ({
    rate: tier.maintenanceRate,
    deduction: tier.deduction,
    ...(index === contract.tiers.length - 1 ? {} : { upTo: over(tier.cap, coins) }),
  }));
}

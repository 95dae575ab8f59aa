import { AMOUNT_ONE, type Amount, amount, assert, type PlatformSlug, plus, ZERO } from '@crossbook/domain';
import type { PerpTier } from '../../perp-exchange.ts';
import { BINANCE_LADDERS } from './binance-ladders.ts';
import { BYBIT_LADDERS } from './bybit-ladders.ts';
import { OKX_LADDERS, OKX_RATE_STEP } from './okx-ladders.ts';

/** A contract of no coin of the tables: listed somewhere, traded nowhere. */
const UNKNOWN = '50000:0.02:25:0.04 500000:0.05:10:0.1 5000000:0.1:5:0.2';

/** The leverage tiers of a coin's contracts at a venue, smallest positions first. */
export function leverageTiers(venue: PlatformSlug, coin: string): readonly PerpTier[] {
  if (venue === 'okx') return okxTiers(coin);
  return climb((venue === 'binance' ? BINANCE_LADDERS : BYBIT_LADDERS)[coin] ?? UNKNOWN);
}

interface Step {
  readonly cap: Amount;
  readonly maintenanceRate: Amount;
  readonly maxLeverage: number;
  readonly initialRate: Amount;
}

function stepsOf(text: string): readonly Step[] {
  return text.split(/\s+/).map((step) => {
    const [cap = '', rate = '', leverage = '', initial] = step.split(':');
    return {
      cap: amount(cap),
      maintenanceRate: amount(rate),
      maxLeverage: Number(leverage),
      initialRate: initial === undefined ? ((AMOUNT_ONE / BigInt(leverage)) as Amount) : amount(initial),
    };
  });
}

/** Tiers by notional: the deduction makes maintenance the same on both sides of a border. */
function climb(text: string): readonly PerpTier[] {
  const tiers: PerpTier[] = [];
  for (const step of stepsOf(text)) {
    const below = tiers.at(-1);
    const floor = below?.cap ?? ZERO;
    const rise = step.maintenanceRate - (below?.maintenanceRate ?? step.maintenanceRate);
    const deduction = ((below?.deduction ?? 0n) + (floor * rise) / AMOUNT_ONE) as Amount;
    tiers.push({ ...step, tier: tiers.length + 1, floor, deduction });
  }
  return tiers;
}

/** Tiers by contracts: without a deduction, so that maintenance jumps. */
function okxTiers(coin: string): readonly PerpTier[] {
  const known = OKX_LADDERS[coin];
  if (known === undefined) return climb(UNKNOWN).map((tier) => ({ ...tier, deduction: ZERO }));
  const [firstCap, { first, widthInFirstCaps, tiers: count }] = known;
  const steps = stepsOf(first).map((step) => ({ ...step, cap: (step.cap * BigInt(firstCap)) as Amount }));
  const width = (BigInt(widthInFirstCaps * firstCap) * AMOUNT_ONE) as Amount;
  const rise = amount(OKX_RATE_STEP);
  while (steps.length < count) {
    const below = steps.at(-1);
    assert(below !== undefined, 'a ladder has a first step');
    const initialRate = plus(below.initialRate, rise);
    const cap = plus(below.cap, width);
    const maintenanceRate = plus(below.maintenanceRate, rise);
    steps.push({ cap, maintenanceRate, initialRate, maxLeverage: hundredthsOf(initialRate) });
  }
  return steps.map((step, index) => ({
    ...step,
    tier: index + 1,
    floor: steps[index - 1]?.cap ?? ZERO,
    deduction: ZERO,
  }));
}

/** One over a rate, cut to two digits. */
function hundredthsOf(rate: Amount): number {
  return Number((100n * AMOUNT_ONE) / rate) / 100;
}

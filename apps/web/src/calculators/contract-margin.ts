import {
  AMOUNT_ONE,
  type Amount,
  ceilTo,
  divDown,
  floorTo,
  type Instrument,
  type LeverageTier,
  lesser,
  type MarginMode,
  mulDown,
  mulUp,
  type Platform,
  SIDE,
  type Side,
  ZERO,
} from '@crossbook/domain';

/**
 * What an order on a contract would cost and change, before it is sent: estimates by each venue's documented formulas.
 * They round against the member: cost up, the largest size down, liquidation toward the mark. Sizes are base coins.
 */

/** What differs from venue to venue in these figures. */
interface VenueTerms {
  /** Whether the fee of closing is part of what must stay behind a position. */
  readonly closingFeeRequired: boolean;
  /** Whether an order is charged the fee of closing beforehand. */
  readonly closingFeeInCost: boolean;
  /** Whether a limit that is worse than the mark is charged the loss that it opens with. */
  readonly openLossInCost: boolean;
  /** How far above the best price a market order is valued, as a fraction. */
  readonly marketMargin: Amount;
}

const BASIS = (AMOUNT_ONE / 10_000n) as Amount;
const TERMS: Readonly<Record<Platform, VenueTerms>> = {
  1: {
    ...{ closingFeeRequired: false, closingFeeInCost: false, openLossInCost: true },
    marketMargin: (BASIS * 5n) as Amount,
  },
  2: { closingFeeRequired: true, closingFeeInCost: false, openLossInCost: false, marketMargin: ZERO },
  3: {
    ...{ closingFeeRequired: false, closingFeeInCost: true, openLossInCost: false },
    marketMargin: (BASIS * 5n) as Amount,
  },
};

/** A position before or after an order. Flat is size 0. */
export interface SizedPosition {
  readonly side: Side;
  readonly size: Amount;
  readonly entry: Amount;
}

/** What an order does to a position. */
export interface OrderEffect {
  /** Coins that close, and coins that open. */
  readonly closing: Amount;
  readonly opening: Amount;
  readonly after: SizedPosition | undefined;
  /** Whether a position of the other side is there afterwards. */
  readonly flips: boolean;
}

/** An order on a contract at an assumed price. */
export interface ContractOrder {
  readonly side: Side;
  readonly size: Amount;
  readonly price: Amount;
  /** Never opens: reduce-only, or the Close tab of hedge mode. */
  readonly onlyCloses: boolean;
  readonly market: boolean;
  readonly leverage: number;
  readonly marginMode: MarginMode;
}

/** What stands around an order. */
export interface ContractWorld {
  readonly instrument: Pick<Instrument, 'platform' | 'lotSize' | 'tickSize' | 'contractValue'>;
  readonly takerFee: Amount;
  readonly mark: Amount | undefined;
  /** Smallest positions first; empty = unknown. */
  readonly tiers: readonly LeverageTier[];
  /** The position that the order meets. */
  readonly position: SizedPosition | undefined;
}

/** Splits an order into what closes and what opens, and says what is there afterwards. */
export function orderEffect(
  order: Pick<ContractOrder, 'side' | 'size' | 'price' | 'onlyCloses'>,
  position: SizedPosition | undefined,
): OrderEffect {
  const meets = position !== undefined && position.side !== order.side && position.size > ZERO;
  const closing = meets ? lesser(order.size, position.size) : ZERO;
  const opening = order.onlyCloses ? ZERO : ((order.size - closing) as Amount);
  const rest = position === undefined ? ZERO : ((position.size - closing) as Amount);
  if (meets && opening > ZERO) {
    return { closing, opening, after: { side: order.side, size: opening, entry: order.price }, flips: true };
  }
  if (meets) {
    return { closing, opening, after: rest === ZERO ? undefined : { ...position, size: rest }, flips: false };
  }
  if (opening === ZERO) return { closing, opening, after: position, flips: false };
  const size = (rest + opening) as Amount;
  const paid = (rest * (position?.entry ?? ZERO) + opening * order.price) as bigint;
  return {
    closing,
    opening,
    after: { side: order.side, size, entry: (paid / size) as Amount },
    flips: false,
  };
}

/** The price that an order's margin is taken at: a market order is valued a little worse than the best price. */
function marginPrice({ market, price, side }: ContractOrder, { marketMargin }: VenueTerms): Amount {
  if (!market || side === SIDE.SELL) return price;
  return mulUp(price, (AMOUNT_ONE + marketMargin) as Amount);
}

/** Cost of opening one coin: margin, the loss it opens with, and fees. */
function costPerCoin(order: ContractOrder, world: ContractWorld): Amount {
  const terms = TERMS[world.instrument.platform];
  const price = marginPrice(order, terms);
  const leverage = BigInt(order.leverage);
  const margin = (price + leverage - 1n) / leverage;
  const gap =
    world.mark === undefined ? ZERO : order.side === SIDE.BUY ? price - world.mark : world.mark - price;
  const loss = terms.openLossInCost && gap > 0n ? gap : 0n;
  const openingFee = mulUp(price, world.takerFee);
  const bankrupt = order.side === SIDE.BUY ? price - margin : price + margin;
  const closingFee = terms.closingFeeInCost ? mulUp(bankrupt as Amount, world.takerFee) : ZERO;
  return (margin + loss + openingFee + closingFee) as Amount;
}

const CENT = (AMOUNT_ONE / 100n) as Amount;

/** What the order takes from what is available, up to the next 0.01; what only closes takes its fee alone. */
export function orderCost(order: ContractOrder, world: ContractWorld): Amount {
  const { closing, opening } = orderEffect(order, world.position);
  const fee = mulUp(mulUp(closing, order.price), world.takerFee);
  return ceilTo((mulUp(opening, costPerCoin(order, world)) + fee) as Amount, CENT);
}

/** How much may be held at a leverage: the cap of the last tier that still allows it, in base coins at a price. */
export function tierRoom(
  tiers: readonly LeverageTier[],
  leverage: number,
  price: Amount,
  contractValue: Amount,
): Amount | undefined {
  const last = tiers.findLast((tier) => tier.maxLeverage >= leverage);
  if (last === undefined || price === ZERO) return undefined;
  return last.unit === 'contracts' ? mulDown(last.cap, contractValue) : divDown(last.cap, price);
}

/** What bounds the largest order: money, the leverage table, the lot filter, or the position that it closes. */
export type SizeBound = 'margin' | 'tier' | 'lot' | 'position';

/** The largest order. */
export interface LargestSize {
  readonly size: Amount;
  readonly bound: SizeBound;
}

/** What else bounds an order. */
export interface SizeLimits {
  readonly available: Amount;
  /** Largest size of one order of the kind. */
  readonly lotMax: Amount;
  /** What waits to open on the same side. */
  readonly waiting: Amount;
  /** Of the position: what waits to close it. */
  readonly closing: Amount;
}

/** The largest size that an order may have, on the lot, and what binds it. */
export function largestSize(order: ContractOrder, world: ContractWorld, limits: SizeLimits): LargestSize {
  const { instrument, position, tiers } = world;
  const lot = mulDown(instrument.lotSize, instrument.contractValue);
  const opposite = position !== undefined && position.side !== order.side ? position.size : ZERO;
  if (order.onlyCloses) {
    const free = opposite > limits.closing ? opposite - limits.closing : 0n;
    return { size: free as Amount, bound: 'position' };
  }
  const unit = costPerCoin(order, world);
  const money = (opposite + (unit === ZERO ? 0n : divDown(limits.available, unit))) as Amount;
  const held = position !== undefined && position.side === order.side ? position.size : ZERO;
  const room = tierRoom(tiers, order.leverage, order.price, instrument.contractValue);
  const left = room === undefined ? undefined : room + opposite - held - limits.waiting;
  const bounds: readonly LargestSize[] = [
    { size: money, bound: 'margin' },
    ...(left === undefined ? [] : [{ size: (left < 0n ? ZERO : left) as Amount, bound: 'tier' as const }]),
    { size: limits.lotMax, bound: 'lot' },
  ];
  const least = bounds.reduce((best, each) => (each.size < best.size ? each : best));
  return { size: lot === ZERO ? least.size : floorTo(least.size, lot), bound: least.bound };
}

/** The tier that a size at a price lies in; the last one above them all. */
export function tierAt(
  tiers: readonly LeverageTier[],
  size: Amount,
  price: Amount,
  contractValue: Amount,
): LeverageTier | undefined {
  const counted = (tier: LeverageTier): Amount =>
    tier.unit === 'contracts' ? divDown(size, contractValue) : mulDown(size, price);
  return tiers.find((tier) => counted(tier) <= tier.cap) ?? tiers.at(-1);
}

/** What must stay behind a size at a price. */
export function maintenanceAt(world: ContractWorld, size: Amount, price: Amount): Amount | undefined {
  const tier = tierAt(world.tiers, size, price, world.instrument.contractValue);
  if (tier === undefined) return undefined;
  const rate = rateOf(tier, world);
  const need = mulUp(mulUp(size, price), rate) - tier.deduction;
  return (need < 0n ? 0n : need) as Amount;
}

function rateOf(tier: LeverageTier, { instrument, takerFee }: ContractWorld): Amount {
  const fee = TERMS[instrument.platform].closingFeeRequired ? takerFee : ZERO;
  return (tier.maintenanceRate + fee) as Amount;
}

/** The money that a position stands on: its own margin, or the pool less what the pool's other positions need. */
export interface Backing {
  /** Margin and, in cross, unrealised profit of the others less their maintenance; may be below 0. */
  readonly money: Amount;
}

/**
 * The price that would liquidate a position, on the tick nearer the mark. Per tier the one root whose size lies in that
 * tier; none in range gives `undefined`, as do unknown tiers.
 */
export function liquidationPrice(
  position: SizedPosition,
  { money }: Backing,
  world: ContractWorld,
): Amount | undefined {
  const { instrument, tiers } = world;
  const { size, entry } = position;
  const long = position.side === SIDE.BUY;
  const value = mulDown(size, entry);
  for (const tier of tiers) {
    const needed = mulDown(size, rateOf(tier, world));
    const below = long ? needed - size : needed + size;
    const above = long ? money + tier.deduction - value : money + tier.deduction + value;
    if (below === 0n) continue;
    const price = ((above * AMOUNT_ONE) / below) as Amount;
    if (price <= ZERO) continue;
    if (tierAt([...tiers], size, price, instrument.contractValue)?.tier !== tier.tier) continue;
    return long ? ceilTo(price, instrument.tickSize) : floorTo(price, instrument.tickSize);
  }
  return undefined;
}

/** What closing a size at its bankruptcy price would cost; ZERO where the venue does not count it beforehand. */
export function closingFeeAhead(position: SizedPosition, leverage: number, world: ContractWorld): Amount {
  if (!TERMS[world.instrument.platform].closingFeeInCost) return ZERO;
  const margin = (position.entry / BigInt(leverage)) as Amount;
  const bankrupt = position.side === SIDE.BUY ? position.entry - margin : position.entry + margin;
  return mulUp(mulUp(position.size, bankrupt as Amount), world.takerFee);
}

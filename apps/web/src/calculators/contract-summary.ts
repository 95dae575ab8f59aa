import type { MarginRow, OrderRow, PositionRow } from '@crossbook/contract';
import {
  type Amount,
  type LeverageTier,
  lesser,
  mulDown,
  mulUp,
  ORDER_TYPE,
  parseAmount,
  SIDE,
  TIME_IN_FORCE,
  toNumberForDisplay,
  ZERO,
} from '@crossbook/domain';
import type { BookWalk } from './book-walk.ts';
import {
  type ContractOrder,
  type ContractWorld,
  closingFeeAhead,
  type LargestSize,
  largestSize,
  liquidationPrice,
  maintenanceAt,
  type OrderEffect,
  orderCost,
  orderEffect,
  type SizedPosition,
} from './contract-margin.ts';
import {
  type ContractEntryFacts,
  type ContractTicketState,
  coinsOf,
  conversionPrice,
  effectOfOrder,
  leverageOf,
  onlyCloses,
} from './contract-ticket.ts';
import { positionQuantity, positionSide, profitBetween, signedDecimal } from './position-stats.ts';

/** What the ticket of a contract must know of the world. Anything still loading is `undefined`. */
export interface ContractFacts extends Omit<ContractEntryFacts, 'largest'> {
  /** Fractions: 0.0005 is 0.05 %. */
  readonly makerFee: Amount;
  readonly takerFee: Amount;
  readonly mark: Amount | undefined;
  /** Smallest positions first; empty where the venue gave none. */
  readonly tiers: readonly LeverageTier[];
  /** All positions of the platform, and its margin. */
  readonly positions: readonly PositionRow[];
  readonly margin: MarginRow | undefined;
  /** Open orders of this contract. */
  readonly orders: readonly OrderRow[];
  /** True where the best prices are too old for a market order to rely on. */
  readonly priceStale: boolean;
  /** False on a platform that is coming soon. */
  readonly platformOpen: boolean;
}

/** A position of ours in the sizes of the calculators. */
export function sizedPosition(row: PositionRow, contractValue: Amount): SizedPosition {
  return {
    side: positionSide(row),
    size: mulDown(positionQuantity(row), contractValue),
    entry: parseAmount(row.entryPrice) ?? ZERO,
  };
}

/** The position that an order from this ticket meets. */
export function metPosition(state: ContractTicketState, facts: ContractFacts): PositionRow | undefined {
  const effect = effectOfOrder(state, facts.setting);
  return facts.positions.find(
    (row) =>
      row.symbol === facts.instrument.symbol &&
      row.effect === effect &&
      (facts.setting === undefined || row.marginMode === facts.setting.marginMode),
  );
}

function worldOf(facts: ContractFacts, met: PositionRow | undefined): ContractWorld {
  const { instrument, takerFee, mark, tiers } = facts;
  const position = met === undefined ? undefined : sizedPosition(met, instrument.contractValue);
  return { instrument, takerFee, mark, tiers, position };
}

/** What the ticket would send, as the calculators see it; without a size it is 0. */
function orderOf(
  state: ContractTicketState,
  facts: ContractFacts,
  price: Amount,
  size: Amount,
): ContractOrder {
  const { setting } = facts;
  return {
    ...{ side: state.side, size, price },
    onlyCloses: onlyCloses(state, setting),
    market: state.type === ORDER_TYPE.MARKET,
    leverage: leverageOf(effectOfOrder(state, setting), setting),
    marginMode: setting?.marginMode ?? 'cross',
  };
}

/** Coins that rest in orders of the armed side: opening ones, or those that close. */
function resting(state: ContractTicketState, facts: ContractFacts, closing: boolean): Amount {
  const effect = effectOfOrder(state, facts.setting);
  let coins = 0n;
  for (const row of facts.orders) {
    if (row.side !== state.side || row.effect !== effect || row.reduceOnly !== closing) continue;
    const left = (parseAmount(row.quantity ?? '0') ?? ZERO) - (parseAmount(row.cumQuantity) ?? ZERO);
    coins += mulDown(left as Amount, facts.instrument.contractValue);
  }
  return coins as Amount;
}

/** What may be taken from the pool now; `undefined` while it is not known. */
export function availableMargin({ margin }: Pick<ContractFacts, 'margin'>): Amount | undefined {
  return margin === undefined ? undefined : signedDecimal(margin.available);
}

/** The largest order of the armed side; `undefined` while a figure it needs is missing. */
export function largestContractSize(
  state: ContractTicketState,
  facts: ContractFacts,
): LargestSize | undefined {
  const price = conversionPrice(state, facts);
  const available = availableMargin(facts);
  if (price === undefined || facts.setting === undefined) return undefined;
  const closes = onlyCloses(state, facts.setting);
  if (available === undefined && !closes) return undefined;
  const { maxQty, maxMarketQty, contractValue } = facts.instrument;
  const lots = state.type === ORDER_TYPE.MARKET ? lesser(maxQty, maxMarketQty) : maxQty;
  return largestSize(orderOf(state, facts, price, ZERO), worldOf(facts, metPosition(state, facts)), {
    available: available !== undefined && available > ZERO ? available : ZERO,
    lotMax: mulDown(lots, contractValue),
    waiting: resting(state, facts, false),
    closing: resting(state, facts, true),
  });
}

/** What an order will cost and change, before it is sent; `undefined` where unknown. */
export interface ContractSummary {
  /** Limit, or the best price of the other side. */
  readonly price: Amount | undefined;
  /** What will really be sent, base coins on the lot. */
  readonly coins: Amount | undefined;
  readonly value: Amount | undefined;
  readonly cost: Amount | undefined;
  /** Smallest and largest fee: a limit may make or take. */
  readonly fee: { readonly low: Amount; readonly high: Amount } | undefined;
  readonly feeRates: { readonly low: Amount; readonly high: Amount };
  readonly before: SizedPosition | undefined;
  readonly effect: OrderEffect | undefined;
  /** The exchange's own, of the position as it is. */
  readonly liquidationBefore: Amount | undefined;
  readonly liquidationAfter: Amount | undefined;
  /** 1 = liquidation. */
  readonly ratioAfter: number | undefined;
  /** Of what closes: profit less the fee, signed. */
  readonly realised: Amount | undefined;
}

function feeRatesOf(state: ContractTicketState, facts: ContractFacts): ContractSummary['feeRates'] {
  const { makerFee, takerFee } = facts;
  if (state.type === ORDER_TYPE.LIMIT && state.timeInForce === TIME_IN_FORCE.POST_ONLY) {
    return { low: makerFee, high: makerFee };
  }
  const waits = state.type === ORDER_TYPE.LIMIT && state.timeInForce === TIME_IN_FORCE.GTC;
  return { low: waits ? makerFee : takerFee, high: takerFee };
}

/**
 * Money behind the position after the order. Isolated: its own margin. Cross: the wallet without isolated margins, and
 * what the other cross positions add and need.
 */
function backing(
  order: ContractOrder,
  facts: ContractFacts,
  change: { readonly met: PositionRow | undefined; readonly effect: OrderEffect; readonly gained: Amount },
): Amount | undefined {
  const { met, effect, gained } = change;
  const after = effect.after;
  if (after === undefined) return undefined;
  if (order.marginMode === 'isolated') {
    const added = (mulDown(effect.opening, order.price) / BigInt(order.leverage)) as Amount;
    const held = met?.isolatedMargin === null || met === undefined ? ZERO : signedDecimal(met.isolatedMargin);
    if (effect.flips) return added;
    const before = met === undefined ? ZERO : mulDown(positionQuantity(met), facts.instrument.contractValue);
    const kept = before === ZERO ? ZERO : (held * (before - effect.closing)) / before;
    return (kept + added) as Amount;
  }
  if (facts.margin === undefined) return undefined;
  let money: bigint = signedDecimal(facts.margin.wallet) + gained;
  for (const row of facts.positions) {
    if (row.marginMode === 'isolated') money -= signedDecimal(row.isolatedMargin);
    else if (row !== met) money += signedDecimal(row.unrealisedPnl) - signedDecimal(row.maintenanceMargin);
  }
  return (money - closingFeeAhead(after, order.leverage, worldOf(facts, met))) as Amount;
}

/** Share of the money behind a position that its maintenance takes at a price; 1 = liquidation. */
function ratioOf(after: SizedPosition, money: Amount, world: ContractWorld): number | undefined {
  if (world.mark === undefined) return undefined;
  const need = maintenanceAt(world, after.size, world.mark);
  if (need === undefined) return undefined;
  const equity = money + profitBetween(after.side, after.size, after.entry, world.mark);
  if (equity <= 0n) return 1;
  return Math.min(1, toNumberForDisplay(need) / toNumberForDisplay(equity as Amount));
}

/** The figures of the ticket. @param walk what a market order would get from the book. */
export function summariseContract(
  state: ContractTicketState,
  facts: ContractFacts,
  walk: BookWalk | undefined,
): ContractSummary {
  const met = metPosition(state, facts);
  const world = worldOf(facts, met);
  const best = conversionPrice(state, facts);
  const price = state.type === ORDER_TYPE.MARKET ? (walk?.average ?? best) : best;
  const coins = coinsOf(state, { ...facts, largest: undefined });
  const feeRates = feeRatesOf(state, facts);
  const liquidationBefore = met?.liquidationPrice == null ? undefined : parseAmount(met.liquidationPrice);
  const base = { price, coins, feeRates, before: world.position, liquidationBefore };
  const unknown = { value: undefined, cost: undefined, fee: undefined, effect: undefined };
  const nothing = { liquidationAfter: undefined, ratioAfter: undefined, realised: undefined };
  if (price === undefined || coins === undefined || facts.setting === undefined) {
    return { ...base, ...unknown, ...nothing };
  }
  const order = orderOf(state, facts, price, coins);
  const effect = orderEffect(order, world.position);
  const value = mulDown(coins, price);
  const fee = { low: mulUp(value, feeRates.low), high: mulUp(value, feeRates.high) };
  const { position } = world;
  const gross =
    position === undefined ? ZERO : profitBetween(position.side, effect.closing, position.entry, price);
  const closingFee = mulUp(mulUp(effect.closing, price), feeRates.high);
  const gained = (gross - fee.high) as Amount;
  const money = backing(order, facts, { met, effect, gained });
  const after = effect.after;
  const known = after !== undefined && money !== undefined;
  return {
    ...base,
    ...{ value, fee, effect },
    cost: orderCost(order, world),
    liquidationAfter: known ? liquidationPrice(after, { money }, world) : undefined,
    ratioAfter: known ? ratioOf(after, money, world) : undefined,
    realised: effect.closing === ZERO ? undefined : ((gross - closingFee) as Amount),
  };
}

/** Whether a liquidation price lies on the wrong side of the mark already. */
export function liquidatesAtOnce(summary: ContractSummary, mark: Amount | undefined): boolean {
  const { liquidationAfter, effect } = summary;
  if (liquidationAfter === undefined || mark === undefined || effect?.after === undefined) return false;
  if (effect.opening === ZERO) return false;
  return effect.after.side === SIDE.BUY ? liquidationAfter >= mark : liquidationAfter <= mark;
}

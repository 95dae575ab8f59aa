import type { OrderRow, PositionRow } from '@crossbook/contract';
import {
  AMOUNT_ONE,
  type Amount,
  breakEvenAfterOrder,
  type ContractOrderRequest,
  type ContractScene,
  type ContractSizeBound,
  contractOrderCost,
  contractTierRoom,
  largestContractOrder,
  liquidationAfterOrder,
  marginRatioAfterOrder,
  mulDown,
  mulUp,
  ORDER_TYPE,
  parseAmount,
  plus,
  realisedEstimate,
  SIDE,
  type Side,
  TIME_IN_FORCE,
  ZERO,
} from '@crossbook/domain';
import type { BookWalk } from '../ticket/book-walk.ts';
import { type OrderEffect, orderEffect, type SizedPosition } from '../ticket/order-effect.ts';
import { contractScene, type SceneFacts } from './contract-scene.ts';
import {
  type ContractEntryFacts,
  type ContractTicketState,
  coinsOf,
  conversionPrice,
  effectOfOrder,
  leverageOf,
  onlyCloses,
  venueQuantity,
} from './contract-ticket.ts';
import { positionQuantity, positionSide, signedDecimal } from './position-stats.ts';

/** What the ticket of a contract must know of the world. Anything still loading is `undefined`. */
export interface ContractFacts
  extends Omit<ContractEntryFacts, 'largest'>,
    Omit<SceneFacts, 'setting' | 'mark'> {
  readonly mark: Amount | undefined;
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

/** What the rules know of the world; without a mark the order's own price stands for it. */
function sceneOf(facts: ContractFacts, price: Amount): ContractScene | undefined {
  const { setting, mark = price } = facts;
  return setting === undefined ? undefined : contractScene({ ...facts, setting, mark });
}

/** What the ticket would send, as the rules see it. */
function requestOf(state: ContractTicketState, facts: ContractFacts, coins: Amount): ContractOrderRequest {
  const price = state.type === ORDER_TYPE.MARKET ? undefined : conversionPrice(state, facts);
  return {
    ...{ buys: state.side === SIDE.BUY, side: effectOfOrder(state, facts.setting) },
    quantity: venueQuantity(coins, facts.instrument),
    ...(price === undefined ? {} : { price }),
    reduceOnly: onlyCloses(state, facts.setting),
  };
}

/** Resting orders that close what the ticket would close: what they close cannot be closed twice. */
export function closingOrders(state: ContractTicketState, facts: ContractFacts): readonly OrderRow[] {
  const met = metPosition(state, facts);
  if (met === undefined || positionSide(met) === state.side) return [];
  return facts.orders.filter((row) => row.side === state.side && row.effect === met.effect && row.reduceOnly);
}

/** What orders have left to fill, base coins. */
export function coinsLeft(
  orders: readonly OrderRow[],
  { contractValue }: Pick<ContractFacts['instrument'], 'contractValue'>,
): Amount {
  return orders.reduce((sum, { quantity, cumQuantity }) => {
    const left = (parseAmount(quantity ?? '0') ?? ZERO) - (parseAmount(cumQuantity) ?? ZERO);
    return plus(sum, mulDown(left as Amount, contractValue));
  }, ZERO);
}

/** What an order that only closes may have: the position less what waits to close it. */
function closable(state: ContractTicketState, facts: ContractFacts): Amount {
  const { instrument } = facts;
  const met = metPosition(state, facts);
  if (met === undefined || positionSide(met) === state.side) return ZERO;
  const waiting = coinsLeft(closingOrders(state, facts), instrument);
  const coins = mulDown(positionQuantity(met), instrument.contractValue) - waiting;
  return (coins < 0n ? 0n : coins) as Amount;
}

/** Whether a market order would go into a book that nobody can rely on now. */
export function lacksMarket(state: ContractTicketState, facts: ContractFacts): boolean {
  return (
    state.type === ORDER_TYPE.MARKET && (facts.priceStale || conversionPrice(state, facts) === undefined)
  );
}

/** What a market order would get from the book; of none where it is old, and of an order that waits. */
export function marketWalk(
  state: ContractTicketState,
  facts: ContractFacts,
  walk: (side: Side, coins: Amount | undefined) => BookWalk | undefined,
): BookWalk | undefined {
  if (state.type !== ORDER_TYPE.MARKET || lacksMarket(state, facts)) return undefined;
  return walk(state.side, coinsOf(state, { ...facts, largest: undefined }));
}

/** What may be taken from the pool now; `undefined` while it is not known. */
export function availableMargin({ margin }: Pick<ContractFacts, 'margin'>): Amount | undefined {
  return margin === undefined ? undefined : signedDecimal(margin.available);
}

/** The largest order in base coins on the lot, and what binds it. */
export interface LargestSize {
  readonly size: Amount;
  readonly bound: ContractSizeBound;
}

/** The largest order of the armed side; `undefined` while a figure it needs is missing. */
export function largestContractSize(
  state: ContractTicketState,
  facts: ContractFacts,
): LargestSize | undefined {
  if (facts.setting === undefined) return undefined;
  // What closes needs neither margin nor a price.
  if (onlyCloses(state, facts.setting)) return { size: closable(state, facts), bound: 'position' };
  const price = conversionPrice(state, facts);
  const scene = price === undefined ? undefined : sceneOf(facts, price);
  if (scene === undefined || facts.margin === undefined) return undefined;
  const { quantity, bound } = largestContractOrder(requestOf(state, facts, ZERO), scene);
  return { size: mulDown(quantity, facts.instrument.contractValue), bound };
}

/** What the leverage table still lets the order open, in base coins; `undefined` while a figure it needs is missing. */
export function tierRoom(
  state: ContractTicketState,
  facts: ContractFacts,
  coins: Amount,
): Amount | undefined {
  const price = conversionPrice(state, facts);
  const scene = price === undefined ? undefined : sceneOf(facts, price);
  if (scene === undefined) return undefined;
  return mulDown(contractTierRoom(requestOf(state, facts, coins), scene), facts.instrument.contractValue);
}

/**
 * The highest leverage below the one that is set at which the table lets the order open all of it; `undefined` where none
 * does.
 * @param opens base coins that it opens; `coins` with what it closes.
 */
export function leverageThatFits(
  state: ContractTicketState,
  facts: ContractFacts,
  { opens, coins }: { readonly opens: Amount; readonly coins: Amount },
): number | undefined {
  const { setting, tiers } = facts;
  if (setting === undefined) return undefined;
  const now = leverageOf(effectOfOrder(state, setting), setting);
  return tiers
    .map(({ maxLeverage }) => maxLeverage)
    .filter((leverage) => leverage < now)
    .toSorted((left, right) => right - left)
    .find((leverage) => {
      const lower = { ...setting, leverageLong: leverage, leverageShort: leverage };
      const room = tierRoom(state, { ...facts, setting: lower }, coins);
      return room !== undefined && opens <= room;
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
  /** Whether it could be reckoned: with it, no price means that none in range liquidates. */
  readonly liquidationKnown: boolean;
  /** Where what is left would neither win nor lose, on the tick; `undefined` also when nothing is. */
  readonly breakEvenAfter: Amount | undefined;
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

/** The figures of the ticket. @param walk what a market order would get from the book. */
export function summariseContract(
  state: ContractTicketState,
  facts: ContractFacts,
  walk: BookWalk | undefined,
): ContractSummary {
  const met = metPosition(state, facts);
  const position = met === undefined ? undefined : sizedPosition(met, facts.instrument.contractValue);
  const best = conversionPrice(state, facts);
  const price = state.type === ORDER_TYPE.MARKET ? (walk?.average ?? best) : best;
  const coins = coinsOf(state, { ...facts, largest: undefined });
  const feeRates = feeRatesOf(state, facts);
  const liquidationBefore = met?.liquidationPrice == null ? undefined : parseAmount(met.liquidationPrice);
  const base = { price, coins, feeRates, before: position, liquidationBefore };
  const unknown = { value: undefined, cost: undefined, fee: undefined, effect: undefined };
  const nothing = {
    ...{ liquidationAfter: undefined, liquidationKnown: false, ratioAfter: undefined, realised: undefined },
    breakEvenAfter: undefined,
  };
  const scene = price === undefined ? undefined : sceneOf(facts, price);
  if (price === undefined || coins === undefined || scene === undefined) {
    return { ...base, ...unknown, ...nothing };
  }
  const request = requestOf(state, facts, coins);
  const filled = { ...request, price };
  const effect = orderEffect(
    { side: state.side, size: coins, price, onlyCloses: request.reduceOnly },
    position,
  );
  const value = mulDown(coins, price);
  const pool = scene.setting.marginMode === 'isolated' || facts.margin !== undefined;
  const known = effect.after !== undefined && pool && facts.tiers.length > 0;
  return {
    ...base,
    ...{ value, effect, fee: { low: mulUp(value, feeRates.low), high: mulUp(value, feeRates.high) } },
    cost: contractOrderCost(request, scene),
    liquidationAfter: known ? liquidationAfterOrder(filled, scene) : undefined,
    liquidationKnown: known,
    breakEvenAfter: breakEvenAfterOrder(filled, scene),
    ratioAfter: known && facts.mark !== undefined ? marginRatioAfterOrder(filled, scene) : undefined,
    realised: realisedOf(position, { quantity: effect.closing, price }, feeRates.high),
  };
}

/** Of coins that close; `undefined` where none do. */
function realisedOf(
  position: SizedPosition | undefined,
  close: { readonly quantity: Amount; readonly price: Amount },
  feeRate: Amount,
): Amount | undefined {
  if (position === undefined || close.quantity === ZERO) return undefined;
  const { side, size, entry } = position;
  const quantity = side === SIDE.BUY ? size : (-size as Amount);
  // Sizes are base coins already.
  return realisedEstimate({ quantity, entryPrice: entry }, close, {
    contractValue: AMOUNT_ONE as Amount,
    feeRate,
  });
}

/** Whether a liquidation price lies on the wrong side of the mark already. */
export function liquidatesAtOnce(summary: ContractSummary, mark: Amount | undefined): boolean {
  const { liquidationAfter, effect } = summary;
  if (liquidationAfter === undefined || mark === undefined || effect?.after === undefined) return false;
  if (effect.opening === ZERO) return false;
  return effect.after.side === SIDE.BUY ? liquidationAfter >= mark : liquidationAfter <= mark;
}

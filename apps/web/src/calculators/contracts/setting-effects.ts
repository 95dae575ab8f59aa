import type { PositionRow } from '@crossbook/contract';
import {
  type Amount,
  formatAmount,
  type HeldContract,
  type Instrument,
  type LeverageTier,
  liquidationEstimate,
  liquidationInMode,
  type MarginMode,
  type MarginTerms,
  marginAtEntry,
  mulDown,
  ORDER_TYPE,
  parseAmount,
  SIDE,
  type Side,
  TIME_IN_FORCE,
  ZERO,
} from '@crossbook/domain';
import { contractScene, venuePosition } from './contract-scene.ts';
import { type ContractFacts, largestContractSize } from './contract-summary.ts';
import { emptyContractTicket } from './contract-ticket.ts';
import { positionQuantity, signedDecimal } from './position-stats.ts';

/** Leverage that is offered where a venue gives no table. */
export const LEVERAGE_WITHOUT_TIERS = 5;

/** The highest leverage there is: of the table, else of what the exchange or we allow without one. */
export function highestLeverage(tiers: readonly LeverageTier[], stated: number | undefined): number {
  if (tiers.length === 0) return Math.min(stated ?? LEVERAGE_WITHOUT_TIERS, LEVERAGE_WITHOUT_TIERS);
  return Math.max(...tiers.map((tier) => tier.maxLeverage));
}

/** Marks of a leverage slider: 1, the ends of the table's steps, thinned to at most six. */
export function leverageMarks(tiers: readonly LeverageTier[], highest: number): readonly number[] {
  const steps = [...new Set([1, ...tiers.map((tier) => tier.maxLeverage), highest])]
    .filter((value) => value <= highest)
    .toSorted((left, right) => left - right);
  const gap = highest / 8;
  return steps.filter((value, at) => {
    const next = steps[at + 1];
    return value === 1 || value === highest || next === undefined || next - value >= gap;
  });
}

/** What another leverage does to the positions of a symbol. */
export interface LeverageEffect {
  /** Margin of the positions now, by the exchange, and at the other leverage, by us. */
  readonly marginBefore: Amount;
  readonly marginAfter: Amount;
  /** Largest position that the table allows, in quote or contracts; `undefined` without a table. */
  readonly cap: LeverageTier | undefined;
  /** Whether what is held is more than the table allows at that leverage. */
  readonly tooLarge: boolean;
}

/**
 * The effect of another leverage on the positions of one symbol.
 * @param contractValue base coins of one contract.
 */
export function leverageEffect(
  positions: readonly PositionRow[],
  leverage: number,
  context: { readonly tiers: readonly LeverageTier[]; readonly contractValue: Amount },
): LeverageEffect {
  const cap = context.tiers.findLast((tier) => tier.maxLeverage >= leverage);
  let marginBefore = 0n;
  let marginAfter = 0n;
  let tooLarge = false;
  for (const row of positions) {
    const mark = parseAmount(row.markPrice) ?? ZERO;
    const counted = positionQuantity(row);
    const value = mulDown(mulDown(counted, context.contractValue), mark);
    const before = signedDecimal(row.initialMargin);
    marginBefore += before;
    // What the exchange counts besides, such as the fee of closing, stays.
    marginAfter += before + value / BigInt(leverage) - value / BigInt(row.leverage);
    if (cap !== undefined && (cap.unit === 'contracts' ? counted : value) > cap.cap) tooLarge = true;
  }
  return { marginBefore: marginBefore as Amount, marginAfter: marginAfter as Amount, cap, tooLarge };
}

/**
 * The largest market orders that another leverage would allow, in base coins, by us; `undefined` while a figure that they
 * need is missing. What it frees or needs behind cross positions of the symbol counts.
 */
export function largestAtLeverage(
  facts: ContractFacts,
  leverage: number,
): Readonly<Record<'buy' | 'sell', Amount | undefined>> {
  const { setting, margin, instrument, tiers } = facts;
  if (setting === undefined || margin === undefined) return { buy: undefined, sell: undefined };
  const cross = facts.positions.filter(
    (row) => row.symbol === instrument.symbol && row.marginMode === 'cross',
  );
  const { marginBefore, marginAfter } = leverageEffect(cross, leverage, {
    ...{ tiers, contractValue: instrument.contractValue },
  });
  const free = signedDecimal(margin.available) + marginBefore - marginAfter;
  const then: ContractFacts = {
    ...facts,
    setting: { ...setting, leverageLong: leverage, leverageShort: leverage },
    margin: { ...margin, available: formatAmount((free > 0n ? free : 0n) as Amount) },
  };
  const empty = emptyContractTicket({
    orderKind: ORDER_TYPE.MARKET,
    timeInForce: TIME_IN_FORCE.GTC,
    sizeUnit: 'coin',
  });
  const largest = (side: Side) => largestContractSize({ ...empty, side }, then)?.size;
  return { buy: largest(SIDE.BUY), sell: largest(SIDE.SELL) };
}

/**
 * Where a position is liquidated at its leverage and at another one, by us; `same` where that does not depend on it,
 * `none` where neither mark is in range, `unknown` while a figure that is needed is missing.
 */
export type LiquidationMove =
  | { readonly before: Amount; readonly after: Amount }
  | 'same'
  | 'none'
  | 'unknown';

/**
 * What another leverage does to the liquidation of a position. What stands behind it does not change: the pool of a
 * cross position, and of an isolated one the margin that it has, which its owner may then take. Only the fee of closing
 * that Bybit counts depends on the leverage.
 */
export function liquidationMoves(row: PositionRow, leverage: number, facts: ContractFacts): LiquidationMove {
  if (!facts.terms.closingFeeInMargin) return 'same';
  const { mark, margin, tiers } = facts;
  if (mark === undefined || tiers.length === 0) return 'unknown';
  if (row.marginMode === 'cross' && margin === undefined) return 'unknown';
  const [before, after] = [row.leverage, leverage].map((each) =>
    liquidationAt(row, each, { ...facts, mark }),
  );
  if (before === undefined && after === undefined) return 'none';
  if (before === undefined || after === undefined) return 'unknown';
  return before === after ? 'same' : { before, after };
}

function liquidationAt(
  row: PositionRow,
  leverage: number,
  facts: ContractFacts & { readonly mark: Amount },
): Amount | undefined {
  const { symbol } = facts.instrument;
  const { marginMode } = row;
  const changed = (one: PositionRow): PositionRow =>
    one.symbol === symbol && one.marginMode === marginMode ? { ...one, leverage } : one;
  const scene = contractScene({
    ...{ ...facts, positions: facts.positions.map(changed), orders: [] },
    setting: { marginMode, leverageLong: leverage, leverageShort: leverage },
  });
  return liquidationEstimate(row.effect, scene);
}

/** A position of the contract that stands alone: under it some exchanges do not lower the leverage. */
export function isolatedPosition({
  positions,
  instrument: { symbol },
}: Pick<ContractFacts, 'positions' | 'instrument'>): PositionRow | undefined {
  return positions.find((row) => row.symbol === symbol && row.marginMode === 'isolated');
}

/**
 * What isolated positions can lose together: the margin that each has, or would begin with.
 * @param instrumentOf with its fees; where the contract is not known, what the position has in use now counts.
 */
export function isolatedLoss(
  positions: readonly PositionRow[],
  terms: MarginTerms,
  instrumentOf: (row: PositionRow) => ModeChangeFacts['instrument'] | undefined,
): Amount {
  return positions.reduce((sum, row) => {
    const instrument = instrumentOf(row);
    if (row.isolatedMargin !== null || instrument === undefined)
      return sum + signedDecimal(row.isolatedMargin ?? row.initialMargin);
    const { takerFee } = instrument;
    return sum + marginAtEntry(venuePosition(row), { instrument, terms, takerFee });
  }, 0n) as Amount;
}

/** What is known of an account's positions when their margin mode changes. */
export interface ModeChangeFacts extends Pick<ContractFacts, 'positions' | 'margin' | 'terms' | 'tiers'> {
  readonly instrument: Instrument & Pick<ContractFacts, 'makerFee' | 'takerFee'>;
  readonly mark: Amount;
  /** Every contract of the account that is known, by symbol. */
  readonly contracts: ReadonlyMap<string, HeldContract>;
}

/**
 * The mark that would liquidate a position in another margin mode, by us, where the mode is the account's.
 * `undefined`: none in range, or its leverage table is not known.
 */
export function liquidationAfterMove(
  { effect, leverage }: PositionRow,
  marginMode: MarginMode,
  { instrument, contracts, ...facts }: ModeChangeFacts,
): Amount | undefined {
  const { makerFee, takerFee } = instrument;
  const scene = contractScene({
    ...{ ...facts, instrument, makerFee, takerFee, orders: [], bestBid: undefined, bestAsk: undefined },
    setting: { marginMode, leverageLong: leverage, leverageShort: leverage },
  });
  return liquidationInMode(effect, marginMode, scene, contracts);
}

/** The tier that a position lies in now. */
export function heldTier(
  row: PositionRow,
  context: { readonly tiers: readonly LeverageTier[]; readonly contractValue: Amount },
): LeverageTier | undefined {
  const counted = positionQuantity(row);
  const mark = parseAmount(row.markPrice) ?? ZERO;
  const value = mulDown(mulDown(counted, context.contractValue), mark);
  return context.tiers.find((tier) => (tier.unit === 'contracts' ? counted : value) <= tier.cap);
}

import {
  type Amount,
  type Instrument,
  type LeverageTier,
  type MarginMode,
  type MarginPool,
  type Millis,
  minus,
  POSITION_SIDE,
  type PositionSide,
  type PositionUpdate,
  parseAmount,
  plus,
  toNumberForDisplay,
  type VenuePosition,
  ZERO,
} from '@crossbook/domain';
import type { ContractEvent } from '../../../venue-contracts.ts';
import { asArray, asCounter, asObject, asText, type WireObject } from '../../../wire/guards.ts';
import { asAmount, asSignedAmount, rowsOf } from '../../../wire/numbers.ts';
import { positionSideOf } from './normalise.ts';

/**
 * Positions, margin and leverage tiers of USD-M contracts to domain values. Pure; `undefined` for anything that is not
 * the documented shape. Source: types of the official connector (derivatives-trading-usds-futures 38.1.1).
 */

/** How one contract is set. */
export interface SymbolConfig {
  readonly symbol: string;
  readonly marginMode: MarginMode;
  readonly leverage: number;
}

const PLATFORM = 1;
/** The asset that contracts are margined in (spec section 8). */
const ASSET = 'USDT';
/** Leverage is a whole number; no contract has more (leverageBracket). */
const LEVERAGE_MAX = 1_000;

/** A leverage: a whole number from 1, as a number or in a string. */
export function leverageOf(value: unknown): number | undefined {
  const leverage = typeof value === 'string' ? Number(value) : value;
  const counter = asCounter(leverage);
  return counter !== undefined && counter >= 1 && counter <= LEVERAGE_MAX ? counter : undefined;
}

/** Rows of `symbolConfig`. */
export function normaliseSymbolConfigs(answer: unknown): SymbolConfig[] | undefined {
  return rowsOf(answer, (entry) => {
    const row = asObject(entry);
    const symbol = asText(row?.symbol);
    const leverage = leverageOf(row?.leverage);
    const marginMode = MARGIN_MODES.get(row?.marginType);
    if (symbol === undefined || leverage === undefined || marginMode === undefined) return undefined;
    return { symbol, leverage, marginMode };
  });
}

const MARGIN_MODES: ReadonlyMap<unknown, MarginMode> = new Map<string, MarginMode>([
  ['CROSSED', 'cross'],
  ['cross', 'cross'],
  ['ISOLATED', 'isolated'],
  ['isolated', 'isolated'],
]);

/** A size as the domain has it: signed in one-way mode, the leg's own size in hedge mode (short legs come below 0). */
function quantityOf(side: PositionSide, size: unknown): Amount | undefined {
  const signed = asSignedAmount(size);
  if (signed === undefined || side === POSITION_SIDE.NET) return signed;
  return signed < ZERO ? minus(ZERO, signed) : signed;
}

/** The venue writes "0" where no price would liquidate, and where nothing has been opened. */
function priceOrNone(value: unknown): Amount | undefined {
  const price = asAmount(value);
  return price === ZERO ? undefined : price;
}

/** Rows of `positionRisk` (v3), with leverage and margin mode from `symbolConfig`, which this version leaves out. */
export function normalisePositions(
  answer: unknown,
  configs: ReadonlyMap<string, SymbolConfig>,
): VenuePosition[] | undefined {
  return rowsOf(answer, (entry) => {
    const row = asObject(entry);
    const config = configs.get(asText(row?.symbol) ?? '');
    return row && config && positionOf(row, config);
  });
}

function positionOf(row: WireObject, config: SymbolConfig): VenuePosition | undefined {
  const { symbol, marginMode, leverage } = config;
  const side = positionSideOf(row.positionSide);
  const quantity = side === undefined ? undefined : quantityOf(side, row.positionAmt);
  const entryPrice = asAmount(row.entryPrice);
  const markPrice = asAmount(row.markPrice);
  const unrealisedPnl = asSignedAmount(row.unRealizedProfit);
  const initialMargin = asAmount(row.positionInitialMargin ?? row.initialMargin);
  const maintenanceMargin = asAmount(row.maintMargin);
  const time = asCounter(row.updateTime);
  const rank = asCounter(row.adl);
  if (side === undefined || quantity === undefined || entryPrice === undefined || markPrice === undefined)
    return undefined;
  if (unrealisedPnl === undefined || initialMargin === undefined || maintenanceMargin === undefined)
    return undefined;
  if (time === undefined || rank === undefined || rank > 4) return undefined;
  const isolatedMargin = marginMode === 'isolated' ? asSignedAmount(row.isolatedWallet) : undefined;
  const breakEvenPrice = priceOrNone(row.breakEvenPrice);
  const liquidationPrice = priceOrNone(row.liquidationPrice);
  return {
    ...{ platform: PLATFORM, symbol, side, marginMode, quantity, entryPrice, markPrice, leverage },
    ...(breakEvenPrice === undefined ? {} : { breakEvenPrice }),
    ...(isolatedMargin === undefined ? {} : { isolatedMargin }),
    ...{ unrealisedPnl, initialMargin, maintenanceMargin },
    ...(liquidationPrice === undefined ? {} : { liquidationPrice }),
    // The venue counts 0 to 4; ours begins at 1, and 0 is no position.
    adlRank: quantity === ZERO ? 0 : rank + 1,
    status: 'normal',
    version: time,
    updatedAt: time as Millis,
  };
}

const CAUSES: ReadonlyMap<unknown, ContractEvent['cause']> = new Map<string, ContractEvent['cause']>([
  ['ORDER', 'order'],
  ['FUNDING_FEE', 'funding'],
  ['MARGIN_TRANSFER', 'margin'],
  ['MARGIN_TYPE_CHANGE', 'setting'],
  ['INSURANCE_CLEAR', 'liquidation'],
  ['DEPOSIT', 'transfer'],
  ['WITHDRAW', 'transfer'],
]);

/**
 * `ACCOUNT_UPDATE`: rows of the symbol's BOTH, LONG and SHORT, empty ones too. Funding of a cross position names no
 * position at all. The version is the time of the transaction (`T`), which `positionRisk` has as `updateTime`.
 */
export function normaliseAccountUpdate(event: WireObject): ContractEvent | undefined {
  const account = asObject(event.a);
  const time = asCounter(event.T);
  if (account === undefined || time === undefined || asText(account.m) === undefined) return undefined;
  const positions = rowsOf(account.P ?? [], (entry) => updateOf(asObject(entry), time));
  return positions && { positions, cause: CAUSES.get(account.m) ?? 'other', time: time as Millis };
}

function updateOf(row: WireObject | undefined, time: number): PositionUpdate | undefined {
  const symbol = asText(row?.s);
  const side = positionSideOf(row?.ps);
  const marginMode = MARGIN_MODES.get(row?.mt);
  const quantity = side === undefined ? undefined : quantityOf(side, row?.pa);
  const entryPrice = asAmount(row?.ep);
  const unrealisedPnl = asSignedAmount(row?.up);
  if (symbol === undefined || side === undefined || marginMode === undefined) return undefined;
  if (quantity === undefined || entryPrice === undefined || unrealisedPnl === undefined) return undefined;
  const breakEvenPrice = priceOrNone(row?.bep);
  const isolatedMargin = marginMode === 'isolated' ? asSignedAmount(row?.iw) : undefined;
  return {
    ...{ platform: PLATFORM, symbol, side, marginMode, quantity, entryPrice, unrealisedPnl },
    ...(breakEvenPrice === undefined ? {} : { breakEvenPrice }),
    ...(isolatedMargin === undefined ? {} : { isolatedMargin }),
    version: time,
    updatedAt: time as Millis,
  };
}

/**
 * `account` (v3) in single-asset mode: the row of USDT. The venue states no ratio: it is the maintenance margin of the
 * cross positions over the cross margin balance, as the venue's own pages define it.
 */
export function normalisePool(answer: unknown): MarginPool | undefined {
  const account = asObject(answer);
  const row = asArray(account?.assets)
    ?.map(asObject)
    .find((asset) => asset?.asset === ASSET);
  const maintenanceOfCross = crossMaintenance(account?.positions);
  const wallet = asSignedAmount(row?.walletBalance);
  const unrealisedPnl = asSignedAmount(row?.unrealizedProfit);
  const positionInitial = asAmount(row?.positionInitialMargin);
  const orderInitial = asAmount(row?.openOrderInitialMargin);
  const maintenance = asAmount(row?.maintMargin);
  const available = asAmount(row?.availableBalance);
  const withdrawable = asAmount(row?.maxWithdrawAmount);
  const crossWallet = asSignedAmount(row?.crossWalletBalance);
  const crossPnl = asSignedAmount(row?.crossUnPnl);
  const time = asCounter(row?.updateTime);
  if (wallet === undefined || unrealisedPnl === undefined || positionInitial === undefined) return undefined;
  if (orderInitial === undefined || maintenance === undefined || available === undefined) return undefined;
  if (withdrawable === undefined || crossWallet === undefined || crossPnl === undefined) return undefined;
  if (time === undefined || maintenanceOfCross === undefined) return undefined;
  const ratio = ratioOf(maintenanceOfCross, plus(crossWallet, crossPnl));
  return {
    ...{ asset: ASSET, wallet, unrealisedPnl, positionInitial, orderInitial, maintenance },
    ...{ available, withdrawable },
    ...(ratio === undefined ? {} : { ratio }),
    updatedAt: time as Millis,
  };
}

/** Maintenance margin of the positions that no wallet of their own stands behind. */
function crossMaintenance(positions: unknown): Amount | undefined {
  const rows = rowsOf(positions, (entry) => {
    const row = asObject(entry);
    const margin = asAmount(row?.maintMargin);
    const isolated = asSignedAmount(row?.isolatedWallet);
    return margin === undefined || isolated === undefined ? undefined : { margin, isolated };
  });
  return rows
    ?.filter(({ isolated }) => isolated === ZERO)
    .reduce((sum, { margin }) => plus(sum, margin), ZERO);
}

/** Absent without a cross position; a balance of nothing behind one is liquidation. */
function ratioOf(maintenance: Amount, balance: Amount): number | undefined {
  if (maintenance === ZERO) return undefined;
  if (balance <= ZERO) return 1;
  return toNumberForDisplay(maintenance) / toNumberForDisplay(balance);
}

/**
 * The brackets of one symbol of `leverageBracket`: the official types allow a list or a single object, and all figures
 * are JSON numbers.
 */
export function normaliseTiers(answer: unknown, instrument: Instrument): LeverageTier[] | undefined {
  const rows = (asArray(answer) ?? [answer]).map(asObject);
  const brackets = rows.find((row) => row?.symbol === instrument.symbol)?.brackets;
  const tiers = rowsOf(brackets, (entry) => {
    const row = asObject(entry);
    const tier = asCounter(row?.bracket);
    const floor = numberAmount(row?.notionalFloor);
    const cap = numberAmount(row?.notionalCap);
    const maintenanceRate = numberAmount(row?.maintMarginRatio);
    const deduction = numberAmount(row?.cum);
    const maxLeverage = leverageOf(row?.initialLeverage);
    if (tier === undefined || floor === undefined || cap === undefined || cap <= floor) return undefined;
    if (maintenanceRate === undefined || deduction === undefined || maxLeverage === undefined)
      return undefined;
    return { tier, unit: 'notional', floor, cap, maintenanceRate, maxLeverage, deduction } as const;
  });
  return tiers === undefined || tiers.length === 0
    ? undefined
    : tiers.sort((left, right) => left.tier - right.tier);
}

/** A figure that comes as a JSON number: written out as it is, an exponent is none of the documented ones. */
function numberAmount(value: unknown): Amount | undefined {
  return typeof value === 'number' ? parseAmount(String(value)) : asAmount(value);
}

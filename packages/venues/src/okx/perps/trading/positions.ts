import {
  AMOUNT_SCALE,
  type Amount,
  type LeverageTier,
  type MarginPool,
  type Millis,
  minus,
  POSITION_SIDE,
  type PositionUpdate,
  parseSignedAmount,
  type VenuePosition,
  ZERO,
} from '@crossbook/domain';
import type { ContractEvent } from '../../../venue-contracts.ts';
import { asDecimalText, asObject, asText, type WireObject } from '../../../wire/guards.ts';
import { asAmount, rowsOf } from '../../../wire/numbers.ts';
import { walletOf } from '../../account/balance-shapes.ts';
import { asTextCounter, leverageOf } from '../../wire.ts';
import { marginModeOf, positionSideOf } from './normalise.ts';

/**
 * Positions, margin and tiers of swaps to domain values. Pure; `undefined` for anything that is not the documented
 * shape. Source: OKX v5 guide, "Get positions", "Get balance", "Positions channel", "Balance and position channel",
 * "Get position tiers" (2026).
 */

const PLATFORM = 2;
const ASSET = 'USDT';
const FRACTION = new RegExp(`(\\.[0-9]{${AMOUNT_SCALE}})[0-9]+$`);

/** A figure that is shown and never booked: the venue prints doubles, whose digits beyond ours are cut. */
function statOf(value: unknown): Amount | undefined {
  const text = asDecimalText(value);
  return text === undefined ? undefined : parseSignedAmount(text.replace(FRACTION, '$1'));
}

/** What a row of any channel or list says of a position at least. */
function updateOf(row: WireObject): PositionUpdate | undefined {
  const symbol = asText(row.instId);
  const side = positionSideOf(row.posSide);
  const marginMode = marginModeOf(row.mgnMode);
  const size = statOf(row.pos);
  // A position that has been closed has no entry any more.
  const entryPrice = row.avgPx === '' ? ZERO : statOf(row.avgPx);
  const time = asTextCounter(row.uTime);
  if (symbol === undefined || side === undefined || marginMode === undefined) return undefined;
  if (size === undefined || entryPrice === undefined || time === undefined) return undefined;
  const quantity = side !== POSITION_SIDE.NET && size < ZERO ? minus(ZERO, size) : size;
  return {
    ...{ platform: PLATFORM, symbol, side, marginMode, quantity, entryPrice },
    ...{ version: time, updatedAt: time as Millis },
  };
}

/** A row of `positions` or of the channel of that name; of a closed one only what every row has. */
export function normalisePosition(entry: unknown): VenuePosition | PositionUpdate | undefined {
  const row = asObject(entry);
  const update = row && updateOf(row);
  if (row === undefined || update === undefined || row.instType !== 'SWAP') return undefined;
  return update.quantity === ZERO ? update : fullPosition(row, update);
}

function fullPosition(row: WireObject, update: PositionUpdate): VenuePosition | undefined {
  const isolated = update.marginMode === 'isolated';
  const markPrice = statOf(row.markPx);
  const leverage = leverageOf(row.lever);
  const unrealisedPnl = statOf(row.upl);
  const isolatedMargin = isolated ? statOf(row.margin) : undefined;
  // An isolated position has its margin in place of an initial one.
  const initialMargin = isolated && row.imr === '' ? isolatedMargin : statOf(row.imr ?? row.margin);
  const maintenanceMargin = statOf(row.mmr);
  const adlRank = row.adl === '' ? 0 : asTextCounter(row.adl);
  if (markPrice === undefined || leverage === undefined || unrealisedPnl === undefined) return undefined;
  if (initialMargin === undefined || maintenanceMargin === undefined) return undefined;
  if (adlRank === undefined || adlRank > 5 || (isolated && isolatedMargin === undefined)) return undefined;
  const breakEvenPrice = statOf(row.bePx);
  const liquidationPrice = statOf(row.liqPx);
  return {
    ...update,
    ...{ markPrice, leverage, unrealisedPnl, initialMargin, maintenanceMargin, adlRank, status: 'normal' },
    ...(isolatedMargin === undefined ? {} : { isolatedMargin }),
    ...(breakEvenPrice === undefined ? {} : { breakEvenPrice }),
    ...(liquidationPrice === undefined ? {} : { liquidationPrice }),
  };
}

/** Rows of `positions` that are held; each must say all that the venue says of one. */
export function normalisePositions(rows: readonly unknown[]): VenuePosition[] | undefined {
  const read = rowsOf(rows, normalisePosition);
  return read?.filter((row): row is VenuePosition => row.quantity !== ZERO);
}

const CAUSES: ReadonlyMap<unknown, ContractEvent['cause']> = new Map<string, ContractEvent['cause']>([
  ['filled', 'order'],
  ['liquidation', 'liquidation'],
  ['adl', 'liquidation'],
  ['claw_back', 'liquidation'],
  ['funding_fee', 'funding'],
  ['adjust_margin', 'margin'],
  ['set_leverage', 'setting'],
]);

/** `balance_and_position`: why something changed, and which positions did. */
export function normaliseBalanceAndPosition(entry: unknown): ContractEvent | undefined {
  const row = asObject(entry);
  const time = asTextCounter(row?.pTime);
  const swaps = rowsOf(row?.posData, asObject)?.filter(({ instType }) => instType === 'SWAP');
  const positions = swaps && rowsOf(swaps, (one) => updateOf(one as WireObject));
  if (time === undefined || positions === undefined || asText(row?.eventType) === undefined) return undefined;
  return { positions, cause: CAUSES.get(row?.eventType) ?? 'other', time: time as Millis };
}

/**
 * A swap that is near liquidation, isolated or with all others in cross margin. It says which, not how near: the exchange warns
 * against judging risk by this channel ("Position risk warning", 2026).
 */
export function normaliseWarning(entry: unknown): ContractEvent | undefined {
  const row = asObject(entry);
  const symbol = asText(row?.instId);
  const time = asTextCounter(row?.pTime);
  if (symbol === undefined || time === undefined) return undefined;
  return { positions: [], cause: 'margin-call', symbols: [symbol], time: time as Millis };
}

/**
 * The row of USDT in an account answer or push, in Futures mode. One wallet serves pairs and swaps. The venue states the
 * inverse of our ratio, and none without a cross position. `undefined` where the message does not name USDT as documented.
 */
export function normalisePool(entry: unknown): MarginPool | undefined {
  const row = marginRowOf(entry);
  const wallet = row && walletOf(row);
  const unrealisedPnl = statOf(row?.upl);
  const positionInitial = orNothing(row?.imr);
  const orderInitial = orNothing(row?.ordFrozen);
  const maintenance = orNothing(row?.mmr);
  const available = orNothing(row?.availEq);
  const withdrawable = orNothing(row?.availBal);
  const time = asTextCounter(row?.uTime);
  if (wallet === undefined || unrealisedPnl === undefined || positionInitial === undefined) return undefined;
  if (orderInitial === undefined || maintenance === undefined || available === undefined) return undefined;
  if (withdrawable === undefined || time === undefined) return undefined;
  const safety = Number(asDecimalText(row?.mgnRatio) ?? 0);
  return {
    ...{ asset: ASSET, wallet, unrealisedPnl, positionInitial, orderInitial, maintenance },
    ...{ available, withdrawable },
    ...(safety > 0 ? { ratio: 1 / safety } : {}),
    updatedAt: time as Millis,
  };
}

function marginRowOf(entry: unknown): WireObject | undefined {
  return rowsOf(asObject(entry)?.details, asObject)?.find(({ ccy }) => ccy === ASSET);
}

/** The same in an answer about all there is: the venue leaves out a currency of which there is nothing. */
export function normaliseWholePool(entry: unknown): MarginPool | undefined {
  const account = asObject(entry);
  const time = asTextCounter(account?.uTime);
  const others = rowsOf(account?.details, asObject);
  if (marginRowOf(entry) !== undefined || others === undefined || time === undefined)
    return normalisePool(entry);
  const stats = { wallet: ZERO, unrealisedPnl: ZERO, positionInitial: ZERO, orderInitial: ZERO };
  return {
    ...{ asset: ASSET, ...stats, maintenance: ZERO, available: ZERO, withdrawable: ZERO },
    updatedAt: time as Millis,
  };
}

/** The venue leaves a figure empty where there is nothing of it. */
function orNothing(value: unknown): Amount | undefined {
  return value === '' ? ZERO : statOf(value);
}

/** Rows of `position-tiers`: sizes are contracts, and nothing is taken off at the borders. */
export function normaliseTiers(rows: readonly unknown[]): LeverageTier[] | undefined {
  const read = rowsOf(rows, (entry) => {
    const row = asObject(entry);
    const tier = asTextCounter(row?.tier);
    const cap = asAmount(row?.maxSz);
    const maintenanceRate = asAmount(row?.mmr);
    const maxLeverage = leverageOf(row?.maxLever);
    if (tier === undefined || cap === undefined || cap === ZERO) return undefined;
    if (maintenanceRate === undefined || maxLeverage === undefined) return undefined;
    return { tier, cap, maintenanceRate, maxLeverage };
  })?.sort((left, right) => left.tier - right.tier);
  if (read === undefined || read.length === 0) return undefined;
  // `minSz` is one step above the tier before; ours begin where that one ends.
  return read.map(({ tier, cap, ...rest }, at) => ({
    ...{ tier, unit: 'contracts', floor: read[at - 1]?.cap ?? ZERO, cap, ...rest, deduction: ZERO },
  }));
}

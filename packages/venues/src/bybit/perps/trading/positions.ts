import {
  type Amount,
  type LeverageTier,
  type MarginMode,
  type MarginPool,
  type Millis,
  minus,
  POSITION_SIDE,
  type PositionSide,
  type VenuePosition,
  ZERO,
} from '@crossbook/domain';
import {
  asArray,
  asCounter,
  asDecimalText,
  asObject,
  asText,
  type WireObject,
} from '../../../wire/guards.ts';
import { asAmount, asSignedAmount, rowsOf } from '../../../wire/numbers.ts';
import { asMillis } from '../../wire.ts';
import { positionSideOf } from './normalise.ts';

/**
 * Positions, margin and risk limits of linear contracts to domain values. Pure; `undefined` for anything that is not the
 * documented shape. Source: bybit-exchange/docs v5, position, websocket/private/position, account/wallet-balance,
 * market/risk-limit (2026-07-24).
 */

const PLATFORM = 3;
const ASSET = 'USDT';
const LEVERAGE_MAX = 1_000;

/** A leverage in a string, `10` or `12.50`. */
export function leverageOf(value: unknown): number | undefined {
  const text = asDecimalText(value);
  const leverage = text === undefined ? undefined : Number(text);
  return leverage !== undefined && leverage > 0 && leverage <= LEVERAGE_MAX ? leverage : undefined;
}

/** The margin mode of the whole account (`account/info`); that of portfolio margin is none of ours. */
export function marginModeOf(name: unknown): MarginMode | undefined {
  if (name === 'REGULAR_MARGIN') return 'cross';
  return name === 'ISOLATED_MARGIN' ? 'isolated' : undefined;
}

/** Figures are left empty where there is nothing of them. */
function signedOrNothing(value: unknown): Amount | undefined {
  return value === '' || value === undefined ? ZERO : asSignedAmount(value);
}

/** A price, absent where the venue has none: empty or 0. */
function priceOrNone(value: unknown): Amount | undefined {
  const price = asAmount(value);
  return price === ZERO ? undefined : price;
}

const STATUSES: ReadonlyMap<unknown, VenuePosition['status']> = new Map<string, VenuePosition['status']>([
  ['Normal', 'normal'],
  ['Liq', 'liquidating'],
  ['Adl', 'deleveraging'],
]);

/** Which position a row is about, and how large it is: one-way mode signs it by its side, which is empty when flat. */
function sizeOf(row: WireObject): { readonly side: PositionSide; readonly quantity: Amount } | undefined {
  const side = positionSideOf(row.positionIdx);
  const size = asAmount(row.size);
  if (side === undefined || size === undefined) return undefined;
  if (side !== POSITION_SIDE.NET || size === ZERO) return { side, quantity: size };
  if (row.side !== 'Buy' && row.side !== 'Sell') return undefined;
  return { side, quantity: row.side === 'Sell' ? minus(ZERO, size) : size };
}

/**
 * A row of `position/list` (`avgPrice`) or of the topic `position` (`entryPrice`). The margin mode is the account's and
 * in no row. Rows of positions that were never opened carry the sequence -1: nothing is older.
 */
export function normalisePosition(entry: unknown, marginMode: MarginMode): VenuePosition | undefined {
  const row = asObject(entry);
  const symbol = asText(row?.symbol);
  const size = row && sizeOf(row);
  const entryPrice = signedOrNothing(row?.entryPrice ?? row?.avgPrice);
  const markPrice = signedOrNothing(row?.markPrice);
  const leverage = leverageOf(row?.leverage);
  const status = STATUSES.get(row?.positionStatus === '' ? 'Normal' : row?.positionStatus);
  const unrealisedPnl = signedOrNothing(row?.unrealisedPnl);
  const initialMargin = signedOrNothing(row?.positionIM);
  const maintenanceMargin = signedOrNothing(row?.positionMM);
  const adlRank = asCounter(row?.adlRankIndicator);
  const updatedAt = asMillis(row?.updatedTime);
  if (row === undefined || symbol === undefined || size === undefined || entryPrice === undefined)
    return undefined;
  if (markPrice === undefined || leverage === undefined || status === undefined) return undefined;
  if (unrealisedPnl === undefined || initialMargin === undefined || maintenanceMargin === undefined)
    return undefined;
  if (adlRank === undefined || adlRank > 5) return undefined;
  const version =
    row.seq === undefined ? updatedAt : (asCounter(row.seq) ?? (row.seq === -1 ? 0 : undefined));
  if (version === undefined) return undefined;
  const isolatedMargin = marginMode === 'isolated' ? signedOrNothing(row.positionBalance) : undefined;
  const breakEvenPrice = priceOrNone(row.breakEvenPrice);
  const liquidationPrice = priceOrNone(row.liqPrice);
  return {
    ...{ platform: PLATFORM, symbol, ...size, marginMode, entryPrice, markPrice, leverage },
    ...(breakEvenPrice === undefined ? {} : { breakEvenPrice }),
    ...(isolatedMargin === undefined ? {} : { isolatedMargin }),
    ...{ unrealisedPnl, initialMargin, maintenanceMargin },
    ...(liquidationPrice === undefined ? {} : { liquidationPrice }),
    ...{ adlRank, status, version, updatedAt: (updatedAt ?? 0) as Millis },
  };
}

/**
 * The unified account of `wallet-balance` or of the topic `wallet`. Rates and sums are those of the whole account, whose
 * only collateral is USDT; in isolated mode they are empty and what is free is worked out of the coin's row.
 */
export function normalisePool(entry: unknown, now: Millis): MarginPool | undefined {
  const account = asObject(entry);
  const row = asArray(account?.coin)
    ?.map(asObject)
    .find((coin) => coin?.coin === ASSET);
  const wallet = asSignedAmount(row?.walletBalance);
  const unrealisedPnl = signedOrNothing(row?.unrealisedPnl);
  const positionInitial = signedOrNothing(row?.totalPositionIM);
  const orderInitial = signedOrNothing(row?.totalOrderIM);
  const maintenance = signedOrNothing(row?.totalPositionMM);
  const locked = signedOrNothing(row?.locked);
  if (wallet === undefined || unrealisedPnl === undefined || positionInitial === undefined) return undefined;
  if (orderInitial === undefined || maintenance === undefined || locked === undefined) return undefined;
  const free = [positionInitial, orderInitial, locked].reduce(minus, wallet);
  const stated = asSignedAmount(account?.totalAvailableBalance);
  const available = atLeastNothing(stated ?? free);
  const withdrawable = atLeastNothing(asSignedAmount(row?.availableToWithdraw) ?? available);
  const ratio = Number(asDecimalText(account?.accountMMRate) ?? 0);
  return {
    ...{ asset: ASSET, wallet, unrealisedPnl, positionInitial, orderInitial, maintenance },
    ...{ available, withdrawable },
    ...(ratio > 0 ? { ratio } : {}),
    updatedAt: now,
  };
}

function atLeastNothing(value: Amount): Amount {
  return value < ZERO ? ZERO : value;
}

/** The risk limits of one symbol: each says the value up to which it holds. */
export function normaliseTiers(list: unknown): LeverageTier[] | undefined {
  const read = rowsOf(list, (entry) => {
    const row = asObject(entry);
    const cap = asAmount(row?.riskLimitValue);
    const maintenanceRate = asAmount(row?.maintenanceMargin);
    const maxLeverage = leverageOf(row?.maxLeverage);
    const deduction = signedOrNothing(row?.mmDeduction);
    if (cap === undefined || cap === ZERO || maintenanceRate === undefined) return undefined;
    if (maxLeverage === undefined || deduction === undefined) return undefined;
    return { cap, maintenanceRate, maxLeverage, deduction };
  })?.sort((left, right) => (left.cap < right.cap ? -1 : 1));
  if (read === undefined || read.length === 0) return undefined;
  return read.map(({ cap, ...rest }, at) => ({
    ...{ tier: at + 1, unit: 'notional', floor: read[at - 1]?.cap ?? ZERO, cap, ...rest },
  }));
}

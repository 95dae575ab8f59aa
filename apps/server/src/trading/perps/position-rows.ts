import type {
  CallRequest,
  ClosedPositionRow,
  FundingRow,
  MarginRow,
  PositionRow,
  SettingRow,
} from '@crossbook/contract';
import {
  type Amount,
  type ContractSetting,
  formatAmount,
  lesser,
  type MarginPool,
  minus,
  type Platform,
  plus,
  type VenuePosition,
  ZERO,
} from '@crossbook/domain';
import type { AccountOwner } from '../account-pages.ts';
import {
  type BookedPosition,
  type ClosedPosition,
  movesWithAccount,
  type StoredFunding,
} from '../contract-store.ts';
import type { StoredOrder } from '../order.ts';
import type { TargetStore } from '../targets.ts';

function optional(value: Amount | undefined): string | null {
  return value === undefined ? null : formatAmount(value);
}

/** A position as its owner sees it: the venue's figures, and what was booked since it was opened. */
export function positionRow(position: VenuePosition, booked: BookedPosition | undefined): PositionRow {
  const { platform, symbol, side, marginMode } = position;
  return {
    // Fills may come after the position they make.
    positionId: booked?.positionId ?? `${platform}-${symbol}-${side}-${marginMode}`,
    exchange: platform,
    symbol,
    effect: side,
    marginMode,
    quantity: formatAmount(position.quantity),
    entryPrice: formatAmount(position.entryPrice),
    breakEvenPrice: optional(position.breakEvenPrice),
    markPrice: formatAmount(position.markPrice),
    leverage: position.leverage,
    isolatedMargin: optional(position.isolatedMargin),
    unrealisedPnl: formatAmount(position.unrealisedPnl),
    initialMargin: formatAmount(position.initialMargin),
    maintenanceMargin: formatAmount(position.maintenanceMargin),
    liquidationPrice: optional(position.liquidationPrice),
    adlRank: position.adlRank,
    status: position.status,
    realisedPnl: booked === undefined ? '0' : formatAmount(netOf(booked)),
    fees: formatAmount(booked?.fees ?? ZERO),
    funding: formatAmount(booked?.funding ?? ZERO),
    openedAt: booked?.openedAt ?? position.updatedAt,
    updatedAt: position.updatedAt,
  };
}

/** Says of a position where something that should protect it does not stand. */
export function withProtection(
  row: PositionRow,
  unprotected: Awaited<ReturnType<TargetStore['unprotected']>>,
): PositionRow {
  const bare = unprotected.some(
    ({ symbol, side, marginMode, filledAt }) =>
      symbol === row.symbol &&
      side === row.effect &&
      marginMode === row.marginMode &&
      filledAt >= row.openedAt,
  );
  return bare ? { ...row, unprotected: true } : row;
}

function netOf({
  realisedPnl,
  fees,
  funding,
}: Pick<BookedPosition, 'realisedPnl' | 'fees' | 'funding'>): Amount {
  return plus(minus(realisedPnl, fees), funding);
}

/** A position that is over. */
export function closedRow(closed: ClosedPosition): ClosedPositionRow {
  return {
    positionId: closed.positionId,
    exchange: closed.platform,
    symbol: closed.symbol,
    effect: closed.side,
    direction: closed.direction,
    marginMode: closed.marginMode,
    leverage: closed.leverage,
    maxQuantity: formatAmount(closed.maxQuantity),
    entryPrice: formatAmount(closed.entryPrice),
    exitPrice: formatAmount(closed.exitPrice),
    realisedPnl: formatAmount(closed.realisedPnl),
    fees: formatAmount(closed.fees),
    funding: formatAmount(closed.funding),
    net: formatAmount(netOf(closed)),
    ended: closed.ended,
    openedAt: closed.openedAt,
    closedAt: closed.closedAt,
  };
}

/** The pool; what may be used is the lesser of the venue's figure and the ledger's. */
export function marginRow(platform: Platform, pool: MarginPool, ledgerAvailable: Amount): MarginRow {
  return {
    exchange: platform,
    asset: pool.asset,
    wallet: formatAmount(pool.wallet),
    unrealisedPnl: formatAmount(pool.unrealisedPnl),
    positionInitial: formatAmount(pool.positionInitial),
    orderInitial: formatAmount(pool.orderInitial),
    maintenance: formatAmount(pool.maintenance),
    available: formatAmount(lesser(pool.available, ledgerAvailable)),
    withdrawable: formatAmount(pool.withdrawable),
    ratio: pool.ratio ?? null,
    updatedAt: pool.updatedAt,
  };
}

/** How a contract is set. */
export function settingRow(setting: ContractSetting, maxLeverage: number): SettingRow {
  const { platform: exchange, symbol, marginMode, positionMode, leverageLong, leverageShort } = setting;
  return { exchange, symbol, marginMode, positionMode, leverageLong, leverageShort, maxLeverage };
}

/** A payment of funding. */
export function fundingRow(funding: StoredFunding): FundingRow {
  return {
    id: funding.id,
    exchange: funding.platform,
    symbol: funding.symbol,
    effect: funding.side,
    quantity: optional(funding.quantity),
    markPrice: optional(funding.markPrice),
    rate: optional(funding.rate),
    amount: formatAmount(funding.amount),
    time: funding.time,
  };
}

/** What a request says of the position that it is about. */
export type NamedPosition = Pick<
  CallRequest<'connextrade/ClosePosition'>,
  'symbol' | 'effect' | 'marginMode'
>;

/** A cross and an isolated position stand side by side, and which of them is meant was not said. */
export const MODE_OF_SEVERAL = {
  error: 'field-invalid',
  field: 'marginMode',
  allowed: 'cross or isolated, for there is a position of each',
} as const;

/** Which of these positions is meant; its margin mode is part of what it is. */
export function positionNamed(
  positions: readonly VenuePosition[],
  { symbol, effect, marginMode }: NamedPosition,
): VenuePosition | 'several' | undefined {
  const [first, ...others] = positions.filter(
    (position) =>
      position.symbol === symbol &&
      position.side === effect &&
      position.quantity !== 0n &&
      (marginMode === undefined ||
        position.marginMode === marginMode ||
        // It has been moved since it was looked at, and is the same position.
        movesWithAccount(position.platform)),
  );
  return others.length > 0 ? 'several' : first;
}

/** Whether an order is about the position that a request names. */
export function isOfPosition(
  { user, platform, symbol, contract }: StoredOrder,
  owner: AccountOwner,
  named: NamedPosition,
): boolean {
  const mode = movesWithAccount(platform) ? undefined : named.marginMode;
  return (
    user === owner.user &&
    platform === owner.platform &&
    symbol === named.symbol &&
    contract?.side === named.effect &&
    (mode === undefined || contract.marginMode === mode)
  );
}

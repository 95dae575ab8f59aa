import { type VenueFill, ZERO } from '@crossbook/domain';
import { isUnjudged, type LedgerCommit, type LedgerUnit } from '@crossbook/ledger';
import type { StoredFill, StoredOrder } from '../order.ts';
import type { TradingDeps } from '../ports.ts';

/** What is to be booked: the order before and after, its fills that are new, and those that are booked already. */
export interface Booking {
  readonly order: StoredOrder;
  readonly after: StoredOrder;
  readonly fresh: readonly VenueFill[];
  readonly booked: readonly StoredFill[];
  /** The order's row is not there yet: one that the venue made. */
  readonly isNew?: boolean;
}

/**
 * A unit whose movements had all happened before writes no rows of its own; the order's row must be written even then.
 * @throws Error when the ledger did not judge it: the order is looked up again, and nobody tries another way to pay.
 */
export async function commitWithRows(
  deps: Pick<TradingDeps, 'ledger'>,
  unit: LedgerUnit,
): Promise<LedgerCommit> {
  const committed = await tryWithRows(deps, unit);
  if (!committed.ok && isUnjudged(committed.code)) throw new Error(`the ledger is ${committed.code}`);
  return committed;
}

/** The same for who says in its answer that the ledger did not judge it. */
export async function tryWithRows(
  deps: Pick<TradingDeps, 'ledger'>,
  unit: LedgerUnit,
): Promise<LedgerCommit> {
  const committed = await deps.ledger.commit(unit);
  if (!committed.ok || !committed.value.replayed || unit.writes === undefined) return committed;
  return deps.ledger.commit({ commands: [], writes: unit.writes });
}

/** A fill as it is stored beside its order. */
export function storedFill(order: StoredOrder, fill: VenueFill): StoredFill {
  const { tradeId, price, quantity, quoteQuantity, fee, feeAsset, maker, time } = fill;
  const { id: orderId, user, platform, symbolType, symbol, side, contract } = order;
  const stored = {
    ...{ tradeId, orderId, user, platform, symbolType, symbol, side },
    ...{ price, quantity, quoteQuantity, fee, feeAsset, maker, time },
  };
  if (contract === undefined) return stored;
  // A venue that leaves the mode out means that of the order.
  const reported: Partial<NonNullable<VenueFill['contract']>> = fill.contract ?? {};
  const { realisedPnl = ZERO, cause = 'trade', ...position } = reported;
  const { side: leg = contract.side, marginMode = contract.marginMode } = position;
  return { ...stored, contract: { realisedPnl, side: leg, marginMode, cause } };
}

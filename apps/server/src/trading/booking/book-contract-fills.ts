import { type Amount, type VenueFill, ZERO } from '@crossbook/domain';
import type { CompanionWrite, LedgerCommand } from '@crossbook/ledger';
import {
  type ContractWallet,
  contractWallet,
  fillLegs,
  type MoneyLeg,
  planLegs,
} from '../contract-settle.ts';
import type { StoredOrder } from '../order.ts';
import type { TradingDeps } from '../ports.ts';
import { type Booking, commitWithRows, storedFill } from './booked-rows.ts';
import { endOfHold } from './settle.ts';

/** Fills of one transaction; each is up to four movements and a row. */
const FILLS_PER_UNIT_MAX = 100;
/** Free money and debts are read before the unit that uses them; others may have moved them meanwhile. */
const TRIES_MAX = 5;

/** Movements of the venue's hand with their rows. */
export interface MoneyUnit {
  readonly wallet: ContractWallet;
  readonly legs: readonly MoneyLeg[];
  readonly first?: readonly LedgerCommand[];
  readonly writes: readonly CompanionWrite[];
}

/**
 * Writes fills of a contract, what they moved and the order's progress. The order's hold ends with its first fill: from
 * then on the venue's own figures contain it. While a change of it is under way they may not contain what that adds.
 * @throws Error when the ledger refuses all the same: the order is looked up again.
 */
export async function bookContractFills(deps: TradingDeps, booking: Booking): Promise<void> {
  const { order, after, fresh } = booking;
  const contained = (fresh.length > 0 && order.amendment === undefined) || after.settled;
  const ends = contained ? endOfHold(order) : [];
  const { user, platform, quote } = order;
  const pages = pagesOf(fresh);
  for (const [at, fills] of pages.entries()) {
    // A fee in another asset is paid before the rows are written: were it lost between, it would be booked again as none.
    for (const fill of fills.filter(({ feeAsset }) => feeAsset !== quote)) {
      const wallet = { user, platform, asset: fill.feeAsset };
      const legs = fillLegs(order, { ...fill, realisedPnl: ZERO });
      await bookMoney(deps, { wallet, legs, writes: [] });
    }
    const made = booking.isNew === true && at === 0 ? [deps.orders.insert(order)] : [];
    const rows = [...made, ...fills.map((fill) => deps.orders.fill(storedFill(order, fill)))];
    await bookMoney(deps, {
      wallet: { user, platform, asset: quote },
      legs: fills.flatMap((fill) => quoteLegs(order, fill)),
      first: ends,
      writes: at === pages.length - 1 ? [...rows, deps.orders.progress(after)] : rows,
    });
  }
  if (pages.length > 0) return;
  const written = await commitWithRows(deps, { commands: ends, writes: [deps.orders.progress(after)] });
  if (!written.ok) throw new Error(`order ${order.id}: progress refused: ${written.code}`);
}

function quoteLegs(order: StoredOrder, fill: VenueFill): readonly MoneyLeg[] {
  const fee = fill.feeAsset === order.quote ? fill.fee : ZERO;
  return fillLegs(order, { ...fill, fee, realisedPnl: fill.contract?.realisedPnl ?? ZERO });
}

function pagesOf(fills: readonly VenueFill[]): readonly (readonly VenueFill[])[] {
  const pages: (readonly VenueFill[])[] = [];
  for (let at = 0; at < fills.length; at += FILLS_PER_UNIT_MAX) {
    pages.push(fills.slice(at, at + FILLS_PER_UNIT_MAX));
  }
  return pages;
}

/**
 * Books what the venue moved, out of what the member has; what is lacking stands as a debt and is told.
 * @throws Error when it cannot be booked.
 */
export async function bookMoney(deps: TradingDeps, unit: MoneyUnit): Promise<void> {
  const { wallet, legs, first = [], writes } = unit;
  for (let tried = 1; ; tried += 1) {
    const means = await meansOf(deps, wallet);
    const { commands, debtChange } = planLegs(wallet, legs, means);
    if (commands.length + first.length + writes.length === 0) return;
    const debt = debtChange === 0n ? [] : [deps.contracts.debtChange(wallet, debtChange, deps.clock())];
    const committed = await commitWithRows(deps, {
      commands: [...first, ...commands],
      writes: [...writes, ...debt],
    });
    if (committed.ok) {
      if (debtChange > 0n) deps.log.note('a loss stands as a debt', { ...wallet });
      return;
    }
    const changed = committed.code === 'insufficient-funds' || committed.code === 'write-refused';
    if (!changed || tried >= TRIES_MAX)
      throw new Error(`money at ${wallet.platform} of ${wallet.user}: ${committed.code}`);
  }
}

async function meansOf(
  deps: TradingDeps,
  wallet: ContractWallet,
): Promise<{ readonly free: Amount; readonly debt: Amount }> {
  const { user, platform, asset } = wallet;
  const rows = await deps.ledger.tradingBalances(user, platform, contractWallet(platform));
  const free = rows.find((row) => row.asset === asset)?.available ?? ZERO;
  const debts = await deps.contracts.debts(wallet);
  return { free, debt: debts.get(wallet.asset) ?? ZERO };
}

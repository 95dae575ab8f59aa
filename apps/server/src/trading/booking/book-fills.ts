import { type VenueFill, ZERO } from '@crossbook/domain';
import type { LedgerCommit, LedgerRefusal } from '@crossbook/ledger';
import { listedLeg } from '../listed-legs.ts';
import type { StoredOrder } from '../order.ts';
import type { TradingDeps } from '../ports.ts';
import { bookContractFills } from './book-contract-fills.ts';
import { type Booking, commitWithRows, storedFill } from './booked-rows.ts';
import { type Also, followingTargets, heldForLeg, legInPlace } from './leg-holds.ts';
import {
  costOf,
  endOfHold,
  fillCommands,
  type Payment,
  paymentByRule,
  paymentsToTry,
  restOfHold,
} from './settle.ts';

/** Another way to pay may help against these refusals, and against no other. */
const CURABLE: readonly (LedgerRefusal | 'outcome-unknown')[] = [
  'insufficient-funds',
  'hold-exceeded',
  'hold-resolved',
  'unknown-hold',
];

/**
 * Fills of one transaction; each is up to four movements and a row, and the ledger bounds a unit. An order that met
 * hundreds while nobody listened is booked in parts, its progress with the last.
 */
const FILLS_PER_UNIT_MAX = 100;

/**
 * Writes fills, movements and progress: one transaction for all of it, or for each part of very many fills. When a hold turns out too small, fill by fill,
 * each paid out of what there is; the money of a fill and its row are one transaction all the same.
 * @throws Error when even that is refused: the order is looked up again.
 */
export async function bookFills(deps: TradingDeps, booking: Booking): Promise<void> {
  const { order, after, fresh } = booking;
  if (order.contract !== undefined) return bookContractFills(deps, booking);
  let at = 0;
  let targets = await followingTargets(deps, booking);
  for (; fresh.length - at > FILLS_PER_UNIT_MAX; at += FILLS_PER_UNIT_MAX) {
    const part = partOf(booking, at, at + FILLS_PER_UNIT_MAX);
    const held = targets && heldForLeg(deps, targets, { ...part, over: false });
    if (await bookPart(deps, part, held ?? NOTHING_MORE)) targets = held?.targets;
  }
  const ends = after.settled && !order.settled ? endOfHold(order) : [];
  const progress = deps.orders.progress(after);
  const last = partOf(booking, at);
  const legs = targets
    ? heldForLeg(deps, targets, { ...last, over: after.settled })
    : await listedLegs(deps, booking);
  // Coins of an earlier fill may be promised elsewhere: then the leg is looked after once it is known what the venue made of it.
  if (legs !== undefined) {
    const also = { commands: [...ends, ...legs.commands], writes: [progress, ...legs.writes] };
    deps.crash('before-legs');
    const done = await commitPart(deps, last, also);
    deps.crash('after-legs');
    if (done.ok) return;
  }
  if (await bookPart(deps, last, { commands: ends, writes: [progress] })) return;
  const rest = await commitWithRows(deps, { commands: ends, writes: [progress] });
  if (!rest.ok) throw new Error(`order ${order.id}: progress refused: ${rest.code}`);
}

/** Fresh fills from `begin` to `end` as they stand once those before them are booked. */
function partOf(booking: Booking, begin: number, end?: number): Booking {
  const { order, fresh, booked } = booking;
  const before = fresh.slice(0, begin).map((fill) => storedFill(order, fill));
  return { ...booking, booked: [...booked, ...before], fresh: fresh.slice(begin, end) };
}

const NOTHING_MORE: Also = { commands: [], writes: [] };

/**
 * The leg that the venue has made active with the last fill of its list's order: its row and the hold of what it sells belong to
 * that fill, so that coins which it may sell at any moment are never free in the ledger.
 */
async function listedLegs(deps: TradingDeps, { order, after }: Booking): Promise<Also | undefined> {
  const whole = after.cumQuantity === order.quantity && order.cumQuantity !== order.quantity;
  const { listed: quantity } = order;
  if (quantity === undefined || !whole) return undefined;
  const targets = await deps.algos.targets.byOrder(order.id);
  if (targets?.attached !== true || targets.ended) return undefined;
  const leg = listedLeg(order, targets, { now: deps.clock(), quantity });
  return leg && legInPlace(deps, targets, leg);
}

function commitPart(deps: TradingDeps, booking: Booking, { commands, writes }: Also): Promise<LedgerCommit> {
  const { order, fresh } = booking;
  const planned = paidByRule(booking);
  if (planned.some(({ payment }) => payment.available > 0n)) {
    deps.log.incident('a fill cost more than was held', { id: order.id });
  }
  const rows = fresh.map((fill) => deps.orders.fill(storedFill(order, fill)));
  return commitWithRows(deps, {
    commands: [...planned.flatMap(({ fill, payment }) => fillCommands(order, fill, payment)), ...commands],
    writes: [...rows, ...writes],
  });
}

/** @returns whether all of it is written; if not, the fills are, each by itself, and what comes with them is not. */
async function bookPart(deps: TradingDeps, booking: Booking, also: Also): Promise<boolean> {
  const { order, fresh } = booking;
  const committed = await commitPart(deps, booking, also);
  if (committed.ok) return true;
  if (fresh.length > 0) {
    deps.log.incident('a fill did not fit its hold', { id: order.id, refusal: committed.code });
    await bookOneByOne(deps, booking);
  }
  return false;
}

function paidByRule({ order, fresh, booked }: Booking): readonly { fill: VenueFill; payment: Payment }[] {
  return fresh.map((fill, at) => {
    const before = [...booked, ...fresh.slice(0, at)];
    return { fill, payment: paymentByRule(costOf(order, fill), restOfHold(order, before)) };
  });
}

async function bookOneByOne(deps: TradingDeps, booking: Booking): Promise<void> {
  const { order, fresh, booked } = booking;
  for (const [at, fill] of fresh.entries()) {
    const held = restOfHold(order, [...booked, ...fresh.slice(0, at)]);
    await bookOne(deps, order, { fill, held });
  }
}

async function bookOne(
  deps: TradingDeps,
  order: StoredOrder,
  { fill, held }: { readonly fill: VenueFill; readonly held: Payment['held'] },
): Promise<void> {
  const wallet = await deps.ledger.tradingBalances(order.user, order.platform);
  const free = wallet.find((row) => row.asset === order.holdAsset)?.available ?? ZERO;
  const writes = [deps.orders.fill(storedFill(order, fill))];
  for (const payment of paymentsToTry(costOf(order, fill), held, free)) {
    const committed = await deps.ledger.commit({ commands: fillCommands(order, fill, payment), writes });
    if (committed.ok) {
      if (payment.debt > 0n || payment.feeFromDebt)
        deps.log.incident('a fill stands as a debt', { id: order.id, tradeId: fill.tradeId });
      return;
    }
    if (!CURABLE.includes(committed.code))
      throw new Error(`fill ${fill.tradeId} of ${order.id}: ${committed.code}`);
  }
  throw new Error(`fill ${fill.tradeId} of ${order.id} fits nowhere`);
}

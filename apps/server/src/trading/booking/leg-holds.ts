import { type Amount, formatAmount, type OrderId, SIDE, type VenueFill, ZERO } from '@crossbook/domain';
import {
  type AccountRef,
  type CompanionWrite,
  type HoldId,
  holdId,
  type LedgerCommand,
} from '@crossbook/ledger';
import { venueProfile } from '@crossbook/venues';
import type { StoredAlgo } from '../algo.ts';
import { arrivedOf, listedLeg } from '../listed-legs.ts';
import type { StoredFill, StoredOrder } from '../order.ts';
import type { TradingDeps } from '../ports.ts';
import { holdOf } from '../stored-algo.ts';
import type { StoredTargets } from '../targets.ts';
import type { Booking } from './booked-rows.ts';

/** What a leg sells that the venue makes of an order of a pair: held in the commit of the fill that it comes from. */

/** What is committed with fills. */
export interface Also {
  readonly commands: readonly LedgerCommand[];
  readonly writes: readonly CompanionWrite[];
}

/** A leg and that its order has it. */
export function legInPlace(
  { algos }: Pick<TradingDeps, 'algos'>,
  targets: StoredTargets,
  leg: StoredAlgo,
): Also {
  const { quantity = ZERO } = leg;
  return {
    commands: holdOf(leg),
    writes: [algos.insert(leg), algos.targets.progress({ ...targets, placed: quantity })],
  };
}

/**
 * The targets of an order of whose fills its venue makes a leg; nothing of any other. Asked for only where there may be some and
 * something of the order has changed that the leg follows.
 */
export async function followingTargets(
  { algos }: Pick<TradingDeps, 'algos'>,
  { order, after, fresh }: Booking,
): Promise<StoredTargets | undefined> {
  const { id, platform, symbolType, side, settled } = order;
  if (venueProfile(platform).trading.algos[symbolType].attached !== 'fills' || side !== SIDE.BUY)
    return undefined;
  if (settled || (fresh.length === 0 && !after.settled)) return undefined;
  const targets = await algos.targets.byOrder(id);
  return targets?.attached === true && !targets.ended ? targets : undefined;
}

/** The hold of so much of an order for its leg. */
function legHoldId(order: OrderId, amount: Amount): HoldId {
  return holdId('leg of fills', order, formatAmount(amount));
}

/** An order's fills, and whether no more will come. */
interface Followed {
  readonly order: StoredOrder;
  readonly booked: readonly StoredFill[];
  readonly fresh: readonly VenueFill[];
  readonly over: boolean;
}

/**
 * Holds what has arrived in place of what was held before, for a leg that the venue may make at any moment from now on: its order
 * ends with a cancel there too. With the end of the order the leg's row is written, or the hold ends where there is too little.
 */
export function heldForLeg(
  deps: Pick<TradingDeps, 'algos' | 'market' | 'clock'>,
  targets: StoredTargets,
  { order, booked, fresh, over }: Followed,
): Also & { readonly targets: StoredTargets } {
  const { id, user, platform, symbolType, symbol, base: asset } = order;
  const instrument = deps.market.instrument(platform, symbolType, symbol);
  const arrived = arrivedOf(order, [...booked, ...fresh], instrument ?? { lotSize: 1n as Amount });
  const tooLittle = over && arrived < (instrument?.minQty ?? 1n);
  const placed = tooLittle ? ZERO : arrived;
  const hold = legHoldId(id, placed);
  const account: AccountRef = { class: 'TRADING', user, platform, asset };
  const leg =
    over && !tooLittle ? listedLeg(order, targets, { now: deps.clock(), quantity: placed }) : undefined;
  const after = { ...targets, placed, ended: tooLittle };
  const before: readonly LedgerCommand[] =
    targets.placed === ZERO ? [] : [{ do: 'release', hold: legHoldId(id, targets.placed) }];
  const now: readonly LedgerCommand[] =
    placed === ZERO ? [] : [{ do: 'hold', id: hold, account, amount: placed, kind: 'order-hold' }];
  return {
    commands: placed === targets.placed ? [] : [...before, ...now],
    writes: [
      ...(leg === undefined ? [] : [deps.algos.insert({ ...leg, holdId: hold })]),
      deps.algos.targets.progress(after),
    ],
    targets: after,
  };
}

/** The leg of an order that is over as a row with a hold of so much, in place of what was held for it. */
export function legWithHold(deps: Pick<TradingDeps, 'algos'>, targets: StoredTargets, leg: StoredAlgo): Also {
  const { commands, writes } = legInPlace(deps, targets, leg);
  if (targets.placed === ZERO) return { commands, writes };
  return {
    commands: [{ do: 'release', hold: legHoldId(targets.order, targets.placed) }, ...commands],
    writes,
  };
}

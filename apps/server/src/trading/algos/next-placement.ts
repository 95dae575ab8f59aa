import { type Amount, plus, SIDE, ZERO } from '@crossbook/domain';
import { isUnjudged } from '@crossbook/ledger';
import { venueProfile } from '@crossbook/venues';
import { ATTACHED, algoHoldId, type StoredAlgo, type WhatWaits } from '../algo.ts';
import { isClosing } from '../perps/contract-checks.ts';
import type { TradingDeps } from '../ports.ts';
import { holdOf } from '../stored-algo.ts';
import { changed, recordAlgo, tellAlgo } from './record-algo.ts';

/** Placements of one leg that vanish on the way, each of them proved; what then stands in its row is that it was refused. */
const PLACEMENTS_MAX = 20;

/**
 * Whether the hub itself brings it to the venue again, however late: a leg that came with an order, and what has waited there and
 * closes. What would open is its member's to place.
 */
export function isPlacedAgain({ parent, attempt, contract, side }: StoredAlgo): boolean {
  if (parent !== undefined) return true;
  return attempt > 0 && protects({ contract, side });
}

function protects({
  contract,
  side,
}: { readonly [Name in 'contract' | 'side']: StoredAlgo[Name] | undefined }) {
  if (side === undefined) return false;
  return contract === undefined ? side === SIDE.SELL : isClosing({ side, contract });
}

/**
 * The next placement of an order: its values, its hold, its id at the venue. Until when a request of it can arrive is
 * written before one is sent, so that whoever finds it never sends it beside that one.
 */
export function nextAttempt(
  deps: TradingDeps,
  algo: StoredAlgo,
  { plan, quantity, holdAmount }: WhatWaits,
): StoredAlgo {
  const attempt = algo.attempt + 1;
  const deadlineAt = (deps.clock() +
    venueProfile(algo.platform).trading.orderDeadlineMillis) as StoredAlgo['createdAt'];
  return changed(deps, algo, {
    ...{ plan, quantity, attempt, holdId: algoHoldId({ id: algo.id, attempt }), holdAmount },
    ...{ state: 'placing', unknown: false, cancelPending: false, venueAlgoId: undefined },
    ...{ reason: undefined, deadlineAt, lookups: 0, firstLookupAt: undefined },
  });
}

/** The hold and the row of the next placement in place of those of one that is cancelled, in one commit. */
export function takesOver(deps: TradingDeps, algo: StoredAlgo, next: StoredAlgo) {
  const release = algo.holdAmount === ZERO ? [] : [{ do: 'release', hold: algo.holdId } as const];
  return deps.ledger.commit({
    commands: [...release, ...holdOf(next)],
    writes: [deps.algos.progress(next)],
  });
}

/** What waited before a change that came to nothing, with its hold; placed again once only. */
export function backFrom(deps: TradingDeps, algo: StoredAlgo, before: WhatWaits): StoredAlgo {
  return changed(deps, nextAttempt(deps, algo, before), { changedFrom: undefined });
}

/**
 * What was cancelled for a change that nobody finished: placed again as it was, by whoever finds it. In its lane.
 * @returns `undefined` where nothing is to be placed: it is over then.
 */
export async function putBack(deps: TradingDeps, algo: StoredAlgo): Promise<StoredAlgo | undefined> {
  const { changedFrom } = algo;
  if (changedFrom === undefined || !isPlacedAgain({ ...algo, attempt: algo.attempt + 1 })) return undefined;
  if (await isLeftOver(deps, algo)) return undefined;
  // Nothing of it was sent: it goes out as soon as there is a way.
  const back = changed(deps, backFrom(deps, algo, changedFrom), { deadlineAt: undefined });
  const held = await takesOver(deps, algo, back);
  if (held.ok) {
    tellAlgo(deps, back);
    return back;
  }
  if (isUnjudged(held.code)) throw new Error(`algo order ${algo.id}: ${held.code}`);
  return undefined;
}

/**
 * One that has certainly not arrived: its next placement, under an id of its own and with the hold that it has. What a member
 * placed by hand and never waited he places himself. @returns `undefined` where nothing is to be placed.
 */
export async function placedAgain(deps: TradingDeps, algo: StoredAlgo): Promise<StoredAlgo | undefined> {
  const { attempt, venueAlgoId, cancelPending } = algo;
  if (!isPlacedAgain(algo) || venueAlgoId !== undefined || cancelPending) return undefined;
  if (attempt >= PLACEMENTS_MAX || (await isLeftOver(deps, algo))) return undefined;
  return recordAlgo(deps, algo, {
    ...{ state: 'placing', attempt: attempt + 1, unknown: false, deadlineAt: undefined },
    ...{ lookups: 0, firstLookupAt: undefined, reason: undefined },
  });
}

/**
 * Whether a leg is left over: the other one of its part has fired. Of legs that the exchange made the parts are not known: they are
 * left over once what the others sent has closed all that their order filled.
 */
export async function isLeftOver(
  deps: Pick<TradingDeps, 'algos' | 'orders'>,
  { parent, payloadHash }: StoredAlgo,
): Promise<boolean> {
  if (parent === undefined) return false;
  const part = (await deps.algos.ofParent(parent)).filter((leg) => leg.payloadHash === payloadHash);
  const fired = part.filter(({ state }) => state === 'fired');
  if (payloadHash !== ATTACHED || fired.length === 0) return fired.length > 0;
  const order = await deps.orders.byId(parent);
  if (order === undefined || !order.settled) return false;
  let closed: Amount = ZERO;
  for (const { childId } of fired) {
    const child = childId === undefined ? undefined : await deps.orders.byId(childId);
    closed = plus(closed, child?.cumQuantity ?? ZERO);
  }
  return closed >= order.cumQuantity;
}

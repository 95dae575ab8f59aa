import type { AlgoRow, CallAnswer, CallRequest, MemberCaller } from '@crossbook/contract';
import { type AlgoPlan, platformOfType, SIDE } from '@crossbook/domain';
import { isUnjudged } from '@crossbook/ledger';
import { venueProfile } from '@crossbook/venues';
import { isEnded, SPENT, type StoredAlgo } from '../algo.ts';
import { isClosing } from '../perps/contract-checks.ts';
import { type Refused, refusal, tradeBar } from '../ports.ts';
import { keptReason, refusalOfReason, refusalOfReasons } from '../venue-refusal.ts';
import { algoLane, algoShare } from './algo-intent.ts';
import { changedPlan, type ReplaceRequest } from './algo-request.ts';
import { algoAnswer, algoRow } from './algo-rows.ts';
import { type AlgoTerms, algoTerms } from './algo-terms.ts';
import { rehold, SETTLED } from './change-outcome.ts';
import { backFrom, nextAttempt, takesOver } from './next-placement.ts';
import type { AlgoPlacing } from './place-algo.ts';
import { changed, recordAlgo, tellAlgo } from './record-algo.ts';
import { type AlgoCancel, askCancel, askSafely, askVenue } from './send-algo.ts';
import { type AlgoWhereabouts, algoKey, algoWhereabouts } from './whereabouts.ts';

/** How an order stands that was cancelled for a change of it, and in whose place nothing was placed; pages know these words. */
const HALF_CHANGED = 'cancelled for a change, nothing was placed anew';

/** Finds the member's algo order, and works on it in its lane unless it is over. What breaks there is looked up. */
async function inLaneOf(
  { placing, machine }: AlgoPlacing,
  caller: MemberCaller,
  { algoId, platformType }: Pick<ReplaceRequest, 'algoId' | 'platformType'>,
  work: (algo: StoredAlgo) => Promise<CallAnswer<AlgoRow>>,
): Promise<CallAnswer<AlgoRow>> {
  const { deps, lanes } = placing;
  return lanes.run(algoLane(algoId), async () => {
    const algo = await deps.algos.byId(algoId);
    const platform = platformOfType(platformType)?.platform;
    if (algo === undefined || algo.user !== caller.user || algo.platform !== platform)
      return refusal({ error: 'order-unknown', field: 'algoId' });
    if (isEnded(algo)) return refusal({ error: 'order-final', field: 'algoId' });
    try {
      return await work(algo);
    } catch (error) {
      machine.lookupSoon(algo.id, algoShare(algo));
      throw error;
    }
  });
}

/**
 * Cancels an order that waits. Works while trading is halted, as every cancel does. What the venue does not know any more
 * is looked up, never assumed cancelled: it may have fired.
 */
export function cancelAlgo(
  world: AlgoPlacing,
  caller: MemberCaller,
  request: CallRequest<'connextrade/CancelAlgoOrder'>,
): Promise<CallAnswer<AlgoRow>> {
  return inLaneOf(world, caller, request, async (algo) => {
    const marked = await markPending(world, forGood(world, algo));
    if (!marked.ok) return marked;
    const { cancelled, refused } = await cancelAtVenue(world, marked.algo);
    return refused === undefined
      ? { ok: true, value: algoRow(cancelled) }
      : refusal(refusalOfReason(refused));
  });
}

/** Cancels one that waits on the hub's own account: the other leg has worked. */
export async function cancelWaiting(world: AlgoPlacing, id: StoredAlgo['id']): Promise<void> {
  await world.placing.lanes.run(algoLane(id), async () => {
    const algo = await world.placing.deps.algos.byId(id);
    if (algo === undefined || isEnded(algo)) return;
    // Who marked it looks it up.
    if (algo.cancelPending && algo.changedFrom === undefined) return;
    const marked = await markPending(world, forGood(world, algo));
    if (marked.ok) await cancelAtVenue(world, marked.algo);
  });
}

/** A cancel for its own sake ends a change that is under way: nothing is placed again. */
function forGood({ placing: { deps } }: AlgoPlacing, algo: StoredAlgo): StoredAlgo {
  return changed(deps, algo, { changedFrom: undefined });
}

/** Nothing is asked of the venue before the mark is durable. */
async function markPending(
  { placing: { deps }, machine }: AlgoPlacing,
  algo: StoredAlgo,
): Promise<{ readonly ok: true; readonly algo: StoredAlgo } | Refused> {
  const after = changed(deps, algo, { cancelPending: true });
  const done = await deps.ledger.commit({ commands: [], writes: [deps.algos.progress(after)] });
  if (!done.ok) {
    machine.lookupSoon(algo.id, algoShare(algo));
    if (isUnjudged(done.code)) return refusal({ error: done.code });
    throw new Error(`algo order ${algo.id}: the mark of a cancel was refused: ${done.code}`);
  }
  tellAlgo(deps, after);
  return { ok: true, algo: after };
}

/** Asks the venue to cancel; what is not known then is looked up. In the algo order's lane. */
async function cancelAtVenue(
  { placing: { deps }, machine }: AlgoPlacing,
  algo: StoredAlgo,
  end?: Parameters<typeof recordAlgo>[2],
): Promise<AlgoCancel> {
  const asked = await askCancel(deps, algo, end);
  if (!asked.done && (asked.refused === undefined || asked.cancelled.cancelPending))
    machine.lookupSoon(algo.id, algoShare(algo));
  return asked;
}

/**
 * Changes an order that waits, under the id that the member knows: amended where the venue does that, else cancelled and
 * placed anew. Only this call ever places the change. Where that is refused after the cancel, or this process dies in between, what
 * was before is placed again; where that is refused too nothing waits any more and the order says so.
 */
export function replaceAlgo(
  world: AlgoPlacing,
  caller: MemberCaller,
  request: ReplaceRequest,
): Promise<CallAnswer<AlgoRow>> {
  return inLaneOf(world, caller, request, async (algo) => {
    const { deps } = world.placing;
    if (algo.unknown || algo.cancelPending) return refusal({ error: 'change-pending' });
    if (algo.state !== 'waiting') return refusal({ error: 'order-final', field: 'algoId' });
    if (algo.plan.kind === 'iceberg')
      return refusal({ error: 'order-combination', allowed: 'an iceberg is cancelled and placed anew' });
    const asked = changedPlan(algo.plan, request);
    if (!asked.ok) return asked;
    if (Object.keys(asked.change).length === 0)
      return refusal({ error: 'order-combination', allowed: 'something to change' });
    const closes = algo.contract !== undefined && isClosing({ side: algo.side, contract: algo.contract });
    const opens = algo.contract !== undefined || algo.side === SIDE.BUY;
    const barred = closes ? undefined : await tradeBar(deps, algo.user, opens);
    if (barred !== undefined) return refusal(barred);
    const where = await algoWhereabouts(deps, algo);
    if (where === undefined) return refusal({ error: 'contracts-away', given: 'the exchange' });
    const quantity = request.quantity ?? algo.quantity;
    const draft = {
      ...{ instrument: where.instrument, side: algo.side, plan: newIn(asked.plan, request, algo), closes },
      timeInForce: algo.timeInForce,
      ...(quantity === undefined ? {} : { quantity }),
      ...(algo.contract === undefined ? {} : { contract: algo.contract }),
    };
    const terms = await algoTerms(deps, draft);
    if (!terms.ok) return terms;
    const { amends } = venueProfile(algo.platform).trading.algos[algo.symbolType];
    const change = { ...asked, quantity, hold: terms.hold };
    return amends ? amend(world, algo, where, change) : placeAnew(world, algo, change);
  });
}

/**
 * What of a plan is looked at anew: from where a trailing stop of a contract follows was looked at when it was asked for, and the
 * price may have been there since.
 */
function newIn(plan: AlgoPlan, { activation }: ReplaceRequest, { contract }: StoredAlgo): AlgoPlan {
  if (plan.kind !== 'trailing' || activation !== undefined || contract === undefined) return plan;
  const { activation: _before, ...trailing } = plan.trailing;
  return { ...plan, trailing };
}

type Change = Extract<ReturnType<typeof changedPlan>, { ok: true }> & {
  readonly quantity: StoredAlgo['quantity'] | undefined;
  readonly hold: Extract<AlgoTerms, { ok: true }>['hold'];
};

async function placeAnew(world: AlgoPlacing, algo: StoredAlgo, change: Change): Promise<CallAnswer<AlgoRow>> {
  const { deps, listen } = world.placing;
  const room = await roomFor(world, algo, change);
  if (!room.ok) return room;
  // Should this process die before the new one is placed, the row says what to place again, or why nothing waits.
  const { plan, quantity, holdAmount } = algo;
  const marked = await markPending(world, {
    ...{ ...algo, reason: HALF_CHANGED },
    changedFrom: { plan, quantity, holdAmount },
  });
  if (!marked.ok) return marked;
  const { cancelled, done, refused } = await cancelAtVenue(world, marked.algo, {});
  if (refused !== undefined) return refusal(refusalOfReason(refused));
  // It may have fired: a lookup tells, and nothing new is sent.
  if (!done) return { ok: true, value: algoRow(cancelled) };
  await listen(cancelled);
  const next = nextAttempt(deps, cancelled, { ...change, holdAmount: change.hold.amount });
  deps.crash('before-hold');
  const held = await takesOver(deps, cancelled, next);
  deps.crash('after-hold');
  if (!held.ok) {
    // The old one is cancelled, and the row does not say so yet.
    if (isUnjudged(held.code)) world.machine.lookupSoon(algo.id, algoShare(algo));
    if (isUnjudged(held.code)) return refusal({ error: held.code });
    return placeBack(world, cancelled, { before: algo, why: SPENT });
  }
  let why: string | undefined;
  const placed = await world.machine.attempt(next, async () => {
    const answer = await askVenue(deps, next);
    if (answer.outcome !== 'proved' || !('refused' in answer.proof)) return answer;
    why = answer.proof.refused;
    return { outcome: 'proved', proof: { taken: true } };
  });
  return why === undefined ? algoAnswer(placed) : placeBack(world, next, { before: algo, why });
}

/**
 * Places what waited before its change was refused: a position must not lose its stop by moving it. Once only; where that is
 * refused too nothing waits any more, and both reasons are said.
 */
async function placeBack(
  world: AlgoPlacing,
  next: StoredAlgo,
  { before, why }: { readonly before: StoredAlgo; readonly why: string },
): Promise<CallAnswer<AlgoRow>> {
  const { deps } = world.placing;
  const back = backFrom(deps, next, before);
  const held = await takesOver(deps, next, back);
  if (!held.ok) {
    world.machine.lookupSoon(next.id, algoShare(next));
    if (isUnjudged(held.code)) return refusal({ error: held.code });
    await recordAlgo(deps, next, { state: 'refused', reason: why, changedFrom: undefined });
    return refusal(refusalOfReason(why, 'replaced-half'));
  }
  const placed = await world.machine.attempt(back, () => askVenue(deps, back));
  if (placed.state === 'refused') return refusal(refusalOfReasons(why, placed.reason));
  return placed.state === 'placing' || placed.unknown
    ? algoAnswer(placed)
    : refusal(refusalOfReason(why, 'replaced-back'));
}

/** Whether the changed order can be held for, before the old one is touched. */
async function roomFor(
  { placing: { deps } }: AlgoPlacing,
  { user, platform, holdAsset, holdAmount }: StoredAlgo,
  { hold }: Change,
): Promise<{ readonly ok: true } | Refused> {
  if (hold.amount <= holdAmount) return { ok: true };
  const wallet = await deps.ledger.tradingBalances(user, platform);
  const free = wallet.find(({ asset }) => asset === holdAsset)?.available ?? 0n;
  return free + holdAmount >= hold.amount ? { ok: true } : refusal({ error: 'balance-insufficient' });
}

/**
 * More is held before the venue is asked, less once it has said yes; that it may be changing is written first. What became of a
 * lost answer the venue's values prove.
 */
async function amend(
  world: AlgoPlacing,
  algo: StoredAlgo,
  where: AlgoWhereabouts,
  change: Change,
): Promise<CallAnswer<AlgoRow>> {
  const { deps } = world.placing;
  const { plan, quantity, hold } = change;
  const more = hold.amount > algo.holdAmount ? hold.amount : algo.holdAmount;
  const pending = { ...SETTLED, unknown: true } as const;
  deps.crash('before-hold');
  const held = await rehold(deps, algo, { amount: more, changes: pending });
  deps.crash('after-hold');
  if (!held.ok) {
    if (held.code.error === 'outcome-unknown') world.machine.lookupSoon(algo.id, algoShare(algo));
    return held;
  }
  const outcome = await askSafely(deps, held.algo, where, async (known) => {
    const asked = known.algos.amend(known.credentials, algoKey(algo, known), change.change);
    deps.crash('after-send');
    const answered = await asked;
    deps.crash('after-answer');
    return answered;
  });
  if (outcome.outcome === 'unknown' || outcome.outcome === 'gone') {
    world.machine.lookupSoon(algo.id, algoShare(algo));
    return { ok: true, value: algoRow(held.algo) };
  }
  const done = outcome.outcome === 'done';
  const settled = done
    ? { amount: hold.amount, changes: { ...SETTLED, plan, quantity } }
    : { amount: algo.holdAmount, changes: SETTLED };
  const after = await rehold(deps, held.algo, settled);
  if (!after.ok) {
    world.machine.lookupSoon(algo.id, algoShare(algo));
    return refusal({ error: 'outcome-unknown' });
  }
  return done ? { ok: true, value: algoRow(after.algo) } : refusal(refusalOfReason(keptReason(outcome)));
}

import type { CallAnswer, CallRequest, MemberCaller, OrderRow } from '@crossbook/contract';
import { isFinal, ok, type Platform, platformOfType, type Result, refused } from '@crossbook/domain';
import { isUnjudged } from '@crossbook/ledger';
import type { CancelOutcome } from '@crossbook/venues/trading';
import { isEnded } from '../algo.ts';
import { announce } from '../booking/announce.ts';
import { icebergOf, type StoredOrder } from '../order.ts';
import { orderAnswer } from '../order-rows.ts';
import { refusal, type TradingDeps } from '../ports.ts';
import { keptReason, refusalOfReason } from '../venue-refusal.ts';
import { cancelAtVenue, whereabouts } from './lookup.ts';
import { bookUpdate, recordProgress } from './on-venue-event.ts';
import { lookupShare } from './order-intent.ts';
import { ID_OF_SEVERAL, orderNamed } from './order-queries.ts';
import type { Placing } from './place-order.ts';

/**
 * Cancels an order. Works on a coming-soon platform and while trading is halted: it only ever lowers risk. The answer
 * shows what is known; where the venue no longer knows the order it is looked up, never assumed cancelled.
 * @param ask how the venue is asked, once all else is done: by itself, unless it goes with others.
 */
export async function cancelOrder(
  placing: Placing,
  caller: MemberCaller,
  request: CallRequest<'connextrade/CancelOrder'>,
  ask = cancelAtVenue,
): Promise<CallAnswer<OrderRow>> {
  const { deps, lanes } = placing;
  const owner = { user: caller.user, platform: platformOfType(request.platformType)?.platform as Platform };
  const asked = { id: request.orderId, among: ({ status }: StoredOrder) => !isFinal(status) };
  const named = await orderNamed(deps, owner, asked);
  if (named === undefined) return refusal({ error: 'order-unknown', field: 'orderId' });
  if (named === 'several') return refusal(ID_OF_SEVERAL);
  const { id } = named;
  return lanes.run(id, async () => {
    const order = (await deps.orders.byId(id)) ?? named;
    if (isFinal(order.status)) return refusal({ error: 'order-final', field: 'orderId' });
    if (await icebergMakes(deps, order)) return refusal({ error: 'iceberg-part', field: 'orderId' });
    const where = await whereabouts(deps, order, 'cancel');
    const marked = await markPending(deps, order);
    if (!marked.ok) {
      // Whether it is marked nobody can say; a lookup clears the mark.
      if (marked.code === 'outcome-unknown') lookupSoon(placing, order);
      return refusal({ error: marked.code });
    }
    if (where === undefined) {
      lookupSoon(placing, order);
      return orderAnswer(marked.value);
    }
    try {
      const after = await askVenue(placing, marked.value, () => ask(where, marked.value));
      return after.refusal === undefined ? orderAnswer(after.order) : refusal(refusalOfReason(after.refusal));
    } catch (error) {
      // The venue was asked: what came of it only a lookup tells.
      deps.log.note('a cancel stopped half way', { id, error: String(error) });
      lookupSoon(placing, order);
      return refusal({ error: 'outcome-unknown' });
    }
  });
}

/** Whether it is part of an iceberg that is under way: the venue would make another in its place. */
async function icebergMakes({ algos }: TradingDeps, order: StoredOrder): Promise<boolean> {
  const id = icebergOf(order);
  const iceberg = id === undefined ? undefined : await algos.byId(id);
  return iceberg !== undefined && iceberg.state !== 'firing' && !isEnded(iceberg);
}

/** Nothing is asked of the venue before the mark is durable. */
async function markPending(
  deps: TradingDeps,
  order: StoredOrder,
): Promise<Result<StoredOrder, 'busy' | 'unavailable' | 'outcome-unknown'>> {
  const after = { ...order, cancelPending: true, updatedAt: deps.clock() };
  deps.crash('before-hold');
  const committed = await deps.ledger.commit({ commands: [], writes: [deps.orders.progress(after)] });
  deps.crash('after-hold');
  if (committed.ok) {
    announce(deps, after, []);
    return ok(after);
  }
  if (isUnjudged(committed.code)) return refused(committed.code);
  throw new Error(`order ${order.id}: the mark of a cancel was refused: ${committed.code}`);
}

async function askVenue(
  placing: Placing,
  order: StoredOrder,
  ask: () => Promise<CancelOutcome>,
): Promise<{ readonly order: StoredOrder; readonly refusal?: string }> {
  const { deps } = placing;
  const asked = ask();
  deps.crash('after-send');
  const outcome = await asked;
  deps.crash('after-answer');
  if (outcome.outcome === 'refused') {
    return {
      order: await recordProgress(deps, order, { cancelPending: false }),
      refusal: keptReason(outcome),
    };
  }
  if (outcome.outcome === 'cancelled') {
    const carried = { order, booked: await deps.orders.fillsOfOrder(order.id) };
    const booked = await bookUpdate(deps, carried, { state: outcome.state, fills: [], barrier: false });
    const after = booked?.order ?? order;
    if (!after.settled) lookupSoon(placing, order);
    return { order: after };
  }
  // "gone" may mean filled a moment ago, "unknown" may mean cancelled: only a lookup tells.
  lookupSoon(placing, order);
  return { order };
}

function lookupSoon({ machine }: Placing, order: StoredOrder): void {
  machine.lookupSoon(order.id, lookupShare(order));
}

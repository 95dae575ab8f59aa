import {
  type Amount,
  isFinal,
  type Millis,
  notionalUp,
  ORDER_STATUS,
  ORDER_TYPE,
  plus,
  SIDE,
  TIME_IN_FORCE,
  type VenueAlgoState,
  type VenueOrderId,
  type VenueOrderState,
  ZERO,
} from '@crossbook/domain';
import type { OrderTerms } from '@crossbook/venues/trading';
import type { IntentStep } from '../../intents/intent.ts';
import { type StoredAlgo, sliceIdOf } from '../algo.ts';
import { commitWithRows } from '../booking/booked-rows.ts';
import { type StoredOrder, sliceHash } from '../order.ts';
import { lookupShare } from '../orders/order-intent.ts';
import type { Placing } from '../orders/place-order.ts';
import type { IcebergSum, TradingDeps } from '../ports.ts';
import { bookChild } from './adopt-child.ts';
import { recordAlgo } from './record-algo.ts';
import { type AlgoWhereabouts, algoWhereabouts } from './whereabouts.ts';

/**
 * Icebergs: orders that the venue makes one after another, each of which is an order of ours by the venue's id. Which there
 * are is never guessed: it is read, whenever the venue says anything of the iceberg or of an order that nobody knows, once a
 * minute, and at every start. Reading again writes nothing twice.
 */

/** A slice may be on its way when the iceberg ends: it is over once none rests so much later. */
const LATE_MILLIS = 2_000;
/** So far behind the newest known slice they are read again. Beyond it only where the venue has executed more than is known. */
const OVERLAP_MILLIS = 600_000;

/** Books what a venue says of an iceberg, its slices first. In its lane. */
export async function settleIceberg(
  placing: Placing,
  algo: StoredAlgo,
  { state, looked }: { readonly state: VenueAlgoState; readonly looked: boolean },
): Promise<IntentStep<StoredAlgo>> {
  const { deps } = placing;
  const taken = await asTaken(placing, algo, { state, looked });
  const known = await knowSlices(placing, taken, state);
  if (known === undefined)
    return { intent: taken, needsLookup: true, why: 'the orders that it became could not be read' };
  const { executed, unsettled, newest } = known;
  if (algo.quantity !== undefined && executed > algo.quantity && executed !== taken.executed)
    deps.log.incident('an iceberg has executed more than it is', { id: algo.id });
  const counted = executed === taken.executed ? taken : await recordAlgo(deps, taken, { executed });
  if (state.status === 'waiting' || state.status === 'firing') return { intent: counted, needsLookup: false };
  const ending = counted.state === 'firing' ? counted : await recordAlgo(deps, counted, { state: 'firing' });
  const wait = (why: string) => ({ intent: ending, needsLookup: true, why });
  if (unsettled > 0) return wait('an order that it became is not over');
  if ((state.executed ?? ZERO) > executed) return wait('more of it has executed than its known orders have');
  if (counted.state !== 'firing' || deps.clock() - counted.updatedAt < LATE_MILLIS)
    return wait('another order of it may be on its way');
  if (state.status === 'fired' && newest === undefined)
    return wait('the orders that it became are not known yet');
  const reason = state.reason === undefined ? {} : { reason: state.reason };
  const over = {
    ...{ state: state.status, unknown: false, cancelPending: false, lookups: 0, firstLookupAt: undefined },
    ...(state.status === 'fired' && newest !== undefined ? { childId: newest.id } : {}),
  };
  return { intent: await recordAlgo(deps, ending, { ...over, ...reason }), needsLookup: false };
}

/** The row of one that the venue has: no longer in doubt. */
async function asTaken(
  { deps }: Placing,
  algo: StoredAlgo,
  { state, looked }: { readonly state: VenueAlgoState; readonly looked: boolean },
): Promise<StoredAlgo> {
  const waits = state.status === 'waiting' || state.status === 'firing';
  // What was read just now and waits has survived its cancel.
  const cancelPending = algo.cancelPending && !(looked && waits);
  const known = algo.state !== 'placing' && algo.venueAlgoId === state.venueAlgoId;
  if (known && !algo.unknown && cancelPending === algo.cancelPending) return algo;
  return recordAlgo(deps, algo, {
    ...{
      state: algo.state === 'placing' ? 'waiting' : algo.state,
      venueAlgoId: state.venueAlgoId,
      cancelPending,
    },
    ...{ unknown: false, lookups: 0, firstLookupAt: undefined },
  });
}

/** What all its slices come to, and how many of them are not over. */
interface KnownSlices {
  readonly executed: Amount;
  readonly unsettled: number;
  readonly newest: IcebergSum['newest'];
}

/**
 * Makes every slice an order of ours, and has those looked up that are not over here and rest no more there.
 * @returns nothing where one or all could not be read.
 */
async function knowSlices(
  placing: Placing,
  algo: StoredAlgo,
  { executed: reported }: Pick<VenueAlgoState, 'executed'>,
): Promise<KnownSlices | undefined> {
  const { deps, machine } = placing;
  const since = await readFrom(deps, algo, reported);
  let read = await readSlices(placing, algo, since);
  if (read !== undefined && since > algo.createdAt && (reported ?? ZERO) > read.atMost)
    read = await readSlices(placing, algo, algo.createdAt);
  if (read === undefined) return undefined;
  const { sum, strangers } = read;
  for (const { id, venueOrderId, cumQuantity } of sum.unsettled) {
    const shown = read.shown.get(venueOrderId);
    const same = shown !== undefined && shown.cumulativeQuantity === cumQuantity;
    // It may be listed nowhere any more: then its own lookup says how it ended.
    if (!same || isFinal(shown.status)) machine.lookUpUnlessWaiting(id, lookupShare(algo));
  }
  return { executed: read.executed, unsettled: sum.unsettled.length + strangers, newest: sum.newest };
}

/** Since when slices are read: not all of a long life each time. */
async function readFrom(
  { orders }: TradingDeps,
  { id, createdAt }: StoredAlgo,
  reported: Amount | undefined,
): Promise<Millis> {
  // Where the venue does not say how much has executed, nothing would show that one is missing.
  if (reported === undefined) return createdAt;
  const { newest } = await orders.ofIceberg(id);
  const from = (newest?.createdAt ?? createdAt) - OVERLAP_MILLIS;
  return Math.max(from, createdAt) as Millis;
}

interface ReadSlices {
  readonly executed: Amount;
  /** With all that those known may have executed besides: lists lag behind fills. */
  readonly atMost: Amount;
  readonly sum: IcebergSum;
  /** What the venue shows of each, by its id there. */
  readonly shown: ReadonlyMap<VenueOrderId, VenueOrderState>;
  /** Not settled, and booked before it was known whose they are. */
  readonly strangers: number;
}

async function readSlices(
  placing: Placing,
  algo: StoredAlgo,
  since: Millis,
): Promise<ReadSlices | undefined> {
  const { deps } = placing;
  const where = await algoWhereabouts(deps, algo);
  const { venueAlgoId } = algo;
  if (where?.algos.slices === undefined || venueAlgoId === undefined) return undefined;
  const read = await where.algos.slices(where.credentials, {
    ...{ instrument: where.instrument, venueAlgoId, since },
  });
  if (!read.ok) return undefined;
  const shown = new Map(read.value.map(({ state }) => [state.venueOrderId, state] as const));
  let stranger = ZERO;
  let strangers = 0;
  for (const terms of read.value.toSorted((left, right) => left.state.time - right.state.time)) {
    const { venueOrderId, cumulativeQuantity } = terms.state;
    const before = await deps.orders.byVenueId(algo, venueOrderId, algo);
    const order = before ?? (await adoptSlice(placing, algo, { shown: terms, where }));
    if (order === undefined) return undefined;
    if (order.algoId === algo.id) continue;
    stranger = plus(stranger, cumulativeQuantity);
    if (!order.settled) strangers += 1;
  }
  const sum = await deps.orders.ofIceberg(algo.id);
  const over = plus(sum.executed, stranger);
  const resting = sum.unsettled.reduce((before, { venueOrderId, cumQuantity }) => {
    const there = shown.get(venueOrderId)?.cumulativeQuantity ?? ZERO;
    return plus(before, there > cumQuantity ? there : cumQuantity);
  }, ZERO);
  const asked = sum.unsettled.reduce((before, { quantity }) => plus(before, quantity), ZERO);
  return { executed: plus(over, resting), atMost: plus(over, asked), sum, shown, strangers };
}

async function adoptSlice(
  placing: Placing,
  algo: StoredAlgo,
  { shown, where }: { readonly shown: OrderTerms; readonly where: AlgoWhereabouts },
): Promise<StoredOrder | undefined> {
  const { deps } = placing;
  const order = sliceOrder(algo, shown);
  if (order === undefined) return undefined;
  deps.crash('before-child');
  const done = await commitWithRows(deps, {
    commands: [],
    writes: [deps.orders.insert(order), deps.orders.progress(order)],
  });
  if (!done.ok) throw new Error(`iceberg ${algo.id}: a slice was not written: ${done.code}`);
  deps.crash('after-child');
  const { venueOrderId, cumulativeQuantity } = shown.state;
  await bookChild(placing, order, shown.state, async () =>
    cumulativeQuantity === ZERO
      ? { ok: true, value: [] }
      : where.desk.trading.asking('lookup').fillsOfOrder(where.credentials, where.instrument, venueOrderId),
  );
  return deps.orders.byId(order.id);
}

/**
 * A slice as an order of ours: at the venue already, under the id that the venue knows it by. It is paid out of the iceberg's
 * hold; what it holds is what it may cost of that, on contracts nothing.
 */
export function sliceOrder(
  algo: StoredAlgo,
  { state, price, quantity }: OrderTerms,
): StoredOrder | undefined {
  if (price === undefined || quantity === undefined) return undefined;
  const { user, platform, symbolType, symbol, base, quote, side, contract } = algo;
  const id = sliceIdOf(algo, state.venueOrderId);
  const share = side === SIDE.BUY ? notionalUp(price, quantity) : quantity;
  const limit = { type: ORDER_TYPE.LIMIT, timeInForce: TIME_IN_FORCE.GTC } as const;
  return {
    ...{ id, user, platform, symbolType, symbol, base, quote, side, quantity, price, ...limit },
    ...(contract === undefined ? {} : { contract }),
    ...{ sendType: limit.type, sendTimeInForce: limit.timeInForce, sendPrice: price },
    ...{ payloadHash: sliceHash(algo.id), holdId: algo.holdId, sharesHold: true },
    ...{ holdAsset: algo.holdAsset, holdAmount: contract === undefined ? share : ZERO },
    ...{ status: ORDER_STATUS.NEW, cancelPending: false, settled: false, lookups: 0 },
    ...{ cumQuantity: ZERO, cumQuote: ZERO, venueOrderId: state.venueOrderId, algoId: algo.id },
    ...{ venueClientId: state.clientId, createdAt: state.time, updatedAt: state.time },
  };
}

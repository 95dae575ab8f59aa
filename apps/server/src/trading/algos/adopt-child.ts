import {
  type AlgoLegName,
  type Amount,
  type Instrument,
  ORDER_STATUS,
  ORDER_TYPE,
  type VenueAlgoState,
  type VenueOrderId,
  type VenueOrderState,
  venueClientId,
  ZERO,
} from '@crossbook/domain';
import { childIdOf, type StoredAlgo } from '../algo.ts';
import { commitWithRows } from '../booking/booked-rows.ts';
import { positionName } from '../contract-store.ts';
import type { StoredOrder } from '../order.ts';
import { onVenueEvent } from '../orders/on-venue-event.ts';
import { lookupShare } from '../orders/order-intent.ts';
import type { Placing } from '../orders/place-order.ts';
import type { TradingDeps } from '../ports.ts';
import { legsByName } from './algo-rows.ts';
import { changed, tellAlgo } from './record-algo.ts';
import { algoWhereabouts } from './whereabouts.ts';

/**
 * Makes the venue's order of a fired algo order one of ours: its row and the end of the algo order are one commit, and it
 * takes the hold over. Its fills are then booked as those of every order are. In the algo order's lane.
 * @returns nothing while the venue does not tell of the child.
 */
export async function adoptChild(
  placing: Placing,
  algo: StoredAlgo,
  reported: NonNullable<VenueAlgoState['child']>,
): Promise<StoredAlgo | undefined> {
  const { deps } = placing;
  const { venueOrderId } = reported;
  const leg = reported.leg ?? (algo.plan.kind === 'take-profit' ? 'take-profit' : 'stop-loss');
  // Its fills may have been found before it was known whose it is.
  const known = await deps.orders.byVenueId(algo, venueOrderId, algo);
  if (known !== undefined) return end(deps, algo, { child: known, leg });
  const where = await algoWhereabouts(deps, algo);
  if (where === undefined) return undefined;
  const { credentials, instrument } = where;
  const asker = where.desk.trading.asking('lookup');
  const found = await asker.findByVenueId(credentials, instrument, venueOrderId);
  if (found.outcome !== 'found') return undefined;
  const quantity = algo.quantity ?? (await wholeOf(deps, algo, { state: found.value, instrument }));
  const child = childOrder(algo, { leg, venueOrderId, state: found.value, quantity });
  deps.crash('before-child');
  const after = await end(deps, algo, { child, leg, isNew: true });
  deps.crash('after-child');
  await bookChild(placing, child, found.value, () =>
    asker.fillsOfOrder(credentials, instrument, venueOrderId),
  );
  return after;
}

/** Books what an order that the venue made has done so far; what cannot be read is left to a lookup. */
export async function bookChild(
  { deps, lanes, machine }: Placing,
  child: StoredOrder,
  state: VenueOrderState,
  fillsOf: () => ReturnType<
    ReturnType<NonNullable<ReturnType<TradingDeps['venue']>>['trading']['asking']>['fillsOfOrder']
  >,
): Promise<void> {
  try {
    const fills = await fillsOf();
    if (!fills.ok) return machine.lookupSoon(child.id, lookupShare(child));
    const update = { state, fills: fills.value, barrier: true };
    const booked = await lanes.run(child.id, () => onVenueEvent(deps, child.id, update));
    if (booked?.needsLookup !== false) machine.lookupSoon(child.id, lookupShare(child));
  } catch (error) {
    // Its row is there: a lookup books what is missing.
    deps.log.note('the fills of a child were not booked', { id: child.id, error: String(error) });
    machine.lookupSoon(child.id, lookupShare(child));
  }
}

async function end(
  deps: TradingDeps,
  algo: StoredAlgo,
  {
    child,
    leg,
    isNew = false,
  }: { readonly child: StoredOrder; readonly leg: AlgoLegName; readonly isNew?: boolean },
): Promise<StoredAlgo> {
  const fired = { state: 'fired', childId: child.id, childLeg: leg } as const;
  const settled = { unknown: false, cancelPending: false, reason: undefined, firstLookupAt: undefined };
  const after = changed(deps, algo, { ...fired, ...settled, lookups: 0 });
  const made = isNew ? [deps.orders.insert(child), deps.orders.progress(child)] : [];
  // An order that was booked without one needs no hold any more.
  const frees = !isNew && algo.holdAmount > 0n;
  const done = await commitWithRows(deps, {
    commands: frees ? [{ do: 'release', hold: algo.holdId }] : [],
    writes: [...made, deps.algos.progress(after)],
  });
  if (!done.ok) throw new Error(`algo order ${algo.id}: its child was not written: ${done.code}`);
  tellAlgo(deps, after);
  return after;
}

/** The child as an order of ours: at the venue already, under the id that the venue knows it by. */
function childOrder(
  algo: StoredAlgo,
  {
    leg,
    venueOrderId,
    state,
    quantity,
  }: {
    readonly leg: AlgoLegName;
    readonly venueOrderId: VenueOrderId;
    readonly state: VenueOrderState;
    readonly quantity: Amount;
  },
): StoredOrder {
  const { user, platform, symbolType, symbol, base, quote, side, timeInForce, contract } = algo;
  const { takeProfit, stopLoss } = legsByName(algo.plan);
  const limit = (leg === 'take-profit' ? takeProfit : stopLoss)?.limit;
  const id = childIdOf(algo, leg);
  const type = limit === undefined ? ORDER_TYPE.MARKET : ORDER_TYPE.LIMIT;
  return {
    ...{ id, user, platform, symbolType, symbol, base, quote, side, type, timeInForce, quantity },
    ...(limit === undefined ? {} : { price: limit, sendPrice: limit }),
    ...(contract === undefined ? {} : { contract }),
    ...{ sendType: type, sendTimeInForce: timeInForce, payloadHash: `child of ${algo.id}` },
    ...{ holdId: algo.holdId, holdAsset: algo.holdAsset, holdAmount: algo.holdAmount },
    ...{ status: ORDER_STATUS.NEW, cancelPending: false, settled: false, lookups: 0 },
    ...{ cumQuantity: ZERO, cumQuote: ZERO, venueOrderId, algoId: algo.id },
    ...(state.clientId === venueClientId(id) ? {} : { venueClientId: state.clientId }),
    ...{ createdAt: algo.updatedAt, updatedAt: algo.updatedAt },
  };
}

/** What "the whole position" was when it fired: more was never sent. */
async function wholeOf(
  deps: TradingDeps,
  algo: StoredAlgo,
  { state, instrument }: { readonly state: VenueOrderState; readonly instrument: Instrument },
): Promise<Amount> {
  const booked = await deps.contracts.booked({ user: algo.user, platform: algo.platform });
  const name = algo.contract && positionName({ ...algo, ...algo.contract });
  const position = booked.find((one) => positionName(one) === name);
  const size = position?.quantity ?? ZERO;
  const held = (size < 0n ? -size : size) as Amount;
  const executed = state.cumulativeQuantity;
  if (executed > held) return executed;
  return held > 0n ? held : instrument.lotSize;
}

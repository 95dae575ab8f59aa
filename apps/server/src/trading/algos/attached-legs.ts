import {
  type AlgoLegName,
  type Amount,
  type Instrument,
  isFinal,
  lesser,
  type Millis,
  minus,
  type OrderId,
  type OrderTargets,
  plus,
  SIDE,
  TIME_IN_FORCE,
  type TriggerPlan,
  type VenueAlgoState,
  venueClientId,
  ZERO,
} from '@crossbook/domain';
import { holdId } from '@crossbook/ledger';
import { ATTACHED, isResized, OF_FILLS, type StoredAlgo } from '../algo.ts';
import { commitWithRows } from '../booking/booked-rows.ts';
import { legInPlace, legWithHold } from '../booking/leg-holds.ts';
import { arrivedOf, listedLeg } from '../listed-legs.ts';
import type { StoredOrder } from '../order.ts';
import { findOrder } from '../orders/lookup.ts';
import { onVenueEvent } from '../orders/on-venue-event.ts';
import { storedAlgo } from '../stored-algo.ts';
import { onlyTargets, type StoredTargets } from '../targets.ts';
import { algoLane, algoShare, settleAlgo } from './algo-intent.ts';
import type { AlgoPlacing } from './place-algo.ts';
import { tellAlgo } from './record-algo.ts';

/** An order that is over for so long and of whose targets the venue has made nothing has none: it never will. */
const NOTHING_MADE_MILLIS = 60_000;

/** Clocks differ by less. */
const BEFORE_MILLIS = 60_000;

/** What a look at the legs that the venue makes came to. */
export type AttachedLook =
  /** Everything that the venue has made is a row of ours. */
  | 'adopted'
  /** The venue could not be asked: nothing is known of them. */
  | 'unread'
  /** The order is over, filled, and the venue has made nothing: the legs are the hub's to place. */
  | 'hub';

/**
 * Makes the legs that the venue has made of an order's targets rows of ours, each once, linked by the venue's id. They are
 * read from the venue and never guessed, so that a process may die anywhere here: what is not written is read again. In
 * the lane of the targets.
 */
export async function adoptAttached(
  world: AlgoPlacing,
  targets: StoredTargets,
  order: StoredOrder,
): Promise<AttachedLook> {
  const { deps } = world.placing;
  const instrument = deps.market.instrument(order.platform, order.symbolType, order.symbol);
  const algos = deps.venue(order.platform)?.trading.algos;
  const account = await deps.accounts.find(order.user, order.platform);
  if (instrument === undefined || algos?.attached === undefined || account.state !== 'ready') return 'unread';
  const made = await algos.attached(account.credentials, {
    ...{ instrument, clientId: venueClientId(order.id), side: order.side, targets: onlyTargets(targets) },
    since: (order.createdAt - BEFORE_MILLIS) as Millis,
  });
  if (!made.ok) return 'unread';
  const known = new Map((await deps.algos.ofParent(order.id)).map((leg) => [leg.venueAlgoId, leg]));
  const { user, platform, symbol } = order;
  const others = new Set(
    (await deps.algos.openOf(user, { platform, symbol })).flatMap(({ parent, venueAlgoId }) =>
      parent === order.id ? [] : (venueAlgoId ?? []),
    ),
  );
  // Two orders with the same targets: what has no name of its own belongs to the first that finds it.
  const own = made.value.filter(({ venueAlgoId }) => !others.has(venueAlgoId));
  // Before what is covered is written: a process that dies in between reads it again.
  for (const state of own) await resize(world, known.get(state.venueAlgoId), state);
  const fresh = own.filter(({ venueAlgoId }) => !known.has(venueAlgoId));
  const legs = fresh.map((state) => ({
    state,
    leg: legOf(order, instrument, { targets, state, now: deps.clock() }),
  }));
  const covered = coveredBy(targets, own, order.cumQuantity);
  const given = deps.clock() - order.updatedAt >= NOTHING_MADE_MILLIS;
  const whole = covered >= order.cumQuantity;
  const nothing = made.value.length === 0 && !whole;
  if (nothing && order.settled && given) return 'hub';
  const after: StoredTargets = {
    ...targets,
    placed: covered > targets.placed ? covered : targets.placed,
    ended: order.settled && (whole || (given && !nothing)),
  };
  if (legs.length > 0 || after.placed !== targets.placed || after.ended) await keep(world, after, legs);
  return 'adopted';
}

/** An order that is over without a fill leaves nothing; of one that is covered nothing is asked. */
export async function endAttached(world: AlgoPlacing, targets: StoredTargets): Promise<void> {
  await keep(world, { ...targets, ended: true }, []);
}

/** The venue has made nothing of them: from here on they are as if it had never been asked to. */
export async function takeOver(world: AlgoPlacing, targets: StoredTargets): Promise<StoredTargets> {
  const after = { ...targets, attached: false };
  await keep(world, after, []);
  return after;
}

interface AdoptedLeg {
  readonly state: VenueAlgoState;
  readonly leg: StoredAlgo;
}

async function keep(
  { placing, machine }: AlgoPlacing,
  after: StoredTargets,
  legs: readonly AdoptedLeg[],
): Promise<void> {
  const { deps, lanes } = placing;
  if (legs.length > 0) deps.crash('before-legs');
  const done = await commitWithRows(deps, {
    commands: [],
    writes: [...legs.map(({ leg }) => deps.algos.insert(leg)), deps.algos.targets.progress(after)],
  });
  if (!done.ok) throw new Error(`the legs of ${after.order}: ${done.code}`);
  if (legs.length > 0) deps.crash('after-legs');
  for (const { leg, state } of legs) {
    tellAlgo(deps, leg);
    if (state.status === 'waiting') continue;
    // It has come to its end before it was known.
    await lanes.run(algoLane(leg.id), async () => {
      const { needsLookup } = await settleAlgo(placing, leg, { state, looked: true });
      if (needsLookup) machine.lookupSoon(leg.id, algoShare(leg));
    });
  }
}

/** A leg that the venue let grow with a fill is as large with us. */
async function resize(
  { placing }: AlgoPlacing,
  known: StoredAlgo | undefined,
  state: VenueAlgoState,
): Promise<void> {
  if (known === undefined || state.status !== 'waiting' || !isResized(known, state)) return;
  await placing.lanes.run(algoLane(known.id), async () => {
    const leg = await placing.deps.algos.byId(known.id);
    if (leg !== undefined) await settleAlgo(placing, leg, { state, looked: true });
  });
}

/**
 * How much of what has filled each of the targets has legs for, that of the one which has least. What one of several has sent the
 * stop is not for any more: the venue makes that smaller.
 */
function coveredBy(targets: OrderTargets, made: readonly VenueAlgoState[], filled: Amount): Amount {
  const sum = (legs: readonly VenueAlgoState[]) =>
    legs.reduce((all, { quantity = filled }) => plus(all, quantity), ZERO);
  const of = (name: AlgoLegName) => made.filter(({ leg }) => leg === undefined || leg === name);
  const { takeProfit, takeProfits, stopLoss, trailing } = targets;
  const sent = of('take-profit').filter(({ status }) => status === 'firing' || status === 'fired');
  const sums = [
    ...((takeProfit ?? takeProfits) === undefined ? [] : [sum(of('take-profit'))]),
    ...(stopLoss === undefined ? [] : [sum(of('stop-loss').concat(takeProfits === undefined ? [] : sent))]),
    ...(trailing === undefined ? [] : [sum(made)]),
  ];
  return sums.reduce(lesser, filled);
}

function planOf(targets: OrderTargets, { leg, part }: Pick<VenueAlgoState, 'leg' | 'part'>): TriggerPlan {
  const { stopLoss, trailing } = targets;
  const { trigger } = targets.takeProfits?.[(part ?? 0) - 1] ?? {};
  const takeProfit = trigger === undefined ? targets.takeProfit : { trigger };
  if (trailing !== undefined) return { kind: 'trailing', trailing };
  if (leg !== 'stop-loss' && takeProfit !== undefined)
    return leg === undefined && stopLoss !== undefined
      ? { kind: 'oco', takeProfit, stopLoss }
      : { kind: 'take-profit', leg: takeProfit };
  return { kind: 'stop', leg: stopLoss ?? takeProfit ?? {} };
}

/** A leg as the venue has it; what it sends only ever reduces. */
function legOf(
  order: StoredOrder,
  instrument: Instrument,
  {
    targets,
    state,
    now,
  }: {
    readonly targets: StoredTargets;
    readonly state: VenueAlgoState;
    readonly now: StoredAlgo['createdAt'];
  },
): StoredAlgo {
  const { contract, user, side } = order;
  const quantity = state.quantity ?? minus(order.cumQuantity, targets.placed);
  const leg = storedAlgo(
    {
      ...{ instrument, plan: planOf(targets, state), closes: true },
      ...(quantity > 0n ? { quantity } : {}),
      ...{ side: side === SIDE.BUY ? SIDE.SELL : SIDE.BUY, timeInForce: TIME_IN_FORCE.GTC },
      ...(contract === undefined ? {} : { contract: { ...contract, reduceOnly: true } }),
    },
    {
      id: holdId('target', order.id, state.venueAlgoId) as string as OrderId,
      ...{ user, parent: order.id, payloadHash: ATTACHED, createdAt: now },
      hold: { asset: order.quote, amount: ZERO },
    },
  );
  return { ...leg, state: 'waiting', venueAlgoId: state.venueAlgoId };
}

/**
 * What became of a leg that went out with an order of a pair. The venue makes it active once that has filled wholly, and ends one of
 * a list with an order that is over before; elsewhere it is for what has filled by then. In the lane of the targets.
 * @returns the targets where the leg is the hub's to place from here on.
 */
export async function lookAtListed(
  world: AlgoPlacing,
  targets: StoredTargets,
  order: StoredOrder,
): Promise<StoredTargets | undefined> {
  if (!order.settled) return undefined;
  const back = () => takeOver(world, { ...targets, placed: ZERO });
  const quantity = await legQuantity(world, order);
  const leg = quantity && listedLeg(order, targets, { now: world.placing.deps.clock(), quantity });
  if (leg === undefined) return back();
  const known = (await world.placing.deps.algos.byId(leg.id)) ?? (await writeLeg(world, targets, leg));
  // What the venue has not said of it yet is asked for; it is sent only where it proves to have none.
  if (known.state === 'placing') world.machine.lookUpUnlessWaiting(known.id, algoShare(known));
  // It never stood: what the order bought is there, without a leg.
  else if (known.state === 'refused' || known.state === 'expired') return back();
  else await endAttached(world, targets);
  return undefined;
}

/** What the leg of an order that is over sells; nothing where the venue makes none. */
async function legQuantity(
  { placing: { deps } }: AlgoPlacing,
  order: StoredOrder,
): Promise<Amount | undefined> {
  if (order.listed !== undefined) return order.cumQuantity === order.quantity ? order.listed : undefined;
  const instrument = deps.market.instrument(order.platform, order.symbolType, order.symbol);
  if (instrument === undefined) return undefined;
  const arrived = arrivedOf(order, await deps.orders.fillsOfOrder(order.id), instrument);
  return arrived >= instrument.minQty ? arrived : undefined;
}

/**
 * The row of a leg whose coins were promised elsewhere when its order filled, with as much of its hold as is there. The venue, which
 * has no more than that, has most likely refused it.
 */
async function writeLeg(
  { placing: { deps } }: AlgoPlacing,
  given: StoredTargets,
  leg: StoredAlgo,
): Promise<StoredAlgo> {
  // How much is held is written with each fill.
  const targets = (await deps.algos.targets.byOrder(given.order)) ?? given;
  const follows = leg.payloadHash === OF_FILLS;
  const held = follows ? targets.placed : ZERO;
  const write = (row: StoredAlgo) =>
    commitWithRows(deps, follows ? legWithHold(deps, targets, row) : legInPlace(deps, targets, row));
  const done = await write(leg);
  if (done.ok) return leg;
  if (done.code !== 'insufficient-funds') throw new Error(`the leg of ${targets.order}: ${done.code}`);
  const wallet = await deps.ledger.tradingBalances(leg.user, leg.platform);
  const free = wallet.find(({ asset }) => asset === leg.holdAsset)?.available ?? ZERO;
  const fitting = { ...leg, holdAmount: lesser(plus(free, held), leg.holdAmount) };
  const again = await write(fitting);
  if (!again.ok) throw new Error(`the leg of ${targets.order}: ${again.code}`);
  tellAlgo(deps, fitting);
  return fitting;
}

/** Makes the leg of an order known that may have worked before anybody here heard that its order filled. @returns whether it is. */
export async function bookListed({ placing }: AlgoPlacing, { id }: StoredOrder): Promise<boolean> {
  const { deps, lanes } = placing;
  return lanes.run(id, async () => {
    const order = await deps.orders.byId(id);
    if (order === undefined || order.settled) return true;
    const found = await findOrder(deps, order);
    if (found.outcome !== 'proved' || !('update' in found.proof)) return found.outcome === 'absent';
    const booked = await onVenueEvent(deps, id, found.proof.update);
    return booked !== undefined && (!booked.needsLookup || !isFinal(booked.order.status));
  });
}

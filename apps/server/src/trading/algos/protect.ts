import {
  type AlgoLeg,
  type Amount,
  floorTo,
  type Instrument,
  lesser,
  minus,
  type OrderId,
  PLATFORMS,
  SIDE,
  TIME_IN_FORCE,
  type TriggerPlan,
  type UserId,
  ZERO,
} from '@crossbook/domain';
import { holdId } from '@crossbook/ledger';
import type { AccountOwner } from '../account-pages.ts';
import { ATTACHED, isEnded, NO_ROOM, SPENT, type StoredAlgo } from '../algo.ts';
import { commitWithRows } from '../booking/booked-rows.ts';
import { arrivedOf, pairPlan, partName } from '../listed-legs.ts';
import type { StoredOrder } from '../order.ts';
import { holdOf, storedAlgo } from '../stored-algo.ts';
import { partsBetween, type StoredTargets } from '../targets.ts';
import { algoShare } from './algo-intent.ts';
import { placesFault } from './algo-terms.ts';
import { adoptAttached, bookListed, endAttached, lookAtListed, takeOver } from './attached-legs.ts';
import { cancelWaiting } from './change-algo.ts';
import { isLeftOver } from './next-placement.ts';
import type { AlgoPlacing } from './place-algo.ts';
import { tellAlgo } from './record-algo.ts';
import { DueTargets, WatchedTargets } from './watched-targets.ts';

/**
 * Orders with targets are looked at again, whatever was heard of them: so often so many, first those that have filled
 * without legs, and with the places that are left all the others in turn.
 */
const AGAIN_MILLIS = 10_000;
const AGAIN_MAX = 100;
const DUE_MAX = 75;
/** Of what a former process left at a venue so many are looked at side by side. */
const START_MAX = 20;
/** A placement takes no longer: targets that are not there by then were never written. */
const PLACED_MILLIS_MAX = 60_000;

/** A venue that could not be asked so often is not asked for the rest: they come with the next look. */
const UNREAD_MAX = 3;

/** Keeps what orders with targets have filled protected, and never by two legs once one of them has worked. */
export interface Protection {
  /** An order is about to be placed with targets. @returns whether there is a place for it. */
  watch(order: OrderId, user: UserId): boolean;
  /** Something has happened to an order, which may be watched or not. */
  heard(order: OrderId): void;
  /** Something has happened to a leg of an order, or the order was placed. */
  touch(order: OrderId): void;
  /** A placement was refused: nothing is watched for it, unless another one of that id was taken. */
  refused(order: OrderId): void;
  /** Makes known what the venue has made of the targets of a member's orders on a symbol. @returns whether all is known. */
  adopt(owner: AccountOwner, of: Pick<StoredOrder, 'symbolType' | 'symbol'>): Promise<boolean>;
  /** Mends at once what a former process left. */
  start(): Promise<void>;
  stop(): void;
}

/** Makes it. */
export function createProtection(world: AlgoPlacing): Protection {
  const { deps, lanes } = world.placing;
  const watched = new WatchedTargets();
  const due = new DueTargets();
  let running = false;
  let stopTimer = (): void => undefined;
  const lookAt = async (id: OrderId, mayCome: boolean): Promise<void> => {
    const before = await deps.algos.targets.byOrder(id);
    if (before === undefined) {
      const age = deps.clock() - (watched.since(id) ?? 0);
      if (!mayCome || age >= PLACED_MILLIS_MAX) watched.delete(id);
      return;
    }
    if (!before.ended) watched.add(id, { user: before.user, since: deps.clock() });
    const owed = await protect(world, before);
    const ended = (await deps.algos.targets.byOrder(id))?.ended === true;
    if (ended) watched.delete(id);
    if (owed && !ended) due.add(id, before.user);
    else due.delete(id);
    await endSiblings(world, id);
  };
  const look = async (id: OrderId, mayCome = true): Promise<void> => {
    try {
      await lanes.run(`targets ${id}`, () => lookAt(id, mayCome));
    } catch (error) {
      due.add(id, watched.user(id));
      deps.log.note('an order is not protected', { id, error: String(error) });
    }
  };
  return {
    watch(id, user) {
      if (!watched.hasRoom(user)) return false;
      watched.add(id, { user, since: deps.clock() });
      return true;
    },
    touch: (id) => void look(id),
    refused: (id) => void look(id, false),
    heard(id) {
      if (watched.has(id)) void look(id);
    },
    adopt: (owner, of) => adoptAll(world, owner, of),
    async start() {
      const legs = (await deps.algos.open()).flatMap(({ parent, platform }) =>
        parent === undefined ? [] : { order: parent, platform },
      );
      const open = await deps.algos.targets.open();
      running = true;
      // Everything that happens from here on is heard, also of what is not looked at yet.
      for (const { order, user } of open) watched.add(order, { user, since: deps.clock() });
      const work = async (left: Iterable<OrderId>): Promise<void> => {
        for (const id of left) if (running) await look(id);
      };
      // A silent venue holds up only its own.
      for (const { platform } of PLATFORMS) {
        const of = [...open, ...legs].filter((one) => one.platform === platform);
        const left = new Set(of.map(({ order }) => order)).values();
        for (let at = 0; at < START_MAX; at += 1) void work(left);
      }
      stopTimer = deps.timers.every(AGAIN_MILLIS, () => {
        const first = due.take(DUE_MAX);
        for (const id of new Set([...first, ...watched.next(AGAIN_MAX - first.length)])) void look(id);
      });
    },
    stop() {
      running = false;
      stopTimer();
    },
  };
}

/** Asks the venue for the legs of all of a member's orders on a symbol, one by one. @returns whether all is known. */
async function adoptAll(
  world: AlgoPlacing,
  owner: AccountOwner,
  { symbolType, symbol }: Pick<StoredOrder, 'symbolType' | 'symbol'>,
): Promise<boolean> {
  const { deps, lanes } = world.placing;
  let unread = 0;
  for (const id of await deps.algos.targets.attachedTo(owner, symbol)) {
    const look = await lanes.run(`targets ${id}`, async () => {
      const [targets, order] = [await deps.algos.targets.byOrder(id), await deps.orders.byId(id)];
      if (targets?.attached !== true || order?.symbolType !== symbolType) return 'adopted';
      if (order.contract === undefined) return (await bookListed(world, order)) ? 'adopted' : 'unread';
      return adoptAttached(world, targets, order);
    });
    if (look === 'unread') unread += 1;
    if (unread === UNREAD_MAX) break;
  }
  return unread === 0;
}

/** Writes legs for what has filled since, and sends them. @returns whether something has filled that waits for legs. */
async function protect(world: AlgoPlacing, given: StoredTargets): Promise<boolean> {
  const { deps } = world.placing;
  const order = await deps.orders.byId(given.order);
  if (order === undefined || given.ended) return false;
  const covered = order.cumQuantity === given.placed;
  const look = order.contract === undefined ? lookAtListed : lookAtAttached;
  const targets = given.attached ? await look(world, given, order) : given;
  if (targets === undefined) return !covered;
  const instrument = deps.market.instrument(order.platform, order.symbolType, order.symbol);
  if (instrument === undefined) return !covered;
  // A pair's legs lock what they sell, each worth its least: they are made once the order is over.
  if (order.contract === undefined && !order.settled) return false;
  const filled = await filledOf(world, order, instrument);
  const part = minus(filled, targets.placed);
  const enough = part >= instrument.minQty;
  if (!enough && !order.settled) return false;
  const parts = enough ? partsOf(order, instrument, { targets, filled }) : [];
  // Stops go out before targets: what is without one can lose.
  const legs = parts
    .flatMap((one, at) =>
      legsOf(order, instrument, { part: one, number: targets.parts + at, now: deps.clock() }),
    )
    .toSorted((one, other) => Number(other.plan.kind === 'stop') - Number(one.plan.kind === 'stop'));
  const places = { user: order.user, instrument, places: legs.length };
  const full = enough ? await placesFault(deps, places) : undefined;
  if (full !== undefined) {
    await tellNoRoom(world, order, legs);
    return true;
  }
  const after = {
    ...targets,
    ...{ placed: enough ? filled : targets.placed, parts: targets.parts + parts.length },
    ended: order.settled,
  };
  deps.crash('before-legs');
  const written = await writeLegs(world, order, { legs, after, instrument, part });
  deps.crash('after-legs');
  for (const leg of written) {
    tellAlgo(deps, leg);
    if (isEnded(leg)) continue;
    await world.machine.inLane(leg.id, algoShare(leg), () => world.machine.attempt(leg));
  }
  return false;
}

/**
 * The legs and that their part has them, in one commit. Coins of a pair may be promised elsewhere by now: then they are for what is
 * left, and where that is too little they are told as refused.
 */
async function writeLegs(
  { placing: { deps } }: AlgoPlacing,
  order: StoredOrder,
  {
    legs,
    after,
    instrument,
    part,
  }: {
    readonly legs: readonly StoredAlgo[];
    readonly after: StoredTargets;
    readonly instrument: Instrument;
    readonly part: Amount;
  },
): Promise<readonly StoredAlgo[]> {
  const write = (rows: readonly StoredAlgo[]) =>
    commitWithRows(deps, {
      commands: rows.flatMap((leg) => (isEnded(leg) ? [] : holdOf(leg))),
      writes: [...rows.map((leg) => deps.algos.insert(leg)), deps.algos.targets.progress(after)],
    });
  const done = await write(legs);
  if (done.ok) return legs;
  if (done.code !== 'insufficient-funds') throw new Error(`the legs of ${order.id}: ${done.code}`);
  const wallet = await deps.ledger.tradingBalances(order.user, order.platform);
  const free = wallet.find(({ asset }) => asset === order.base)?.available ?? ZERO;
  const left = floorTo(lesser(free, part), instrument.lotSize);
  const fitting = legs.map(
    (leg): StoredAlgo =>
      left >= instrument.minQty
        ? { ...leg, quantity: left, holdAmount: left }
        : { ...leg, state: 'refused', reason: SPENT },
  );
  const again = await write(fitting);
  if (!again.ok) throw new Error(`the legs of ${order.id}: ${again.code}`);
  return fitting;
}

/** What becomes of targets whose legs the venue makes. @returns them where they are the hub's to place from here on. */
async function lookAtAttached(
  world: AlgoPlacing,
  targets: StoredTargets,
  order: StoredOrder,
): Promise<StoredTargets | undefined> {
  const covered = order.cumQuantity === targets.placed;
  if (covered && order.settled) await endAttached(world, targets);
  // Of several the venue makes none before all has filled.
  const early = targets.takeProfits !== undefined && !order.settled && order.cumQuantity !== order.quantity;
  if (covered || early) return undefined;
  const look = await adoptAttached(world, targets, order);
  return look === 'hub' ? takeOver(world, targets) : undefined;
}

/** Its member is told once, by rows of legs that were never placed; they are placed when there is room. */
async function tellNoRoom(
  { placing: { deps } }: AlgoPlacing,
  order: StoredOrder,
  legs: readonly StoredAlgo[],
): Promise<void> {
  const known = await deps.algos.ofParent(order.id);
  if (known.some(({ payloadHash }) => payloadHash === NO_ROOM)) return;
  const reported = legs.map(
    (leg): StoredAlgo => ({
      ...leg,
      id: holdId('target without room', order.id, leg.payloadHash, leg.plan.kind) as string as OrderId,
      ...{ payloadHash: NO_ROOM, state: 'refused', reason: 'as many orders wait as may' },
    }),
  );
  const done = await commitWithRows(deps, {
    commands: [],
    writes: reported.map((leg) => deps.algos.insert(leg)),
  });
  if (!done.ok) throw new Error(`the legs of ${order.id}: ${done.code}`);
  for (const leg of reported) tellAlgo(deps, leg);
}

/** What is there to protect: of a pair what arrived, fees taken off. */
async function filledOf(
  { placing: { deps } }: AlgoPlacing,
  order: StoredOrder,
  instrument: Instrument,
): Promise<Amount> {
  if (order.contract !== undefined) return order.cumQuantity;
  return arrivedOf(order, await deps.orders.fillsOfOrder(order.id), instrument);
}

/** What a part of an order has to close it, and how much that is. */
interface ProtectedPart {
  readonly plans: readonly TriggerPlan[];
  readonly quantity: Amount;
}

/** What has filled since, by targets: one part, or one for each of several take-profits, with as much of the stop beside it. */
function partsOf(
  order: StoredOrder,
  { minQty }: Instrument,
  { targets, filled }: { readonly targets: StoredTargets; readonly filled: Amount },
): readonly ProtectedPart[] {
  const { takeProfit, takeProfits, stopLoss, trailing, placed } = targets;
  const all = minus(filled, placed);
  const ofPair = order.contract === undefined ? pairPlan(targets) : undefined;
  if (ofPair !== undefined) return [{ plans: [ofPair], quantity: all }];
  if (trailing !== undefined) return [{ plans: [{ kind: 'trailing', trailing }], quantity: all }];
  const stop: readonly TriggerPlan[] = stopLoss === undefined ? [] : [{ kind: 'stop', leg: stopLoss }];
  const target = (leg: AlgoLeg): TriggerPlan => ({ kind: 'take-profit', leg });
  if (takeProfits === undefined)
    return [{ plans: [...stop, ...(takeProfit === undefined ? [] : [target(takeProfit)])], quantity: all }];
  return partsBetween(takeProfits, { from: placed, to: filled, least: minQty }).map(
    ({ trigger, quantity }) => ({ plans: [...stop, target({ trigger })], quantity }),
  );
}

/** The legs of one part: two of a contract, one that is both of a pair. */
function legsOf(
  order: StoredOrder,
  instrument: Instrument,
  {
    part: { plans, quantity },
    number,
    now,
  }: {
    readonly part: ProtectedPart;
    readonly number: number;
    readonly now: StoredAlgo['createdAt'];
  },
): readonly StoredAlgo[] {
  const asset = order.contract === undefined ? order.base : order.quote;
  return plans.map((plan) =>
    storedAlgo(
      {
        ...{ instrument, plan, quantity, closes: order.contract !== undefined },
        ...{ side: order.side === SIDE.BUY ? SIDE.SELL : SIDE.BUY, timeInForce: TIME_IN_FORCE.GTC },
        ...(order.contract === undefined ? {} : { contract: { ...order.contract, reduceOnly: true } }),
      },
      {
        id: holdId('target', order.id, number, plan.kind) as string as OrderId,
        ...{ user: order.user, parent: order.id, payloadHash: partName(number), createdAt: now },
        hold: { asset, amount: order.contract === undefined ? quantity : ZERO },
      },
    ),
  );
}

/** Where one leg of a part has worked the other is cancelled. */
async function endSiblings(world: AlgoPlacing, order: OrderId): Promise<void> {
  const { deps } = world.placing;
  for (const leg of await deps.algos.ofParent(order)) {
    if (isEnded(leg) || leg.cancelPending || !(await isLeftOver(deps, leg))) continue;
    // The venue binds those that it made: it is asked what became of them first.
    if (leg.payloadHash === ATTACHED) world.machine.lookupSoon(leg.id, algoShare(leg));
    else await cancelWaiting(world, leg.id);
  }
}

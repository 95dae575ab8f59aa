import type { CallHandlers } from '@crossbook/contract';
import {
  type OrderEvent,
  orderIdOfVenueClientId,
  PLATFORMS,
  platformOfType,
  type VenueAlgoState,
} from '@crossbook/domain';
import { createIntentMachine } from '../../intents/machine.ts';
import type { AccountOwner } from '../account-pages.ts';
import { algoClientId, isEnded, type StoredAlgo } from '../algo.ts';
import type { StoredOrder } from '../order.ts';
import type { AbsenceProof } from '../orders/order-intent.ts';
import type { Placing } from '../orders/place-order.ts';
import type { PerpsDesk } from '../perps/perps-desk.ts';
import { ownerKey } from '../rotation.ts';
import { sharedRun } from '../shared-run.ts';
import { algoLane, algoRules, algoShare, settleAlgo } from './algo-intent.ts';
import { algoRow } from './algo-rows.ts';
import { cancelAlgo, replaceAlgo } from './change-algo.ts';
import { ForeignAlgos } from './foreign-algos.ts';
import { type AlgoPlacing, placeAlgo } from './place-algo.ts';
import { createPositionEnds, type PositionEnds } from './position-ends.ts';
import { createProtection, type Protection } from './protect.ts';
import { createWaitingSweep, type WaitingSweep } from './waiting-sweep.ts';

/** The calls about orders that wait for a price. */
export type AlgoHandlers = Pick<
  CallHandlers,
  | 'connextrade/PlaceAlgoOrder'
  | 'connextrade/CancelAlgoOrder'
  | 'connextrade/ReplaceAlgoOrder'
  | 'connextrade/CurAlgoOrderList'
  | 'connextrade/AlgoOrderHistory'
>;

/** Orders that wait for a price, put together. */
export interface AlgoDesk {
  readonly handlers: AlgoHandlers;
  readonly children: Placing['children'];
  /** Something has filled in a contract: what protected its position may be left over. */
  readonly onFilled: PositionEnds['look'];
  readonly protection: Pick<Protection, 'watch' | 'touch' | 'heard' | 'refused'>;
  /** Takes over what a former process left, then keeps comparing with the venues' lists. */
  start(): Promise<void>;
  stop(): Promise<void>;
  onAlgo(state: VenueAlgoState, owner: AccountOwner): void;
  /** The private stream is open: something may have been missed before. */
  onHeard(owner: AccountOwner): void;
  /**
   * An event of an order that is none of ours by its id: it may be the child of an algo order.
   * @param taken is told of the order that it is about; @param foreign that it is about none.
   */
  onOrder(
    event: OrderEvent,
    owner: AccountOwner,
    answers: { readonly taken: (order: StoredOrder) => void; readonly foreign: () => void },
  ): void;
}

/** Puts it together on what all orders share. */
export function createAlgoDesk(
  placing: Placing,
  perps: Pick<PerpsDesk, 'terms' | 'doubtful'>,
  proof: AbsenceProof,
): AlgoDesk {
  const { deps, lanes } = placing;
  const machine = createIntentMachine(algoRules(placing, proof), {
    ...{ lanes, clock: deps.clock, incidents: deps.incidents },
    after: deps.timers.after,
    note: deps.log.note,
  });
  const world: AlgoPlacing = { placing, machine, perps };
  const lookUp = (algo: StoredAlgo) => machine.lookUpUnlessWaiting(algo.id, algoShare(algo));
  const foreign = new ForeignAlgos(deps);
  const sweep = createWaitingSweep(deps, lookUp, foreign);
  const protection = createProtection(world);
  const ends = createPositionEnds(world);
  const hear = hearing(world, protection, sweep);
  // What somebody set at the exchange goes with its position, and nobody may say so.
  const lookAtForeign = async (owner: AccountOwner, symbol: string): Promise<void> => {
    if (!foreign.places(owner).some((place) => place.symbol === symbol)) return;
    const booked = await deps.contracts.booked(owner);
    if (!booked.some((position) => position.symbol === symbol)) sweep.doubt(owner);
  };
  const shared = sharedRun<boolean>();
  // Every event of an unknown order asks: a member whose orders fire together is looked up once for all of them.
  const children = (owner: AccountOwner, of: Pick<StoredOrder, 'symbolType' | 'symbol'>) =>
    shared(`${ownerKey(owner)} ${of.symbolType} ${of.symbol}`, () =>
      knowChildren(world, protection, owner, of),
    );

  return {
    handlers: handlersOf(world, foreign, sweep),
    children,
    protection,
    onFilled(owner, symbol) {
      ends.look(owner, symbol);
      lookAtForeign(owner, symbol).catch((error: unknown) =>
        deps.log.note('the stops of a closed position were not read', { ...owner, error: String(error) }),
      );
    },
    async start() {
      await machine.start(placing.listen);
      await sweep.start(placing.listen);
      await protection.start();
      ends.start();
    },
    async stop() {
      sweep.stop();
      protection.stop();
      ends.stop();
      await machine.stop();
    },
    onAlgo(state, owner) {
      hear(state, owner).catch((error: unknown) => {
        deps.log.note('an update of an algo order was not kept', { ...owner, error: String(error) });
        sweep.doubt(owner);
      });
    },
    onHeard: (owner) => sweep.doubt(owner),
    onOrder(event, owner, { taken, foreign }) {
      const { symbol, venueOrderId } = event.state;
      const symbolType = event.fill?.contract === undefined ? undefined : ('SWAP' as const);
      const route = async (): Promise<void> => {
        for (const type of symbolType === undefined ? (['SPOT', 'SWAP'] as const) : [symbolType])
          await children(owner, { symbolType: type, symbol });
        const order = await deps.orders.byVenueId(owner, venueOrderId, { symbol, symbolType });
        if (order === undefined) foreign();
        else taken(order);
      };
      route().catch((error: unknown) => {
        deps.log.note('an event of a child was not booked', { ...owner, error: String(error) });
        sweep.doubt(owner);
      });
    },
  };
}

/** Which of our algo orders a message is about, and what it settles. */
function hearing(
  { placing, machine }: AlgoPlacing,
  protection: Pick<Protection, 'touch'>,
  sweep: Pick<WaitingSweep, 'doubt'>,
) {
  const { deps, lanes } = placing;
  return async (state: VenueAlgoState, owner: AccountOwner): Promise<void> => {
    const named = orderIdOfVenueClientId(state.clientId);
    const direct = named === undefined ? undefined : await deps.algos.byId(named);
    const algo = direct ?? (await amongOpen(placing, state, owner));
    const parent = state.parent === undefined ? undefined : orderIdOfVenueClientId(state.parent);
    if (algo === undefined && parent !== undefined) protection.touch(parent);
    // Somebody has set or cancelled it at the exchange: its list says what waits there now.
    if (algo === undefined) sweep.doubt(owner);
    if (algo === undefined || algo.user !== owner.user || algo.platform !== owner.platform) return;
    await lanes.run(algoLane(algo.id), async () => {
      const now = await deps.algos.byId(algo.id);
      if (now === undefined) return;
      const { needsLookup } = await settleAlgo(placing, now, { state, looked: false });
      if (needsLookup) machine.lookupSoon(algo.id, algoShare(algo));
    });
  };
}

async function amongOpen(
  { deps }: Placing,
  state: VenueAlgoState,
  { user, platform }: AccountOwner,
): Promise<StoredAlgo | undefined> {
  const open = await deps.algos.openOf(user, { platform, symbol: state.symbol });
  return open.find((algo) => algoClientId(algo) === state.clientId || algo.venueAlgoId === state.venueAlgoId);
}

/** Asks about every algo order that might have fired. @returns whether no child is unknown now. */
async function knowChildren(
  { placing, machine }: AlgoPlacing,
  protection: Pick<Protection, 'adopt'>,
  owner: AccountOwner,
  { symbolType, symbol }: Pick<StoredOrder, 'symbolType' | 'symbol'>,
): Promise<boolean> {
  const { deps, lanes } = placing;
  const { user, platform } = owner;
  let certain = await protection.adopt(owner, { symbolType, symbol });
  const open = await deps.algos.openOf(user, { platform, symbolType, symbol });
  const rules = algoRules(placing, { lookupsMin: 1, spanMillisMin: 0 });
  for (const { id } of open) {
    const known = await lanes.run(algoLane(id), async () => {
      const algo = await deps.algos.byId(id);
      if (algo === undefined || isEnded(algo)) return true;
      const found = await rules.find(algo);
      if (found.outcome !== 'proved') return found.outcome === 'absent' && algo.venueAlgoId === undefined;
      const { intent, needsLookup } = await settleAlgo(placing, algo, found.proof);
      // One that waits has no child, also where its cancel is asked for again.
      if (needsLookup && intent.cancelPending) machine.lookUpUnlessWaiting(id, algoShare({ platform }));
      return !needsLookup || (intent.state === 'waiting' && !intent.unknown);
    });
    if (!known) machine.lookUpUnlessWaiting(id, algoShare({ platform }));
    certain &&= known;
  }
  return certain;
}

function handlersOf(
  world: AlgoPlacing,
  foreign: ForeignAlgos,
  sweep: Pick<WaitingSweep, 'doubt' | 'look'>,
): AlgoHandlers {
  const { deps } = world.placing;
  return {
    'connextrade/PlaceAlgoOrder': (caller, request) => placeAlgo(world, caller, request),
    'connextrade/CancelAlgoOrder': (caller, request) =>
      foreign.cancel(caller, request, sweep.doubt) ?? cancelAlgo(world, caller, request),
    'connextrade/ReplaceAlgoOrder': async (caller, request) =>
      foreign.changeFault(caller, request) ?? replaceAlgo(world, caller, request),
    'connextrade/CurAlgoOrderList': async ({ user }, request) => {
      const filter = filterOf(request);
      const asked = PLATFORMS.filter(({ platform }) => (filter.platform ?? platform) === platform);
      for (const { platform } of asked) sweep.look({ user, platform });
      const own = (await deps.algos.openOf(user, filter)).map(algoRow);
      return { ok: true, value: [...own, ...foreign.rows(user, filter)] };
    },
    'connextrade/AlgoOrderHistory': async ({ user }, request) => {
      const { limit, cursor } = request;
      const asked = { ...filterOf(request), limit, ...(cursor === undefined ? {} : { cursor }) };
      const { rows, next } = await deps.algos.page(user, asked);
      const page = { rows: rows.map(algoRow) };
      return { ok: true, value: next === undefined ? page : { ...page, next } };
    },
  };
}

function filterOf({
  platformType,
  tinstType,
  symbol,
}: {
  readonly platformType?: number | undefined;
  readonly tinstType?: number | undefined;
  readonly symbol?: string | undefined;
}) {
  const platform = platformType === undefined ? undefined : platformOfType(platformType)?.platform;
  return {
    ...(platform === undefined ? {} : { platform }),
    ...(tinstType === undefined
      ? {}
      : { symbolType: tinstType === 2 ? ('SWAP' as const) : ('SPOT' as const) }),
    ...(symbol === undefined ? {} : { symbol }),
  };
}

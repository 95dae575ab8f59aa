import type { AlgoRow, CallAnswer, CallRequest, MemberCaller } from '@crossbook/contract';
import {
  type Platform,
  POSITION_SIDE,
  platformOfType,
  SIDE,
  type Side,
  type TimeInForce,
  uuidV7,
} from '@crossbook/domain';
import { isUnjudged } from '@crossbook/ledger';
import type { IntentAnswer } from '../../intents/intent.ts';
import type { IntentMachine } from '../../intents/machine.ts';
import type { StoredAlgo } from '../algo.ts';
import type { ContractPart } from '../order.ts';
import { type Placing, payloadHash } from '../orders/place-order.ts';
import { settingsFault } from '../perps/contract-checks.ts';
import type { PerpsDesk } from '../perps/perps-desk.ts';
import { type Refused, refusal, tradeBar } from '../ports.ts';
import { type AlgoDraft, holdOf, storedAlgo } from '../stored-algo.ts';
import { reasonOfAge } from '../venue-refusal.ts';
import { algoShare } from './algo-intent.ts';
import { planOf } from './algo-request.ts';
import { algoAnswer } from './algo-rows.ts';
import { algoTerms, hangingFault, placesFault } from './algo-terms.ts';
import { tellAlgo } from './record-algo.ts';
import { type AlgoProof, askVenue } from './send-algo.ts';

/** What algo orders need besides what all orders need. */
export interface AlgoPlacing {
  readonly placing: Placing;
  readonly machine: IntentMachine<StoredAlgo, AlgoProof>;
  readonly perps: Pick<PerpsDesk, 'terms' | 'doubtful'>;
}

type PlaceRequest = CallRequest<'connextrade/PlaceAlgoOrder'>;

/** Places an order that waits for a price: checked, held and written in one commit, sent once. */
export async function placeAlgo(
  world: AlgoPlacing,
  caller: MemberCaller,
  request: PlaceRequest,
): Promise<CallAnswer<AlgoRow>> {
  const { deps } = world.placing;
  const hash = payloadHash(request);
  const placed = await placeNew(world, caller, { request, hash });
  if (placed.ok || request.clientId === undefined || placed.code.error === 'outcome-unknown') return placed;
  // A request that speaks of one made before gets that one, whatever has become of the market since.
  const earlier = await deps.algos.byId(request.clientId);
  if (earlier === undefined) return placed;
  return earlier.user === caller.user && earlier.payloadHash === hash
    ? algoAnswer(earlier)
    : refusal({ error: 'client-id-reused', field: 'clientId' });
}

async function placeNew(
  world: AlgoPlacing,
  caller: MemberCaller,
  { request, hash }: { readonly request: PlaceRequest; readonly hash: string },
): Promise<CallAnswer<AlgoRow>> {
  const { deps, lanes } = world.placing;
  const plan = planOf(request);
  if (!plan.ok) return plan;
  const platform = platformOfType(request.platformType)?.platform as Platform;
  const symbolType = request.tinstType === 2 ? 'SWAP' : 'SPOT';
  const instrument = deps.market.instrument(platform, symbolType, request.symbol);
  if (deps.venue(platform) === undefined || instrument === undefined)
    return refusal({ error: 'symbol-unknown', field: 'symbol', given: request.symbol });
  const position = await positionOf(world, caller, { request, instrument });
  if (!position.ok) return position;
  const { quantity } = request;
  if ((quantity === undefined) !== (request.whole === true))
    return refusal({ error: 'order-combination', allowed: 'exactly one of quantity and whole' });
  const draft: AlgoDraft = {
    ...{ instrument, side: request.side satisfies Side, plan: plan.plan, closes: position.closes },
    timeInForce: request.timeInForce satisfies TimeInForce,
    ...(quantity === undefined ? {} : { quantity }),
    ...(position.contract === undefined ? {} : { contract: position.contract }),
  };
  const terms = await algoTerms(deps, draft);
  if (!terms.ok) return terms;
  const createdAt = deps.clock();
  const id = request.clientId ?? uuidV7(createdAt, deps.random(10));
  const algo = storedAlgo(draft, {
    ...{ id, user: caller.user, payloadHash: hash, hold: terms.hold, createdAt },
  });
  // Calls side by side never get more places than there are.
  const reserved = await lanes.run(`algo places ${platform} ${caller.user}`, async () => {
    const places = { user: caller.user, instrument, kind: draft.plan.kind };
    const full = (await hangingFault(deps, algo)) ?? (await placesFault(deps, places));
    return full === undefined ? reserveAlgo(world, algo) : refusal(full);
  });
  if (!reserved.ok) return reserved;
  return algoAnswer(await sendAlgo(world, algo, caller.now));
}

/** Holds the money and writes the row in one transaction, before anything is sent. */
export async function reserveAlgo(
  { placing, machine }: Pick<AlgoPlacing, 'placing' | 'machine'>,
  algo: StoredAlgo,
): Promise<{ readonly ok: true } | Refused> {
  const { deps } = placing;
  deps.crash('before-hold');
  const done = await deps.ledger.commit({
    commands: holdOf(algo),
    writes: [deps.algos.insert(algo)],
  });
  deps.crash('after-hold');
  if (done.ok) {
    if (done.value.replayed) return refusal({ error: 'client-id-reused', field: 'clientId' });
    tellAlgo(deps, algo);
    return { ok: true };
  }
  // Whether the row is there nobody can say: a lookup tells.
  if (done.code === 'outcome-unknown') machine.lookupSoon(algo.id, algoShare(algo));
  if (isUnjudged(done.code)) return refusal({ error: done.code });
  if (done.code === 'insufficient-funds') return refusal({ error: 'balance-insufficient' });
  return refusal({ error: 'client-id-reused', field: 'clientId' });
}

/** Puts a written algo order to its venue, once, and takes the answer. */
export function sendAlgo(
  { placing, machine }: Pick<AlgoPlacing, 'placing' | 'machine'>,
  algo: StoredAlgo,
  arrivedAt: StoredAlgo['createdAt'],
): Promise<StoredAlgo> {
  const { deps } = placing;
  return machine.inLane(algo.id, algoShare(algo), () =>
    machine.attempt(algo, async (): Promise<IntentAnswer<AlgoProof>> => {
      await placing.listen(algo);
      const age = deps.clock() - arrivedAt;
      if (age > deps.orderAgeMillisMax)
        return { outcome: 'proved', proof: { refused: reasonOfAge(age, deps.orderAgeMillisMax) } };
      return askVenue(deps, algo);
    }),
  );
}

type Position = { readonly ok: true; readonly closes: boolean; readonly contract?: ContractPart } | Refused;

/** What an algo order asks of the account before anything else: as orders do, by what it can do to a position. */
async function positionOf(
  { placing, perps }: AlgoPlacing,
  { user }: MemberCaller,
  { request, instrument }: { readonly request: PlaceRequest; readonly instrument: AlgoDraft['instrument'] },
): Promise<Position> {
  const { deps } = placing;
  const { platform } = instrument;
  const owner = { user, platform };
  const desk = deps.venue(platform);
  const open = (): Refused | undefined => {
    if (desk?.state !== 'live') return refusal({ error: 'platform-coming-soon', given: desk?.name ?? '' });
    const doubt =
      placing.doubtful(owner) ?? (instrument.symbolType === 'SWAP' ? perps.doubtful(owner) : undefined);
    return doubt === undefined ? undefined : refusal({ error: 'trading-halted' });
  };
  if (instrument.symbolType === 'SPOT') {
    const ofContracts = [request.effect, request.reduceOnly, request.marginMode, request.leverage];
    if (ofContracts.some((value) => value !== undefined && value !== 0 && value !== false))
      return refusal({ error: 'order-combination', allowed: 'position settings are for contracts' });
    const barred = await tradeBar(deps, user, request.side === SIDE.BUY);
    if (barred !== undefined) return refusal(barred);
    const closed = open();
    if (closed !== undefined) return closed;
    const account = await deps.accounts.find(user, platform);
    return account.state === 'ready'
      ? { ok: true, closes: false }
      : refusal({ error: 'balance-insufficient' });
  }
  const { effect, reduceOnly, marginMode, leverage } = request;
  const terms = await perps.terms(owner, {
    ...{ instrument, side: request.side, effect, marginMode, leverage },
    // The whole of a position is only ever closed.
    reduceOnly: reduceOnly === true || (request.whole === true && (effect ?? 0) === POSITION_SIDE.NET),
  });
  if (!terms.ok) return terms;
  const { closes, contract, setting } = terms;
  const refused = closes ? undefined : (open() ?? asSeen({ instrument, contract }, setting));
  return refused ?? { ok: true, closes, contract };
}

function asSeen(...given: Parameters<typeof settingsFault>): Refused | undefined {
  const fault = settingsFault(...given);
  return fault === undefined ? undefined : refusal(fault);
}

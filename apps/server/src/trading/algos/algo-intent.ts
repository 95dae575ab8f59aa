import { formatAmount, type Millis, ZERO } from '@crossbook/domain';
import { venueProfile } from '@crossbook/venues';
import type {
  IntentDoubt,
  IntentFinding,
  IntentRules,
  IntentStep,
  LookupTimes,
} from '../../intents/intent.ts';
import { algoClientId, childClientIds, isEnded, isResized, nextHoldId, type StoredAlgo } from '../algo.ts';
import type { AbsenceProof } from '../orders/order-intent.ts';
import type { Placing } from '../orders/place-order.ts';
import type { TradingDeps } from '../ports.ts';
import { adoptChild } from './adopt-child.ts';
import { settleChange } from './change-outcome.ts';
import { settleIceberg } from './icebergs.ts';
import { isLeftOver, isPlacedAgain, placedAgain, putBack, takesOver } from './next-placement.ts';
import { changed, recordAlgo } from './record-algo.ts';
import { type AlgoProof, askVenue, cancelLeftOver, whyNotSent } from './send-algo.ts';
import { type AlgoWhereabouts, algoKey, algoWhereabouts, isOfAnother } from './whereabouts.ts';

const LOOKUPS: LookupTimes = {
  firstMillis: [1_000, 2_000, 4_000, 8_000],
  thenMillis: 15_000,
  atOnceMax: { fresh: 8, old: 2 },
};

/** A leg that cannot be sent now is sent later, however long that takes: until then its position says that it is bare. */
const LEG_PATIENCE_MILLIS = Number.POSITIVE_INFINITY;

/** Orders of unexplained fills that are asked about in one proof; with more of them nothing is proved. */
const STRANGERS_ASKED_MAX = 50;

/** Algo orders as intents: the row and its hold are the write-ahead, and only the call that made one ever sends it. */
export function algoRules(placing: Placing, proof: AbsenceProof): IntentRules<StoredAlgo, AlgoProof> {
  const { deps } = placing;
  return {
    name: 'algo order',
    lane: algoLane,
    load: (id) => deps.algos.byId(id),
    // What waits is found by the venue's list, one question for all of a member's.
    left: async () => (await deps.algos.open()).filter(isDoubtful),
    standing: (algo) => ({
      id: algo.id,
      ended: isEnded(algo),
      // A leg is sent by whoever finds it: its deadline is written before the venue is asked.
      perhapsSent: !isPlacedAgain(algo) || algo.state !== 'placing' || algo.deadlineAt !== undefined,
      taken: algo.venueAlgoId !== undefined,
      absences: algo.lookups,
      createdAt: algo.createdAt,
      ...(algo.deadlineAt === undefined ? {} : { deadlineAt: algo.deadlineAt }),
      ...(algo.firstLookupAt === undefined ? {} : { firstAbsenceAt: algo.firstLookupAt }),
    }),
    share: algoShare,
    sending: {
      // A leg that was not sent yet, and is not wanted any more, never is.
      prepare: async (algo) =>
        (await whyNotSent(deps, algo)) ?? { outcome: 'ready', ask: (marked) => askVenue(deps, marked) },
      mark: (algo, deadlineAt) => recordAlgo(deps, algo, { deadlineAt }),
      patienceMillis: LEG_PATIENCE_MILLIS,
      gaveUp: (why) => ({ refused: why }),
    },
    find: (algo) => findAlgo(placing, algo),
    deadlineMillis: ({ platform }) => venueProfile(platform).trading.orderDeadlineMillis,
    absence: { ...proof, countedFrom: 'first-lookup' },
    proveAbsent: (algo) => proveAbsent(placing, algo),
    async settle(algo, proved) {
      const step = await settleAlgo(placing, algo, proved);
      const waits = step.intent.state === 'waiting' && !step.intent.unknown;
      return waits && (await isLeftOver(deps, step.intent)) ? cancelLeftOver(deps, step.intent) : step;
    },
    unclear: (algo, doubt) => recordDoubt(placing, algo, doubt),
    shownUnknown: (algo) => ({ ...algo, unknown: true }),
    evidence: algoEvidence,
    lookups: LOOKUPS,
  };
}

/** The lane in which everything about one algo order happens. */
export function algoLane(id: StoredAlgo['id']): string {
  return `algo:${id}`;
}

/** Lookups of one platform share their places. */
export function algoShare({ platform }: Pick<StoredAlgo, 'platform'>): string {
  return `algo orders at ${platform}`;
}

function isDoubtful({ state, unknown, cancelPending }: StoredAlgo): boolean {
  return state !== 'waiting' || unknown || cancelPending;
}

async function findAlgo({ deps }: Placing, algo: StoredAlgo): Promise<IntentFinding<AlgoProof>> {
  const where = await algoWhereabouts(deps, algo);
  if (where === undefined) return { outcome: 'unknown', why: 'the instrument or the account is not there' };
  const found = await where.algos.find(where.credentials, algoKey(algo, where));
  if (found.outcome === 'unknown') return found;
  if (found.outcome === 'not-found') return { outcome: 'absent' };
  if (await isOfAnother(deps, algo, found.value.venueAlgoId)) return { outcome: 'absent' };
  return { outcome: 'proved', proof: { state: found.value, looked: true } };
}

/** What the venue made of an order's targets grows with its fills; what it sells of a pair is held as soon as that is known. */
async function sizedAsReported(deps: TradingDeps, algo: StoredAlgo, proved: AlgoProof): Promise<StoredAlgo> {
  if (!('state' in proved) || !isResized(algo, proved.state)) return algo;
  const { quantity } = proved.state;
  if (quantity === undefined) return algo;
  if (algo.holdAmount === ZERO) return { ...algo, quantity };
  const sized = changed(deps, algo, { quantity, holdId: nextHoldId(algo), holdAmount: quantity });
  const held = await takesOver(deps, algo, sized);
  if (held.ok) return sized;
  // It may sell more than there is: what there is stays held.
  if (held.code === 'insufficient-funds') return { ...algo, quantity };
  throw new Error(`algo order ${algo.id}: ${held.code}`);
}

/** Books what a venue says of an algo order. In its lane. */
export async function settleAlgo(
  placing: Placing,
  before: StoredAlgo,
  proved: AlgoProof,
): Promise<IntentStep<StoredAlgo>> {
  const { deps } = placing;
  if (isEnded(before) || 'taken' in proved) return { intent: before, needsLookup: false };
  const algo = await sizedAsReported(deps, before, proved);
  const settled = {
    ...{ unknown: false, cancelPending: false, lookups: 0, firstLookupAt: undefined },
    changedFrom: undefined,
  } as const;
  const over = async (changes: Parameters<typeof recordAlgo>[2]) => ({
    intent: await recordAlgo(deps, algo, { ...settled, ...changes }),
    needsLookup: false,
  });
  const back = async () => {
    const intent = await putBack(deps, algo);
    return intent && { intent, needsLookup: true, why: 'it is placed again' };
  };
  if ('unwanted' in proved) return over({ state: 'cancelled', ...proved.unwanted });
  if ('refused' in proved) return (await back()) ?? over({ state: 'refused', reason: proved.refused });
  // What its orders have done is booked before its hold ends.
  if ('absent' in proved && algo.plan.kind === 'iceberg') {
    const { unsettled } = await deps.orders.ofIceberg(algo.id);
    if (unsettled.length > 0)
      return { intent: algo, needsLookup: true, why: 'an order that it became is not over' };
  }
  if ('absent' in proved) {
    const again = await placedAgain(deps, algo);
    if (again !== undefined) return { intent: again, needsLookup: true, why: 'it is placed again' };
    if (algo.venueAlgoId !== undefined)
      return (await back()) ?? over({ state: 'cancelled', reason: 'the exchange does not know it any more' });
    return over(
      isPlacedAgain(algo) && (algo.cancelPending || (await isLeftOver(deps, algo)))
        ? { state: 'cancelled' }
        : { state: 'refused', reason: 'the exchange never received it' },
    );
  }
  const { state, looked } = proved;
  // Something about an earlier placement of the same order, which was cancelled for a change.
  if (state.clientId !== algoClientId(algo) && state.venueAlgoId !== algo.venueAlgoId)
    return { intent: algo, needsLookup: false };
  if (algo.plan.kind === 'iceberg') return settleIceberg(placing, algo, { state, looked });
  const { venueAlgoId } = state;
  const reason = state.reason === undefined ? {} : { reason: state.reason };
  if (state.status === 'fired' || state.status === 'firing') {
    const fired =
      state.child === undefined || state.status !== 'fired'
        ? undefined
        : await adoptChild(placing, algo, state.child);
    if (fired !== undefined) return { intent: fired, needsLookup: false };
    const firing =
      algo.state === 'firing' && algo.venueAlgoId !== undefined && !algo.unknown
        ? algo
        : await recordAlgo(deps, algo, { state: 'firing', venueAlgoId, unknown: false });
    return { intent: firing, needsLookup: true, why: 'the order that it became is not known yet' };
  }
  if (state.status === 'cancelled')
    return (await back()) ?? over({ state: 'cancelled', venueAlgoId, ...reason });
  if (state.status !== 'waiting') return over({ state: state.status, venueAlgoId, ...reason });
  // Late word of an earlier moment: it does not wait again.
  if (algo.state === 'firing') return { intent: algo, needsLookup: true, why: 'it is firing' };
  // Before a cancel that was lost as well: were its mark cleared alone, nobody would ask for the values any more.
  if (algo.state === 'waiting' && algo.unknown) return settleChange(deps, algo, { shown: state, looked });
  const needsLookup = await isLeftOver(deps, algo);
  const waits = { ...settled, cancelPending: needsLookup || (algo.cancelPending && !looked) };
  const same = algo === before && algo.state === 'waiting' && !algo.unknown;
  if (same && algo.cancelPending === waits.cancelPending) return { intent: algo, needsLookup };
  // It waits still: nothing has ended it.
  const after = await recordAlgo(deps, algo, { ...waits, state: 'waiting', venueAlgoId, reason: undefined });
  return { intent: after, needsLookup };
}

async function recordDoubt(
  { deps }: Placing,
  algo: StoredAlgo,
  { deadlineAt, absences, firstAbsenceAt }: IntentDoubt,
): Promise<StoredAlgo> {
  const seen = { lookups: absences, firstLookupAt: firstAbsenceAt };
  return recordAlgo(deps, algo, { ...seen, unknown: true, deadlineAt });
}

/**
 * Whether the venue has certainly nothing of it: nothing to cancel, and no order or fill since then that could be its
 * child. An order that turns out to be one is proof that it fired.
 */
async function proveAbsent({ deps }: Placing, algo: StoredAlgo): Promise<AlgoProof | undefined> {
  const where = await algoWhereabouts(deps, algo);
  if (where === undefined) return undefined;
  const cancelled = await where.algos.cancel(where.credentials, algoKey(algo, where));
  if (cancelled.outcome !== 'gone') return undefined;
  const child = await childAmongFills(deps, algo, where);
  if (child === 'unknown') return undefined;
  return child ?? { absent: true };
}

async function childAmongFills(
  deps: TradingDeps,
  algo: StoredAlgo,
  { desk, credentials, instrument }: AlgoWhereabouts,
): Promise<AlgoProof | 'unknown' | undefined> {
  const asker = desk.trading.asking('lookup');
  const fills = await asker.fillsSince(credentials, instrument, (algo.createdAt - 1_000) as Millis);
  if (!fills.ok) return 'unknown';
  const ids = [...new Set(fills.value.map(({ venueOrderId }) => venueOrderId))];
  const known = await deps.orders.knownVenueIds(algo, ids);
  const strangers = ids.filter((id) => !known.has(id));
  if (strangers.length > STRANGERS_ASKED_MAX) return 'unknown';
  const [takeProfit, stopLoss] = childClientIds(algo);
  for (const venueOrderId of strangers) {
    const found = await asker.findByVenueId(credentials, instrument, venueOrderId);
    if (found.outcome !== 'found') return 'unknown';
    const { clientId } = found.value;
    const own = [algoClientId(algo), takeProfit, stopLoss].includes(clientId);
    // At Bybit what fires keeps its id, and what the venue made has none of ours.
    if (!own && venueOrderId !== algo.venueAlgoId) continue;
    const leg = clientId === takeProfit ? ({ leg: 'take-profit' } as const) : {};
    const { symbol, time } = found.value;
    const fired = {
      clientId: algoClientId(algo),
      symbol,
      time,
      status: 'fired',
      venueAlgoId: venueOrderId,
    } as const;
    return { state: { ...fired, child: { venueOrderId, ...leg } }, looked: true };
  }
  return undefined;
}

/** An algo order as a person who must decide about it reads it. */
function algoEvidence({ payloadHash: _hash, plan, ...row }: StoredAlgo): Readonly<Record<string, unknown>> {
  const text = (value: unknown) =>
    typeof value === 'bigint' ? formatAmount(value as StoredAlgo['holdAmount']) : value;
  return Object.fromEntries(
    Object.entries({ ...row, kind: plan.kind }).map(([name, value]) => [name, text(value)]),
  );
}

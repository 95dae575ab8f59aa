import { type Instrument, ok, refused, type SymbolType, type VenueAlgoState } from '@crossbook/domain';
import { failedRead, reasonOf } from '../../trading/call-answers.ts';
import { classOf } from '../../trading/contract-terms.ts';
import { LOCAL_CODES } from '../../trading/local-codes.ts';
import { waitOf } from '../../trading/unsent.ts';
import type { Timers } from '../../transport.ts';
import type {
  AlgoChange,
  AlgoChangeOutcome,
  AlgoKey,
  AlgoSendOutcome,
  AttachedTo,
  FoundAlgo,
  ListedAlgo,
  VenueAlgoRequest,
  VenueAlgos,
} from '../../venue-algos.ts';
import type { FindOutcome, VenueCredentials, VenueRead, VenueRefusal } from '../../venue-answers.ts';
import { rowsOf } from '../../wire/numbers.ts';
import { ACCOUNT_CALLS } from '../limits.ts';
import { AlgoCancels, idIn, notTaken } from './algo-cancels.ts';
import { asksIn, namesAlgo, normaliseAlgo, normaliseListed, normalisePlacedAlgo } from './algo-shapes.ts';
import { listSlices } from './algo-slices.ts';
import { type AlgoTerms, algoIn, changeIn } from './algo-words.ts';
import { isRefusal, onlyRow, refusalOf } from './answers.ts';
import { attachedId } from './attached-id.ts';
import type { Asking, CallParameters } from './calls.ts';
import { NO_SUCH_ORDER } from './errors.ts';
import type { OrderShape } from './order-shapes.ts';

const ALGOS_PER_PAGE = 100;
/** Pages of one list of those that wait; the venue allows an account 500 of a kind and instrument. */
const ALGO_PAGES_MAX = 50;
/** Kinds as the list takes them: only the first two may be asked for together. Trigger orders are its members' own. */
const OPENING = 'trigger';
const LISTS = ['conditional,oco', 'move_order_stop', 'iceberg', OPENING] as const;

/** How algo orders of one type of market are written, and how their orders are read. */
export interface AlgoWords {
  readonly terms: AlgoTerms;
  readonly shape: OrderShape;
}

/** Algo orders of one account, by REST alone: only their states come by a socket. */
export function okxAlgos(
  calls: Asking,
  timers: Timers,
  words: Readonly<Record<SymbolType, AlgoWords>>,
): VenueAlgos {
  const shapes = { SPOT: words.SPOT.shape, SWAP: words.SWAP.shape };
  const cancels = new AlgoCancels(calls, timers, (credentials, key) => findAlgo(calls, credentials, key));
  return {
    place: (credentials, request) =>
      placeAlgo(calls, credentials, request, words[request.instrument.symbolType].terms),
    amend: (credentials, key, change) => amendAlgo(calls, credentials, key, change),
    cancel: (credentials, key) => cancels.cancel(credentials, key),
    find: (credentials, key) => findAlgo(calls, credentials, key),
    waiting: (credentials, instruments) => listWaiting(calls, credentials, instruments, LISTS),
    opening: (credentials, contracts) => listWaiting(calls, credentials, contracts, [OPENING]),
    attached: (credentials, parent) => findAttached(calls, credentials, parent),
    slices: (credentials, of) => listSlices(calls, credentials, of, shapes),
  };
}

function notExpressible(message: string): VenueRefusal {
  return { outcome: 'refused', venueCode: LOCAL_CODES.notExpressible, message };
}

async function placeAlgo(
  calls: Asking,
  credentials: VenueCredentials,
  request: VenueAlgoRequest,
  terms: AlgoTerms,
): Promise<AlgoSendOutcome> {
  const { instrument, clientId } = request;
  const parameters = algoIn(terms, request);
  if (parameters === undefined) return notExpressible('OKX has no algo order of this form');
  const { answer, deadlineAt } = await calls.send(credentials, {
    method: 'POST',
    path: '/api/v5/trade/order-algo',
    requestClass: classOf([request]),
    limit: ACCOUNT_CALLS.placeAlgo,
    limitOf: instrument.symbol,
    parameters,
  });
  if (answer.kind !== 'result')
    return refusalOf(answer) ?? { outcome: 'unknown', why: reasonOf(answer), deadlineAt };
  const state = normalisePlacedAlgo(onlyRow(answer.rows), instrument, calls.venueClock.now());
  if (state === undefined) return { outcome: 'unknown', why: 'unreadable placement', deadlineAt };
  if (state.clientId !== clientId)
    return { outcome: 'unknown', why: 'answer about another order', deadlineAt };
  return { outcome: 'accepted', state };
}

async function amendAlgo(
  calls: Asking,
  credentials: VenueCredentials,
  key: AlgoKey,
  change: AlgoChange,
): Promise<AlgoChangeOutcome> {
  const changed = changeIn(change);
  if (changed === undefined) return notExpressible('nothing changes');
  const { answer } = await calls.send(credentials, {
    method: 'POST',
    path: '/api/v5/trade/amend-algos',
    requestClass: 'order',
    limit: ACCOUNT_CALLS.amendAlgo,
    limitOf: key.instrument.symbol,
    parameters: { instId: key.instrument.symbol, ...idIn(key), ...changed },
  });
  if (answer.kind !== 'result') return notTaken(answer);
  const row = onlyRow(answer.rows);
  return row?.sCode === '0' && namesAlgo(row, key)
    ? { outcome: 'done' }
    : { outcome: 'unknown', why: 'unreadable answer to a change' };
}

async function findAlgo(
  calls: Asking,
  credentials: VenueCredentials,
  key: AlgoKey,
): Promise<FindOutcome<FoundAlgo>> {
  const { answer } = await calls.send(credentials, {
    method: 'GET',
    path: '/api/v5/trade/order-algo',
    requestClass: 'lookup',
    limit: ACCOUNT_CALLS.findAlgo,
    parameters: idIn(key),
  });
  if (answer.kind === 'result') {
    const row = onlyRow(answer.rows);
    const value = normaliseAlgo(row);
    return value?.symbol === key.instrument.symbol && namesAlgo(row, key)
      ? { outcome: 'found', value: value.status === 'waiting' ? { ...value, asks: asksIn(row) } : value }
      : { outcome: 'unknown', why: 'unreadable algo order' };
  }
  if (isRefusal(answer, new Set([NO_SUCH_ORDER]))) return { outcome: 'not-found' };
  return { outcome: 'unknown', why: reasonOf(answer), ...waitOf(answer) };
}

/**
 * What the venue has made of an order's targets, each under the name that came with the order. It makes them once, when that is over
 * (since 2026-07-01), so that nothing without a name follows. Of several those that wait are read by one list, and each of the others
 * by its name: it has fired, it is over, or the venue has made none.
 *
 * Each of several is for its part and stands by itself. As one sends its order the stop beside them becomes smaller by it under its
 * own id, and ends with the last; as the stop fires it ends the targets. OKX's documents say of the stop only that it may go to the
 * cost then (`amendPxOnTriggerType`); the simulator keeps the rest, too.
 */
async function findAttached(
  calls: Asking,
  credentials: VenueCredentials,
  { instrument, clientId, targets }: AttachedTo,
): Promise<VenueRead<readonly VenueAlgoState[]>> {
  const { takeProfits = [], stopLoss } = targets;
  const several = takeProfits.length > 0;
  const parts = [...takeProfits.map((_, at) => at + 1), ...(several && stopLoss === undefined ? [] : [0])];
  const names = parts.map((part) => attachedId(clientId, part) as AlgoKey['clientId']);
  const waiting = several ? await waitingNamed(calls, credentials, instrument) : ok(new Map());
  if (!waiting.ok) return waiting;
  const made: VenueAlgoState[] = [];
  for (const name of names) {
    const key = { instrument, clientId: name, kind: 'oco' } as const;
    const state = waiting.value.get(name);
    const found =
      state === undefined
        ? await findAlgo(calls, credentials, key)
        : { outcome: 'found' as const, value: state };
    if (found.outcome === 'unknown') return refused('refused');
    if (found.outcome === 'found') made.push(found.value);
  }
  // Beside several that are targets, what is for all of the order is their stop.
  return ok(several ? made.map((state) => ({ leg: 'stop-loss', ...state })) : made);
}

/** What waits of the kinds that come with an order as targets and stop, by its name. */
async function waitingNamed(
  calls: Asking,
  credentials: VenueCredentials,
  { symbol }: Instrument,
): Promise<VenueRead<ReadonlyMap<string, VenueAlgoState>>> {
  const listed = await readList(calls, credentials, {
    parameters: { ordType: LISTS[0], instType: 'SWAP', instId: symbol },
    requestClass: 'lookup',
    read: normaliseAlgo,
  });
  return listed.ok ? ok(new Map(listed.value.map((state) => [state.clientId, state]))) : listed;
}

async function listWaiting(
  calls: Asking,
  credentials: VenueCredentials,
  instruments: readonly Instrument[],
  lists: readonly string[],
): Promise<VenueRead<readonly ListedAlgo[]>> {
  const symbols = new Set<string>(instruments.map(({ symbol }) => symbol));
  const found: ListedAlgo[] = [];
  for (const ordType of lists) {
    const parameters = {
      ordType,
      ...(instruments.length === 1 ? { instId: (instruments[0] as Instrument).symbol } : {}),
    };
    const asked = { parameters, requestClass: 'reconciliation', read: normaliseListed } as const;
    const listed = await readList(calls, credentials, asked);
    if (!listed.ok) return listed;
    found.push(...listed.value.filter(({ symbol }) => symbols.has(symbol)));
  }
  return ok(found);
}

/** What is read of the list of what waits. */
interface ListAsked<Row> {
  readonly parameters: CallParameters;
  readonly requestClass: 'lookup' | 'reconciliation';
  readonly read: (row: unknown) => Row | undefined;
}

/** One list, however many pages, linked by the id of the last row. A page that repeats what was read is not believed. */
async function readList<Row extends VenueAlgoState>(
  calls: Asking,
  credentials: VenueCredentials,
  { parameters, requestClass, read }: ListAsked<Row>,
): Promise<VenueRead<readonly Row[]>> {
  const found = new Map<string, Row>();
  let after: string | undefined;
  for (let page = 0; page < ALGO_PAGES_MAX; page += 1) {
    const { answer } = await calls.send(credentials, {
      method: 'GET',
      path: '/api/v5/trade/orders-algo-pending',
      requestClass,
      limit: ACCOUNT_CALLS.pendingAlgos,
      parameters: {
        ...parameters,
        limit: String(ALGOS_PER_PAGE),
        ...(after === undefined ? {} : { after }),
      },
    });
    if (answer.kind !== 'result') return failedRead(answer);
    const rows = rowsOf(answer.rows, read);
    if (rows === undefined || rows.some(({ venueAlgoId }) => found.has(venueAlgoId)))
      return refused('malformed');
    for (const row of rows) found.set(row.venueAlgoId, row);
    if (rows.length < ALGOS_PER_PAGE) return ok([...found.values()]);
    after = rows.at(-1)?.venueAlgoId;
  }
  return refused('refused');
}

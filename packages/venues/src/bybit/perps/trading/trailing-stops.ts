import {
  formatAmount,
  type Instrument,
  isFinalAlgo,
  type Millis,
  ok,
  POSITION_SIDE,
  type PositionSide,
  SIDE,
  type Side,
  type Trailing,
  type VenueAlgoState,
} from '@crossbook/domain';
import { notExpressible, reasonOf } from '../../../trading/call-answers.ts';
import { closesItsLeg, fitsItsMode } from '../../../trading/contract-terms.ts';
import type {
  AlgoChange,
  AlgoChangeOutcome,
  AlgoKey,
  AlgoSendOutcome,
  FoundAlgo,
  HangingStop,
  ListedAlgo,
  VenueAlgoRequest,
  VenueAlgos,
} from '../../../venue-algos.ts';
import type { FindOutcome, VenueCredentials, VenueRead } from '../../../venue-answers.ts';
import { asObject, type WireObject } from '../../../wire/guards.ts';
import { asAmount, rowsOf } from '../../../wire/numbers.ts';
import { normaliseAlgo } from '../../account/algo-shapes.ts';
import { refusalOf } from '../../account/answers.ts';
import type { Asking, Call, Called } from '../../account/calls.ts';
import { isUnchanged } from '../../account/errors.ts';
import { readPages } from '../../account/pages.ts';
import { ACCOUNT_CALLS } from '../../limits.ts';
import { asMillis } from '../../wire.ts';
import { LINEAR_SHAPE, positionSideOf } from './normalise.ts';

/**
 * Trailing stops of contracts. They are no orders that are placed: one is set at a position, whole, and the venue makes the
 * order that waits, with an id of its own alone. It is known by its position until that id is.
 * Source: bybit-exchange/docs v5, position/trading-stop, order/open-order, position (2026-07-24).
 */

const { category } = LINEAR_SHAPE;
const PER_PAGE = 50;
/** Our clock and the venue's differ by less. */
const BEFORE_MILLIS = 60_000;
/** So far back a list may begin that names no end (order/order-list). */
const HISTORY_MILLIS = 7 * 86_400_000;

/** What the calls below go through, and the orders that wait of any other kind. */
interface Venue {
  readonly calls: Asking;
  readonly algos: VenueAlgos;
}

/** One of the venue's trailing stops, and what tells it from others. */
interface Hanging {
  readonly state: VenueAlgoState;
  readonly side: Side;
  readonly createdAt: Millis;
}

/** Where one hangs. */
interface Place extends Pick<HangingStop, 'position'> {
  readonly instrument: Instrument;
}

/** Algo orders, those that hang on positions among them. */
export function withTrailingStops(calls: Asking, algos: VenueAlgos): VenueAlgos {
  const venue = { calls, algos };
  return {
    ...algos,
    place(credentials, request) {
      const written = requestParameters(request);
      return written === undefined
        ? algos.place(credentials, request)
        : place(venue, credentials, request, written);
    },
    amend: (credentials, key, change) =>
      key.hangs === undefined
        ? algos.amend(credentials, key, change)
        : amend(venue, credentials, { key, hangs: key.hangs, change }),
    cancel: (credentials, key) =>
      key.hangs === undefined || key.venueAlgoId !== undefined
        ? algos.cancel(credentials, key)
        : cancelUnnamed(venue, credentials, { key, hangs: key.hangs }),
    find(credentials, key) {
      if (key.hangs === undefined) return algos.find(credentials, key);
      const asked = { key, hangs: key.hangs };
      return key.venueAlgoId === undefined
        ? findUnnamed(venue, credentials, asked)
        : findNamed(venue, credentials, asked);
    },
    async waiting(credentials, instruments) {
      const listed = await algos.waiting(credentials, instruments);
      return listed.ok ? ok(await withDistances(venue, credentials, listed.value)) : listed;
    },
  };
}

/** The rows of a list, trailing stops with how far they follow: a word of their positions. Where those cannot be read it stays unsaid. */
async function withDistances(
  { calls }: Venue,
  credentials: VenueCredentials,
  listed: readonly ListedAlgo[],
): Promise<readonly ListedAlgo[]> {
  if (!listed.some(({ shown }) => shown?.plan.kind === 'trailing')) return listed;
  const rows = await positionRows(calls, credentials, { settleCoin: 'USDT' }, 'reconciliation');
  if (!rows.ok) return listed;
  return listed.map((algo) => {
    const { shown, symbol } = algo;
    if (shown?.plan.kind !== 'trailing') return algo;
    const own = rows.value.find(
      (row) => row.symbol === symbol && positionSideOf(row.positionIdx) === shown.position,
    );
    const distance = asAmount(own?.trailingStop);
    if (distance === undefined || distance === 0n) return algo;
    const trailing = { ...shown.plan.trailing, distance };
    return { ...algo, shown: { ...shown, plan: { kind: 'trailing', trailing } } };
  });
}

function positionRows(
  calls: Asking,
  credentials: VenueCredentials,
  of: Call['parameters'],
  requestClass: Call['requestClass'],
): Promise<VenueRead<readonly WireObject[]>> {
  return readPages(calls, credentials, {
    ...{ path: '/v5/position/list', requestClass },
    parameters: { category, ...of },
    read: (list) => rowsOf(list, asObject),
  });
}

/** What sets one; `undefined` for anything that the venue has no trailing stop for. */
function requestParameters(request: VenueAlgoRequest): Call['parameters'] | undefined {
  const { instrument, side, plan, whole, quantity, contract } = request;
  if (plan.kind !== 'trailing' || contract === undefined || instrument.symbolType !== 'SWAP')
    return undefined;
  if (whole !== true || quantity !== undefined) return undefined;
  if (!fitsItsMode(contract) || !closesItsLeg(contract, side)) return undefined;
  // It never opens: in one-way mode an order that may is another one.
  if (contract.side === POSITION_SIDE.NET && !contract.reduceOnly) return undefined;
  return trailingParameters(instrument, contract.side, plan.trailing);
}

function trailingParameters(
  { symbol }: Instrument,
  position: PositionSide,
  { ratio, distance, activation, by }: Trailing,
): Call['parameters'] | undefined {
  if (distance === undefined || ratio !== undefined || by !== 'last') return undefined;
  return {
    ...{ category, symbol, tpslMode: 'Full', positionIdx: position, trailingStop: formatAmount(distance) },
    ...(activation === undefined ? {} : { activePrice: formatAmount(activation) }),
  };
}

function set(
  { calls }: Venue,
  credentials: VenueCredentials,
  parameters: Call['parameters'],
): Promise<Called> {
  return calls.send(credentials, {
    ...{ method: 'POST', path: '/v5/position/trading-stop', parameters },
    // It protects a position, as a closing order does.
    ...{ requestClass: 'close', limit: ACCOUNT_CALLS.settings },
  });
}

/** Whether the venue has it so, now or before. */
function isSet({ answer }: Called): boolean {
  return answer.kind === 'result' || (answer.kind === 'error' && isUnchanged(answer.error));
}

/** Sets one, once. The answer says nothing of it, so that it is looked at. */
async function place(
  venue: Venue,
  credentials: VenueCredentials,
  request: VenueAlgoRequest,
  written: Call['parameters'],
): Promise<AlgoSendOutcome> {
  const called = await set(venue, credentials, written);
  const { answer, deadlineAt } = called;
  if (!isSet(called)) {
    const refusal = refusalOf(answer);
    if (refusal !== undefined) return refusal;
    const why = answer.kind === 'result' ? 'set' : reasonOf(answer);
    return { outcome: 'unknown', why, deadlineAt };
  }
  const { clientId, instrument, contract, side } = request;
  const where = { instrument, position: contract?.side ?? POSITION_SIDE.NET };
  const stands = await standing(venue, credentials, where);
  if (!stands.ok || stands.value === undefined)
    return { outcome: 'unknown', why: 'set, and not seen yet', deadlineAt };
  const { state } = stands.value;
  if (stands.value.side === side) return { outcome: 'accepted', state: { ...state, clientId } };
  // The position has flipped on the way: what hangs on it now is not what was asked for.
  const { venueAlgoId } = state;
  const removed = await venue.algos.cancel(credentials, {
    ...{ instrument, clientId, venueAlgoId, kind: 'trailing' },
  });
  return removed.outcome === 'done' || removed.outcome === 'gone'
    ? notExpressible('the position has flipped')
    : { outcome: 'unknown', why: 'the position has flipped', deadlineAt };
}

interface Asked {
  readonly key: AlgoKey;
  readonly hangs: HangingStop;
}

/** Sets it anew, in its place. Where it had ended, the venue has made another one, which is taken away. */
async function amend(
  venue: Venue,
  credentials: VenueCredentials,
  { key, hangs, change }: Asked & { readonly change: AlgoChange },
): Promise<AlgoChangeOutcome> {
  const trailing = { ...hangs.trailing, ...change.trailing };
  const written =
    change.quantity === undefined && key.venueAlgoId !== undefined
      ? trailingParameters(key.instrument, hangs.position, trailing)
      : undefined;
  if (written === undefined)
    return notExpressible('a trailing stop of a position has a distance, and no size of its own');
  const called = await set(venue, credentials, written);
  const { answer } = called;
  if (!isSet(called) && answer.kind !== 'result')
    return refusalOf(answer) ?? { outcome: 'unknown', why: reasonOf(answer) };
  const found = await venue.algos.find(credentials, key);
  if (found.outcome === 'unknown') return found;
  if (found.outcome === 'found' && found.value.status === 'waiting') return { outcome: 'done' };
  const stands = await standing(venue, credentials, { ...key, ...hangs });
  if (!stands.ok) return { outcome: 'unknown', why: 'changed, and not seen yet' };
  const other = stands.value?.state.venueAlgoId;
  if (other !== undefined && other !== key.venueAlgoId) {
    const removed = await venue.algos.cancel(credentials, { ...key, venueAlgoId: other });
    if (removed.outcome === 'refused' || removed.outcome === 'unknown')
      return { outcome: 'unknown', why: 'another one came of the change' };
  }
  return { outcome: 'gone' };
}

/** One whose id is not known yet: the position's, where it has one. */
async function cancelUnnamed(
  venue: Venue,
  credentials: VenueCredentials,
  { key, hangs }: Asked,
): Promise<AlgoChangeOutcome> {
  const stands = await standing(venue, credentials, { ...key, ...hangs }, 'cancel');
  if (!stands.ok) return { outcome: 'unknown', why: 'what hangs on the position is not known' };
  const own = stands.value?.side === hangs.side ? stands.value : undefined;
  if (own === undefined) return { outcome: 'gone' };
  return venue.algos.cancel(credentials, { ...key, venueAlgoId: own.state.venueAlgoId });
}

/** The one that hangs on its position, or else the newest that did since it was asked for. */
async function findUnnamed(
  venue: Venue,
  credentials: VenueCredentials,
  { key, hangs }: Asked,
): Promise<FindOutcome<FoundAlgo>> {
  const where = { ...key, ...hangs };
  const stands = await standing(venue, credentials, where);
  if (!stands.ok) return { outcome: 'unknown', why: 'what hangs on the position is not known' };
  const past = stands.value === undefined ? await ended(venue, credentials, where) : ok([stands.value]);
  if (!past.ok) return { outcome: 'unknown', why: 'what hung on the position is not known' };
  const [newest] = past.value
    .filter(({ side }) => side === hangs.side)
    .toSorted((left, right) => right.createdAt - left.createdAt);
  if (newest === undefined) return { outcome: 'not-found' };
  return { outcome: 'found', value: { ...newest.state, clientId: key.clientId } };
}

/** By its id. Its row says from where it follows, and that of its position how far. */
async function findNamed(
  venue: Venue,
  credentials: VenueCredentials,
  { key, hangs }: Asked,
): Promise<FindOutcome<FoundAlgo>> {
  const found = await venue.algos.find(credentials, key);
  if (found.outcome !== 'found' || found.value.status !== 'waiting' || !hangs.changing) return found;
  const rows = await positionRows(venue.calls, credentials, { symbol: key.instrument.symbol }, 'lookup');
  const row = rows.ok
    ? rows.value.find(({ positionIdx }) => positionSideOf(positionIdx) === hangs.position)
    : undefined;
  const distance = asAmount(row?.trailingStop);
  if (distance === undefined || distance === 0n)
    return { outcome: 'unknown', why: 'how far it follows is not known' };
  const activation = found.value.asks?.stopLoss?.trigger ?? 0n;
  const trailing = { distance, ...(activation === 0n ? {} : { activation }) } as Trailing;
  return { outcome: 'found', value: { ...found.value, asks: { trailing } } };
}

/** The one that waits or fires at a position now. */
async function standing(
  venue: Venue,
  credentials: VenueCredentials,
  where: Place,
  requestClass: Call['requestClass'] = 'lookup',
): Promise<VenueRead<Hanging | undefined>> {
  const rows = await hangingIn(venue, credentials, where, {
    ...{ path: '/v5/order/realtime', requestClass, parameters: { openOnly: 0, orderFilter: 'StopOrder' } },
  });
  return rows.ok ? ok(rows.value.find(({ state }) => !isFinalAlgo(state.status))) : rows;
}

/** Those that have hung on a position since. */
async function ended(
  venue: Venue,
  credentials: VenueCredentials,
  where: Place & Pick<HangingStop, 'since'>,
): Promise<VenueRead<readonly Hanging[]>> {
  const since = where.since - BEFORE_MILLIS;
  const startTime = Math.max(since, venue.calls.venueClock.now() - HISTORY_MILLIS);
  const rows = await hangingIn(venue, credentials, where, {
    ...{ path: '/v5/order/history', requestClass: 'lookup', parameters: { startTime } },
  });
  return rows.ok ? ok(rows.value.filter(({ createdAt }) => createdAt >= since)) : rows;
}

async function hangingIn(
  { calls }: Venue,
  credentials: VenueCredentials,
  { instrument, position }: Place,
  list: Pick<Call, 'path' | 'requestClass' | 'parameters'>,
): Promise<VenueRead<readonly Hanging[]>> {
  const { symbol } = instrument;
  return readPages(calls, credentials, {
    ...list,
    parameters: { ...{ category, symbol, limit: PER_PAGE }, ...list.parameters },
    read: (entries) =>
      rowsOf(
        rowsOf(entries, asObject)?.filter(
          (row) =>
            row.stopOrderType === 'TrailingStop' &&
            row.symbol === symbol &&
            positionSideOf(row.positionIdx) === position,
        ),
        hangingOf,
      ),
  });
}

function hangingOf(entry: unknown): Hanging | undefined {
  const row: WireObject | undefined = asObject(entry);
  const state = normaliseAlgo(row);
  const createdAt = asMillis(row?.createdTime);
  const side = row?.side === 'Buy' ? SIDE.BUY : row?.side === 'Sell' ? SIDE.SELL : undefined;
  return state === undefined || createdAt === undefined || side === undefined
    ? undefined
    : { state, side, createdAt };
}

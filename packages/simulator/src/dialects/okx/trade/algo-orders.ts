import { type Millis, ok, type Result, refused } from '@crossbook/domain';
import type { AccountNumber } from '../../../exchange.ts';
import type { ConditionalChange } from '../../../perp-conditionals.ts';
import { openAccountType } from '../account-types.ts';
import { ALGO_KINDS, algoClientId, algoClOrdIdOf, kindOfAlgo } from '../algos/algo-ids.ts';
import type { AlgoAdapter, AlgoLeg, AlgoOrder } from '../algos/algo-legs.ts';
import { algoRow, joinLegs, stateOf } from '../algos/algo-rows.ts';
import { changedStops, readAttachedBags } from '../algos/attached-entries.ts';
import { attachedSideError, readBack, readPriceKind, readSentPrice, readTicks } from '../algos/stop-legs.ts';
import type { Desk } from '../desk.ts';
import {
  type Answer,
  type Endpoint,
  rowsUnlessRefused,
  type SignedCall,
  signedEndpoint,
} from '../endpoint.ts';
import { ERRORS, eitherRequired, type OkxError, parameterError } from '../errors.ts';
import { factsOf } from '../listing.ts';
import { INSTRUMENT_TYPES } from '../market/instruments.ts';
import type { Dated } from '../orders/order-adapter.ts';
import { lotsOf, readInstrument } from '../orders/order-words.ts';
import { cutPage, readPage } from '../orders/pages.ts';
import { type ParamBag, ParamReader } from '../params.ts';
import { traderOf } from '../perps/words.ts';
import { ALGO_ADAPTERS, algosOf } from './adapters.ts';
import { readAlgoDraft } from './algo-draft.ts';

/** Algo orders of pairs and contracts by REST (OKX v5 guide, "Algo trading", 2026). */

/** Algo orders cancelled at once. */
const BATCH_MAX = 10;
const HISTORY_MILLIS = 90 * 86_400_000;

interface AlgoAck {
  readonly algoId: string;
  readonly algoClOrdId: string;
  readonly sCode: string;
  readonly sMsg: string;
}

function ack(names: { readonly algoId: string; readonly algoClOrdId: string }, error?: OkxError): AlgoAck {
  return { ...names, sCode: error?.code ?? '0', sMsg: error?.msg ?? '' };
}

function given(bag: ParamBag | undefined, name: string): string {
  const value = bag?.get(name);
  return typeof value === 'string' ? value.slice(0, 64) : '';
}

/** The envelope: code 0 when all succeeded, 1 when all failed, 2 when some did. */
function replyOf(acks: readonly AlgoAck[], more: object = {}): Answer {
  const failed = acks.filter(({ sCode }) => sCode !== '0').length;
  const data = acks.map((one) => ({ ...one, ...more }));
  if (failed === 0) return ok({ code: '0', msg: '', data });
  const all = failed === acks.length;
  return ok({
    code: all ? '1' : '2',
    msg: all ? 'All operations failed' : 'Bulk operation partially succeeded.',
    data,
  });
}

interface Names {
  readonly algoId: string | undefined;
  readonly algoClOrdId: string | undefined;
}

function namesOf({ listed, legs: [leg] }: AlgoOrder): {
  readonly algoId: string;
  readonly algoClOrdId: string;
} {
  return { algoId: algosOf(listed).idOf(listed, leg), algoClOrdId: algoClOrdIdOf(leg) };
}

/** The algo order that a call names, wherever it is; `algoId` leads. */
function findAlgo(
  desk: Desk,
  account: AccountNumber,
  { algoId, algoClOrdId }: Names,
  adapters: readonly AlgoAdapter[] = ALGO_ADAPTERS,
): AlgoOrder | undefined {
  const named = algoClOrdId === '' ? undefined : algoClOrdId;
  const found = adapters.flatMap((adapter) => {
    if (algoId !== undefined) return { adapter, leg: adapter.byId(desk, account, algoId) };
    if (named === undefined) return [];
    return ALGO_KINDS.map((kind) => ({
      adapter,
      leg: adapter.byClientId(desk, account, algoClientId(kind, named, '')),
    }));
  });
  const known = found.flatMap(({ adapter, leg }) => (leg === undefined ? [] : [{ adapter, leg }]));
  const icebergs =
    algoId !== undefined || named === undefined || known.length > 0
      ? []
      : adapters.flatMap((adapter) => icebergsNamed(desk, account, { adapter, named }));
  // A name may be used again once its order has ended: the newest is meant.
  const [newest] = [...known, ...icebergs].sort(
    (left, right) => right.leg.createdAt - left.leg.createdAt || right.leg.algoId - left.leg.algoId,
  );
  return newest && joinLegs(desk, newest.adapter.legsOf(desk, newest.leg))[0];
}

/** Icebergs of a name: theirs is a part of what the core knows them by. */
function icebergsNamed(
  desk: Desk,
  account: AccountNumber,
  { adapter, named }: { readonly adapter: AlgoAdapter; readonly named: string },
) {
  const since = (desk.now() - HISTORY_MILLIS) as Millis;
  return [...adapter.waiting(desk, account), ...adapter.history(desk, account, since)]
    .filter((leg) => kindOfAlgo(leg) === 'iceberg' && algoClOrdIdOf(leg) === named)
    .map((leg) => ({ adapter, leg }));
}

function isWaiting({ state }: AlgoLeg): boolean {
  return state === 'WAITING';
}

async function place(call: SignedCall): Promise<Answer> {
  const { desk, bags } = call;
  const [bag] = bags;
  if (bag === undefined || bags.length > 1) return refused(ERRORS.badJson);
  const reader = new ParamReader(bag);
  const more = { clOrdId: '', tag: given(bag, 'tag') };
  const stop = (error: OkxError): Answer =>
    replyOf([ack({ algoId: '', algoClOrdId: given(bag, 'algoClOrdId') }, error)], more);
  const listed = readInstrument(reader, desk);
  if (listed === undefined) return stop(reader.refusal ?? ERRORS.noInstrument);
  const account = await openAccountType(desk, call.account, '18');
  const draft = readAlgoDraft(desk, reader, { account, listed });
  if (!draft.ok) return stop(draft.code);
  const { asked, tag } = draft.value;
  const [{ sends }] = asked.legs;
  const named = algoClOrdIdOf(sends);
  const namesake = findAlgo(desk, account, { algoId: undefined, algoClOrdId: named });
  if (namesake?.legs.some(isWaiting) === true) return stop(ERRORS.duplicateAlgoId);
  const placed = await algosOf(listed).place(desk, listed, asked);
  if (!placed.ok) return stop(placed.code);
  desk.orderNotes.noteTag({ ...sends, clientId: placed.value.clientId }, tag);
  if (draft.value.kind === 'iceberg')
    desk.icebergs.add({ account, instId: listed.instId, algoId: placed.value.algoId });
  return replyOf([ack(namesOf({ listed, legs: [placed.value] }))], more);
}

/** The algo order that parameters name. */
function readNamed(desk: Desk, account: AccountNumber, reader: ParamReader): Result<AlgoOrder, OkxError> {
  const listed = readInstrument(reader, desk);
  const algoId = reader.text('algoId');
  const algoClOrdId = reader.text('algoClOrdId');
  if (algoId === undefined && algoClOrdId === undefined) reader.refuse(ERRORS.noOrderId);
  if (reader.refusal !== undefined) return refused(reader.refusal);
  const named = listed && findAlgo(desk, account, { algoId, algoClOrdId }, [algosOf(listed)]);
  return named === undefined || named.listed !== listed ? refused(ERRORS.cancelNotThere) : ok(named);
}

async function cancelOne(desk: Desk, account: AccountNumber, bag: ParamBag): Promise<AlgoAck> {
  const named = readNamed(desk, account, new ParamReader(bag));
  const asked = { algoId: given(bag, 'algoId'), algoClOrdId: given(bag, 'algoClOrdId') };
  if (!named.ok) return ack(asked, named.code);
  const waiting = named.value.legs.find(isWaiting);
  const over =
    stateOf(desk, algosOf(named.value.listed), named.value) === 'canceled'
      ? ERRORS.cancelCanceled
      : ERRORS.cancelFilled;
  if (waiting === undefined) return ack(asked, over);
  const done = await algosOf(named.value.listed).cancel(desk, waiting);
  return done ? ack(namesOf(named.value)) : ack(asked, ERRORS.cancelNotThere);
}

async function cancel(call: SignedCall): Promise<Answer> {
  const { desk, bags } = call;
  if (bags.length === 0) return refused(ERRORS.emptyBody);
  if (bags.length > BATCH_MAX) return refused(parameterError('algoId'));
  const account = await openAccountType(desk, call.account, '18');
  const acks: AlgoAck[] = [];
  for (const bag of bags) acks.push(await cancelOne(desk, account, bag));
  return replyOf(acks, { clOrdId: '', tag: '' });
}

/** How the parameters of an amendment begin for a leg: those of a trigger order have names without one. */
function changeOf(reader: ParamReader, order: AlgoOrder, leg: AlgoLeg): ConditionalChange {
  const facts = factsOf(order.listed);
  const kind = kindOfAlgo(order.legs[0]);
  const size = reader.decimal('newSz');
  const lots = size === undefined ? undefined : lotsOf(size, facts);
  if (size === 0n) reader.refuse(parameterError('newSz'));
  if (lots?.ok === false) reader.refuse(lots.code);
  const sized = lots?.ok === true ? { quantity: lots.value } : {};
  if (leg.trigger.at === 'TRAIL') {
    const back = readBack(reader, facts, { ratio: 'newCallbackRatio', spread: 'newCallbackSpread' });
    const activation = readTicks(reader, facts, 'newActivePx');
    return {
      ...sized,
      ...(back === undefined ? {} : { back }),
      ...(activation === undefined ? {} : { activation }),
    };
  }
  const attached = readStopsChange(reader, order, leg);
  const prefix = kind === 'trigger' ? '' : leg.purpose === 'TAKE_PROFIT' ? 'Tp' : 'Sl';
  const trigger = readTicks(reader, facts, `new${prefix}TriggerPx`);
  const price = readSentPrice(reader, facts, `new${prefix}OrdPx`);
  const by = readPriceKind(reader, `new${prefix}TriggerPxType`);
  return {
    ...sized,
    ...(trigger === undefined ? {} : { trigger }),
    ...(price === undefined ? {} : { price }),
    ...(by === undefined ? {} : { by }),
    ...(attached === undefined ? {} : { attached }),
  };
}

/** What comes with what a trigger order of a contract sends, as a change leaves it. */
function readStopsChange(
  reader: ParamReader,
  { listed }: AlgoOrder,
  { sends }: AlgoLeg,
): ConditionalChange['attached'] {
  const bags = readAttachedBags(reader);
  if (bags === undefined) return undefined;
  if (bags.length > 1) reader.refuse(parameterError('attachAlgoOrds'));
  const changed = changedStops(bags, sends.attached, { facts: factsOf(listed) });
  if (!changed.ok) reader.refuse(changed.code);
  return changed.ok ? changed.value : undefined;
}

/** Which leg of it would lie on the wrong side. */
function stopsError({ trigger, sends }: AlgoLeg, change: ConditionalChange): OkxError | undefined {
  const { attached = sends.attached, price = sends.price } = change;
  if (attached === undefined || attached === 'NONE' || trigger.at !== 'PRICE') return undefined;
  const from = price === undefined || price === 'MARKET' ? (change.trigger ?? trigger.price) : price;
  return attachedSideError(sends.side, attached, from);
}

/** Changes every leg that something is said of. @returns why not. */
async function amendLegs(desk: Desk, reader: ParamReader, order: AlgoOrder): Promise<OkxError | undefined> {
  const changes = order.legs.map((leg) => [leg, changeOf(reader, order, leg)] as const);
  const said = changes.filter(([, change]) => Object.keys(change).length > 0);
  const wrong = said.map(([leg, change]) => stopsError(leg, change)).find((error) => error !== undefined);
  if (reader.refusal !== undefined || wrong !== undefined) return reader.refusal ?? wrong;
  if (said.length === 0) return ERRORS.amendNothing;
  // Of icebergs nothing can be changed ("Amend algo order").
  const fixed = kindOfAlgo(order.legs[0]) === 'iceberg';
  if (fixed || !order.legs.some(isWaiting)) return ERRORS.amendNotThere;
  return algosOf(order.listed).amend(desk, order, new Map(said));
}

async function amend(call: SignedCall): Promise<Answer> {
  const { desk, bags } = call;
  const [bag] = bags;
  if (bag === undefined || bags.length > 1) return refused(ERRORS.badJson);
  const reader = new ParamReader(bag);
  const more = { reqId: given(bag, 'reqId') };
  reader.pattern('reqId', /^[A-Za-z0-9]{1,32}$/);
  const cancels = reader.choice('cxlOnFail', ['true', 'false']) === 'true';
  const account = await openAccountType(desk, call.account, '18');
  const asked = { algoId: given(bag, 'algoId'), algoClOrdId: given(bag, 'algoClOrdId') };
  const named = readNamed(desk, account, reader);
  if (!named.ok) {
    const missing = named.code === ERRORS.cancelNotThere ? ERRORS.amendNotThere : named.code;
    return replyOf([ack(asked, missing)], more);
  }
  const refusal = await amendLegs(desk, reader, named.value);
  if (refusal === undefined) return replyOf([ack(namesOf(named.value))], more);
  if (cancels) await cancelOne(desk, account, bag);
  return replyOf([ack(asked, refusal)], more);
}

interface Listed extends Dated {
  row(): object;
}

/** The algo orders of some kinds that a list asks for. */
function listed(
  call: SignedCall,
  read: (adapter: AlgoAdapter, account: AccountNumber) => readonly AlgoLeg[],
  fits: (order: AlgoOrder) => boolean,
): Answer {
  const { desk, reader } = call;
  const kinds = reader.list('ordType', ALGO_KINDS.length) ?? [];
  if (!reader.has('ordType')) reader.requiredText('ordType');
  const instType = reader.choice('instType', INSTRUMENT_TYPES);
  const instId = reader.text('instId');
  const algoId = reader.text('algoId');
  const algoClOrdId = reader.text('algoClOrdId');
  const page = readPage(reader);
  const account = traderOf(call);
  return rowsUnlessRefused(reader, () => {
    const entries = ALGO_ADAPTERS.flatMap((adapter) => joinLegs(desk, read(adapter, account)))
      .map((order) => ({ order, names: namesOf(order) }))
      .filter(({ order }) => kinds.includes(kindOfAlgo(order.legs[0])))
      .filter(({ order }) => (instType ?? order.listed.instType) === order.listed.instType)
      .filter(({ order }) => (instId ?? order.listed.instId) === order.listed.instId)
      .filter(({ names }) => (algoId ?? names.algoId) === names.algoId)
      .filter(({ names }) => (algoClOrdId ?? names.algoClOrdId) === names.algoClOrdId)
      .filter(({ order }) => fits(order))
      .map(
        ({ order, names }): Listed => ({
          time: order.legs[0].createdAt,
          id: BigInt(names.algoId),
          row: () => algoRow(desk, algosOf(order.listed), order),
        }),
      );
    const locate = (id: string): Dated | undefined => entries.find((entry) => String(entry.id) === id);
    return cutPage(entries, page, locate).map((entry) => entry.row());
  });
}

function pending(call: SignedCall): Answer {
  return listed(
    call,
    (adapter, account) => adapter.waiting(call.desk, account),
    () => true,
  );
}

function history(call: SignedCall): Answer {
  const { desk, reader } = call;
  const state = reader.choice('state', ['effective', 'canceled', 'order_failed']);
  if (state === undefined && !reader.has('algoId')) reader.refuse(eitherRequired('state', 'algoId'));
  const startTime = (desk.now() - HISTORY_MILLIS) as Millis;
  return listed(
    call,
    (adapter, account) => adapter.history(desk, account, startTime),
    (order) => {
      const now = stateOf(desk, algosOf(order.listed), order);
      return now !== 'live' && (state ?? now) === now;
    },
  );
}

function details(call: SignedCall): Answer {
  const { desk, reader } = call;
  const algoId = reader.text('algoId');
  const algoClOrdId = reader.text('algoClOrdId');
  if (algoId === undefined && algoClOrdId === undefined)
    reader.refuse(eitherRequired('algoId', 'algoClOrdId'));
  const order = findAlgo(desk, traderOf(call), { algoId, algoClOrdId });
  if (order === undefined) reader.refuse(ERRORS.noOrder);
  return rowsUnlessRefused(reader, () =>
    order === undefined ? [] : [algoRow(desk, algosOf(order.listed), order)],
  );
}

/** Placing, cancelling, changing and finding algo orders. */
export const ALGO_ENDPOINTS: readonly Endpoint[] = [
  signedEndpoint('order.algo.place POST /api/v5/trade/order-algo', 20, place),
  signedEndpoint('order.algo.cancel POST /api/v5/trade/cancel-algos', 20, cancel),
  signedEndpoint('order.algo.amend POST /api/v5/trade/amend-algos', 20, amend),
  signedEndpoint('orders.algo.pending GET /api/v5/trade/orders-algo-pending', 20, pending),
  signedEndpoint('orders.algo.history GET /api/v5/trade/orders-algo-history', 20, history),
  signedEndpoint('orders.algo.find GET /api/v5/trade/order-algo', 20, details),
];

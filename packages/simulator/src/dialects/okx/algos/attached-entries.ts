import { type Lots, ok, type Result, refused } from '@crossbook/domain';
import type { MarketFacts } from '../../../exchange.ts';
import type { AttachedStops, SplitTarget, StopLeg } from '../../../perp-exchange.ts';
import { cannotBeEmpty, ERRORS, eitherRequired, type OkxError, parameterError } from '../errors.ts';
import { lotsOf } from '../orders/order-words.ts';
import { bagOf, type ParamBag, ParamReader } from '../params.ts';
import { algoClientId, algoClOrdIdOf } from './algo-ids.ts';
import { readBack, readPriceKind, readSentPrice, readStop, readTicks } from './stop-legs.ts';

/**
 * What is attached to an order (`attachAlgoOrds` of "Place order", "Amend order" and trigger orders; OKX v5 guide, 2026): one
 * entry with a take profit, a stop loss or both for all that the order fills; or, on a contract, several take profits of
 * parts, each an entry of its own, and at most one stop loss beside them.
 */

/** One of them. */
export interface AttachedEntry {
  readonly profit?: StopLeg;
  readonly loss?: StopLeg;
  /** Of a target that is one of several. */
  readonly lots?: Lots;
  /** Of the stop beside them: it goes to the average price once the first has fired (`amendPxOnTriggerType`). */
  readonly atCost?: true;
  /** A trailing stop, which stands alone. */
  readonly trailing?: NonNullable<AttachedStops['trailing']>;
  /** `attachAlgoClOrdId`; absent where its owner gave none. */
  readonly named?: string;
}

/** What may come with an order: on a contract all of it, on a pair legs at prices alone, and with a trigger order no target that rests. */
export interface Attachable {
  /** Of a contract. */
  readonly side?: 'BUY' | 'SELL';
  /** Why there may not be several, nor a stop at the order's price; absent: there may. */
  readonly several?: OkxError;
}

const TARGETS_MAX = 10;
/** How far a trailing stop may come back, in hundredths of a percent. */
const TRAILING_BIPS = [10, 10_000] as const;
/** More cannot be right, and are refused unread. */
const ENTRIES_MAX = 20;
const NAME = /^[A-Za-z0-9]{1,32}$/;
const LEFT_OUT_OF_CHANGES = [
  ...['newTpTriggerRatio', 'newSlTriggerRatio', 'newCallbackRatio', 'newCallbackSpread', 'newActivePx'],
];

/** The entries of a call as they came; `undefined` where it has none. */
export function readAttachedBags(reader: ParamReader): readonly ParamBag[] | undefined {
  if (!reader.has('attachAlgoOrds')) return undefined;
  const given = reader.raw('attachAlgoOrds');
  const bags = Array.isArray(given) && given.length <= ENTRIES_MAX ? given.map(bagOf) : [undefined];
  const whole = bags.filter((bag) => bag !== undefined);
  if (whole.length < bags.length) reader.refuse(parameterError('attachAlgoOrds'));
  return whole.length === 0 ? undefined : whole;
}

function readLots(reader: ParamReader, facts: MarketFacts): Lots | undefined {
  const size = reader.decimal('sz');
  const lots = size === undefined ? undefined : lotsOf(size, facts);
  if (size === 0n) reader.refuse(parameterError('sz'));
  if (lots?.ok === false) reader.refuse(lots.code);
  return lots?.ok === true ? lots.value : undefined;
}

/** A target that rests in the book from the fill on: its price is what it sends, and it waits for nothing. */
function readRestingTarget(
  reader: ParamReader,
  facts: MarketFacts,
  named: string | undefined,
): StopLeg | undefined {
  const sent = readSentPrice(reader, facts, 'tpOrdPx');
  if (sent === undefined) reader.refuse(cannotBeEmpty('tpOrdPx'));
  if (sent === 'MARKET') reader.refuse(ERRORS.splitLimitPrice);
  if (sent === undefined || sent === 'MARKET') return undefined;
  return { by: 'LAST', trigger: sent, limit: sent, rests: named === undefined ? {} : { clientId: named } };
}

/** A trailing stop (`callbackRatio` or `callbackSpread`, `activePx`). */
function readTrailing(reader: ParamReader, facts: MarketFacts): AttachedEntry['trailing'] {
  const back = readBack(reader, facts, { ratio: 'callbackRatio', spread: 'callbackSpread' });
  const activation = readTicks(reader, facts, 'activePx');
  if (back === undefined && activation !== undefined)
    reader.refuse(eitherRequired('callbackRatio', 'callbackSpread'));
  if (back === undefined) return undefined;
  const [least, most] = TRAILING_BIPS;
  if ('bips' in back && (back.bips < least || back.bips > most)) reader.refuse(ERRORS.trailRange);
  return { back, ...(activation === undefined ? {} : { activation }) };
}

function readEntry(reader: ParamReader, facts: MarketFacts, { side, several }: Attachable): AttachedEntry {
  const named = reader.pattern('attachAlgoClOrdId', NAME);
  const rests = reader.choice('tpOrdKind', ['condition', 'limit']) === 'limit';
  // A target that rests in the book is none of pairs ("Place order", notes on split TPs), nor of trigger orders.
  if (rests && side === undefined) reader.refuse(ERRORS.limitTargetOfPair);
  else if (rests && several !== undefined) reader.refuse(parameterError('tpOrdKind'));
  const profit = rests
    ? readRestingTarget(reader, facts, named)
    : readStop(reader, facts, { prefix: 'tp', side });
  const loss = readStop(reader, facts, { prefix: 'sl', side });
  const trailing = readTrailing(reader, facts);
  if (trailing !== undefined && (side === undefined || several !== undefined))
    reader.refuse(parameterError('callbackRatio'));
  const atCost = reader.choice('amendPxOnTriggerType', ['0', '1']) === '1';
  const lots = readLots(reader, facts);
  const legs = [profit, loss, trailing].filter((leg) => leg !== undefined);
  if (legs.length === 0) reader.refuse(eitherRequired('tpTriggerPx', 'slTriggerPx'));
  if (trailing !== undefined && legs.length > 1) reader.refuse(parameterError('callbackRatio'));
  return {
    ...(profit === undefined ? {} : { profit }),
    ...(loss === undefined ? {} : { loss }),
    ...(trailing === undefined ? {} : { trailing }),
    ...(lots === undefined ? {} : { lots }),
    ...(atCost ? { atCost } : {}),
    ...(named === undefined ? {} : { named }),
  };
}

/** Reads what comes with a new order. */
export function readAttached(
  reader: ParamReader,
  facts: MarketFacts,
  allowed: Attachable,
): AttachedStops | undefined {
  const { several } = allowed;
  const bags = readAttachedBags(reader);
  if (bags === undefined) return undefined;
  const entries = bags.map((bag) => {
    const one = new ParamReader(bag);
    const entry = readEntry(one, facts, allowed);
    if (one.refusal !== undefined) reader.refuse(one.refusal);
    return entry;
  });
  const split = entries.length > 1;
  const sized = entries.some(({ lots }) => lots !== undefined);
  if (!split && sized) reader.refuse(parameterError('sz'));
  if (several !== undefined && (split || entries.some(({ atCost }) => atCost === true)))
    reader.refuse(several);
  if (reader.refusal !== undefined) return undefined;
  const stops = stopsOf(entries, split);
  if (!stops.ok) reader.refuse(stops.code);
  return stops.ok ? stops.value : undefined;
}

/** What is wrong with several take profits and the stop beside them ("Place order", notes on split TPs). */
function splitError(entries: readonly AttachedEntry[]): OkxError | undefined {
  const targets = entries.filter(({ profit }) => profit !== undefined);
  const stops = entries.filter(({ loss }) => loss !== undefined);
  const legs = targets.flatMap(({ profit }) => profit ?? []);
  const resting = legs.filter(({ rests }) => rests !== undefined).length;
  const names = entries.flatMap(({ named }) => named ?? []);
  const rules: readonly (readonly [boolean, OkxError])[] = [
    [targets.length + stops.length > entries.length, ERRORS.splitOneWay],
    [targets.length > TARGETS_MAX, ERRORS.splitTargets],
    [stops.length > 1, ERRORS.splitStops],
    [resting > 0 && resting < legs.length, ERRORS.splitKinds],
    [new Set(legs.map(({ by }) => by)).size > 1, ERRORS.splitPriceTypes],
    [
      new Set(legs.map(({ trigger, shareBips }) => `${trigger} ${shareBips}`)).size < legs.length,
      resting > 0 ? ERRORS.splitLimitPrices : ERRORS.splitPrices,
    ],
    [resting === 0 && legs.some(({ limit }) => limit !== undefined), ERRORS.splitMarket],
    [entries.some(({ trailing }) => trailing !== undefined), parameterError('callbackRatio')],
    [targets.some(({ lots }) => lots === undefined), ERRORS.splitSize],
    [stops.some(({ lots }) => lots !== undefined), parameterError('sz')],
    [targets.some(({ atCost }) => atCost === true), parameterError('amendPxOnTriggerType')],
    [targets.length < 2 && stops.some(({ atCost }) => atCost === true), ERRORS.splitCost],
    [new Set(names).size < names.length, ERRORS.duplicateAlgoId],
  ];
  return rules.find(([broken]) => broken)?.[1];
}

/** What entries come to, as the core takes it. @param split whether they are targets of parts, and their stop. */
function stopsOf(entries: readonly AttachedEntry[], split: boolean): Result<AttachedStops, OkxError> {
  const [first] = entries;
  if (!split && first !== undefined) return singleOf(first);
  const wrong = splitError(entries);
  if (wrong !== undefined) return refused(wrong);
  const targets = entries.flatMap(({ profit: leg, lots, named }): SplitTarget[] =>
    leg === undefined || lots === undefined ? [] : [{ leg, lots, ...nameOf(named, 'conditional') }],
  );
  const stop = entries.find(({ loss }) => loss !== undefined);
  return ok({
    ...{ extent: 'PART', targets },
    ...(stop?.loss === undefined ? {} : { stopLoss: stop.loss, ...nameOf(stop.named, 'conditional') }),
    ...(stop?.atCost === undefined ? {} : { stopAtCost: stop.atCost }),
  });
}

function singleOf({ profit, loss, trailing, atCost, named }: AttachedEntry): Result<AttachedStops, OkxError> {
  if (atCost === true) return refused(ERRORS.splitCost);
  if (trailing !== undefined) return ok({ extent: 'PART', trailing, ...nameOf(named, 'move_order_stop') });
  return ok({
    extent: 'PART',
    ...(profit === undefined ? {} : { takeProfit: profit }),
    ...(loss === undefined ? {} : { stopLoss: loss }),
    ...nameOf(
      named,
      profit?.rests === undefined && profit !== undefined && loss !== undefined ? 'oco' : 'conditional',
    ),
  });
}

function nameOf(
  named: string | undefined,
  kind: 'oco' | 'conditional' | 'move_order_stop',
): { readonly clientId?: string } {
  return named === undefined ? {} : { clientId: algoClientId(kind, named, '') };
}

function namedBy(clientId: string | undefined): { readonly named?: string } {
  const named = clientId === undefined ? '' : algoClOrdIdOf({ clientId });
  return named === '' ? {} : { named };
}

/** The entries that something attached came as. */
export function entriesOf(attached: AttachedStops): AttachedEntry[] {
  const { takeProfit, targets, stopLoss, stopAtCost, trailing, clientId } = attached;
  if (trailing !== undefined) return [{ trailing, ...namedBy(clientId) }];
  const stop: AttachedEntry = {
    ...(stopLoss === undefined ? {} : { loss: stopLoss }),
    ...(stopAtCost === undefined ? {} : { atCost: stopAtCost }),
    ...namedBy(clientId),
  };
  if (targets === undefined) return [takeProfit === undefined ? stop : { ...stop, profit: takeProfit }];
  const parts = targets.map(({ leg, lots, clientId: name }) => ({ profit: leg, lots, ...namedBy(name) }));
  return stopLoss === undefined ? parts : [...parts, stop];
}

/** Whether several take profits come to what their order is about. */
export function fitsSize({ targets }: AttachedStops, quantity: number): boolean {
  return targets === undefined || targets.reduce((sum, { lots }) => sum + lots, 0) === quantity;
}

/** What is changed of a leg: `0` takes it away, and one that was not there is said whole. */
function changedLeg(
  reader: ParamReader,
  facts: MarketFacts,
  prefix: 'Tp' | 'Sl',
  before: StopLeg | undefined,
): StopLeg | undefined {
  const [px, sentPx, type] = [`new${prefix}TriggerPx`, `new${prefix}OrdPx`, `new${prefix}TriggerPxType`];
  if (reader.text(px) === '0' || reader.text(sentPx) === '0') return undefined;
  const trigger = readTicks(reader, facts, px);
  const sent = readSentPrice(reader, facts, sentPx);
  const by = readPriceKind(reader, type);
  if (trigger === undefined && sent === undefined && by === undefined) return before;
  // What rests, and what lies by a share, is taken away and not changed.
  if (before?.rests !== undefined || before?.shareBips !== undefined) reader.refuse(parameterError(px));
  if (before !== undefined) {
    const { limit: kept, ...rest } = before;
    const limit = sent === 'MARKET' ? undefined : (sent ?? kept);
    const changed = { ...rest, ...(trigger && { trigger }), ...(by && { by }) };
    return limit === undefined ? changed : { ...changed, limit };
  }
  const missing = trigger === undefined ? px : sent === undefined ? sentPx : by === undefined ? type : '';
  if (missing !== '') reader.refuse(cannotBeEmpty(missing));
  if (trigger === undefined || sent === undefined || by === undefined) return undefined;
  return sent === 'MARKET' ? { trigger, by } : { trigger, by, limit: sent };
}

function changedEntry(
  reader: ParamReader,
  facts: MarketFacts,
  entry: AttachedEntry,
  split: boolean,
): AttachedEntry {
  const profit = changedLeg(reader, facts, 'Tp', entry.profit);
  const loss = changedLeg(reader, facts, 'Sl', entry.loss);
  reader.choice('newTpOrdKind', ['condition']);
  for (const name of LEFT_OUT_OF_CHANGES) if (reader.has(name)) reader.refuse(parameterError(name));
  // A trailing stop stands alone.
  if (entry.trailing !== undefined && (profit ?? loss) !== undefined)
    reader.refuse(parameterError('newTpTriggerPx'));
  const lots = readLots(reader, facts);
  const cost = reader.choice('amendPxOnTriggerType', ['0', '1']);
  const target = entry.lots !== undefined;
  if (lots !== undefined && !target) reader.refuse(parameterError('sz'));
  if (lots === undefined && target) reader.refuse(ERRORS.splitSize);
  // Entries keep their ids, which say their places.
  if (target && profit === undefined) reader.refuse(parameterError('newTpTriggerPx'));
  if (cost !== undefined && (target || !split)) reader.refuse(parameterError('amendPxOnTriggerType'));
  const atCost = cost === undefined ? entry.atCost === true : cost === '1';
  return {
    ...(profit === undefined ? {} : { profit }),
    ...(loss === undefined ? {} : { loss }),
    ...(entry.trailing === undefined ? {} : { trailing: entry.trailing }),
    ...(lots === undefined ? {} : { lots }),
    ...(atCost ? { atCost } : {}),
    ...(entry.named === undefined ? {} : { named: entry.named }),
  };
}

/** Which entry a change names. */
function placeOf(reader: ParamReader, entries: readonly AttachedEntry[], ids: readonly string[]): number {
  const attachAlgoId = reader.text('attachAlgoId');
  const named = reader.text('attachAlgoClOrdId');
  if (attachAlgoId === undefined && named === undefined)
    reader.refuse(eitherRequired('attachAlgoId', 'attachAlgoClOrdId'));
  const place =
    attachAlgoId === undefined
      ? entries.findIndex((entry) => entry.named !== undefined && entry.named === named)
      : ids.indexOf(attachAlgoId);
  if (place < 0) reader.refuse(ERRORS.attachedNotThere);
  return place;
}

/**
 * What is attached after a change of it.
 * @param ids `attachAlgoId` of each entry; absent where there is one alone, which needs no name.
 */
export function changedStops(
  bags: readonly ParamBag[],
  attached: AttachedStops | undefined,
  { facts, ids }: { readonly facts: MarketFacts; readonly ids?: readonly string[] },
): Result<AttachedStops | 'NONE', OkxError> {
  if (attached === undefined) return refused(ERRORS.attachedUsed);
  const split = attached.targets !== undefined;
  const entries = entriesOf(attached);
  const seen = new Set<number>();
  for (const bag of bags) {
    const reader = new ParamReader(bag);
    const place = ids === undefined ? 0 : placeOf(reader, entries, ids);
    const entry = entries[place];
    if (seen.has(place)) reader.refuse(ERRORS.attachedTwice);
    seen.add(place);
    if (entry !== undefined) entries[place] = changedEntry(reader, facts, entry, split);
    if (reader.refusal !== undefined) return refused(reader.refusal);
  }
  const left = entries.filter(({ profit, loss, trailing }) => (profit ?? loss ?? trailing) !== undefined);
  return left.length === 0 ? ok('NONE') : stopsOf(left, split);
}

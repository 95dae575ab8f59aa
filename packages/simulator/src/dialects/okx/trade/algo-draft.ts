import {
  type Amount,
  type Lots,
  type Result,
  refused,
  type Ticks,
  toNumberForDisplay,
} from '@crossbook/domain';
import type { MarketFacts } from '../../../exchange.ts';
import type { NewConditionalLeg } from '../../../perp-conditionals.ts';
import type { AttachedStops, NewPerpOrder } from '../../../perp-exchange.ts';
import type { PriceKind, Trigger } from '../../../triggers/trigger.ts';
import { ALGO_KINDS, type AlgoKind, algoClientId, isStopKind } from '../algos/algo-ids.ts';
import type { AskedAlgo, AskedSends } from '../algos/algo-legs.ts';
import { readAttached } from '../algos/attached-entries.ts';
import {
  attachedSideError,
  type LegAsked,
  readBack,
  readLeg,
  readPriceKind,
  readSentPrice,
  readTicks,
} from '../algos/stop-legs.ts';
import type { Desk } from '../desk.ts';
import { cannotBeEmpty, ERRORS, eitherRequired, type OkxError, parameterError } from '../errors.ts';
import { factsOf, type Listed } from '../listing.ts';
import type { Place } from '../orders/order-adapter.ts';
import { lotsOf } from '../orders/order-words.ts';
import type { ParamReader } from '../params.ts';
import { readPositionSide } from '../perps/order-draft.ts';
import { isTraded, marginModeOf } from '../perps/words.ts';
import { checkMode } from '../spot/order-draft.ts';
import { icebergLegs } from './iceberg-draft.ts';

/** Reading algo orders of pairs and contracts (OKX v5 guide, "POST / Place algo order", 2026). */

const OWN_ID_LENGTH = 20;

function sentOrder(sends: AskedSends, price: Ticks | 'MARKET'): NewPerpOrder {
  if (price === 'MARKET') return { ...sends, kind: 'MARKET', timeInForce: 'IOC' };
  return { ...sends, kind: 'LIMIT', timeInForce: 'GTC', price };
}

function stopLeg(sends: AskedSends, purpose: 'TAKE_PROFIT' | 'STOP', asked: LegAsked): NewConditionalLeg {
  const rises = (sends.side === 'SELL') === (purpose === 'TAKE_PROFIT');
  const { by, trigger: price, sent } = asked;
  const trigger: Trigger = { at: 'PRICE', by, direction: rises ? 'RISE' : 'FALL', price };
  return { purpose, trigger, sends: sentOrder(sends, sent) };
}

function priceNow(desk: Desk, { markets, instId }: Listed, by: PriceKind): number {
  if (by === 'LAST') return markets.ticker(instId).last;
  const { mark, index } = desk.venue.perps.stats(instId);
  return by === 'MARK' ? mark : index;
}

/** `trigger` fires from whichever side the price comes. */
function triggerLegs(
  desk: Desk,
  reader: ParamReader,
  listed: Listed,
  sends: AskedSends,
): NewConditionalLeg[] {
  const facts = factsOf(listed);
  const price = readTicks(reader, facts, 'triggerPx');
  const sent = readSentPrice(reader, facts, 'orderPx');
  const by = readPriceKind(reader, 'triggerPxType') ?? 'LAST';
  // There is no mark to look up.
  if (listed.contract === undefined && by !== 'LAST') reader.refuse(ERRORS.onlyLastPrice);
  if (reader.refusal !== undefined) return [];
  if (price === undefined) reader.refuse(cannotBeEmpty('triggerPx'));
  if (sent === undefined) reader.refuse(cannotBeEmpty('orderPx'));
  if (price === undefined || sent === undefined) return [];
  const rises = price * toNumberForDisplay(facts.tickSize) > priceNow(desk, listed, by);
  const purpose = rises === (sends.side === 'BUY') ? 'STOP' : 'TAKE_PROFIT';
  const trigger: Trigger = { at: 'PRICE', by, direction: rises ? 'RISE' : 'FALL', price };
  return [{ purpose, trigger, sends: sentOrder(sends, sent) }];
}

function trailingLegs(reader: ParamReader, facts: MarketFacts, sends: AskedSends): NewConditionalLeg[] {
  const back = readBack(reader, facts, { ratio: 'callbackRatio', spread: 'callbackSpread' });
  const activation = readTicks(reader, facts, 'activePx');
  if (back === undefined) reader.refuse(eitherRequired('callbackRatio', 'callbackSpread'));
  if (back === undefined) return [];
  const direction = sends.side === 'SELL' ? 'FALL' : 'RISE';
  const started = activation === undefined ? {} : { activation };
  const trigger: Trigger = { at: 'TRAIL', by: 'LAST', direction, back, ...started };
  return [{ purpose: 'TRAILING', trigger, sends: sentOrder(sends, 'MARKET') }];
}

function stopLegs(
  reader: ParamReader,
  facts: MarketFacts,
  sends: AskedSends,
  kind: 'conditional' | 'oco',
): NewConditionalLeg[] {
  // Shares of a price and targets that rest come with orders alone here.
  reader.choice('tpOrdKind', ['condition']);
  for (const name of ['tpTriggerRatio', 'slTriggerRatio'])
    if (reader.has(name)) reader.refuse(parameterError(name));
  const profit = readLeg(reader, facts, 'tp');
  const loss = readLeg(reader, facts, 'sl');
  const both = profit !== undefined && loss !== undefined;
  if (kind === 'oco' && !both)
    reader.refuse(cannotBeEmpty(profit === undefined ? 'tpTriggerPx' : 'slTriggerPx'));
  if (profit === undefined && loss === undefined) reader.refuse(eitherRequired('tpTriggerPx', 'slTriggerPx'));
  const takes = profit === undefined ? [] : [stopLeg(sends, 'TAKE_PROFIT', profit)];
  const stops = loss === undefined ? [] : [stopLeg(sends, 'STOP', loss)];
  // One that is no pair heeds its stop loss alone.
  return kind === 'conditional' && both ? stops : [...takes, ...stops];
}

interface AskedSize {
  readonly kind: AlgoKind;
  /** Present on contracts. */
  readonly position: { readonly hedged: boolean; readonly reduceOnly: boolean } | undefined;
}

/** All of a position (`closeFraction`), which only market orders that reduce may close. */
function readFraction(reader: ParamReader, { kind, position }: AskedSize): 'WHOLE' {
  if (reader.text('closeFraction') !== '1') reader.refuse(parameterError('closeFraction'));
  if (position === undefined) reader.refuse(ERRORS.fractionPairs);
  if (position?.hedged === true) reader.refuse(ERRORS.fractionNet);
  if (position?.reduceOnly !== true) reader.refuse(ERRORS.fractionReduces);
  const limited = ['tpOrdPx', 'slOrdPx'].some((name) => reader.has(name) && reader.text(name) !== '-1');
  if (limited || !isStopKind(kind)) reader.refuse(ERRORS.fractionMarket);
  return 'WHOLE';
}

/**
 * Whether a pair's size counts quote: what a `conditional` buys at market, unless it says otherwise; nothing else does
 * (`tgtCcy` of "Place algo order"; a trigger order must not say it, error 51281).
 */
function countsQuote(reader: ParamReader, kind: AlgoKind): boolean {
  const target = reader.choice('tgtCcy', ['base_ccy', 'quote_ccy']);
  const atMarket = ['tpOrdPx', 'slOrdPx'].every((name) => !reader.has(name) || reader.text(name) === '-1');
  const buys = kind === 'conditional' && atMarket && reader.text('side') === 'buy';
  if (target === 'quote_ccy' && !buys)
    reader.refuse(kind === 'trigger' ? ERRORS.triggerTarget : parameterError('tgtCcy'));
  return buys && target !== 'base_ccy';
}

interface Size {
  readonly quantity: Lots | 'WHOLE' | undefined;
  readonly quoteQuantity?: Amount;
}

function readSize(reader: ParamReader, facts: MarketFacts, asked: AskedSize): Size {
  if (reader.has('closeFraction')) return { quantity: readFraction(reader, asked) };
  if (!reader.has('sz')) reader.refuse(cannotBeEmpty('sz'));
  const size = reader.decimal('sz');
  if (size === 0n) reader.refuse(parameterError('sz'));
  if (asked.position === undefined && countsQuote(reader, asked.kind))
    return size === undefined ? { quantity: undefined } : { quantity: undefined, quoteQuantity: size };
  const lots = size === undefined ? undefined : lotsOf(size, facts);
  if (lots?.ok === false) reader.refuse(lots.code);
  return { quantity: lots?.ok === true ? lots.value : undefined };
}

/** Which position a contract's order is about; of a pair there is none. */
function readTerms(
  desk: Desk,
  reader: ParamReader,
  place: Place,
): Pick<AskedSends, 'positionSide' | 'marginMode' | 'reduceOnly'> {
  const { account, listed } = place;
  if (listed.contract === undefined) {
    checkMode(reader);
    return { positionSide: 'BOTH', reduceOnly: false };
  }
  if (!isTraded(listed) || !desk.venue.perps.tradesContracts(account)) reader.refuse(ERRORS.accountMode);
  const mode = reader.requiredChoice('tdMode', ['cross', 'isolated']);
  const positionSide = readPositionSide(reader, desk, place);
  const reduceOnly = reader.choice('reduceOnly', ['true', 'false']) === 'true';
  return { positionSide, marginMode: marginModeOf(mode), reduceOnly };
}

/** What a call asks for, as the core takes it. */
export interface AlgoDraft {
  readonly kind: AlgoKind;
  readonly asked: AskedAlgo;
  readonly tag: string;
}

function legsIn(
  desk: Desk,
  reader: ParamReader,
  asked: {
    readonly listed: Listed;
    readonly kind: AlgoKind;
    readonly sends: AskedSends;
    readonly named: string;
  },
): NewConditionalLeg[] {
  const { listed, kind, sends, named } = asked;
  const facts = factsOf(listed);
  if (isStopKind(kind)) return stopLegs(reader, facts, sends, kind);
  if (kind === 'trigger') return triggerLegs(desk, reader, listed, sends);
  if (kind === 'move_order_stop') return trailingLegs(reader, facts, sends);
  return icebergLegs(reader, facts, { sends, named, random: desk.randomText(OWN_ID_LENGTH) });
}

/** What comes with the order that a trigger order sends, of accounts that trade contracts: one entry, for all of it. */
function readTriggerStops(
  desk: Desk,
  reader: ParamReader,
  { kind, account, listed, side }: Place & { readonly kind: AlgoKind; readonly side: 'BUY' | 'SELL' },
): AttachedStops | undefined {
  const nowhere = parameterError('attachAlgoOrds');
  const ofPair = listed.contract === undefined;
  const several = ofPair ? ERRORS.splitPairs : nowhere;
  const attached = readAttached(reader, factsOf(listed), { several, ...(ofPair ? {} : { side }) });
  if (attached === undefined) return undefined;
  if (kind !== 'trigger') reader.refuse(nowhere);
  if (ofPair && !desk.venue.perps.tradesContracts(account)) reader.refuse(ERRORS.accountMode);
  const legs = [attached.takeProfit, attached.stopLoss];
  if (ofPair && legs.some((leg) => leg !== undefined && leg.by !== 'LAST'))
    reader.refuse(ERRORS.onlyLastPrice);
  return attached;
}

/** Which leg of it lies on the wrong side of the price that is sent, or at market of the one that is waited for. */
function triggerStopsError(
  legs: readonly Pick<NewConditionalLeg, 'trigger' | 'sends'>[],
): OkxError | undefined {
  for (const { trigger, sends } of legs) {
    const from = sends.price ?? (trigger.at === 'PRICE' ? trigger.price : undefined);
    const wrong = sends.attached && from !== undefined && attachedSideError(sends.side, sends.attached, from);
    if (wrong) return wrong;
  }
  return undefined;
}

/** Reads one new algo order. */
export function readAlgoDraft(desk: Desk, reader: ParamReader, place: Place): Result<AlgoDraft, OkxError> {
  const { account, listed } = place;
  const facts = factsOf(listed);
  const { reduceOnly, ...position } = readTerms(desk, reader, place);
  const side = reader.requiredChoice('side', ['buy', 'sell']);
  const kind = reader.requiredChoice('ordType', ALGO_KINDS);
  const hedged = position.positionSide !== 'BOTH';
  const onContract = listed.contract === undefined ? undefined : { hedged, reduceOnly };
  const { quantity, ...counted } = readSize(reader, facts, { kind, position: onContract });
  const named = reader.pattern('algoClOrdId', /^[A-Za-z0-9]{1,32}$/);
  const tag = reader.pattern('tag', /^[A-Za-z0-9]{1,16}$/) ?? '';
  const ends = reader.choice('cxlOnClosePos', ['true', 'false']) === 'true';
  const attached = readTriggerStops(desk, reader, { kind, side: side === 'buy' ? 'BUY' : 'SELL', ...place });
  const sends: AskedSends = {
    ...{ account, symbol: listed.instId, ...position },
    side: side === 'buy' ? 'BUY' : 'SELL',
    quantity: quantity ?? (1 as Lots),
    // Legs are closed by side alone; there the parameter is ignored.
    reduceOnly: reduceOnly && !hedged,
    clientId: algoClientId(kind, named ?? '', desk.randomText(OWN_ID_LENGTH)),
    selfTradePrevention: 'EXPIRE_MAKER',
    ...(attached === undefined ? {} : { attached }),
  };
  const legs = legsIn(desk, reader, { listed, kind, sends, named: named ?? '' });
  if (onContract === undefined && legs.some(({ trigger }) => trigger.by !== 'LAST'))
    reader.refuse(ERRORS.onlyLastPrice);
  const wrong = triggerStopsError(legs);
  if (wrong !== undefined) reader.refuse(wrong);
  const [first, ...others] = legs;
  if (reader.refusal !== undefined || first === undefined)
    return refused(reader.refusal ?? parameterError('ordType'));
  const stands =
    quantity === 'WHOLE' ? ({ position: 'WHOLE' } as const) : ends ? ({ position: 'PART' } as const) : {};
  return { ok: true, value: { kind, tag, asked: { legs: [first, ...others], ...stands, ...counted } } };
}

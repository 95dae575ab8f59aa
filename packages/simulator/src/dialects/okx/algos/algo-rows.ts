import { formatAmount, type Lots, stepsToAmount, type Ticks } from '@crossbook/domain';
import type { AccountNumber } from '../../../exchange.ts';
import type { PerpConditionalEvent } from '../../../perp-conditionals.ts';
import type { StopLeg } from '../../../perp-exchange.ts';
import { firingPrice, type PriceKind } from '../../../triggers/trigger.ts';
import { fields } from '../../wire/fields.ts';
import type { Desk } from '../desk.ts';
import { formatFloat } from '../format.ts';
import { ordIdOf } from '../ids.ts';
import { factsOf, type Listed } from '../listing.ts';
import { algoClOrdIdOf, isStopKind, kindOfAlgo } from './algo-ids.ts';
import type { AlgoAdapter, AlgoLeg, AlgoOrder } from './algo-legs.ts';
import { type AttachedEntry, entriesOf } from './attached-entries.ts';
import { icebergTerms } from './iceberg-ids.ts';

/** Algo orders as lists and channels tell them (OKX v5 guide, "GET / Algo order list", 2026). */

/** A share of 1 in the core's hundredths of a percent. */
const BIPS = 10_000;

/** What nobody has here: other kinds of algo orders, borrowing. */
const EMPTY_FIELDS = fields('ccy clOrdId pxLimit pxSpread pxVar quickMgnType szLimit timeInterval', '');

/** Which price is followed, in OKX's words. */
export const PRICE_WORDS: Readonly<Record<PriceKind, string>> = {
  LAST: 'last',
  MARK: 'mark',
  INDEX: 'index',
};

type Fired = Extract<AlgoLeg, { readonly firedAt: unknown }>;

function firedLeg({ legs }: AlgoOrder): Fired | undefined {
  return legs.find((leg): leg is Fired => 'firedAt' in leg);
}

/** `state`: an iceberg is over once its slices have filled all of it. */
export function stateOf(desk: Desk, adapter: AlgoAdapter, order: AlgoOrder): ReturnType<typeof algoState> {
  const state = algoState(order);
  const {
    listed,
    legs: [leg],
  } = order;
  if (state !== 'canceled' || icebergTerms(leg) === undefined) return state;
  const executed = adapter.slices(desk, listed, leg).reduce((sum, slice) => sum + slice.executed, 0);
  return executed === leg.sends.quantity ? 'effective' : state;
}

/** `state` of one that is no iceberg. */
function algoState(order: AlgoOrder): 'live' | 'effective' | 'canceled' | 'order_failed' {
  const fired = firedLeg(order);
  if (fired !== undefined) return fired.state === 'REFUSED' ? 'order_failed' : 'effective';
  return order.legs.some(({ state }) => state === 'WAITING') ? 'live' : 'canceled';
}

/** Whole algo orders of some legs, in the order of their first ones. */
export function joinLegs(desk: Desk, legs: readonly AlgoLeg[]): readonly AlgoOrder[] {
  const joined = new Map<string, [AlgoLeg, ...AlgoLeg[]]>();
  for (const leg of legs) {
    const id = `${leg.sends.symbol} ${leg.group ?? leg.algoId}`;
    const known = joined.get(id);
    if (known === undefined) joined.set(id, [leg]);
    else known.push(leg);
  }
  return [...joined.values()].flatMap((whole) => {
    const listed = desk.listing.find(whole[0].sends.symbol);
    return listed === undefined ? [] : [{ listed, legs: whole }];
  });
}

/** A price in ticks. */
export function priceText(listed: Listed, ticks: number): string {
  return formatAmount(stepsToAmount(ticks, factsOf(listed).tickSize));
}

/** `-1` is a market order. */
export function sentText(listed: Listed, price: Ticks | undefined): string {
  return price === undefined ? '-1' : priceText(listed, price);
}

/** Trigger, kind of price and what is sent, under the names of one leg. */
export function legFields(
  listed: Listed,
  leg: AlgoLeg | undefined,
  prefix: 'tp' | 'sl',
): Readonly<Record<string, string>> {
  const names = [`${prefix}TriggerPx`, `${prefix}TriggerPxType`, `${prefix}OrdPx`] as const;
  if (leg?.trigger.at !== 'PRICE') return fields(names.join(' '), '');
  return {
    [names[0]]: priceText(listed, leg.trigger.price),
    [names[1]]: PRICE_WORDS[leg.trigger.by],
    [names[2]]: sentText(listed, leg.sends.price),
  };
}

/** What an entry of `attachAlgoOrds` is called, and what its legs wait for and send. */
export function entryFields(listed: Listed, { profit, loss, trailing, named = '' }: AttachedEntry): object {
  const leg = (stop: StopLeg | undefined, prefix: 'tp' | 'sl') => {
    const waits = stop?.rests === undefined ? stop : undefined;
    const share = waits?.shareBips;
    return {
      [`${prefix}TriggerPx`]:
        waits === undefined || share !== undefined ? '' : priceText(listed, waits.trigger),
      ...(share === undefined
        ? {}
        : { [`${prefix}TriggerRatio`]: formatFloat((prefix === 'sl' ? Math.abs(share) : share) / BIPS) }),
      [`${prefix}TriggerPxType`]: waits === undefined ? '' : PRICE_WORDS[waits.by],
      [`${prefix}OrdPx`]: stop === undefined ? '' : sentText(listed, stop.limit),
    };
  };
  const trails = trailing === undefined ? {} : trailFields(listed, trailing);
  return { attachAlgoClOrdId: named, ...leg(loss, 'sl'), ...leg(profit, 'tp'), ...trails };
}

/** How far a trailing stop comes back, and from where on it follows. */
function trailFields(listed: Listed, { back, activation }: NonNullable<AttachedEntry['trailing']>): object {
  return {
    activePx: activation === undefined ? '' : priceText(listed, activation),
    callbackRatio: 'bips' in back ? formatFloat(back.bips / BIPS) : '',
    callbackSpread: 'ticks' in back ? priceText(listed, back.ticks) : '',
  };
}

function triggerFields({ listed, legs: [leg] }: AlgoOrder, kind: string): object {
  const asked = kind === 'trigger' && leg.trigger.at === 'PRICE' ? leg.trigger : undefined;
  return {
    triggerPx: asked === undefined ? '' : priceText(listed, asked.price),
    triggerPxType: asked === undefined ? '' : PRICE_WORDS[asked.by],
    ordPx: asked === undefined ? '' : sentText(listed, leg.sends.price),
  };
}

function trailingFields({ listed, legs: [{ trigger }] }: AlgoOrder): object {
  if (trigger.at !== 'TRAIL') return fields('activePx callbackRatio callbackSpread moveTriggerPx', '');
  const due = firingPrice(trigger);
  const moveTriggerPx = due === undefined ? '' : priceText(listed, Math.round(due));
  return { ...trailFields(listed, trigger), moveTriggerPx };
}

/** What became of it when its price came. */
function firedFields(desk: Desk, adapter: AlgoAdapter, order: AlgoOrder): object {
  const leg = firedLeg(order);
  const { listed } = order;
  if (leg === undefined) {
    const none = fields('actualPx actualSide ordId triggerTime failCode', '');
    return { ...none, actualSz: '0', linkedOrd: { ordId: '' }, ordIdList: [] };
  }
  const child = adapter.childOf(desk, listed, leg);
  const ordId = child?.ordId ?? '';
  const sides = { TAKE_PROFIT: 'tp', STOP: 'sl', TRAILING: '' } as const;
  return {
    actualPx: child === undefined ? '' : sentText(listed, child.price),
    actualSide: kindOfAlgo(order.legs[0]) === 'trigger' ? '' : sides[leg.purpose],
    actualSz: typeof child?.quantity === 'number' ? listed.format.quantity(child.quantity) : '0',
    failCode: leg.state === 'REFUSED' ? adapter.failCode(leg.refusal) : '',
    linkedOrd: { ordId: '' },
    ordId,
    ordIdList: ordId === '' ? [] : [ordId],
    triggerTime: String(leg.firedAt),
  };
}

/** How an iceberg shows itself, and what its slices are and have done. */
function icebergFields(desk: Desk, adapter: AlgoAdapter, { listed, legs: [leg] }: AlgoOrder): object {
  const terms = icebergTerms(leg);
  if (terms === undefined) return {};
  const { visible, back } = terms;
  const slices = adapter.slices(desk, listed, leg);
  const ids = slices.map(({ orderId }) => ordIdOf(listed, orderId));
  const executed = slices.reduce((sum, slice) => sum + slice.executed, 0);
  return {
    actualSz: listed.format.quantity(executed as Lots),
    ordId: ids.at(-1) ?? '',
    ordIdList: ids,
    pxLimit: leg.sends.price === undefined ? '' : priceText(listed, leg.sends.price),
    pxSpread: 'ticks' in back ? priceText(listed, back.ticks) : '',
    pxVar: 'bips' in back ? formatFloat(back.bips / 10_000) : '',
    szLimit: listed.format.quantity(visible),
  };
}

function sizeText(listed: Listed, { quantity, quoteQuantity }: AlgoLeg['sends']): string {
  if (quoteQuantity !== undefined) return formatAmount(quoteQuantity);
  return typeof quantity === 'number' ? listed.format.quantity(quantity) : '';
}

/** An algo order as lists have it. */
export function algoRow(desk: Desk, adapter: AlgoAdapter, order: AlgoOrder): Record<string, unknown> {
  const { listed, legs } = order;
  const [first] = legs;
  const { sends } = first;
  const kind = kindOfAlgo(first);
  const leg = (purpose: AlgoLeg['purpose']) =>
    isStopKind(kind) ? legs.find((one) => one.purpose === purpose) : undefined;
  const { reduceOnly, ...terms } = adapter.termsOf(desk, first);
  return {
    ...EMPTY_FIELDS,
    ...trailingFields(order),
    ...triggerFields(order, kind),
    ...legFields(listed, leg('TAKE_PROFIT'), 'tp'),
    ...legFields(listed, leg('STOP'), 'sl'),
    ...firedFields(desk, adapter, order),
    ...icebergFields(desk, adapter, order),
    ...terms,
    algoClOrdId: algoClOrdIdOf(first),
    algoId: adapter.idOf(listed, first),
    amendPxOnTriggerType: first.attached?.atCost === true ? '1' : '',
    attachAlgoOrds:
      sends.attached === undefined ? [] : entriesOf(sends.attached).map((one) => entryFields(listed, one)),
    cTime: String(first.createdAt),
    closeFraction: sends.quantity === 'WHOLE' ? '1' : '',
    instId: listed.instId,
    instType: listed.instType,
    last: formatFloat(listed.markets.ticker(listed.instId).last),
    ordType: kind,
    reduceOnly: String(reduceOnly),
    side: sends.side.toLowerCase(),
    state: stateOf(desk, adapter, order),
    sz: sizeText(listed, sends),
    tag: desk.orderNotes.tagOf({ ...sends, account: sends.account as AccountNumber }),
    uTime: String(Math.max(...legs.map(({ updatedAt }) => updatedAt))),
  };
}

/** Something that happened to a leg. */
export interface AlgoEvent {
  readonly cause: PerpConditionalEvent['cause'];
  readonly order: AlgoLeg;
}

/** Events that lists do not show: what follows from them is told by others. */
const UNTOLD: ReadonlySet<AlgoEvent['cause']> = new Set(['MOVED', 'TRIGGERING', 'FINISHED']);

/** One row of the `orders-algo` channel; `undefined` where a pair's other leg tells it. */
export function algoPush(
  desk: Desk,
  adapter: AlgoAdapter,
  { cause, order: leg }: AlgoEvent,
): object | undefined {
  const [order] = joinLegs(desk, adapter.legsOf(desk, leg));
  // A target that rests is told as the order that it is.
  if (order === undefined || UNTOLD.has(cause) || leg.attached?.rests === true) return undefined;
  const ends = cause === 'CANCELLED' || cause === 'EXPIRED';
  // A pair begins and is cancelled as one; a leg that ends because the other one fired is no event of it.
  if ((cause === 'NEW' || ends) && leg.group !== undefined && leg.group !== leg.algoId) return undefined;
  if (ends && algoState(order) !== 'canceled') return undefined;
  return { ...algoRow(desk, adapter, order), amendResult: cause === 'AMENDED' ? '0' : '', reqId: '' };
}

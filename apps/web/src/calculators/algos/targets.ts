import {
  AMOUNT_ONE,
  type Amount,
  decimalsOf,
  divDown,
  floorTo,
  formatAmountFixed,
  mulDown,
  parseAmount,
  SIDE,
  type Side,
  ZERO,
} from '@crossbook/domain';
import { closingProfit, percentOf } from '../contracts/position-stats.ts';
import { entryAmount } from '../ticket/number-entry.ts';

/** What a take-profit or stop-loss is given in: its price, or percent, gain or return counted from the entry. */
export const TARGET_UNITS = ['price', 'percent', 'pnl', 'roe'] as const;
/** One such unit. */
export type TargetUnit = (typeof TARGET_UNITS)[number];

/** Which of the two. */
export type TargetName = 'takeProfit' | 'stopLoss';

/** What a field holds. Percent, gain and return are above 0 for both: of a stop-loss they say what is lost. */
export interface TargetEntry {
  readonly text: string;
  readonly unit: TargetUnit;
  /** The price of the limit that it then sends; absent: a market order. */
  readonly limit?: string;
}

/** What is protected. */
export interface TargetScene {
  /** Of what is held: long is bought. */
  readonly side: Side;
  /** Price that it was, or would be, opened at; `undefined` while that is not known. */
  readonly entry: Amount | undefined;
  /** Base coins. */
  readonly size: Amount | undefined;
  /** 1 of pairs. */
  readonly leverage: number;
  readonly tickSize: Amount;
  /** Fraction that closing costs. */
  readonly feeRate: Amount;
}

/** Nothing filled in. */
export const NO_TARGET: TargetEntry = { text: '', unit: 'price' };

/** How the targets of an order look: one of each, several take-profits for parts of it, or a trailing stop in their place. */
export const TARGET_FORMS = ['one', 'several', 'trailing'] as const;
/** One such form. */
export type TargetForm = (typeof TARGET_FORMS)[number];

/** One of several take-profits as its fields hold it. */
export interface PartEntry {
  /** Where it fires; what it sends is a market order. */
  readonly target: TargetEntry;
  /** Percent of the order that it closes. */
  readonly share: string;
}

/** A trailing stop of an order as its fields hold it. */
export interface TrailingEntry {
  /** How far it follows behind: percent, or a distance in quote. */
  readonly callback: string;
  readonly callbackIn: 'percent' | 'distance';
  /** Price from which it follows; empty = at once. */
  readonly activation: string;
}

/** What an order may bring along, beyond one of each. */
export interface TargetForms {
  readonly form: TargetForm;
  readonly parts: readonly PartEntry[];
  readonly trailing: TrailingEntry;
}

/** Untouched ones: two halves. */
export const NO_FORMS: TargetForms = {
  form: 'one',
  parts: [
    { target: NO_TARGET, share: '50' },
    { target: NO_TARGET, share: '50' },
  ],
  trailing: { callback: '', callbackIn: 'percent', activation: '' },
};

/** A field without its figure, in the unit that it was given in. */
export function blank({ unit }: TargetEntry): TargetEntry {
  return { ...NO_TARGET, unit };
}

/** The forms without figures of the market: shares and units stay. */
export function blankForms({ form, parts, trailing }: TargetForms): TargetForms {
  return {
    form,
    parts: parts.map(({ target, share }) => ({ target: blank(target), share })),
    trailing: { ...NO_FORMS.trailing, callbackIn: trailing.callbackIn },
  };
}

/** Units that have a meaning: return needs leverage, gain a size. */
export function targetUnits({ leverage }: Pick<TargetScene, 'leverage'>): readonly TargetUnit[] {
  return TARGET_UNITS.filter((unit) => unit !== 'roe' || leverage > 1);
}

/** Price distance from the entry that an entry means. */
function distanceOf(entry: Amount, value: Amount, unit: TargetUnit, scene: TargetScene): Amount | undefined {
  const hundred = (AMOUNT_ONE * 100n) as Amount;
  if (unit === 'percent') return divDown(mulDown(entry, value), hundred);
  if (unit === 'roe') {
    return (divDown(mulDown(entry, value), hundred) / BigInt(Math.max(1, scene.leverage))) as Amount;
  }
  return scene.size === undefined || scene.size === 0n ? undefined : divDown(value, scene.size);
}

/** The nearest price on the tick. */
function onTick(price: bigint, tickSize: Amount): Amount | undefined {
  const near = floorTo((price + tickSize / 2n) as Amount, tickSize);
  return near > 0n ? near : undefined;
}

/** The trigger price that an entry means, on the tick where it is reckoned; `undefined` while it means none. */
export function targetPrice(name: TargetName, entry: TargetEntry, scene: TargetScene): Amount | undefined {
  const value = entryAmount(entry.text);
  if (value === undefined || value === 0n) return undefined;
  if (entry.unit === 'price') return value;
  if (scene.entry === undefined) return undefined;
  const distance = distanceOf(scene.entry, value, entry.unit, scene);
  if (distance === undefined) return undefined;
  const up = (scene.side === SIDE.BUY) === (name === 'takeProfit');
  return onTick(up ? scene.entry + distance : scene.entry - distance, scene.tickSize);
}

/** The limit that a leg sends; 0 while it was not filled in, `undefined` at market. */
export function targetLimit({ limit }: TargetEntry): Amount | undefined {
  return limit === undefined ? undefined : (entryAmount(limit) ?? ZERO);
}

/** The entry at market, or at a limit that begins at its trigger. */
export function entrySending(
  { limit: _, ...entry }: TargetEntry,
  sends: 'market' | 'limit',
  trigger: Amount | undefined,
  tickSize: Amount,
): TargetEntry {
  if (sends === 'market') return entry;
  return { ...entry, limit: trigger === undefined ? '' : formatAmountFixed(trigger, decimalsOf(tickSize)) };
}

/** Percents from the entry that one press asks for. */
export const QUICK_PERCENTS = [1, 2, 5] as const;

/** The price on the tick at which closing loses nothing: the exchange's own figure, to the side that the position gains on. */
export function breakEvenEntry(
  breakEven: Amount,
  { side, tickSize }: Pick<TargetScene, 'side' | 'tickSize'>,
): TargetEntry {
  const below = floorTo(breakEven, tickSize);
  const price = side === SIDE.BUY && below < breakEven ? below + tickSize : below;
  return { text: formatAmountFixed(price as Amount, decimalsOf(tickSize)), unit: 'price' };
}

/** What a target would bring. */
export interface TargetStats {
  /** Percent from the entry, signed. */
  readonly percent: number;
  /** Quote, signed, after the fee of closing; `undefined` without a size. */
  readonly net: Amount | undefined;
  /** Percent of the margin, signed; `undefined` without leverage or size. */
  readonly roe: number | undefined;
}

/** What a target would bring: closed at its limit, or where it fires. `undefined` while the entry is not known. */
export function targetStats(
  price: Amount,
  scene: TargetScene,
  limit: Amount | undefined = undefined,
): TargetStats | undefined {
  const { entry, size, side, leverage, feeRate } = scene;
  if (entry === undefined || entry === 0n) return undefined;
  const percent = percentOf((price - entry) as Amount, entry);
  if (size === undefined || size === 0n) return { percent, net: undefined, roe: undefined };
  const closedAt = limit === undefined || limit === ZERO ? price : limit;
  const { net } = closingProfit({ side, entry }, size, closedAt, feeRate);
  const margin = (mulDown(size, entry) / BigInt(Math.max(1, leverage))) as Amount;
  return { percent, net, roe: leverage > 1 ? percentOf(net, margin) : undefined };
}

/**
 * What gain stands against what loss: `2.1` means more than twice as much to win; `undefined` unless both are there and the entry
 * lies between them.
 */
export function rewardToRisk(
  takeProfit: Amount | undefined,
  stopLoss: Amount | undefined,
  { entry }: Pick<TargetScene, 'entry'>,
): number | undefined {
  if (takeProfit === undefined || stopLoss === undefined || entry === undefined) return undefined;
  const [reward, risk] = [Number(takeProfit - entry), Number(entry - stopLoss)];
  return reward * risk > 0 ? reward / risk : undefined;
}

/** The price of a target in a row; `undefined` where there is none. */
export function rowTrigger(leg: { readonly triggerPrice: string | null } | null): Amount | undefined {
  return leg?.triggerPrice == null ? undefined : parseAmount(leg.triggerPrice);
}

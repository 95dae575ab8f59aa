import {
  type AlgoOffer,
  AMOUNT_ONE,
  type Amount,
  divDown,
  formatAmount,
  type Instrument,
  lesser,
  mulDown,
  plus,
  type TriggerBy,
  targetsFault,
  ZERO,
} from '@crossbook/domain';
import { entryAmount } from '../ticket/number-entry.ts';
import type { BracketError, BracketOrder } from './brackets.ts';
import { blank, type PartEntry, type TargetScene, targetPrice, targetStats } from './targets.ts';

/** Several take-profits of an order, each for a share of it. */

const HUNDRED = (100n * AMOUNT_ONE) as Amount;

/** Whole percents that make up 100, as alike as they can be; the last ones are the larger. */
function equalShares(count: number): readonly string[] {
  return Array.from({ length: count }, (_, at) =>
    String(Math.floor((100 * (at + 1)) / count) - Math.floor((100 * at) / count)),
  );
}

/** The same targets with shares that are alike. */
export function withEqualShares(parts: readonly PartEntry[]): readonly PartEntry[] {
  const shares = equalShares(parts.length);
  return parts.map((part, at) => ({ ...part, share: shares[at] ?? '' }));
}

function areEqual(parts: readonly PartEntry[]): boolean {
  const shares = equalShares(parts.length);
  return parts.every(({ share }, at) => share === shares[at]);
}

/** One more, given in the unit of the last. Where all were alike they are so again, else it takes what is left. */
export function partAdded(parts: readonly PartEntry[]): readonly PartEntry[] {
  const target = blank(parts.at(-1)?.target ?? { text: '', unit: 'price' });
  if (areEqual(parts)) return withEqualShares([...parts, { target, share: '' }]);
  const left = HUNDRED - sharesTogether(parts);
  return [...parts, { target, share: left > 0n ? formatAmount(left as Amount) : '' }];
}

/** One fewer. @param number which, from 1. */
export function partRemoved(parts: readonly PartEntry[], number: number): readonly PartEntry[] {
  const left = parts.toSpliced(number - 1, 1);
  return areEqual(parts) ? withEqualShares(left) : left;
}

/** Percents of all of them. */
export function sharesTogether(parts: readonly PartEntry[]): Amount {
  return parts.reduce((sum, { share }) => plus(sum, entryAmount(share) ?? ZERO), ZERO);
}

/** The share with which one would make up 100 % with the others; `undefined` where these leave none. */
export function shareLeft(parts: readonly PartEntry[], number: number): string | undefined {
  const left = HUNDRED - sharesTogether(parts.toSpliced(number - 1, 1));
  return left > 0n ? formatAmount(left as Amount) : undefined;
}

/**
 * Shares out a quantity in whole lots. Each ends where the nearest lot to its share of the way is, so that alike parts of a few lots
 * are alike, and shares of 100 together come to all of it.
 * @param shares percents.
 */
export function splitByShares(
  quantity: Amount,
  shares: readonly Amount[],
  lotSize: Amount,
): readonly Amount[] {
  const lots = quantity / lotSize;
  const lotsUpTo = (percents: bigint) => (lots * percents * 2n + HUNDRED) / (HUNDRED * 2n);
  const ends = shares.map((_, at) => shares.slice(0, at + 1).reduce(plus, ZERO));
  return ends.map((end, at) => ((lotsUpTo(end) - lotsUpTo(ends[at - 1] ?? 0n)) * lotSize) as Amount);
}

/** One of them as it is shown: what is not known yet is `undefined`. */
export interface PartRow {
  /** From 1. */
  readonly number: number;
  readonly entry: PartEntry;
  readonly price: Amount | undefined;
  /** As the venue counts. */
  readonly quantity: Amount | undefined;
  /** What it protects: the scene of the order with the part's coins for a size. */
  readonly scene: TargetScene;
}

/** What the rows mean for an order. */
export function partRows(
  parts: readonly PartEntry[],
  scene: TargetScene,
  { contractValue, lotSize }: Pick<Instrument, 'contractValue' | 'lotSize'>,
): readonly PartRow[] {
  const { size } = scene;
  const shares = parts.map(({ share }) => entryAmount(share) ?? ZERO);
  const quantities =
    size === undefined ? undefined : splitByShares(divDown(size, contractValue), shares, lotSize);
  return parts.map((entry, at) => {
    const quantity = quantities?.[at];
    const ofPart = { ...scene, size: quantity && mulDown(quantity, contractValue) };
    const price = targetPrice('takeProfit', entry.target, ofPart);
    return { number: at + 1, entry, price, quantity, scene: ofPart };
  });
}

/** What all of them bring after fees, and the price that they come to on average; `undefined` while one is not known. */
export function partsBring(rows: readonly PartRow[]): {
  readonly net: Amount | undefined;
  readonly price: Amount | undefined;
} {
  const nets = rows.flatMap(({ price, scene }) => {
    const net = price === undefined ? undefined : targetStats(price, scene)?.net;
    return net ?? [];
  });
  const quantity = rows.reduce((sum, row) => plus(sum, row.quantity ?? ZERO), ZERO);
  if (nets.length < rows.length || quantity === ZERO) return { net: undefined, price: undefined };
  const value = rows.reduce((sum, row) => sum + (row.price ?? 0n) * (row.quantity ?? 0n), 0n);
  return { net: nets.reduce(plus, ZERO), price: (value / quantity) as Amount };
}

/** The order that they come with. */
interface PartsOrder extends BracketOrder {
  readonly offer: AlgoOffer;
  readonly by: TriggerBy;
}

const missing = (field: BracketError['field']): BracketError => ({
  ...{ name: 'field-invalid', field, allowed: '> 0', missing: true },
});

/** What is wrong with one of them for itself. */
function rowError({ number, entry, price }: PartRow, order: PartsOrder): BracketError | undefined {
  const field = `takeProfit${number}` as const;
  if (price === undefined) return missing(field);
  const takeProfit = { trigger: { price, by: order.by } };
  const fault = targetsFault(order, { takeProfit }, order.offer);
  if (fault !== undefined) return { name: fault.name, field, allowed: (fault.allowed ?? []).join(' – ') };
  return (entryAmount(entry.share) ?? ZERO) === ZERO ? missing(`share${number}`) : undefined;
}

/** The first thing that is wrong with several take-profits of an order: each for itself, then what they are together. */
export function partsError(rows: readonly PartRow[], order: PartsOrder): BracketError | undefined {
  for (const row of rows) {
    const error = rowError(row, order);
    if (error !== undefined) return error;
  }
  const twice = rows.find(({ price }, at) => rows.slice(0, at).some((other) => other.price === price));
  if (twice !== undefined)
    return { name: 'order-combination', field: `takeProfit${twice.number}`, allowed: '' };
  const together = sharesTogether(rows.map(({ entry }) => entry));
  if (together !== HUNDRED)
    return { name: 'order-combination', field: `share${rows.length}`, allowed: formatAmount(together) };
  return tooSmall(rows, order);
}

function tooSmall(rows: readonly PartRow[], { instrument }: PartsOrder): BracketError | undefined {
  const { minQty, contractValue } = instrument;
  const small = rows.find(({ quantity = minQty }) => lesser(quantity, minQty) !== minQty);
  if (small === undefined) return undefined;
  const allowed = formatAmount(mulDown(minQty, contractValue));
  return { name: 'quantity-range', field: `share${small.number}`, allowed };
}

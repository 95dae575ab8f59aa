import {
  AMOUNT_ONE,
  type Amount,
  ceilTo,
  decimalsOf,
  formatAmountFixed,
  type Instrument,
  type OrderFault,
  type OrderMarket,
  SCALED_COUNT,
  SCALED_SKEW_MAX,
  type ScaledOrder,
  type ScaledPart,
  SIDE,
  type Side,
  scaledFault,
  scaledParts,
  TIME_IN_FORCE,
  type TimeInForce,
  ZERO,
} from '@crossbook/domain';
import { movingFault } from './held-still.ts';
import { entryAmount } from './number-entry.ts';

/** Fields that only a scaled order has; its first price, size and time in force are those of the ordinary ticket. */
export interface ScaledEntry {
  /** Price of the last order. */
  readonly to: string;
  readonly count: string;
  readonly skew: number;
}

/** An untouched one. */
export const EMPTY_SCALED: ScaledEntry = { to: '', count: '5', skew: 0 };

/** The rest of it, as the ordinary ticket has it. */
export interface ScaledScene {
  readonly instrument: Instrument;
  readonly side: Side;
  readonly timeInForce: TimeInForce;
  /** Price of the first order, as the field shows it. */
  readonly from: string;
  /** As the venue counts; `undefined` while it is not known. */
  readonly quantity: Amount | undefined;
  readonly market: OrderMarket;
  /** Rules that do not hold for it. */
  readonly ignored: readonly OrderFault['name'][];
}

/** One thing that is wrong, at its field. */
export interface ScaledError {
  readonly name: 'field-invalid' | 'crosses' | OrderFault['name'];
  readonly field: 'from' | 'to' | 'count' | 'size' | 'form';
  readonly allowed: string;
  /** True for a field that was simply not filled in yet: said only on sending. */
  readonly missing?: true;
  /** Which order breaks the rule, 1 the first. */
  readonly part?: number;
}

/** The time in force that it goes out with: it rests. */
export function scaledTimeInForce(timeInForce: TimeInForce): 1 | 4 {
  return timeInForce === TIME_IN_FORCE.POST_ONLY ? 4 : 1;
}

/** The scaled order that stands in the fields; `undefined` while one of them is empty. */
export function scaledOrderOf(entry: ScaledEntry, scene: ScaledScene): ScaledOrder | undefined {
  const [from, to] = [entryAmount(scene.from), entryAmount(entry.to)];
  const { quantity } = scene;
  const count = Number(entry.count);
  if (!from || !to || !quantity || !isCount(count)) return undefined;
  return { from, to, count, skew: entry.skew, quantity };
}

function isCount(count: number): boolean {
  return Number.isInteger(count) && count >= SCALED_COUNT.least && count <= SCALED_COUNT.most;
}

function missing(entry: ScaledEntry, { from, quantity }: ScaledScene): readonly ScaledError[] {
  const prices = (
    [
      ['from', from],
      ['to', entry.to],
    ] as const
  ).flatMap(([field, text]): readonly ScaledError[] => {
    const value = entryAmount(text);
    if (value !== undefined && value > ZERO) return [];
    const error = { name: 'field-invalid', field, allowed: '> 0' } as const;
    return [value === undefined && text !== '' ? error : { ...error, missing: true }];
  });
  const allowed = `${SCALED_COUNT.least} – ${SCALED_COUNT.most}`;
  return [
    ...prices,
    ...(isCount(Number(entry.count)) ? [] : [{ name: 'field-invalid', field: 'count', allowed } as const]),
    ...(quantity === undefined || quantity === ZERO
      ? [{ name: 'field-invalid', field: 'size', allowed: '> 0', missing: true } as const]
      : []),
  ];
}

/** Everything that is wrong with it before it is sent but the money for it; empty for a sound one. */
export function scaledErrors(entry: ScaledEntry, scene: ScaledScene): readonly ScaledError[] {
  const order = scaledOrderOf(entry, scene);
  if (order === undefined) return missing(entry, scene);
  const { instrument, side, market, ignored } = scene;
  const timeInForce = scaledTimeInForce(scene.timeInForce);
  const fault = scaledFault(order, { instrument, side, timeInForce }, market, ignored);
  if (fault !== undefined) {
    const { name, field, allowed = [], part } = fault;
    const at = field === 'quantity' ? 'size' : (field ?? 'form');
    return [{ name, field: at, allowed: allowed.join(' – '), ...(part === undefined ? {} : { part }) }];
  }
  return crossing(order, scene);
}

/** Of what its faults are said, where the first one's bound follows the market (see `heldStill`). */
export function movingScaled(
  [first]: readonly ScaledError[],
  { to, count, skew }: ScaledEntry,
  { instrument, side, timeInForce, from }: ScaledScene,
): string | undefined {
  const { platform, symbol } = instrument;
  const at = [first?.field, first?.part];
  return movingFault(first?.name, [...at, platform, symbol, side, timeInForce, from, to, count, skew]);
}

/** The price of it that is nearest to, or furthest through, the other side of the book. */
export function keenestPrice({ from, to }: ScaledOrder, side: Side): Amount {
  return (side === SIDE.BUY) === from > to ? from : to;
}

/** The exchange itself refuses orders that only make and would fill at once. */
function crossing(order: ScaledOrder, { side, timeInForce, market, instrument }: ScaledScene) {
  const best = side === SIDE.BUY ? market.bestAsk : market.bestBid;
  const keenest = keenestPrice(order, side);
  if (scaledTimeInForce(timeInForce) !== TIME_IN_FORCE.POST_ONLY || best === undefined) return [];
  if (side === SIDE.BUY ? keenest < best : keenest > best) return [];
  const allowed = `${side === SIDE.BUY ? '<' : '>'} ${formatAmountFixed(best, decimalsOf(instrument.tickSize))}`;
  return [{ name: 'crosses', field: keenest === order.from ? 'from' : 'to', allowed } as const];
}

/** Its orders, first to last; none while it is not sound. */
export function scaledList(entry: ScaledEntry, scene: ScaledScene): readonly ScaledPart[] {
  const order = scaledOrderOf(entry, scene);
  const sound = scaledErrors(entry, scene).every(({ name }) => name === 'crosses');
  return order === undefined || !sound ? [] : scaledParts(order, scene.instrument);
}

/** What its orders cost on average, on the tick above, so that no figure reckoned with it is too small. */
export function averagePrice(parts: readonly ScaledPart[], { tickSize }: Instrument): Amount | undefined {
  const quantity = parts.reduce((sum, part) => sum + part.quantity, 0n);
  if (quantity === 0n) return undefined;
  const value = parts.reduce((sum, part) => sum + part.price * part.quantity, 0n);
  return ceilTo(((value + quantity - 1n) / quantity) as Amount, tickSize);
}

/** A count after an arrow key, and a skew after one. */
export function stepCount(count: string, steps: number): string {
  const { least, most } = SCALED_COUNT;
  return String(Math.max(least, Math.min(most, (Number(count) || 0) + steps)));
}

/** What the sizes of the first and the last order are to each other: `1 : 4`. */
export function skewRatio(skew: number): string {
  const steep = Math.min(Math.abs(skew), SCALED_SKEW_MAX) + 1;
  return skew < 0 ? `${steep} : 1` : `1 : ${steep}`;
}

/** Coins of one of its orders. */
export function partCoins({ quantity }: ScaledPart, { contractValue }: Instrument): Amount {
  return ((quantity * contractValue) / AMOUNT_ONE) as Amount;
}

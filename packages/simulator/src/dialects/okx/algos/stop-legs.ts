import { type Amount, type Ticks, toNumberForDisplay } from '@crossbook/domain';
import type { MarketFacts } from '../../../exchange.ts';
import type { AttachedStops, StopLeg } from '../../../perp-exchange.ts';
import type { PriceKind } from '../../../triggers/trigger.ts';
import { cannotBeEmpty, ERRORS, type OkxError, parameterError } from '../errors.ts';
import { ticksOf } from '../orders/order-words.ts';
import type { ParamReader } from '../params.ts';

/** Take profits and stop losses, of algo orders and attached to others. */

const PRICE_KINDS: Readonly<Record<string, PriceKind>> = { last: 'LAST', index: 'INDEX', mark: 'MARK' };

/** Which price is followed; the last one when absent. */
export function readPriceKind(reader: ParamReader, name: string): PriceKind | undefined {
  const word = reader.choice(name, ['last', 'index', 'mark']);
  return word === undefined ? undefined : PRICE_KINDS[word];
}

/** A price on the contract's ticks. */
export function readTicks(reader: ParamReader, facts: MarketFacts, name: string): Ticks | undefined {
  const price = reader.decimal(name);
  const ticks = price === undefined ? undefined : ticksOf(price, facts, name);
  if (price === 0n || ticks?.ok === false) reader.refuse(parameterError(name));
  return ticks?.ok === true ? ticks.value : undefined;
}

/** What is sent: a limit order at a price, or a market order (`-1`). */
export function readSentPrice(
  reader: ParamReader,
  facts: MarketFacts,
  name: string,
): Ticks | 'MARKET' | undefined {
  return reader.text(name) === '-1' ? 'MARKET' : readTicks(reader, facts, name);
}

/** One leg of a take profit or stop loss, by the first letters of its parameters. */
export interface LegAsked {
  readonly trigger: Ticks;
  readonly by: PriceKind;
  readonly sent: Ticks | 'MARKET';
}

/** Reads one; what it sends must be said. */
export function readLeg(reader: ParamReader, facts: MarketFacts, prefix: 'tp' | 'sl'): LegAsked | undefined {
  const trigger = readTicks(reader, facts, `${prefix}TriggerPx`);
  const sent = readSentPrice(reader, facts, `${prefix}OrdPx`);
  const by = readPriceKind(reader, `${prefix}TriggerPxType`) ?? 'LAST';
  if (trigger !== undefined && sent === undefined) reader.refuse(cannotBeEmpty(`${prefix}OrdPx`));
  return trigger === undefined || sent === undefined ? undefined : { trigger, by, sent };
}

/** The same as the core takes what is attached. */
function stopLegOf({ by, trigger, sent }: LegAsked): StopLeg {
  return sent === 'MARKET' ? { by, trigger } : { by, trigger, limit: sent };
}

/** A callback ratio, or a share of a price, of 1 in the core's hundredths of a percent. */
const BIPS = 10_000;

function bipsAmount(bips: number): Amount {
  return ((BigInt(bips) * 10n ** 18n) / BigInt(BIPS)) as Amount;
}

/** How far a trailing order comes back: a share of the price or a distance. */
export function readBack(
  reader: ParamReader,
  facts: MarketFacts,
  names: { readonly ratio: string; readonly spread: string },
): { readonly bips: number } | { readonly ticks: Ticks } | undefined {
  const ratio = reader.decimal(names.ratio);
  const ticks = readTicks(reader, facts, names.spread);
  if (ratio === undefined) return ticks === undefined ? undefined : { ticks };
  const bips = Math.round(toNumberForDisplay(ratio) * BIPS);
  if (ticks !== undefined || ratio !== bipsAmount(bips)) reader.refuse(parameterError(names.ratio));
  return { bips };
}

/**
 * Reads a leg that comes with an order: at a price, or on a contract by a share of the price of the fill ("Place order",
 * `tpTriggerRatio`, `slTriggerRatio`: a target's of a sale lies below 0). @param side of the order, absent of a pair.
 */
export function readStop(
  reader: ParamReader,
  facts: MarketFacts,
  { prefix, side }: { readonly prefix: 'tp' | 'sl'; readonly side: 'BUY' | 'SELL' | undefined },
): StopLeg | undefined {
  const name = `${prefix}TriggerRatio`;
  if (!reader.has(name)) {
    const leg = readLeg(reader, facts, prefix);
    return leg && stopLegOf(leg);
  }
  const text = reader.text(name) ?? '';
  const ratio = /^-?[0-9]+(?:[.][0-9]{1,4})?$/.test(text) ? Math.round(Number(text) * BIPS) : 0;
  const buys = side === 'BUY';
  // A stop's share of a purchase is told without its sign.
  const shareBips = prefix === 'sl' && buys ? -ratio : ratio;
  const least = -BIPS;
  const fits = (prefix === 'tp') === buys ? shareBips > 0 : shareBips < 0 && shareBips > least;
  if (side === undefined || reader.has(`${prefix}TriggerPx`) || !fits) reader.refuse(parameterError(name));
  const sent = readSentPrice(reader, facts, `${prefix}OrdPx`);
  const by = readPriceKind(reader, `${prefix}TriggerPxType`) ?? 'LAST';
  if (sent === undefined) reader.refuse(cannotBeEmpty(`${prefix}OrdPx`));
  // Where it is is known with the fill.
  const trigger = 1 as Ticks;
  return sent === undefined ? undefined : { ...stopLegOf({ by, trigger, sent }), shareBips };
}

/**
 * What is wrong with the sides of what is attached.
 * @param from the price that its order has or takes, in ticks.
 */
export function attachedSideError(
  side: 'BUY' | 'SELL',
  stops: AttachedStops,
  from: number,
): OkxError | undefined {
  const buys = side === 'BUY';
  const profits = [stops.takeProfit, ...(stops.targets ?? []).map(({ leg }) => leg)];
  const wrong = profits.some(
    (leg) =>
      leg !== undefined && leg.shareBips === undefined && (buys ? leg.trigger <= from : leg.trigger >= from),
  );
  if (wrong) return buys ? ERRORS.attachedProfitLow : ERRORS.attachedProfitHigh;
  const loss = stops.stopLoss?.shareBips === undefined ? stops.stopLoss?.trigger : undefined;
  if (loss === undefined || (buys ? loss < from : loss > from)) return undefined;
  return buys ? ERRORS.attachedLossHigh : ERRORS.attachedLossLow;
}

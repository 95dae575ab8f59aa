import type { Ticks } from '@crossbook/domain';
import type { MarketFacts } from '../../../exchange.ts';
import type { AttachedStops, StopLeg } from '../../../perp-exchange.ts';
import type { PriceKind } from '../../../triggers/trigger.ts';
import { cannotBeEmpty, eitherRequired, parameterError } from '../errors.ts';
import { ticksOf } from '../orders/order-words.ts';
import { bagOf, ParamReader } from '../params.ts';
import { algoClientId } from './algo-ids.ts';

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

function legOf({ by, trigger, sent }: LegAsked): StopLeg {
  return sent === 'MARKET' ? { by, trigger } : { by, trigger, limit: sent };
}

/**
 * What protects what an order opens (`attachAlgoOrds`): one take profit, one stop loss or both for all that it fills;
 * several take profits of parts, and what follows the order's own average, are not simulated.
 */
export function readAttached(reader: ParamReader, facts: MarketFacts): AttachedStops | undefined {
  if (!reader.has('attachAlgoOrds')) return undefined;
  const given = reader.raw('attachAlgoOrds');
  const [bag, ...others] = Array.isArray(given) ? given.map(bagOf) : [undefined];
  if (Array.isArray(given) && given.length === 0) return undefined;
  if (bag === undefined || others.length > 0) {
    reader.refuse(parameterError('attachAlgoOrds'));
    return undefined;
  }
  const one = new ParamReader(bag);
  const profit = readLeg(one, facts, 'tp');
  const loss = readLeg(one, facts, 'sl');
  one.choice('tpOrdKind', ['condition']);
  one.choice('amendPxOnTriggerType', ['0']);
  for (const name of ['sz', 'callbackRatio', 'callbackSpread'])
    if (one.has(name)) one.refuse(parameterError(name));
  const named = one.pattern('attachAlgoClOrdId', /^[A-Za-z0-9]{1,32}$/);
  if (profit === undefined && loss === undefined) one.refuse(eitherRequired('tpTriggerPx', 'slTriggerPx'));
  if (one.refusal !== undefined) reader.refuse(one.refusal);
  const kind = profit !== undefined && loss !== undefined ? 'oco' : 'conditional';
  return {
    extent: 'PART',
    ...(profit === undefined ? {} : { takeProfit: legOf(profit) }),
    ...(loss === undefined ? {} : { stopLoss: legOf(loss) }),
    ...(named === undefined ? {} : { clientId: algoClientId(kind, named, '') }),
  };
}

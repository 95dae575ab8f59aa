import { type Amount, amountToSteps, ok, type Result, refused, type Ticks } from '@crossbook/domain';
import type { AttachedStops, StopLeg } from '../../../perp-exchange.ts';
import type { PriceKind } from '../../../triggers/trigger.ts';
import type { PerpFacts } from '../../../venue.ts';
import { type BybitError, invalid, missing } from '../errors.ts';
import type { ParamReader } from '../params.ts';
import { LINEAR } from './refusals.ts';

/** Parameters about prices that are waited for (order/create-order, 2026-07-24). */

const KINDS = ['LastPrice', 'IndexPrice', 'MarkPrice'] as const;
const BY: Readonly<Record<(typeof KINDS)[number], PriceKind>> = {
  LastPrice: 'LAST',
  IndexPrice: 'INDEX',
  MarkPrice: 'MARK',
};

/** What an order waits for, not yet counted in ticks. */
export interface TriggerDraft {
  readonly price: Amount;
  readonly direction: 'RISE' | 'FALL';
  readonly by: PriceKind;
}

/** One leg of what protects a position; a trigger of 0 takes it away. */
export interface LegDraft {
  readonly trigger: Amount;
  readonly by: PriceKind;
  readonly limit: Amount | undefined;
}

/** What an order protects its position with. */
export interface AttachedDraft {
  readonly extent: AttachedStops['extent'];
  readonly takeProfit: LegDraft | undefined;
  readonly stopLoss: LegDraft | undefined;
}

/** Which price is followed; that of the last trade unless it is said. */
export function readPriceKind(reader: ParamReader, name: string): PriceKind {
  return BY[reader.choice(name, KINDS, invalid(name)) ?? 'LastPrice'];
}

/** What an order waits for; `undefined` where it says no price. */
export function readTrigger(reader: ParamReader): TriggerDraft | undefined {
  const price = reader.decimal('triggerPrice', invalid('triggerPrice'));
  if (price === undefined || price === 0n) return undefined;
  const direction = reader.integer('triggerDirection');
  if (direction !== 1 && direction !== 2) reader.refuse(LINEAR.triggerDirection);
  return { price, direction: direction === 2 ? 'FALL' : 'RISE', by: readPriceKind(reader, 'triggerBy') };
}

/** Whether stops are for all of a position; a limit price is for a part alone. */
export function readExtent(reader: ParamReader): AttachedStops['extent'] {
  return reader.choice('tpslMode', ['Full', 'Partial'], invalid('tpslMode')) === 'Partial' ? 'PART' : 'WHOLE';
}

/** One leg by its prefix; `undefined` where it is not said. */
export function readLeg(
  reader: ParamReader,
  prefix: 'tp' | 'sl',
  extent: AttachedStops['extent'],
): LegDraft | undefined {
  const name = prefix === 'tp' ? 'takeProfit' : 'stopLoss';
  const trigger = reader.decimal(name, invalid(name));
  const kind = reader.choice(`${prefix}OrderType`, ['Market', 'Limit'], invalid(`${prefix}OrderType`));
  const limit = reader.decimal(`${prefix}LimitPrice`, invalid(`${prefix}LimitPrice`));
  const by = readPriceKind(reader, `${prefix}TriggerBy`);
  if (trigger === undefined) return undefined;
  if (kind === 'Limit' && extent === 'WHOLE') reader.refuse(LINEAR.limitOfWhole);
  if (kind === 'Limit' && (limit ?? 0n) === 0n) reader.refuse(missing(`${prefix}LimitPrice`));
  return { trigger, by, limit: kind === 'Limit' ? limit : undefined };
}

/** What an order protects its position with; a price of 0 is none. */
export function readAttached(reader: ParamReader): AttachedDraft | undefined {
  const extent = readExtent(reader);
  const [takeProfit, stopLoss] = (['tp', 'sl'] as const).map((prefix) => {
    const leg = readLeg(reader, prefix, extent);
    return leg?.trigger === 0n ? undefined : leg;
  });
  return takeProfit === undefined && stopLoss === undefined ? undefined : { extent, takeProfit, stopLoss };
}

/** Counts a price in ticks. */
export function ticksOf(
  price: Amount | undefined,
  contract: PerpFacts,
): Result<Ticks | undefined, BybitError> {
  if (price === undefined) return ok(undefined);
  const ticks = amountToSteps(price, contract.tickSize);
  return ticks === undefined ? refused(LINEAR.badPrice) : ok(ticks as Ticks);
}

/** A leg in ticks. */
export function countedLeg(leg: LegDraft, contract: PerpFacts): Result<StopLeg, BybitError> {
  const trigger = ticksOf(leg.trigger, contract);
  if (!trigger.ok) return trigger;
  const limit = ticksOf(leg.limit, contract);
  if (!limit.ok) return limit;
  const stop = { by: leg.by, trigger: trigger.value ?? (0 as Ticks) };
  return ok(limit.value === undefined ? stop : { ...stop, limit: limit.value });
}

/** What is attached to an order, in ticks. */
export function countedStops(
  draft: AttachedDraft | undefined,
  contract: PerpFacts,
): Result<AttachedStops | undefined, BybitError> {
  if (draft === undefined) return ok(undefined);
  let stops: AttachedStops = { extent: draft.extent };
  for (const name of ['takeProfit', 'stopLoss'] as const) {
    const asked = draft[name];
    if (asked === undefined) continue;
    const leg = countedLeg(asked, contract);
    if (!leg.ok) return leg;
    stops = { ...stops, [name]: leg.value };
  }
  return ok(stops);
}

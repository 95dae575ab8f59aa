import { type Lots, type Ticks, toNumberForDisplay } from '@crossbook/domain';
import type { MarketFacts } from '../../../exchange.ts';
import type { NewConditionalLeg } from '../../../perp-conditionals.ts';
import type { Trigger } from '../../../triggers/trigger.ts';
import type { AskedSends } from '../algos/algo-legs.ts';
import { type IcebergTerms, icebergClientId } from '../algos/iceberg-ids.ts';
import { readTicks } from '../algos/stop-legs.ts';
import { cannotBeEmpty, eitherRequired, parameterError } from '../errors.ts';
import { lotsOf } from '../orders/order-words.ts';
import type { ParamReader } from '../params.ts';

/** Reading an iceberg: `szLimit`, `pxVar` or `pxSpread`, `pxLimit` ("Place algo order", 2026). */

const BIPS = 10_000;
/** `pxVar` is between 0.0001 and 0.01. */
const BIPS_MAX = 100;

function readBack(reader: ParamReader, facts: MarketFacts): IcebergTerms['back'] | undefined {
  const share = reader.decimal('pxVar');
  const ticks = readTicks(reader, facts, 'pxSpread');
  if (share === undefined) {
    if (ticks === undefined) reader.refuse(eitherRequired('pxVar', 'pxSpread'));
    return ticks === undefined ? undefined : { ticks };
  }
  const bips = Math.round(toNumberForDisplay(share) * BIPS);
  const exact = share === (BigInt(bips) * 10n ** 18n) / BigInt(BIPS);
  if (ticks !== undefined || !exact || bips < 1 || bips > BIPS_MAX) reader.refuse(parameterError('pxVar'));
  return { bips };
}

function readVisible(
  reader: ParamReader,
  facts: MarketFacts,
  quantity: AskedSends['quantity'],
): Lots | undefined {
  const size = reader.decimal('szLimit');
  if (size === undefined) {
    reader.refuse(cannotBeEmpty('szLimit'));
    return undefined;
  }
  const lots = lotsOf(size, facts);
  if (!lots.ok) reader.refuse(lots.code);
  else if (size < facts.minQty || quantity === 'WHOLE' || lots.value > quantity)
    reader.refuse(parameterError('szLimit'));
  return lots.ok ? lots.value : undefined;
}

/** The order that stands for an iceberg: it waits for the end of the scale, on the side from which no price comes. */
export function icebergLegs(
  reader: ParamReader,
  facts: MarketFacts,
  asked: { readonly sends: AskedSends; readonly named: string; readonly random: string },
): NewConditionalLeg[] {
  const { sends, named, random } = asked;
  const back = readBack(reader, facts);
  const visible = readVisible(reader, facts, sends.quantity);
  const price = readTicks(reader, facts, 'pxLimit');
  if (price === undefined) reader.refuse(cannotBeEmpty('pxLimit'));
  if (back === undefined || visible === undefined || price === undefined) return [];
  const buys = sends.side === 'BUY';
  const end = buys
    ? facts.maxPrice / facts.tickSize
    : (facts.minPrice + facts.tickSize - 1n) / facts.tickSize;
  const direction = buys ? 'RISE' : 'FALL';
  const trigger: Trigger = { at: 'PRICE', by: 'LAST', direction, price: Number(end) as Ticks };
  const clientId = icebergClientId(named, { visible, back }, random);
  return [
    { purpose: 'STOP', trigger, sends: { ...sends, clientId, kind: 'LIMIT', timeInForce: 'GTC', price } },
  ];
}

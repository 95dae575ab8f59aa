import type { PerpConditional } from '../../../perp-conditionals.ts';
import type { PerpOrder, SimPositionKey, StopLeg } from '../../../perp-exchange.ts';
import { fields } from '../../wire/fields.ts';
import { algoClOrdIdOf } from '../algos/algo-ids.ts';
import { joinLegs, legFields, PRICE_WORDS, priceText, sentText } from '../algos/algo-rows.ts';
import { icebergOf } from '../algos/iceberg-ids.ts';
import type { Desk } from '../desk.ts';
import type { Listed } from '../listing.ts';
import { algoIdOf } from './algo-adapter.ts';

/** What orders and positions of contracts say of the algo orders beside them. */

/** Numbers of what is attached to an order begin behind this one. */
const ATTACHED_ORIGIN = 700_000_000_000_000_000n;

/** `attachAlgoOrds` of an order. */
export function attachedRows(listed: Listed, { attached, orderId }: PerpOrder): readonly object[] {
  if (attached === undefined) return [];
  const leg = (stop: StopLeg | undefined, prefix: 'tp' | 'sl') => ({
    [`${prefix}TriggerPx`]: stop === undefined ? '' : priceText(listed, stop.trigger),
    [`${prefix}TriggerPxType`]: stop === undefined ? '' : PRICE_WORDS[stop.by],
    [`${prefix}OrdPx`]: stop === undefined ? '' : sentText(listed, stop.limit),
  });
  return [
    {
      amendPxOnTriggerType: '0',
      attachAlgoClOrdId: algoClOrdIdOf({ clientId: attached.clientId ?? '' }),
      attachAlgoId: String(ATTACHED_ORIGIN + BigInt(orderId)),
      ...fields('failCode failReason sz', ''),
      ...leg(attached.stopLoss, 'sl'),
      ...leg(attached.takeProfit, 'tp'),
      tpOrdKind: 'condition',
    },
  ];
}

/** What an order that an algo order sent says of it. */
export function sentByFields(desk: Desk, order: PerpOrder): object {
  const { account } = order;
  const algoId = icebergOf(order.clientId)?.algoId ?? order.algoId;
  const leg = algoId === undefined ? undefined : desk.venue.perps.conditionals.find(account, { algoId });
  return leg === undefined ? {} : { algoId: algoIdOf(leg), algoClOrdId: algoClOrdIdOf(leg) };
}

/** What closes all of a position: `closeOrderAlgo` of its row. */
export function closingAlgos(desk: Desk, listed: Listed, key: SimPositionKey): readonly object[] {
  const whole = desk.venue.perps.conditionals
    .protecting(key)
    .filter(({ attached }) => attached?.position === 'WHOLE');
  return joinLegs(desk, whole).map(({ legs }) => {
    const leg = (purpose: PerpConditional['purpose']) => legs.find((one) => one.purpose === purpose);
    const { tpOrdPx: _, ...profit } = legFields(listed, leg('TAKE_PROFIT'), 'tp');
    const { slOrdPx: __, ...loss } = legFields(listed, leg('STOP'), 'sl');
    return { algoId: algoIdOf(legs[0]), ...loss, ...profit, closeFraction: '1' };
  });
}

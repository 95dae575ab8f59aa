import type { PerpConditional } from '../../../perp-conditionals.ts';
import type { PerpOrder, SimPositionKey } from '../../../perp-exchange.ts';
import { fields } from '../../wire/fields.ts';
import { algoClOrdIdOf } from '../algos/algo-ids.ts';
import { entryFields, joinLegs, legFields } from '../algos/algo-rows.ts';
import { entriesOf } from '../algos/attached-entries.ts';
import { icebergOf } from '../algos/iceberg-ids.ts';
import type { Desk } from '../desk.ts';
import type { Listed } from '../listing.ts';
import { algoIdOf } from './algo-adapter.ts';

/** What orders and positions of contracts say of the algo orders beside them. */

/** Numbers of what is attached to an order begin behind this one, those of several behind the other. */
const ATTACHED_ORIGIN = 700_000_000_000_000_000n;
const SPLIT_ORIGIN = 710_000_000_000_000_000n;
/** More than an order may have attached. */
const ENTRIES_PER_ORDER = 16n;

/** `attachAlgoId` of each entry. */
export function attachedIds({
  attached,
  orderId,
}: Pick<PerpOrder, 'attached' | 'orderId'>): readonly string[] {
  if (attached?.targets === undefined) return [String(ATTACHED_ORIGIN + BigInt(orderId))];
  const first = SPLIT_ORIGIN + BigInt(orderId) * ENTRIES_PER_ORDER;
  return entriesOf(attached).map((_, place) => String(first + BigInt(place)));
}

/** `attachAlgoOrds` of an order. */
export function attachedRows(listed: Listed, order: PerpOrder): readonly object[] {
  if (order.attached === undefined) return [];
  const ids = attachedIds(order);
  return entriesOf(order.attached).map((entry, place) => ({
    amendPxOnTriggerType: entry.atCost === true ? '1' : '0',
    attachAlgoId: ids[place],
    ...fields('failCode failReason', ''),
    ...entryFields(listed, entry),
    sz: entry.lots === undefined ? '' : listed.format.quantity(entry.lots),
    tpOrdKind: entry.profit?.rests === undefined ? 'condition' : 'limit',
  }));
}

/** What an order that an algo order sent says of it. */
export function sentByFields(desk: Desk, order: PerpOrder): object {
  const { account } = order;
  const algoId = icebergOf(order.clientId)?.algoId ?? order.algoId;
  const leg = algoId === undefined ? undefined : desk.venue.perps.conditionals.find(account, { algoId });
  if (leg?.attached?.rests === true) return restingFields(desk, leg);
  return leg === undefined ? {} : { algoId: algoIdOf(leg), algoClOrdId: algoClOrdIdOf(leg) };
}

/** A target that rests is an order like any other, which says so and names the stop beside it. */
function restingFields(desk: Desk, { sends: { account, symbol }, attached }: PerpConditional): object {
  const stop = desk.venue.perps.conditionals
    .open(account, symbol)
    .find(({ purpose, attached: own }) => purpose === 'STOP' && own?.parentId === attached?.parentId);
  return { isTpLimit: 'true', linkedAlgoOrd: { algoId: stop === undefined ? '' : algoIdOf(stop) } };
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

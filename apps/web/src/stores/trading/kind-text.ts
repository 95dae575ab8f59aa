import type { OrderRow } from '@crossbook/contract';
import { shown } from '../../calculators/tables/order-values.ts';
import type { Text } from '../../i18n/i18n.ts';

/** Kind, time in force and whether it only closes: `Limit · Post-only · RO`. Who says it brings the trade page's texts along. */
export function kindText(text: Text, row: OrderRow): string {
  return [
    text(row.orderType === 2 ? 'type.market' : 'type.limit'),
    ...(row.orderType === 2 || row.timeInForce === 1 ? [] : [text(`trade.orders.tif.${row.timeInForce}`)]),
    ...(row.visibleQuantity === null ? [] : [text('trade.iceberg.of', { size: shown(row.visibleQuantity) })]),
    ...(row.icebergId === null ? [] : [text('trade.iceberg')]),
    // In hedge mode the side says it.
    ...(row.reduceOnly && row.effect === 0 ? [text('trade.orders.reduceOnly')] : []),
  ].join(' · ');
}

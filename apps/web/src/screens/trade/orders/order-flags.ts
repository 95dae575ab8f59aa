import type { OrderRow } from '@crossbook/contract';
import type { Text } from '../../../i18n/i18n.ts';

/** Whether it only closes, and whether it only makes: `RO PO`; `undefined` where neither. */
export function flagsText(text: Text, { reduceOnly, timeInForce }: OrderRow): string | undefined {
  const only = [
    reduceOnly && text('trade.orders.reduceOnly'),
    timeInForce === 4 && text('trade.orders.postOnly'),
  ];
  return only.filter(Boolean).join(' ') || undefined;
}

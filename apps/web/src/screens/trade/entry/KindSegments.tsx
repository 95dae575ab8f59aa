import { ORDER_TYPE, type OrderType } from '@crossbook/domain';
import { useStore } from 'zustand';
import { useText } from '../../../i18n/i18n.ts';
import { changeTradeSettings, type TicketKind, tradeSettingsStore } from '../../../stores/app/settings.ts';
import { Segments } from './Segments.tsx';

/** Limit, market, an order that waits for a price, or a scaled one; the choice is kept in this browser. */
export function KindSegments(props: {
  readonly type: OrderType;
  readonly act: (action: { readonly kind: 'type'; readonly type: OrderType }) => void;
}) {
  const { type, act } = props;
  const text = useText();
  const kept = useStore(tradeSettingsStore, (settings) => settings.orderKind);
  const value = kept === 3 || kept === 4 ? kept : type === ORDER_TYPE.MARKET ? 2 : 1;
  return (
    <Segments
      fitted
      label={text('trade.ticket.type')}
      value={value}
      onChange={(orderKind: TicketKind) => {
        changeTradeSettings({ orderKind });
        act({ kind: 'type', type: orderKind === 2 ? ORDER_TYPE.MARKET : ORDER_TYPE.LIMIT });
      }}
      options={[
        { value: 1, label: text('trade.ticket.limit') },
        { value: 2, label: text('trade.ticket.market') },
        { value: 3, label: text('trade.ticket.conditional') },
        { value: 4, label: text('trade.ticket.scaled') },
      ]}
    />
  );
}

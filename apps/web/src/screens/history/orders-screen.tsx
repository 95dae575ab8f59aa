import type { OrderRow } from '@crossbook/contract';
import {
  decimalsOf,
  divDown,
  formatAmount,
  formatAmountFixed,
  parseAmount,
  platformFacts,
  type SymbolType,
} from '@crossbook/domain';
import { useMemo } from 'react';
import { useStore } from 'zustand';
import { orderCsv } from '../../calculators/tables/record-csv.ts';
import { formatDateTime, groupDigits } from '../../i18n/format.ts';
import { type MessageId, type Text, useLocale, useText } from '../../i18n/i18n.ts';
import { orderSymbolKey } from '../../stores/market/instruments.ts';
import { ordersStore } from '../../stores/trading/orders.ts';
import { readOrders } from '../../stores/trading/records.ts';
import type { Column } from '../../ui/tables/Table.tsx';
import { RecordScreen } from './RecordScreen.tsx';
import { IdCell, SideCell, SymbolCell } from './record-cells.tsx';

const AVERAGE_DECIMALS_MAX = 8;

/** Average price of what was filled, cut; empty when nothing was. */
function averagePrice(row: OrderRow): string {
  const quantity = parseAmount(row.cumQuantity);
  const quote = parseAmount(row.cumQuote);
  if (quantity === undefined || quote === undefined || quantity === 0n) return '';
  const average = divDown(quote, quantity);
  return decimalsOf(average) > AVERAGE_DECIMALS_MAX
    ? formatAmountFixed(average, AVERAGE_DECIMALS_MAX).replace(/\.?0+$/, '')
    : formatAmount(average);
}

function typeText(row: OrderRow, t: Text): string {
  return t(row.orderType === 1 ? 'type.limit' : 'type.market');
}

function statusText(row: OrderRow, t: Text): string {
  return t(`status.${row.status}` as MessageId);
}

function wanted(row: OrderRow): string {
  if (row.quantity !== null) return groupDigits(row.quantity);
  return row.quoteQuantity === null ? '' : `${groupDigits(row.quoteQuantity)} USDT`;
}

function columns(t: Text, locale: string): readonly Column<OrderRow>[] {
  return [
    { id: 'time', head: t('common.time'), cell: (row) => formatDateTime(row.createdAt, locale) },
    {
      id: 'venue',
      head: t('market.venue'),
      cell: (row) => <span className="text-soft">{platformFacts(row.exchange).name}</span>,
    },
    {
      id: 'symbol',
      head: t('history.symbol'),
      cell: (row) => <SymbolCell {...row} />,
    },
    { id: 'side', head: t('history.side'), cell: (row) => <SideCell side={row.side} effect={row.effect} /> },
    { id: 'type', head: t('history.type'), wideOnly: true, cell: (row) => typeText(row, t) },
    {
      id: 'price',
      head: t('history.price'),
      numeric: true,
      cell: (row) => (row.price === null ? t('type.market') : groupDigits(row.price)),
    },
    { id: 'quantity', head: t('history.quantity'), numeric: true, cell: wanted },
    { id: 'filled', head: t('history.filled'), numeric: true, cell: (row) => groupDigits(row.cumQuantity) },
    {
      id: 'average',
      head: t('history.average'),
      numeric: true,
      wideOnly: true,
      cell: (row) => groupDigits(averagePrice(row)) || '-',
    },
    {
      id: 'value',
      head: t('history.value'),
      numeric: true,
      wideOnly: true,
      cell: (row) => groupDigits(row.cumQuote),
    },
    {
      id: 'status',
      head: t('common.status'),
      cell: (row) => (
        <span className="block max-w-72 truncate" title={row.reason ?? undefined}>
          {statusText(row, t)}
          {row.reason !== null && <span className="text-faint">: {row.reason}</span>}
        </span>
      ),
    },
    { id: 'id', head: t('history.orderId'), wideOnly: true, cell: (row) => <IdCell id={row.orderId} /> },
  ];
}

function OrderRecords({ symbolType }: { readonly symbolType: SymbolType }) {
  const t = useText();
  const locale = useLocale();
  const version = useStore(ordersStore, (state) => state.version);
  const shown = useMemo(() => columns(t, locale), [t, locale]);
  const spot = symbolType === 'SPOT';
  return (
    <RecordScreen
      name={spot ? 'spot-orders' : 'futures-orders'}
      symbolType={symbolType}
      heading={t(spot ? 'title.orders' : 'nav.history.futuresOrders')}
      read={readOrders}
      columns={shown}
      csv={orderCsv(orderSymbolKey)}
      rowKey={(row) => row.orderId}
      version={version}
    />
  );
}

/** /history/spot_trading_overview: orders. */
export function OrdersScreen() {
  return <OrderRecords symbolType="SPOT" />;
}

/** /history/futures_trading_overview: orders of contracts. */
export function FuturesOrdersScreen() {
  return <OrderRecords symbolType="SWAP" />;
}

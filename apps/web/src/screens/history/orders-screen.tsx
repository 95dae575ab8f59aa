import type { OrderRow } from '@crossbook/contract';
import { platformFacts, type SymbolType } from '@crossbook/domain';
import { useMemo } from 'react';
import { useStore } from 'zustand';
import { moneyOf } from '../../calculators/signed-text.ts';
import {
  askedFor,
  averageOf,
  averagePrice,
  contractsShown,
  priceShown,
  sizeShown,
} from '../../calculators/tables/order-values.ts';
import { orderCsv } from '../../calculators/tables/record-csv.ts';
import { formatDateTime } from '../../i18n/format.ts';
import type { MessageId, Text } from '../../i18n/i18n.ts';
import { orderSymbolKey } from '../../stores/market/instruments.ts';
import { ordersStore } from '../../stores/trading/orders.ts';
import { readOrders } from '../../stores/trading/records.ts';
import type { Column } from '../../ui/tables/Table.tsx';
import { RecordScreen } from './RecordScreen.tsx';
import { IdCell, type RecordTools, SideCell, SymbolCell, useRecordTools, WhyEnded } from './record-cells.tsx';

function typeText(row: OrderRow, t: Text): string {
  return t(row.orderType === 1 ? 'type.limit' : 'type.market');
}

function statusText(row: OrderRow, t: Text): string {
  return t(`status.${row.status}` as MessageId);
}

function columns({ text: t, locale, instrument }: RecordTools): readonly Column<OrderRow>[] {
  return [
    {
      id: 'time',
      order: (row) => row.createdAt,
      head: t('common.time'),
      cell: (row) => formatDateTime(row.createdAt, locale),
    },
    {
      id: 'venue',
      order: (row) => row.exchange,
      head: t('market.venue'),
      cell: (row) => <span className="text-soft">{platformFacts(row.exchange).name}</span>,
    },
    {
      id: 'symbol',
      order: (row) => row.symbol,
      head: t('history.symbol'),
      cell: (row) => <SymbolCell {...row} />,
    },
    {
      id: 'side',
      order: (row) => row.side * 3 + row.effect,
      head: t('history.side'),
      cell: (row) => <SideCell side={row.side} effect={row.effect} />,
    },
    {
      id: 'type',
      order: (row) => row.orderType,
      head: t('history.type'),
      wideOnly: true,
      cell: (row) => typeText(row, t),
    },
    {
      id: 'price',
      order: (row) => Number(row.price ?? 0),
      head: t('history.price'),
      numeric: true,
      cell: (row) => (row.price === null ? t('type.market') : priceShown(row.price, instrument(row))),
    },
    {
      id: 'quantity',
      order: (row) => Number(row.quantity ?? row.quoteQuantity ?? 0),
      head: t('history.quantity'),
      numeric: true,
      cell: (row) => (
        <span title={contractsShown(row.quantity, instrument(row))}>
          {row.quantity === null ? `≈ ${moneyOf(row.quoteQuantity)} USDT` : askedFor(row, instrument(row))}
        </span>
      ),
    },
    {
      id: 'filled',
      order: (row) => Number(row.cumQuantity),
      head: t('history.filled'),
      numeric: true,
      cell: (row) => sizeShown(row.cumQuantity, instrument(row)),
    },
    {
      id: 'average',
      head: t('history.average'),
      numeric: true,
      wideOnly: true,
      cell: (row) => (
        <span title={averageOf(row, instrument(row))}>{averagePrice(row, instrument(row))}</span>
      ),
    },
    {
      id: 'value',
      order: (row) => Number(row.cumQuote),
      head: t('history.value'),
      numeric: true,
      wideOnly: true,
      cell: (row) => <span title={row.cumQuote}>{moneyOf(row.cumQuote)}</span>,
    },
    {
      id: 'status',
      order: (row) => row.status,
      head: t('common.status'),
      cell: (row) => (
        <span className="block max-w-72 min-w-40 py-1 whitespace-normal">
          {statusText(row, t)}
          <WhyEnded row={row} />
        </span>
      ),
    },
    { id: 'id', head: t('history.orderId'), wideOnly: true, cell: (row) => <IdCell id={row.orderId} /> },
  ];
}

function OrderRecords({ symbolType }: { readonly symbolType: SymbolType }) {
  const tools = useRecordTools();
  const { text: t } = tools;
  const version = useStore(ordersStore, (state) => state.version);
  const shown = useMemo(() => columns(tools), [tools]);
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

import '../../i18n/trade-words.ts';
import type { OrderRow, PastOrderRow } from '@crossbook/contract';
import type { SymbolType } from '@crossbook/domain';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useStore } from 'zustand';
import { moneyOf } from '../../calculators/signed-text.ts';
import {
  askedFor,
  averageOf,
  averagePrice,
  contractsShown,
  feesOrder,
  feesShown,
  feesTip,
  priceShown,
  sizeShown,
} from '../../calculators/tables/order-values.ts';
import { pastOrderCsv } from '../../calculators/tables/record-csv.ts';
import { type MessageId, type Text, useText } from '../../i18n/i18n.ts';
import { orderSymbolKey } from '../../stores/market/instruments.ts';
import { tradeLink } from '../../stores/market/market.ts';
import { kindText } from '../../stores/trading/kind-text.ts';
import { ordersStore } from '../../stores/trading/orders.ts';
import { readOrders } from '../../stores/trading/records.ts';
import { askToResend } from '../../stores/trading/ticket/resend-asked.ts';
import { buttonClass } from '../../ui/Button.tsx';
import { classNames } from '../../ui/class-names.ts';
import type { RecordColumn } from '../../ui/tables/RecordTable.tsx';
import { RecordScreen } from './RecordScreen.tsx';
import {
  IdCell,
  marketColumns,
  type RecordTools,
  sideColumn,
  TimeCell,
  useRecordTools,
  WhyEnded,
} from './record-cells.tsx';

/** Leads to the ticket of the order's market, filled in with it; nothing is sent. */
function ResendLink({ row }: { readonly row: OrderRow }) {
  const t = useText();
  const { exchange: platform, symbolType, symbol } = row;
  return (
    <Link
      {...tradeLink({ platform, symbolType, symbol })}
      aria-label={`${t('trade.orders.resend')} ${symbol}`}
      onClick={() => askToResend(row)}
      className={classNames(buttonClass('plain', 'small'), 'h-6 max-lg:h-11')}
    >
      {t('trade.orders.resend')}
    </Link>
  );
}

function statusText(row: OrderRow, t: Text): string {
  return t(`status.${row.status}` as MessageId);
}

/** What became of an order, and what leads on from it. */
function outcomeColumns({ text: t, instrument }: RecordTools): readonly RecordColumn<PastOrderRow>[] {
  return [
    {
      id: 'filled',
      order: (row) => Number(row.cumQuantity),
      head: t('history.filled'),
      numeric: true,
      cell: (row) => sizeShown(row.cumQuantity, instrument(row)),
    },
    {
      id: 'average',
      order: (row) => Number(averageOf(row, instrument(row)) ?? 0),
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
      id: 'fee',
      order: ({ fees }) => feesOrder(fees),
      head: t('history.fee'),
      numeric: true,
      wideOnly: true,
      cell: ({ fees }) => <span title={feesTip(fees) ?? t('history.feesMany')}>{feesShown(fees)}</span>,
    },
    {
      id: 'status',
      onCard: 'below',
      order: (row) => row.status,
      head: t('common.status'),
      cell: (row) => (
        <span className="block max-w-72 min-w-40 py-1 whitespace-normal">
          {statusText(row, t)}
          <WhyEnded row={row} />
        </span>
      ),
    },
    {
      id: 'id',
      onCard: 'below',
      head: t('history.orderId'),
      wideOnly: true,
      cell: (row) => <IdCell id={row.orderId} />,
    },
    {
      id: 'action',
      onCard: 'end',
      sticky: true,
      head: <span className="sr-only">{t('trade.orders.resend')}</span>,
      numeric: true,
      cell: (row) => <ResendLink row={row} />,
    },
  ];
}

function columns(tools: RecordTools): readonly RecordColumn<PastOrderRow>[] {
  const { text: t, instrument } = tools;
  return [
    {
      id: 'time',
      order: (row) => row.createdAt,
      head: t('common.time'),
      cell: (row) => <TimeCell millis={row.createdAt} />,
    },
    ...marketColumns<PastOrderRow>(t, (row) => row.symbolType),
    sideColumn(t),
    {
      id: 'type',
      onCard: 'head',
      order: (row) => row.orderType,
      head: t('history.type'),
      wideOnly: true,
      cell: (row) => kindText(t, row),
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
    ...outcomeColumns(tools),
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
      csv={pastOrderCsv(orderSymbolKey)}
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

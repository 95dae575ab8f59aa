import type { BalanceRow, FillRow, OrderRow } from '@crossbook/contract';
import { ORDER_STATUS, SIDE } from '@crossbook/domain';
import { Link } from '@tanstack/react-router';
import { type WalletValue, walletValue } from '../../../calculators/wallet-value.ts';
import { formatDateTime } from '../../../i18n/format.ts';
import type { Text } from '../../../i18n/i18n.ts';
import { type MarketName, tradeLink } from '../../../stores/market/market.ts';
import { Button } from '../../../ui/Button.tsx';
import { Badge } from '../../../ui/states.tsx';
import { askedFor, averagePrice, filledPercent, shown } from './order-values.ts';
import type { VirtualColumn } from './VirtualTable.tsx';

/** What cells need besides their row. */
export interface ColumnTools {
  readonly text: Text;
  readonly locale: string;
  /** Digits after the point of an instrument's prices and sizes. */
  readonly digits: (symbol: string) => { readonly price: number; readonly size: number };
}

function SymbolLink({ market }: { readonly market: MarketName }) {
  return (
    <Link
      {...tradeLink(market)}
      className="font-medium hover:underline max-lg:inline-flex max-lg:min-h-11 max-lg:items-center"
    >
      {market.symbol}
    </Link>
  );
}

function marketOf({ exchange, symbolType, symbol }: OrderRow | FillRow): MarketName {
  return { platform: exchange, symbolType, symbol };
}

function sideCell(text: Text, side: OrderRow['side']) {
  const buy = side === SIDE.BUY;
  return <span className={buy ? 'text-up' : 'text-down'}>{text(buy ? 'side.buy' : 'side.sell')}</span>;
}

function typeText(text: Text, row: OrderRow): string {
  const type = text(row.orderType === 2 ? 'type.market' : 'type.limit');
  if (row.orderType === 2 || row.timeInForce === 1) return type;
  return `${type} · ${text(`trade.orders.tif.${row.timeInForce}`)}`;
}

function statusCell(text: Text, row: OrderRow) {
  const label = text(`status.${row.status as 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7}`);
  if (row.status === ORDER_STATUS.UNKNOWN) {
    return (
      <span title={text('trade.status.0.explain')}>
        <Badge tone="warning">{label}</Badge>
      </span>
    );
  }
  return <span title={row.reason ?? undefined}>{label}</span>;
}

function timeColumn<Row>(tools: ColumnTools, at: (row: Row) => number): VirtualColumn<Row> {
  return {
    id: 'time',
    head: tools.text('trade.orders.time'),
    share: 1.5,
    wideOnly: true,
    cell: (row) => <span className="text-soft">{formatDateTime(at(row), tools.locale)}</span>,
  };
}

/** Columns that open orders and order history share. */
function orderColumns(tools: ColumnTools): readonly VirtualColumn<OrderRow>[] {
  const { text } = tools;
  return [
    timeColumn(tools, (row) => row.createdAt),
    {
      id: 'symbol',
      head: text('trade.orders.symbol'),
      share: 1.1,
      cell: (row) => <SymbolLink market={marketOf(row)} />,
    },
    {
      id: 'type',
      head: text('trade.orders.type'),
      share: 1.2,
      wideOnly: true,
      cell: (row) => typeText(text, row),
    },
    { id: 'side', head: text('trade.orders.side'), share: 0.7, cell: (row) => sideCell(text, row.side) },
    {
      id: 'price',
      head: text('trade.orders.price'),
      share: 1.2,
      numeric: true,
      cell: (row) =>
        row.price === null ? text('type.market') : shown(row.price, tools.digits(row.symbol).price),
    },
    {
      id: 'quantity',
      head: text('trade.orders.quantity'),
      share: 1.2,
      numeric: true,
      cell: (row) => askedFor(row, tools.digits(row.symbol).size),
    },
  ];
}

/** Open orders, with cancel. */
export function openOrderColumns(
  tools: ColumnTools,
  cancel: { readonly asked: ReadonlySet<string>; readonly onCancel: (row: OrderRow) => void },
): readonly VirtualColumn<OrderRow>[] {
  const { text } = tools;
  return [
    ...orderColumns(tools),
    {
      id: 'filled',
      head: text('trade.orders.filled'),
      share: 1.3,
      numeric: true,
      wideOnly: true,
      cell: (row) => `${shown(row.cumQuantity, tools.digits(row.symbol).size)} (${filledPercent(row)}%)`,
    },
    {
      id: 'status',
      head: text('trade.orders.status'),
      share: 1.2,
      wideOnly: true,
      cell: (row) => statusCell(text, row),
    },
    {
      id: 'action',
      head: <span className="sr-only">{text('trade.orders.action')}</span>,
      share: 1.1,
      numeric: true,
      cell: (row) => {
        const pending = row.cancelPending || cancel.asked.has(row.orderId);
        return (
          <Button
            size="small"
            disabled={pending}
            aria-label={`${text('trade.orders.cancel')} ${row.symbol} ${shown(row.quantity)}`}
            onClick={() => cancel.onCancel(row)}
            className="h-6 max-lg:h-11"
          >
            {text(pending ? 'trade.orders.cancelling' : 'trade.orders.cancel')}
          </Button>
        );
      },
    },
  ];
}

/** Order history. */
export function orderHistoryColumns(tools: ColumnTools): readonly VirtualColumn<OrderRow>[] {
  const { text } = tools;
  return [
    ...orderColumns(tools),
    {
      id: 'average',
      head: text('trade.orders.average'),
      share: 1.2,
      numeric: true,
      wideOnly: true,
      cell: averagePrice,
    },
    {
      id: 'filled',
      head: text('trade.orders.filled'),
      share: 1.2,
      numeric: true,
      wideOnly: true,
      cell: (row) => shown(row.cumQuantity, tools.digits(row.symbol).size),
    },
    {
      id: 'total',
      head: text('trade.orders.total'),
      share: 1.2,
      numeric: true,
      wideOnly: true,
      cell: (row) => shown(row.cumQuote, 2),
    },
    { id: 'status', head: text('trade.orders.status'), share: 1.1, cell: (row) => statusCell(text, row) },
  ];
}

/** Trade history. */
export function fillColumns(tools: ColumnTools): readonly VirtualColumn<FillRow>[] {
  const { text } = tools;
  return [
    timeColumn(tools, (row) => row.time),
    {
      id: 'symbol',
      head: text('trade.orders.symbol'),
      share: 1.1,
      cell: (row) => <SymbolLink market={marketOf(row)} />,
    },
    { id: 'side', head: text('trade.orders.side'), share: 0.7, cell: (row) => sideCell(text, row.side) },
    {
      id: 'price',
      head: text('trade.orders.price'),
      share: 1.2,
      numeric: true,
      cell: (row) => shown(row.price, tools.digits(row.symbol).price),
    },
    {
      id: 'quantity',
      head: text('trade.orders.quantity'),
      share: 1.2,
      numeric: true,
      cell: (row) => shown(row.quantity, tools.digits(row.symbol).size),
    },
    {
      id: 'total',
      head: text('trade.orders.total'),
      share: 1.2,
      numeric: true,
      wideOnly: true,
      cell: (row) => shown(row.quoteQuantity, 2),
    },
    {
      id: 'fee',
      head: text('trade.orders.fee'),
      share: 1.4,
      numeric: true,
      wideOnly: true,
      cell: (row) => (
        <>
          {shown(row.fee)} <span className="text-faint">{row.feeAsset}</span>
        </>
      ),
    },
    {
      id: 'role',
      head: text('trade.orders.role'),
      share: 0.8,
      wideOnly: true,
      cell: (row) => text(row.maker ? 'history.maker' : 'history.taker'),
    },
  ];
}

function Balance({ value, padding }: WalletValue) {
  return (
    <>
      {value}
      {padding !== '' && <span className="text-faint">{padding}</span>}
    </>
  );
}

/**
 * Balances of the trading wallet.
 * @param decimals digits after the point that every figure is shown with, so that their points stand under each other.
 */
export function assetColumns(
  text: Text,
  decimals: number,
  quoteOf: (asset: string) => MarketName | undefined,
): readonly VirtualColumn<BalanceRow>[] {
  return [
    {
      id: 'asset',
      head: text('trade.orders.asset'),
      share: 1,
      cell: (row) => <span className="font-medium">{row.asset}</span>,
    },
    {
      id: 'total',
      head: text('trade.orders.total'),
      share: 1.4,
      numeric: true,
      cell: (row) => <Balance {...walletValue(row.total, decimals)} />,
    },
    {
      id: 'available',
      head: text('trade.orders.available'),
      share: 1.4,
      numeric: true,
      cell: (row) => <Balance {...walletValue(row.available, decimals)} />,
    },
    {
      id: 'locked',
      head: text('trade.orders.locked'),
      share: 1.2,
      numeric: true,
      wideOnly: true,
      cell: (row) => <Balance {...walletValue(row.locked, decimals)} />,
    },
    {
      id: 'trade',
      head: <span className="sr-only">{text('trade.orders.action')}</span>,
      share: 1,
      numeric: true,
      cell: (row) => {
        const pair = quoteOf(row.asset);
        return pair === undefined ? null : <SymbolLink market={pair} />;
      },
    },
  ];
}

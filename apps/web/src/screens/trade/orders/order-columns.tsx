import type { OrderRow, PastOrderRow } from '@crossbook/contract';
import { formatAmount, isResting, ORDER_STATUS, type OrderStatus } from '@crossbook/domain';
import { Link } from '@tanstack/react-router';
import { useStore } from 'zustand';
import { baseStep } from '../../../calculators/contracts/contract-size.ts';
import { moneyOf } from '../../../calculators/signed-text.ts';
import {
  askedFor,
  averageOf,
  averagePrice,
  coinsOf,
  contractsShown,
  countedOf,
  feesOrder,
  feesShown,
  feesTip,
  filledPercent,
  orderedAmount,
  orderedValue,
  priceShown,
  sizeShown,
} from '../../../calculators/tables/order-values.ts';
import type { Text } from '../../../i18n/i18n.ts';
import { endWords } from '../../../i18n/notice-words.ts';
import { algosStore, icebergAtWork } from '../../../stores/algos/algos.ts';
import { tradeLink } from '../../../stores/market/market.ts';
import { kindText } from '../../../stores/trading/kind-text.ts';
import { replaceOrder } from '../../../stores/trading/order-calls.ts';
import { askToResend } from '../../../stores/trading/ticket/resend-asked.ts';
import { Button, buttonClass } from '../../../ui/Button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { Badge } from '../../../ui/states.tsx';
import { type CellTools, marketOf, SideText, SymbolCell, TimeText, WithDetails } from '../tables/cells.tsx';
import { EditableNumber } from '../tables/EditableNumber.tsx';
import type { VirtualColumn } from '../tables/VirtualTable.tsx';
import { distanceOrder, fromMarket } from './from-market.ts';
import { flagsText } from './order-flags.ts';

/** Cancelling, and which rows were asked for. */
export interface CancelTools {
  readonly asked: ReadonlySet<string>;
  readonly onCancel: (row: OrderRow) => void;
}

/** The price of an order, or that it takes the market's. */
export function priceText(tools: CellTools, row: OrderRow): string {
  return row.price === null
    ? tools.text('type.market')
    : priceShown(row.price, tools.instrument(marketOf(row)));
}

/** A size in base coins; what the venue counts is in the tip. */
export function Size(props: { readonly tools: CellTools; readonly row: OrderRow; readonly done?: true }) {
  const { tools, row, done } = props;
  const found = tools.instrument(marketOf(row));
  const asked = askedFor(row, found);
  return (
    <span title={contractsShown(row.quantity, found)}>
      {done === true ? `${sizeShown(row.cumQuantity, found)} / ${asked}` : asked}
    </span>
  );
}

/** What became of an order, and why. */
export function StatusCell({ row, text }: { readonly row: OrderRow; readonly text: Text }) {
  const label = text(`status.${row.status as 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7}`);
  if (row.status === ORDER_STATUS.UNKNOWN) {
    return (
      <span title={text('trade.status.0.explain')}>
        <Badge tone="warning">{label}</Badge>
      </span>
    );
  }
  const why = endWords(row);
  if (why === undefined) return <span>{label}</span>;
  return (
    <WithDetails row={row}>
      <span title={why}>
        {label}: <span className="text-soft">{why}</span>
      </span>
    </WithDetails>
  );
}

/** Columns that open orders and order history share. */
function orderColumns(tools: CellTools): readonly VirtualColumn<OrderRow>[] {
  const { text } = tools;
  return [
    {
      id: 'time',
      head: text('trade.orders.time'),
      width: 124,
      order: (row) => row.createdAt,
      cell: (row) => <TimeText millis={row.createdAt} />,
    },
    {
      id: 'symbol',
      head: text('trade.orders.symbol'),
      width: 185,
      order: (row) => row.symbol,
      cell: (row) => <SymbolCell row={row} />,
    },
    {
      id: 'type',
      head: text('trade.orders.type'),
      width: 140,
      order: (row) => row.orderType,
      cell: (row) => kindText(text, row),
    },
    {
      id: 'side',
      head: text('trade.orders.side'),
      width: 90,
      order: (row) => row.side * 3 + row.effect,
      cell: (row) => <SideText side={row.side} effect={row.effect} />,
    },
    {
      id: 'price',
      head: text('trade.orders.price'),
      width: 100,
      numeric: true,
      order: (row) => Number(row.price ?? 0),
      cell: (row) => priceText(tools, row),
    },
  ];
}

/** Price or size of an open order that can be changed in its place; what it fills meanwhile stays filled. */
export function Changeable(props: {
  readonly tools: CellTools;
  readonly row: OrderRow;
  readonly field: 'price' | 'quantity';
  readonly shown: string;
}) {
  const { tools, row, field, shown: now } = props;
  const found = tools.instrument(marketOf(row));
  const value = row[field];
  const fixed = row.orderType === 2 || row.icebergId !== null;
  const still = row.cancelPending || row.status === ORDER_STATUS.UNKNOWN || fixed;
  if (value === null || found === undefined) return now;
  const { text } = tools;
  if (field === 'price') {
    return (
      <EditableNumber
        {...{ shown: now, value }}
        label={`${text('trade.orders.editPrice')} ${row.symbol}`}
        step={found.tickSize}
        onChange={still ? undefined : (price) => replaceOrder(row, { price })}
      />
    );
  }
  const step = baseStep(found);
  const resize = async (coins: string): Promise<string | undefined> => {
    const quantity = countedOf(coins, found);
    if (quantity === undefined)
      return text('trade.contract.error.quantity-step', { allowed: formatAmount(step) });
    return replaceOrder(row, { quantity });
  };
  return (
    <EditableNumber
      shown={now}
      value={coinsOf(value, found)}
      label={`${text('trade.orders.editSize')} ${row.symbol}`}
      {...{ step }}
      onChange={still ? undefined : resize}
    />
  );
}

const quantityColumn = (tools: CellTools): VirtualColumn<OrderRow> => ({
  id: 'quantity',
  head: tools.text('trade.orders.quantity'),
  width: 100,
  numeric: true,
  order: (row) =>
    Number(
      row.quantity === null ? row.quoteQuantity : coinsOf(row.quantity, tools.instrument(marketOf(row))),
    ),
  cell: (row) => <Size {...{ tools, row }} />,
});

/** Ends an open order; what an iceberg makes ends with the iceberg. */
export function CancelButton(props: {
  readonly row: OrderRow;
  readonly tools: CellTools;
  readonly cancel: CancelTools;
}) {
  const { row, tools, cancel } = props;
  const { text } = tools;
  const ofIceberg = useStore(algosStore, ({ open }) => icebergAtWork(row, open) !== undefined);
  // The iceberg is cancelled, among the orders that wait.
  if (ofIceberg) return null;
  const size = sizeShown(row.quantity, tools.instrument(marketOf(row)));
  const pending = row.cancelPending || cancel.asked.has(row.orderId);
  return (
    <Button
      size="small"
      disabled={pending}
      aria-label={`${text('trade.orders.cancel')} ${row.symbol} ${size}`}
      data-removes=""
      onClick={() => cancel.onCancel(row)}
      className="h-6 max-lg:h-11"
    >
      {text(pending ? 'trade.orders.cancelling' : 'trade.orders.cancel')}
    </Button>
  );
}

/** What is filled, with its share as a bar below. */
function Filled({ tools, row }: { readonly tools: CellTools; readonly row: OrderRow }) {
  const percent = filledPercent(row);
  return (
    <span className="inline-flex flex-col gap-0.5 lg:items-end">
      {sizeShown(row.cumQuantity, tools.instrument(marketOf(row)))} ({percent}%)
      {percent > 0 && (
        <span aria-hidden="true" className="block h-0.5 w-16 rounded-full bg-line-strong">
          <span className="block h-0.5 rounded-full bg-accent" style={{ width: `${percent}%` }} />
        </span>
      )}
    </span>
  );
}

/** What it only does, and that it is not known to rest: how far one that rests is filled stands beside it. */
function Flags({ row, text }: { readonly row: OrderRow; readonly text: Text }) {
  const flags = flagsText(text, row);
  if (isResting(row.status as OrderStatus)) return flags ?? '–';
  return (
    <>
      {flags} <StatusCell {...{ row, text }} />
    </>
  );
}

/**
 * Open orders, with cancel.
 * @param last the newest price of an order's market; `undefined` where nobody knows it.
 */
export function openOrderColumns(
  tools: CellTools,
  cancel: CancelTools,
  last: (row: OrderRow) => string | undefined,
): readonly VirtualColumn<OrderRow>[] {
  const { text } = tools;
  return [
    ...orderColumns(tools).map((column) =>
      column.id === 'price'
        ? {
            ...column,
            width: 116,
            cell: (row: OrderRow) => (
              <Changeable {...{ tools, row, field: 'price' }} shown={priceText(tools, row)} />
            ),
          }
        : column,
    ),
    {
      ...quantityColumn(tools),
      width: 116,
      cell: (row) => (
        <Changeable
          {...{ tools, row, field: 'quantity' }}
          shown={askedFor(row, tools.instrument(marketOf(row)))}
        />
      ),
    },
    {
      id: 'filled',
      head: text('trade.orders.filled'),
      width: 120,
      numeric: true,
      order: filledPercent,
      cell: (row) => <Filled {...{ tools, row }} />,
    },
    {
      id: 'value',
      head: text('trade.orders.value'),
      width: 100,
      numeric: true,
      order: (row) => orderedAmount(row, tools.instrument(marketOf(row))) ?? 0n,
      cell: (row) => orderedValue(row, tools.instrument(marketOf(row))),
    },
    {
      id: 'flags',
      head: text('trade.orders.flags'),
      width: 110,
      order: (row) => flagsText(text, row) ?? '',
      cell: (row) => <Flags {...{ row, text }} />,
    },
    {
      id: 'distance',
      head: text('trade.orders.fromMarket'),
      width: 96,
      numeric: true,
      order: (row) => distanceOrder(row.price, last(row)),
      cell: (row) => fromMarket(row.price, last(row)),
    },
    {
      id: 'action',
      head: <span className="sr-only">{text('trade.orders.action')}</span>,
      width: 96,
      numeric: true,
      sticky: true,
      cell: (row) => <CancelButton {...{ row, tools, cancel }} />,
    },
  ];
}

/** Order history, with why an order ended as it did. */
export function orderHistoryColumns(tools: CellTools): readonly VirtualColumn<PastOrderRow>[] {
  const { text } = tools;
  return [
    ...orderColumns(tools),
    {
      id: 'average',
      head: text('trade.orders.average'),
      width: 100,
      numeric: true,
      order: (row) => Number(averageOf(row, tools.instrument(marketOf(row))) ?? 0),
      cell: (row) => {
        const found = tools.instrument(marketOf(row));
        return <span title={averageOf(row, found)}>{averagePrice(row, found)}</span>;
      },
    },
    {
      id: 'quantity',
      head: text('trade.orders.filledOf'),
      width: 150,
      numeric: true,
      order: (row) => Number(row.cumQuantity),
      cell: (row) => <Size {...{ tools, row }} done />,
    },
    {
      id: 'total',
      head: text('trade.orders.value'),
      width: 110,
      numeric: true,
      order: (row) => Number(row.cumQuote),
      cell: (row) => <span title={row.cumQuote}>{moneyOf(row.cumQuote)}</span>,
    },
    {
      id: 'fee',
      head: text('trade.orders.fee'),
      width: 150,
      numeric: true,
      order: ({ fees }) => feesOrder(fees),
      cell: ({ fees }) => <span title={feesTip(fees) ?? text('history.feesMany')}>{feesShown(fees)}</span>,
    },
    {
      id: 'status',
      head: text('trade.orders.status'),
      width: 320,
      order: (row) => row.status,
      cell: (row) => <StatusCell row={row} text={text} />,
    },
    {
      id: 'action',
      head: <span className="sr-only">{text('trade.orders.action')}</span>,
      width: 96,
      numeric: true,
      sticky: true,
      cell: (row) => <ResendLink {...{ row, text }} />,
    },
  ];
}

/** Leads to the ticket of the order's market, filled in with it. */
export function ResendLink({ row, text }: { readonly row: OrderRow; readonly text: Text }) {
  return (
    <Link
      {...tradeLink(marketOf(row))}
      aria-label={`${text('trade.orders.resend')} ${row.symbol}`}
      onClick={() => askToResend(row)}
      className={classNames(buttonClass('plain', 'small'), 'h-6 max-lg:h-11')}
    >
      {text('trade.orders.resend')}
    </Link>
  );
}

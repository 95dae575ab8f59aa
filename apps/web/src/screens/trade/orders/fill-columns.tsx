import type { FillRow } from '@crossbook/contract';
import type { ReactNode } from 'react';
import { moneyOf, signedMoneyOf } from '../../../calculators/signed-text.ts';
import { contractsShown, feeShown, priceShown, sizeShown } from '../../../calculators/tables/order-values.ts';
import type { Text } from '../../../i18n/i18n.ts';
import { sayCopied } from '../../../stores/app/say-copied.ts';
import { CopyText } from '../../../ui/CopyText.tsx';
import { Card } from '../../../ui/tables/Card.tsx';
import { type CellTools, marketOf, SideText, SymbolCell, TimeText } from '../tables/cells.tsx';
import type { VirtualColumn } from '../tables/VirtualTable.tsx';

function stats(tools: CellTools, row: FillRow) {
  const found = tools.instrument(marketOf(row));
  return {
    price: priceShown(row.price, found),
    size: <span title={contractsShown(row.quantity, found)}>{sizeShown(row.quantity, found)}</span>,
    value: <span title={row.quoteQuantity}>{moneyOf(row.quoteQuantity)}</span>,
  };
}

function Fee({ row }: { readonly row: FillRow }) {
  return (
    <span title={row.fee}>
      {feeShown(row)} <span className="text-faint">{row.feeAsset}</span>
    </span>
  );
}

function Realised({ row }: { readonly row: FillRow }) {
  const value = row.realisedPnl;
  const tone = value === null || value === '0' ? '' : value.startsWith('-') ? 'text-down' : 'text-up';
  return <span className={tone}>{signedMoneyOf(value)}</span>;
}

function TradeId({ id, text }: { readonly id: string; readonly text: Text }) {
  return <CopyText value={id} label={text('common.copy')} onCopied={sayCopied} />;
}

/** Trade history. @param contracts adds what closing fills realised. */
export function fillColumns(tools: CellTools, contracts: boolean): readonly VirtualColumn<FillRow>[] {
  const { text } = tools;
  const realised: VirtualColumn<FillRow> = {
    id: 'realised',
    head: text('trade.orders.realised'),
    width: 110,
    numeric: true,
    order: (row) => Number(row.realisedPnl ?? 0),
    cell: (row) => <Realised row={row} />,
  };
  return [
    {
      id: 'time',
      head: text('trade.orders.time'),
      width: 144,
      order: (row) => row.time,
      cell: (row) => <TimeText millis={row.time} exact />,
    },
    {
      id: 'symbol',
      head: text('trade.orders.symbol'),
      width: 185,
      order: (row) => row.symbol,
      cell: (row) => <SymbolCell row={row} />,
    },
    {
      id: 'side',
      head: text('trade.orders.side'),
      width: 90,
      order: (row) => row.side,
      cell: (row) => <SideText side={row.side} effect={row.effect} />,
    },
    {
      id: 'price',
      head: text('trade.orders.price'),
      width: 100,
      numeric: true,
      order: (row) => Number(row.price),
      cell: (row) => stats(tools, row).price,
    },
    {
      id: 'quantity',
      head: text('trade.orders.quantity'),
      width: 100,
      numeric: true,
      order: (row) => Number(row.quantity),
      cell: (row) => stats(tools, row).size,
    },
    {
      id: 'total',
      head: text('trade.orders.value'),
      width: 110,
      numeric: true,
      order: (row) => Number(row.quoteQuantity),
      cell: (row) => stats(tools, row).value,
    },
    {
      id: 'fee',
      head: text('trade.orders.fee'),
      width: 150,
      numeric: true,
      order: (row) => Number(row.fee),
      cell: (row) => <Fee row={row} />,
    },
    {
      id: 'role',
      head: text('trade.orders.role'),
      width: 80,
      order: (row) => Number(row.maker),
      cell: (row) => text(row.maker ? 'history.maker' : 'history.taker'),
    },
    ...(contracts ? [realised] : []),
    {
      id: 'id',
      head: text('history.tradeId'),
      width: 150,
      cell: (row) => <TradeId id={row.tradeId} text={text} />,
    },
  ];
}

/** A fill on a phone. */
export function fillCard(tools: CellTools, contracts: boolean) {
  const { text } = tools;
  return (row: FillRow): ReactNode => {
    const { price, size, value } = stats(tools, row);
    return (
      <Card
        head={
          <>
            <SymbolCell row={row} />
            <SideText side={row.side} effect={row.effect} />
          </>
        }
        end={<TimeText millis={row.time} exact />}
        pairs={[
          { label: text('trade.orders.price'), value: price },
          { label: text('trade.orders.quantity'), value: size },
          { label: text('trade.orders.value'), value },
          { label: text('trade.orders.fee'), value: <Fee row={row} /> },
          { label: text('trade.orders.role'), value: text(row.maker ? 'history.maker' : 'history.taker') },
          ...(contracts ? [{ label: text('trade.orders.realised'), value: <Realised row={row} /> }] : []),
        ]}
      />
    );
  };
}

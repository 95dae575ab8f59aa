import type { OrderRow, PastOrderRow } from '@crossbook/contract';
import type { ReactNode } from 'react';
import { moneyOf } from '../../../calculators/signed-text.ts';
import { averagePrice, feesShown } from '../../../calculators/tables/order-values.ts';
import type { Text } from '../../../i18n/i18n.ts';
import { kindText } from '../../../stores/trading/kind-text.ts';
import { Card } from '../../../ui/tables/Card.tsx';
import { type CellTools, marketOf, SideText, SymbolCell, TimeText } from '../tables/cells.tsx';
import {
  CancelButton,
  type CancelTools,
  Changeable,
  priceText,
  ResendLink,
  Size,
  StatusCell,
} from './order-columns.tsx';

function cardHead(text: Text, row: OrderRow): ReactNode {
  return (
    <>
      <SymbolCell row={row} />
      <SideText side={row.side} effect={row.effect} />
      <span className="text-soft">{kindText(text, row)}</span>
    </>
  );
}

/** An open order on a phone: what it is and since when, then how far it is. */
export function openOrderCard(tools: CellTools, cancel: CancelTools) {
  const { text } = tools;
  return (row: OrderRow): ReactNode => (
    <Card
      head={
        <>
          {cardHead(text, row)}
          <TimeText millis={row.createdAt} />
        </>
      }
      end={<CancelButton {...{ row, tools, cancel }} />}
      pairs={[
        {
          label: text('trade.orders.price'),
          value: (
            // As high as a thumb needs, and still on the line of the others.
            <span className="-my-3.5 flex min-h-11 items-center">
              <Changeable {...{ tools, row, field: 'price' }} shown={priceText(tools, row)} />
            </span>
          ),
        },
        { label: text('trade.orders.filledOf'), value: <Size {...{ tools, row }} done /> },
        { label: text('trade.orders.status'), value: <StatusCell row={row} text={text} /> },
      ]}
    />
  );
}

/** A finished order on a phone. */
export function orderHistoryCard(tools: CellTools) {
  const { text } = tools;
  return (row: PastOrderRow): ReactNode => (
    <>
      <Card
        head={cardHead(text, row)}
        end={<ResendLink {...{ row, text }} />}
        pairs={[
          { label: text('trade.orders.price'), value: priceText(tools, row) },
          { label: text('trade.orders.average'), value: averagePrice(row, tools.instrument(marketOf(row))) },
          { label: text('trade.orders.filledOf'), value: <Size {...{ tools, row }} done /> },
          { label: text('trade.orders.value'), value: moneyOf(row.cumQuote) },
          { label: text('trade.orders.fee'), value: feesShown(row.fees) },
          { label: text('trade.orders.time'), value: <TimeText millis={row.createdAt} /> },
        ]}
      />
      <p className="pt-1 break-words whitespace-normal">
        <StatusCell row={row} text={text} />
      </p>
    </>
  );
}

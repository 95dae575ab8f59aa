import '../../../i18n/later-words.ts';
import type { ClosedPositionRow, FundingRow } from '@crossbook/contract';
import { decimalsOf, formatAmountFixed, parseAmount } from '@crossbook/domain';
import type { ReactNode } from 'react';
import { fundingText } from '../../../calculators/contracts/funding.ts';
import { moneyOf, signedMoneyOf } from '../../../calculators/signed-text.ts';
import { groupThousands } from '../../../calculators/step-text.ts';
import { coinsOf, fundedSide, sizeShown } from '../../../calculators/tables/order-values.ts';
import { sideKey } from '../../../calculators/ticket/order-side.ts';
import { formatPercent } from '../../../i18n/format.ts';
import type { Text } from '../../../i18n/i18n.ts';
import { Badge } from '../../../ui/states.tsx';
import { Card } from '../../../ui/tables/Card.tsx';
import { type CellTools, marketOf, SymbolCell, TimeText } from '../tables/cells.tsx';
import type { VirtualColumn } from '../tables/VirtualTable.tsx';

const DASH = '–';
const HOUR_MILLIS = 3_600_000;

type ContractRow = Pick<ClosedPositionRow, 'exchange' | 'symbol'>;
const market = ({ exchange, symbol }: ContractRow) => ({ exchange, symbol, symbolType: 'SWAP' as const });

/** A price at its tick; where it is an average all its digits are in the tip. */
function priceText(tools: CellTools, row: ContractRow, decimal: string | null): ReactNode {
  const value = decimal === null ? undefined : parseAmount(decimal);
  if (value === undefined || decimal === null) return DASH;
  const found = tools.instrument(marketOf(market(row)));
  const digits = found === undefined ? 8 : decimalsOf(found.tickSize);
  return <span title={decimal}>{groupThousands(formatAmountFixed(value, digits))}</span>;
}

/** A quantity that the venue counts, in base coins. */
function coinsText(tools: CellTools, row: ContractRow, quantity: string | null): string {
  return sizeShown(quantity, tools.instrument(marketOf(market(row))));
}

/** What was gained or lost, with its sign. */
export function Gain({ value }: { readonly value: string }) {
  const tone = /^-?0(?:\.0*)?$/.test(value) ? '' : value.startsWith('-') ? 'text-down' : 'text-up';
  return <span className={tone}>{signedMoneyOf(value)}</span>;
}

function heldText(text: Text, { openedAt, closedAt }: ClosedPositionRow): string {
  const millis = Math.max(0, closedAt - openedAt);
  const hours = Math.floor(millis / HOUR_MILLIS);
  const minutes = Math.floor((millis % HOUR_MILLIS) / 60_000);
  return text('trade.past.held', { hours, minutes });
}

/** Net result as percent of the margin that the entry took; `undefined` where that is not known. */
function returnOf(tools: CellTools, row: ClosedPositionRow): number | undefined {
  const coins = Number(coinsOf(row.maxQuantity, tools.instrument(marketOf(market(row)))));
  const taken = (Number(row.entryPrice) * coins) / Math.max(1, row.leverage);
  return taken > 0 ? (Number(row.net) / taken) * 100 : undefined;
}

function returnText(tools: CellTools, row: ClosedPositionRow): string {
  const percent = returnOf(tools, row);
  return percent === undefined ? DASH : formatPercent(percent);
}

function SideBadge({ row, text }: { readonly row: ClosedPositionRow; readonly text: Text }) {
  const side = row.direction === 'long' ? 1 : 2;
  return <Badge tone={side === 1 ? 'up' : 'down'}>{text(`side.${sideKey(side, row.effect)}`)}</Badge>;
}

function How({ row, text }: { readonly row: ClosedPositionRow; readonly text: Text }) {
  return (
    <span className={row.ended === 'closed' ? '' : 'text-danger'}>{text(`trade.past.${row.ended}`)}</span>
  );
}

/** Positions from opening to flat. */
export function closedColumns(tools: CellTools): readonly VirtualColumn<ClosedPositionRow>[] {
  const { text } = tools;
  const money = (id: 'realisedPnl' | 'funding' | 'net', head: string): VirtualColumn<ClosedPositionRow> => ({
    ...{ id, head, width: 112, numeric: true },
    order: (row) => Number(row[id]),
    cell: (row) => <Gain value={row[id]} />,
  });
  return [
    {
      id: 'closed',
      head: text('trade.past.closedAt'),
      width: 124,
      order: (row) => row.closedAt,
      cell: (row) => <TimeText millis={row.closedAt} />,
    },
    {
      id: 'symbol',
      head: text('trade.orders.symbol'),
      width: 150,
      order: (row) => row.symbol,
      cell: (row) => <SymbolCell row={market(row)} />,
    },
    {
      id: 'side',
      head: text('trade.orders.side'),
      width: 100,
      order: (row) => row.direction,
      cell: (row) => <SideBadge {...{ row, text }} />,
    },
    {
      id: 'size',
      head: text('trade.past.maxSize'),
      width: 95,
      numeric: true,
      order: (row) => Number(coinsOf(row.maxQuantity, tools.instrument(marketOf(market(row))))),
      cell: (row) => coinsText(tools, row, row.maxQuantity),
    },
    {
      id: 'entry',
      head: text('trade.position.entry'),
      width: 95,
      numeric: true,
      order: (row) => Number(row.entryPrice),
      cell: (row) => priceText(tools, row, row.entryPrice),
    },
    {
      id: 'exit',
      head: text('trade.past.exit'),
      width: 95,
      numeric: true,
      order: (row) => Number(row.exitPrice),
      cell: (row) => priceText(tools, row, row.exitPrice),
    },
    money('realisedPnl', text('trade.orders.realised')),
    {
      id: 'fees',
      head: text('trade.past.fees'),
      width: 105,
      numeric: true,
      order: (row) => Number(row.fees),
      cell: (row) => moneyOf(row.fees),
    },
    money('funding', text('trade.past.funding')),
    money('net', text('trade.past.net')),
    {
      id: 'roe',
      head: 'ROE',
      width: 80,
      numeric: true,
      order: (row) => returnOf(tools, row) ?? Number.NEGATIVE_INFINITY,
      cell: (row) => returnText(tools, row),
    },
    {
      id: 'held',
      head: text('trade.past.heldHead'),
      width: 95,
      order: (row) => row.closedAt - row.openedAt,
      cell: (row) => heldText(text, row),
    },
    {
      id: 'how',
      head: text('trade.past.how'),
      width: 130,
      order: (row) => row.ended,
      cell: (row) => <How {...{ row, text }} />,
    },
  ];
}

/** A closed position on a phone. */
export function closedCard(tools: CellTools) {
  const { text } = tools;
  return (row: ClosedPositionRow): ReactNode => (
    <Card
      head={
        <>
          <SymbolCell row={market(row)} />
          <SideBadge {...{ row, text }} />
        </>
      }
      end={<Gain value={row.net} />}
      pairs={[
        { label: text('trade.past.maxSize'), value: coinsText(tools, row, row.maxQuantity) },
        { label: text('trade.position.entry'), value: priceText(tools, row, row.entryPrice) },
        { label: text('trade.past.exit'), value: priceText(tools, row, row.exitPrice) },
        { label: text('trade.past.closedAt'), value: <TimeText millis={row.closedAt} /> },
        { label: text('trade.past.fees'), value: moneyOf(row.fees) },
        { label: text('trade.past.how'), value: <How {...{ row, text }} /> },
      ]}
    />
  );
}

function FundedSide({ row, text }: { readonly row: FundingRow; readonly text: Text }) {
  const side = fundedSide(row);
  if (side === undefined) return DASH;
  return (
    <Badge tone={side === 1 ? 'up' : 'down'}>
      {text(side === 1 ? 'trade.contract.long' : 'trade.contract.short')}
    </Badge>
  );
}

/** Payments of funding. */
export function fundingColumns(tools: CellTools): readonly VirtualColumn<FundingRow>[] {
  const { text } = tools;
  return [
    {
      id: 'time',
      head: text('trade.orders.time'),
      width: 124,
      order: (row) => row.time,
      cell: (row) => <TimeText millis={row.time} />,
    },
    {
      id: 'symbol',
      head: text('trade.orders.symbol'),
      width: 150,
      order: (row) => row.symbol,
      cell: (row) => <SymbolCell row={market(row)} />,
    },
    {
      id: 'side',
      head: text('trade.orders.side'),
      width: 80,
      order: (row) => fundedSide(row) ?? 0,
      cell: (row) => <FundedSide {...{ row, text }} />,
    },
    {
      id: 'size',
      head: text('trade.contract.size'),
      width: 110,
      numeric: true,
      order: (row) => Number(coinsOf(row.quantity ?? '0', tools.instrument(marketOf(market(row))))),
      cell: (row) => coinsText(tools, row, row.quantity),
    },
    {
      id: 'mark',
      head: text('trade.bar.mark'),
      width: 100,
      numeric: true,
      order: (row) => Number(row.markPrice ?? 0),
      cell: (row) => priceText(tools, row, row.markPrice),
    },
    {
      id: 'rate',
      head: text('trade.past.rate'),
      width: 90,
      numeric: true,
      order: (row) => Number(row.rate ?? 0),
      cell: (row) => (row.rate === null ? DASH : (fundingText(row.rate) ?? DASH)),
    },
    {
      id: 'amount',
      head: text('trade.past.amount'),
      width: 120,
      numeric: true,
      order: (row) => Number(row.amount),
      cell: (row) => <Gain value={row.amount} />,
    },
  ];
}

/** A payment of funding on a phone. */
export function fundingCard(tools: CellTools) {
  const { text } = tools;
  return (row: FundingRow): ReactNode => (
    <Card
      head={
        <>
          <SymbolCell row={market(row)} />
          <FundedSide {...{ row, text }} />
        </>
      }
      end={<Gain value={row.amount} />}
      pairs={[
        { label: text('trade.orders.time'), value: <TimeText millis={row.time} /> },
        { label: text('trade.contract.size'), value: coinsText(tools, row, row.quantity) },
        { label: text('trade.past.rate'), value: row.rate === null ? DASH : (fundingText(row.rate) ?? DASH) },
      ]}
    />
  );
}

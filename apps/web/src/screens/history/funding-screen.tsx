import type { FundingRow } from '@crossbook/contract';
import { useMemo } from 'react';
import { useStore } from 'zustand';
import { fundingText } from '../../calculators/contracts/funding.ts';
import {
  contractsShown,
  fundedSide,
  fundingSum,
  priceShown,
  sizeShown,
} from '../../calculators/tables/order-values.ts';
import { FUNDING_CSV } from '../../calculators/tables/record-csv.ts';
import { positionsStore } from '../../stores/trading/contracts/positions.ts';
import { readFunding } from '../../stores/trading/records.ts';
import type { RecordColumn } from '../../ui/tables/RecordTable.tsx';
import { RecordScreen } from './RecordScreen.tsx';
import {
  GainCell,
  marketColumns,
  type RecordTools,
  SideCell,
  TimeCell,
  useRecordTools,
} from './record-cells.tsx';

function columns({ text: t, instrument }: RecordTools): readonly RecordColumn<FundingRow>[] {
  const found = (row: FundingRow) => instrument({ ...row, symbolType: 'SWAP' });
  return [
    {
      id: 'time',
      order: (row) => row.time,
      head: t('common.time'),
      cell: (row) => <TimeCell millis={row.time} />,
    },
    ...marketColumns<FundingRow>(t, () => 'SWAP'),
    {
      id: 'side',
      onCard: 'head',
      order: (row) => fundedSide(row) ?? 0,
      head: t('history.side'),
      cell: (row) => {
        const side = fundedSide(row);
        return side === undefined ? '–' : <SideCell side={side} effect={row.effect} />;
      },
    },
    {
      id: 'quantity',
      order: (row) => Math.abs(Number(row.quantity ?? 0)),
      head: t('history.quantity'),
      numeric: true,
      cell: (row) => (
        <span title={contractsShown(row.quantity, found(row))}>{sizeShown(row.quantity, found(row))}</span>
      ),
    },
    {
      id: 'mark',
      order: (row) => Number(row.markPrice ?? 0),
      head: t('history.mark'),
      numeric: true,
      wideOnly: true,
      cell: (row) => priceShown(row.markPrice, found(row)),
    },
    {
      id: 'rate',
      order: (row) => Number(row.rate ?? 0),
      head: t('history.rate'),
      numeric: true,
      cell: (row) => (row.rate === null ? '–' : (fundingText(row.rate) ?? '–')),
    },
    {
      id: 'amount',
      onCard: 'end',
      order: (row) => Number(row.amount),
      head: t('history.fundingAmount'),
      numeric: true,
      cell: (row) => <GainCell value={row.amount} />,
    },
  ];
}

/** /history/funding_history: payments of funding. */
export function FundingScreen() {
  const tools = useRecordTools();
  const { text: t } = tools;
  const version = useStore(positionsStore, (state) => state.version);
  const shown = useMemo(() => columns(tools), [tools]);
  return (
    <RecordScreen
      name="funding"
      symbolType="SWAP"
      heading={t('nav.history.funding')}
      read={readFunding}
      columns={shown}
      csv={FUNDING_CSV}
      emptyAdvice={t('history.fundingAdvice')}
      sum={fundingSum}
      rowKey={(row) => `${row.exchange}:${row.id}`}
      version={version}
    />
  );
}

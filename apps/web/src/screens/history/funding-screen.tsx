import type { FundingRow } from '@crossbook/contract';
import { platformFacts } from '@crossbook/domain';
import { useMemo } from 'react';
import { useStore } from 'zustand';
import { fundingText } from '../../calculators/contracts/funding.ts';
import { FUNDING_CSV } from '../../calculators/tables/record-csv.ts';
import { formatDateTime, groupDigits } from '../../i18n/format.ts';
import { type Text, useLocale, useText } from '../../i18n/i18n.ts';
import { positionsStore } from '../../stores/trading/contracts/positions.ts';
import { readFunding } from '../../stores/trading/records.ts';
import type { Column } from '../../ui/tables/Table.tsx';
import { RecordScreen } from './RecordScreen.tsx';
import { GainCell, SymbolCell } from './record-cells.tsx';

function columns(t: Text, locale: string): readonly Column<FundingRow>[] {
  return [
    { id: 'time', head: t('common.time'), cell: (row) => formatDateTime(row.time, locale) },
    {
      id: 'venue',
      head: t('market.venue'),
      cell: (row) => <span className="text-soft">{platformFacts(row.exchange).name}</span>,
    },
    { id: 'symbol', head: t('history.symbol'), cell: (row) => <SymbolCell {...row} symbolType="SWAP" /> },
    {
      id: 'quantity',
      head: t('history.quantity'),
      numeric: true,
      cell: (row) => (row.quantity === null ? '–' : groupDigits(row.quantity)),
    },
    {
      id: 'mark',
      head: t('history.mark'),
      numeric: true,
      wideOnly: true,
      cell: (row) => (row.markPrice === null ? '–' : groupDigits(row.markPrice)),
    },
    {
      id: 'rate',
      head: t('history.rate'),
      numeric: true,
      cell: (row) => (row.rate === null ? '–' : (fundingText(row.rate) ?? '–')),
    },
    {
      id: 'amount',
      head: t('history.fundingAmount'),
      numeric: true,
      cell: (row) => <GainCell value={row.amount} />,
    },
  ];
}

/** /history/funding_history: payments of funding. */
export function FundingScreen() {
  const t = useText();
  const locale = useLocale();
  const version = useStore(positionsStore, (state) => state.version);
  const shown = useMemo(() => columns(t, locale), [t, locale]);
  return (
    <RecordScreen
      name="funding"
      symbolType="SWAP"
      heading={t('nav.history.funding')}
      read={readFunding}
      columns={shown}
      csv={FUNDING_CSV}
      emptyAdvice={t('history.fundingAdvice')}
      rowKey={(row) => `${row.exchange}:${row.id}`}
      version={version}
    />
  );
}

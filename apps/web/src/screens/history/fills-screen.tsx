import type { FillRow } from '@crossbook/contract';
import { platformFacts, type SymbolType } from '@crossbook/domain';
import { useMemo } from 'react';
import { useStore } from 'zustand';
import { fillCsv } from '../../calculators/tables/record-csv.ts';
import { formatDateTime, groupDigits } from '../../i18n/format.ts';
import { type Text, useLocale, useText } from '../../i18n/i18n.ts';
import { orderSymbolKey } from '../../stores/market/instruments.ts';
import { fillsStore } from '../../stores/trading/fills.ts';
import { readFills } from '../../stores/trading/records.ts';
import type { Column } from '../../ui/tables/Table.tsx';
import { RecordScreen } from './RecordScreen.tsx';
import { GainCell, IdCell, SideCell, SymbolCell } from './record-cells.tsx';

function columns(t: Text, locale: string): readonly Column<FillRow>[] {
  return [
    { id: 'time', head: t('common.time'), cell: (row) => formatDateTime(row.time, locale) },
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
    { id: 'price', head: t('history.price'), numeric: true, cell: (row) => groupDigits(row.price) },
    { id: 'quantity', head: t('history.filled'), numeric: true, cell: (row) => groupDigits(row.quantity) },
    {
      id: 'value',
      head: t('history.value'),
      numeric: true,
      wideOnly: true,
      cell: (row) => groupDigits(row.quoteQuantity),
    },
    {
      id: 'fee',
      head: t('history.fee'),
      numeric: true,
      cell: (row) => (
        <>
          {groupDigits(row.fee)} <span className="text-faint">{row.feeAsset}</span>
        </>
      ),
    },
    {
      id: 'role',
      head: t('history.role'),
      wideOnly: true,
      cell: (row) => t(row.maker ? 'history.maker' : 'history.taker'),
    },
    { id: 'trade', head: t('history.tradeId'), wideOnly: true, cell: (row) => <IdCell id={row.tradeId} /> },
    { id: 'order', head: t('history.orderId'), wideOnly: true, cell: (row) => <IdCell id={row.orderId} /> },
  ];
}

const realised = (t: Text): Column<FillRow> => ({
  id: 'realised',
  head: t('history.realised'),
  numeric: true,
  cell: (row) => <GainCell value={row.realisedPnl} />,
});

function FillRecords({ symbolType }: { readonly symbolType: SymbolType }) {
  const t = useText();
  const locale = useLocale();
  const newest = useStore(fillsStore, (state) => state.recent[0]?.time ?? 0);
  const spot = symbolType === 'SPOT';
  const shown = useMemo(
    () => (spot ? columns(t, locale) : [...columns(t, locale), realised(t)]),
    [t, locale, spot],
  );
  return (
    <RecordScreen
      name={spot ? 'spot-fills' : 'futures-fills'}
      symbolType={symbolType}
      heading={t(spot ? 'title.fills' : 'nav.history.futuresFills')}
      read={readFills}
      columns={shown}
      csv={fillCsv(orderSymbolKey)}
      rowKey={(row) => `${row.exchange}:${row.symbolType}:${row.symbol}:${row.tradeId}`}
      version={newest}
    />
  );
}

/** /history/spot_trading_details: fills. */
export function FillsScreen() {
  return <FillRecords symbolType="SPOT" />;
}

/** /history/futures_trading_details: fills of contracts. */
export function FuturesFillsScreen() {
  return <FillRecords symbolType="SWAP" />;
}

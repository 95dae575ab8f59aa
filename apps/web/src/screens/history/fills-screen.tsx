import type { FillRow } from '@crossbook/contract';
import type { SymbolType } from '@crossbook/domain';
import { useMemo } from 'react';
import { useStore } from 'zustand';
import { moneyOf } from '../../calculators/signed-text.ts';
import {
  contractsShown,
  feeShown,
  fillKey,
  priceShown,
  sizeShown,
} from '../../calculators/tables/order-values.ts';
import { fillCsv } from '../../calculators/tables/record-csv.ts';
import type { Text } from '../../i18n/i18n.ts';
import { orderSymbolKey } from '../../stores/market/instruments.ts';
import { fillsStore } from '../../stores/trading/fills.ts';
import { readFills } from '../../stores/trading/records.ts';
import type { RecordColumn } from '../../ui/tables/RecordTable.tsx';
import { RecordScreen } from './RecordScreen.tsx';
import {
  GainCell,
  IdCell,
  marketColumns,
  type RecordTools,
  sideColumn,
  TimeCell,
  useRecordTools,
} from './record-cells.tsx';

function columns({ text: t, instrument }: RecordTools): readonly RecordColumn<FillRow>[] {
  return [
    {
      id: 'time',
      onCard: 'below',
      order: (row) => row.time,
      head: t('common.time'),
      cell: (row) => <TimeCell millis={row.time} exact />,
    },
    ...marketColumns<FillRow>(t, (row) => row.symbolType),
    sideColumn(t),
    {
      id: 'price',
      order: (row) => Number(row.price),
      head: t('history.price'),
      numeric: true,
      cell: (row) => priceShown(row.price, instrument(row)),
    },
    {
      id: 'quantity',
      order: (row) => Number(row.quantity),
      head: t('history.filled'),
      numeric: true,
      cell: (row) => (
        <span title={contractsShown(row.quantity, instrument(row))}>
          {sizeShown(row.quantity, instrument(row))}
        </span>
      ),
    },
    {
      id: 'value',
      order: (row) => Number(row.quoteQuantity),
      head: t('history.value'),
      numeric: true,
      wideOnly: true,
      cell: (row) => <span title={row.quoteQuantity}>{moneyOf(row.quoteQuantity)}</span>,
    },
    {
      id: 'fee',
      order: (row) => Number(row.fee),
      head: t('history.fee'),
      numeric: true,
      cell: (row) => (
        <span title={row.fee}>
          {feeShown(row)} <span className="text-faint">{row.feeAsset}</span>
        </span>
      ),
    },
    {
      id: 'role',
      order: (row) => Number(row.maker),
      head: t('history.role'),
      wideOnly: true,
      cell: (row) => t(row.maker ? 'history.maker' : 'history.taker'),
    },
    {
      id: 'trade',
      onCard: 'below',
      head: t('history.tradeId'),
      wideOnly: true,
      cell: (row) => <IdCell id={row.tradeId} />,
    },
    {
      id: 'order',
      onCard: 'below',
      head: t('history.orderId'),
      wideOnly: true,
      cell: (row) => <IdCell id={row.orderId} />,
    },
  ];
}

const realised = (t: Text): RecordColumn<FillRow> => ({
  id: 'realised',
  order: (row) => Number(row.realisedPnl ?? 0),
  head: t('history.realised'),
  numeric: true,
  cell: (row) => <GainCell value={row.realisedPnl} />,
});

function FillRecords({ symbolType }: { readonly symbolType: SymbolType }) {
  const tools = useRecordTools();
  const { text: t } = tools;
  const newest = useStore(fillsStore, (state) => state.recent[0]?.time ?? 0);
  const spot = symbolType === 'SPOT';
  const shown = useMemo(
    () => (spot ? columns(tools) : [...columns(tools), realised(tools.text)]),
    [tools, spot],
  );
  return (
    <RecordScreen
      name={spot ? 'spot-fills' : 'futures-fills'}
      symbolType={symbolType}
      heading={t(spot ? 'title.fills' : 'nav.history.futuresFills')}
      read={readFills}
      columns={shown}
      csv={fillCsv(orderSymbolKey)}
      rowKey={fillKey}
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

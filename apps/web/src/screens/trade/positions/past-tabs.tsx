import { useMemo } from 'react';
import { useStore } from 'zustand';
import { useText } from '../../../i18n/i18n.ts';
import { positionsStore } from '../../../stores/trading/contracts/positions.ts';
import { readClosedPositions, readFunding } from '../../../stores/trading/records.ts';
import { filterOf, type RecordTabProps, useFailure } from '../orders/record-tabs.tsx';
import { useCellTools } from '../tables/cells.tsx';
import { usePages } from '../tables/use-pages.ts';
import { VirtualTable } from '../tables/VirtualTable.tsx';
import { closedCard, closedColumns, fundingCard, fundingColumns } from './past-columns.tsx';

/** Positions from opening to flat, newest first. */
export function PositionHistory({ instrument, onlyThis, wide }: RecordTabProps) {
  const text = useText();
  const tools = useCellTools();
  const version = useStore(positionsStore, (state) => state.version);
  const read = useMemo(() => readClosedPositions(filterOf({ instrument, onlyThis })), [instrument, onlyThis]);
  const pages = usePages(read, version);
  const columns = useMemo(() => closedColumns(tools), [tools]);
  return (
    <VirtualTable
      name="closed"
      label={text('trade.past.positions')}
      columns={columns}
      rows={pages.rows}
      rowKey={(row) => row.positionId}
      card={closedCard(tools)}
      status={pages.status}
      wide={wide}
      onEnd={pages.more}
      empty={{ title: text('common.empty'), advice: text('trade.past.positionsEmpty') }}
      failure={useFailure(pages.retry)}
    />
  );
}

/** Payments of funding, newest first. */
export function FundingTab({ instrument, onlyThis, wide }: RecordTabProps) {
  const text = useText();
  const tools = useCellTools();
  const version = useStore(positionsStore, (state) => state.version);
  const read = useMemo(() => readFunding(filterOf({ instrument, onlyThis })), [instrument, onlyThis]);
  const pages = usePages(read, version);
  const columns = useMemo(() => fundingColumns(tools), [tools]);
  return (
    <VirtualTable
      name="funding"
      label={text('trade.past.fundingTab')}
      columns={columns}
      rows={pages.rows}
      rowKey={(row) => row.id}
      card={fundingCard(tools)}
      status={pages.status}
      wide={wide}
      onEnd={pages.more}
      empty={{ title: text('common.empty'), advice: text('trade.past.fundingEmpty') }}
      failure={useFailure(pages.retry)}
    />
  );
}

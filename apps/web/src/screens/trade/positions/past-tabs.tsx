import '../../../i18n/later-words.ts';
import { formatAmount } from '@crossbook/domain';
import { useMemo } from 'react';
import { useStore } from 'zustand';
import { fundingSum } from '../../../calculators/tables/order-values.ts';
import { useText } from '../../../i18n/i18n.ts';
import { positionsStore } from '../../../stores/trading/contracts/positions.ts';
import { readClosedPositions, readFunding } from '../../../stores/trading/records.ts';
import { filterOf, type RecordTabProps } from '../orders/record-rows.ts';
import { useFailure } from '../orders/record-tabs.tsx';
import { useCellTools } from '../tables/cells.tsx';
import { usePages } from '../tables/use-pages.ts';
import { VirtualTable } from '../tables/VirtualTable.tsx';
import { closedCard, closedColumns, fundingCard, fundingColumns, Gain } from './past-columns.tsx';

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
    <div className="flex h-full min-h-0 flex-col">
      <div className="min-h-0 flex-1">
        <VirtualTable
          name="funding"
          label={text('trade.past.fundingTab')}
          columns={columns}
          rows={pages.rows}
          rowKey={(row) => `${row.exchange}:${row.id}`}
          card={fundingCard(tools)}
          status={pages.status}
          wide={wide}
          onEnd={pages.more}
          empty={{ title: text('common.empty'), advice: text('trade.past.fundingEmpty') }}
          failure={useFailure(pages.retry)}
        />
      </div>
      {pages.rows.length > 0 && (
        <p className="shrink-0 border-t border-line px-3 py-1.5 text-xs text-soft tabular-nums">
          {text(pages.whole ? 'history.sum' : 'history.sumSoFar', { count: pages.rows.length })}{' '}
          <Gain value={formatAmount(fundingSum(pages.rows))} />
        </p>
      )}
    </div>
  );
}

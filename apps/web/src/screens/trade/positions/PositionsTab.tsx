import '../../../i18n/later-words.ts';
import type { PositionRow } from '@crossbook/contract';
import { type Amount, platformFacts, SIDE } from '@crossbook/domain';
import { ArrowDownUp, Pencil } from 'lucide-react';
import { type ReactNode, useCallback, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { moneyOf, signedMoney } from '../../../calculators/signed-text.ts';
import { listsStatus } from '../../../calculators/tables/list-status.ts';
import { formatShortTime } from '../../../i18n/format.ts';
import { type Text, useText } from '../../../i18n/i18n.ts';
import { now } from '../../../stores/app/clock.ts';
import { downMarkets, liveStore } from '../../../stores/market/live.ts';
import { loadPositions, positionsStore } from '../../../stores/trading/contracts/positions.ts';
import { Button } from '../../../ui/Button.tsx';
import { useScreen } from '../live/live-hooks.ts';
import { platformsOf, type RecordTabProps } from '../orders/record-rows.ts';
import { useFailure } from '../orders/record-tabs.tsx';
import { Unread } from '../orders/Unread.tsx';
import { ownRatioText } from '../own-ratio-text.ts';
import { VirtualTable } from '../tables/VirtualTable.tsx';
import { CloseDialog } from './CloseDialog.tsx';
import { MarginDialog } from './MarginDialog.tsx';
import { PositionCard } from './PositionCard.tsx';
import {
  Margin,
  type PositionAction,
  type PositionTools,
  positionColumns,
  positionLabel,
} from './position-columns.tsx';
import { ReverseDialog } from './ReverseDialog.tsx';
import { TargetsDialog, targetsText, useProtecting } from './TargetsDialog.tsx';
import { type PositionView, usePositions } from './use-positions.ts';

const ROW_PIXELS = 44;
const CARD_PIXELS = 236;
const LARGEST_FIRST = { column: 'value', direction: 'desc' } as const;

/** What can be done with a position, in its row. */
function RowActions(props: {
  readonly view: PositionView;
  readonly text: Text;
  readonly onAct: (action: PositionAction) => void;
}) {
  const { view, text, onAct } = props;
  const { row, stats } = view;
  const busy = row.status !== 'normal';
  const side = text(stats.side === SIDE.BUY ? 'trade.contract.long' : 'trade.contract.short');
  const name = (action: string) => `${action} ${row.symbol} ${side}`;
  return (
    <span className="flex items-center gap-1">
      <Button
        size="small"
        disabled={busy}
        aria-label={name(text('trade.position.close'))}
        data-removes=""
        onClick={() => onAct('market')}
        className="h-6"
      >
        {text('trade.position.close')}
      </Button>
      <Button
        size="small"
        disabled={busy}
        aria-label={name(text('trade.position.closeLimit'))}
        onClick={() => onAct('limit')}
        className="h-6"
      >
        {text('trade.ticket.limit')}
      </Button>
      <Button
        size="small"
        disabled={busy}
        aria-label={name(text('trade.position.reverse'))}
        onClick={() => onAct('reverse')}
        className="h-6"
      >
        <ArrowDownUp size={12} aria-hidden="true" />
        {text('trade.position.reverse')}
      </Button>
    </span>
  );
}

/** Take-profit and stop-loss of a row, which open their dialog; that some asked for do not stand yet is said. */
function Targets({ view, onAct }: { readonly view: PositionView; readonly onAct: () => void }) {
  const text = useText();
  const rows = useProtecting(view);
  const away = useStore(liveStore, (live) => downMarkets(live).includes(`${view.row.exchange} SWAP`));
  return (
    <span className="flex flex-col items-start">
      <button
        type="button"
        aria-label={`${text('trade.targets.edit', { symbol: view.row.symbol })}: ${targetsText(text, rows, view)}`}
        data-edits=""
        onClick={onAct}
        className="inline-flex max-w-full items-center gap-1 rounded-sm hover:underline max-lg:min-h-11"
      >
        <span className={`whitespace-normal text-left leading-4 ${rows.length === 0 ? 'text-link' : ''}`}>
          {targetsText(text, rows, view)}
        </span>
        <Pencil size={11} aria-hidden="true" className="shrink-0 text-faint" />
      </button>
      {view.row.unprotected === true && (
        <span title={text('trade.targets.unprotectedHint')} className="text-warning">
          ⚠ {text('trade.targets.unprotected')}
          {away && `: ${text('trade.away.waits', { venue: platformFacts(view.row.exchange).name })}`}
        </span>
      )}
    </span>
  );
}

/** Sums of a venue: profit at the newest marks, and the exchange's own margin and ratio. */
function Totals({ views }: { readonly views: readonly PositionView[] }) {
  const text = useText();
  const margin = useStore(positionsStore, (state) => state.margin);
  const heardAt = useStore(positionsStore, (state) => state.heardAt);
  const live = useStore(liveStore);
  const platforms = [...new Set(views.map(({ row }) => row.exchange))].toSorted();
  return (
    <ul className="flex shrink-0 flex-wrap gap-x-5 gap-y-1 border-b border-line px-3 py-1.5 text-xs tabular-nums">
      {platforms.map((platform) => {
        const pnl = views
          .filter(({ row }) => row.exchange === platform)
          .reduce((sum, { stats }) => sum + stats.pnl, 0n);
        const pool = margin[platform];
        const away = live[platform]?.phase !== 'open' || live[platform]?.venues.SWAP?.state === 'down';
        const at = heardAt[platform];
        return (
          <li key={platform} className="flex gap-3">
            <span className="text-soft">{platformFacts(platform).name}</span>
            <span className={away ? 'stale-figures' : ''}>
              <span className="text-faint">{text('trade.position.pnlShort')}</span>{' '}
              <span className={pnl < 0n ? 'text-down' : pnl > 0n ? 'text-up' : ''}>
                {signedMoney(pnl as Amount)}
              </span>
            </span>
            <span>
              <span className="text-faint">{text('trade.position.margin')}</span>{' '}
              {moneyOf(pool?.positionInitial)}
            </span>
            <span title={ownRatioText(text, platform, pool?.ratio ?? undefined)}>
              <span className="text-faint">{text('trade.position.ratio')}</span>{' '}
              {pool?.ratio == null ? '–' : `${(Math.min(1, pool.ratio) * 100).toFixed(2)}%`}
            </span>
            {away && at !== undefined && (
              <span className="text-warning">
                {text('trade.position.asOf', { time: formatShortTime(at, now()) })}
              </span>
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** The dialog of what a position was asked for. */
export function PositionDialog(props: {
  readonly view: PositionView;
  readonly action: PositionAction;
  readonly onClose: () => void;
}): ReactNode {
  const { view, action, onClose } = props;
  if (action === 'reverse') return <ReverseDialog view={view} onClose={onClose} />;
  if (action === 'targets') return <TargetsDialog view={view} onClose={onClose} />;
  if (action === 'margin') return <MarginDialog view={view} onClose={onClose} />;
  return <CloseDialog view={view} type={action} onClose={onClose} />;
}

/** Which positions the tab shows: of the symbol on screen, or of every platform. */
export function usePositionFilter({
  instrument,
  onlyThis,
}: Pick<RecordTabProps, 'instrument' | 'onlyThis'>): (row: PositionRow) => boolean {
  const { platform, symbol } = instrument;
  return useCallback(
    (row: PositionRow) => !onlyThis || (row.exchange === platform && row.symbol === symbol),
    [onlyThis, platform, symbol],
  );
}

/** Open positions with what can be done about each. */
export function PositionsTab(props: RecordTabProps) {
  const { wide } = props;
  const text = useText();
  const views = usePositions(usePositionFilter(props));
  const platforms = platformsOf(props);
  const known = useStore(positionsStore, (state) => state.status);
  const { status, unread } = listsStatus(known, platforms, views.length > 0);
  const margin = useStore(positionsStore, (state) => state.margin);
  const [open, setOpen] = useState<{ readonly key: string; readonly action: PositionAction }>();
  const screen = useScreen();
  const roomy = screen === 'full' || screen === 'ultra';
  const opened = views.find((view) => view.key === open?.key);
  const tools: PositionTools = useMemo(
    () => ({
      ...{ text, roomy },
      ratioOf: ({ row }) => {
        if (row.marginMode === 'cross') return margin[row.exchange]?.ratio ?? undefined;
        const behind = Number(row.isolatedMargin ?? 0) + Number(row.unrealisedPnl);
        return behind > 0 ? Math.min(1, Number(row.maintenanceMargin) / behind) : undefined;
      },
      targets: (view) => <Targets view={view} onAct={() => setOpen({ key: view.key, action: 'targets' })} />,
      margin: (view) => <Margin view={view} onAct={() => setOpen({ key: view.key, action: 'margin' })} />,
      actions: (view) => (
        <RowActions view={view} text={text} onAct={(action) => setOpen({ key: view.key, action })} />
      ),
    }),
    [text, margin, roomy],
  );
  const columns = useMemo(() => positionColumns(tools), [tools]);
  return (
    <div className="flex h-full min-h-0 flex-col">
      <Unread
        missing="trade.position.unread"
        platforms={unread}
        onRetry={(platform) => void loadPositions(platform)}
      />
      {views.length > 0 && <Totals views={views} />}
      <div className="min-h-0 flex-1">
        <VirtualTable
          name="positions"
          firstOrder={LARGEST_FIRST}
          label={text('trade.positions')}
          columns={columns}
          rows={views}
          rowKey={(view) => view.key}
          rowLabel={(view) => positionLabel(text, view)}
          rowPixels={ROW_PIXELS}
          card={(view) => (
            <PositionCard {...{ view, tools }} onAct={(action) => setOpen({ key: view.key, action })} />
          )}
          cardPixels={CARD_PIXELS}
          status={status}
          wide={wide}
          empty={{ title: text('common.empty'), advice: text('trade.position.empty') }}
          failure={useFailure(() => platforms.forEach((platform) => void loadPositions(platform)))}
        />
      </div>
      {open !== undefined && opened !== undefined && (
        <PositionDialog view={opened} action={open.action} onClose={() => setOpen(undefined)} />
      )}
    </div>
  );
}

import { platformFacts } from '@crossbook/domain';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatPercent, formatToStep } from '../../i18n/format.ts';
import { tradeLink } from '../../stores/market/market.ts';
import type { MarketRow } from '../../stores/market-lists/market-rows.ts';
import { Change } from '../../ui/Change.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Skeleton } from '../../ui/states.tsx';
import { Sparkline } from './Sparkline.tsx';

const MISSING_ROWS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth'] as const;

/** A short list of pairs with price and change; every row opens its pair. */
export function MarketList(props: {
  readonly heading: string;
  readonly rows: readonly MarketRow[];
  /** How many rows there will be, so that nothing jumps when they arrive. */
  readonly rowsExpected: number;
  /** Whether each row shows its last 24 hours in a stroke. */
  readonly lines?: boolean;
  /** Whether a row's figures are old. */
  readonly isOld: (row: MarketRow) => boolean;
  /** Behind the heading: how old the figures are. */
  readonly note?: ReactNode;
  /** A row below the pairs. */
  readonly last?: ReactNode;
}) {
  const { lines = false } = props;
  const missing = Math.max(0, props.rowsExpected - props.rows.length);
  return (
    <section className="rounded-md border border-line bg-panel">
      <h2 className="flex flex-wrap items-center gap-2 border-b border-line px-4 py-2.5 text-[13px] font-medium text-soft">
        {props.heading}
        {props.note}
      </h2>
      <ul className="py-1">
        {props.rows.map((row) => (
          <li key={`${row.instrument.platform}:${row.instrument.symbol}`}>
            <Row row={row} lines={lines} old={props.isOld(row)} />
          </li>
        ))}
        {MISSING_ROWS.slice(0, missing).map((key) => (
          <li key={key} aria-hidden="true" className="flex h-10 items-center px-4 max-md:h-11">
            <Skeleton className="h-3 w-full" />
          </li>
        ))}
        {props.last !== undefined && <li>{props.last}</li>}
      </ul>
    </section>
  );
}

function Row(props: { readonly row: MarketRow; readonly lines: boolean; readonly old: boolean }) {
  const { instrument, ticker } = props.row;
  const change = Number(ticker?.change ?? 0);
  return (
    <Link
      {...tradeLink(instrument)}
      className={classNames(
        'grid h-10 grid-cols-[1fr_auto_84px] sm:grid-cols-[1fr_72px_104px_84px] items-center gap-4 px-4 hover:bg-hover max-md:h-11',
        props.old && 'stale-figures',
      )}
    >
      <span className="truncate font-medium">
        {instrument.base}
        <span className="font-normal text-faint">/{instrument.quote}</span>
        <span className="ml-2 text-[11px] font-normal text-faint">
          {platformFacts(instrument.platform).name}
        </span>
      </span>
      {props.lines ? (
        <Sparkline instrument={instrument} change={change} />
      ) : (
        <span className="max-sm:hidden" />
      )}
      <span className="num">
        {ticker === undefined ? <Skeleton /> : formatToStep(ticker.last, instrument.tickSize)}
      </span>
      <span className="num">
        {ticker === undefined ? (
          <Skeleton className="h-3 w-12" />
        ) : (
          <Change value={change} text={formatPercent(change)} />
        )}
      </span>
    </Link>
  );
}

import { platformFacts } from '@crossbook/domain';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatPercent, formatToStep } from '../../i18n/format.ts';
import type { MarketRow } from '../../stores/market-rows.ts';
import { Change } from '../../ui/Change.tsx';
import { Skeleton } from '../../ui/states.tsx';

const MISSING_ROWS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth'] as const;

/** A short list of pairs with price and change; every row opens its pair. */
export function MarketList(props: {
  readonly heading: string;
  readonly rows: readonly MarketRow[];
  /** How many rows there will be, so that nothing jumps when they arrive. */
  readonly rowsExpected: number;
  /** A row below the pairs. */
  readonly last?: ReactNode;
}) {
  const missing = Math.max(0, props.rowsExpected - props.rows.length);
  return (
    <section className="rounded-md border border-line bg-panel">
      <h2 className="border-b border-line px-4 py-2.5 text-[13px] font-medium text-soft">{props.heading}</h2>
      <ul className="py-1">
        {props.rows.map(({ instrument, ticker }) => (
          <li key={`${instrument.platform}:${instrument.symbol}`}>
            <Link
              to="/spot/$exchange/$symbol"
              params={{ exchange: platformFacts(instrument.platform).slug, symbol: instrument.symbol }}
              className="grid h-10 grid-cols-[1fr_auto_84px] items-center gap-4 px-4 hover:bg-hover"
            >
              <span className="font-medium">
                {instrument.base}
                <span className="font-normal text-faint">/{instrument.quote}</span>
              </span>
              <span className="num">
                {ticker === undefined ? <Skeleton /> : formatToStep(ticker.last, instrument.tickSize)}
              </span>
              <span className="num">
                {ticker === undefined ? (
                  <Skeleton className="h-3 w-12" />
                ) : (
                  <Change value={Number(ticker.change)} text={formatPercent(Number(ticker.change))} />
                )}
              </span>
            </Link>
          </li>
        ))}
        {MISSING_ROWS.slice(0, missing).map((key) => (
          <li key={key} aria-hidden="true" className="flex h-10 items-center px-4">
            <Skeleton className="h-3 w-full" />
          </li>
        ))}
        {props.last !== undefined && <li>{props.last}</li>}
      </ul>
    </section>
  );
}

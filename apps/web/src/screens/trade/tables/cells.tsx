import type { AlgoRow, OrderRow } from '@crossbook/contract';
import { type Platform, platformFacts, SIDE, type Side } from '@crossbook/domain';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import { useStore } from 'zustand';
import { sizeShown } from '../../../calculators/tables/order-values.ts';
import { sideKey } from '../../../calculators/ticket/order-side.ts';
import { formatShortTime } from '../../../i18n/format.ts';
import { type Text, useText } from '../../../i18n/i18n.ts';
import { detailsOf } from '../../../i18n/notice-words.ts';
import { now } from '../../../stores/app/clock.ts';
import {
  findInstrument,
  instrumentsStore,
  type ListedInstrument,
} from '../../../stores/market/instruments.ts';
import { type MarketName, tradeLink } from '../../../stores/market/market.ts';
import { Details } from '../../../ui/Details.tsx';

/** What cells need besides their row. */
export interface CellTools {
  readonly text: Text;
  /** The instrument of a row; `undefined` for one that is no longer listed. */
  readonly instrument: (market: MarketName) => ListedInstrument | undefined;
}

/** What names a row's market. */
export interface MarketRow {
  readonly exchange: Platform;
  readonly symbolType: MarketName['symbolType'];
  readonly symbol: string;
}

/** The tools of the language and the lists at hand; the same object until one of them changes. */
export function useCellTools(): CellTools {
  const text = useText();
  const instruments = useStore(instrumentsStore);
  return useMemo(
    () => ({
      text,
      instrument: ({ platform, symbolType, symbol }) =>
        findInstrument(instruments, platform, symbolType, symbol),
    }),
    [text, instruments],
  );
}

/** The market of a row. */
export function marketOf({ exchange, symbolType, symbol }: MarketRow): MarketName {
  return { platform: exchange, symbolType, symbol };
}

/** Whether a row is of a market: exchanges name theirs alike. */
export function isOf(row: MarketRow, { platform, symbolType, symbol }: MarketName): boolean {
  return row.exchange === platform && row.symbolType === symbolType && row.symbol === symbol;
}

/** How much an order that waits is of, in base coins, or that it is all of the position. */
export function algoSizeText(row: AlgoRow, tools: CellTools): string {
  return row.quantity === null
    ? tools.text('trade.algo.wholeShort')
    : sizeShown(row.quantity, tools.instrument(marketOf(row)));
}

/** A symbol that opens its market. */
export function SymbolLink({ market }: { readonly market: MarketName }) {
  return (
    <Link
      {...tradeLink(market)}
      className="font-medium hover:underline max-lg:inline-flex max-lg:min-h-11 max-lg:items-center"
    >
      {market.symbol}
    </Link>
  );
}

/** Symbol and venue, as the head of a row. */
export function SymbolCell({ row }: { readonly row: MarketRow }) {
  return (
    <>
      <SymbolLink market={marketOf(row)} />{' '}
      <span className="text-faint">{platformFacts(row.exchange).name}</span>
    </>
  );
}

/** One of the six labels, in the colour of its side. */
export function SideText({ side, effect }: { readonly side: Side; readonly effect: 0 | 1 | 2 }) {
  const text = useText();
  return (
    <span className={side === SIDE.BUY ? 'text-up' : 'text-down'}>
      {text(`side.${sideKey(side, effect)}`)}
    </span>
  );
}

/** Why a row ended, with the exchange's own code to unfold beside it. */
export function WithDetails(props: {
  readonly row: Pick<OrderRow, 'refusal'>;
  readonly children: ReactNode;
}) {
  const { more } = detailsOf(props.row.refusal);
  if (more === undefined) return props.children;
  return (
    <span className="flex items-baseline gap-1 max-lg:flex-wrap">
      <span className="truncate max-lg:whitespace-normal">{props.children}</span>
      <Details name={more[0]}>{more[1]}</Details>
    </span>
  );
}

/** A time to the second; `exact` to the millisecond. */
export function TimeText({ millis, exact }: { readonly millis: number; readonly exact?: true }) {
  return (
    <span className="text-soft" title={new Date(millis).toISOString()}>
      {formatShortTime(millis, now())}
      {exact === true && `.${String(millis % 1_000).padStart(3, '0')}`}
    </span>
  );
}

import type { OrderRow } from '@crossbook/contract';
import { type Platform, platformFacts, type SymbolType } from '@crossbook/domain';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useStore } from 'zustand';
import { signedMoneyOf } from '../../calculators/signed-text.ts';
import { sideKey } from '../../calculators/ticket/order-side.ts';
import { formatShortTime } from '../../i18n/format.ts';
import { type Text, useText } from '../../i18n/i18n.ts';
import { detailsOf, endWords } from '../../i18n/notice-words.ts';
import { now } from '../../stores/app/clock.ts';
import { sayCopied } from '../../stores/app/say-copied.ts';
import { findInstrument, instrumentsStore, type ListedInstrument } from '../../stores/market/instruments.ts';
import { tradeLink } from '../../stores/market/market.ts';
import { CopyText } from '../../ui/CopyText.tsx';
import { Details } from '../../ui/Details.tsx';
import type { RecordColumn } from '../../ui/tables/RecordTable.tsx';

interface MarketRow {
  readonly exchange: Platform;
  readonly symbolType: SymbolType;
  readonly symbol: string;
}

/** What columns need besides their rows. */
export interface RecordTools {
  readonly text: Text;
  /** The instrument of a row; `undefined` while its list is not read, and for one that is no longer listed. */
  readonly instrument: (row: MarketRow) => ListedInstrument | undefined;
}

/** The tools of the language and the lists at hand; the same object until one of them changes. */
export function useRecordTools(): RecordTools {
  const text = useText();
  const lists = useStore(instrumentsStore);
  return useMemo(
    () => ({
      text,
      instrument: ({ exchange, symbolType, symbol }) => findInstrument(lists, exchange, symbolType, symbol),
    }),
    [text, lists],
  );
}

/** Every row that names an instrument opens it. */
function SymbolCell({ exchange: platform, symbol, symbolType }: MarketRow) {
  return (
    <Link {...tradeLink({ platform, symbol, symbolType })} className="font-medium hover:text-link">
      {symbol}
    </Link>
  );
}

/** Where a row was traded: the exchange, and the instrument. */
export function marketColumns<Row extends Omit<MarketRow, 'symbolType'>>(
  t: Text,
  typeOf: (row: Row) => SymbolType,
): readonly RecordColumn<Row>[] {
  return [
    {
      id: 'venue',
      onCard: 'head',
      order: (row) => row.exchange,
      head: t('market.venue'),
      cell: (row) => <span className="text-soft">{platformFacts(row.exchange).name}</span>,
    },
    {
      id: 'symbol',
      onCard: 'title',
      order: (row) => row.symbol,
      head: t('history.symbol'),
      cell: (row) => <SymbolCell exchange={row.exchange} symbol={row.symbol} symbolType={typeOf(row)} />,
    },
  ];
}

/** One of the six labels of spec section 4, by word and colour. */
export function SideCell({ side, effect }: { readonly side: 1 | 2; readonly effect: 0 | 1 | 2 }) {
  const t = useText();
  return <span className={side === 1 ? 'text-up' : 'text-down'}>{t(`side.${sideKey(side, effect)}`)}</span>;
}

/** Whether it bought or sold, opened or closed. */
export function sideColumn<Row extends { readonly side: 1 | 2; readonly effect: 0 | 1 | 2 }>(
  t: Text,
): RecordColumn<Row> {
  return {
    id: 'side',
    onCard: 'head',
    order: (row) => row.side * 3 + row.effect,
    head: t('history.side'),
    cell: (row) => <SideCell side={row.side} effect={row.effect} />,
  };
}

/** A time to the second, as the tables of the trade page write it; `exact` to the millisecond. */
export function TimeCell({ millis, exact }: { readonly millis: number; readonly exact?: true }) {
  return (
    <span title={new Date(millis).toISOString()}>
      {formatShortTime(millis, now())}
      {exact === true && `.${String(millis % 1_000).padStart(3, '0')}`}
    </span>
  );
}

/** What was gained or lost, with its sign. */
export function GainCell({ value }: { readonly value: string | null }) {
  const tone =
    value === null || /^-?0(?:\.0*)?$/.test(value) ? '' : value.startsWith('-') ? 'text-down' : 'text-up';
  return <span className={tone}>{signedMoneyOf(value)}</span>;
}

/** Why an order ended as it did, after its status; the exchange's own code unfolds. */
export function WhyEnded({ row }: { readonly row: OrderRow }) {
  const why = endWords(row);
  const { more } = detailsOf(row.refusal);
  if (why === undefined) return null;
  return (
    <>
      <span className="text-faint">: {why}</span>
      {more !== undefined && <Details name={more[0]}>{more[1]}</Details>}
    </>
  );
}

const ID_CHARACTERS_SHOWN = 8;

/** An id, shortened from the front where the difference is, copied whole. */
export function IdCell({ id }: { readonly id: string }) {
  const t = useText();
  const shown = id.length > ID_CHARACTERS_SHOWN ? `…${id.slice(-ID_CHARACTERS_SHOWN)}` : id;
  return <CopyText value={id} shown={shown} label={t('common.copy')} onCopied={sayCopied} />;
}

import {
  decimalsOf,
  formatAmountFixed,
  type Platform,
  parseAmount,
  type SymbolType,
} from '@crossbook/domain';
import { Star as StarIcon } from 'lucide-react';
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { groupThousands } from '../../../calculators/step-text.ts';
import { formatPercent } from '../../../i18n/format.ts';
import { useText } from '../../../i18n/i18n.ts';
import { bootConfig, bootPlatform } from '../../../stores/app/boot.ts';
import {
  instrumentsOf,
  instrumentsStore,
  type ListedInstrument,
  loadInstruments,
} from '../../../stores/market/instruments.ts';
import { type MarketName, marketKey } from '../../../stores/market/market.ts';
import { favouritesStore, loadFavourites, toggleFavourite } from '../../../stores/market-lists/favourites.ts';
import { isOffered } from '../../../stores/market-lists/market-rows.ts';
import { refreshTickers, type TickerRow, tickersStore } from '../../../stores/market-lists/tickers.ts';
import { isMember, sessionStore } from '../../../stores/member/session.ts';
import { Change } from '../../../ui/Change.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { Dialog } from '../../../ui/Dialog.tsx';
import { Field } from '../../../ui/Field.tsx';
import { Badge, EmptyState, Skeleton } from '../../../ui/states.tsx';
import { Segments } from '../entry/Segments.tsx';

const TYPES = ['SPOT', 'SWAP'] as const;

function matches(instrument: ListedInstrument, search: string): boolean {
  const wanted = search.toUpperCase().replace(/[\s/-]/g, '');
  return `${instrument.base}${instrument.quote}`.includes(wanted);
}

/** Marks an instrument as favourite. */
function Star({ instrument }: { readonly instrument: ListedInstrument }) {
  const text = useText();
  const marked = useStore(favouritesStore, ({ keys }) => keys.has(marketKey(instrument)));
  return (
    <button
      type="button"
      aria-pressed={marked}
      aria-label={text('favourite.star', { symbol: instrument.symbol })}
      onClick={() => void toggleFavourite(instrument)}
      className="grid h-11 w-9 shrink-0 place-items-center text-faint hover:text-text max-lg:w-11"
    >
      <StarIcon size={14} aria-hidden="true" className={classNames(marked && 'fill-accent text-accent')} />
    </button>
  );
}

function Row(props: {
  readonly instrument: ListedInstrument;
  readonly ticker: TickerRow | undefined;
  readonly current: boolean;
  readonly marked: boolean;
  readonly onOpen: () => void;
}) {
  const { instrument, ticker, current, marked, onOpen } = props;
  const text = useText();
  const last = parseAmount(ticker?.last ?? '');
  const member = useStore(sessionStore, isMember);
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (marked) row.current?.scrollIntoView({ block: 'nearest' });
  }, [marked]);
  return (
    <li
      ref={row}
      className={classNames(
        'flex items-center rounded-md hover:bg-hover has-[[aria-current]]:bg-raised [contain-intrinsic-size:auto_44px] [content-visibility:auto]',
        marked && 'bg-hover',
      )}
    >
      {member && <Star instrument={instrument} />}
      <button
        type="button"
        onClick={onOpen}
        aria-current={current ? 'true' : undefined}
        className={classNames(
          'grid h-11 min-w-0 flex-1 grid-cols-[minmax(0,1fr)_auto_60px] items-center gap-3 pr-3 text-left text-[13px]',
          !member && 'pl-3',
        )}
      >
        <span className="flex items-center gap-2 truncate">
          <span className="font-medium">
            {instrument.base}
            <span className="font-normal text-faint @max-[280px]:hidden">/{instrument.quote}</span>
          </span>
          {instrument.status === 'halted' && <Badge tone="warning">{text('trade.picker.halted')}</Badge>}
        </span>
        <span className="num">
          {last === undefined ? (
            <Skeleton className="h-3 w-14" />
          ) : (
            groupThousands(formatAmountFixed(last, decimalsOf(instrument.tickSize)))
          )}
        </span>
        <span className="num text-xs">
          {ticker !== undefined && (
            <Change value={Number(ticker.change)} text={formatPercent(Number(ticker.change))} />
          )}
        </span>
      </button>
    </li>
  );
}

/** Instruments of a venue and type with their last prices, refreshed while the list is shown. */
function useListed(platform: Platform, symbolType: SymbolType) {
  const status = useStore(instrumentsStore, ({ byPlatform }) => byPlatform[platform]?.status);
  const all = useStore(instrumentsStore, (state) => instrumentsOf(state, platform, symbolType));
  const listed = useMemo(() => all.filter(isOffered), [all]);
  const tickers = useStore(tickersStore, ({ rows }) => rows);
  useEffect(() => void loadInstruments(platform), [platform]);
  const ready = status === 'ready';
  useEffect(() => (ready ? refreshTickers(platform, symbolType) : undefined), [ready, platform, symbolType]);
  return { status, listed, tickers };
}

/** The member's favourites stand first; in the order of the moment the list was opened, so that no row jumps away. */
function useMarkedFirst(listed: readonly ListedInstrument[]): readonly ListedInstrument[] {
  useEffect(() => void loadFavourites(), []);
  const status = useStore(favouritesStore, (state) => state.status);
  return useMemo(() => {
    const keys = status === 'ready' ? favouritesStore.getState().keys : new Set<string>();
    const rank = (row: ListedInstrument): number => (keys.has(marketKey(row)) ? 0 : 1);
    return listed.toSorted((left, right) => rank(left) - rank(right));
  }, [listed, status]);
}

/** A dialog with every instrument: exchange and type are chosen, typing filters, arrows move, Enter opens. */
export function SymbolPicker(props: {
  /** The market on screen: its exchange and type are shown first. */
  readonly current: MarketName;
  readonly onClose: () => void;
  readonly onMarket: (market: MarketName) => void;
}) {
  const { current, onClose, onMarket } = props;
  const text = useText();
  const [search, setSearch] = useState('');
  const [symbolType, setSymbolType] = useState<SymbolType>(current.symbolType);
  const [platform, setPlatform] = useState(current.platform);
  // The row that Enter opens; shown once somebody typed or moved.
  const [marked, setMarked] = useState<number>();
  const venues = bootConfig().platforms.filter((row) => row.restBases[symbolType] !== undefined);
  const venue = venues.find((row) => row.platform === platform) ?? venues[0] ?? bootPlatform(platform);
  if (venue === undefined) throw new Error('a hub without exchanges has no instruments');
  const { status, listed, tickers } = useListed(venue.platform, symbolType);
  const first = useMarkedFirst(listed);
  const found = useMemo(() => first.filter((row) => matches(row, search)), [first, search]);
  const at = Math.min(marked ?? 0, Math.max(0, found.length - 1));
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    const chosen = found[at];
    if (step !== 0) {
      event.preventDefault();
      setMarked(
        marked === undefined && search === '' ? 0 : Math.max(0, Math.min(found.length - 1, at + step)),
      );
    } else if (event.key === 'Enter' && chosen !== undefined) {
      event.preventDefault();
      onMarket(chosen);
    }
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={text('trade.picker.title', { venue: venue.name })}
      closeLabel={text('common.close')}
    >
      <Field
        label={text('trade.picker.search')}
        value={search}
        autoFocus
        autoComplete="off"
        onChange={(event) => {
          setSearch(event.target.value);
          setMarked(undefined);
        }}
        onKeyDown={onKeyDown}
      />
      <div className="flex flex-col gap-2">
        <Segments
          label={text('trade.picker.type')}
          value={symbolType}
          onChange={setSymbolType}
          options={TYPES.filter((type) =>
            bootConfig().platforms.some((row) => row.restBases[type] !== undefined),
          ).map((type) => ({ value: type, label: text(`trade.type.${type}`) }))}
        />
        <Segments
          label={text('trade.picker.venue')}
          value={venue.platform}
          onChange={setPlatform}
          options={venues.map((row) => ({
            value: row.platform,
            label:
              row.state === 'live'
                ? row.name
                : text(row.paused ? 'trade.picker.paused' : 'trade.picker.soon', { venue: row.name }),
          }))}
        />
      </div>
      <ul className="-mx-2 h-[min(396px,45dvh)] overflow-y-auto terminal-phone:min-h-60 terminal-phone:flex-[1_0_0]">
        {found.map((row, index) => (
          <Row
            key={marketKey(row)}
            instrument={row}
            ticker={tickers.get(marketKey(row))}
            current={marketKey(row) === marketKey(current)}
            marked={index === at && (search !== '' || marked !== undefined)}
            onOpen={() => onMarket(row)}
          />
        ))}
        {found.length === 0 && status !== 'loading' && status !== undefined && (
          <EmptyState title={text('common.empty')} advice={text('market.emptyAdvice')} />
        )}
      </ul>
    </Dialog>
  );
}

/** Every instrument of the exchange and type on screen beside the chart, favourites first. */
export function WatchList(props: {
  readonly current: MarketName;
  readonly onMarket: (market: MarketName) => void;
}) {
  const { current, onMarket } = props;
  const text = useText();
  const { listed, tickers } = useListed(current.platform, current.symbolType);
  const rows = useMarkedFirst(listed);
  return (
    <section aria-label={text('trade.watch')} className="@container flex min-h-0 flex-col bg-panel">
      <h2 className="flex h-9 shrink-0 items-center border-b border-line px-3 text-[13px]">
        {text('trade.watch')}
      </h2>
      <ul className="min-h-0 flex-1 overflow-y-auto">
        {rows.map((row) => (
          <Row
            key={marketKey(row)}
            instrument={row}
            ticker={tickers.get(marketKey(row))}
            current={marketKey(row) === marketKey(current)}
            marked={false}
            onOpen={() => onMarket(row)}
          />
        ))}
      </ul>
    </section>
  );
}

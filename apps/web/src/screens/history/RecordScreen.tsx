import { type Amount, formatAmount, type Platform, platformFacts, type SymbolType } from '@crossbook/domain';
import { Download } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { readChoices, writeChoice } from '../../calculators/kept-choices.ts';
import { type CsvColumn, writeCsv } from '../../calculators/tables/csv.ts';
import { useText } from '../../i18n/i18n.ts';
import { now } from '../../stores/app/clock.ts';
import { notify } from '../../stores/app/notices.ts';
import { changeTradeSettings, tradeSettingsStore } from '../../stores/app/settings.ts';
import { instrumentsOf, instrumentsStore, loadInstruments } from '../../stores/market/instruments.ts';
import { comingSoonPlatforms, useHeldPlatforms } from '../../stores/trading/held-platforms.ts';
import { type ReadPage, type RecordFilter, readAll } from '../../stores/trading/records.ts';
import { tradablePlatforms } from '../../stores/trading/use-keep-live.ts';
import { type OrderedRows, useOrdered } from '../../stores/trading/use-ordered.ts';
import { useRecords } from '../../stores/trading/use-records.ts';
import { Button } from '../../ui/Button.tsx';
import { Select } from '../../ui/Select.tsx';
import { downloadCsv } from '../../ui/tables/download.ts';
import { type RecordColumn, RecordTable, useNarrow } from '../../ui/tables/RecordTable.tsx';
import { GainCell } from './record-cells.tsx';

interface RecordedRow {
  readonly exchange: Platform;
}

/** Props of `RecordScreen`. */
export interface RecordScreenProps<Row> {
  readonly heading: string;
  /** Names the records in caches and file names. */
  readonly name: string;
  /** Which type of market they are of. */
  readonly symbolType: SymbolType;
  readonly read: (filter: RecordFilter) => ReadPage<Row>;
  readonly columns: readonly RecordColumn<Row>[];
  readonly csv: readonly CsvColumn<Row>[];
  readonly rowKey: (row: Row) => string;
  readonly version: number;
  /** What comes to stand here, where it is not orders. */
  readonly emptyAdvice?: string;
  /** What the rows come to together, in USDT. */
  readonly sum?: (rows: readonly Row[]) => Amount;
}

/** A history: filter, table, more pages, and all of it as CSV. */
export function RecordScreen<Row extends RecordedRow>(props: RecordScreenProps<Row>) {
  const t = useText();
  const platforms = useRecordedPlatforms(props);
  const { symbolType, name, sum } = props;
  const kept = useStore(tradeSettingsStore, (settings) => settings.recordFilters);
  const [one = '', named = ''] = (readChoices(kept).get(name) ?? '').split(',');
  const chosen = platforms.find((platform) => String(platform) === one);
  const symbol = chosen === undefined ? '' : named;
  const choose = (venue: string, next: string): void => {
    const choice = venue === '' ? undefined : `${venue},${next}`;
    changeTradeSettings({ recordFilters: writeChoice(kept, name, choice) });
  };
  const shown = chosen === undefined ? platforms : [chosen];
  useInstruments(shown);
  const filter = { platforms: shown, symbol: symbol === '' ? undefined : symbol, symbolType };
  const records = useRecords([props.name, shown.join(), symbol], props.read(filter), props.version);
  const ordered = useOrdered({ name: `history-${name}` }, records.rows, props.columns, props.rowKey);
  // A symbol is a name at one exchange: BTCUSDT here is BTC-USDT there.
  const [platform, others] = shown;
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <h1 className="text-xl font-medium">{props.heading}</h1>
        <div className="flex flex-wrap items-center gap-2 max-lg:[&_select]:h-11">
          {platforms.length > 1 && (
            <Select
              size="small"
              label={t('market.venue')}
              labelHidden
              value={String(chosen ?? '')}
              options={[
                { value: '', label: t('history.allVenues') },
                ...platforms.map((one) => ({ value: String(one), label: platformFacts(one).name })),
              ]}
              onChange={(value) => choose(value, '')}
            />
          )}
          {platform !== undefined && others === undefined && (
            <SymbolFilter
              {...{ platform, symbolType, symbol }}
              onChange={(next) => choose(String(platform), next)}
            />
          )}
          {useNarrow() && <OrderOfCards columns={props.columns} ordered={ordered} />}
          <ExportButton {...props} filter={filter} />
        </div>
      </div>
      <div className="rounded-md border border-line bg-panel">
        <RecordTable
          dense
          label={props.heading}
          columns={props.columns}
          rows={ordered.rows}
          sort={ordered}
          rowKey={props.rowKey}
          status={records.status}
          empty={{ title: t('common.empty'), advice: props.emptyAdvice ?? t('history.emptyAdvice') }}
          failure={{ title: t('common.failed'), retry: t('common.retry'), onRetry: records.retry }}
        />
        {sum !== undefined && records.rows.length > 0 && (
          <p className="border-t border-line px-3 py-2 text-right text-xs text-soft">
            {t(records.hasMore ? 'history.sumSoFar' : 'history.sum', { count: records.rows.length })}{' '}
            <GainCell value={formatAmount(sum(records.rows))} />
          </p>
        )}
        {records.hasMore && (
          <div className="border-t border-line p-2 text-center">
            <Button
              size="small"
              busy={records.loadingMore}
              onClick={records.loadMore}
              className="max-lg:h-11"
            >
              {t('history.more')}
            </Button>
          </div>
        )}
      </div>
    </div>
  );
}

/** Cards have no heads to press: what they are in order by is chosen here. */
function OrderOfCards<Row>(props: {
  readonly columns: readonly RecordColumn<Row>[];
  readonly ordered: OrderedRows<Row>;
}) {
  const { order, choose } = props.ordered;
  const t = useText();
  const options = props.columns.flatMap(({ id, head, order: by }) =>
    by === undefined || typeof head !== 'string'
      ? []
      : (['desc', 'asc'] as const).map((direction) => ({
          value: `${id}:${direction}`,
          label: `${head} ${direction === 'asc' ? '↑' : '↓'}`,
        })),
  );
  return (
    <Select
      size="small"
      label={t('history.order')}
      labelHidden
      value={order === undefined ? '' : `${order.column}:${order.direction}`}
      options={[{ value: '', label: t('history.newestFirst') }, ...options]}
      onChange={(value) => {
        const [column = '', direction] = value.split(':');
        choose(value === '' ? undefined : { column, direction: direction === 'asc' ? 'asc' : 'desc' });
      }}
    />
  );
}

/** Platforms with a history: those that are open, and a coming-soon one where the member has, or once had, anything. */
function useRecordedPlatforms<Row extends RecordedRow>(props: RecordScreenProps<Row>): readonly Platform[] {
  const held = useHeldPlatforms();
  const soon = comingSoonPlatforms();
  const past = useRecords(
    [props.name, 'soon', soon.join()],
    props.read({ platforms: soon, symbolType: props.symbolType }),
    props.version,
  );
  // Half a history never looks whole: what could not be read is asked for again, and fails where it is seen.
  const used = (one: Platform) =>
    past.status === 'failed' || held.includes(one) || past.rows.some((row) => row.exchange === one);
  return [...tradablePlatforms(), ...soon.filter(used)].toSorted((left, right) => left - right);
}

/** Prices and sizes are written at the steps of their instruments. */
function useInstruments(platforms: readonly Platform[]): void {
  const names = platforms.join();
  useEffect(() => {
    for (const name of names === '' ? [] : names.split(',')) void loadInstruments(Number(name) as Platform);
  }, [names]);
}

function SymbolFilter(props: {
  readonly platform: Platform;
  readonly symbolType: SymbolType;
  readonly symbol: string;
  readonly onChange: (symbol: string) => void;
}) {
  const t = useText();
  const instruments = useStore(instrumentsStore, (state) => instrumentsOf(state, props.platform));
  const symbols = instruments.filter((row) => row.symbolType === props.symbolType).map((row) => row.symbol);
  return (
    <Select
      size="small"
      label={t('history.symbol')}
      labelHidden
      value={props.symbol}
      options={[
        { value: '', label: t('history.allSymbols') },
        ...symbols.map((symbol) => ({ value: symbol, label: symbol })),
      ]}
      onChange={props.onChange}
    />
  );
}

function ExportButton<Row>(props: RecordScreenProps<Row> & { readonly filter: RecordFilter }) {
  const t = useText();
  const [busy, setBusy] = useState(false);
  const save = async () => {
    setBusy(true);
    try {
      // The columns name each market by what its platform lists.
      await Promise.all(props.filter.platforms.map((platform) => loadInstruments(platform)));
      const rows = await readAll(props.read(props.filter));
      const day = new Date(now()).toISOString().slice(0, 10);
      downloadCsv(`${props.name}-${day}.csv`, writeCsv(props.csv, rows));
      notify('success', { id: 'history.exported', values: { count: rows.length } });
    } catch {
      notify('error', { id: 'history.exportFailed' });
    }
    setBusy(false);
  };
  return (
    <Button size="small" busy={busy} onClick={() => void save()} className="max-lg:h-11">
      <Download size={13} aria-hidden="true" />
      {t('history.export')}
    </Button>
  );
}

import { Fragment, useSyncExternalStore } from 'react';
import { EmptyState, ErrorState, Skeleton } from '../states.tsx';
import { Card } from './Card.tsx';
import { type Column, Table, type TableProps } from './Table.tsx';

/** A column of records, which on a phone are cards. */
export interface RecordColumn<Row> extends Column<Row> {
  /** Where it stands in a card: first, after that, at the end of that line, below the figures; absent: among them. */
  readonly onCard?: 'title' | 'head' | 'end' | 'below';
}

/** Props of `RecordTable`. */
interface RecordTableProps<Row> extends Omit<TableProps<Row>, 'columns'> {
  readonly columns: readonly RecordColumn<Row>[];
}

const narrow = window.matchMedia('(width < 1024px)');

function followNarrow(changed: () => void): () => void {
  narrow.addEventListener('change', changed);
  return () => narrow.removeEventListener('change', changed);
}

/** Whether there is no room for a table of many columns; follows the window. */
export function useNarrow(): boolean {
  return useSyncExternalStore(followNarrow, () => narrow.matches);
}

/** What is pressed in a card is as high as a thumb needs. */
const THUMB = '[&_a]:inline-flex [&_a]:min-h-11 [&_a]:items-center [&_button]:min-h-11';

function Cards<Row>(props: RecordTableProps<Row>) {
  const { label, columns, rows, rowKey, status } = props;
  const of = (place: RecordColumn<Row>['onCard']) => columns.filter(({ onCard }) => onCard === place);
  const cells = (place: 'title' | 'head' | 'end', row: Row) =>
    of(place).map(({ id, cell }) => <Fragment key={id}>{cell(row)}</Fragment>);
  if (status === 'loading') {
    return (
      <div aria-busy="true" className="flex flex-col gap-3 p-3">
        <span className="sr-only">{label}</span>
        {['first', 'second', 'third'].map((name) => (
          <Skeleton key={name} className="h-20 w-full" />
        ))}
      </div>
    );
  }
  return (
    <ul aria-label={label}>
      {rows.map((row) => (
        <li key={rowKey(row)} className={`border-t border-line px-3 py-2 first:border-0 ${THUMB}`}>
          <Card
            head={[...cells('title', row), ...cells('head', row)]}
            end={cells('end', row)}
            pairs={of(undefined).map(({ id, head, cell }) => ({ id, label: head, value: cell(row) }))}
          />
          {of('below').length > 0 && (
            <dl className="flex flex-wrap items-center gap-x-4 text-xs">
              {of('below').map(({ id, head, cell }) => (
                <div key={id} className="flex min-h-11 items-center gap-1.5">
                  <dt className="text-faint">{head}</dt>
                  <dd>{cell(row)}</dd>
                </div>
              ))}
            </dl>
          )}
        </li>
      ))}
    </ul>
  );
}

/** A table of records; where it would be wider than the window, a list of cards with all of it. */
export function RecordTable<Row>(props: RecordTableProps<Row>) {
  const { rows, status, empty, failure } = props;
  const cards = useNarrow();
  if (!cards) return <Table {...props} />;
  if (status === 'failed') {
    return <ErrorState title={failure.title} retry={failure.retry} onRetry={failure.onRetry} />;
  }
  if (status === 'ready' && rows.length === 0)
    return <EmptyState title={empty.title} advice={empty.advice} />;
  return <Cards {...props} />;
}

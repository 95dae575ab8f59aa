import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { Table, type TableProps } from './Table.tsx';

type Row = { readonly name: string; readonly size: number };

/** The heads of a table as they are written. */
function heads(sort: TableProps<Row>['sort']): readonly string[] {
  const props: TableProps<Row> = {
    label: 'rows',
    columns: [
      { id: 'name', head: 'Name', cell: (row) => row.name, order: (row) => row.name },
      { id: 'size', head: 'Size', cell: (row) => row.size, order: (row) => row.size, numeric: true },
      { id: 'action', head: 'Action', cell: () => null },
    ],
    rows: [{ name: 'a', size: 1 }],
    rowKey: (row) => row.name,
    status: 'ready',
    empty: { title: 'none' },
    failure: { title: 'failed', retry: 'again', onRetry: () => undefined },
    ...(sort === undefined ? {} : { sort }),
  };
  const html = renderToStaticMarkup(createElement(Table<Row>, props));
  return [...html.matchAll(/<th .*?<\/th>/g)].map(([head]) => head);
}

describe('heads of a table', () => {
  test.each([
    [undefined, ['none', 'none']],
    [{ column: 'size', direction: 'desc' }, ['none', 'descending']],
    [{ column: 'name', direction: 'asc' }, ['ascending', 'none']],
  ] as const)('in order by %o say so, and only those that have an order', (order, said) => {
    const [name, size, action] = heads({ order, press: () => undefined });
    expect(name).toContain(`aria-sort="${said[0]}"`);
    expect(size).toContain(`aria-sort="${said[1]}"`);
    expect(size).toContain('<button');
    expect(action).not.toMatch(/aria-sort|<button/);
  });

  test('of a table that has no order are words', () =>
    expect(heads(undefined).join()).not.toMatch(/aria-sort|<button/));
});

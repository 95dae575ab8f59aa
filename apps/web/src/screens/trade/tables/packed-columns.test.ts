import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import '../../../i18n/trade-words.ts';
import { type VirtualColumn, VirtualTable, type VirtualTableProps } from './VirtualTable.tsx';

type Row = { readonly name: string };

const column = (id: string, width: number, sticky?: true): VirtualColumn<Row> => ({
  ...{ id, head: id, width, cell: (row) => row.name },
  ...(sticky === undefined ? {} : { sticky }),
});

/** Columns of a table as they are laid out, and the least it is wide. */
function laidOut(columns: readonly VirtualColumn<Row>[]) {
  i18n.activate('en');
  const props: VirtualTableProps<Row> = {
    ...{ name: 'rows', label: 'rows', columns, rows: [{ name: 'a' }], rowKey: ({ name }) => name },
    ...{ status: 'ready', wide: true, card: () => null, empty: { title: 'none', advice: '' } },
    failure: { title: 'failed', retry: 'again', onRetry: () => undefined },
  };
  const table = createElement(VirtualTable<Row>, props);
  const html = renderToStaticMarkup(createElement(I18nProvider, { i18n } as never, table));
  const widths = [...html.matchAll(/<col(?: style="width:(\d+)px")?\/>/g)].map(([, width]) =>
    Number(width ?? 0),
  );
  const [, least] = /min-width:(\d+)px/.exec(html) ?? [];
  return { widths, least: Number(least), fixed: html.includes('table-fixed') };
}

test.each([
  ['the room that is over is one empty column at the end', [column('time', 100), column('size', 90)], 226],
  ['buttons that stay at the edge take none of it', [column('time', 100), column('close', 200, true)], 300],
] as const)('columns are packed to the left, each at its width: %s', (_, columns, least) => {
  expect(laidOut(columns)).toEqual({
    ...{ widths: [...columns.map(({ width }) => width), 0], least, fixed: true },
  });
});

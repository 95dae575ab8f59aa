import { expect, test } from 'vitest';
import { readChoices, writeChoice } from '../kept-choices.ts';
import {
  type Arranged,
  arrangeColumns,
  type KeptColumn,
  ledBy,
  movedBy,
  toggled,
  writeColumns,
} from './table-columns.ts';

const COLUMNS: readonly KeptColumn[] = [
  { id: 'time' },
  { id: 'symbol' },
  { id: 'price' },
  { id: 'action', sticky: true },
];

const said = (arranged: readonly Arranged<KeptColumn>[]): string =>
  arranged.map(({ column, shown }) => `${shown ? '' : '-'}${column.id}`).join(' ');

test.each([
  ['', 'time symbol price action'],
  ['open=price,time,symbol', 'price time symbol action'],
  ['open=price,-time', 'price -time symbol action'],
  ['open=price', 'time symbol price action'],
  ['open=gone,price,-action,time,symbol', 'price time symbol action'],
  ['other=price,time,symbol;open=-symbol,time,price', '-symbol time price action'],
] as const)('columns kept as %j stand as %s', (kept, expected) => {
  expect(said(arrangeColumns(COLUMNS, kept, 'open'))).toBe(expected);
});

test('hidden and moved columns come back as they were kept, beside those of other tables', () => {
  const now = arrangeColumns(COLUMNS, '', 'open');
  const kept = writeColumns('fills=-fee', 'open', movedBy(toggled(now, 'symbol'), 'price', -1));
  expect(kept).toBe('fills=-fee;open=time,price,-symbol');
  expect(said(arrangeColumns(COLUMNS, kept, 'open'))).toBe('time price -symbol action');
  expect(writeColumns(kept, 'open', undefined)).toBe('fills=-fee');
});

test('the last column stays shown, and the edges stay where they are', () => {
  const alone = toggled(toggled(arrangeColumns(COLUMNS, '', 'open'), 'time'), 'symbol');
  expect(said(toggled(alone, 'price'))).toBe('-time -symbol price action');
  expect(said(movedBy(alone, 'time', -1))).toBe(said(alone));
  expect(said(movedBy(alone, 'price', 1))).toBe(said(alone));
});

test('choices are kept by name, and what is not of their form is left out', () => {
  expect(readChoices('1=value;;2=;x;3=contracts')).toEqual(
    new Map([
      ['1', 'value'],
      ['3', 'contracts'],
    ]),
  );
  expect(writeChoice('1=value', '2', 'margin')).toBe('1=value;2=margin');
  expect(writeChoice('1=value;2=margin', '1', undefined)).toBe('2=margin');
});

test('where there is little room what matters comes first, and nothing is lost', () => {
  const columns = ['time', 'symbol', 'type', 'price', 'action'].map((id) => ({ id }));
  const names = ledBy(columns, ['symbol', 'price', 'state']).map(({ id }) => id);
  expect(names).toEqual(['symbol', 'price', 'time', 'type', 'action']);
});

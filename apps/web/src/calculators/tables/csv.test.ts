import { expect, test } from 'vitest';
import { writeCsv } from './csv.ts';

test.each([
  ['plain', 'plain'],
  ['-1.5', '-1.5'],
  ['a,b', '"a,b"'],
  ['say "no"', '"say ""no"""'],
  ['two\nlines', '"two\nlines"'],
  ['=1+1', "'=1+1"],
  ['+SUM(A1)', "'+SUM(A1)"],
  ['-cmd', "'-cmd"],
  ['@x,y', '"\'@x,y"'],
])('the cell %j is written as %j', (text, written) => {
  expect(writeCsv([{ head: 'h', cell: (row: string) => row }], [text])).toBe(`h\r\n${written}\r\n`);
});

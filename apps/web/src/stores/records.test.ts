import { expect, test } from 'vitest';
import { EXPORT_PAGES_MAX, readAll } from './records.ts';

test('an export reads every page in order and stops at the last', async () => {
  const pages: Record<string, { rows: number[]; next?: string }> = {
    start: { rows: [1, 2], next: 'b' },
    b: { rows: [3], next: 'c' },
    c: { rows: [] },
  };
  const asked: string[] = [];
  const rows = await readAll(async (cursor) => {
    asked.push(cursor ?? 'start');
    return pages[cursor ?? 'start'] ?? { rows: [] };
  });
  expect([rows, asked]).toEqual([
    [1, 2, 3],
    ['start', 'b', 'c'],
  ]);
});

test('a page that fails ends the export: half a file never passes for a whole one', async () => {
  const read = async (cursor: string | undefined) => {
    if (cursor !== undefined) throw new Error('no answer');
    return { rows: [1], next: 'b' };
  };
  await expect(readAll(read)).rejects.toThrow('no answer');
});

test('an endless list is given up', async () => {
  let pages = 0;
  const read = async () => {
    pages += 1;
    return { rows: [pages], next: 'again' };
  };
  await expect(readAll(read)).rejects.toThrow();
  expect(pages).toBe(EXPORT_PAGES_MAX);
});

import { expect, test } from 'vitest';
import { EXPORT_PAGES_MAX, mergePages, readAll } from './records.ts';

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

/** A list of times, newest first, that is read a page at a time. */
const listOf = (times: readonly number[]) => async (cursor: string | undefined, limit: number) => {
  const start = Number(cursor ?? 0);
  const end = start + limit;
  const rows = times.slice(start, end);
  return end < times.length ? { rows, next: String(end) } : { rows };
};

test('histories of several exchanges read as one: newest first, nothing lost or twice, on every page size', async () => {
  const lists = [[99, 98, 97, 96, 95, 3, 1], [50, 2], [], [97, 60, 4, 0]];
  const whole = lists.flat().toSorted((left, right) => right - left);
  for (const limit of [1, 2, 3, 5, 100]) {
    const read = mergePages(lists.map(listOf), (time) => time);
    const rows: number[] = [];
    let cursor: string | undefined;
    do {
      const page = await read(cursor, limit);
      expect(page.rows.length).toBeLessThanOrEqual(limit);
      rows.push(...page.rows);
      cursor = page.next;
    } while (cursor !== undefined && rows.length <= whole.length);
    expect(rows, `pages of ${limit}`).toEqual(whole);
  }
});

test('one exchange that does not answer fails the page: a history without it never passes for the whole', async () => {
  const silent = () => Promise.reject(new Error('no answer'));
  await expect(mergePages([listOf([1]), silent], (time) => time)(undefined, 10)).rejects.toThrow('no answer');
});

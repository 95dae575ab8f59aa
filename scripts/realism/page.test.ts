import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const PAGE = readFileSync(new URL('../../docs/venues/realism.md', import.meta.url), 'utf8');

/** What lies within this is taken to be alike. */
const ALIKE = 1.5;

/** What differs more than that, each named on the page with the reason for which it stays. */
const NAMED: Readonly<Record<string, string>> = {
  'autocorrelation of sizes of returns, 60 min': 'Sizes of returns are less alike an hour apart.',
  '90th percentile of trades, USDT': 'The largest tenth of the trades of a pair asleep',
};
/** A figure about nothing, whose sign says no more. */
const NOTHING = 0.03;

/** Rows of the tables: what it is, what was recorded, and what is simulated of the same market. */
function rows(): readonly (readonly [name: string, recorded: number, simulated: readonly number[]])[] {
  const cells = PAGE.split('\n').map((line) =>
    line.split('|').map((cell) => cell.trim().replaceAll(',', '')),
  );
  const named = PAGE.split('\n').map((line) => line.split('|')[1]?.trim() ?? '');
  let isOfMinutes = false;
  return cells.flatMap((row, at) => {
    if (row[0]?.startsWith('## ')) isOfMinutes = row[0] === '## Minutes';
    const [recorded, ...simulated] = row.slice(2, -1).map(Number);
    if (recorded === undefined || Number.isNaN(recorded) || simulated.length > 2) return [];
    // Of minutes the last column is another exchange's, of which none were recorded.
    return [[named[at] ?? '', recorded, isOfMinutes ? simulated.slice(0, 1) : simulated] as const];
  });
}

test('what the page calls alike is, and what differs more is named with its reason', () => {
  expect(rows().length).toBeGreaterThan(40);
  const differing = rows().filter(([, recorded, simulated]) =>
    simulated.some(
      (value) =>
        Math.max(Math.abs(value), Math.abs(recorded)) > NOTHING &&
        Math.max(value / recorded, recorded / value) > ALIKE,
    ),
  );
  expect(differing.map(([name]) => name)).toEqual(Object.keys(NAMED));
  for (const reason of Object.values(NAMED)) expect(PAGE).toContain(reason);
});

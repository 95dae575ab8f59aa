import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const PAGE = readFileSync(new URL('../../docs/venues/realism.md', import.meta.url), 'utf8');

/** What lies within this is taken to be alike. */
const ALIKE = 1.5;

const CALM = 'a calm book of\n  contracts is deeper, one of a pair thinner at the touch';
const TICKS = 'a basis point is another number of ticks at another price';
/** What differs more than that, by its table, each named on the page with the reason for which it stays. */
const NAMED: Readonly<Record<string, string>> = {
  'Minutes: autocorrelation of sizes of returns, 60 min': 'Sizes of returns are less alike an hour apart.',
  'Trades, Binance spot: 90th percentile of trades, USDT': 'The largest tenth of the trades of a pair asleep',
  'Books, Bybit SOLUSDT, perpetual: spread, bp': TICKS,
  'Books, Bybit SOLUSDT, perpetual: 95th percentile of the spread, bp': TICKS,
  'Books, Bybit SOLUSDT, perpetual: at the best bid, USDT': 'a tick of SOLUSDT',
  'Books, Bybit BTCUSDT, perpetual: at the best bid, USDT': CALM,
  'Books, Bybit BTCUSDT, perpetual: a side within 1 bp, USDT': CALM,
  'Books, Bybit BTCUSDT, perpetual: a side within 5 bp, USDT': CALM,
  'Books, Bybit BTCUSDT, perpetual: a side within 10 bp, USDT': CALM,
  'Books, Bybit ETHUSDT, spot: spread, bp': TICKS,
  'Books, Bybit ETHUSDT, spot: 95th percentile of the spread, bp': TICKS,
  'Books, Bybit ETHUSDT, spot: at the best bid, USDT': CALM,
  'Books, Bybit ETHUSDT, spot: a side within 1 bp, USDT': CALM,
  'Books, Bybit ETHUSDT, spot: a side within 5 bp, USDT': CALM,
};
/** A figure about nothing, whose sign says no more. */
const NOTHING = 0.03;

/** Rows of the tables: what it is, what was recorded, and what is simulated of the same market. */
function rows(): readonly (readonly [name: string, recorded: number, simulated: readonly number[]])[] {
  const lines = PAGE.split('\n');
  const cells = lines.map((line) => line.split('|').map((cell) => cell.trim().replaceAll(',', '')));
  const named = lines.map((line) => line.split('|')[1]?.trim() ?? '');
  let table = '';
  return cells.flatMap((row, at) => {
    const line = lines[at] ?? '';
    if (line.startsWith('## ')) table = line.slice('## '.length);
    const [recorded, ...simulated] = row.slice(2, -1).map(Number);
    if (recorded === undefined || Number.isNaN(recorded) || simulated.length > 2) return [];
    // Of minutes the last column is another exchange's, of which none were recorded.
    const of = table === 'Minutes' ? simulated.slice(0, 1) : simulated;
    return [[`${table}: ${named[at]}`, recorded, of] as const];
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

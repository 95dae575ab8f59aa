import type { Metrics } from './measures.ts';

/** The page docs/venues/realism.md from its metrics. */

const INTRODUCTION = `# How real the simulated market is

Written by \`npm run realism -- --write\`; \`npm run realism\` prints it. Beside the simulator (seed 1) stand BTCUSDT at Binance,
spot and USD-M, recorded on 2024-08-08 from 23:54 to 24:00 UTC (hftbacktest), and thirty days of Bybit's BTCUSDT perpetual
from 2025-05-30 on, and three of Bybit's books, recorded for 42 seconds on 2026-08-09 (cryptofeed). "Asleep" is a market that
nobody looks at, whose trades are made from its minutes; "watched" one in which agents trade. Those six minutes turned over about
three times as much as an ordinary minute: they stand beside six simulated minutes of the week before that turned over as much.
Six minutes are six minutes, so what lies within one and a half times is taken to be alike.

What differs more, and why it stays:

* Sizes of returns are less alike an hour apart. Only another way of the price would change that, and with it every price of every
  installation, of the past and of now.
* The largest tenth of the trades of a pair asleep begins at a size 1.6 times smaller, while mean and 99th percentile are alike. Other
  sizes would be other trades of every minute that was shown.
* Bybit's books were recorded on a Sunday evening, and traded between a fifth and a twelfth of an ordinary day of ours: a calm book of
  contracts is deeper, one of a pair thinner at the touch. With as much as was recorded there, BTCUSDT would be deeper at Bybit than at
  Binance, which was recorded in a busy hour. The stream has 200 levels a side: of BTCUSDT they end 4 basis points away.
* A book has 220 quotes a side, so that beyond the first basis points of BTCUSDT not every tick has one: it holds as much on fewer prices.
* In a watched market trades come ten times a second, so that more of them share a millisecond.
* The spread is one tick at both; a basis point is another number of ticks at another price, and at a lower one a tick of SOLUSDT, whose
  best level is so much larger, stood for twice as much.
* Seconds without a trade are few at both.
* The share of single hours is that of thirty days, with the moods of these.
`;

function shown(value: number): string {
  if (!Number.isFinite(value)) return '';
  const size = Math.abs(value);
  if (size >= 10_000) return Math.round(value).toLocaleString('en-US');
  return String(Number(value.toPrecision(3)));
}

/** A table of metrics, one column for each market. */
export function metricTable(title: string, columns: readonly (readonly [string, Metrics])[]): string {
  const names = [...(columns[0]?.[1].keys() ?? [])];
  const rows = names.map(
    (name) =>
      `| ${name} | ${columns.map(([, metrics]) => shown(metrics.get(name) ?? Number.NaN)).join(' | ')} |`,
  );
  const head = `| | ${columns.map(([name]) => name).join(' | ')} |\n|---|${columns.map(() => '---|').join('')}`;
  return `## ${title}\n\n${head}\n${rows.join('\n')}\n`;
}

/** Percent of a day's volume by hour of UTC. */
export function hourTable(rows: readonly (readonly [string, readonly number[]])[]): string {
  const hours = Array.from({ length: 24 }, (_, hour) => hour);
  const lines = rows.map(
    ([name, shares]) => `| ${name} | ${shares.map((share) => (share * 100).toFixed(1)).join(' | ')} |`,
  );
  const head = `| hour, UTC | ${hours.join(' | ')} |\n|---|${hours.map(() => '---|').join('')}`;
  return `## Percent of a day's volume\n\n${head}\n${lines.join('\n')}\n`;
}

/** The whole page. @param likeness correlations of every two coins' hourly returns, ascending. */
export function page(sections: readonly string[], likeness: readonly number[]): string {
  const at = (share: number): string =>
    shown(likeness[Math.floor(share * (likeness.length - 1))] ?? Number.NaN);
  const lines = `## Coins beside each other

Correlation of the hourly returns of every two coins over ten days, simulated: smallest ${at(0)}, a tenth below ${at(0.1)}, median
${at(0.5)}, a tenth above ${at(0.9)}, largest ${at(1)}. There is no recording of several coins at the same time.
`;
  return [INTRODUCTION, ...sections, lines].join('\n');
}

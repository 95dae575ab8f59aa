import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { barMetrics, bookMetrics, hourShares, tapeMetrics } from './realism/measures.ts';
import { hourTable, metricTable, page } from './realism/page.ts';
import { recordedBars, recordedSession, recordingsIn } from './realism/recorded.ts';
import {
  lineLikeness,
  openMarkets,
  simulatedBars,
  simulatedTrades,
  watchedSession,
} from './realism/simulated.ts';

/**
 * `npm run realism [-- --write]`: measures the simulated market beside recorded ones and prints the page, or writes it to
 * docs/venues/realism.md. Recordings are read from RECORDINGS_DIR; without them it says so and ends with 1.
 */

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const SESSION_MILLIS = 360_000;

async function measure(files: NonNullable<ReturnType<typeof recordingsIn>>): Promise<string> {
  const bars = recordedBars(files.bars);
  const markets = await openMarkets();
  // Nobody looks at these: the same minutes as history has them.
  const asleep = await openMarkets();
  const { binance, bybit } = markets;
  const simulated = simulatedBars(bybit, 'perps', bars.length);
  const sections = [
    metricTable('Minutes', [
      ['Bybit, recorded', barMetrics(bars)],
      ['Bybit, simulated', barMetrics(simulated)],
      ['Binance spot, simulated', barMetrics(simulatedBars(binance, 'spot', bars.length))],
    ]),
    hourTable([
      ['recorded', hourShares(bars)],
      ['simulated', hourShares(simulated)],
    ]),
  ];
  for (const half of ['spot', 'perps'] as const) {
    const recorded = await recordedSession(files[half]);
    const since = binance.spot.now();
    const watched = watchedSession(markets, half, SESSION_MILLIS);
    asleep.pass(SESSION_MILLIS);
    const slept = simulatedTrades(asleep.binance, half, since);
    const name = half === 'spot' ? 'Binance spot' : 'Binance USD-M';
    sections.push(
      metricTable(`Trades, ${name}`, [
        ['recorded', tapeMetrics(recorded.trades)],
        ['simulated, asleep', tapeMetrics(slept)],
        ['simulated, watched', tapeMetrics(watched.trades)],
      ]),
      metricTable(`Books, ${name}`, [
        ['recorded', bookMetrics(recorded.looks)],
        ['simulated, watched', bookMetrics(watched.looks)],
      ]),
    );
  }
  const likeness = lineLikeness(binance);
  for (const opened of [markets, asleep]) await opened.close();
  return page(sections, likeness);
}

const files = recordingsIn(process.env.RECORDINGS_DIR ?? join(root, '../shared/data'));
if (files === undefined) {
  process.stderr.write(
    'npm run realism: RECORDINGS_DIR has not the recordings that docs/venues/realism.md names\n',
  );
  process.exitCode = 1;
} else {
  const text = await measure(files);
  if (process.argv.includes('--write')) writeFileSync(join(root, 'docs/venues/realism.md'), text);
  else process.stdout.write(text);
}

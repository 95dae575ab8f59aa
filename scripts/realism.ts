import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { barMetrics, bookMetrics, hourShares, TURNOVER, tapeMetrics } from './realism/measures.ts';
import { hourTable, metricTable, page } from './realism/page.ts';
import { recordedBars, recordedBooks, recordedSession, recordingsIn } from './realism/recorded.ts';
import {
  lineLikeness,
  minutesLike,
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
/** The minutes that are as busy as the recorded ones are sought in a week. */
const BUSY_AMONG_MINUTES = 10_080;
/** Books recorded at Bybit, for so long. */
const BYBIT_MILLIS = 42_000;
const BYBIT_BOOKS = [
  ['perps', 'SOLUSDT', 'perpetual'],
  ['perps', 'BTCUSDT', 'perpetual'],
  ['spot', 'ETHUSDT', 'spot'],
] as const;

async function measure(files: NonNullable<ReturnType<typeof recordingsIn>>): Promise<string> {
  const bars = recordedBars(files.bars);
  const recorded = { spot: await recordedSession(files.spot), perps: await recordedSession(files.perps) };
  const tapes = { spot: tapeMetrics(recorded.spot.trades), perps: tapeMetrics(recorded.perps.trades) };
  const history = await openMarkets();
  const simulated = simulatedBars(history.bybit, 'perps', bars.length);
  const sections = [
    metricTable('Minutes', [
      ['Bybit, recorded', barMetrics(bars)],
      ['Bybit, simulated', barMetrics(simulated)],
      ['Binance spot, simulated', barMetrics(simulatedBars(history.binance, 'spot', bars.length))],
    ]),
    hourTable([
      ['recorded', hourShares(bars)],
      ['simulated', hourShares(simulated)],
    ]),
  ];
  const turnovers = { spot: tapes.spot.get(TURNOVER) ?? 0, perps: tapes.perps.get(TURNOVER) ?? 0 };
  const among = { minutes: SESSION_MILLIS / 60_000, among: BUSY_AMONG_MINUTES };
  const start = minutesLike(history.binance, turnovers, among);
  const likeness = lineLikeness(history.binance);
  await history.close();
  for (const half of ['spot', 'perps'] as const) {
    const name = half === 'spot' ? 'Binance spot' : 'Binance USD-M';
    const markets = await openMarkets(start);
    const watched = watchedSession(markets, { venue: 'binance', half, symbol: 'BTCUSDT' }, SESSION_MILLIS);
    await markets.close();
    // Nobody looks at these: the same minutes as history has them.
    const asleep = await openMarkets(start);
    asleep.pass(SESSION_MILLIS);
    const slept = simulatedTrades(asleep.binance, half, start);
    await asleep.close();
    sections.push(
      metricTable(`Trades, ${name}`, [
        ['recorded', tapes[half]],
        ['simulated, asleep', tapeMetrics(slept)],
        ['simulated, watched', tapeMetrics(watched.trades)],
      ]),
      metricTable(`Books, ${name}`, [
        ['recorded', bookMetrics(recorded[half].looks)],
        ['simulated, watched', bookMetrics(watched.looks)],
      ]),
    );
  }
  return page([...sections, ...(await bybitBooks(files.bybit))], likeness);
}

/** The books that were recorded at Bybit, as each is named there, beside the simulated ones. */
async function bybitBooks(file: string): Promise<string[]> {
  const recorded = await recordedBooks(file);
  const markets = await openMarkets();
  const tables = BYBIT_BOOKS.map(([half, symbol, name]) => {
    const watched = watchedSession(markets, { venue: 'bybit', half, symbol }, BYBIT_MILLIS);
    return metricTable(`Books, Bybit ${symbol}, ${name}`, [
      ['recorded', bookMetrics(recorded.get(`${half} ${symbol}`) ?? [])],
      ['simulated, watched', bookMetrics(watched.looks)],
    ]);
  });
  await markets.close();
  return tables;
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

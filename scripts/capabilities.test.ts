import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CANDLE_INTERVALS, type CandleInterval, type Millis } from '@crossbook/domain';
import {
  BINANCE_FUTURES_CAPABILITIES,
  BINANCE_SPOT_CAPABILITIES,
  BYBIT_CAPABILITIES,
  createBinanceFuturesPublic,
  createBinancePublic,
  createBybitPublic,
  createOkxPublic,
  OKX_CAPABILITIES,
  type VenuePublic,
} from '@crossbook/venues';
import { expect, test } from 'vitest';

/** The table of docs/venues/capabilities.md is what the connectors themselves say. */

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const page = readFileSync(join(root, 'docs/venues/capabilities.md'), 'utf8');

const ports = {
  restBase: 'http://venue',
  fetchText: () => Promise.reject(new Error('nobody is asked')),
  clock: () => 0 as Millis,
};
const okx = createOkxPublic({ ...ports, publicSocketUrl: '', businessSocketUrl: '' });

interface Half {
  readonly venue: VenuePublic;
  readonly native: readonly CandleInterval[];
  readonly built: readonly CandleInterval[];
  readonly candles: string;
  readonly depth: number;
  readonly trades: number;
}

function binanceHalf(
  venue: VenuePublic,
  capabilities: typeof BINANCE_SPOT_CAPABILITIES | typeof BINANCE_FUTURES_CAPABILITIES,
): Half {
  const { candleIntervals, candlesPerPageMax, tradesPerPageMax } = capabilities;
  const depth =
    'depthLevels' in capabilities ? Math.max(...capabilities.depthLevels) : capabilities.depthLevelsMax;
  const candles = String(candlesPerPageMax);
  return { venue, native: candleIntervals, built: [], candles, depth, trades: tradesPerPageMax };
}

function okxHalf(): Half {
  const { builtCandleIntervals, candleIntervals, candlesPerPageMax } = OKX_CAPABILITIES;
  return {
    venue: okx,
    native: candleIntervals,
    built: [...builtCandleIntervals.keys()],
    candles: `${candlesPerPageMax}, then ${OKX_CAPABILITIES.historyCandlesPerPageMax}`,
    depth: OKX_CAPABILITIES.depthLevelsMax,
    trades: OKX_CAPABILITIES.tradesPerPageMax,
  };
}

function bybitHalf(category: 'spot' | 'linear'): Half {
  const built: readonly CandleInterval[] = ['8h', '3d'];
  return {
    venue: createBybitPublic({ ...ports, category, socketBase: 'ws://venue' }),
    native: BYBIT_CAPABILITIES.candleIntervals.filter((interval) => !built.includes(interval)),
    built,
    candles: String(BYBIT_CAPABILITIES.candlesPerPageMax),
    depth: BYBIT_CAPABILITIES.depthLevelsMax,
    trades: BYBIT_CAPABILITIES.tradesPerPageMax[category],
  };
}

const sockets = { ...ports, socketBase: 'ws://venue' };
const HALVES: readonly Half[] = [
  binanceHalf(createBinancePublic(sockets), BINANCE_SPOT_CAPABILITIES),
  binanceHalf(createBinanceFuturesPublic(sockets), BINANCE_FUTURES_CAPABILITIES),
  okxHalf(),
  okxHalf(),
  bybitHalf('spot'),
  bybitHalf('linear'),
];

const lacking = ({ native, built }: Half): string =>
  CANDLE_INTERVALS.filter((interval) => !native.includes(interval) && !built.includes(interval)).join(', ');
const seconds = (millis: number | undefined): string => (millis === undefined ? '' : `${millis / 1_000} s`);

const ROWS: readonly [string, (half: Half) => string | number][] = [
  ['intervals built from shorter bars', ({ built }) => built.join(', ')],
  ['intervals it lacks', lacking],
  ['bars of one page', ({ candles }) => candles],
  ['levels a side by REST, at most', ({ depth }) => depth],
  ['trades of one page', ({ trades }) => trades],
  ['a book begins with', ({ venue }) => (venue.socketSendsSnapshots ? 'the socket' : 'REST')],
  ['a book is proved by', ({ venue }) => (venue.bookWitness === undefined ? 'ids' : 'ids, checksum')],
  ['a sound book may be quiet for', ({ venue }) => seconds(venue.bookSilenceMillisMax)],
  ['addresses of its public sockets', ({ venue }) => 1 + (venue.furtherSockets?.length ?? 0)],
  ['we ping every', ({ venue }) => seconds(venue.socket.heartbeat?.everyMillis)],
  ['a connection is renewed after', ({ venue }) => `${venue.socket.lifeMillisMax / 3_600_000} h`],
  ['channels of one request', ({ venue }) => venue.socket.channelsPerRequestMax ?? ''],
  ['requests of one connection', ({ venue }) => venue.socket.controlMessagesMax ?? ''],
];

test('the capabilities of all six halves are those of the code', () => {
  const rows = ROWS.map(([name, of]) => `| ${[name, ...HALVES.map(of)].join(' | ')} |`);
  expect(page.split('\n').filter((line) => ROWS.some(([name]) => line.startsWith(`| ${name} |`)))).toEqual(
    rows,
  );
});

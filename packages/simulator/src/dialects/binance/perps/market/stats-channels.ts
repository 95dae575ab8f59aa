import type { Millis } from '@crossbook/domain';
import type { PerpFacts } from '../../../../venue.ts';
import type { StreamChannel } from '../../../wire/channel-hub.ts';
import { allTickersChannel, statsChannel } from '../../streams/market-streams.ts';
import type { FuturesDesk } from '../desk.ts';
import { premiumStats } from './funding.ts';
import { dayStats } from './tickers.ts';

const MINI_EVERY_MILLIS = 500;
const TICKER_EVERY_MILLIS = 2000;
const MARK_EVERY_MILLIS = 3000;
const MARK_FAST_MILLIS = 1000;

/** Writes what one contract has to say now. */
type StatsWriter = (desk: FuturesDesk, contract: PerpFacts, now: Millis) => object;

const miniTicker: StatsWriter = (desk, { symbol }, now) => {
  const day = dayStats(desk, symbol);
  return {
    e: '24hrMiniTicker',
    E: now,
    s: symbol,
    c: day.last,
    o: day.open,
    h: day.high,
    l: day.low,
    v: day.volume,
    q: day.turnover,
  };
};

const fullTicker: StatsWriter = (desk, { symbol }, now) => {
  const day = dayStats(desk, symbol);
  return {
    e: '24hrTicker',
    E: now,
    s: symbol,
    p: day.change,
    P: day.percent,
    w: day.average,
    c: day.last,
    Q: day.lastSize,
    o: day.open,
    h: day.high,
    l: day.low,
    v: day.volume,
    q: day.turnover,
    O: day.ticker.openTime,
    C: day.ticker.closeTime,
    F: day.ticker.firstTradeId,
    L: day.ticker.lastTradeId,
    n: day.ticker.trades,
  };
};

const markPrice: StatsWriter = (desk, contract, now) => {
  const { mark, index, rate, nextFunding } = premiumStats(desk, contract);
  return {
    e: 'markPriceUpdate',
    E: now,
    s: contract.symbol,
    p: mark,
    ap: mark,
    P: index,
    i: index,
    r: rate,
    T: nextFunding,
  };
};

/** The writer of each contract, by its symbol. */
function written(desk: FuturesDesk, write: StatsWriter): (symbol: string, now: Millis) => object {
  return (symbol, now) => {
    const contract = desk.perps.contracts.get(symbol);
    return contract === undefined ? {} : write(desk, contract, now);
  };
}

function allMarksChannel(desk: FuturesDesk, everyMillis: number): StreamChannel {
  return {
    symbol: undefined,
    everyMillis,
    flush: (now) => [
      JSON.stringify([...desk.perps.contracts.values()].map((contract) => markPrice(desk, contract, now))),
    ],
  };
}

/** Streams about all contracts; `undefined` for other names. */
export function allStatsChannel(desk: FuturesDesk, name: string): StreamChannel | undefined {
  if (name === '!miniTicker@arr') return allTickersChannel(desk.perps, written(desk, miniTicker));
  if (name === '!ticker@arr') return allTickersChannel(desk.perps, written(desk, fullTicker));
  if (name === '!markPrice@arr') return allMarksChannel(desk, MARK_EVERY_MILLIS);
  return name === '!markPrice@arr@1s' ? allMarksChannel(desk, MARK_FAST_MILLIS) : undefined;
}

const STREAMS = new Map<string, { readonly everyMillis: number; readonly write: StatsWriter }>([
  ['miniTicker', { everyMillis: MINI_EVERY_MILLIS, write: miniTicker }],
  ['ticker', { everyMillis: TICKER_EVERY_MILLIS, write: fullTicker }],
  ['markPrice', { everyMillis: MARK_EVERY_MILLIS, write: markPrice }],
  ['markPrice@1s', { everyMillis: MARK_FAST_MILLIS, write: markPrice }],
]);

/** Streams about one contract's figures; `undefined` for other names. */
export function contractStatsChannel(
  desk: FuturesDesk,
  contract: PerpFacts,
  kind: string,
): StreamChannel | undefined {
  const stream = STREAMS.get(kind);
  if (stream === undefined) return undefined;
  return statsChannel(contract.symbol, stream.everyMillis, written(desk, stream.write));
}

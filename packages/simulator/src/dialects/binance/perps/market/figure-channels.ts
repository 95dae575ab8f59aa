import type { Millis } from '@crossbook/domain';
import type { PerpFacts } from '../../../../venue.ts';
import type { StreamChannel } from '../../../wire/channel-hub.ts';
import type { FuturesDesk } from '../desk.ts';
import { premiumFigures } from './funding.ts';
import { dayFigures } from './tickers.ts';

const MINI_EVERY_MILLIS = 500;
const TICKER_EVERY_MILLIS = 2000;
const ALL_TICKERS_EVERY_MILLIS = 1000;
const MARK_EVERY_MILLIS = 3000;
const MARK_FAST_MILLIS = 1000;

/** Writes what one contract has to say now. */
type FigureWriter = (desk: FuturesDesk, contract: PerpFacts, now: Millis) => object;

const miniTicker: FigureWriter = (desk, { symbol }, now) => {
  const day = dayFigures(desk, symbol);
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

const fullTicker: FigureWriter = (desk, { symbol }, now) => {
  const day = dayFigures(desk, symbol);
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

const markPrice: FigureWriter = (desk, contract, now) => {
  const { mark, index, rate, nextFunding } = premiumFigures(desk, contract);
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

/** One contract's figures again and again. */
function oneChannel(
  desk: FuturesDesk,
  contract: PerpFacts,
  everyMillis: number,
  write: FigureWriter,
): StreamChannel {
  return {
    symbol: contract.symbol,
    everyMillis,
    flush: (now) => [JSON.stringify(write(desk, contract, now))],
  };
}

/** Those contracts in one list that traded since the last message. */
function allTickersChannel(desk: FuturesDesk, write: FigureWriter): StreamChannel {
  const lastIds = new Map<string, number>();
  return {
    symbol: undefined,
    everyMillis: ALL_TICKERS_EVERY_MILLIS,
    flush: (now) => {
      const told: object[] = [];
      for (const contract of desk.perps.contracts.values()) {
        const id = desk.perps.ticker(contract.symbol).lastTradeId;
        if (lastIds.get(contract.symbol) === id) continue;
        lastIds.set(contract.symbol, id);
        told.push(write(desk, contract, now));
      }
      return told.length === 0 ? [] : [JSON.stringify(told)];
    },
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
export function allFiguresChannel(desk: FuturesDesk, name: string): StreamChannel | undefined {
  if (name === '!miniTicker@arr') return allTickersChannel(desk, miniTicker);
  if (name === '!ticker@arr') return allTickersChannel(desk, fullTicker);
  if (name === '!markPrice@arr') return allMarksChannel(desk, MARK_EVERY_MILLIS);
  return name === '!markPrice@arr@1s' ? allMarksChannel(desk, MARK_FAST_MILLIS) : undefined;
}

/** Streams about one contract's figures; `undefined` for other names. */
export function figureChannel(
  desk: FuturesDesk,
  contract: PerpFacts,
  kind: string,
): StreamChannel | undefined {
  if (kind === 'miniTicker') return oneChannel(desk, contract, MINI_EVERY_MILLIS, miniTicker);
  if (kind === 'ticker') return oneChannel(desk, contract, TICKER_EVERY_MILLIS, fullTicker);
  if (kind === 'markPrice') return oneChannel(desk, contract, MARK_EVERY_MILLIS, markPrice);
  return kind === 'markPrice@1s' ? oneChannel(desk, contract, MARK_FAST_MILLIS, markPrice) : undefined;
}

import { BARS_PER_MESSAGE_MAX, BarUpdates } from '../../wire/bar-updates.ts';
import { TradeQueue } from '../../wire/trade-queue.ts';
import type { Desk } from '../desk.ts';
import { factsOf, type Listed } from '../listing.ts';
import { type BarKind, barKind, readBars } from '../market/bars.ts';
import { candleRow, indexSource, isClosed, priceRow } from '../market/candles.ts';
import { INSTRUMENT_TYPES, instrumentRow, isListedType } from '../market/instruments.ts';
import { tradeRow } from '../market/market-data.ts';
import { priceLimitRow } from '../market/public-data.ts';
import { indexRow, perpetualOf, tickerRow } from '../market/tickers.ts';
import { fundingRow, markPriceRow, openInterestRow } from '../perps/contract-data.ts';
import { adlRows, newestRows } from '../perps/liquidations.ts';
import { tradedContracts } from '../perps/words.ts';
import { bookChannel, topChannel } from './book-channel.ts';
import { type ChannelArgument, type MarketChannel, pushOf } from './market-channel.ts';

/**
 * OKX's public channels. Books, trades and bars come at OKX's own pace; figures that a screen shows come a little more
 * slowly than there (tickers 4 times a second, mark and index once), which changes no meaning.
 */

const TICKER_MILLIS = 250;
const STATS_MILLIS = 1_000;
const FUNDING_MILLIS = 60_000;
const INTEREST_MILLIS = 3_000;
const LIMIT_MILLIS = 5_000;
const CANDLE_MILLIS = 500;
const TOP_MILLIS = 100;

function tradesChannel(listed: Listed): MarketChannel {
  const queue = new TradeQueue();
  return {
    symbol: listed.instId,
    watches: true,
    everyMillis: 0,
    onTrade: (trade) => queue.push(trade),
    flush: () => {
      const trades = queue.take();
      if (trades.length === 0) return [];
      return [pushOf(trades.map((trade) => ({ ...tradeRow(listed, trade), count: '1' })))];
    },
  };
}

/**
 * A ticker at once when something happened, and looked at once a second where nothing was heard: a market that nobody
 * watches sends no updates, but its day goes on.
 */
function tickersChannel(listed: Listed): MarketChannel {
  let dirty = false;
  let lookedAt = 0;
  let last = '';
  const note = () => {
    dirty = true;
  };
  return {
    symbol: listed.instId,
    everyMillis: TICKER_MILLIS,
    onTrade: note,
    onBookChange: note,
    greeting: () => pushOf([tickerRow(listed)]),
    flush: (now) => {
      if (!dirty && now - lookedAt < STATS_MILLIS) return [];
      dirty = false;
      lookedAt = now;
      const row = tickerRow(listed);
      const text = JSON.stringify({ ...row, ts: '' });
      if (text === last) return [];
      last = text;
      return [pushOf([row])];
    },
  };
}

/** A figure that is looked at now and then and told when it has changed, its time aside. */
function statsChannel(everyMillis: number, read: () => object | undefined): MarketChannel {
  let last = '';
  return {
    symbol: undefined,
    everyMillis,
    greeting: () => {
      const row = read();
      return row === undefined ? undefined : pushOf([row]);
    },
    flush: () => {
      const row = read();
      if (row === undefined) return [];
      const text = JSON.stringify({ ...row, ts: '' });
      if (text === last) return [];
      last = text;
      return [pushOf([row])];
    },
  };
}

function candleChannel(listed: Listed, kind: BarKind, row: typeof candleRow): MarketChannel {
  const { markets, instId } = listed;
  const updates = new BarUpdates();
  const newest = (limit: number) =>
    readBars(markets, instId, kind, { newerThan: -1, olderThan: Number.MAX_SAFE_INTEGER, limit });
  return {
    symbol: listed.instId,
    watches: true,
    everyMillis: CANDLE_MILLIS,
    greeting: (now) => pushOf(newest(1).map((bar) => row(listed, bar, isClosed(kind, bar, now)))),
    flush: (now) => {
      const reported = updates.take(newest(BARS_PER_MESSAGE_MAX));
      return reported.map((bar) => pushOf([row(listed, bar, isClosed(kind, bar, now))]));
    },
  };
}

/** Instruments of a kind whose state changed since the last look. */
function instrumentsChannel(desk: Desk, instType: string): MarketChannel | undefined {
  const type = INSTRUMENT_TYPES.find((one) => one === instType);
  if (type === undefined) return undefined;
  const listed = isListedType(type) ? desk.listing.ofType(type) : [];
  const states = new Map(listed.map((one) => [one.instId, factsOf(one).status]));
  return {
    symbol: undefined,
    everyMillis: STATS_MILLIS,
    flush: () => {
      const changed = listed.filter((one) => states.get(one.instId) !== factsOf(one).status);
      for (const one of changed) states.set(one.instId, factsOf(one).status);
      return changed.length === 0 ? [] : [pushOf(changed.map(instrumentRow))];
    },
  };
}

/** Liquidations of the last second, of each contract the newest. */
function liquidationsChannel(desk: Desk, instType: string | undefined): MarketChannel | undefined {
  if (!['SWAP', 'FUTURES', 'MARGIN', 'OPTION'].some((type) => type === instType)) return undefined;
  let heard = desk.liquidations.sequence;
  return {
    symbol: undefined,
    everyMillis: STATS_MILLIS,
    flush: () => {
      const fresh = desk.liquidations.after(heard);
      heard = desk.liquidations.sequence;
      const rows = instType === 'SWAP' ? newestRows(desk, fresh) : [];
      return rows.length === 0 ? [] : [pushOf(rows)];
    },
  };
}

/** Contracts in which positions are or might soon be deleveraged, once a second while it is so. */
function adlChannel(desk: Desk, { instType, instFamily }: ChannelArgument): MarketChannel | undefined {
  if (!['SWAP', 'FUTURES', 'OPTION'].some((type) => type === instType)) return undefined;
  const followed = tradedContracts(desk).filter(({ index }) => (instFamily ?? index) === index);
  if (instFamily !== undefined && followed.length === 0) return undefined;
  return {
    symbol: undefined,
    everyMillis: STATS_MILLIS,
    flush: () => {
      const rows = adlRows(
        desk,
        followed.filter((listed) => listed.instType === instType),
      );
      return rows.length === 0 ? [] : [pushOf(rows)];
    },
  };
}

/** `status`: maintenance, of which there is none. */
const SILENT: MarketChannel = {
  symbol: undefined,
  everyMillis: INTEREST_MILLIS,
  flush: () => [],
};

type MakeChannel = (desk: Desk, listed: Listed) => MarketChannel | undefined;

const onlyContracts =
  (make: MakeChannel): MakeChannel =>
  (desk, listed) =>
    listed.contract === undefined ? undefined : make(desk, listed);

/** Channels about one instrument. */
const MAKERS: ReadonlyMap<string, MakeChannel> = new Map<string, MakeChannel>([
  ['books', bookChannel],
  ['books5', (_desk, listed) => topChannel(listed, { levels: 5, everyMillis: TOP_MILLIS })],
  ['bbo-tbt', (_desk, listed) => topChannel(listed, { levels: 1, everyMillis: 0 })],
  ['trades', (_desk, listed) => tradesChannel(listed)],
  ['tickers', (_desk, listed) => tickersChannel(listed)],
  [
    'mark-price',
    onlyContracts((desk, listed) => statsChannel(STATS_MILLIS, () => markPriceRow(desk, listed))),
  ],
  [
    'open-interest',
    onlyContracts((desk, listed) => statsChannel(INTEREST_MILLIS, () => openInterestRow(desk, listed))),
  ],
  [
    'funding-rate',
    (desk, listed) =>
      listed.instType === 'SWAP' ? statsChannel(FUNDING_MILLIS, () => fundingRow(desk, listed)) : undefined,
  ],
  ['price-limit', (desk, listed) => statsChannel(LIMIT_MILLIS, () => priceLimitRow(desk, listed))],
]);

/** A channel of `/public`; `undefined` when there is none like it. */
export function publicChannel(desk: Desk, argument: ChannelArgument): MarketChannel | undefined {
  const { channel, instId, instType } = argument;
  if (channel === 'status') return SILENT;
  if (channel === 'liquidation-orders') return liquidationsChannel(desk, instType);
  if (channel === 'adl-warning') return adlChannel(desk, argument);
  if (channel === 'instruments') return instrumentsChannel(desk, instType ?? '');
  if (instId === undefined) return undefined;
  if (channel === 'index-tickers') {
    const known = perpetualOf(desk, instId) !== undefined;
    return known ? statsChannel(STATS_MILLIS, () => indexRow(desk, instId)) : undefined;
  }
  const listed = desk.listing.find(instId);
  return listed === undefined ? undefined : MAKERS.get(channel)?.(desk, listed);
}

type BarSource = readonly [
  prefix: string,
  find: (desk: Desk, instId: string) => Listed | undefined,
  row: typeof candleRow,
];

/** Bars by the first part of their channel's name; what follows it names the bar. */
const BAR_SOURCES: readonly BarSource[] = [
  ['candle', (desk, instId) => desk.listing.find(instId), candleRow],
  [
    'mark-price-candle',
    (desk, instId) => {
      const listed = desk.listing.find(instId);
      return listed?.contract === undefined ? undefined : listed;
    },
    priceRow,
  ],
  ['index-candle', indexSource, priceRow],
];

/** A channel of `/business`: bars, and trades one by one. */
export function businessChannel(desk: Desk, argument: ChannelArgument): MarketChannel | undefined {
  const { channel, instId } = argument;
  if (instId === undefined) return undefined;
  if (channel === 'trades-all') {
    const listed = desk.listing.find(instId);
    return listed === undefined ? undefined : tradesChannel(listed);
  }
  const source = BAR_SOURCES.find(([prefix]) => channel.startsWith(prefix));
  if (source === undefined) return undefined;
  const [prefix, find, row] = source;
  const listed = find(desk, instId);
  const kind = barKind(channel.slice(prefix.length));
  return listed === undefined || kind === undefined ? undefined : candleChannel(listed, kind, row);
}

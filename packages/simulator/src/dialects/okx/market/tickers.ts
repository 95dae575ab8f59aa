import { type Amount, type Millis, ok, platformOfSlug, refused, toNumberForDisplay } from '@crossbook/domain';
import type { Desk } from '../desk.ts';
import { type Endpoint, publicEndpoint, rowsUnlessRefused } from '../endpoint.ts';
import { ERRORS, eitherRequired } from '../errors.ts';
import { formatFloat } from '../format.ts';
import type { Listed } from '../listing.ts';
import { answerForChosen, listedOf } from './instruments.ts';

const DAY_MILLIS = 86_400_000;
const HONG_KONG_MILLIS = 8 * 3_600_000;

/** Openings of the day by UTC and by Hong Kong time: they never change within the day and are looked up once. */
interface DayOpens {
  readonly utcDay: number;
  readonly hongKongDay: number;
  readonly utc: string;
  readonly hongKong: string;
}

const dayOpens = new WeakMap<Listed, DayOpens>();

function openAt(listed: Listed, time: number): string {
  const [bar] = listed.markets.candles(listed.instId, '1h', { startTime: time as Millis, limit: 1 });
  return bar === undefined ? '' : listed.format.displayPrice(bar.open);
}

function opensOf(listed: Listed, now: Millis): DayOpens {
  const utcDay = Math.floor(now / DAY_MILLIS);
  const hongKongDay = Math.floor((now + HONG_KONG_MILLIS) / DAY_MILLIS);
  const known = dayOpens.get(listed);
  if (known?.utcDay === utcDay && known.hongKongDay === hongKongDay) return known;
  const utc = openAt(listed, utcDay * DAY_MILLIS);
  const hongKong = openAt(listed, hongKongDay * DAY_MILLIS - HONG_KONG_MILLIS);
  const opens = { utcDay, hongKongDay, utc, hongKong };
  dayOpens.set(listed, opens);
  return opens;
}

/** One ticker (recorded 2026-02). Spot counts `vol24h` in base and `volCcy24h` in quote; contracts in contracts and in base. */
export function tickerRow(listed: Listed): object {
  const { markets, instId, format, contract } = listed;
  const ticker = markets.ticker(instId);
  const { bids, asks } = markets.depth(instId, 1);
  const [bid] = bids;
  const [ask] = asks;
  const now = markets.now();
  const opens = opensOf(listed, now);
  const price = format.displayPrice;
  const volumeCcy =
    contract === undefined ? ticker.quoteVolume : ticker.volume * toNumberForDisplay(contract.contractValue);
  return {
    instType: listed.instType,
    instId,
    last: price(ticker.last),
    lastSz: formatFloat(ticker.lastQuantity),
    askPx: ask === undefined ? '' : format.price(ask[0]),
    askSz: ask === undefined ? '' : format.quantity(ask[1]),
    bidPx: bid === undefined ? '' : format.price(bid[0]),
    bidSz: bid === undefined ? '' : format.quantity(bid[1]),
    open24h: price(ticker.open),
    high24h: price(ticker.high),
    low24h: price(ticker.low),
    volCcy24h: formatFloat(volumeCcy),
    vol24h: formatFloat(ticker.volume),
    ts: String(now),
    sodUtc0: opens.utc,
    sodUtc8: opens.hongKong,
  };
}

/** The perpetual whose figures tell of an index. */
export function perpetualOf(desk: Desk, index: string): Listed | undefined {
  return desk.listing.all().find((listed) => listed.index === index && listed.instType === 'SWAP');
}

/** An index with its day: the extremes are those of the pair, or of the contract where no pair is listed. */
export function indexRow(desk: Desk, index: string): object | undefined {
  const perpetual = perpetualOf(desk, index);
  if (perpetual === undefined) return undefined;
  const day = desk.listing.find(index) ?? perpetual;
  const ticker = day.markets.ticker(day.instId);
  const now = desk.now();
  const opens = opensOf(day, now);
  const price = perpetual.format.displayPrice;
  const value = desk.venue.perps.stats(perpetual.instId).index;
  return {
    instId: index,
    idxPx: price(value),
    high24h: price(Math.max(ticker.high, value)),
    low24h: price(Math.min(ticker.low, value)),
    open24h: price(ticker.open),
    sodUtc0: opens.utc,
    sodUtc8: opens.hongKong,
    ts: String(now),
  };
}

/** Weights of an index's parts are told with three decimals. */
const WEIGHT_DECIMALS = 3;

/** Of which prices an index is the mean (OKX v5 guide, "Get index components"): the pairs of the simulated venues. */
function indexComponents(desk: Desk, index: string): object | undefined {
  const perpetual = perpetualOf(desk, index);
  if (perpetual === undefined) return undefined;
  const now = desk.now();
  const parts = desk.venue.story.indexParts(perpetual.instId, now);
  const price = (value: number) => formatFloat(value);
  return {
    components: parts.map((part) => ({
      cnvPx: price(part.price),
      exch: platformOfSlug(part.venue)?.name ?? part.venue,
      symPx: price(part.price),
      symbol: index.replace('-', '/'),
      wgt: (1 / parts.length).toFixed(WEIGHT_DECIMALS),
    })),
    index,
    last: price(desk.venue.perps.stats(perpetual.instId).index),
    ts: String(now),
  };
}

/** What one unit of an asset is worth in USD, for display; 0 where nobody says. */
export function usdValue(desk: Desk, asset: string): number {
  if (asset === 'USDT' || asset === 'USDC' || asset === 'USD') return 1;
  const pair = desk.listing.find(`${asset}-USDT`);
  return pair === undefined ? 0 : pair.markets.ticker(pair.instId).last;
}

/** An amount's worth in USD, for display. */
export function usdOf(desk: Desk, asset: string, amount: Amount): number {
  return toNumberForDisplay(amount) * usdValue(desk, asset);
}

/** Tickers and indices. */
export const TICKER_ENDPOINTS: readonly Endpoint[] = [
  publicEndpoint('ticker GET /api/v5/market/ticker', 20, ({ desk, reader }) => {
    const listed = listedOf(desk, reader);
    return rowsUnlessRefused(reader, () => (listed === undefined ? [] : [tickerRow(listed)]));
  }),
  publicEndpoint('tickers GET /api/v5/market/tickers', 20, ({ desk, reader }) =>
    answerForChosen(desk, reader, tickerRow),
  ),
  publicEndpoint('index.tickers GET /api/v5/market/index-tickers', 20, ({ desk, reader }) => {
    const instId = reader.text('instId');
    const quote = reader.text('quoteCcy');
    if (instId === undefined && quote === undefined) reader.refuse(eitherRequired('quoteCcy', 'instId'));
    const indices = desk.listing
      .indices()
      .filter((index) => instId === undefined || index === instId)
      .filter((index) => quote === undefined || index.endsWith(`-${quote}`));
    if (instId !== undefined && indices.length === 0) return refused(reader.refusal ?? ERRORS.noIndex);
    return rowsUnlessRefused(reader, () =>
      indices.map((index) => indexRow(desk, index)).filter((row) => row !== undefined),
    );
  }),
  publicEndpoint('index.components GET /api/v5/market/index-components', 20, ({ desk, reader }) => {
    const index = reader.requiredText('index');
    const data = indexComponents(desk, index);
    if (data === undefined) return refused(reader.refusal ?? ERRORS.noIndex);
    return ok({ code: '0', msg: '', data });
  }),
];

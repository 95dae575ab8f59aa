import type { PlatformSlug, SymbolType } from '@crossbook/domain';

/** How one kind of public call is relayed. */
export interface RelayRule {
  /** Which of the venue's hosts has the call. */
  readonly market: SymbolType;
  /** How long its answer may be given to others, ms; 0 is not at all. */
  keepMillis(query: URLSearchParams, now: number): number;
}

interface Entry extends RelayRule {
  readonly path: RegExp;
}

type Keep = RelayRule['keepMillis'];

const NOT_AT_ALL: Keep = () => 0;
/** Depth and trades: what a screen shows for a moment anyway. */
const HALF_A_SECOND: Keep = () => 500;
/** Tickers, marks and funding: lists refresh every 2 or 10 s. */
const A_SECOND: Keep = () => 1_000;
/** Figures that venues work out now and then. */
const FIVE_SECONDS: Keep = () => 5_000;
/** Rates of the past. */
const A_MINUTE: Keep = () => 60_000;
/** Instruments: the server itself reads them every ten minutes. */
const TWO_MINUTES: Keep = () => 120_000;
const CANDLES_MILLIS = 1_000;
const CLOSED_CANDLES_MILLIS = 300_000;

const UNIT_MILLIS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
  // The longest month: a bound is needed, not the length.
  M: 31 * 86_400_000,
};

/**
 * The longest a bar can last, whatever the venue calls it: `1m`, `4h`, `1M` (Binance), `1H`, `1Dutc` (OKX), `60`, `D`
 * (Bybit, bare numbers are minutes).
 */
function barMillisMax(text: string): number | undefined {
  const parts = /^([0-9]{0,4})([smhHdDwWM]?)(?:utc)?$/.exec(text);
  if (parts === null || text === '') return undefined;
  const [, count = '', unit = ''] = parts;
  const length = UNIT_MILLIS[unit === '' ? 'm' : unit === 'M' ? 'M' : unit.toLowerCase()];
  return length === undefined ? undefined : Number(count === '' ? 1 : count) * length;
}

/** A page whose bars have all ended does not change any more. */
function candles(intervalField: string, endField: string): Keep {
  return (query, now) => {
    const end = query.get(endField) ?? '';
    const length = barMillisMax(query.get(intervalField) ?? '');
    const isClosed = /^[0-9]{1,15}$/.test(end) && length !== undefined && Number(end) + length <= now;
    return isClosed ? CLOSED_CANDLES_MILLIS : CANDLES_MILLIS;
  };
}

function rule(market: SymbolType, path: RegExp, keepMillis: Keep): Entry {
  return { market, path, keepMillis };
}

/** Public market data of each venue; nothing else is forwarded. */
const RULES: Readonly<Record<PlatformSlug, readonly Entry[]>> = {
  binance: [
    rule('SPOT', /^\/api\/v3\/(?:ping|time)$/, NOT_AT_ALL),
    rule('SPOT', /^\/api\/v3\/exchangeInfo$/, TWO_MINUTES),
    rule('SPOT', /^\/api\/v3\/(?:avgPrice|ticker(?:\/(?:24hr|price|bookTicker|tradingDay))?)$/, A_SECOND),
    rule('SPOT', /^\/api\/v3\/(?:depth|trades|aggTrades)$/, HALF_A_SECOND),
    rule('SPOT', /^\/api\/v3\/(?:klines|uiKlines)$/, candles('interval', 'endTime')),
    rule('SWAP', /^\/fapi\/v1\/(?:ping|time)$/, NOT_AT_ALL),
    rule('SWAP', /^\/fapi\/v1\/exchangeInfo$/, TWO_MINUTES),
    rule('SWAP', /^\/fapi\/v1\/(?:premiumIndex|ticker\/(?:24hr|price|bookTicker))$/, A_SECOND),
    rule('SWAP', /^\/fapi\/v1\/openInterest$/, FIVE_SECONDS),
    rule('SWAP', /^\/fapi\/v1\/(?:fundingRate|fundingInfo)$/, A_MINUTE),
    rule('SWAP', /^\/fapi\/v1\/(?:depth|trades|aggTrades)$/, HALF_A_SECOND),
    rule('SWAP', /^\/fapi\/v1\/(?:klines|markPriceKlines|indexPriceKlines)$/, candles('interval', 'endTime')),
  ],
  okx: [
    rule('SPOT', /^\/api\/v5\/public\/time$/, NOT_AT_ALL),
    rule('SPOT', /^\/api\/v5\/public\/instruments$/, TWO_MINUTES),
    rule('SPOT', /^\/api\/v5\/market\/(?:tickers|ticker|index-tickers)$/, A_SECOND),
    rule('SPOT', /^\/api\/v5\/public\/(?:mark-price|funding-rate)$/, A_SECOND),
    rule('SPOT', /^\/api\/v5\/public\/open-interest$/, FIVE_SECONDS),
    rule('SPOT', /^\/api\/v5\/public\/funding-rate-history$/, A_MINUTE),
    rule('SPOT', /^\/api\/v5\/market\/(?:books|trades)$/, HALF_A_SECOND),
    rule('SPOT', /^\/api\/v5\/market\/(?:candles|history-candles)$/, candles('bar', 'after')),
  ],
  bybit: [
    rule('SPOT', /^\/v5\/market\/time$/, NOT_AT_ALL),
    rule('SPOT', /^\/v5\/market\/instruments-info$/, TWO_MINUTES),
    rule('SPOT', /^\/v5\/market\/tickers$/, A_SECOND),
    rule('SPOT', /^\/v5\/market\/open-interest$/, FIVE_SECONDS),
    rule('SPOT', /^\/v5\/market\/funding\/history$/, A_MINUTE),
    rule('SPOT', /^\/v5\/market\/(?:orderbook|recent-trade)$/, HALF_A_SECOND),
    rule('SPOT', /^\/v5\/market\/kline$/, candles('interval', 'end')),
  ],
};

/** How a path is relayed; `undefined` when it is not public market data of the venue. */
export function relayRule(slug: PlatformSlug, path: string): RelayRule | undefined {
  return RULES[slug].find((entry) => entry.path.test(path));
}

import { type Amount, formatAmount, type Millis, toNumberForDisplay } from '@crossbook/domain';
import type { PerpFacts } from '../../../venue.ts';
import { type Desk, type Endpoint, publicCall, type Run, reply } from '../endpoint.ts';
import { ERRORS, invalid, missing } from '../errors.ts';
import { cutAmount, plain } from '../format.ts';
import { linearContracts } from '../market/instruments.ts';
import { readMarket } from '../market/market-data.ts';
import { readPage } from '../pages.ts';
import type { ParamReader } from '../params.ts';
import { tradedContracts } from './traded.ts';

const FUNDING_PAGE_MAX = 200;
/** How far apart recorded figures are (enum, "dataRecordingPeriod"). */
const PERIODS: ReadonlyMap<string, number> = new Map([
  ['5min', 300_000],
  ['15min', 900_000],
  ['30min', 1_800_000],
  ['1h', 3_600_000],
  ['4h', 14_400_000],
  ['1d', 86_400_000],
]);
/** Contracts on a page of risk limits when none is named. */
const RISK_LIMIT_SYMBOLS_MAX = 15;

function readContract(reader: ParamReader, desk: Desk): PerpFacts | undefined {
  const chosen = readMarket(reader, desk);
  if (chosen.category !== 'linear') reader.refuse(ERRORS.badCategory);
  return chosen.market === undefined ? undefined : linearContracts(desk).get(chosen.market.symbol);
}

/** Newest first; a start without an end is refused, as at Bybit. */
function fundingHistory(reader: ParamReader, desk: Desk): Run {
  const contract = readContract(reader, desk);
  const startTime = reader.integer('startTime');
  const endTime = reader.integer('endTime') as Millis | undefined;
  if (startTime !== undefined && endTime === undefined) reader.refuse(missing('endTime'));
  const limit = reader.limit(FUNDING_PAGE_MAX, FUNDING_PAGE_MAX);
  return () => {
    if (contract === undefined) return { ok: false, code: ERRORS.badSymbol };
    const { symbol } = contract;
    if (contract.kind !== 'PERPETUAL') return reply({ category: 'linear', list: [] });
    const page = { limit, ...(endTime === undefined ? {} : { endTime }) };
    const payments = desk.venue.perps
      .fundingHistory(symbol, page)
      .filter((payment) => startTime === undefined || payment.time >= startTime);
    const list = payments.map((payment) => ({
      symbol,
      fundingRate: plain(payment.rate, 8),
      fundingRateTimestamp: String(payment.time),
    }));
    return reply({ category: 'linear', list: list.reverse() });
  };
}

/** The figure of now alone: no history of it is kept. */
function openInterest(reader: ParamReader, desk: Desk): Run {
  const contract = readContract(reader, desk);
  const interval = PERIODS.get(reader.requiredText('intervalTime'));
  if (interval === undefined) reader.refuse(invalid('intervalTime'));
  return () => {
    if (contract === undefined || interval === undefined) return { ok: false, code: ERRORS.badSymbol };
    const { perps } = desk.venue;
    const now = perps.now();
    const held = desk.format.linear.of(contract.symbol).shownSize(perps.stats(contract.symbol).openInterest);
    return reply({
      symbol: contract.symbol,
      category: 'linear',
      list: [{ openInterest: held, timestamp: String(now - (now % interval)) }],
      nextPageCursor: '',
    });
  };
}

const RATIOS_DEFAULT = 50;
const RATIOS_MAX = 500;
const RATIO_DECIMALS = 4;

/** The share of holders who are long and of those who are short, at every whole period, newest first. */
function accountRatio(reader: ParamReader, desk: Desk): Run {
  const contract = readContract(reader, desk);
  const period = PERIODS.get(reader.requiredText('period'));
  if (period === undefined) reader.refuse(invalid('period'));
  const startTime = reader.integer('startTime') ?? 0;
  const endTime = reader.integer('endTime') ?? Number.MAX_SAFE_INTEGER;
  const { limit, after } = readPage(reader, RATIOS_DEFAULT, RATIOS_MAX);
  return () => {
    if (contract === undefined || period === undefined) return { ok: false, code: ERRORS.badSymbol };
    const { symbol, listedAt } = contract;
    const end = Math.min(endTime, desk.venue.perps.now(), (after?.time ?? Number.MAX_SAFE_INTEGER) - 1);
    const newest = Math.floor(end / period);
    const oldest = Math.ceil(Math.max(startTime, listedAt) / period);
    const count = Math.max(0, Math.min(limit, newest - oldest + 1));
    const list = Array.from({ length: count }, (_, at) => {
      const time = ((newest - at) * period) as Millis;
      const buyRatio = desk.venue.story.longShare(symbol, time).toFixed(RATIO_DECIMALS);
      const sellRatio = (1 - Number(buyRatio)).toFixed(RATIO_DECIMALS);
      return { symbol, buyRatio, sellRatio, timestamp: String(time) };
    });
    const last = newest - count + 1;
    return reply({ list, nextPageCursor: count > 0 && last > oldest ? `${last * period}_0` : '' });
  };
}

function riskRows(desk: Desk, { symbol, tiers }: PerpFacts): readonly object[] {
  return tiers.map(({ tier, cap, maintenanceRate, initialRate, maxLeverage, deduction }) => ({
    id: desk.numbers.linear.of(symbol) * 100 + tier,
    symbol,
    riskLimitValue: formatAmount(cap),
    maintenanceMargin: formatAmount(maintenanceRate),
    initialMargin: formatAmount(initialRate),
    isLowestRisk: tier === 1 ? 1 : 0,
    maxLeverage: maxLeverage.toFixed(2),
    mmDeduction: deduction === 0n ? '' : formatAmount(deduction),
  }));
}

/** Every tier of one contract, or of fifteen in the order of their symbols: the cursor is where the next ones begin. */
function riskLimit(reader: ParamReader, desk: Desk): Run {
  const word = reader.requiredText('category');
  if (word !== 'linear' && word !== 'inverse') reader.refuse(ERRORS.badCategory);
  const contracts = linearContracts(desk);
  const named = word === 'linear' ? reader.optionalMarket(contracts, ERRORS.badSymbol) : undefined;
  const cursor = reader.text('cursor');
  if (cursor !== undefined && !/^[0-9]{1,6}$/.test(cursor)) reader.refuse(invalid('cursor'));
  return () => {
    const all = named === undefined ? [...contracts.values()] : [named];
    const from = named === undefined ? Number(cursor ?? 0) : 0;
    const next = from + RISK_LIMIT_SYMBOLS_MAX;
    const shown = word === 'linear' ? all.slice(from, next) : [];
    const list = shown.flatMap((contract) => riskRows(desk, contract));
    const more = word === 'linear' && next < all.length;
    return reply({ category: word, list, nextPageCursor: more ? String(next) : '' });
  };
}

/** One pool stands behind all contracts. */
function insurance(reader: ParamReader, desk: Desk): Run {
  const coin = reader.text('coin');
  return () => {
    const balance = cutAmount(desk.venue.perps.insuranceFund());
    const symbols = tradedContracts(desk).map(({ symbol }) => symbol);
    const pool = { coin: 'USDT', symbols: symbols.join(','), balance, value: balance };
    const updatedTime = String(desk.venue.perps.now());
    return reply({ updatedTime, list: coin === undefined || coin === 'USDT' ? [pool] : [] });
  };
}

/** The fund alone calls for deleveraging here: when it is empty, and never by how far a contract's losses went. */
function adlAlert(reader: ParamReader, desk: Desk): Run {
  const named = reader.optionalMarket(linearContracts(desk), ERRORS.badSymbol);
  return () => {
    const balance = cutAmount(desk.venue.perps.insuranceFund());
    const shown = tradedContracts(desk).filter(
      ({ symbol }) => named === undefined || symbol === named.symbol,
    );
    const list = shown.map(({ symbol }) => ({
      ...{ coin: 'USDT', symbol, balance, maxBalance: '', pnlRatio: '0' },
      ...{ insurancePnlRatio: '-1', adlTriggerThreshold: '0', adlStopRatio: '0' },
    }));
    return reply({ updatedTime: String(desk.venue.perps.now()), list });
  };
}

/** The highest buy and the lowest sell that are taken now. */
function priceLimit(reader: ParamReader, desk: Desk): Run {
  const { category, market } = readMarket(reader, desk, 'linear');
  return () => {
    if (market === undefined) return { ok: false, code: ERRORS.badSymbol };
    const { symbol, bidMultiplierUp, askMultiplierDown } = market;
    const { perps, spot } = desk.venue;
    const middle = category === 'linear' ? perps.stats(symbol).mark : spot.averagePrice(symbol);
    const shown = (by: Amount) =>
      desk.format[category].of(symbol).shownPrice(middle * toNumberForDisplay(by));
    const ts = String(perps.now());
    return reply({ symbol, buyLmt: shown(bidMultiplierUp), sellLmt: shown(askMultiplierDown), ts });
  };
}

/** No contract was ever delivered. */
function deliveryPrices(reader: ParamReader): Run {
  const category = reader.requiredText('category');
  if (!['linear', 'inverse', 'option'].includes(category)) reader.refuse(ERRORS.badCategory);
  return () => reply({ category, nextPageCursor: '', list: [] });
}

/** What only contracts have. */
export const CONTRACT_ENDPOINTS: readonly Endpoint[] = [
  publicCall('market.funding GET /v5/market/funding/history', fundingHistory),
  publicCall('market.openInterest GET /v5/market/open-interest', openInterest),
  publicCall('market.accountRatio GET /v5/market/account-ratio', accountRatio),
  publicCall('market.riskLimit GET /v5/market/risk-limit', riskLimit),
  publicCall('market.insurance GET /v5/market/insurance', insurance),
  publicCall('market.adlAlert GET /v5/market/adlAlert', adlAlert),
  publicCall('market.priceLimit GET /v5/market/price-limit', priceLimit),
  publicCall('market.deliveries GET /v5/market/delivery-price', deliveryPrices),
];

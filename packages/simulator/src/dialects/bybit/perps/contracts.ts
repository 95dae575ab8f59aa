import { formatAmount, type Millis } from '@crossbook/domain';
import type { PerpFacts } from '../../../venue.ts';
import { type Desk, type Endpoint, publicCall, type Run, reply } from '../endpoint.ts';
import { ERRORS, invalid, missing } from '../errors.ts';
import { plain } from '../format.ts';
import { linearContracts } from '../market/instruments.ts';
import { readMarket } from '../market/market-data.ts';
import type { ParamReader } from '../params.ts';

const FUNDING_PAGE_MAX = 200;
const OPEN_INTEREST_INTERVALS: ReadonlyMap<string, number> = new Map([
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
  const interval = OPEN_INTEREST_INTERVALS.get(reader.requiredText('intervalTime'));
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

/** What only contracts have. */
export const CONTRACT_ENDPOINTS: readonly Endpoint[] = [
  publicCall('market.funding GET /v5/market/funding/history', fundingHistory),
  publicCall('market.openInterest GET /v5/market/open-interest', openInterest),
  publicCall('market.riskLimit GET /v5/market/risk-limit', riskLimit),
];

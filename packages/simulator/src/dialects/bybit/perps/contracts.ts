import { type Amount, amount, formatAmount, type Millis, mulDown } from '@crossbook/domain';
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
/** The one tier of a contract: as many times its largest order as this. */
const RISK_LIMIT_ORDERS = 10n;

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

function riskRow(desk: Desk, contract: PerpFacts): object {
  const { perps } = desk.venue;
  const price = amount(plain(perps.stats(contract.symbol).mark, 8));
  const most = mulDown((contract.maxQty * RISK_LIMIT_ORDERS) as Amount, price);
  const initial = 1 / contract.maxLeverage;
  return {
    id: desk.numbers.linear.of(contract.symbol) * 100 + 1,
    symbol: contract.symbol,
    riskLimitValue: formatAmount(most).split('.')[0],
    maintenanceMargin: plain(initial / 2, 8),
    initialMargin: plain(initial, 8),
    isLowestRisk: 1,
    maxLeverage: contract.maxLeverage.toFixed(2),
    mmDeduction: '',
  };
}

/** One tier a contract. */
function riskLimit(reader: ParamReader, desk: Desk): Run {
  const word = reader.requiredText('category');
  if (word !== 'linear' && word !== 'inverse') reader.refuse(ERRORS.badCategory);
  const contracts = linearContracts(desk);
  const named = word === 'linear' ? reader.optionalMarket(contracts, ERRORS.badSymbol) : undefined;
  return () => {
    const all = named === undefined ? [...contracts.values()] : [named];
    const list = word === 'linear' ? all.map((contract) => riskRow(desk, contract)) : [];
    return reply({ category: word, list, nextPageCursor: '' });
  };
}

/** What only contracts have. */
export const CONTRACT_ENDPOINTS: readonly Endpoint[] = [
  publicCall('market.funding GET /v5/market/funding/history', fundingHistory),
  publicCall('market.openInterest GET /v5/market/open-interest', openInterest),
  publicCall('market.riskLimit GET /v5/market/risk-limit', riskLimit),
];

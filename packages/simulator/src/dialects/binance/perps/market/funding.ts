import { type Millis, ok, refused } from '@crossbook/domain';
import type { PerpFacts } from '../../../../venue.ts';
import { aboutContract, aboutOneOrAll, type FuturesCall, type FuturesDesk, pageLimit } from '../desk.ts';
import { shownMark, shownRate } from '../format.ts';

const LIMIT_DEFAULT = 100;
const LIMIT_MAX = 1000;
const HOUR_MILLIS = 3_600_000;
/** What the venue adds to the premium every eight hours. */
const INTEREST_RATE = '0.00010000';
const RATE_CAP = '0.02000000';

/** What moves beside a contract's book, as figures. Dated contracts pay no funding: an empty rate and the time 0. */
export function premiumStats(
  desk: FuturesDesk,
  contract: PerpFacts,
): {
  readonly mark: string;
  readonly index: string;
  readonly rate: string;
  readonly interest: string;
  readonly nextFunding: number;
} {
  const stats = desk.perps.stats(contract.symbol);
  const funded = contract.kind === 'PERPETUAL';
  return {
    mark: shownMark(stats.mark),
    index: shownMark(stats.index),
    rate: funded ? shownRate(stats.fundingRate) : '',
    interest: funded ? INTEREST_RATE : '',
    nextFunding: funded ? stats.nextFundingTime : 0,
  };
}

function premiumRow(desk: FuturesDesk, contract: PerpFacts): object {
  const { mark, index, rate, interest, nextFunding } = premiumStats(desk, contract);
  return {
    symbol: contract.symbol,
    markPrice: mark,
    indexPrice: index,
    estimatedSettlePrice: index,
    // "Last" is the newest estimate of what will be paid at the next time, not what was paid.
    lastFundingRate: rate,
    interestRate: interest,
    nextFundingTime: nextFunding,
    time: desk.perps.now(),
  };
}

interface FundingPage {
  readonly startTime?: Millis;
  readonly endTime?: Millis;
  readonly limit: number;
}

function paymentRows(
  desk: FuturesDesk,
  contract: PerpFacts,
  page: FundingPage,
): { readonly fundingTime: number }[] {
  if (contract.kind !== 'PERPETUAL') return [];
  return desk.perps.fundingHistory(contract.symbol, page).map((payment) => ({
    symbol: contract.symbol,
    fundingTime: payment.time,
    fundingRate: shownRate(payment.rate),
    markPrice: shownMark(payment.mark),
  }));
}

const fundingRate: FuturesCall['prepare'] = (reader, desk) => {
  const startTime = reader.integer('startTime') as Millis | undefined;
  const endTime = reader.integer('endTime') as Millis | undefined;
  const limit = pageLimit(reader, LIMIT_DEFAULT, LIMIT_MAX);
  const page = {
    limit,
    ...(startTime === undefined ? {} : { startTime }),
    ...(endTime === undefined ? {} : { endTime }),
  };
  const one = reader.has('symbol') ? reader.market(desk.perps.contracts) : undefined;
  return {
    weight: 0,
    run: ({ address }) => {
      const wait = desk.rates.fundingRefusal(address, desk.perps.now());
      if (wait !== undefined) return refused(wait);
      const contracts = [...desk.perps.contracts.values()];
      const asked = one === undefined ? contracts : contracts.filter(({ symbol }) => symbol === one.symbol);
      const rows = asked
        .flatMap((contract) => paymentRows(desk, contract, page))
        .sort((left, right) => left.fundingTime - right.fundingTime);
      // As with every page: from a start the oldest, otherwise the newest.
      return ok(startTime === undefined ? rows.slice(-limit) : rows.slice(0, limit));
    },
  };
};

const fundingInfo: FuturesCall['prepare'] = (_, desk) => ({
  weight: 0,
  run: ({ address }) => {
    const wait = desk.rates.fundingRefusal(address, desk.perps.now());
    if (wait !== undefined) return refused(wait);
    const perpetuals = [...desk.perps.contracts.values()].filter(({ kind }) => kind === 'PERPETUAL');
    return ok(
      perpetuals.map(({ symbol, fundingEveryMillis }) => ({
        symbol,
        adjustedFundingRateCap: RATE_CAP,
        adjustedFundingRateFloor: `-${RATE_CAP}`,
        fundingIntervalHours: Math.round(fundingEveryMillis / HOUR_MILLIS),
        disclaimer: false,
      })),
    );
  },
});

/** Mark, index, funding and open interest. */
export const FUNDING_CALLS: readonly FuturesCall[] = [
  {
    name: 'fapi.premiumIndex',
    paths: ['/fapi/v1/premiumIndex'],
    prepare: (reader, desk) =>
      aboutOneOrAll(reader, desk, { one: 1, all: 10 }, (contract) => premiumRow(desk, contract)),
  },
  { name: 'fapi.fundingRate', paths: ['/fapi/v1/fundingRate'], prepare: fundingRate },
  { name: 'fapi.fundingInfo', paths: ['/fapi/v1/fundingInfo'], prepare: fundingInfo },
  {
    name: 'fapi.openInterest',
    paths: ['/fapi/v1/openInterest'],
    prepare: (reader, desk) =>
      aboutContract(reader, desk, 1, ({ symbol }) =>
        ok({
          openInterest: desk.format.of(symbol).shownSize(desk.perps.stats(symbol).openInterest),
          symbol,
          time: desk.perps.now(),
        }),
      ),
  },
];

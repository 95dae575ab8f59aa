import {
  type Amount,
  ceilTo,
  divDown,
  floorTo,
  formatAmount,
  type Millis,
  mulDown,
  plus,
  refused,
  toNumberForDisplay,
} from '@crossbook/domain';
import type { Desk } from '../desk.ts';
import { type Answer, type Endpoint, publicEndpoint, rows, rowsUnlessRefused } from '../endpoint.ts';
import { cannotBeEmpty, ERRORS, parameterError } from '../errors.ts';
import { formatFloat } from '../format.ts';
import type { Listed } from '../listing.ts';
import { answerForChosen, chosen, contractOf, readChoice } from '../market/instruments.ts';
import type { ParamReader } from '../params.ts';

const RATE_DECIMALS = 16;
const NONE = 0n as Amount;
/** Bounds of the funding rate that OKX states for large contracts. */
const FUNDING_RATE_MAX = '0.00375';
const FUNDING_PAGE_MAX = 400;
const FUNDING_PAGE_DEFAULT = 400;
/** Payments looked through for a page. */
const PAYMENTS_SEARCHED_MAX = 1_000;

/** Mark price of a contract; spot has one too, under the name of its margin pair, which is not simulated. */
export function markPriceRow(desk: Desk, listed: Listed): object | undefined {
  if (listed.contract === undefined) return undefined;
  const { mark } = desk.venue.perps.stats(listed.instId);
  return {
    instType: listed.instType,
    instId: listed.instId,
    markPx: listed.format.displayPrice(mark),
    ts: String(desk.now()),
  };
}

/** What will be paid next, at `fundingTime`; only perpetuals pay. */
export function fundingRow(desk: Desk, listed: Listed): object | undefined {
  if (listed.contract?.kind !== 'PERPETUAL') return undefined;
  const stats = desk.venue.perps.stats(listed.instId);
  const { fundingEveryMillis } = listed.contract;
  const rate = (value: number) => formatFloat(value, RATE_DECIMALS);
  return {
    formulaType: 'withRate',
    fundingRate: rate(stats.fundingRate),
    fundingTime: String(stats.nextFundingTime),
    impactValue: '20000',
    instId: listed.instId,
    instType: 'SWAP',
    interestRate: '0.0001',
    maxFundingRate: FUNDING_RATE_MAX,
    method: 'current_period',
    minFundingRate: `-${FUNDING_RATE_MAX}`,
    nextFundingRate: '',
    nextFundingTime: String(stats.nextFundingTime + fundingEveryMillis),
    premium: rate(stats.index === 0 ? 0 : stats.mark / stats.index - 1),
    prevFundingTime: String(stats.nextFundingTime - fundingEveryMillis),
    settFundingRate: rate(stats.lastFundingRate),
    settState: 'settled',
    ts: String(desk.now()),
  };
}

/** Open interest: `oi` in contracts, `oiCcy` in coins, `oiUsd` in dollars. */
export function openInterestRow(desk: Desk, listed: Listed): object | undefined {
  if (listed.contract === undefined) return undefined;
  const { openInterest, mark } = desk.venue.perps.stats(listed.instId);
  const coins = openInterest * toNumberForDisplay(listed.contract.contractValue);
  return {
    instId: listed.instId,
    instType: listed.instType,
    oi: formatFloat(openInterest),
    oiCcy: formatFloat(coins),
    oiUsd: formatFloat(coins * mark),
    ts: String(desk.now()),
  };
}

function fundingRates(desk: Desk, reader: ParamReader): Answer {
  if (reader.text('instId') === 'ANY') {
    const all = desk.listing.ofType('SWAP').map((listed) => fundingRow(desk, listed));
    return rows(all.filter((row) => row !== undefined));
  }
  const listed = contractOf(desk, reader);
  if (listed?.instType === 'FUTURES') reader.refuse(ERRORS.otherType);
  return rowsUnlessRefused(reader, () => (listed === undefined ? [] : [fundingRow(desk, listed)]));
}

/** Newest first; `after` asks for older payments, `before` for newer ones. */
function fundingHistory(desk: Desk, reader: ParamReader): Answer {
  const listed = contractOf(desk, reader);
  const after = reader.time('after');
  const before = reader.time('before');
  const limit = reader.limit(FUNDING_PAGE_MAX, FUNDING_PAGE_DEFAULT);
  if (listed?.instType === 'FUTURES') reader.refuse(ERRORS.otherType);
  return rowsUnlessRefused(reader, () => {
    if (listed === undefined || after === 0) return [];
    const page = {
      limit: before === undefined ? limit : PAYMENTS_SEARCHED_MAX,
      ...(after === undefined ? {} : { endTime: (after - 1) as Millis }),
    };
    const payments = desk.venue.perps
      .fundingHistory(listed.instId, page)
      .filter((payment) => payment.time > (before ?? -1));
    return payments
      .slice(-limit)
      .reverse()
      .map((payment) => ({
        formulaType: 'withRate',
        fundingRate: formatFloat(payment.rate, RATE_DECIMALS),
        fundingTime: String(payment.time),
        instId: listed.instId,
        instType: 'SWAP',
        method: 'current_period',
        realizedRate: formatFloat(payment.rate, RATE_DECIMALS),
      }));
  });
}

/** The whole leverage table of a family. */
function positionTiers(desk: Desk, reader: ParamReader): Answer {
  const choice = readChoice(desk, reader);
  reader.requiredChoice('tdMode', ['cross', 'isolated']);
  const tier = reader.integer('tier', 1);
  if (choice.instType === 'SPOT') reader.refuse(parameterError('instType'));
  if (choice.family === undefined && choice.instId === undefined) reader.refuse(cannotBeEmpty('instFamily'));
  if (reader.refusal !== undefined) return refused(reader.refusal);
  const listed = chosen(desk, choice);
  if (listed === undefined) return refused(ERRORS.noInstrument);
  return rows(listed.flatMap(tiersOf).filter((row) => tier === undefined || row.tier === String(tier)));
}

/** Sizes count contracts; a tier begins a lot above the one before. */
function tiersOf(listed: Listed): readonly { readonly tier: string }[] {
  const { contract } = listed;
  if (contract === undefined) return [];
  return contract.tiers.map(({ tier, floor, cap, maintenanceRate, initialRate, maxLeverage }) => ({
    baseMaxLoan: '',
    imr: formatAmount(initialRate),
    instFamily: listed.index,
    instId: '',
    maxLever: String(maxLeverage),
    maxSz: formatAmount(cap),
    minSz: formatAmount(tier === 1 ? floor : plus(floor, contract.lotSize)),
    mmr: formatAmount(maintenanceRate),
    optMgnFactor: '0',
    quoteMaxLoan: '',
    tier: String(tier),
    uly: listed.index,
  }));
}

/** How many contracts so many coins (or dollars) are, cut to a lot as an order that opens is, or rounded up; and the reverse. */
function convert(desk: Desk, reader: ParamReader): Answer {
  const type = reader.choice('type', ['1', '2']) ?? '1';
  const unit = reader.choice('unit', ['coin', 'usds']) ?? 'coin';
  const opens = (reader.choice('opType', ['open', 'close']) ?? 'close') === 'open';
  const listed = contractOf(desk, reader);
  const size = reader.decimal('sz');
  const px = reader.decimal('px');
  if (!reader.has('sz')) reader.refuse(cannotBeEmpty('sz'));
  if (unit === 'usds' && !reader.has('px')) reader.refuse(cannotBeEmpty('px'));
  if (listed?.contract === undefined) reader.refuse(ERRORS.noInstrument);
  const { contractValue, lotSize } = listed?.contract ?? { contractValue: NONE, lotSize: NONE };
  const perContract = unit === 'coin' ? contractValue : mulDown(contractValue, px ?? NONE);
  if (perContract === 0n) reader.refuse(parameterError('px'));
  return rowsUnlessRefused(reader, () => {
    if (listed === undefined || size === undefined) return [];
    const counted = divDown(size, perContract);
    const cut = opens ? floorTo(counted, lotSize) : ceilTo(counted, lotSize);
    const sz = formatAmount(type === '1' ? cut : mulDown(size, perContract));
    return [{ type, instId: listed.instId, px: px === undefined ? '' : formatAmount(px), sz, unit }];
  });
}

/** What is public of contracts alone: mark, funding, open interest, tiers. */
export const CONTRACT_ENDPOINTS: readonly Endpoint[] = [
  publicEndpoint('markPrice GET /api/v5/public/mark-price', 10, (call) =>
    answerForChosen(call.desk, call.reader, (listed) => markPriceRow(call.desk, listed)),
  ),
  publicEndpoint('openInterest GET /api/v5/public/open-interest', 20, ({ desk, reader }) =>
    answerForChosen(desk, reader, (listed) => openInterestRow(desk, listed)),
  ),
  publicEndpoint('fundingRate GET /api/v5/public/funding-rate', 10, ({ desk, reader }) =>
    fundingRates(desk, reader),
  ),
  publicEndpoint('fundingRate.history GET /api/v5/public/funding-rate-history', 10, ({ desk, reader }) =>
    fundingHistory(desk, reader),
  ),
  publicEndpoint('convert GET /api/v5/public/convert-contract-coin', 10, ({ desk, reader }) =>
    convert(desk, reader),
  ),
  publicEndpoint('positionTiers GET /api/v5/public/position-tiers', 10, ({ desk, reader }) =>
    positionTiers(desk, reader),
  ),
];

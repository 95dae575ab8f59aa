import { formatAmountFixed, ok } from '@crossbook/domain';
import type { PerpFacts } from '../../../../venue.ts';
import { aboutContract, aboutOneOrAll, type FuturesCall, type FuturesDesk } from '../desk.ts';

/** The insurance fund, and whether deleveraging is near (USD-M market data, 2026-07). One fund stands behind all contracts. */

const DECIMALS = 8;

/** The fund alone calls for deleveraging here: when it is empty. */
function riskRow(desk: FuturesDesk, { symbol }: PerpFacts): object {
  const adlRisk = desk.perps.insuranceFund() > 0n ? 'low' : 'high';
  return { symbol, adlRisk, updateTime: desk.perps.now() };
}

function fundRow(desk: FuturesDesk): object {
  const traded = [...desk.perps.contracts.values()].filter(
    ({ kind, settle }) => kind === 'PERPETUAL' && settle === 'USDT',
  );
  const marginBalance = formatAmountFixed(desk.perps.insuranceFund(), DECIMALS);
  return {
    symbols: traded.map(({ symbol }) => symbol),
    assets: [{ asset: 'USDT', marginBalance, updateTime: desk.perps.now() }],
  };
}

/** What everybody may know of forced closes to come. */
export const INSURANCE_CALLS: readonly FuturesCall[] = [
  {
    name: 'fapi.symbolAdlRisk',
    paths: ['/fapi/v1/symbolAdlRisk'],
    prepare: (reader, desk) =>
      aboutOneOrAll(reader, desk, { one: 1, all: 1 }, (contract) => riskRow(desk, contract)),
  },
  {
    name: 'fapi.insuranceBalance',
    paths: ['/fapi/v1/insuranceBalance'],
    prepare: (reader, desk) =>
      reader.has('symbol')
        ? aboutContract(reader, desk, 1, () => ok(fundRow(desk)))
        : { weight: 1, run: () => ok([fundRow(desk)]) },
  },
];

import { CANDLE_INTERVALS, type CandleInterval, type Millis, nextCandleOpen, ok } from '@crossbook/domain';
import type { SimCandle } from '../../../../exchange.ts';
import type { PerpFacts } from '../../../../venue.ts';
import { premiumBar } from '../../../wire/premium-bars.ts';
import type { Prepared } from '../../endpoint.ts';
import { ERRORS, invalidData } from '../../errors.ts';
import type { ParamReader } from '../../params.ts';
import { klineRow } from '../../streams/market-streams.ts';
import { type FuturesCall, type FuturesDesk, namedContract, pageLimit } from '../desk.ts';
import { shownRate } from '../format.ts';
import { contractTypeOf, pairOf } from './exchange-info.ts';

const LIMIT_DEFAULT = 500;
const LIMIT_MAX = 1500;

/** Futures have no one-second bars. */
export const FUTURES_INTERVALS: readonly CandleInterval[] = CANDLE_INTERVALS.filter(
  (interval) => interval !== '1s',
);

type KlineRow = readonly (number | string)[];
/** Makes the writer of a contract's rows. */
type RowWriter = (
  desk: FuturesDesk,
  contract: PerpFacts,
) => (bar: SimCandle, interval: CandleInterval) => KlineRow;

const tradeRow: RowWriter = (desk, { symbol }) => {
  const format = desk.format.of(symbol);
  return (bar, interval) => klineRow(bar, interval, format);
};

/** A bar of what is not traded has no volume. */
function withoutVolume(bar: SimCandle, interval: CandleInterval, prices: readonly string[]): KlineRow {
  const close = nextCandleOpen(bar.time, interval) - 1;
  return [bar.time, ...prices, '0', close, '0', bar.trades, '0', '0', '0'];
}

/** The history of mark and index is not simulated: the bars are those of the trades. */
const priceRow: RowWriter = (desk, { symbol }) => {
  const format = desk.format.of(symbol);
  return (bar, interval) =>
    withoutVolume(bar, interval, [bar.open, bar.high, bar.low, bar.close].map(format.shownPrice));
};

/** How far the fair price stood above the index. */
const premiumRow: RowWriter = (desk, { symbol }) => {
  const premium = (time: Millis) => desk.story.premium(symbol, time);
  const now = desk.perps.now();
  return (bar, interval) => {
    const { open, high, low, close } = premiumBar(premium, { time: bar.time, interval, now });
    return withoutVolume(bar, interval, [open, high, low, close].map(shownRate));
  };
};

function klinesWeight(limit: number): number {
  if (limit < 100) return 1;
  if (limit < 500) return 2;
  return limit <= 1000 ? 5 : 10;
}

/** Which contract a call means, by its own parameter. */
type ContractReader = (reader: ParamReader, desk: FuturesDesk) => PerpFacts | undefined;

const KINDS = ['PERPETUAL', 'CURRENT_QUARTER', 'NEXT_QUARTER'] as const;

function contractOfPair(kindParameter: boolean): ContractReader {
  return (reader, desk) => {
    const pair = reader.requiredText('pair');
    if (kindParameter) reader.requiredText('contractType');
    const kind = kindParameter
      ? reader.choice('contractType', KINDS, invalidData('contractType'))
      : 'PERPETUAL';
    const now = desk.perps.now();
    const found = [...desk.perps.contracts.values()].find(
      (contract) => pairOf(contract) === pair && contractTypeOf(contract, now) === kind,
    );
    if (found === undefined) reader.refuse(ERRORS.badSymbol);
    return found;
  };
}

function klines(which: ContractReader, row: RowWriter): FuturesCall['prepare'] {
  return (reader, desk): Prepared => {
    const contract = which(reader, desk);
    reader.requiredText('interval');
    const interval = reader.choice('interval', FUTURES_INTERVALS, ERRORS.badInterval);
    const startTime = reader.integer('startTime') as Millis | undefined;
    const endTime = reader.integer('endTime') as Millis | undefined;
    const limit = pageLimit(reader, LIMIT_DEFAULT, LIMIT_MAX);
    return {
      weight: klinesWeight(limit),
      run: () => {
        if (contract === undefined || interval === undefined) return { ok: false, code: ERRORS.badSymbol };
        const page = {
          limit,
          ...(startTime === undefined ? {} : { startTime }),
          ...(endTime === undefined ? {} : { endTime }),
        };
        const write = row(desk, contract);
        return ok(desk.perps.candles(contract.symbol, interval, page).map((bar) => write(bar, interval)));
      },
    };
  };
}

/** Bars of trades, of a pair's contract, of mark, index and premium. */
export const KLINE_CALLS: readonly FuturesCall[] = [
  { name: 'fapi.klines', paths: ['/fapi/v1/klines'], prepare: klines(namedContract, tradeRow) },
  {
    name: 'fapi.continuousKlines',
    paths: ['/fapi/v1/continuousKlines'],
    prepare: klines(contractOfPair(true), tradeRow),
  },
  {
    name: 'fapi.markPriceKlines',
    paths: ['/fapi/v1/markPriceKlines'],
    prepare: klines(namedContract, priceRow),
  },
  {
    name: 'fapi.indexPriceKlines',
    paths: ['/fapi/v1/indexPriceKlines'],
    prepare: klines(contractOfPair(false), priceRow),
  },
  {
    name: 'fapi.premiumIndexKlines',
    paths: ['/fapi/v1/premiumIndexKlines'],
    prepare: klines(namedContract, premiumRow),
  },
];

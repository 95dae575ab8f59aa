import type { Result } from '@crossbook/domain';
import type { MarketDataFailure, VenuePublicRest } from './venue-public.ts';

/** A read of public data, by its name. */
export type PublicCall = keyof VenuePublicRest;

/** A public read that gave nothing. */
export interface FailedRead {
  readonly call: PublicCall;
  readonly failure: MarketDataFailure;
}

/**
 * The same reader, which tells of reads that give nothing (spec section 8): of each call the first of a row, so that a
 * list that is asked for every second is told of once, and again after it has worked.
 * @param failing the calls that have been told of; handed in where readers come and go.
 */
export function tellingFailures(
  rest: VenuePublicRest,
  tell: (read: FailedRead) => void,
  failing = new Set<PublicCall>(),
): VenuePublicRest {
  const hear =
    <Args extends readonly unknown[], Value>(
      call: PublicCall,
      read: (...args: Args) => Promise<Result<Value, MarketDataFailure>>,
    ) =>
    async (...args: Args): Promise<Result<Value, MarketDataFailure>> => {
      const answer = await read(...args);
      if (answer.ok) failing.delete(call);
      else if (!failing.has(call)) {
        failing.add(call);
        tell({ call, failure: answer.code });
      }
      return answer;
    };
  return {
    serverTime: hear('serverTime', () => rest.serverTime()),
    instruments: hear('instruments', (...asked: Parameters<VenuePublicRest['instruments']>) =>
      rest.instruments(...asked),
    ),
    tickers: hear('tickers', (symbolType) => rest.tickers(symbolType)),
    ticker: hear('ticker', (instrument) => rest.ticker(instrument)),
    depth: hear('depth', (instrument, limit) => rest.depth(instrument, limit)),
    candles: hear('candles', (instrument, interval, page) => rest.candles(instrument, interval, page)),
    trades: hear('trades', (instrument, limit) => rest.trades(instrument, limit)),
    openInterest: hear('openInterest', (instruments) => rest.openInterest(instruments)),
  };
}

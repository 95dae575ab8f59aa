import { amount, type Platform, type SymbolType } from '@crossbook/domain';
import type { ListedInstrument } from '../market/instruments.ts';
import type { MarketRow } from './market-rows.ts';
import type { TickerRow } from './tickers.ts';

/** A listed instrument in its venue's spelling. */
export function sampleInstrument(
  base: string,
  platform: Platform = 1,
  symbolType: SymbolType = 'SPOT',
): ListedInstrument {
  const dashed = symbolType === 'SPOT' ? `${base}-USDT` : `${base}-USDT-SWAP`;
  return {
    platform,
    symbolType,
    symbol: platform === 2 ? dashed : `${base}USDT`,
    base,
    quote: 'USDT',
    tickSize: amount('0.01'),
    lotSize: amount('0.001'),
    minPrice: amount('0.01'),
    maxPrice: amount('1000000'),
    minQty: amount('0.001'),
    maxQty: amount('9000'),
    maxMarketQty: amount('100'),
    minNotional: amount('5'),
    contractValue: amount('1'),
    family: 'X',
    maxLeverage: 1,
    status: 'trading',
    makerFee: amount('0.001'),
    takerFee: amount('0.001'),
  };
}

/** A ticker with the named figures; the others are 1. */
export function sampleTicker(stats: Partial<TickerRow> = {}): TickerRow {
  const ones = {
    last: '1',
    change: '1',
    open: '1',
    high: '1',
    low: '1',
    volume: '1',
    quoteVolume: '1',
    t: 1,
  };
  return { ...ones, direction: 'none', ...stats };
}

/** A row with its figures, or one whose figures are not there. */
export function sampleRow(instrument: ListedInstrument, stats?: Partial<TickerRow>): MarketRow {
  return { instrument, ticker: stats && sampleTicker(stats) };
}

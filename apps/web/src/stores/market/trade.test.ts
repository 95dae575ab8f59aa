import { amount, type Platform, type SymbolType } from '@crossbook/domain';
import { expect, test } from 'vitest';
import type { ListedInstrument } from './instruments.ts';
import { tradeOf } from './trade.ts';

const one = amount('1');

function instrument(platform: Platform, symbolType: SymbolType, contractValue: string): ListedInstrument {
  return {
    ...{ platform, symbolType, symbol: 'X', base: 'BTC', quote: 'USDT', family: 'X', status: 'trading' },
    ...{ tickSize: amount('0.000001'), lotSize: amount('0.5'), minPrice: one, maxPrice: one, minQty: one },
    ...{ maxQty: one, maxMarketQty: one, minNotional: one, contractValue: amount(contractValue) },
    ...{ maxLeverage: 1, makerFee: one, takerFee: one },
  };
}

// 4.000001 × 12 is the example in Binance's documents: quoteQty 48.000012.
test.each([
  [1, 'SPOT', '1', '12', '48.000012'],
  [1, 'SWAP', '1', '12', '48.000012'],
  [2, 'SPOT', '1', '12', '48.000012'],
  [2, 'SWAP', '0.01', '0.12', '0.48000012'],
  [3, 'SPOT', '1', '12', '48.000012'],
  [3, 'SWAP', '1', '12', '48.000012'],
] as const)(
  'a trade of platform %i, %s, with %s coins a contract has the names of the specification',
  (...row) => {
    const [platform, symbolType, contractValue, size, quoteQty] = row;
    const trade = { id: '28457', price: 4_000_001, size: 24, side: 'sell', time: 1_499_865_549_590 } as const;
    expect(tradeOf(trade, instrument(platform, symbolType, contractValue))).toEqual({
      id: '28457',
      price: '4.000001',
      size,
      quoteQty,
      side: 'sell',
      time: 1_499_865_549_590,
    });
  },
);

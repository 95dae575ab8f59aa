import { AMOUNT_ONE, type Amount, amount, type Instrument } from '@crossbook/domain';
import { largestCount } from '../../wire/numbers.ts';

/** BTC-USDT in the shape OKX lists it, with the steps the claims use. For tests. */
export const BTC_USDT: Instrument = {
  platform: 2,
  symbolType: 'SPOT',
  symbol: 'BTC-USDT',
  base: 'BTC',
  quote: 'USDT',
  tickSize: amount('0.01'),
  lotSize: amount('0.00001'),
  minPrice: amount('0.01'),
  maxPrice: largestCount(amount('0.01')),
  minQty: amount('0.00001'),
  maxQty: amount('9999999999'),
  maxMarketQty: amount('9999999999'),
  minNotional: amount('0'),
  contractValue: AMOUNT_ONE as Amount,
  maxLeverage: 1,
  status: 'trading',
};

/** Its perpetual, with a contract of 0.01 BTC. */
export const BTC_USDT_SWAP: Instrument = {
  ...BTC_USDT,
  symbolType: 'SWAP',
  symbol: 'BTC-USDT-SWAP',
  tickSize: amount('0.1'),
  lotSize: amount('0.01'),
  minPrice: amount('0.1'),
  minQty: amount('0.01'),
  contractValue: amount('0.01'),
  maxLeverage: 100,
};

import { AMOUNT_ONE, type Amount, amount, type Instrument } from '@crossbook/domain';

/** BTCUSDT as Binance spot lists it, for tests and claims. */
export const BTCUSDT: Instrument = {
  platform: 1,
  symbolType: 'SPOT',
  symbol: 'BTCUSDT',
  base: 'BTC',
  quote: 'USDT',
  tickSize: amount('0.01'),
  lotSize: amount('0.00001'),
  minPrice: amount('0.01'),
  maxPrice: amount('1000000'),
  minQty: amount('0.00001'),
  maxQty: amount('9000'),
  maxMarketQty: amount('120'),
  minNotional: amount('5'),
  contractValue: AMOUNT_ONE as Amount,
  maxLeverage: 1,
  status: 'trading',
};

/** The perpetual of the same name, with the same steps; its tape is another one. */
export const BTCUSDT_PERP: Instrument = { ...BTCUSDT, symbolType: 'SWAP', maxLeverage: 5 };

/** A second instrument with other steps, so that no test passes by assuming BTCUSDT's. */
export const SHIBUSDT: Instrument = {
  ...BTCUSDT,
  symbol: 'SHIBUSDT',
  base: 'SHIB',
  tickSize: amount('0.00000001'),
  lotSize: amount('1'),
  minPrice: amount('0.00000001'),
  maxPrice: amount('1'),
  minQty: amount('1'),
  maxQty: amount('46116860414'),
  maxMarketQty: amount('9000000000'),
};

import { amount } from '../amount.ts';
import type { Instrument } from '../instrument.ts';
import { ORDER_TYPE, TIME_IN_FORCE } from '../order.ts';
import type { OrderMarket, SpotOrderOffer } from './order-request.ts';

/** BTC at a tenth of a dollar's step, roomy bounds. */
export const BTCUSDT: Instrument = {
  ...{ platform: 1, symbolType: 'SPOT', symbol: 'BTCUSDT', base: 'BTC', quote: 'USDT' },
  ...{
    tickSize: amount('0.1'),
    lotSize: amount('0.001'),
    minPrice: amount('1'),
    maxPrice: amount('1000000'),
  },
  ...{ minQty: amount('0.001'), maxQty: amount('1000'), maxMarketQty: amount('100') },
  ...{ minNotional: amount('5'), contractValue: amount('1'), maxLeverage: 1, status: 'trading' },
};

/** Everything is offered, and a market buy may go 5 % above the ask. */
export const OFFER: SpotOrderOffer = {
  orderTypes: [ORDER_TYPE.LIMIT, ORDER_TYPE.MARKET],
  timesInForce: Object.values(TIME_IN_FORCE),
  quoteStep: amount('0.00000001'),
  marketBuyBound: amount('1.05'),
};

/** A fresh market around 100. */
export const MARKET_FACTS: OrderMarket = {
  offer: OFFER,
  bestBid: amount('99'),
  bestAsk: amount('101'),
  priceStale: false,
};

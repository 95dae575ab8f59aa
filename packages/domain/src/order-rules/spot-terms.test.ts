import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Amount, amount } from '../amount.ts';
import { ORDER_TYPE, SIDE, TIME_IN_FORCE } from '../order.ts';
import { BTCUSDT, MARKET_FACTS, OFFER } from './btcusdt.fixture.ts';
import type { OrderMarket, OrderRequest } from './order-request.ts';
import { largestSpotQuantity, spotTerms } from './spot-terms.ts';

const { LIMIT, MARKET } = ORDER_TYPE;
const { GTC, IOC, POST_ONLY } = TIME_IN_FORCE;
const BASE: OrderRequest = { instrument: BTCUSDT, side: SIDE.BUY, type: LIMIT, timeInForce: GTC };
const asSent = { sendType: LIMIT, sendTimeInForce: GTC };

describe('what an order holds and how it is sent', () => {
  test.each<[string, Partial<OrderRequest>, string | undefined, object]>([
    [
      'a limit buy holds price times quantity',
      { price: amount('100.1'), quantity: amount('0.5') },
      undefined,
      { ...asSent, sendPrice: amount('100.1'), holdAsset: 'USDT', holdAmount: amount('50.05') },
    ],
    [
      'post-only goes out as it is',
      { price: amount('100'), quantity: amount('1'), timeInForce: POST_ONLY },
      undefined,
      {
        sendType: LIMIT,
        sendTimeInForce: POST_ONLY,
        sendPrice: amount('100'),
        holdAsset: 'USDT',
        holdAmount: amount('100'),
      },
    ],
    [
      'a limit sell holds the quantity',
      { side: SIDE.SELL, price: amount('100'), quantity: amount('0.5') },
      undefined,
      { ...asSent, sendPrice: amount('100'), holdAsset: 'BTC', holdAmount: amount('0.5') },
    ],
    [
      'a market sell holds the quantity and has no price',
      { side: SIDE.SELL, type: MARKET, quantity: amount('0.5') },
      undefined,
      { sendType: MARKET, sendTimeInForce: GTC, holdAsset: 'BTC', holdAmount: amount('0.5') },
    ],
    [
      'a market buy by amount holds the amount',
      { type: MARKET, quoteQuantity: amount('250') },
      undefined,
      { sendType: MARKET, sendTimeInForce: GTC, holdAsset: 'USDT', holdAmount: amount('250') },
    ],
    [
      'a market buy by quantity goes out as an IOC limit 5 % above the ask, floored to a tick, and holds that',
      { type: MARKET, quantity: amount('2') },
      '100.3',
      {
        sendType: LIMIT,
        sendTimeInForce: IOC,
        sendPrice: amount('105.3'),
        holdAsset: 'USDT',
        holdAmount: amount('210.6'),
      },
    ],
    [
      'its bound never passes the highest price of the instrument',
      { type: MARKET, quantity: amount('0.001') },
      '999999',
      {
        sendType: LIMIT,
        sendTimeInForce: IOC,
        sendPrice: amount('1000000'),
        holdAsset: 'USDT',
        holdAmount: amount('1000'),
      },
    ],
  ])('%s', (_name, part, ask, expected) => {
    const bestAsk = ask === undefined ? undefined : amount(ask);
    expect(spotTerms({ ...BASE, ...part }, { ...MARKET_FACTS, bestAsk })).toStrictEqual(expected);
  });

  test("how far above the ask is the venue's own", () => {
    const narrow: OrderMarket = { ...MARKET_FACTS, bestAsk: amount('100.3') };
    const terms = spotTerms(
      { ...BASE, type: MARKET, quantity: amount('2') },
      { ...narrow, offer: { ...OFFER, marketBuyBound: amount('1.01') } },
    );
    expect(terms).toMatchObject({ sendPrice: amount('101.3'), holdAmount: amount('202.6') });
  });

  test.each<[string, Partial<OrderRequest>]>([
    ['a market buy by quantity without a price to go by', { type: MARKET, quantity: amount('1') }],
    ['a buy of nothing', { price: amount('1') }],
    ['a limit buy without a price', { quantity: amount('1') }],
    ['a sell of nothing', { side: SIDE.SELL, price: amount('1') }],
  ])('%s has no terms', (_name, part) => {
    expect(spotTerms({ ...BASE, ...part }, { ...MARKET_FACTS, bestAsk: undefined })).toBeUndefined();
  });

  test('a buy that fills at its limit or better never costs more than was held, to the last unit', () => {
    const ticks = fc.bigInt({ min: 1n, max: 10_000_000n });
    const lots = fc.array(fc.bigInt({ min: 1n, max: 1_000n }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(ticks, lots, fc.bigInt({ min: 0n, max: 100n }), (tick, parts, better) => {
        const price = (tick * BTCUSDT.tickSize) as Amount;
        const quantity = parts.reduce((sum, lot) => sum + lot * BTCUSDT.lotSize, 0n) as Amount;
        const terms = spotTerms({ ...BASE, price, quantity }, MARKET_FACTS);
        const paid = tick > better ? price - better * BTCUSDT.tickSize : price;
        const cost = parts.reduce((sum, lot) => sum + (paid * lot * BTCUSDT.lotSize) / 10n ** 18n, 0n);
        expect(cost).toBeLessThanOrEqual(terms?.holdAmount ?? 0n);
      }),
    );
  });
});

describe('the largest quantity', () => {
  const most = (part: Partial<OrderRequest>, available: string) =>
    largestSpotQuantity({ ...BASE, ...part }, MARKET_FACTS, amount(available));

  test.each<[string, Partial<OrderRequest>, string, string]>([
    ['of a limit buy is what its price buys, in whole lots', { price: amount('3') }, '10', '3.333'],
    ['of a sell is what is there, in whole lots', { side: SIDE.SELL }, '0.12345', '0.123'],
    ['of a market buy is what its bound buys', { type: MARKET }, '10605', '100'],
    ['never passes the bound of a limit order', { price: amount('1') }, '999999', '1000'],
    ['never passes the bound of a market order', { type: MARKET, side: SIDE.SELL }, '999', '100'],
    ['is nothing where a lot cannot be paid', { price: amount('1000000') }, '999', '0'],
  ])('%s', (_name, part, available, expected) => {
    expect(most(part, available)).toBe(amount(expected));
  });

  test('is not known without a price to go by', () => {
    expect(most({}, '1')).toBeUndefined();
    expect(most({ price: amount('0') }, '1')).toBeUndefined();
    const nobody = { ...MARKET_FACTS, bestAsk: undefined };
    expect(largestSpotQuantity({ ...BASE, type: MARKET }, nobody, amount('1'))).toBeUndefined();
  });

  test('holds no more than is available, and one lot more holds more: the terms and it are inverse', () => {
    const units = fc.bigInt({ min: 0n, max: 10n ** 25n });
    const ticks = fc.bigInt({ min: 10n, max: 10_000_000n });
    const orders = fc.constantFrom(
      { side: SIDE.BUY, type: LIMIT },
      { side: SIDE.BUY, type: MARKET },
      { side: SIDE.SELL, type: LIMIT },
    );
    fc.assert(
      fc.property(units, ticks, orders, (free, tick, order) => {
        const available = free as Amount;
        const price = (tick * BTCUSDT.tickSize) as Amount;
        const market = { ...MARKET_FACTS, bestAsk: price };
        const roomy = { ...BTCUSDT, maxQty: amount('1000000000'), maxMarketQty: amount('1000000000') };
        const request = { ...BASE, ...order, instrument: roomy, ...(order.type === LIMIT ? { price } : {}) };
        const quantity = largestSpotQuantity(request, market, available) as Amount;
        const holdOf = (size: bigint) =>
          spotTerms({ ...request, quantity: size as Amount }, market)?.holdAmount ?? 0n;
        expect(quantity % BTCUSDT.lotSize).toBe(0n);
        expect(holdOf(quantity)).toBeLessThanOrEqual(available);
        expect(holdOf(quantity + BTCUSDT.lotSize)).toBeGreaterThan(available);
      }),
    );
  });
});

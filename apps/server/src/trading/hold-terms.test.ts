import { type Amount, amount, ORDER_TYPE, type OrderId, SIDE, TIME_IN_FORCE } from '@crossbook/domain';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { orderTerms } from './hold-terms.ts';
import type { OrderDraft } from './order.ts';
import { BTCUSDT, CALLER } from './trading-world.fixture.ts';

const { LIMIT, MARKET } = ORDER_TYPE;
const { GTC, IOC, POST_ONLY } = TIME_IN_FORCE;
const BASE: OrderDraft = {
  id: '01890000-0000-7000-8000-000000000001' as OrderId,
  user: CALLER.user,
  instrument: BTCUSDT,
  side: SIDE.BUY,
  type: LIMIT,
  timeInForce: GTC,
  payloadHash: '',
  createdAt: CALLER.now,
};
const asSent = { sendType: LIMIT, sendTimeInForce: GTC };

describe('what an order holds and how it is sent', () => {
  test.each<[string, Partial<OrderDraft>, string | undefined, object]>([
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
      { sendType: LIMIT, sendTimeInForce: POST_ONLY, sendPrice: amount('100'), holdAmount: amount('100') },
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
    ...([2, 3] as const).map((platform): [string, Partial<OrderDraft>, string, object] => [
      `at platform ${platform}, whose price band is narrow, it goes 1 % above the ask`,
      { type: MARKET, quantity: amount('2'), instrument: { ...BTCUSDT, platform } },
      '100.3',
      { sendType: LIMIT, sendTimeInForce: IOC, sendPrice: amount('101.3'), holdAmount: amount('202.6') },
    ]),
    [
      'its bound never passes the highest price of the instrument',
      { type: MARKET, quantity: amount('0.001') },
      '999999',
      { sendPrice: amount('1000000'), holdAmount: amount('1000') },
    ],
  ])('%s', (_name, part, ask, expected) => {
    const bestAsk = ask === undefined ? undefined : amount(ask);
    expect(orderTerms({ ...BASE, ...part }, bestAsk)).toMatchObject(expected);
  });

  test.each<[string, Partial<OrderDraft>]>([
    ['a market buy by quantity without a price to go by', { type: MARKET, quantity: amount('1') }],
    ['a buy of nothing', { price: amount('1') }],
    ['a sell of nothing', { side: SIDE.SELL, price: amount('1') }],
  ])('%s has no terms', (_name, part) => {
    expect(orderTerms({ ...BASE, ...part }, undefined)).toBeUndefined();
  });

  test('a buy that fills at its limit or better never costs more than was held, to the last unit', () => {
    const ticks = fc.bigInt({ min: 1n, max: 10_000_000n });
    const lots = fc.array(fc.bigInt({ min: 1n, max: 1_000n }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(ticks, lots, fc.bigInt({ min: 0n, max: 100n }), (tick, parts, better) => {
        const price = (tick * BTCUSDT.tickSize) as Amount;
        const quantity = parts.reduce((sum, lot) => sum + lot * BTCUSDT.lotSize, 0n) as Amount;
        const terms = orderTerms({ ...BASE, price, quantity }, undefined);
        const paid = tick > better ? price - better * BTCUSDT.tickSize : price;
        const cost = parts.reduce((sum, lot) => sum + (paid * lot * BTCUSDT.lotSize) / 10n ** 18n, 0n);
        expect(cost).toBeLessThanOrEqual(terms?.holdAmount ?? 0n);
      }),
    );
  });
});

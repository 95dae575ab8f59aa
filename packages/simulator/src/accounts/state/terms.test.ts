import { amount, type Lots, type Ticks } from '@crossbook/domain';
import { expect, test } from 'vitest';
import { quietFacts } from '../quiet-market.fixture.ts';
import { moneyOfFill, termsOf } from './terms.ts';

test('a fee finer than eight decimals is rounded up, and never more than what arrives', () => {
  const sold = { side: 'SELL', price: 10_001 as Ticks, quantity: 11 as Lots, maker: false } as const;
  const fine = termsOf(quietFacts('AAA', 'USDT', { takerFee: amount('0.00075') }));
  // 1.10011 at 7.5 basis points is 0.0008250825.
  expect(moneyOfFill(fine, sold)).toMatchObject({
    quoteQuantity: amount('1.10011'),
    fee: amount('0.00082509'),
  });
  const dust = termsOf(
    quietFacts('AAA', 'USDT', { tickSize: amount('0.0000000001'), maxPrice: amount('0.1') }),
  );
  const money = moneyOfFill(dust, { ...sold, price: 1 as Ticks, quantity: 1 as Lots });
  expect(money.fee).toBe(money.receives.amount);
});

test.each([
  [
    'a tick times a lot finer than 1e-18',
    { tickSize: amount('0.000000000001'), lotSize: amount('0.0000001') },
  ],
  ['a highest price of 2^31 ticks', { tickSize: amount('0.000001'), maxPrice: amount('2147.483648') }],
])('a market with %s is refused at start', (_, changes) => {
  expect(() => termsOf(quietFacts('AAA', 'USDT', changes))).toThrow('invariant broken: AAAUSDT');
});

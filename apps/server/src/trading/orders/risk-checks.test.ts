import { ERRORS } from '@crossbook/contract';
import {
  amount,
  type Millis,
  ORDER_TYPE,
  type OrderId,
  PRICE_AGE_MILLIS_MAX,
  SIDE,
  TIME_IN_FORCE,
} from '@crossbook/domain';
import { describe, expect, test } from 'vitest';
import type { OrderDraft } from '../order.ts';
import { BTCUSDT, CALLER } from '../trading-world.fixture.ts';
import { OPEN_ORDERS_MAX, type RiskFacts, riskChecked } from './risk-checks.ts';

const { LIMIT, MARKET } = ORDER_TYPE;
const NOW = 1_000_000 as Millis;
const FRESH = { bid: amount('99'), ask: amount('101'), receivedAt: NOW };
const GOOD: OrderDraft = {
  id: '01890000-0000-7000-8000-000000000001' as OrderId,
  user: CALLER.user,
  instrument: BTCUSDT,
  side: SIDE.BUY,
  type: LIMIT,
  timeInForce: TIME_IN_FORCE.GTC,
  price: amount('100'),
  quantity: amount('1'),
  payloadHash: '',
  createdAt: NOW,
};
const { price: _price, ...PRICELESS } = GOOD;
const MARKET_BUY: OrderDraft = { ...PRICELESS, type: MARKET };
const FACTS: RiskFacts = {
  platformName: 'Bybit',
  platformState: 'live',
  halted: undefined,
  now: NOW,
  best: FRESH,
  openOrders: 0,
};
const COMBINATION = 'order-combination';

interface Wrong {
  readonly error: string;
  readonly draft?: Partial<OrderDraft>;
  readonly facts?: Partial<RiskFacts>;
  readonly field?: string;
  readonly allowed?: string;
}

/** One fault per refusal, in the order of the checks; each may be laid over the others. */
const FAULTS: readonly Wrong[] = [
  { error: 'platform-coming-soon', facts: { platformState: 'coming-soon' } },
  { error: 'trading-halted', facts: { halted: { of: 'USDT', amount: amount('1') } } },
  { error: 'symbol-halted', draft: { instrument: { ...BTCUSDT, status: 'halted' } } },
  { error: COMBINATION, draft: { quoteQuantity: amount('1') }, allowed: 'exactly one of' },
  { error: 'price-step', draft: { price: amount('100.05') }, field: 'price', allowed: '0.1' },
  { error: 'price-range', draft: { price: amount('0.9') }, field: 'price', allowed: '1 and 1000000' },
  { error: 'quantity-step', draft: { quantity: amount('1.0005') }, field: 'quantity', allowed: '0.001' },
  {
    error: 'quantity-range',
    draft: { quantity: amount('1001') },
    field: 'quantity',
    allowed: '0.001 and 1000',
  },
  { error: 'price-stale', draft: { type: MARKET }, facts: { best: undefined } },
  { error: 'notional-too-small', draft: { quantity: amount('0.001') }, field: 'quantity', allowed: '5 USDT' },
  { error: 'too-many-open-orders', facts: { openOrders: OPEN_ORDERS_MAX }, allowed: '200' },
];

function refusalOf(draft: OrderDraft, facts: RiskFacts = FACTS) {
  const checked = riskChecked(draft, facts);
  return checked.ok ? undefined : checked.code;
}

describe('risk checks', () => {
  test('a good order passes with its terms', () => {
    const checked = riskChecked(GOOD, FACTS);
    expect(checked).toMatchObject({ ok: true, value: { holdAsset: 'USDT', holdAmount: amount('100') } });
  });

  test('the order of the checks is the order of the catalogue', () => {
    const places = FAULTS.map(({ error }) => ERRORS.findIndex((row) => row.name === error));
    expect(places).toEqual([...places].sort((left, right) => left - right));
    expect(places).not.toContain(-1);
  });

  test.each(FAULTS.filter(({ error }) => error !== 'price-stale'))('$error', (wrong) => {
    const found = refusalOf({ ...GOOD, ...wrong.draft }, { ...FACTS, ...wrong.facts });
    expect(found?.error).toBe(wrong.error);
    if (wrong.field !== undefined) expect(found?.field).toBe(wrong.field);
    if (wrong.allowed !== undefined) expect(found?.allowed).toContain(wrong.allowed);
  });

  // Every pair of faults that can stand in one order: the upper one is answered.
  const pairs = FAULTS.flatMap((upper, at) => FAULTS.slice(at + 1).map((lower) => ({ upper, lower })))
    .filter(({ upper, lower }) => {
      const both = Object.keys(upper.draft ?? {}).filter((key) => key in (lower.draft ?? {}));
      // A market order with a price is a combination fault of its own.
      return both.length === 0 && ![upper.error, lower.error].includes('price-stale');
    })
    .map(({ upper, lower }) => ({ upper, lower, name: `${upper.error} before ${lower.error}` }));
  test.each(pairs)('$name', ({ upper, lower }) => {
    const draft = { ...GOOD, ...lower.draft, ...upper.draft };
    expect(refusalOf(draft, { ...FACTS, ...lower.facts, ...upper.facts })?.error).toBe(upper.error);
  });

  test.each([
    [PRICE_AGE_MILLIS_MAX, undefined],
    [PRICE_AGE_MILLIS_MAX + 1, 'price-stale'],
  ])('a market order on a price %i ms old: %s', (age, error) => {
    const best = { ...FRESH, receivedAt: (NOW - age) as Millis };
    expect(refusalOf(MARKET_BUY, { ...FACTS, best })?.error).toBe(error);
  });

  test('a market order without any price is refused, a limit order needs none', () => {
    expect(refusalOf(MARKET_BUY, { ...FACTS, best: undefined })?.error).toBe('price-stale');
    expect(refusalOf(GOOD, { ...FACTS, best: undefined })).toBeUndefined();
  });

  test('an order worth more than the ledger can write is one that nobody has the money for', () => {
    const boundless = { ...BTCUSDT, maxPrice: amount('900000000000000'), maxQty: amount('9999999999') };
    const request = { ...GOOD, instrument: boundless, price: amount('900000000000000') };
    expect(refusalOf({ ...request, quantity: amount('9999999999') })?.error).toBe('balance-insufficient');
    expect(refusalOf({ ...request, quantity: amount('0.001') })).toBeUndefined();
  });
});

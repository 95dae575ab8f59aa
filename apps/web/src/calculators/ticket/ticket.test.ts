import { amount, formatAmount, type Instrument, ORDER_TYPE, SIDE, TIME_IN_FORCE } from '@crossbook/domain';
import { venueProfile } from '@crossbook/venues';
import { describe, expect, test } from 'vitest';
import {
  emptyTicket,
  firstOrder,
  maxSize,
  orderRequestOf,
  percentShown,
  reduce,
  summarise,
  type TicketAction,
  type TicketFacts,
  type TicketState,
} from './ticket.ts';
import { ticketErrors } from './ticket-errors.ts';

const instrument: Instrument = {
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
  maxMarketQty: amount('100'),
  minNotional: amount('5'),
  contractValue: amount('1'),
  maxLeverage: 1,
  status: 'trading',
};

const facts: TicketFacts = {
  instrument,
  offer: venueProfile(1).trading.spot,
  makerFee: amount('0.001'),
  takerFee: amount('0.001'),
  availableBase: amount('0.5'),
  availableQuote: amount('10000'),
  bestBid: amount('65000'),
  bestAsk: amount('65000.01'),
  priceStale: false,
  platformOpen: true,
};

function ticket(...actions: readonly TicketAction[]): TicketState {
  return actions.reduce((state, action) => reduce(state, action, facts), emptyTicket());
}
const price = (text: string): TicketAction => ({ kind: 'write', field: 'price', text });
const quantity = (text: string): TicketAction => ({ kind: 'write', field: 'quantity', text });
const quote = (text: string): TicketAction => ({ kind: 'write', field: 'quote', text });
const sell: TicketAction = { kind: 'side', side: SIDE.SELL };
const market: TicketAction = { kind: 'type', type: ORDER_TYPE.MARKET };
const postOnly: TicketAction = { kind: 'time-in-force', timeInForce: TIME_IN_FORCE.POST_ONLY };

test.each([
  ['nothing typed', [price('50000')], 0],
  ['a typed half', [price('50000'), quantity('0.1')], 50],
  ['a typed size above all there is', [price('50000'), quantity('9')], 100],
  ['where it was put', [price('50000'), { kind: 'percent', percent: 37 }], 37],
  ['a typed amount to spend', [market, quote('2500')], 25],
] as const satisfies readonly (readonly [string, readonly TicketAction[], number])[])(
  'the slider shows %s',
  (_name, actions, percent) => expect(percentShown(ticket(...actions), facts)).toBe(percent),
);

describe('reduce', () => {
  test('what is no number leaves the field as it was', () => {
    expect(ticket(price('65,000.5'), price('6x')).price).toBe('65000.5');
  });

  test.each([
    [1, '65000.51'],
    [-1, '65000.49'],
    [10, '65000.60'],
  ])('a step of %i moves the price by that many ticks', (steps, text) => {
    expect(ticket(price('65000.5'), { kind: 'step', field: 'price', steps }).price).toBe(text);
  });

  test('a quantity steps by lots', () => {
    expect(ticket(quantity('0.01'), { kind: 'step', field: 'quantity', steps: 1 }).quantity).toBe('0.01001');
  });

  test('BBO takes the other side, and the own side when only making', () => {
    expect(ticket({ kind: 'best' }).price).toBe('65000.01');
    expect(ticket(postOnly, { kind: 'best' }).price).toBe('65000.00');
    expect(ticket(sell, { kind: 'best' }).price).toBe('65000.00');
    expect(ticket(sell, postOnly, { kind: 'best' }).price).toBe('65000.01');
  });

  test('a price picked in the book makes a limit order at it; a size is cut to lots', () => {
    const picked = ticket(market, { kind: 'pick-price', price: amount('64000') });
    expect([picked.type, picked.price]).toEqual([ORDER_TYPE.LIMIT, '64000.00']);
    expect(ticket({ kind: 'pick-size', size: amount('0.123456') }).quantity).toBe('0.12345');
  });

  test('typing a size takes the slider away, typing a price does not', () => {
    const half = ticket(price('50000'), { kind: 'percent', percent: 50 });
    expect(reduce(half, price('60000'), facts).percent).toBe(50);
    expect(reduce(half, quantity('1'), facts).percent).toBeUndefined();
  });

  test('after sending, the price stays and the size is gone', () => {
    const sent = ticket(price('50000'), quantity('1'), { kind: 'sent' });
    expect([sent.price, sent.quantity, sent.quote]).toEqual(['50000', '', '']);
  });
});

describe('the slider', () => {
  test('100 % of a limit buy spends all that is available, in whole lots', () => {
    const full = ticket(price('50000'), { kind: 'percent', percent: 100 });
    expect(full.quantity).toBe('0.20000');
    expect(ticketErrors(full, facts)).toEqual([]);
  });
  test('100 % of a sell is all that is available', () => {
    expect(ticket(sell, price('50000'), { kind: 'percent', percent: 100 }).quantity).toBe('0.50000');
  });
  test('100 % of a market buy in quote spends all that is available', () => {
    const full = ticket(market, { kind: 'percent', percent: 100 });
    expect(full.quote).toBe('10000.00');
    expect(ticketErrors(full, facts)).toEqual([]);
  });
  test('a market buy in base is bounded by the balance at a price with slack', () => {
    const full = ticket(market, { kind: 'unit', unit: 'base' }, { kind: 'percent', percent: 100 });
    expect(ticketErrors(full, facts)).toEqual([]);
    expect(full.quantity).toBe('0.14652');
  });
  test('without a balance there is no maximum and the size stays', () => {
    expect(maxSize(ticket(price('1')), { ...facts, availableQuote: undefined })).toBeUndefined();
  });
});

describe('summarise', () => {
  const shown = (state: TicketState) => {
    const summary = summarise(state, facts);
    const text = (value: ReturnType<typeof amount> | undefined) =>
      value === undefined ? undefined : formatAmount(value);
    return {
      value: text(summary.value),
      fee: `${text(summary.fee)} ${summary.feeAsset}`,
      hold: `${text(summary.hold)} ${summary.holdAsset}`,
      receive: `${text(summary.receive)} ${summary.receiveAsset}`,
      role: summary.role,
    };
  };
  test('a resting buy pays the maker fee in base and holds its value', () => {
    expect(shown(ticket(price('50000'), quantity('0.1')))).toEqual({
      value: '5000',
      fee: '0.0001 BTC',
      hold: '5000 USDT',
      receive: '0.0999 BTC',
      role: 'maker',
    });
  });
  test('a sell holds base and pays the fee from what it brings', () => {
    expect(shown(ticket(sell, price('70000'), quantity('0.1')))).toEqual({
      value: '7000',
      fee: '7 USDT',
      hold: '0.1 BTC',
      receive: '6993 USDT',
      role: 'maker',
    });
  });
  test('a market buy in quote estimates what it brings at the best ask', () => {
    const summary = shown(ticket(market, quote('650.0001')));
    expect(summary.role).toBe('taker');
    expect(summary.hold).toBe('650.0001 USDT');
    expect(summary.receive).toBe('0.00999 BTC');
  });
  test.each([
    ['a buy at the ask', [price('65000.01')], 'taker'],
    ['a buy below the ask', [price('65000')], 'maker'],
    ['a sell at the bid', [sell, price('65000')], 'taker'],
    ['an IOC far away', [{ kind: 'time-in-force', timeInForce: TIME_IN_FORCE.IOC }, price('1')], 'taker'],
    ['post-only', [postOnly, price('99999')], 'maker'],
  ] as const)('%s is a %s order', (_case, actions, role) => {
    expect(summarise(ticket(...actions), facts).role).toBe(role);
  });
});

describe('wishOf', () => {
  test('a limit order carries price and quantity as plain decimals', () => {
    expect(orderRequestOf(ticket(postOnly, price('65000.10'), quantity('0.10')))).toEqual({
      side: 1,
      orderType: 1,
      timeInForce: 4,
      price: '65000.1',
      quantity: '0.1',
    });
  });
  test('an iceberg says what is visible while it rests, and forgets it with another kind', () => {
    const visible: TicketAction = { kind: 'write', field: 'visible', text: '0.02' };
    const asked = ticket(price('60000'), quantity('0.1'), visible);
    expect(orderRequestOf(asked)).toMatchObject({ quantity: '0.1', visibleQuantity: '0.02' });
    const killed = reduce(asked, { kind: 'time-in-force', timeInForce: TIME_IN_FORCE.IOC }, facts);
    expect(orderRequestOf(killed)).not.toHaveProperty('visibleQuantity');
    expect(reduce(asked, market, facts).visible).toBe('');
    expect(reduce(asked, { kind: 'step', field: 'visible', steps: 1 }, facts).visible).toBe('0.02001');
  });
  test('a market buy carries a quote amount, a market sell a quantity, neither a price', () => {
    expect(orderRequestOf(ticket(price('1'), market, quote('100')))).toEqual({
      side: 1,
      orderType: 2,
      timeInForce: 1,
      quoteQuantity: '100',
    });
    expect(orderRequestOf(ticket(price('1'), market, sell, quantity('0.2')))).toEqual({
      side: 2,
      orderType: 2,
      timeInForce: 1,
      quantity: '0.2',
    });
  });
});

describe('firstOrder', () => {
  test.each([
    ['10000', '100'],
    ['500', '50'],
    ['20', '10'],
  ])('with %s available it spends %s', (available, spend) => {
    const first = firstOrder({ ...facts, availableQuote: amount(available) });
    expect([first.type, first.quote]).toEqual([ORDER_TYPE.MARKET, spend]);
    expect(ticketErrors(first, { ...facts, availableQuote: amount(available) })).toEqual([]);
  });
});

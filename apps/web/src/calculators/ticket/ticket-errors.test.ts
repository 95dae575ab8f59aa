import { ERRORS } from '@crossbook/contract';
import { amount, type Instrument, ORDER_TYPE, SIDE, TIME_IN_FORCE } from '@crossbook/domain';
import { venueProfile } from '@crossbook/venues';
import { describe, expect, test } from 'vitest';
import { emptyTicket, type TicketFacts, type TicketState } from './ticket.ts';
import { TICKET_ERROR_NAMES, ticketErrors } from './ticket-errors.ts';

const instrument: Instrument = {
  platform: 1,
  symbolType: 'SPOT',
  symbol: 'BTCUSDT',
  base: 'BTC',
  quote: 'USDT',
  tickSize: amount('0.01'),
  lotSize: amount('0.00001'),
  minPrice: amount('10'),
  maxPrice: amount('1000000'),
  minQty: amount('0.0001'),
  maxQty: amount('9000'),
  maxMarketQty: amount('1'),
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
  availableBase: amount('10000'),
  availableQuote: amount('10000'),
  bestBid: amount('65000'),
  bestAsk: amount('65000.01'),
  priceStale: false,
  platformOpen: true,
};

const good: TicketState = { ...emptyTicket(), price: '60000', quantity: '0.01' };

const cases: readonly (readonly [string, Partial<TicketState>, Partial<TicketFacts>, string, string])[] = [
  ['no price', { price: '' }, {}, 'field-invalid', 'price'],
  ['a zero quantity', { quantity: '0' }, {}, 'field-invalid', 'quantity'],
  ['no quote amount', { type: ORDER_TYPE.MARKET, quote: '' }, {}, 'field-invalid', 'quote'],
  ['a platform that is coming soon', {}, { platformOpen: false }, 'platform-coming-soon', 'form'],
  ['a halted instrument', {}, { instrument: { ...instrument, status: 'halted' } }, 'symbol-halted', 'form'],
  ['a price between ticks', { price: '60000.005' }, {}, 'price-step', 'price'],
  ['a price below the least', { price: '9', quantity: '1' }, {}, 'price-range', 'price'],
  [
    'a buy at more than twice the market',
    { price: '130000.03' },
    { instrument: { ...instrument, priceBand: { buyMost: amount('2') } } },
    'price-range',
    'price',
  ],
  ['a quantity between lots', { quantity: '0.000101' }, {}, 'quantity-step', 'quantity'],
  [
    'a quote amount of nine decimals',
    { type: ORDER_TYPE.MARKET, quote: '10.000000001' },
    {},
    'quantity-step',
    'quote',
  ],
  ['a quantity below the least', { quantity: '0.00009', price: '100000' }, {}, 'quantity-range', 'quantity'],
  [
    'a market quantity above its own bound',
    { type: ORDER_TYPE.MARKET, side: SIDE.SELL, quantity: '1.5' },
    {},
    'quantity-range',
    'quantity',
  ],
  ['nothing visible', { visible: '0' }, {}, 'field-invalid', 'visible'],
  ['a visible part between lots', { visible: '0.0011234' }, {}, 'quantity-step', 'visible'],
  ['more visible than there is', { visible: '0.011' }, {}, 'quantity-range', 'visible'],
  ['a value below the least', { quantity: '0.0001', price: '100' }, {}, 'notional-too-small', 'quantity'],
  [
    'a market order on an old price',
    { type: ORDER_TYPE.MARKET, quote: '10' },
    { priceStale: true },
    'price-stale',
    'form',
  ],
  ['more than is available', { quantity: '1' }, {}, 'balance-insufficient', 'quantity'],
  [
    'a sell of more than is available',
    { side: SIDE.SELL, quantity: '1', price: '70000' },
    { availableBase: amount('0.5') },
    'balance-insufficient',
    'quantity',
  ],
  [
    'post-only at the other side',
    { timeInForce: TIME_IN_FORCE.POST_ONLY, price: '65000.01' },
    {},
    'venue-refused',
    'price',
  ],
];

describe('errors', () => {
  test('a good ticket has none', () => {
    expect(ticketErrors(good, facts)).toEqual([]);
  });

  test.each(cases)('%s is said at its field', (...row) => {
    const [, state, world, name, field] = row;
    const found = ticketErrors({ ...good, ...state }, { ...facts, ...world });
    expect(found.map((error) => [error.name, error.field])).toEqual([[name, field]]);
  });

  test.each<[string, Partial<TicketState>, Partial<TicketFacts>]>([
    ['post-only at the other side', { timeInForce: TIME_IN_FORCE.POST_ONLY, price: '65000.01' }, {}],
    [
      'a sell below the bid, post-only',
      { timeInForce: TIME_IN_FORCE.POST_ONLY, side: SIDE.SELL, price: '1000' },
      {},
    ],
    [
      'a price beyond the band',
      { price: '90000' },
      { instrument: { ...facts.instrument, priceBand: { buyMost: amount('1.2') } } },
    ],
  ])('the price that is offered for %s would do', (_what, change, world) => {
    const around = { ...facts, ...world, availableBase: amount('9'), availableQuote: amount('900000') };
    const state = { ...good, ...change };
    const offered = ticketErrors(state, around)[0]?.instead ?? '';
    expect(ticketErrors({ ...state, price: offered }, around)).toEqual([]);
  });

  test('all that is available may be spent: the fee comes off what is received', () => {
    const state = { ...good, price: '50000', quantity: '0.2' };
    expect(ticketErrors(state, facts)).toEqual([]);
    expect(ticketErrors({ ...state, quantity: '0.20001' }, facts).map((error) => error.name)).toEqual([
      'balance-insufficient',
    ]);
  });

  test('an old price does not stop a limit order', () => {
    expect(ticketErrors(good, { ...facts, priceStale: true })).toEqual([]);
  });

  test('several errors come in the order of the catalogue', () => {
    const found = ticketErrors(
      { ...good, price: '9.005', quantity: '0.00000001' },
      { ...facts, platformOpen: false, availableQuote: amount('0') },
    );
    expect(found.map((error) => error.name)).toEqual([
      'platform-coming-soon',
      'price-step',
      'price-range',
      'quantity-step',
      'quantity-range',
      'notional-too-small',
      'balance-insufficient',
    ]);
  });

  test('a field left empty is missing, a field with nonsense is not', () => {
    expect(ticketErrors({ ...good, price: '' }, facts)[0]?.missing).toBe(true);
    expect(ticketErrors({ ...good, price: '.' }, facts)[0]?.missing).toBeUndefined();
  });
});

test('the names are those of the error catalogue, in its order', () => {
  const catalogue = ERRORS.map((row) => row.name);
  const places = TICKET_ERROR_NAMES.map((name) => catalogue.indexOf(name));
  expect(places).not.toContain(-1);
  expect(places).toEqual([...places].sort((left, right) => left - right));
});

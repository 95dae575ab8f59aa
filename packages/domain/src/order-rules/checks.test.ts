import { describe, expect, test } from 'vitest';
import { type Amount, amount } from '../amount.ts';
import { ORDER_TYPE, SIDE, TIME_IN_FORCE } from '../order.ts';
import { BTCUSDT, MARKET_FACTS, OFFER } from './btcusdt.fixture.ts';
import { balanceFault, ORDER_FAULT_NAMES, type OrderFault, orderFaults } from './checks.ts';
import type { OrderMarket, OrderRequest } from './order-request.ts';
import { spotTerms } from './spot-terms.ts';

const { LIMIT, MARKET } = ORDER_TYPE;
const { GTC, IOC, FOK, POST_ONLY } = TIME_IN_FORCE;
const UNSIZED: OrderRequest = { instrument: BTCUSDT, side: SIDE.BUY, type: MARKET, timeInForce: GTC };
const MARKET_BUY: OrderRequest = { ...UNSIZED, quantity: amount('1') };
const PRICELESS: OrderRequest = { ...MARKET_BUY, type: LIMIT };
const GOOD: OrderRequest = { ...PRICELESS, price: amount('100') };
const BY_AMOUNT: OrderRequest = { ...UNSIZED, quoteQuantity: amount('10') };
const COMBINATION = 'order-combination';
const ICEBERGS: Partial<OrderMarket> = { offer: { ...OFFER, icebergPartsMax: 10 } };

const faultsOf = (request: OrderRequest, market: Partial<OrderMarket> = {}) =>
  orderFaults(request, { ...MARKET_FACTS, ...market });

describe('what is wrong with an order', () => {
  test.each<[string, OrderRequest, OrderFault, Partial<OrderMarket>?]>([
    [
      'a halted instrument',
      { ...GOOD, instrument: { ...BTCUSDT, status: 'halted' } },
      { name: 'symbol-halted', given: 'BTCUSDT' },
    ],
    [
      'a price between ticks',
      { ...GOOD, price: amount('100.05') },
      { name: 'price-step', field: 'price', allowed: ['0.1'] },
    ],
    [
      'a price below the least',
      { ...GOOD, price: amount('0.9'), quantity: amount('10') },
      { name: 'price-range', field: 'price', allowed: ['1', '1000000'] },
    ],
    [
      'a price above the most',
      { ...GOOD, price: amount('1000000.1') },
      { name: 'price-range', field: 'price', allowed: ['1', '1000000'] },
    ],
    [
      'a quantity between lots',
      { ...GOOD, quantity: amount('1.0005') },
      { name: 'quantity-step', field: 'quantity', allowed: ['0.001'] },
    ],
    [
      'an amount to spend with more digits than venues take',
      { ...BY_AMOUNT, quoteQuantity: amount('10.000000001') },
      { name: 'quantity-step', field: 'quoteQuantity', allowed: ['0.00000001'] },
    ],
    [
      'an iceberg where none is offered',
      { ...GOOD, visible: amount('0.5') },
      { name: COMBINATION, allowed: ['icebergs are not offered here'] },
    ],
    [
      'an iceberg of a contract',
      { ...GOOD, visible: amount('0.5'), instrument: { ...BTCUSDT, symbolType: 'SWAP' } },
      { name: COMBINATION, allowed: ['icebergs are not offered here'] },
      ICEBERGS,
    ],
    [
      'an iceberg that does not rest',
      { ...GOOD, visible: amount('0.5'), timeInForce: IOC },
      { name: COMBINATION, allowed: ['an iceberg is a limit order that rests'] },
      ICEBERGS,
    ],
    [
      'an iceberg at market',
      { ...MARKET_BUY, visible: amount('0.5') },
      { name: COMBINATION, allowed: ['an iceberg is a limit order that rests'] },
      ICEBERGS,
    ],
    [
      'a visible part between lots',
      { ...GOOD, visible: amount('0.5005') },
      { name: 'quantity-step', field: 'visibleQuantity', allowed: ['0.001'] },
      ICEBERGS,
    ],
    [
      'an iceberg in more parts than may be',
      { ...GOOD, quantity: amount('1.001'), visible: amount('0.1') },
      { name: 'quantity-range', field: 'visibleQuantity', allowed: ['0.101', '1.001'] },
      ICEBERGS,
    ],
    [
      'a visible part below the least order',
      { ...GOOD, visible: amount('0.15'), instrument: { ...BTCUSDT, minQty: amount('0.2') } },
      { name: 'quantity-range', field: 'visibleQuantity', allowed: ['0.2', '1'] },
      ICEBERGS,
    ],
    [
      'more visible than there is',
      { ...GOOD, visible: amount('1.001') },
      { name: 'quantity-range', field: 'visibleQuantity', allowed: ['0.1', '1'] },
      ICEBERGS,
    ],
    [
      'a quantity below the least',
      { ...GOOD, instrument: { ...BTCUSDT, minQty: amount('2') } },
      { name: 'quantity-range', field: 'quantity', allowed: ['2', '1000'] },
    ],
    [
      'a quantity above the most',
      { ...GOOD, quantity: amount('1000.001') },
      { name: 'quantity-range', field: 'quantity', allowed: ['0.001', '1000'] },
    ],
    [
      'a quantity above the most of a market order',
      { ...MARKET_BUY, quantity: amount('100.001') },
      { name: 'quantity-range', field: 'quantity', allowed: ['0.001', '100'] },
    ],
    [
      'a market quantity above the most of any order: it goes out as a limit',
      { ...MARKET_BUY, quantity: amount('6'), instrument: { ...BTCUSDT, maxQty: amount('5') } },
      { name: 'quantity-range', field: 'quantity', allowed: ['0.001', '5'] },
    ],
    ['a market order on an old price', MARKET_BUY, { name: 'price-stale' }, { priceStale: true }],
    ['a market buy that nobody sells to', BY_AMOUNT, { name: 'price-stale' }, { bestAsk: undefined }],
    [
      'a market sell that nobody buys from',
      { ...MARKET_BUY, side: SIDE.SELL },
      { name: 'price-stale' },
      { bestBid: undefined },
    ],
    [
      'a value below the least',
      { ...GOOD, quantity: amount('0.049') },
      { name: 'notional-too-small', field: 'quantity', allowed: ['5 USDT'] },
    ],
    [
      'an amount below the least',
      { ...BY_AMOUNT, quoteQuantity: amount('4.99') },
      { name: 'notional-too-small', field: 'quoteQuantity', allowed: ['5 USDT'] },
    ],
    [
      'a market sell of too little at the bid',
      { ...MARKET_BUY, side: SIDE.SELL },
      { name: 'notional-too-small', field: 'quantity', allowed: ['5 USDT'] },
      { bestBid: amount('4'), bestAsk: amount('6') },
    ],
  ])('%s', (_name, request, fault, market) => {
    expect(faultsOf(request, market)).toEqual([fault]);
  });

  test.each<[string, OrderRequest, string]>([
    ['both sizes', { ...MARKET_BUY, quoteQuantity: amount('10') }, 'exactly one of'],
    ['neither size', UNSIZED, 'exactly one of'],
    ['a market order with a price', { ...GOOD, type: MARKET }, 'has no price'],
    ['a limit order without one', PRICELESS, 'needs a price'],
    ['a limit order by amount', { ...BY_AMOUNT, type: LIMIT, price: amount('1') }, 'market buys'],
    ['a market sell by amount', { ...BY_AMOUNT, side: SIDE.SELL }, 'market buys'],
    ['a market order fill-or-kill', { ...MARKET_BUY, timeInForce: FOK }, 'fill-or-kill'],
    ['a market order post-only', { ...MARKET_BUY, timeInForce: POST_ONLY }, 'post-only'],
  ])('%s is no combination', (_name, request, allowed) => {
    const [found] = faultsOf(request);
    expect(found?.name).toBe(COMBINATION);
    expect(found?.allowed?.join()).toContain(allowed);
  });

  test('what the venue does not offer is no combination there', () => {
    const noMarket = { offer: { ...OFFER, orderTypes: [LIMIT] } };
    const noPostOnly = { offer: { ...OFFER, timesInForce: [GTC, IOC] } };
    expect(faultsOf(MARKET_BUY, noMarket)).toMatchObject([
      { name: COMBINATION, allowed: ['the exchange does not offer this order type'] },
    ]);
    expect(faultsOf({ ...GOOD, timeInForce: POST_ONLY }, noPostOnly)).toMatchObject([
      { name: COMBINATION, allowed: ['the exchange does not offer this time in force'] },
    ]);
    expect(faultsOf({ ...GOOD, timeInForce: IOC }, noPostOnly)).toEqual([]);
  });

  test.each<[string, OrderRequest, Partial<OrderMarket>?]>([
    ['a limit order', GOOD],
    ['a limit order IOC', { ...GOOD, timeInForce: IOC }],
    ['a limit order FOK', { ...GOOD, timeInForce: FOK }],
    ['a limit order post-only', { ...GOOD, timeInForce: POST_ONLY }],
    ['a limit order on no price at all', GOOD, { bestBid: undefined, bestAsk: undefined, priceStale: true }],
    ['a market buy by quantity', MARKET_BUY],
    ['a market order IOC', { ...MARKET_BUY, timeInForce: IOC }],
    ['a market buy by amount', BY_AMOUNT],
    ['a market buy valued at the ask', MARKET_BUY, { bestBid: amount('4'), bestAsk: amount('6') }],
    ['a market sell', { ...MARKET_BUY, side: SIDE.SELL }],
    ['the lowest price', { ...GOOD, price: amount('1'), quantity: amount('5') }],
    ['the highest price', { ...GOOD, price: amount('1000000') }],
    ['the smallest quantity', { ...GOOD, price: amount('5000'), quantity: amount('0.001') }],
    ['the largest quantity', { ...GOOD, quantity: amount('1000') }],
    ['the smallest value', { ...GOOD, quantity: amount('0.05') }],
    ['the smallest amount', { ...BY_AMOUNT, quoteQuantity: amount('5') }],
    ['the finest amount', { ...BY_AMOUNT, quoteQuantity: amount('5.00000001') }],
  ])('nothing: %s', (_name, request, market) => {
    expect(faultsOf(request, market)).toEqual([]);
  });

  test('several faults come in the order of their names, the uppermost first', () => {
    const halted = { ...BTCUSDT, status: 'halted' } as const;
    const everything = { ...GOOD, instrument: halted, price: amount('0.05'), quantity: amount('0.0001') };
    const found = faultsOf({ ...everything, type: MARKET }, { priceStale: true }).map(({ name }) => name);
    expect(found).toEqual(ORDER_FAULT_NAMES.filter((name) => name !== 'balance-insufficient'));
  });

  test('a balance is enough to the last unit', () => {
    const terms = spotTerms(GOOD, MARKET_FACTS);
    if (terms === undefined) throw new Error('no terms');
    expect(balanceFault(GOOD, terms, amount('100'))).toBeUndefined();
    const short = (amount('100') - 1n) as Amount;
    expect(balanceFault(GOOD, terms, short)).toEqual({ name: 'balance-insufficient', field: 'quantity' });
    expect(balanceFault(BY_AMOUNT, terms, short)?.field).toBe('quoteQuantity');
  });
});

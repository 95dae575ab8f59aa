import type { OrderRow } from '@crossbook/contract';
import { amount } from '@crossbook/domain';
import { venueProfile } from '@crossbook/venues';
import { expect, test } from 'vitest';
import { emptyTicket, reduce, type TicketFacts } from '../ticket/ticket.ts';
import { CONTRACT, contractOrder, SETTING } from './contract.fixture.ts';
import { emptyContractTicket, reduceContract } from './contract-ticket.ts';
import { contractResend, spotResend } from './resend.ts';

const counted = { ...CONTRACT, lotSize: amount('1'), contractValue: amount('0.01') };
const world = { setting: SETTING, bestBid: undefined, bestAsk: undefined, largest: undefined };

test.each<[string, Partial<OrderRow>, object]>([
  [
    'a limit',
    { side: 2, price: '59000.5', quantity: '20', timeInForce: 4 },
    { side: 2, type: 1, timeInForce: 4, price: '59000.5', size: '0.20', reduceOnly: false, tab: 'open' },
  ],
  [
    'a market order that only closed',
    { orderType: 2, price: null, quantity: '5', reduceOnly: true },
    { type: 2, size: '0.05', reduceOnly: true, tab: 'open' },
  ],
  [
    'an order that closed a short leg',
    { side: 1, effect: 2, reduceOnly: true },
    { tab: 'close', reduceOnly: false },
  ],
  ['an order that opened a short leg', { side: 2, effect: 2 }, { tab: 'open', side: 2 }],
])('%s on a contract is in the ticket again, counted in coins', (_what, change, filled) => {
  const empty = emptyContractTicket({ orderKind: 1, timeInForce: 1, sizeUnit: 'value' });
  const actions = contractResend(contractOrder(change), counted);
  const state = actions.reduce(
    (ticket, action) => reduceContract(ticket, action, { instrument: counted, ...world }),
    empty,
  );
  expect(state).toMatchObject({ ...filled, unit: 'coin', percent: undefined });
});

const pair: TicketFacts = {
  ...{ instrument: { ...CONTRACT, symbolType: 'SPOT' }, offer: venueProfile(1).trading.spot },
  ...{ makerFee: amount('0.001'), takerFee: amount('0.001'), priceStale: false, platformOpen: true },
  ...{ availableBase: undefined, availableQuote: undefined, bestBid: undefined, bestAsk: undefined },
};

test.each<[string, Partial<OrderRow>, object]>([
  [
    'a limit',
    { price: '59000.5', quantity: '0.2' },
    { type: 1, price: '59000.5', quantity: '0.200', unit: 'base' },
  ],
  [
    'a market buy by money',
    { orderType: 2, price: null, quantity: null, quoteQuantity: '250' },
    { type: 2, quote: '250', unit: 'quote' },
  ],
])('%s on a pair is in the ticket again', (_what, change, filled) => {
  const actions = spotResend(contractOrder({ symbolType: 'SPOT', ...change }), pair.instrument);
  expect(actions.reduce((ticket, action) => reduce(ticket, action, pair), emptyTicket())).toMatchObject(
    filled,
  );
});

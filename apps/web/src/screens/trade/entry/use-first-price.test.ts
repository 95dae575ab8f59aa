import { type Amount, amount } from '@crossbook/domain';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { CONTRACT } from '../../../calculators/contracts/contract.fixture.ts';
import {
  type ContractTicketStore,
  createContractTicketStore,
} from '../../../stores/trading/ticket/contract-ticket.ts';
import { useFirstPrice } from './use-first-price.ts';

/** A ticket that writes down what it waits for. */
function Ticket({
  store,
  market,
}: {
  readonly store: ContractTicketStore;
  readonly market: Parameters<typeof useFirstPrice>[1];
}) {
  return useFirstPrice(store, market) ?? 'nothing';
}

/** What a ticket waits for. */
function waitsFor(
  ticket: { readonly type: 1 | 2; readonly price: string; readonly priced: boolean },
  market: { readonly known: boolean; readonly stale: boolean; readonly own?: Amount },
): string {
  const store = createContractTicketStore({ orderKind: ticket.type, timeInForce: 1, sizeUnit: 'coin' });
  // A page that is written as text shows how its stores began.
  const first = store.getInitialState();
  Object.assign(first, { priced: ticket.priced, ticket: { ...first.ticket, price: ticket.price } });
  const { known, stale, own } = market;
  const shown = { instrument: CONTRACT, bestBid: own, bestAsk: own, priceStale: stale };
  return renderToStaticMarkup(createElement(Ticket, { store, market: { known, shown } }));
}

const own = amount('60000');
const NOT_YET = { known: false, stale: true };
const KEPT = { known: true, stale: true, own };
const FRESH = { known: true, stale: false, own };
const EMPTY = { type: 1, price: '', priced: false } as const;

test.each([
  ['a limit without a price, before the first prices', EMPTY, NOT_YET, 'price'],
  ['a limit with one of its own', { type: 1, price: '59000', priced: true }, NOT_YET, 'figures'],
  ['a market order', { type: 2, price: '', priced: false }, NOT_YET, 'figures'],
  ['a limit without a price, the first prices being old', EMPTY, KEPT, 'price'],
  [
    'a limit with one of its own, the prices being old',
    { type: 1, price: '59000', priced: true },
    KEPT,
    'nothing',
  ],
  ['a limit whose price was emptied', { type: 1, price: '', priced: true }, KEPT, 'nothing'],
  ['a limit without a price at a fresh book', EMPTY, FRESH, 'nothing'],
  ['a limit without a price where its side has none', EMPTY, { known: true, stale: false }, 'nothing'],
] as const)('%s: what it waits for', (_, ticket, market, awaited) => {
  expect(waitsFor(ticket, market)).toBe(awaited);
});

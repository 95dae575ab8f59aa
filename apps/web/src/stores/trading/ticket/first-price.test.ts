import { amount } from '@crossbook/domain';
import { expect, test } from 'vitest';
import { contractFacts } from '../../../calculators/contracts/contract.fixture.ts';
import { createContractTicketStore } from './contract-ticket.ts';
import { createTicketStore } from './ticket.ts';

const PAIR = { platform: 1, symbolType: 'SPOT', symbol: 'BTCUSDT', base: 'BTC', quote: 'USDT' } as const;
const OTHER = { ...PAIR, symbol: 'ETHUSDT', base: 'ETH' } as const;
const KEPT = { orderKind: 1, timeInForce: 1, sizeUnit: 'coin' } as const;
const FACTS = { ...contractFacts(), largest: undefined };

/** A ticket of either kind, by what may be done to its price. */
function tickets() {
  const pair = createTicketStore(KEPT);
  const contract = createContractTicketStore(KEPT);
  return [
    {
      follow: (market: typeof PAIR | typeof OTHER) => pair.getState().follow(market),
      first: (price: string) => pair.getState().firstPrice(price),
      write: (text: string) => pair.getState().act({ kind: 'write', field: 'price', text }, FACTS as never),
      pick: () => pair.getState().act({ kind: 'pick-price', price: amount('58000') }, FACTS as never),
      turn: () => pair.getState().act({ kind: 'type', type: 2 }, FACTS as never),
      price: () => pair.getState().ticket.price,
    },
    {
      follow: (market: typeof PAIR | typeof OTHER) =>
        contract.getState().follow({ ...market, symbolType: 'SWAP' }),
      first: (price: string) => contract.getState().firstPrice(price),
      write: (text: string) => contract.getState().act({ kind: 'write', field: 'price', text }, FACTS),
      pick: () => contract.getState().act({ kind: 'pick-price', price: amount('58000') }, FACTS),
      turn: () => contract.getState().act({ kind: 'type', type: 2 }, FACTS),
      price: () => contract.getState().ticket.price,
    },
  ];
}

test('the first price is filled in once for a market, also while the market makes the price', () => {
  for (const { follow, first, turn, price } of tickets()) {
    follow(PAIR);
    turn();
    first('60000.1');
    first('61000.0');
    expect(price()).toBe('60000.1');
    follow(OTHER);
    expect(price()).toBe('');
    first('3000.5');
    expect(price()).toBe('3000.5');
  }
});

test.each(['written', 'picked', 'written and emptied', 'filled in and emptied'])(
  'it never is after a touch: %s',
  (touch) => {
    for (const { follow, first, write, pick, price } of tickets()) {
      follow(PAIR);
      if (touch === 'filled in and emptied') first('60000.1');
      if (touch === 'picked') pick();
      else write('59000');
      if (touch.endsWith('emptied')) write('');
      const before = price();
      first('61000.0');
      expect(price()).toBe(before);
    }
  },
);

import { expect, test } from 'vitest';
import { createContractTicketStore } from './contract-ticket.ts';
import { createTicketStore, type TicketSending } from './ticket.ts';

const PAIR = { platform: 1, symbolType: 'SPOT', symbol: 'BTCUSDT', base: 'BTC', quote: 'USDT' } as const;
const CONTRACT = { ...PAIR, symbolType: 'SWAP' } as const;
const ELSEWHERE = { platform: 2, symbol: 'BTC-USDT' } as const;
const OTHER = { symbol: 'ETHUSDT', base: 'ETH' } as const;
const KEPT = { orderKind: 1, timeInForce: 4, sizeUnit: 'coin' } as const;

function pairTicket() {
  const store = createTicketStore(KEPT);
  store.getState().follow(PAIR);
  const { ticket } = store.getState();
  store.getState().fill({ ...ticket, side: 2, price: '60000', quantity: '0.5', visible: '0.1', percent: 25 });
  return store;
}

function contractTicket() {
  const store = createContractTicketStore(KEPT);
  store.getState().follow(CONTRACT);
  const { ticket } = store.getState();
  store.setState({
    ticket: { ...ticket, side: 2, price: '60000', size: '0.5', percent: 25, reduceOnly: true },
  });
  return store;
}

test.each([
  ['the same pair at another exchange keeps its size', ELSEWHERE, '0.5'],
  ['another pair begins without one', OTHER, ''],
] as const)('%s; price, share and reduce-only go, side and time in force stay', (_, change, size) => {
  const pair = pairTicket();
  pair.getState().follow({ ...PAIR, ...change });
  expect(pair.getState().ticket).toMatchObject({
    ...{ side: 2, timeInForce: 4, price: '', quantity: size, visible: '', percent: undefined },
  });
  const contract = contractTicket();
  contract.getState().follow({ ...CONTRACT, ...change });
  expect(contract.getState().ticket).toMatchObject({
    ...{ side: 2, timeInForce: 4, price: '', size, percent: undefined, reduceOnly: false },
  });
});

test('the same market again changes nothing', () => {
  const pair = pairTicket();
  const before = pair.getState().ticket;
  pair.getState().follow(PAIR);
  expect(pair.getState().ticket).toBe(before);
});

test.each<[string, TicketSending, TicketSending['phase']]>([
  ['a refusal is not said of another market', { phase: 'refused', message: 'no' }, 'idle'],
  ['an order on its way stays so', { phase: 'sending', clientId: 'a' }, 'sending'],
  ['one without an answer stays so', { phase: 'unknown', clientId: 'a' }, 'unknown'],
])('%s', (_, sending, phase) => {
  for (const store of [pairTicket(), contractTicket()]) {
    store.getState().setSending(sending);
    store.getState().follow({ ...PAIR, ...OTHER, symbolType: 'SWAP' });
    expect(store.getState().sending.phase).toBe(phase);
  }
});

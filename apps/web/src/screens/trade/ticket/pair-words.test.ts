import { amount, ORDER_TYPE, SIDE } from '@crossbook/domain';
import { expect, test } from 'vitest';
import { emptyTicket, type TicketState, type TicketSummary } from '../../../calculators/ticket/ticket.ts';
import type { Text } from '../../../i18n/i18n.ts';
import type { ListedInstrument } from '../../../stores/market/instruments.ts';
import { pairAction, pairSentence } from './pair-words.ts';

const BTC = { platform: 2, base: 'BTC', quote: 'USDT' } as ListedInstrument;
/** Says which text it is and what fills it. */
const said = ((id: string, values: Readonly<Record<string, string>> = {}) =>
  [id.replace('trade.ticket.', ''), ...Object.values(values)].join(' ')) as Text;

const { BUY, SELL } = SIDE;
const { LIMIT, MARKET } = ORDER_TYPE;

test.each<[string, Partial<TicketState>, string]>([
  ['a limit', { quantity: '0.050' }, 'send.buy 0.05 BTC'],
  ['thousands', { quantity: '12345.6' }, 'send.buy 12,345.6 BTC'],
  ['a sale', { side: SELL, type: MARKET, quantity: '2' }, 'send.sell 2 BTC'],
  ['money to be spent', { side: BUY, type: MARKET, quote: '100' }, 'send.spend BTC 100 USDT'],
  ['no money yet', { side: BUY, type: MARKET, quantity: '5' }, 'send.buy BTC'],
  ['no size yet', { quantity: '0' }, 'send.buy BTC'],
  ['a size being written', { quantity: '3.' }, 'send.buy 3 BTC'],
])('the button says %s', (_, ticket, words) => {
  expect(pairAction(said, { ...emptyTicket(), ...ticket }, BTC)).toBe(words);
});

test.each<[Partial<TicketState>, string]>([
  [{ price: '78000' }, '78,000 USDT (−2.5%) · type.limit · tif.1 · OKX'],
  [
    { price: '78000', visible: '1' },
    '78,000 USDT (−2.5%) · type.limit · tif.1 · trade.iceberg.of 1 BTC · OKX',
  ],
  [{ type: MARKET }, 'marketPrice · type.market · OKX'],
])('besides the size of %j it says %s', (ticket, words) => {
  const state = { ...emptyTicket(), type: LIMIT, ...ticket };
  const summary = { price: amount('78000') } as TicketSummary;
  expect(pairSentence(said, state, { summary, instrument: BTC, best: amount('80000') })).toBe(words);
});

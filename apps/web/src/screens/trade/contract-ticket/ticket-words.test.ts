import '../../../i18n/later-words.ts';
import '../../../i18n/trade-words.ts';
import { amount, ORDER_TYPE, SIDE, TIME_IN_FORCE } from '@crossbook/domain';
import { i18n } from '@lingui/core';
import { expect, test } from 'vitest';
import { contractFacts, SETTING } from '../../../calculators/contracts/contract.fixture.ts';
import { type ContractFacts, summariseContract } from '../../../calculators/contracts/contract-summary.ts';
import {
  type ContractTicketState,
  emptyContractTicket,
} from '../../../calculators/contracts/contract-ticket.ts';
import { positionFixture } from '../../../calculators/contracts/position.fixture.ts';
import { text } from '../../../i18n/i18n.ts';
import { actionText, orderSentence, sendsText } from './ticket-words.ts';

/** What the button of a contract is called, and what stands below the size. */
function said(change: Partial<ContractTicketState>, world: Partial<ContractFacts> = {}) {
  i18n.activate('en');
  const kept = { orderKind: 1, timeInForce: TIME_IN_FORCE.GTC, sizeUnit: 'coin' };
  const ticket = { ...emptyContractTicket(kept), price: '59400', size: '0.05', ...change };
  const facts = contractFacts({ mark: amount('60000'), ...world });
  const words = { facts, summary: summariseContract(ticket, facts, undefined) };
  return {
    name: `${actionText(text, ticket, words)}, ${orderSentence(text, ticket, facts)}`,
    sends: sendsText(text, ticket, words),
  };
}

const HEDGE = { setting: { ...SETTING, positionMode: 'hedge', leverageShort: 7 } } as const;

test.each<[string, Partial<ContractTicketState>, Partial<ContractFacts>, string]>([
  [
    'a limit',
    {},
    {},
    'Buy / Long 0.050 BTC, 59,400 USDT (−1.0%) · Limit · GTC: until cancelled · Binance · Cross 20×',
  ],
  [
    'a market order',
    { type: ORDER_TYPE.MARKET, side: SIDE.SELL },
    {},
    'Sell / Short 0.050 BTC, Market price · Market · Binance · Cross 20×',
  ],
  [
    'a short leg has its own leverage',
    { side: SIDE.SELL },
    HEDGE,
    'Open short 0.050 BTC, 59,400 USDT (−1.0%) · Limit · GTC: until cancelled · Binance · Cross 7×',
  ],
])('the button that sends is spoken with all that is sent: %s', (_, change, world, name) => {
  expect(said(change, world).name).toBe(name);
});

test('what a field says in another unit stands below it as it is sent, and a size in coins needs no word', () => {
  expect(said({}).sends).toBeUndefined();
  // 1,000 / 59,400 floored to the lot.
  expect(said({ unit: 'value', size: '1000' }).sends).toBe('sends 0.016 BTC = 950.40 USDT');
});

test.each<[string, Partial<ContractTicketState>]>([
  ['Open long', { side: SIDE.BUY }],
  ['Open short', { side: SIDE.SELL }],
  ['Close short', { tab: 'close', side: SIDE.BUY }],
  ['Close long', { tab: 'close', side: SIDE.SELL }],
])('of two legs the button says which one it is about: %s', (label, change) => {
  const positions = [1, 2].map((effect) => positionFixture({ effect: effect as 1 | 2 }));
  expect(said(change, { ...HEDGE, positions }).name).toMatch(new RegExp(`^${label} 0\\.050 BTC, `));
});

test('all of a position is said as that, and not as a number', () => {
  const positions = [positionFixture({ quantity: '-0.5' })];
  const whole = said({ reduceOnly: true, size: '0.5', percent: 100 }, { positions });
  expect(whole.sends).toBe(text('trade.contract.sendsWhole'));
  expect(whole.name).toMatch(/^Buy \/ Long: all of it, /);
});

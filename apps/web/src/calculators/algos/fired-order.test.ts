import { type Amount, formatAmount, ORDER_TYPE, SIDE } from '@crossbook/domain';
import { venueProfile } from '@crossbook/venues';
import { describe, expect, test } from 'vitest';
import { contractFacts, SETTING } from '../contracts/contract.fixture.ts';
import { summariseContract } from '../contracts/contract-summary.ts';
import { coinsOf, emptyContractTicket } from '../contracts/contract-ticket.ts';
import { type AlgoEntry, EMPTY_ALGO } from './algo-entry.ts';
import { firedOrder } from './fired-order.ts';

const FACTS = contractFacts({ setting: { ...SETTING, marginMode: 'isolated' } });
const TICKET = {
  ...emptyContractTicket({ orderKind: 1, timeInForce: 1, sizeUnit: 'coin' }),
  ...{ side: SIDE.BUY, size: '0.1', price: '66100' },
};
const offer = venueProfile(1).trading.algos.SWAP;
const entry = (change: Partial<AlgoEntry>): AlgoEntry => ({ ...EMPTY_ALGO, trigger: '66000', ...change });
const shown = (value: Amount | undefined) => (value === undefined ? undefined : formatAmount(value));

function statsOf(change: Partial<AlgoEntry>, ticket = TICKET) {
  const fired = firedOrder(ticket, entry(change), { facts: FACTS, offer });
  const { value, cost, liquidationAfter } = summariseContract(fired.ticket, fired.facts, undefined);
  return { type: fired.ticket.type, value: shown(value), cost: shown(cost), liquidationAfter };
}

describe('an order that waits, at 60,000', () => {
  test.each([
    ['a stop at market by its trigger', {}, ORDER_TYPE.MARKET, '6600'],
    ['a stop at a limit by that', { market: false }, ORDER_TYPE.LIMIT, '6610'],
    ['one that trails by where it begins', { choice: 'trailing', activation: '70000' }, 2, '7000'],
    ['one that trails from now by the mark', { choice: 'trailing' }, ORDER_TYPE.MARKET, '6000'],
    ['an iceberg by its limit', { choice: 'iceberg' }, ORDER_TYPE.LIMIT, '6610'],
    ['nothing while its trigger is not filled in', { trigger: '' }, ORDER_TYPE.MARKET, undefined],
  ] as const)('is reckoned as %s', (_what, change, type, value) => {
    expect(statsOf(change)).toMatchObject({ type, value });
  });

  test('costs and is liquidated by the price of its moment, whatever the ticket of before says', () => {
    const market = statsOf({}, { ...TICKET, type: ORDER_TYPE.MARKET, price: '' });
    expect(market).toEqual(statsOf({}));
    // A twentieth of 6,600 and little more, not of what it would cost now with the gap as a loss.
    expect(Number(market.cost)).toBeGreaterThanOrEqual(330);
    expect(Number(market.cost)).toBeLessThan(335);
    expect(Number(shown(market.liquidationAfter))).toBeGreaterThan(62_000);
  });

  test('a size in money is that of its trigger', () => {
    const fired = firedOrder({ ...TICKET, unit: 'value', size: '6600' }, entry({}), { facts: FACTS, offer });
    const facts = { ...FACTS, largest: undefined, waitsFor: fired.waitsFor };
    expect(shown(coinsOf({ ...TICKET, unit: 'value', size: '6600' }, facts))).toBe('0.1');
  });
});

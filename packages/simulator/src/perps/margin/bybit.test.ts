import { type Amount, amount, formatAmount, formatAmountFixed, plus } from '@crossbook/domain';
import { describe, expect, test } from 'vitest';
import { BYBIT_RULES as rules } from './bybit.ts';
import { accountOf, atMark, contractOf, orderOf, positionOf, tiersOf } from './views.fixture.ts';

// v5/market/risk-limit of BTCUSDT as of 2024-12.
const TIERS = tiersOf('2000000 0.005 100', '2600000 0.0056 90 1200', '3200000 0.0063 80 3020');
const at = (mark: string) => contractOf({ tiers: TIERS, mark, takerFee: '0.00055' });
const eight = (value: Amount | undefined): string =>
  value === undefined ? '' : formatAmountFixed(plus(value, amount('0.000000005')), 8);

describe('an isolated position', () => {
  const long = positionOf(at('60000'), { size: '0.5', entry: '60000', leverage: 10, isolated: '3014.85' });
  const account = accountOf('9000', [long]);

  test('sets margin and the fee to close aside', () => {
    const fill = { contract: long.contract, lots: 500, price: amount('60000'), leverage: 10 };
    expect(formatAmount(rules.isolatedMove(undefined, fill))).toBe('3014.85');
    expect(formatAmount(rules.positionInitial(long))).toBe('3014.85');
    expect(formatAmount(rules.maintenance(long, account))).toBe('164.85');
    expect(formatAmount(rules.bankruptcyPrice(long, account))).toBe('54000');
    expect(formatAmount(rules.pool(account).available)).toBe('5985.15');
  });

  test('is liquidated where the fee to close cancels out', () => {
    expect(eight(rules.liquidationPrice(long, account))).toBe('54271.35678392');
    expect(formatAmount(rules.shownLiquidationPrice(long, account) ?? amount('0'))).toBe('54271.4');
  });
});

describe('a cross position', () => {
  const long = positionOf(at('59000'), { size: '0.5', entry: '60000', leverage: 10 });
  const account = accountOf('5000', [long]);

  test('has its margins at the mark', () => {
    const pool = rules.pool(account);
    expect(formatAmount(pool.positionInitial)).toBe('2964.85');
    expect(formatAmount(pool.maintenance)).toBe('162.35');
    expect(formatAmount(pool.equity)).toBe('4500');
    expect(formatAmount(pool.available)).toBe('1535.15');
    expect((pool.ratio * 100).toFixed(4)).toBe('3.6078');
  });

  test('is liquidated where equity is maintenance', () => {
    const price = rules.liquidationPrice(long, account);
    expect(eight(price)).toBe('50281.10552764');
    const there = rules.pool(atMark(account, 'BTC', price ?? amount('0')));
    expect(formatAmount(there.maintenance)).toBe('140.55276382');
    expect(formatAmount(there.equity)).toBe('140.55276382');
  });

  test('against an equal leg has only the fees to close', () => {
    const legs = [
      { ...long, side: 'LONG' as const },
      { ...long, side: 'SHORT' as const, lots: -long.lots },
    ];
    const hedged = accountOf('5000', legs);
    expect(legs.map((leg) => formatAmount(rules.maintenance(leg, hedged)))).toEqual(['14.85', '18.15']);
    expect(legs.map((leg) => rules.liquidationPrice(leg, hedged))).toEqual([undefined, undefined]);
  });
});

test('a risk tier takes its deduction off', () => {
  const position = positionOf(at('60000'), { size: '50', entry: '60000', leverage: 1 });
  // Fully backed by itself, so that there is nothing to close at.
  expect(formatAmount(rules.maintenance(position, accountOf('1', [position])))).toBe('15880');
});

test('break-even counts what was realised and the fee of the close', () => {
  const position = positionOf(at('60000'), { size: '0.5', entry: '60000', leverage: 10, fees: '16.5' });
  expect(eight(rules.breakEvenPrice(position))).toBe('60066.03631998');
});

describe('the cost of an order', () => {
  const long = positionOf(at('58000'), { size: '0.1', entry: '58000', leverage: 20 });
  test.each([
    ['margin, the fee to open and the fee to close', [], 'BUY 0.1 58000', '296.2205'],
    ['of a close', [long], 'SELL 0.1 58000', '0'],
    ['of a turn: only what it opens', [long], 'SELL 0.2 58000', '296.5395'],
    ['of a market buy: at the edge of the band', [], 'BUY 0.1', '311.031525'],
  ])('%s', (_, positions, order, cost) => {
    const account = accountOf('1000', positions);
    expect(formatAmount(rules.cost(orderOf(at('58000'), order, 20), account))).toBe(cost);
  });
});

test('a forced close goes down to the tier that suffices, or takes all', () => {
  const position = positionOf(at('60000'), { size: '50', entry: '60000', leverage: 50 });
  const step = (wallet: string) => rules.liquidationStep(position, accountOf(wallet, [position]));
  // 3,000,000 need 15,880 and 1,617 to close; at 2,600,000 it is 13,360 and 1,401 after a fee of 220.
  expect(step('17000')).toBe(Number(amount('6.667') / position.contract.lotSize));
  expect(step('9000')).toBe(50_000);
});

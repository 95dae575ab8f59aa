import { AMOUNT_ONE, type Amount, amount, formatAmount, formatAmountFixed, plus } from '@crossbook/domain';
import { describe, expect, test } from 'vitest';
import { OKX_RULES as rules } from './okx.ts';
import { accountOf, contractOf, orderOf, positionOf, tiersOf } from './views.fixture.ts';

// public/position-tiers of BTC-USDT, sizes in contracts of 0.01; the last two as of 2026-05.
const TIERS = tiersOf('1000 0.004 100', '100000 0.0275 25', '120000 0.0325 22.22');
const at = (mark: string, symbol = 'BTC') =>
  contractOf({ tiers: TIERS, mark, symbol, contractValue: '0.01' });
const eight = (value: Amount | undefined): string =>
  value === undefined ? '' : formatAmountFixed(plus(value, amount('0.000000005')), 8);
/** The venue's own ratio: the inverse of ours. */
const venueRatio = (ratio: number): string => (1 / ratio).toFixed(8);

describe('an isolated position', () => {
  const long = positionOf(at('60500'), { size: '50', entry: '60000', leverage: 10, isolated: '3000' });
  const short = { ...long, lots: -long.lots };
  const account = accountOf('9000', [long]);

  test('keeps its margin whatever the mark is', () => {
    expect(formatAmount(rules.positionInitial(long))).toBe('3000');
    expect(formatAmount(rules.maintenance(long, account))).toBe('121');
    expect(venueRatio(rules.ratio(long, account))).toBe('23.87511478');
  });

  test('is liquidated with the fee of the close, shown a tick early', () => {
    expect(eight(rules.liquidationPrice(long, account))).toBe('54244.09844299');
    expect(eight(rules.shownLiquidationPrice(long, account))).toBe('54244.19844299');
    expect(eight(rules.liquidationPrice(short, accountOf('9000', [short])))).toBe('65704.33051269');
    expect(eight(rules.shownLiquidationPrice(short, accountOf('9000', [short])))).toBe('65704.23051269');
  });
});

describe('a cross position', () => {
  const long = positionOf(at('60000'), { size: '50', entry: '60000', leverage: 10 });
  const account = accountOf('5000', [long]);

  test('shares the balance', () => {
    const pool = rules.pool(account);
    expect(formatAmount(pool.positionInitial)).toBe('3000');
    expect(formatAmount(pool.maintenance)).toBe('120');
    expect(formatAmount(pool.available)).toBe('2000');
    expect(venueRatio(pool.ratio)).toBe('37.03703704');
    expect(eight(rules.shownLiquidationPrice(long, account))).toBe('50226.01707685');
  });

  test('has less behind it when spot orders hold money', () => {
    const locked = { ...account, spotLocked: amount('1500') };
    expect(formatAmount(rules.pool(locked).available)).toBe('500');
    expect(venueRatio(rules.pool(locked).ratio)).toBe(venueRatio(135 / 3500));
  });

  test('with orders: the dearer direction with its fee, closing is free', () => {
    const contract = long.contract;
    const orders = [
      orderOf(contract, 'BUY 10 59000', 10),
      orderOf(contract, 'SELL 40 61000', 10),
      orderOf(contract, 'SELL 30 62000', 10),
    ];
    // Buying 590 + 2.95; of the sales the nearer 50 contracts close, 20 at 62,000 open: 1,240 + 6.2.
    expect(formatAmount(rules.pool({ ...account, orders }).orderInitial)).toBe('1246.2');
    expect(formatAmount(rules.cost(orderOf(contract, 'BUY 10 59000', 10), account))).toBe('592.95');
    expect(formatAmount(rules.cost(orderOf(contract, 'SELL 50 61000', 10), account))).toBe('0');
  });
});

test('isolated needs and fees of open orders do not stand behind cross positions', () => {
  const long = positionOf(at('60000'), { size: '50', entry: '60000', leverage: 10 });
  const resting = orderOf(long.contract, 'BUY 10 59000', 10);
  const account = accountOf('5000', [long], [resting, { ...resting, marginMode: 'ISOLATED' }]);
  // 5,000 less a fee of 2.95, less 590 and 2.95.
  expect(venueRatio(rules.pool(account).ratio)).toBe(venueRatio(135 / 4404.1));
  expect(formatAmount(rules.pool(account).orderInitial)).toBe('1185.9');
});

test('one contract over a border raises the maintenance of all of them', () => {
  const [at7, at8] = ['100000', '100001'].map((size) => {
    const position = positionOf(at('60000'), { size, entry: '60000', leverage: 10 });
    return formatAmountFixed(rules.maintenance(position, accountOf('9', [position])), 2);
  });
  expect([at7, at8]).toEqual(['1650000.00', '1950019.50']);
});

test('break-even of a short counts fees, funding and the fee of the close', () => {
  const short = positionOf(at('61000'), {
    size: '-20',
    entry: '61000',
    leverage: 10,
    fees: '6.1',
    funding: '1.2',
  });
  expect(eight(rules.breakEvenPrice(short))).toBe('60945.02748626');
});

describe('liquidation', () => {
  const step = (size: string, wallet: string) => {
    const position = positionOf(at('60000'), { size, entry: '60000', leverage: 20 });
    const lots = rules.liquidationStep(position, accountOf(wallet, [position]));
    return formatAmount(((BigInt(lots) * AMOUNT_ONE) / 1000n) as Amount);
  };
  test.each([
    ['goes down two tiers at a time', '100001', '400000', '99001'],
    ['takes all that would not pass at the first tier', '100001', '200000', '100001'],
    ['takes all of the second tier', '90000', '400000', '90000'],
  ])('%s', (_, size, wallet, closed) => {
    expect(step(size, wallet)).toBe(closed);
  });
});

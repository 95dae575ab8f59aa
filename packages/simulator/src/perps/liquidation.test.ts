import { amount, formatAmount, type Lots } from '@crossbook/domain';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AccountNumber } from '../exchange.ts';
import { ContractRig } from './contract-rig.fixture.ts';

const BTC = 'BTCUSDT';
const ETH = 'ETHUSDT';
let rig: ContractRig;
let alice: AccountNumber;

beforeEach(async () => {
  rig = await ContractRig.open('binance');
  alice = await rig.member('alice', '5000');
});
afterEach(() => rig.exchange.close());

const wallet = (account: AccountNumber): string => formatAmount(rig.wallet(account));

describe('funding', () => {
  test('is paid once at each contract’s own time, from whom is long to whom is short', async () => {
    const bob = await rig.member('bob', '5000');
    rig.marks.set(BTC, 61_234.5);
    await rig.trade(alice, BTC, { lots: 250, at: 60_000 });
    await rig.trade(bob, BTC, { lots: -250, at: 60_000 });
    await rig.trade(alice, ETH, { lots: 10, at: 60_000 });
    const paid = (account: AccountNumber) =>
      rig.perps
        .income(account, { limit: 100 })
        .filter(({ kind }) => kind === 'FUNDING')
        .map(({ symbol, amount: moved, time }) => [symbol, formatAmount(moved), (time / 3_600_000) % 24]);
    rig.pass(3.4 * 3_600_000);
    expect(paid(alice)).toEqual([]);
    rig.pass(8 * 3_600_000);
    rig.pass(1_000);
    expect(paid(alice)).toEqual([
      [ETH, '-0.06', 4],
      [BTC, '-1.5308625', 8],
      [ETH, '-0.06', 8],
    ]);
    expect(paid(bob)).toEqual([[BTC, '1.5308625', 8]]);
    expect(rig.perps.positions(alice, BTC)).toMatchObject([{ funding: amount('-1.5308625') }]);
    rig.perps.fundNow(BTC);
    expect(paid(bob)).toHaveLength(2);
  });

  test('falls on what was open at that instant, though the order after it comes first', async () => {
    await rig.trade(alice, BTC, { lots: 100, at: 60_000 });
    rig.now = (rig.now + 8 * 3_600_000) as typeof rig.now;
    await rig.trade(alice, BTC, { lots: -100, at: 60_000 });
    const kinds = rig.perps.income(alice, { limit: 10 }).map(({ kind }) => kind);
    expect(kinds).toEqual(['TRANSFER', 'COMMISSION', 'FUNDING', 'COMMISSION']);
  });
});

describe('liquidation', () => {
  test('of an isolated position: orders first, the book, what is left to the fund', async () => {
    await rig.perps.setMarginMode(alice, BTC, 'ISOLATED');
    await rig.trade(alice, BTC, { lots: 500, at: 60_000 });
    await rig.place(alice, BTC, { side: 'SELL', quantity: 100 as Lots, at: 61_000, reduceOnly: true });
    rig.house(BTC, 'BUY', 57_200, 2_000);
    await rig.quiet();
    rig.lines();
    const fund = rig.perps.insuranceFund();
    rig.mark(BTC, 57_229);
    expect(rig.perps.positions(alice)).toHaveLength(1);
    rig.mark(BTC, 57_228);
    await rig.quiet();
    expect(rig.perps.positions(alice)).toEqual([]);
    expect(rig.lines()).toEqual([
      '1 MARGIN_CALL',
      '1 EXPIRED MEMBER EXPIRED LIQUIDATION',
      '1 LIQUIDATING',
      '1 NEW LIQUIDATION NEW',
      '1 LIQUIDATION REALIZED_PNL -1400',
      '1 LIQUIDATION LIQUIDATION FILLED',
      '1 INSURANCE LIQUIDATION_FEE -100',
      'public SELL 500',
    ]);
    expect(wallet(alice)).toBe('3485');
    expect(rig.perps.insuranceFund() - fund).toBe(amount('100'));
    expect(rig.perps.closedPositions(alice, { limit: 5 })).toMatchObject([
      { ended: 'LIQUIDATED', liquidationFee: amount('100'), realisedPnl: amount('-1400') },
    ]);
  });

  test('of a cross pool leaves nothing, and the fund takes over what the book does not', async () => {
    await rig.perps.setLeverage(alice, BTC, { leverage: 125, side: 'BOTH' });
    await rig.trade(alice, BTC, { lots: 4_000, at: 60_000 });
    rig.house(BTC, 'BUY', 58_500, 1_000);
    const fund = rig.perps.insuranceFund();
    rig.mark(BTC, 58_000);
    await rig.quiet();
    expect(rig.perps.positions(alice)).toEqual([]);
    expect(wallet(alice)).toBe('0');
    expect(rig.perps.insuranceFund()).toBeLessThan(fund);
    expect(
      rig.perps.perpFills(alice, { limit: 9 }).map(({ origin, quantity }) => [origin, quantity]),
    ).toEqual([
      ['MEMBER', 4_000],
      ['TAKEOVER', 4_000],
    ]);
  });

  test('of nothing: who closes beyond bankruptcy owes nothing, the fund pays', async () => {
    await rig.perps.setLeverage(alice, BTC, { leverage: 125, side: 'BOTH' });
    await rig.trade(alice, BTC, { lots: 4_000, at: 60_000 });
    await rig.trade(alice, BTC, { lots: -4_000, at: 58_700 });
    const owed = rig.wallet(alice);
    expect(owed).toBeLessThan(-amount('200'));
    const fund = rig.perps.insuranceFund();
    rig.pass(1_000);
    expect(wallet(alice)).toBe('0');
    expect(rig.perps.insuranceFund()).toBe(fund + owed);
    expect(rig.perps.income(alice, { limit: 1 })).toMatchObject([{ kind: 'INSURANCE', amount: -owed }]);
  });

  test('of a large position takes as much as its tier needs', async () => {
    const whale = await rig.member('whale', '1450000');
    await rig.perps.setLeverage(whale, BTC, { leverage: 10, side: 'BOTH' });
    await rig.trade(whale, BTC, { lots: 240_000, at: 60_000 });
    rig.house(BTC, 'BUY', 55_000, 200_000);
    rig.mark(BTC, 54_900);
    expect(rig.perps.positions(whale)).toMatchObject([{ tier: 4 }]);
    expect(rig.perps.pool(whale).ratio).toBeLessThan(1);
    expect(wallet(whale)).not.toBe('0');
  });

  test('without a fund takes from those who won, first who won most at the highest leverage', async () => {
    const [bold, careful] = [await rig.member('bold', '2500'), await rig.member('careful', '60000')];
    await rig.perps.setLeverage(bold, BTC, { leverage: 100, side: 'BOTH' });
    await rig.trade(bold, BTC, { lots: -3_000, at: 60_000 });
    await rig.trade(careful, BTC, { lots: -3_000, at: 60_000 });
    await rig.perps.setLeverage(alice, BTC, { leverage: 125, side: 'BOTH' });
    await rig.trade(alice, BTC, { lots: 4_000, at: 60_000 });
    rig.perps.moveFund(-rig.perps.insuranceFund() as never);
    rig.mark(BTC, 58_000);
    expect(rig.perps.positions(alice)).toEqual([]);
    expect(rig.perps.positions(bold)).toEqual([]);
    expect(rig.perps.positions(careful)).toMatchObject([{ quantity: -2_000 }]);
    expect(wallet(alice)).toBe('0');
    expect(rig.perps.insuranceFund()).toBe(0n);
    const [taken] = rig.perps.perpFills(bold, { limit: 1 });
    expect(taken).toMatchObject({ origin: 'ADL', fee: 0n, quantity: 3_000 });
  });
});

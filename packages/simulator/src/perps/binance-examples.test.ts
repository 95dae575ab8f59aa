import { amount, formatAmount, type Lots } from '@crossbook/domain';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AccountNumber } from '../exchange.ts';
import { ContractRig } from './contract-rig.fixture.ts';

/** Positions of Binance by hand: figures that the exchange's own formulas give, worked out apart from ours. */

const BTC = 'BTCUSDT';
let rig: ContractRig;
let alice: AccountNumber;

beforeEach(async () => {
  rig = await ContractRig.open('binance');
  alice = await rig.member('alice', '50000');
});
afterEach(() => rig.exchange.close());

const position = () => rig.perps.positions(alice)[0];

describe('a position of Binance', () => {
  test('isolated, 20 times: margin from the wallet, liquidation price without a fee', async () => {
    await rig.perps.setMarginMode(alice, BTC, 'ISOLATED');
    await rig.trade(alice, BTC, { lots: 500, at: 60_000 });
    expect(position()).toMatchObject({
      quantity: 500,
      entryPrice: amount('60000'),
      isolatedWallet: amount('1500'),
      liquidationPrice: amount('57228.91566265'),
      bankruptcyPrice: amount('57000'),
      marginMode: 'ISOLATED',
    });
    expect(rig.perps.pool(alice)).toMatchObject({ crossWallet: amount('48485'), wallet: amount('49985') });
  });

  test('cross: the whole wallet stands behind it, by the tier of the liquidation price', async () => {
    await rig.exchange.credit(alice, 'USDT', amount('300'), 'fee');
    await rig.perps.movePocket(alice, amount('300'), 'fee');
    await rig.trade(alice, BTC, { lots: 10_000, at: 60_000 });
    expect(formatAmount(position()?.liquidationPrice ?? amount('0'))).toBe('55246.23115578');
  });

  test('hedged: both legs have one liquidation price', async () => {
    const bob = await rig.member('bob', '12165.75');
    await rig.perps.setPositionMode(bob, BTC, 'HEDGE');
    await rig.perps.setLeverage(bob, BTC, { leverage: 100, side: 'BOTH' });
    await rig.trade(bob, BTC, { lots: 4_000, at: 60_000, positionSide: 'LONG' });
    await rig.trade(bob, BTC, { lots: -1_500, at: 61_000, positionSide: 'SHORT' });
    const shown = rig.perps
      .positions(bob)
      .map(({ liquidationPrice, quantity }) => [quantity, liquidationPrice]);
    expect(shown).toEqual([
      [4_000, amount('55084.74576271')],
      [-1_500, amount('55084.74576271')],
    ]);
  });

  test('only the worse side of resting orders takes margin', async () => {
    await rig.perps.setLeverage(alice, BTC, { leverage: 10, side: 'BOTH' });
    rig.marks.set(BTC, 62_000);
    await rig.trade(alice, BTC, { lots: 200, at: 62_000 });
    await rig.place(alice, BTC, { side: 'BUY', quantity: 100 as Lots, at: 61_000 });
    await rig.place(alice, BTC, { side: 'SELL', quantity: 500 as Lots, at: 63_000 });
    expect(rig.perps.pool(alice)).toMatchObject({
      positionInitial: amount('1240'),
      orderInitial: amount('670'),
    });
  });

  test('a flip closes all, then opens the rest at the fill', async () => {
    const bob = await rig.member('bob', '1009');
    await rig.perps.setLeverage(bob, BTC, { leverage: 100, side: 'BOTH' });
    await rig.trade(bob, BTC, { lots: 300, at: 60_000 });
    expect(rig.wallet(bob)).toBe(amount('1000'));
    rig.marks.set(BTC, 61_000);
    const fills = await rig.trade(bob, BTC, { lots: -500, at: 61_000 });
    expect(fills).toMatchObject([{ realisedPnl: amount('300'), fee: amount('15.25'), closedQuantity: 300 }]);
    expect(rig.wallet(bob)).toBe(amount('1284.75'));
    expect(rig.perps.positions(bob)).toMatchObject([{ quantity: -200, entryPrice: amount('61000') }]);
    expect(rig.perps.closedPositions(bob, { limit: 10 })).toMatchObject([
      { maxQuantity: 300, realisedPnl: amount('300'), direction: 'LONG', ended: 'CLOSED' },
    ]);
    expect(
      rig.perps.income(bob, { limit: 10 }).map(({ kind, amount: moved }) => [kind, formatAmount(moved)]),
    ).toEqual([
      ['TRANSFER', '1009'],
      ['COMMISSION', '-9'],
      ['REALIZED_PNL', '300'],
      ['COMMISSION', '-15.25'],
    ]);
  });
});

import { amount, formatAmount, type Lots, type Ticks } from '@crossbook/domain';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AccountNumber } from '../exchange.ts';
import { ContractRig } from './contract-rig.fixture.ts';

/** Venues where one wallet serves spot and contracts, by hand: figures worked out from the exchanges' own formulas. */

let rig: ContractRig;
let alice: AccountNumber;
afterEach(() => rig.exchange.close());

const shown = (value: bigint | undefined): string => formatAmount((value ?? 0n) as never);

describe('OKX', () => {
  const BTC = 'BTC-USDT-SWAP';
  beforeEach(async () => {
    rig = await ContractRig.open('okx');
    alice = await rig.member('alice', '5015');
    await rig.perps.setLeverage(alice, BTC, { leverage: 10, side: 'BOTH', marginMode: 'CROSS' });
    await rig.perps.setLeverage(alice, BTC, { leverage: 10, side: 'BOTH', marginMode: 'ISOLATED' });
  });

  test('isolated by the order: margin at entry, liquidation with fee and a tick', async () => {
    await rig.trade(alice, BTC, { lots: 5_000, at: 60_000, marginMode: 'ISOLATED' });
    rig.marks.set(BTC, 60_500);
    const [position] = rig.perps.positions(alice);
    expect(position).toMatchObject({ isolatedWallet: amount('3000'), maintenanceMargin: amount('121') });
    expect(1 / (position?.ratio ?? 0)).toBeCloseTo(23.87511478, 6);
    expect(shown(position?.liquidationPrice).slice(0, 14)).toBe('54244.19844299');
  });

  test('isolated margin that was added may be taken again, what the leverage asks for may not', async () => {
    await rig.trade(alice, BTC, { lots: 5_000, at: 60_000, marginMode: 'ISOLATED' });
    const key = { account: alice, symbol: BTC, side: 'BOTH', marginMode: 'ISOLATED' } as const;
    expect(await rig.perps.moveMargin(key, amount('200'))).toMatchObject({ ok: true });
    const tooMuch = await rig.perps.moveMargin(key, amount('-200.00000001'));
    expect(tooMuch).toEqual({ ok: false, code: 'INSUFFICIENT_MARGIN' });
    const taken = await rig.perps.moveMargin(key, amount('-200'));
    expect(taken).toMatchObject({ ok: true, value: { isolatedWallet: amount('3000') } });
  });

  test('leverage of a margin mode stays while orders of it rest', async () => {
    expect(await rig.place(alice, BTC, { at: 59_000, marginMode: 'CROSS' })).toEqual([]);
    const change = { leverage: 5, side: 'BOTH' } as const;
    expect(await rig.perps.setLeverage(alice, BTC, { ...change, marginMode: 'CROSS' })).toEqual({
      ok: false,
      code: 'HAS_ORDERS',
    });
    const other = await rig.perps.setLeverage(alice, BTC, { ...change, marginMode: 'ISOLATED' });
    expect(other).toMatchObject({ ok: true });
  });

  test('an account trades contracts once it is switched, and is switched back only when nothing is open', async () => {
    expect(rig.perps.tradesContracts(alice)).toBe(false);
    expect(await rig.perps.setTradesContracts(alice, true)).toMatchObject({ ok: true });
    expect(await rig.perps.setTradesContracts(alice, true)).toMatchObject({ code: 'UNCHANGED' });
    await rig.trade(alice, BTC, { lots: 500, at: 60_000 });
    expect(await rig.perps.setTradesContracts(alice, false)).toMatchObject({ code: 'HAS_POSITIONS' });
    await rig.trade(alice, BTC, { lots: -500, at: 60_000 });
    expect(await rig.perps.setTradesContracts(alice, false)).toMatchObject({ ok: true });
    expect(rig.perps.tradesContracts(alice)).toBe(false);
  });

  test('cross: the rest is free, also for spot, and what is in use is not', async () => {
    await rig.trade(alice, BTC, { lots: 5_000, at: 60_000, marginMode: 'CROSS' });
    const [position] = rig.perps.positions(alice);
    expect(position).toMatchObject({ initialMargin: amount('3000'), maintenanceMargin: amount('120') });
    expect(shown(position?.liquidationPrice).slice(0, 13)).toBe('50226.0170768');
    expect(rig.perps.pool(alice)).toMatchObject({ wallet: amount('5000'), available: amount('2000') });
    const buy = (quantity: number, clientId: string) =>
      rig.exchange.place({
        ...{ account: alice, symbol: 'AAAUSDT', side: 'BUY', kind: 'LIMIT', timeInForce: 'GTC', clientId },
        ...{ price: 10_000 as Ticks, quantity: quantity as Lots, selfTradePrevention: 'NONE' },
      });
    expect(await buy(20_001, 'more')).toEqual({ ok: false, code: 'INSUFFICIENT_BALANCE' });
    expect(await buy(15_000, 'less')).toMatchObject({ ok: true });
    expect(rig.perps.pool(alice)).toMatchObject({ available: amount('500') });
    const out = { from: alice, to: 0 as AccountNumber, asset: 'USDT', transferId: 'out' };
    const refused = await rig.exchange.transfer({ ...out, amount: amount('500.00000001') });
    expect(refused).toEqual({ ok: false, code: 'INSUFFICIENT_BALANCE' });
    expect(await rig.exchange.transfer({ ...out, amount: amount('500') })).toMatchObject({ ok: true });
    expect(await rig.place(alice, BTC, { at: 60_000, quantity: 10 as Lots })).toBe('INSUFFICIENT_MARGIN');
  });

  test('transfers at once are each reported with their own entry', async () => {
    const bob = await rig.member('bob', '100');
    rig.reported.length = 0;
    const move = { from: alice, to: bob, asset: 'USDT' };
    await Promise.all(
      ['1', '2', '3'].map((many) =>
        rig.exchange.transfer({ ...move, amount: amount(many), transferId: `move ${many}` }),
      ),
    );
    const reported = rig.reported.flatMap((one) => (one.what === 'account' ? one.event.income : []));
    const kept = [alice, bob].flatMap((one) => rig.perps.income(one, { limit: 3 }));
    expect(reported.toSorted((a, b) => a.sequence - b.sequence)).toEqual(
      kept.toSorted((a, b) => a.sequence - b.sequence),
    );
    expect(new Set(reported.map(({ sequence }) => sequence)).size).toBe(6);
  });

  test('a flip realises what it closed', async () => {
    await rig.trade(alice, BTC, { lots: 500, at: 60_000 });
    const fills = await rig.trade(alice, BTC, { lots: -800, at: 60_900 });
    expect(fills).toMatchObject([{ realisedPnl: amount('45'), fee: amount('2.436') }]);
    expect(rig.perps.positions(alice)).toMatchObject([{ quantity: -300, entryPrice: amount('60900') }]);
  });

  test('cross and isolated stand side by side, and a leg closes no more than it has', async () => {
    await rig.trade(alice, BTC, { lots: 500, at: 60_000, marginMode: 'CROSS' });
    await rig.trade(alice, BTC, { lots: -500, at: 60_000, marginMode: 'ISOLATED' });
    expect(rig.perps.positions(alice)).toMatchObject([
      { marginMode: 'CROSS', quantity: 500 },
      { marginMode: 'ISOLATED', quantity: -500 },
    ]);
    expect(await rig.perps.setPositionMode(alice, undefined, 'HEDGE')).toEqual({
      ok: false,
      code: 'HAS_POSITIONS',
    });
    const bob = await rig.member('bob', '5000');
    await rig.perps.setPositionMode(bob, undefined, 'HEDGE');
    await rig.trade(bob, BTC, { lots: 500, at: 60_000, positionSide: 'LONG' });
    const close = { side: 'SELL', positionSide: 'LONG', at: 61_000, quantity: 300 as Lots } as const;
    expect(await rig.place(bob, BTC, close)).toEqual([]);
    expect(await rig.place(bob, BTC, close)).toBe('CLOSE_TOO_LARGE');
  });
});

describe('Bybit', () => {
  const BTC = 'BTCUSDT';
  beforeEach(async () => {
    rig = await ContractRig.open('bybit');
    alice = await rig.member('alice', '5016.5');
  });

  test('isolated of the whole account: margin with the fee to close', async () => {
    await rig.perps.setMarginMode(alice, BTC, 'ISOLATED');
    await rig.trade(alice, BTC, { lots: 500, at: 60_000 });
    const [position] = rig.perps.positions(alice);
    expect(position).toMatchObject({
      isolatedWallet: amount('3014.85'),
      initialMargin: amount('3014.85'),
      maintenanceMargin: amount('164.85'),
    });
  });

  test('cross: initial margin at the mark, what is available is the rest', async () => {
    await rig.trade(alice, BTC, { lots: 500, at: 60_000 });
    rig.marks.set(BTC, 59_000);
    expect(rig.perps.pool(alice)).toMatchObject({
      wallet: amount('5000'),
      positionInitial: amount('2964.85'),
      maintenance: amount('162.35'),
      available: amount('1535.15'),
    });
  });

  test('a part that is closed carries its share of the fee of opening', async () => {
    await rig.trade(alice, BTC, { lots: 500, at: 60_000 });
    const [fill] = await rig.trade(alice, BTC, { lots: -200, at: 61_000 });
    expect(fill).toMatchObject({ realisedPnl: amount('200'), fee: amount('6.71'), entryFee: amount('6.6') });
    expect(rig.wallet(alice)).toBe(amount('5193.29'));
  });

  test('a liquidation cancels what spot locks, and nothing is owed or left in the end', async () => {
    await rig.trade(alice, BTC, { lots: 500, at: 60_000 });
    const locked = await rig.exchange.place({
      ...{
        account: alice,
        symbol: 'AAAUSDT',
        side: 'BUY',
        kind: 'LIMIT',
        timeInForce: 'GTC',
        clientId: 'spot',
      },
      ...{ price: 10_000 as Ticks, quantity: 15_000 as Lots, selfTradePrevention: 'NONE' },
    });
    expect(locked).toMatchObject({ ok: true });
    rig.mark(BTC, 49_000);
    await rig.quiet();
    expect(rig.exchange.openOrders(alice)).toEqual([]);
    expect(rig.perps.positions(alice)).toEqual([]);
    const [left] = rig.exchange.balances(alice);
    expect(left?.locked).toBe(0n);
    expect(left?.free).toBeLessThan(amount('2'));
  });
});

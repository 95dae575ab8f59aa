import type { Lots, PlatformSlug, Ticks } from '@crossbook/domain';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AccountNumber } from '../exchange.ts';
import { ContractRig } from './contract-rig.fixture.ts';

/** Forced closes at the venues whose steps are not Binance's, in the book and to the end. */

let rig: ContractRig;
afterEach(() => rig.exchange.close());

async function opened(slug: PlatformSlug, funds: string, leverage: number): Promise<AccountNumber> {
  rig = await ContractRig.open(slug);
  const member = await rig.member('alice', funds);
  if (slug === 'okx') await rig.perps.setTradesContracts(member, true);
  for (const symbol of rig.symbols)
    await rig.perps.setLeverage(member, symbol, { leverage, side: 'BOTH', marginMode: 'CROSS' });
  return member;
}

/** Lots of a whole coin in the rig. */
const LOTS = { okx: 10_000, bybit: 1_000 };

const forced = (member: AccountNumber) =>
  rig.perps
    .perpFills(member, { limit: 100 })
    .filter(({ origin }) => origin !== 'MEMBER')
    .map(({ symbol, positionSide, side, quantity, origin }) => ({
      symbol,
      positionSide,
      side,
      quantity,
      origin,
    }));

describe('OKX', () => {
  test('sets opposite legs off at the mark, and sells nothing where that suffices', async () => {
    const alice = await opened('okx', '5000', 20);
    const [btc = ''] = rig.symbols;
    await rig.perps.setPositionMode(alice, undefined, 'HEDGE');
    const cross = { marginMode: 'CROSS' } as const;
    await rig.trade(alice, btc, { lots: 5_000, at: 60_000, positionSide: 'LONG', ...cross });
    await rig.trade(alice, btc, { lots: -2_000, at: 60_000, positionSide: 'SHORT', ...cross });
    rig.house(btc, 'BUY', 43_690, 3_000);
    rig.mark(btc, 43_700);
    await rig.quiet();
    expect(forced(alice)).toEqual([
      { symbol: btc, positionSide: 'LONG', side: 'SELL', quantity: 2_000, origin: 'LIQUIDATION' },
      { symbol: btc, positionSide: 'SHORT', side: 'BUY', quantity: 2_000, origin: 'LIQUIDATION' },
    ]);
    const prices = rig.perps
      .perpFills(alice, { limit: 100 })
      .filter(({ origin }) => origin === 'LIQUIDATION');
    expect(prices.slice(0, 2).map(({ exactPrice }) => Number(exactPrice / 10n ** 18n))).toEqual([
      43_700, 43_700,
    ]);
    expect(rig.perps.positions(alice)).toMatchObject([{ side: 'LONG', quantity: 3_000 }]);
    expect(rig.perps.pool(alice).ratio).toBeLessThan(1);
  });

  test('an isolated leg falls alone: the isolated leg on the other side has a margin of its own', async () => {
    const alice = await opened('okx', '20000', 20);
    const [btc = ''] = rig.symbols;
    await rig.perps.setPositionMode(alice, undefined, 'HEDGE');
    const isolated = { marginMode: 'ISOLATED' } as const;
    for (const side of ['LONG', 'SHORT'] as const)
      await rig.perps.setLeverage(alice, btc, { leverage: 5, side, ...isolated });
    await rig.trade(alice, btc, { lots: 1_000, at: 60_000, positionSide: 'LONG', ...isolated });
    await rig.trade(alice, btc, { lots: -500, at: 60_000, positionSide: 'SHORT', ...isolated });
    rig.house(btc, 'BUY', 47_990, 3_000);
    rig.mark(btc, 48_000);
    await rig.quiet();
    expect(forced(alice)).toMatchObject([{ positionSide: 'LONG', side: 'SELL', quantity: 1_000 }]);
    expect(rig.perps.positions(alice)).toMatchObject([{ side: 'SHORT', quantity: -500 }]);
  });

  describe('cancels what costs margin before anything is sold', () => {
    let alice: AccountNumber;
    let btc: string;
    beforeEach(async () => {
      alice = await opened('okx', '5000', 20);
      btc = rig.symbols[0] ?? '';
      const cross = { marginMode: 'CROSS' } as const;
      await rig.trade(alice, btc, { lots: 3_000, at: 60_000, ...cross });
      await rig.place(alice, btc, { side: 'BUY', quantity: 8_000 as Lots, at: 45_000, ...cross });
      await rig.place(alice, btc, { side: 'SELL', quantity: 2_000 as Lots, at: 70_000, ...cross });
      await rig.quiet();
      rig.lines();
    });
    // 4,991 left of the wallet, 1,818 in the order: 67 for maintenance and fee are missing from 49,643 down.
    const received = async () => {
      await rig.quiet();
      return rig.lines().filter((line) => !/MARGIN_CALL/.test(line));
    };
    const left = () => rig.perps.openPerpOrders(alice).map(({ side }) => side);

    test('at a mark: what only closes stays, and so does the position', async () => {
      rig.mark(btc, 49_700);
      expect(await received()).toEqual([]);
      rig.mark(btc, 49_600);
      expect(await received()).toEqual(['1 CANCELED MEMBER CANCELED MARGIN']);
      expect(left()).toEqual(['SELL']);
      expect(rig.perps.positions(alice)).toMatchObject([{ quantity: 3_000 }]);
    });

    test('by funding', async () => {
      rig.mark(btc, 49_700);
      rig.rates.set(btc, 0.005);
      await received();
      rig.perps.fundNow(btc);
      expect(await received()).toEqual(['1 FUNDING FUNDING -74.55', '1 CANCELED MEMBER CANCELED FUNDING']);
      expect(left()).toEqual(['SELL']);
    });

    test('at the mark of a liquidation too, whose own cancels come after them', async () => {
      rig.house(btc, 'BUY', 43_500, 3_000);
      rig.mark(btc, 43_400);
      expect((await received()).slice(0, 3)).toEqual([
        '1 CANCELED MEMBER CANCELED MARGIN',
        '1 CANCELED MEMBER CANCELED LIQUIDATION',
        '1 LIQUIDATING',
      ]);
    });
  });

  test('takes a large position down two tiers, and no further where that suffices', async () => {
    const whale = await opened('okx', '1000000', 20);
    const [btc = ''] = rig.symbols;
    await rig.trade(whale, btc, { lots: 250 * LOTS.okx, at: 60_000, marginMode: 'CROSS' });
    expect(rig.perps.positions(whale)).toMatchObject([{ tier: 4 }]);
    rig.house(btc, 'BUY', 56_790, 220 * LOTS.okx);
    rig.mark(btc, 56_800);
    expect(forced(whale)).toMatchObject([{ quantity: 200 * LOTS.okx, origin: 'LIQUIDATION' }]);
    expect(rig.perps.positions(whale)).toMatchObject([{ tier: 2, quantity: 50 * LOTS.okx }]);
    expect(rig.perps.pool(whale).ratio).toBeLessThan(1);
  });

  test('takes all of a large position that would not pass at the first tier either', async () => {
    const whale = await opened('okx', '1000000', 20);
    const [btc = ''] = rig.symbols;
    await rig.trade(whale, btc, { lots: 250 * LOTS.okx, at: 60_000, marginMode: 'CROSS' });
    rig.house(btc, 'BUY', 56_190, 260 * LOTS.okx);
    rig.mark(btc, 56_200);
    expect(rig.perps.positions(whale)).toEqual([]);
    expect(forced(whale).reduce((sum, { quantity }) => sum + quantity, 0)).toBe(250 * LOTS.okx);
  });
});

describe('Binance', () => {
  test('of a cross pool all orders expire, whatever their symbol; those of isolated symbols stay', async () => {
    rig = await ContractRig.open('binance', { coins: ['BTC', 'ETH', 'SOL'] });
    const alice = await rig.member('alice', '5000');
    const [btc = '', eth = '', sol = ''] = rig.symbols;
    await rig.perps.setMarginMode(alice, sol, 'ISOLATED');
    await rig.trade(alice, btc, { lots: 1_000, at: 60_000 });
    await rig.place(alice, eth, { side: 'BUY', quantity: 100 as Lots, at: 40_000 });
    await rig.place(alice, btc, { side: 'SELL', quantity: 100 as Lots, at: 70_000, reduceOnly: true });
    await rig.place(alice, sol, { side: 'BUY', quantity: 100 as Lots, at: 40_000 });
    rig.house(btc, 'BUY', 55_000, 1_000);
    await rig.quiet();
    rig.lines();
    rig.mark(btc, 54_900);
    await rig.quiet();
    const expired = '1 EXPIRED MEMBER EXPIRED LIQUIDATION';
    const received = rig.lines().filter((line) => !/MARGIN_CALL/.test(line));
    expect(received.slice(0, 4)).toEqual([expired, expired, '1 LIQUIDATING', '1 NEW LIQUIDATION NEW']);
    expect(rig.perps.openPerpOrders(alice)).toMatchObject([{ symbol: sol, status: 'NEW' }]);
  });
});

describe('Bybit', () => {
  test('of the whole account the orders go first, those of pairs that buy too', async () => {
    const alice = await opened('bybit', '5000', 10);
    const [btc = '', eth = ''] = rig.symbols;
    await rig.trade(alice, btc, { lots: 700, at: 60_000 });
    await rig.place(alice, eth, { side: 'BUY', quantity: 10 as Lots, at: 40_000 });
    const locked = await rig.exchange.place({
      ...{ account: alice, symbol: 'AAAUSDT', side: 'BUY', kind: 'LIMIT', timeInForce: 'GTC' },
      ...{ price: 5_000 as Ticks, quantity: 100 as Lots, clientId: 'spot', selfTradePrevention: 'NONE' },
    });
    expect(locked).toMatchObject({ ok: true });
    rig.house(btc, 'BUY', 53_000, 700);
    await rig.quiet();
    rig.lines();
    rig.mark(btc, 53_000);
    await rig.quiet();
    const received = rig.lines().filter((line) => !/MARGIN_CALL/.test(line));
    expect(received[0]).toBe('1 CANCELED MEMBER CANCELED LIQUIDATION');
    expect(received[1]).toBe('1 LIQUIDATING');
    expect(rig.perps.openPerpOrders(alice)).toEqual([]);
    expect(rig.exchange.openOrders(alice)).toEqual([]);
  });

  test('of several cross positions closes the biggest loss first', async () => {
    const alice = await opened('bybit', '5000', 10);
    const [btc = '', eth = ''] = rig.symbols;
    await rig.trade(alice, eth, { lots: 200, at: 60_000 });
    await rig.trade(alice, btc, { lots: 400, at: 60_000 });
    rig.house(btc, 'BUY', 47_900, 400);
    rig.house(eth, 'BUY', 59_900, 200);
    rig.mark(eth, 59_990);
    rig.mark(btc, 47_900);
    expect(forced(alice)[0]).toMatchObject({ symbol: btc, quantity: 400 });
    expect(rig.perps.positions(alice, btc)).toEqual([]);
  });

  test('of a larger position closes the difference to the tier that suffices', async () => {
    const whale = await opened('bybit', '64000', 50);
    const [btc = ''] = rig.symbols;
    await rig.trade(whale, btc, { lots: 50 * LOTS.bybit, at: 60_000 });
    expect(rig.perps.positions(whale)).toMatchObject([{ tier: 3 }]);
    rig.house(btc, 'BUY', 59_060, 50 * LOTS.bybit);
    rig.mark(btc, 59_060);
    const [left] = rig.perps.positions(whale);
    expect(left).toMatchObject({ tier: 2 });
    // 2,600,000 at 59,060.
    expect(left?.quantity).toBe(44_023);
    expect(forced(whale)).toMatchObject([{ quantity: 5_977, origin: 'LIQUIDATION' }]);
    expect(rig.perps.pool(whale).ratio).toBeLessThan(1);
  });
});

import { type Amount, amount, formatAmount, type Lots, PLATFORMS, type Ticks } from '@crossbook/domain';
import { afterEach, describe, expect, test } from 'vitest';
import { HOUSE } from '../accounts/state/balances.ts';
import type { AccountNumber } from '../exchange.ts';
import { ContractRig, RIG_START } from './contract-rig.fixture.ts';

let rig: ContractRig;
afterEach(() => rig.exchange.close());

/** The mark and index of a contract climb by a dollar a minute, to 60,000 at the beginning of the rig. */
const climbing = (_symbol: string, time: number) => 60_000 + (time - RIG_START) / 60_000;

const moneyOf = (account: AccountNumber): bigint =>
  rig.slug === 'binance'
    ? rig.wallet(account)
    : rig.exchange
        .balances(account)
        .reduce((sum, { asset, free, locked }) => (asset === 'USDT' ? sum + free + locked : sum), 0n);

describe.each(PLATFORMS.map(({ slug }) => slug))('a contract that is delisted at %s', (slug) => {
  test('is settled at the mean index of its last hour: whose, how much, and nothing is left of it', async () => {
    rig = await ContractRig.open(slug, { path: climbing });
    const [btc = '', eth = ''] = rig.symbols;
    const alice = await rig.member('alice', '5000');
    const bob = await rig.member('bob', '5000');
    const before = moneyOf(alice) + moneyOf(bob) + moneyOf(HOUSE) + rig.perps.insuranceFund();
    await rig.perps.setPositionMode(bob, slug === 'bybit' ? btc : undefined, 'HEDGE');
    // 0.02 BTC long; 0.01 long and 0.03 short in legs; another contract.
    const lots = (thousandths: number) => (slug === 'okx' ? thousandths * 10 : thousandths);
    await rig.trade(alice, btc, { lots: lots(20), at: 60_000 });
    await rig.trade(alice, eth, { lots: lots(10), at: 60_000 });
    await rig.trade(bob, btc, { lots: lots(10), at: 60_000, positionSide: 'LONG' });
    await rig.trade(bob, btc, { lots: lots(-30), at: 60_000, positionSide: 'SHORT' });
    await rig.place(alice, btc, { quantity: lots(5) as Lots, at: 59_000 });
    const stop = {
      purpose: 'STOP',
      trigger: { at: 'PRICE', by: 'MARK', direction: 'FALL', price: 500_000 as Ticks },
      sends: rig.order(alice, btc, { side: 'SELL', quantity: lots(5) as Lots, reduceOnly: true }),
    } as const;
    expect((await rig.perps.conditionals.place({ legs: [stop] })).ok).toBe(true);
    const free = (account: AccountNumber) => rig.perps.pool(account).available;
    const [fees, heldBack] = [new Map([alice, bob].map((one) => [one, rig.wallet(one)])), free(alice)];
    // 60,000 less 0 to 59 minutes.
    expect(rig.perps.delistNow(btc)).toEqual({ price: amount('59970.5'), positions: 3 });
    await rig.quiet();
    expect(rig.perps.positions(alice)).toMatchObject([{ symbol: eth }]);
    expect(rig.perps.positions(bob)).toEqual([]);
    expect(rig.perps.openPerpOrders(alice)).toEqual([]);
    expect(rig.perps.conditionals.open(alice)).toEqual([]);
    expect(rig.perps.perpOrders(alice, { symbol: btc, limit: 9 })).toMatchObject([
      { origin: 'MEMBER', status: 'FILLED' },
      { status: slug === 'binance' ? 'EXPIRED' : 'CANCELED', endReason: 'DELISTED' },
      { origin: 'DELISTING', status: 'FILLED', side: 'SELL', fee: 0n },
    ]);
    const earned = (account: AccountNumber) =>
      formatAmount((rig.wallet(account) - (fees.get(account) ?? 0n)) as Amount);
    expect([earned(alice), earned(bob)]).toEqual(['-0.59', '0.59']);
    expect(free(alice)).toBeGreaterThan(heldBack);
    expect(rig.perps.closedPositions(bob, { limit: 5 })).toMatchObject([
      { side: 'LONG', ended: 'CLOSED', realisedPnl: amount('-0.295') },
      { side: 'SHORT', ended: 'CLOSED', realisedPnl: amount('0.885') },
    ]);
    const after = moneyOf(alice) + moneyOf(bob) + moneyOf(HOUSE) + rig.perps.insuranceFund();
    expect(after).toBe(before);
    expect(rig.perps.contracts.get(btc)?.status).toBe('BREAK');
    expect(await rig.place(alice, btc, { quantity: lots(5) as Lots, at: 59_000 })).toBe('MARKET_CLOSED');
    expect(rig.perps.delistNow(btc)).toMatchObject({ positions: 0 });
  });
});

import { amount, formatAmount, type PlatformSlug } from '@crossbook/domain';
import { afterEach, describe, expect, test } from 'vitest';
import type { AccountNumber } from '../exchange.ts';
import { ContractRig } from './contract-rig.fixture.ts';

/** From where the funding of an isolated position is paid, and what a position that cannot pay comes to. */

const FUNDS = '10000';
let rig: ContractRig;
afterEach(() => rig.exchange.close());

/** An account that is long a coin at 60,000, isolated, ten times levered; funding is 0.1 %, which is 60. */
async function long(slug: PlatformSlug, funds = FUNDS): Promise<{ alice: AccountNumber; btc: string }> {
  rig = await ContractRig.open(slug);
  const [btc = ''] = rig.symbols;
  const alice = await rig.member('alice', funds);
  await rig.perps.setMarginMode(alice, btc, 'ISOLATED');
  await rig.perps.setLeverage(alice, btc, { leverage: 10, side: 'BOTH', marginMode: 'ISOLATED' });
  const lots = slug === 'okx' ? 10_000 : 1_000;
  await rig.trade(alice, btc, { lots, at: 60_000, ...(slug === 'okx' ? { marginMode: 'ISOLATED' } : {}) });
  rig.rates.set(btc, 0.001);
  return { alice, btc };
}

const margin = (account: AccountNumber) =>
  rig.perps.positions(account).map(({ isolatedWallet }) => formatAmount(isolatedWallet));

describe('funding of an isolated position', () => {
  test.each<[PlatformSlug, string, string]>([
    ['binance', '6000', '5940'],
    ['okx', '6000', '5940'],
    // What is free pays first: the margin stays, and with it the fee to close that stands in it.
    ['bybit', '6029.7', '6029.7'],
  ])('%s: the margin of %s is %s afterwards', async (slug, before, after) => {
    const { alice, btc } = await long(slug);
    const wallet = rig.wallet(alice);
    expect(margin(alice)).toEqual([before]);
    rig.perps.fundNow(btc);
    expect(margin(alice)).toEqual([after]);
    expect(wallet - rig.wallet(alice)).toBe(amount('60'));
  });

  test.each<[PlatformSlug, string, string]>([
    ['binance', '6000', '6060'],
    ['okx', '6000', '6060'],
    ['bybit', '6029.7', '6029.7'],
  ])('%s: what it receives goes there too: %s is %s', async (slug, before, after) => {
    const { alice, btc } = await long(slug);
    rig.rates.set(btc, -0.001);
    expect(margin(alice)).toEqual([before]);
    rig.perps.fundNow(btc);
    expect(margin(alice)).toEqual([after]);
  });

  test('bybit: what is not free any more is the margin’s to pay', async () => {
    // 6,029.7 of margin and 33 of fee leave 20.
    const { alice, btc } = await long('bybit', '6082.7');
    rig.perps.fundNow(btc);
    expect(margin(alice)).toEqual(['5989.7']);
    expect(rig.perps.pool(alice)).toMatchObject({ wallet: amount('5989.7'), available: 0n });
  });

  test('a position that funding leaves with too little is liquidated at that moment', async () => {
    const { alice, btc } = await long('binance');
    rig.marks.set(btc, 54_300);
    rig.perps.step(rig.now);
    expect(margin(alice)).toEqual(['6000']);
    rig.rates.set(btc, 0.002);
    rig.perps.fundNow(btc);
    rig.perps.step(rig.now);
    expect(rig.perps.positions(alice)).toEqual([]);
    const kinds = rig.perps.income(alice, { limit: 100 }).map(({ kind }) => kind);
    expect(kinds.indexOf('FUNDING')).toBeLessThan(kinds.indexOf('REALIZED_PNL'));
    expect(rig.wallet(alice)).toBeLessThan(amount('3970.1'));
  });
});

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatAmount } from '@crossbook/domain';
import { afterEach, describe, expect, test } from 'vitest';
import type { AccountNumber } from '../exchange.ts';
import { ContractRig, type RigOptions } from './contract-rig.fixture.ts';

/** Margin that is added by itself before an isolated position would be liquidated. */

const BTC = 'BTCUSDT';
let rig: ContractRig;
const directories: string[] = [];
afterEach(async () => {
  await rig.exchange.close();
  for (const directory of directories.splice(0)) await rm(directory, { recursive: true });
});

/** A member who is 0.5 long at 60,000 with leverage 10, or short with another, and how much is left besides. */
async function member(funds: string, lots = 500, leverage = 10): Promise<AccountNumber> {
  const account = await rig.member('alice', funds);
  await rig.perps.setMarginMode(account, BTC, 'ISOLATED');
  await rig.perps.setLeverage(account, BTC, { leverage, side: 'BOTH' });
  expect(await rig.perps.setAutoMargin({ account, symbol: BTC, side: 'BOTH' }, true)).toMatchObject({
    ok: true,
  });
  await rig.trade(account, BTC, { lots, at: 60_000 });
  return account;
}
const open = async (options: RigOptions = {}) => {
  rig = await ContractRig.open('bybit', options);
};
const margin = (account: AccountNumber) =>
  rig.perps.positions(account).map(({ isolatedWallet }) => formatAmount(isolatedWallet));

describe('margin by itself', () => {
  test('is the initial margin each time, and comes only where the position would go', async () => {
    await open();
    const account = await member('20000');
    rig.mark(BTC, 54_272);
    expect(margin(account)).toEqual(['3014.85']);
    rig.mark(BTC, 54_200);
    expect(margin(account)).toEqual(['6029.7']);
    rig.mark(BTC, 54_200);
    expect(margin(account)).toEqual(['6029.7']);
    // So far below that one more is not enough.
    rig.mark(BTC, 40_000);
    expect(margin(account)).toEqual(['12059.4']);
    await rig.quiet();
    expect(rig.lines().filter((line) => line.includes('MARGIN_MOVED'))).toHaveLength(4);
  });

  test('is all that is left where that is less, and does not save what it cannot', async () => {
    await open();
    const account = await member('5016.5');
    rig.mark(BTC, 54_200);
    expect(margin(account)).toEqual(['5000']);
    expect(formatAmount(rig.perps.pool(account).available)).toBe('0');
    rig.mark(BTC, 50_000);
    expect(rig.perps.positions(account)).toEqual([]);
  });

  test('ends where the position has its whole value behind it', async () => {
    await open();
    const account = await member('200000', -500, 1);
    rig.mark(BTC, 130_000);
    expect(rig.perps.positions(account)).toEqual([]);
    expect(Number(formatAmount(rig.perps.pool(account).available))).toBeGreaterThan(160_000);
  });

  test('is wanted still after a restart', async () => {
    const dataDirectory = await mkdtemp(join(tmpdir(), 'replenishing-'));
    directories.push(dataDirectory);
    await open({ dataDirectory });
    const account = await member('20000');
    await rig.exchange.close();
    const { now, marks } = rig;
    await open({ dataDirectory, now, marks });
    expect(rig.perps.autoMargin({ account, symbol: BTC, side: 'BOTH' })).toBe(true);
    rig.mark(BTC, 54_200);
    expect(margin(account)).toEqual(['6029.7']);
  });
});

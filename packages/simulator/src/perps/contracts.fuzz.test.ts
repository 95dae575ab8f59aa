import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PlatformSlug } from '@crossbook/domain';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../../tests/property-runs.ts';
import type { AccountNumber } from '../exchange.ts';
import { ContractRig } from './contract-rig.fixture.ts';
import { ContractTraffic, contractOperation } from './contract-traffic.fixture.ts';

const HOUSE = 0 as AccountNumber;

/** What does not hold; an empty list means that all does. */
function brokenOf(traffic: ContractTraffic): string[] {
  const { rig, naive, members } = traffic;
  const broken = [...traffic.broken];
  const markOf = (symbol: string): bigint =>
    BigInt(Math.round((rig.marks.get(symbol) ?? 0) * 1e10)) * 10n ** 8n;
  let sum = 0n;
  for (const account of members) {
    const pool = rig.perps.pool(account);
    const held = rig.perps.positions(account);
    sum += pool.wallet;
    const lots = new Map(held.map((one) => [`${one.symbol} ${one.side} ${one.marginMode}`, one.quantity]));
    expect(lots).toEqual(new Map(naive.lots(account)));
    const worth = naive.worth(account, markOf);
    const told = pool.wallet + pool.unrealisedPnl;
    const apart = told > worth ? told - worth : worth - told;
    if (apart > naive.tolerance(account)) broken.push(`${account} is worth ${worth}, told is ${told}`);
    if (pool.wallet < 0n && held.length === 0)
      broken.push(`${account} owes ${pool.wallet} without a position`);
    for (const one of held) {
      if (one.ratio >= 1) broken.push(`${account} ${one.symbol} stands at ${one.ratio}`);
      if (one.isolatedWallet < 0n) broken.push(`${account} ${one.symbol} has margin below 0`);
      if (one.marginMode === 'CROSS' && one.isolatedWallet !== 0n) broken.push('a cross position has margin');
    }
    for (const order of rig.perps.openPerpOrders(account)) {
      if (
        order.reduceOnly &&
        !held.some((one) => one.symbol === order.symbol && one.marginMode === order.marginMode)
      )
        broken.push(`${account} rests a reduce-only order without a position`);
    }
  }
  const house = futuresOf(rig, HOUSE);
  const all = sum + house + rig.perps.insuranceFund();
  if (all !== traffic.brought + houseStart(traffic)) broken.push(`money is not conserved: ${all}`);
  return broken;
}

/** What the house has in the wallets that contracts are paid from: it gave what members were credited. */
function futuresOf(rig: ContractRig, account: AccountNumber): bigint {
  return rig.slug === 'binance'
    ? rig.perps.pool(account).wallet
    : rig.exchange
        .balances(account)
        .reduce((sum, { asset, free, locked }) => (asset === 'USDT' ? sum + free + locked : sum), 0n);
}

/** Credits come from outside, not from the house. */
function houseStart(_: ContractTraffic): bigint {
  return 0n;
}

/** Everything that a member can read. */
function readable(rig: ContractRig, members: readonly AccountNumber[]): unknown {
  const all = { limit: 100_000 };
  return members.map((account) => ({
    positions: rig.perps.positions(account),
    pool: rig.perps.pool(account),
    orders: rig.perps.perpOrders(account, all),
    open: rig.perps.openPerpOrders(account),
    fills: rig.perps.perpFills(account, all),
    income: rig.perps.income(account, all),
    closed: rig.perps.closedPositions(account, all),
    settings: rig.symbols.map((symbol) => rig.perps.setting(account, symbol)),
    balances: rig.exchange.balances(account),
    fund: rig.perps.insuranceFund(),
  }));
}

describe.each<PlatformSlug>(['binance', 'okx', 'bybit'])('contracts of %s', (slug) => {
  test('whatever members, house, marks and time do, money and positions are what a naive witness says', async () => {
    const fates = new Set<string>();
    await fc.assert(
      fc.asyncProperty(fc.array(contractOperation, { minLength: 20, maxLength: 120 }), async (operations) => {
        const rig = await ContractRig.open(slug);
        const traffic = new ContractTraffic(rig);
        try {
          await traffic.begin();
          for (const operation of operations) {
            await traffic.run(operation);
            rig.perps.step(rig.now);
            await rig.quiet();
            await traffic.run({ do: 'pass', minutes: 0 });
            expect(brokenOf(traffic), JSON.stringify(operation)).toEqual([]);
          }
        } finally {
          await rig.exchange.close();
        }
        for (const fate of traffic.fates) fates.add(fate);
      }),
      { numRuns: runs(25) },
    );
    for (const fate of ['FILLED', 'INSUFFICIENT_MARGIN', 'FUNDING', 'LIQUIDATION', 'TAKEOVER'])
      expect(fates, [...fates].join(' ')).toContain(fate);
  });

  test('a copy of the data directory taken at any moment opens to the same accounts', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(contractOperation, { minLength: 10, maxLength: 60 }),
        fc.nat(59),
        async (operations, cut) => {
          const directory = await mkdtemp(join(tmpdir(), 'crossbook-contracts-'));
          const dataDirectory = join(directory, 'live');
          const rig = await ContractRig.open(slug, { dataDirectory });
          const traffic = new ContractTraffic(rig);
          try {
            await traffic.begin();
            for (const operation of operations.slice(0, cut)) await traffic.run(operation);
            await rig.exchange.durable();
            const before = readable(rig, traffic.members);
            const copy = join(directory, 'copy');
            await cp(dataDirectory, copy, { recursive: true, filter: (path) => !path.endsWith('lock') });
            const again = await ContractRig.open(slug, {
              dataDirectory: copy,
              now: rig.now,
              marks: rig.marks,
            });
            expect(readable(again, traffic.members)).toEqual(before);
            await again.exchange.close();
            const snapshot = await ContractRig.open(slug, {
              dataDirectory: copy,
              now: rig.now,
              marks: rig.marks,
            });
            expect(readable(snapshot, traffic.members)).toEqual(before);
            await snapshot.exchange.close();
          } finally {
            await rig.exchange.close();
            await rm(directory, { recursive: true, force: true });
          }
        },
      ),
      { numRuns: runs(8) },
    );
  });
});

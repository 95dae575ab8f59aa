import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Lots, Millis, PlatformSlug, Ticks } from '@crossbook/domain';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../../../tests/property-runs.ts';
import type { AccountNumber } from '../exchange.ts';
import { ContractRig, RIG_START } from './contract-rig.fixture.ts';

const MINUTE = 60_000;
/** The mark keeps its height for so long. */
const STAND = 30 * MINUTE;
const HOURS = 24;
const ALL = { limit: 10_000 };

const story = fc.record({
  /** Of 60,000, in basis points, one for each stand. */
  heights: fc.array(fc.integer({ min: -450, max: 450 }), { minLength: HOURS * 2, maxLength: HOURS * 2 }),
  members: fc.array(
    fc.record({
      isolated: fc.boolean(),
      leverage: fc.constantFrom(10, 50, 100),
      lots: fc.array(fc.integer({ min: -600, max: 600 }), { minLength: 2, maxLength: 2 }),
      /** Of 60,000, in basis points: a stop and a target that far away, and a trailing one that comes back by it. */
      stops: fc.option(fc.integer({ min: 20, max: 300 }), { nil: undefined }),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  /** Minutes after the start at which somebody looks, and whether the process began anew then. */
  looks: fc.array(fc.record({ minute: fc.integer({ min: 1, max: HOURS * 60 - 1 }), restart: fc.boolean() }), {
    maxLength: 6,
  }),
});
type Story = typeof story extends fc.Arbitrary<infer Drawn> ? Drawn : never;

/** All that is left of the members' contracts at the end; the light of the queue is one of the second. */
function left(rig: ContractRig, members: readonly AccountNumber[]): unknown {
  return members.map((account) => ({
    positions: rig.perps.positions(account).map(({ adlRank: _, ...position }) => position),
    pool: rig.perps.pool(account),
    orders: rig.perps.perpOrders(account, ALL),
    fills: rig.perps.perpFills(account, ALL),
    income: rig.perps.income(account, ALL),
    closed: rig.perps.closedPositions(account, ALL),
    conditionals: rig.perps.conditionals.history(account, ALL),
    fund: rig.perps.insuranceFund(),
  }));
}

/** Protects half of what is held by an OCO, and a quarter by one that trails. */
async function protect(rig: ContractRig, account: AccountNumber, bips: number): Promise<void> {
  for (const held of rig.perps.positions(account)) {
    const long = held.quantity > 0;
    const by = 'MARK' as const;
    const at = (away: number) => ({ by, trigger: Math.round(600_000 * (1 + away / 10_000)) as Ticks });
    const part = (share: number) => Math.max(1, Math.floor(Math.abs(held.quantity) / share)) as Lots;
    const legs = { takeProfit: at(long ? bips : -bips), stopLoss: at(long ? -bips : bips) };
    await rig.perps.conditionals.protect(held, legs, part(2));
    await rig.perps.conditionals.protect(held, { trailing: { by, back: { bips } } }, part(4));
  }
}

/** Plays a story up to its end, looking when it says so. */
async function played(slug: PlatformSlug, { heights, members }: Story, looks: Story['looks']) {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'crossbook-slept-'));
  const path = (_: string, time: Millis): number =>
    60_000 *
    (1 + (time < RIG_START + STAND ? 0 : (heights[Math.floor((time - RIG_START) / STAND)] ?? 0)) / 10_000);
  let rig = await ContractRig.open(slug, { dataDirectory, path });
  try {
    const accounts: AccountNumber[] = [];
    for (const [at, { isolated, leverage, lots, stops }] of members.entries()) {
      const account = await rig.member(`member ${at}`, '3000');
      accounts.push(account);
      const marginMode = isolated ? 'ISOLATED' : 'CROSS';
      for (const [index, symbol] of rig.symbols.entries()) {
        await rig.perps.setMarginMode(account, symbol, marginMode);
        await rig.perps.setLeverage(account, symbol, { leverage, side: 'BOTH', marginMode });
        const size = lots[index] ?? 0;
        const side = size > 0 ? 'BUY' : 'SELL';
        rig.house(symbol, size > 0 ? 'SELL' : 'BUY', 60_000, Math.abs(size) + 1);
        const asked = { side, quantity: Math.max(1, Math.abs(size)) as Lots, at: 60_000 } as const;
        await rig.place(account, symbol, slug === 'okx' ? { ...asked, marginMode } : asked);
        rig.clearHouse(symbol);
      }
      if (stops !== undefined) await protect(rig, account, stops);
    }
    for (const { minute, restart } of [...looks, { minute: HOURS * 60, restart: false }]) {
      const now = (RIG_START + minute * MINUTE) as Millis;
      if (restart) {
        await rig.exchange.close();
        rig = await ContractRig.open(slug, { dataDirectory, now, path });
      } else rig.pass(now - rig.now);
    }
    await rig.exchange.durable();
    return { left: left(rig, accounts), rig, accounts };
  } finally {
    await rig.exchange.close();
    await rm(dataDirectory, { recursive: true, force: true });
  }
}

test.each<PlatformSlug>(['binance', 'okx', 'bybit'])(
  '%s: however long nobody looked and whenever the process began anew, the same was paid, fired and liquidated at the same time',
  async (slug) => {
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(story, async (drawn) => {
        const unseen = await played(slug, drawn, []);
        const looks = [...drawn.looks].sort((a, b) => a.minute - b.minute);
        expect((await played(slug, drawn, looks)).left).toEqual(unseen.left);
        for (const account of unseen.accounts) {
          const income = unseen.rig.perps.income(account, ALL);
          const order = ({ time, kind }: (typeof income)[number]): number =>
            time * 2 + (kind === 'FUNDING' ? 0 : 1);
          expect(income.map(order)).toEqual(income.map(order).toSorted((a, b) => a - b));
          for (const { kind, time } of income) {
            if (kind === 'FUNDING') expect(time % (4 * 60 * MINUTE)).toBe(0);
            seen.add(kind);
          }
          for (const { state, ...one } of unseen.rig.perps.conditionals.history(account, ALL)) {
            seen.add(state);
            if ('firedAt' in one) expect((one.firedAt - RIG_START) % MINUTE).toBe(0);
          }
          const forced = unseen.rig.perps.perpFills(account, ALL).filter(({ origin }) => origin !== 'MEMBER');
          for (const { time, origin } of forced) {
            seen.add(origin);
            expect((time - RIG_START) % STAND === 0 || time % (4 * 60 * MINUTE) === 0).toBe(true);
          }
          expect(unseen.rig.perps.pool(account).ratio).toBeLessThan(1);
        }
      }),
      { numRuns: runs(6, 5), seed: 20261123 },
    );
    expect(seen.has('FINISHED')).toBe(true);
    expect(seen.has('FUNDING') && (seen.has('LIQUIDATION') || seen.has('TAKEOVER'))).toBe(true);
  },
);

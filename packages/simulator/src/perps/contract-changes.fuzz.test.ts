import { amount, type PlatformSlug } from '@crossbook/domain';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../../tests/property-runs.ts';
import type { AccountNumber } from '../exchange.ts';
import type { SimMarginMode } from '../perp-exchange.ts';
import { ContractRig } from './contract-rig.fixture.ts';

const BY_ONE_OR_LEGS = ['ONE_WAY', 'HEDGE'] as const;
const leverage = fc.constantFrom(2, 5, 20, 50, 125);
const change = fc.oneof(
  fc.record({ do: fc.constant('leverage' as const), at: fc.nat(1), leverage, isolated: fc.boolean() }),
  fc.record({ do: fc.constant('margin' as const), pick: fc.nat(3), by: fc.integer({ min: -400, max: 400 }) }),
  fc.record({ do: fc.constant('margin mode' as const), at: fc.nat(1), isolated: fc.boolean() }),
  fc.record({
    do: fc.constant('position mode' as const),
    at: fc.nat(1),
    mode: fc.constantFrom(...BY_ONE_OR_LEGS),
  }),
);
type Change = typeof change extends fc.Arbitrary<infer Drawn> ? Drawn : never;

const story = fc.record({
  isolated: fc.tuple(fc.boolean(), fc.boolean()),
  mode: fc.constantFrom(...BY_ONE_OR_LEGS),
  /** Of each contract; 0 holds none. */
  lots: fc.tuple(fc.integer({ min: -300, max: 300 }), fc.integer({ min: -300, max: 300 })),
  /** How far the marks then went, in basis points. */
  moved: fc.integer({ min: -150, max: 150 }),
  changes: fc.array(change, { minLength: 4, maxLength: 16 }),
});
type Story = typeof story extends fc.Arbitrary<infer Drawn> ? Drawn : never;

/** A member with what the story says is held. */
async function holder(rig: ContractRig, { isolated, mode, lots, moved }: Story): Promise<AccountNumber> {
  const account = await rig.member('alice', '30000');
  for (const [at, symbol] of rig.symbols.entries()) {
    const marginMode = isolated[at] ? 'ISOLATED' : 'CROSS';
    await rig.perps.setMarginMode(account, symbol, marginMode);
    await rig.perps.setPositionMode(account, symbol, mode);
    await rig.perps.setLeverage(account, symbol, { leverage: 10, side: 'BOTH', marginMode });
  }
  for (const [at, symbol] of rig.symbols.entries()) {
    const size = lots[at] ?? 0;
    if (size === 0) continue;
    const positionSide =
      rig.perps.setting(account, symbol).positionMode === 'ONE_WAY' ? 'BOTH' : size > 0 ? 'LONG' : 'SHORT';
    const marginMode = isolated[at] ? 'ISOLATED' : 'CROSS';
    const own = rig.slug === 'okx' ? ({ marginMode } as const) : {};
    await rig.trade(account, symbol, { lots: size, at: 60_000, positionSide, ...own });
    rig.mark(symbol, 60_000 * (1 + moved / 10_000));
  }
  return account;
}

/** @returns whether it was accepted. */
async function apply(rig: ContractRig, account: AccountNumber, asked: Change): Promise<boolean> {
  const { perps, symbols } = rig;
  if (asked.do === 'margin') {
    const held = perps.positions(account);
    const one = held[asked.pick % Math.max(1, held.length)];
    return one !== undefined && (await perps.moveMargin(one, amount(`${asked.by}`))).ok;
  }
  const symbol = symbols[asked.at] ?? '';
  if (asked.do === 'position mode') return (await perps.setPositionMode(account, symbol, asked.mode)).ok;
  const marginMode = asked.isolated ? 'ISOLATED' : 'CROSS';
  if (asked.do === 'margin mode') return (await perps.setMarginMode(account, symbol, marginMode)).ok;
  const own = rig.slug === 'okx' ? ({ marginMode } as const) : {};
  return (await perps.setLeverage(account, symbol, { leverage: asked.leverage, side: 'BOTH', ...own })).ok;
}

/** All that an account has, and what of it is set aside where. */
function stateOf(rig: ContractRig, account: AccountNumber) {
  const pool = rig.perps.pool(account);
  const positions = rig.perps.positions(account);
  const settings = rig.symbols.map((symbol) => rig.perps.setting(account, symbol));
  const margin = positions.reduce((sum, { isolatedWallet }) => sum + isolatedWallet, 0n);
  return { pool, positions, settings, margin, equity: pool.wallet + pool.unrealisedPnl };
}

type State = ReturnType<typeof stateOf>;

/** What no change of a setting touches. */
function lastingOf({ positions }: State) {
  return positions.map(({ positionId, side, quantity, entryPrice, ...one }) => {
    const { realisedPnl, feesPaid, funding, unrealisedPnl, openedAt } = one;
    return {
      positionId,
      side,
      quantity,
      entryPrice,
      realisedPnl,
      feesPaid,
      funding,
      unrealisedPnl,
      openedAt,
    };
  });
}

/** All of an account stands in one mode, and nothing of it is beyond what the account has. */
function expectInMode({ positions, pool, settings }: State, mode: SimMarginMode): void {
  for (const { marginMode, isolatedWallet, ratio } of positions) {
    expect(marginMode).toBe(mode);
    expect(isolatedWallet > 0n).toBe(mode === 'ISOLATED');
    expect(ratio).toBeLessThan(1);
  }
  expect(new Set(settings.map(({ marginMode }) => marginMode))).toEqual(new Set([mode]));
  expect(pool.crossWallet + pool.crossUnrealisedPnl).toBeGreaterThanOrEqual(0n);
}

describe.each<PlatformSlug>(['binance', 'okx', 'bybit'])('%s', (slug) => {
  test('no change of leverage, modes or margin costs or brings anything, and a refused one changes nothing at all', async () => {
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(story, async (drawn) => {
        const rig = await ContractRig.open(slug);
        try {
          const account = await holder(rig, drawn);
          for (const asked of drawn.changes) {
            const before = stateOf(rig, account);
            const fund = rig.perps.insuranceFund();
            const accepted = await apply(rig, account, asked);
            await rig.quiet();
            const after = stateOf(rig, account);
            if (!accepted) {
              expect(after).toEqual(before);
              continue;
            }
            expect(after.equity).toBe(before.equity);
            expect(after.pool.wallet).toBe(before.pool.wallet);
            expect(after.pool.crossWallet + after.margin).toBe(before.pool.crossWallet + before.margin);
            expect(rig.perps.insuranceFund()).toBe(fund);
            expect(lastingOf(after)).toEqual(lastingOf(before));
            if (asked.do === 'margin mode' && slug === 'bybit')
              expectInMode(after, asked.isolated ? 'ISOLATED' : 'CROSS');
            if (asked.do === 'margin') expect(after.margin - before.margin).toBe(amount(`${asked.by}`));
            if (before.positions.length > 0) seen.add(asked.do);
          }
        } finally {
          await rig.exchange.close();
        }
      }),
      { numRuns: runs(30) },
    );
    const moves = slug === 'bybit' ? ['margin mode'] : [];
    expect([...seen]).toEqual(expect.arrayContaining(['leverage', 'margin', ...moves]));
  });
});

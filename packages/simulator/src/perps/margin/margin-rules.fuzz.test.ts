import { type Amount, amount, minus, plus, ZERO } from '@crossbook/domain';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  accountFor,
  contractsFor,
  filled,
  leverage,
  mark,
  same,
  VENUES,
} from '../../../../../tests/contract-accounts.ts';
import { runs } from '../../../../../tests/property-runs.ts';
import type { AccountView, OrderView, PositionView } from './rules.ts';
import { atMark, contractOf } from './views.fixture.ts';

const far = (price: Amount, from: Amount): bigint => (price > from ? price - from : from - price);

describe.each(VENUES)('%s, whatever the account', (venue, rules, tiers) => {
  const account = accountFor(rules, tiers);
  const check = (claim: (account: AccountView, position: PositionView) => void): void =>
    fc.assert(
      fc.property(account, (one) => {
        for (const position of one.positions) claim(one, position);
      }),
      { numRuns: runs(200) },
    );
  let roots = 0;

  test('a mark at the liquidation price makes the ratio 1', () => {
    check((one, position) => {
      const price = rules.liquidationPrice(position, one);
      if (price === undefined || price < amount('0.000001')) return;
      roots += 1;
      const there = atMark(one, position.contract.symbol, price);
      const held = there.positions.find(same(position)) ?? position;
      expect(rules.ratio(held, there)).toBeGreaterThan(1 - 1e-6);
      expect(rules.ratio(held, there)).toBeLessThan(1 + 1e-6);
    });
    expect(roots).toBeGreaterThan(100);
  });

  test('margin that is added moves the liquidation price away', () => {
    check((one, position) => {
      const before = rules.liquidationPrice(position, one);
      if (before === undefined || rules.ratio(position, one) >= 1) return;
      const more = amount('25');
      const isolated = position.marginMode === 'ISOLATED';
      const richer = { ...position, isolatedWallet: plus(position.isolatedWallet, isolated ? more : ZERO) };
      const positions = one.positions.map((other) => (other === position ? richer : other));
      const after = rules.liquidationPrice(richer, { ...one, wallet: plus(one.wallet, more), positions });
      const { mark: now } = position.contract;
      expect(after === undefined || far(after, now) > far(before, now)).toBe(true);
    });
  });

  test('what is added at market moves it toward the mark, and no farther than a position of its own would have it', () => {
    const moves = { cross: 0, isolated: 0 };
    check((drawn, position) => {
      const { contract, marginMode, side } = position;
      const one = { ...drawn, orders: [], spotLocked: ZERO };
      const covered = one.positions.some((other) => other !== position && other.contract === contract);
      // A leg that covers another takes risk away: what makes it as large as that is no risk to the pool.
      if ((marginMode === 'CROSS' && covered) || rules.ratio(position, one) >= 1) return;
      const lots = Math.ceil(Math.abs(position.lots) / 3);
      const long = position.lots > 0;
      const order: OrderView = {
        ...{ contract, marginMode, positionSide: side, side: long ? 'BUY' : 'SELL', lots },
        ...{ price: contract.mark, leverage: position.leverage, reduceOnly: false },
      };
      const priceOf = (account: AccountView): Amount | undefined => {
        const held = account.positions.find(same(position));
        return held && rules.ratio(held, account) < 1 ? rules.liquidationPrice(held, account) : contract.mark;
      };
      const none = { ...one, positions: one.positions.filter((other) => other !== position) };
      const [before, after] = [priceOf(one), priceOf(filled(rules, order, one))];
      // In the margin of its own, what is new brings its own and lies where that puts it.
      const alone = marginMode === 'ISOLATED' ? priceOf(filled(rules, order, none)) : undefined;
      const { mark: now } = contract;
      const away = (price: Amount | undefined): bigint =>
        price === undefined ? now * 1_000n : far(price, now);
      const most = marginMode === 'CROSS' || away(alone) < away(before) ? away(before) : away(alone);
      expect(away(after) <= most + 10n ** 6n).toBe(true);
      if (before !== undefined) moves[marginMode === 'CROSS' ? 'cross' : 'isolated'] += 1;
    });
    expect(Math.min(moves.cross, moves.isolated)).toBeGreaterThan(20);
  });

  test('bankruptcy of an isolated position lies at or beyond its liquidation', () => {
    check((one, position) => {
      const price = rules.liquidationPrice(position, one);
      if (position.marginMode === 'CROSS' || price === undefined) return;
      const bankrupt = rules.bankruptcyPrice(position, one);
      expect(position.lots > 0 ? bankrupt <= price : bankrupt >= price).toBe(true);
    });
  });

  test('a step of liquidation closes a part that ends in a lower tier, or all', () => {
    check((one, position) => {
      const closed = rules.liquidationStep(position, one);
      const size = Math.abs(position.lots);
      expect(closed).toBeGreaterThan(0);
      expect(closed).toBeLessThanOrEqual(size);
      if (closed === size) return;
      const rest = { ...position, lots: Math.sign(position.lots) * (size - closed) };
      expect(rules.tier(rest)).toBeLessThan(rules.tier(position));
    });
  });

  test('available and in use are equity; what is accepted never takes more than is there', () => {
    let accepted = 0;
    fc.assert(
      fc.property(account, (one) => {
        const pool = rules.pool(one);
        const left = minus(pool.equity, pool.inUse);
        expect(pool.available).toBe(left > 0n ? left : ZERO);
        expect(pool.withdrawable <= pool.available).toBe(true);
        const [order, ...others] = one.orders;
        if (order === undefined) return;
        const before = { ...one, orders: others };
        const cost = rules.cost(order, before);
        expect(cost >= 0n).toBe(true);
        if (cost === 0n || cost > rules.pool(before).available) return;
        accepted += 1;
        expect(left >= 0n).toBe(true);
      }),
      { numRuns: runs(200) },
    );
    expect(accepted).toBeGreaterThan(5);
  });

  test('isolated margin of a closed position is 0, however it was filled', () => {
    const fills = fc.array(
      fc.record({ lots: fc.integer({ min: -5_000, max: 5_000 }), price: mark, leverage }),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(contractsFor(tiers), fills, ([contract], all) => {
        if (contract === undefined) return;
        let held: PositionView | undefined;
        const sum = all.reduce((lots, fill) => lots + fill.lots, 0);
        for (const fill of [...all, { lots: -sum, price: contract.mark, leverage: 10 }]) {
          if (fill.lots === 0) continue;
          const move = rules.isolatedMove(held, { contract, ...fill });
          const lots = (held?.lots ?? 0) + fill.lots;
          const isolatedWallet = plus(held?.isolatedWallet ?? ZERO, move);
          expect(isolatedWallet > 0n || (lots === 0 && isolatedWallet === 0n)).toBe(true);
          const next = { contract, side: 'BOTH', marginMode: 'ISOLATED', lots, isolatedWallet } as const;
          const rest = { entryPrice: fill.price, leverage: fill.leverage };
          const none = { realisedPnl: ZERO, feesPaid: ZERO, funding: ZERO };
          held = lots === 0 ? undefined : { ...next, ...rest, ...none };
        }
        expect(held).toBeUndefined();
      }),
      { numRuns: runs(100) },
    );
  });

  test('the largest size at a leverage fits the tiers, one lot more does not', () => {
    fc.assert(
      fc.property(
        contractsFor(tiers),
        fc.constantFrom(1, 5, 20, 33, 50, 75, 100, 101),
        ([contract], times) => {
          if (contract === undefined) return;
          const most = rules.largestLots(contract, times);
          const none = { wallet: ZERO, spotLocked: ZERO, positions: [], orders: [] };
          const order = (lots: number): OrderView => ({
            ...{ contract, side: 'BUY', positionSide: 'BOTH', marginMode: 'CROSS', reduceOnly: false },
            ...{ lots, price: contract.mark, leverage: times },
          });
          if (most > 0) expect(rules.fitsTier(order(most), none)).toBe(true);
          expect(rules.fitsTier(order(most + 1), none)).toBe(false);
        },
      ),
      { numRuns: runs(100) },
    );
  });

  test(venue === 'okx' ? 'maintenance jumps at a border' : 'maintenance is continuous at the borders', () => {
    for (const [index, tier] of tiers.slice(0, -1).entries()) {
      const contract = { ...contractOf({ tiers, mark: '100', takerFee: '0.0005' }) };
      const stats = [0, 1].map((more) => {
        const lots = rules.largestLots(contract, tier.maxLeverage) + more;
        const position: PositionView = {
          ...{ contract, side: 'BOTH', marginMode: 'CROSS', lots, entryPrice: contract.mark, leverage: 1 },
          ...{ isolatedWallet: ZERO, realisedPnl: ZERO, feesPaid: ZERO, funding: ZERO },
        };
        expect(rules.tier(position)).toBe(index + 1 + more);
        return rules.maintenance(position, {
          wallet: ZERO,
          spotLocked: ZERO,
          positions: [position],
          orders: [],
        });
      });
      const [below = ZERO, above = ZERO] = stats;
      // One lot is worth 0.1.
      expect(above - below > amount('0.1')).toBe(venue === 'okx');
    }
  });
});

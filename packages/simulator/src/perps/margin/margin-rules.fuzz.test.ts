import { type Amount, amount, minus, plus, stepsToAmount, ZERO } from '@crossbook/domain';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../../../tests/property-runs.ts';
import type { PerpTier, SimMarginMode } from '../../perp-exchange.ts';
import { BINANCE_RULES } from './binance.ts';
import { BYBIT_RULES } from './bybit.ts';
import { OKX_RULES } from './okx.ts';
import type { AccountView, ContractView, MarginRules, OrderView, PositionView } from './rules.ts';
import { atMark, contractOf, tiersOf } from './views.fixture.ts';

const NOTIONAL = tiersOf(
  '50000 0.004 100 0',
  '200000 0.005 75 50',
  '800000 0.01 50 1050',
  '3000000 0.025 20 13050',
  '20000000 0.1 5 238050',
);
const CONTRACTS = tiersOf('1000 0.004 100', '5000 0.005 75', '20000 0.0075 50', '60000 0.0175 33.33');
const VENUES: readonly (readonly [string, MarginRules, readonly PerpTier[]])[] = [
  ['binance', BINANCE_RULES, NOTIONAL],
  ['okx', OKX_RULES, CONTRACTS],
  ['bybit', BYBIT_RULES, NOTIONAL],
];

const cents = (value: number): Amount => stepsToAmount(value, amount('0.01'));
const mark = fc.integer({ min: 5_000, max: 9_000_000 }).map(cents);

function contractsFor(tiers: readonly PerpTier[]): fc.Arbitrary<readonly ContractView[]> {
  const contractValue = tiers === CONTRACTS ? '0.01' : '1';
  const base = { tiers, mark: '1', takerFee: '0.0005', contractValue };
  return fc
    .tuple(mark, mark)
    .map((marks) =>
      marks.map((at, index) => ({ ...contractOf({ ...base, symbol: 'AB'[index] ?? '' }), mark: at })),
    );
}

const leverage = fc.constantFrom(1, 2, 5, 10, 20, 50);
const mode = fc.constantFrom<SimMarginMode>('CROSS', 'ISOLATED');

interface Shape {
  readonly at: number;
  readonly lots: number;
  readonly move: number;
}
const shape: fc.Arbitrary<Shape> = fc.record({
  at: fc.nat(1),
  lots: fc.integer({ min: -400_000, max: 400_000 }).filter((lots) => lots !== 0),
  /** Entry or order price in hundredths of the mark. */
  move: fc.integer({ min: 80, max: 120 }),
});

/** How a contract is traded: one mode and leverage of it, as at Binance and Bybit. */
interface Setting {
  readonly contract: ContractView;
  readonly marginMode: SimMarginMode;
  readonly leverage: number;
}

/** Each contract one-way, or both with legs; isolated margin as the venue sets it aside, and up to twice that. */
function accountFor(rules: MarginRules, tiers: readonly PerpTier[]): fc.Arbitrary<AccountView> {
  return fc
    .record({
      contracts: contractsFor(tiers),
      modes: fc.tuple(mode, mode),
      leverages: fc.tuple(leverage, leverage),
      hedge: fc.boolean(),
      shapes: fc.array(shape, { minLength: 1, maxLength: 5 }),
      orders: fc.array(shape, { maxLength: 4 }),
      added: fc.integer({ min: 100, max: 200 }),
      wallet: fc.integer({ min: 0, max: 500_000_000 }),
      locked: fc.integer({ min: 0, max: 10_000 }),
    })
    .map(({ contracts, modes, leverages, hedge, ...drawn }) => {
      const settingOf = (one: Shape): Setting => ({
        contract: contracts[one.at] ?? contractOf({ tiers, mark: '1' }),
        marginMode: modes[one.at] ?? 'CROSS',
        leverage: leverages[one.at] ?? 1,
      });
      const all = drawn.shapes.map((one) =>
        positionFrom(rules, settingOf(one), { ...one, hedge }, drawn.added),
      );
      const positions = all.filter((position, index) => all.findIndex(same(position)) === index);
      return {
        wallet: positions.reduce((sum, one) => plus(sum, one.isolatedWallet), cents(drawn.wallet)),
        spotLocked: cents(drawn.locked),
        positions,
        orders: drawn.orders.map((one) => orderFrom(settingOf(one), { ...one, hedge })),
      };
    });
}

const moved = (price: Amount, hundredths: number): Amount => ((price * BigInt(hundredths)) / 100n) as Amount;
const same = (position: PositionView) => (one: PositionView) =>
  one.contract.symbol === position.contract.symbol && one.side === position.side;

type Drawn = Shape & { readonly hedge: boolean };

function positionFrom(
  rules: MarginRules,
  setting: Setting,
  { lots, move, hedge }: Drawn,
  added: number,
): PositionView {
  const entryPrice = moved(setting.contract.mark, move);
  const aside = rules.isolatedMove(undefined, { ...setting, lots, price: entryPrice });
  return {
    ...setting,
    ...{ entryPrice, lots, realisedPnl: ZERO, feesPaid: ZERO, funding: ZERO },
    side: hedge ? (lots > 0 ? 'LONG' : 'SHORT') : 'BOTH',
    isolatedWallet: setting.marginMode === 'ISOLATED' ? moved(aside, added) : ZERO,
  };
}

function orderFrom(setting: Setting, { lots, move, hedge }: Drawn): OrderView {
  return {
    ...setting,
    side: lots > 0 ? 'BUY' : 'SELL',
    positionSide: hedge ? (move % 2 === 0 ? 'LONG' : 'SHORT') : 'BOTH',
    lots: Math.abs(lots),
    price: moved(setting.contract.mark, move),
    reduceOnly: move % 5 === 0 && !hedge,
  };
}

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
      const figures = [0, 1].map((more) => {
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
      const [below = ZERO, above = ZERO] = figures;
      // One lot is worth 0.1.
      expect(above - below > amount('0.1')).toBe(venue === 'okx');
    }
  });
});

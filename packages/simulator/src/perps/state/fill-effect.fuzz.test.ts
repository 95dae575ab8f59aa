import { type Amount, amount, type Millis, minus, plus, ZERO } from '@crossbook/domain';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../../../tests/property-runs.ts';
import type { AccountNumber } from '../../exchange.ts';
import type { HeldPosition } from '../../journal/contract-entries.ts';
import { contractOf, tiersOf } from '../margin/views.fixture.ts';
import { type FillEffect, fillEffect, flatPosition } from './fill-effect.ts';

/** What fills do to a position, row by row of what must hold of them whatever comes. */

const contract = contractOf({ tiers: tiersOf('1000000 0.004 125'), mark: '60000', symbol: 'BTCUSDT' });
const key = {
  account: 1 as AccountNumber,
  symbol: contract.symbol,
  side: 'BOTH',
  marginMode: 'CROSS',
} as const;
const FEE_RATE = 5n;
const price = fc
  .integer({ min: 500_000, max: 700_000 })
  .map((ticks) => (BigInt(ticks) * 10n ** 17n) as Amount);
const lots = fc.integer({ min: 1, max: 5_000 });

interface Trade {
  readonly lots: number;
  readonly price: Amount;
}
const trade: fc.Arbitrary<Trade> = fc.record({
  lots: fc.tuple(lots, fc.boolean()).map(([size, buys]) => (buys ? size : -size)),
  price,
});

function feeOf({ lots: size, price: at }: Trade): Amount {
  return ((BigInt(Math.abs(size)) * at * FEE_RATE) / 10_000n / 1_000n) as Amount;
}

function filled(held: HeldPosition, { lots: size, price: at }: Trade): FillEffect {
  const fee = feeOf({ lots: size, price: at });
  return fillEffect(held, {
    ...{ contract, lots: size, price: at, fee, leverage: 10, time: 1 as Millis, positionId: 2 },
    ended: 'CLOSED',
  });
}

const flat = flatPosition(key, 1, 0 as Millis);
const distance = (one: bigint, other: bigint): bigint => (one > other ? one - other : other - one);

/** A position that some fills made. */
const held = fc.array(trade, { maxLength: 6 }).map((trades) => {
  let position = flat;
  for (const one of trades) position = filled(position, one).position;
  return position;
});

describe('a fill', () => {
  test('moves the entry price only when the position grows or turns', () => {
    fc.assert(
      fc.property(held, trade, (before, one) => {
        const { position, closedLots } = filled(before, one);
        expect(position.quantity).toBe(before.quantity + one.lots);
        const turned =
          Math.sign(position.quantity) === -Math.sign(before.quantity) && position.quantity !== 0;
        if (turned) expect(position.entryPrice).toBe(one.price);
        else if (closedLots > 0 && position.quantity !== 0)
          expect(position.entryPrice).toBe(before.entryPrice);
        else if (closedLots === 0) {
          const [low, high] = [before.entryPrice, one.price].toSorted((a, b) => (a < b ? -1 : 1)) as [
            Amount,
            Amount,
          ];
          const between =
            before.quantity === 0 || (position.entryPrice >= low && position.entryPrice <= high);
          expect(between).toBe(true);
        }
      }),
      { numRuns: runs(300) },
    );
  });

  test('earns and costs the same in however many parts, beyond 1e-8 for each', () => {
    const cuts = fc.array(fc.integer({ min: 1, max: 4_999 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(held, trade, cuts, (before, one, at) => {
        const whole = filled(before, one);
        const size = Math.abs(one.lots);
        const places = [...new Set([0, ...at.filter((cut) => cut < size), size])].toSorted((a, b) => a - b);
        let position = before;
        let [pnl, fee] = [ZERO, ZERO];
        for (let part = 1; part < places.length; part += 1) {
          const few = Math.sign(one.lots) * ((places[part] as number) - (places[part - 1] as number));
          const effect = filled(position, { lots: few, price: one.price });
          pnl = plus(pnl, effect.realisedPnl);
          fee = plus(fee, feeOf({ lots: few, price: one.price }));
          position = effect.position;
        }
        const most = BigInt(places.length) * 10n ** 10n;
        expect(distance(pnl, whole.realisedPnl) <= most).toBe(true);
        expect(distance(fee, feeOf(one)) <= most).toBe(true);
        expect(position.quantity).toBe(whole.position.quantity);
        expect(distance(position.entryPrice, whole.position.entryPrice) <= BigInt(places.length)).toBe(true);
      }),
      { numRuns: runs(300) },
    );
  });

  test('leaves what a book is worth: what was realised and what is not yet sum to the way of the price', () => {
    fc.assert(
      fc.property(fc.array(trade, { minLength: 1, maxLength: 12 }), price, (trades, mark) => {
        let position = flat;
        let realised = ZERO;
        let worth = ZERO;
        for (const one of trades) {
          const effect = filled(position, one);
          realised = plus(realised, effect.realisedPnl);
          position = effect.position;
          worth = plus(worth, ((BigInt(one.lots) * minus(mark, one.price)) / 1_000n) as Amount);
        }
        const open = ((BigInt(position.quantity) * minus(mark, position.entryPrice)) / 1_000n) as Amount;
        const most = BigInt(trades.length) * 6_000n * amount('0.00000001');
        expect(distance(plus(realised, open), worth) <= most).toBe(true);
      }),
      { numRuns: runs(300) },
    );
  });
});

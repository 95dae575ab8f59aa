import {
  type AlgoOffer,
  AMOUNT_ONE,
  type Amount,
  amount,
  formatAmount,
  SIDE,
  type Side,
} from '@crossbook/domain';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CONTRACT } from '../contracts/contract.fixture.ts';
import {
  partAdded,
  partRemoved,
  partRows,
  partsBring,
  partsError,
  shareLeft,
  splitByShares,
  withEqualShares,
} from './part-targets.ts';
import type { PartEntry, TargetScene, TargetUnit } from './targets.ts';

/** Several take-profits of an order, each for a share of it: what they are, and what is wrong with them. */

const LOT = amount('0.01');
const split = (quantity: string, ...shares: string[]) =>
  splitByShares(amount(quantity), shares.map(amount), LOT).map(formatAmount);

test.each([
  ['halves', '2', ['50', '50'], ['1', '1']],
  ['thirds', '1', ['33', '33', '34'], ['0.33', '0.33', '0.34']],
  ['thirds of three lots are one each', '0.03', ['33', '33', '34'], ['0.01', '0.01', '0.01']],
  ['the last takes the rest', '0.05', ['50', '50'], ['0.03', '0.02']],
  ['shares with a point', '10', ['12.5', '87.5'], ['1.25', '8.75']],
  ['a share that is not filled in is nothing', '1', ['50', '0', '50'], ['0.5', '0', '0.5']],
  ['shares that come to less leave some', '1', ['20', '30'], ['0.2', '0.3']],
])('a quantity is shared out in whole lots: %s', (_, quantity, shares, parts) => {
  expect(split(quantity, ...shares)).toEqual(parts);
});

/** Percents of two decimals that come to 100, two to ten of them. */
const shares = fc
  .uniqueArray(fc.integer({ min: 1, max: 9_999 }), { minLength: 1, maxLength: 9 })
  .map((cuts) => [0, ...cuts.toSorted((left, right) => left - right), 10_000])
  .map((cuts) => cuts.slice(1).map((cut, at) => amount(String((cut - (cuts[at] ?? 0)) / 100))));

test('parts of any order are whole lots, come to the whole of it, and each is less than a lot from its share', () => {
  fc.assert(
    fc.property(shares, fc.bigInt(1n, 1_000_000n), (percents, lots) => {
      const quantity = (lots * LOT) as Amount;
      const parts = splitByShares(quantity, percents, LOT);
      expect(parts.reduce((sum, part) => sum + part, 0n)).toBe(quantity);
      for (const [at, part] of parts.entries()) {
        expect(part % LOT).toBe(0n);
        const off = part * 100n * AMOUNT_ONE - quantity * (percents[at] ?? 0n);
        expect(off < 0n ? -off : off).toBeLessThanOrEqual(LOT * 100n * AMOUNT_ONE);
      }
    }),
  );
});

/** Counted in hundredths of a coin, as OKX does; a long of 0.5 BTC at 60,000 without fees. */
const INSTRUMENT = { ...CONTRACT, contractValue: amount('0.01'), lotSize: LOT, minQty: LOT };
const OFFER: AlgoOffer = {
  ...{ kinds: ['stop', 'take-profit'], triggerBy: ['last', 'mark'], whole: 'one-way', limitTimes: [1] },
  ...{ amends: true, locks: false, openMax: 500, perSymbol: true, attached: 'venue', targetsMax: 10 },
};
const SCENE: TargetScene = {
  ...{ side: SIDE.BUY, entry: amount('60000'), size: amount('0.5'), leverage: 20 },
  ...{ tickSize: amount('0.1'), feeRate: amount('0') },
};
const part = (text: string, share: string, unit: TargetUnit = 'price'): PartEntry => ({
  target: { text, unit },
  share,
});
const THREE = [part('61000', '20'), part('5', '30', 'percent'), part('500', '50', 'pnl')];

test('a row has its price and its part of the order, and gain is that of the part', () => {
  const rows = partRows(THREE, SCENE, INSTRUMENT);
  expect(rows.map(({ price, quantity, scene }) => [price, quantity, scene.size])).toEqual([
    [amount('61000'), amount('10'), amount('0.1')],
    [amount('63000'), amount('15'), amount('0.15')],
    // 500 USDT of a quarter of a coin.
    [amount('62000'), amount('25'), amount('0.25')],
  ]);
  expect(partsBring(rows)).toEqual({ net: amount('1050'), price: amount('62100') });
});

test('what is not known yet is not said of all', () => {
  expect(partsBring(partRows([...THREE, part('', '10')], SCENE, INSTRUMENT)).net).toBeUndefined();
  const unsized = partRows(THREE, { ...SCENE, size: undefined }, INSTRUMENT);
  expect(unsized.map(({ price }) => price)).toEqual([amount('61000'), amount('63000'), undefined]);
  expect(partsBring(unsized)).toEqual({ net: undefined, price: undefined });
});

describe('the first thing wrong stands at its field', () => {
  const found = (parts: readonly PartEntry[], size: string | undefined = '0.5', side: Side = SIDE.BUY) => {
    const scene = { ...SCENE, side, size: size === undefined ? undefined : amount(size) };
    return partsError(partRows(parts, scene, INSTRUMENT), {
      ...{ side, price: amount('60000'), instrument: INSTRUMENT, offer: OFFER, by: 'last' },
    });
  };

  test('nothing of sound ones, with a size and without', () => {
    expect(found(THREE)).toBeUndefined();
    expect(found(THREE.slice(0, 1).concat(part('62000', '80')), undefined)).toBeUndefined();
  });

  test.each<[string, readonly PartEntry[], object, Parameters<typeof found>[1]?, Side?]>([
    [
      'no price',
      [part('61000', '50'), part('', '50')],
      { name: 'field-invalid', field: 'takeProfit2', missing: true },
    ],
    [
      'no share',
      [part('61000', ''), part('62000', '50')],
      { name: 'field-invalid', field: 'share1', missing: true },
    ],
    [
      'a share of nothing',
      [part('61000', '0'), part('62000', '100')],
      { name: 'field-invalid', field: 'share1' },
    ],
    [
      'below the price of a buy',
      [part('61000', '50'), part('59000', '50')],
      { name: 'targets-above-below', field: 'takeProfit2' },
    ],
    [
      'above the price of a sell',
      [part('61000', '50'), part('62000', '50')],
      { name: 'targets-below-above', field: 'takeProfit1' },
      '0.5',
      SIDE.SELL,
    ],
    [
      'off the tick',
      [part('61000.05', '50'), part('62000', '50')],
      { name: 'price-step', field: 'takeProfit1' },
    ],
    [
      'one price twice',
      [part('61000', '50'), part('61000.0', '50')],
      { name: 'order-combination', field: 'takeProfit2' },
    ],
    [
      'less than all',
      [part('61000', '50'), part('62000', '40')],
      { name: 'order-combination', field: 'share2', allowed: '90' },
    ],
    [
      'more than all',
      [part('61000', '50'), part('62000', '50.01')],
      { name: 'order-combination', field: 'share2', allowed: '100.01' },
    ],
    [
      'a part below the smallest order, said in coins',
      [part('61000', '1'), part('62000', '99')],
      { name: 'quantity-range', field: 'share1', allowed: '0.0001' },
      '0.001',
    ],
  ])('%s', (...row) => {
    const [, parts, error, size = '0.5', side = SIDE.BUY] = row;
    expect(found(parts, size, side)).toMatchObject(error);
  });

  test('sound ones are whole lots of at least the smallest order that come to the order; else it is said', () => {
    fc.assert(
      fc.property(shares, fc.bigInt(1n, 200n), (percents, lots) => {
        const entries = percents.map((share, at) => part(String(61_000 + at), formatAmount(share)));
        const size = formatAmount(((lots * LOT) / 100n) as Amount);
        const rows = partRows(entries, { ...SCENE, size: amount(size) }, INSTRUMENT);
        const quantities = rows.map(({ quantity = 0n }) => quantity);
        const whole = quantities.every((quantity) => quantity >= INSTRUMENT.minQty);
        expect(quantities.reduce((sum, quantity) => sum + quantity, 0n)).toBe(lots * LOT);
        expect(found(entries, size)?.name).toBe(whole ? undefined : 'quantity-range');
      }),
    );
  });
});

test.each([
  [2, ['50', '50']],
  [3, ['33', '33', '34']],
  [7, ['14', '14', '14', '15', '14', '14', '15']],
  [10, Array.from({ length: 10 }, () => '10')],
])('%s equal parts come to 100', (count, equal) => {
  const parts = Array.from({ length: count }, () => part('61000', '1'));
  const shared = withEqualShares(parts).map(({ share }) => share);
  expect(shared).toEqual(equal);
  expect(shared.reduce((sum, share) => sum + Number(share), 0)).toBe(100);
});

test('one more and one fewer: alike ones stay alike, others keep their shares, and the unit goes on', () => {
  const halves = [part('61000', '50'), part('5', '50', 'percent')];
  const three = partAdded(halves);
  expect(three).toEqual([part('61000', '33'), part('5', '33', 'percent'), part('', '34', 'percent')]);
  expect(partRemoved(three, 1)).toEqual([part('5', '50', 'percent'), part('', '50', 'percent')]);
  const uneven = [part('61000', '20'), part('62000', '30')];
  expect(partAdded(uneven).map(({ share }) => share)).toEqual(['20', '30', '50']);
  expect(partAdded([part('61000', '20'), part('62000', '80')]).at(-1)?.share).toBe('');
  expect(partRemoved([...uneven, part('63000', '50')], 2).map(({ share }) => share)).toEqual(['20', '50']);
});

test('the share that makes up 100 is known where the others leave one', () => {
  expect(shareLeft([part('', '20'), part('', '30'), part('', '')], 3)).toBe('50');
  expect(shareLeft([part('', '20.5'), part('', '90')], 2)).toBe('79.5');
  expect(shareLeft([part('', '50'), part('', '100')], 1)).toBeUndefined();
});

import type { BestFrame } from '@crossbook/contract';
import { describe, expect, test } from 'vitest';
import { basisPointsText, bestOffers } from './best-offers.ts';

const THREE: BestFrame['d'] = [
  [1, '99.99', '100'],
  [2, '99.90', '99.98'],
  [3, '100.01', '100.10'],
];

const free = () => 0;

describe('the best offers seen from a venue', () => {
  test('the lowest ask and the highest bid are named with their distance from the price on screen', () => {
    const found = bestOffers(THREE, 1, free);
    expect(found?.ask).toMatchObject({ platform: 2, price: '99.98' });
    expect(found?.ask.basisPoints).toBeCloseTo(-2, 6);
    expect(found?.bid).toMatchObject({ platform: 3, price: '100.01' });
    expect(found?.bid.basisPoints).toBeCloseTo(2.0002, 3);
  });

  test('a venue that has the best price itself differs by nothing', () => {
    expect(bestOffers(THREE, 2, free)?.ask).toEqual({ platform: 2, price: '99.98', basisPoints: 0 });
  });

  test('a difference too small to be shown is none', () => {
    const close: BestFrame['d'] = [
      [1, '99999', '100000'],
      [2, '99998', '99999.6'],
    ];
    expect(bestOffers(close, 1, free)?.ask).toEqual({ platform: 1, price: '100000', basisPoints: 0 });
  });

  test('a fee that eats the difference makes the offer no better', () => {
    const dear = (platform: number) => (platform === 1 ? 0 : 0.001);
    expect(bestOffers(THREE, 1, dear)?.ask).toEqual({ platform: 1, price: '100', basisPoints: 0 });
    expect(bestOffers(THREE, 1, dear)?.bid.platform).toBe(1);
    expect(bestOffers(THREE, 2, (platform) => 0.001 - dear(platform))?.ask.platform).toBe(2);
  });

  test('a venue that takes no orders is no offer, and alone with it nothing is compared', () => {
    const closed = (platform: number) => (platform === 3 ? undefined : 0);
    expect(bestOffers(THREE, 1, closed)?.bid).toMatchObject({ platform: 1, basisPoints: 0 });
    expect(bestOffers(THREE.slice(1), 2, closed)).toBeUndefined();
    expect(bestOffers(THREE, 3, closed)?.ask.platform).toBe(2);
  });

  test('an equal price elsewhere is not better', () => {
    const equal: BestFrame['d'] = [
      [1, '10', '11'],
      [2, '10.0', '11.00'],
    ];
    expect([bestOffers(equal, 2, free)?.ask.platform, bestOffers(equal, 1, free)?.bid.platform]).toEqual([
      2, 1,
    ]);
  });

  test.each([
    ['the venue on screen is missing', THREE.filter(([platform]) => platform !== 1)],
    ['it is the only one', THREE.filter(([platform]) => platform === 1)],
    ['nobody has a live book', []],
    ['a price is no price', [[1, '0', '0'] as const, [2, '1', '2'] as const]],
  ])('nothing is compared when %s', (_case, rows) => {
    expect(bestOffers(rows, 1, free)).toBeUndefined();
  });
});

test.each([
  [-1.24, '−1.2'],
  [0.83, '+0.8'],
  [0.04, '0.0'],
  [-0.04, '0.0'],
  [12, '+12.0'],
])('%f basis points read %s', (value, said) => {
  expect(basisPointsText(value)).toBe(said);
});

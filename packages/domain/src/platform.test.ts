import { expect, test } from 'vitest';
import { PLATFORMS, platformFacts, platformOfSlug, platformOfType } from './platform.ts';

test.each([
  [1, 43, 'binance', 'Binance'],
  [2, 41, 'okx', 'OKX'],
  [3, 42, 'bybit', 'Bybit'],
] as const)(
  'platform %i has the wire code %i and the name %s, whichever it is found by',
  (platform, platformType, slug, name) => {
    const facts = platformFacts(platform);
    expect(facts).toMatchObject({ platform, platformType, slug, name });
    expect(platformOfType(platformType)).toBe(facts);
    expect(platformOfSlug(slug)).toBe(facts);
  },
);

test('there is no fourth platform, and what is none is not guessed', () => {
  expect(PLATFORMS).toHaveLength(3);
  expect([platformOfType(1), platformOfType(44), platformOfSlug('Binance'), platformOfSlug('')]).toEqual(
    Array(4).fill(undefined),
  );
});

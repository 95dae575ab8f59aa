import { CANDLE_INTERVALS, intervalMillis, PLATFORMS, type SymbolType } from '@crossbook/domain';
import { describe, expect, test } from 'vitest';
import { OPERATOR_WAIT_MILLIS_MAX } from './arbiter/request-class.ts';
import { FUTURES_PATHS } from './binance/perps/urls.ts';
import { PUBLIC_PATHS as BINANCE_PATHS } from './binance/urls.ts';
import { PUBLIC_PATHS as BYBIT_PATHS } from './bybit/urls.ts';
import { PUBLIC_PATHS as OKX_PATHS } from './okx/urls.ts';
import { venueProfile } from './profiles.ts';

const SYMBOL_TYPES: readonly SymbolType[] = ['SPOT', 'SWAP'];
/** The longest that clocks and a network may add to the window of a request. */
const MARGIN_MILLIS = 10_000;

/** The longest that a connector waits for one answer. */
const ANSWER_MILLIS_MAX = 10_000;

test('a transfer at Bybit has time for all it waits for before it is signed: twice for room, once for an answer', () => {
  const { receiveWindowMillis, transferDeadlineMillis } = venueProfile(3).trading;
  const before = 2 * OPERATOR_WAIT_MILLIS_MAX + ANSWER_MILLIS_MAX;
  expect(transferDeadlineMillis).toBeGreaterThanOrEqual(before + receiveWindowMillis + MARGIN_MILLIS);
});

describe.each(PLATFORMS)('the profile of $name', ({ platform }) => {
  const profile = venueProfile(platform);

  test('is its own', () => {
    expect(profile.platform).toBe(platform);
  });

  test('lets no request arrive after its deadline: the window and a margin for clocks', () => {
    const { receiveWindowMillis, orderDeadlineMillis, transferDeadlineMillis } = profile.trading;
    expect(orderDeadlineMillis).toBeGreaterThanOrEqual(receiveWindowMillis + MARGIN_MILLIS);
    expect(transferDeadlineMillis).toBeGreaterThanOrEqual(receiveWindowMillis + MARGIN_MILLIS);
  });

  test.each(SYMBOL_TYPES)(
    '%s: what is built is not native, and is made of native bars that divide it',
    (type) => {
      const { native, built } = profile.markets[type].candles;
      expect(native.filter((interval) => built.has(interval))).toEqual([]);
      for (const [interval, part] of built) {
        expect(native).toContain(part);
        expect((intervalMillis(interval) as number) % (intervalMillis(part) as number)).toBe(0);
      }
      expect(CANDLE_INTERVALS.filter((interval) => native.includes(interval))).toEqual(native);
    },
  );

  test.each(SYMBOL_TYPES)(
    '%s: fees are fractions below one per cent, of a maker no more than of a taker',
    (type) => {
      const { maker, taker } = profile.markets[type].fees;
      expect(maker).toBeGreaterThanOrEqual(0n);
      expect(maker).toBeLessThanOrEqual(taker);
      expect(taker).toBeLessThan(10n ** 16n);
    },
  );
});

test.each([
  [1, 'SPOT', BINANCE_PATHS],
  [1, 'SWAP', FUTURES_PATHS],
  [2, 'SPOT', OKX_PATHS],
  [3, 'SPOT', BYBIT_PATHS],
] as const)(
  'platform %i, %s: every public path of its connector is relayed, by one rule',
  (platform, market, paths) => {
    const { rules } = venueProfile(platform).relay;
    const found = Object.values(paths).map((path) => rules.filter((rule) => rule.path.test(path)));
    expect(found.map((matching) => matching.map((rule) => rule.market))).toEqual(found.map(() => [market]));
  },
);

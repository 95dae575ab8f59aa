import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  amount,
  formatAmount,
  minus,
  mulDown,
  PLATFORMS,
  type PlatformSlug,
  stepsToAmount,
  ZERO,
} from '@crossbook/domain';
import { describe, expect, test } from 'vitest';
import { RECORDINGS_DIR } from '../../../../../tests/recordings.ts';
import { perpListing } from '../../market/listing/perp-listing.ts';
import { BINANCE_LADDERS } from './binance-ladders.ts';
import { BYBIT_LADDERS, TYPICAL_AT_BYBIT } from './bybit-ladders.ts';
import { leverageTiers } from './leverage-tiers.ts';
import { OKX_LADDERS, TYPICAL_AT_OKX } from './okx-ladders.ts';

const DIRECTORY = join(RECORDINGS_DIR, 'leverage-tiers');
const missing = !existsSync(DIRECTORY);

type Row = Readonly<Record<string, string | number>>;
const recorded = (file: string): Readonly<Record<string, readonly Row[]>> =>
  JSON.parse(readFileSync(join(DIRECTORY, file), 'utf8'));
const symbolOf = (coin: string): string => `${coin === 'PEPE' ? '1000PEPE' : coin}USDT`;
const text = (value: string | number | undefined): string =>
  formatAmount(amount(String(value === '' ? 0 : value)));

function own(venue: PlatformSlug, coin: string): readonly (readonly (string | number)[])[] {
  return leverageTiers(venue, coin).map((tier) => [
    formatAmount(tier.cap),
    formatAmount(tier.maintenanceRate),
    tier.maxLeverage,
    formatAmount(tier.deduction),
  ]);
}

describe.skipIf(missing)('the tables are what the venues told', () => {
  test.each(Object.keys(BINANCE_LADDERS))('binance %s', (coin) => {
    const rows = recorded('binance-2026-07.json')[symbolOf(coin)] ?? [];
    expect(own('binance', coin)).toEqual(
      rows.map((row) => [
        text(row.notionalCap),
        text(row.maintMarginRatio),
        row.initialLeverage,
        text(row.cum),
      ]),
    );
  });

  test.each(Object.keys(BYBIT_LADDERS).filter((coin) => !TYPICAL_AT_BYBIT.includes(coin)))(
    'bybit %s',
    (coin) => {
      const rows = recorded('bybit-2024-12.json')[symbolOf(coin)] ?? [];
      expect(own('bybit', coin)).toEqual(
        rows.map((row) => [
          text(row.riskLimitValue),
          text(row.maintenanceMargin),
          Number(row.maxLeverage),
          text(row.mmDeduction),
        ]),
      );
      expect(leverageTiers('bybit', coin).map(({ initialRate }) => formatAmount(initialRate))).toEqual(
        rows.map((row) => text(row.initialMargin)),
      );
    },
  );

  test('bybit lacks the typical ones', () => {
    const known = Object.keys(recorded('bybit-2024-12.json'));
    expect(TYPICAL_AT_BYBIT.filter((coin) => known.includes(symbolOf(coin)))).toEqual([]);
  });

  test('okx BTC', () => {
    const rows = recorded('okx-2026-05.json')['BTC-USDT'] ?? [];
    expect(own('okx', 'BTC')).toEqual(
      rows.map((row) => [text(row.maxSz), text(row.mmr), Number(row.maxLever), '0']),
    );
    expect(leverageTiers('okx', 'BTC').map(({ initialRate }) => formatAmount(initialRate))).toEqual(
      rows.map((row) => text(row.imr)),
    );
  });

  test('okx lacks the typical ones, and nothing else is typical', () => {
    const known = Object.keys(recorded('okx-2026-05.json'));
    expect(TYPICAL_AT_OKX.filter((coin) => known.includes(`${coin}-USDT`))).toEqual([]);
    expect(Object.keys(OKX_LADDERS).filter((coin) => !known.includes(`${coin}-USDT`))).toEqual(
      TYPICAL_AT_OKX,
    );
  });

  test.each(TYPICAL_AT_OKX)('okx %s rises as a typical one does', (coin) => {
    const typical = recorded('okx-typical.json');
    const majors = Object.keys(typical).find((name) => name.startsWith('majors')) ?? '';
    const rows = typical[`${coin}-USDT`] ?? typical[majors] ?? [];
    const [first = 0] = OKX_LADDERS[coin] ?? [];
    const tiers = own('okx', coin);
    expect(rows.length).toBeGreaterThan(1);
    expect(tiers.slice(0, rows.length)).toEqual(
      rows.map((row) => [
        text(Number(row.maxSzTimesTier1) * first),
        text(row.mmr),
        Number(row.maxLever),
        '0',
      ]),
    );
  });
});

test.each(PLATFORMS.map(({ slug }) => slug))(
  '%s: every contract that is traded in USDT has a ladder',
  (slug) => {
    const ladders = { binance: BINANCE_LADDERS, okx: OKX_LADDERS, bybit: BYBIT_LADDERS }[slug];
    const traded = perpListing(slug).filter((one) => one.settle === 'USDT' && one.status === 'TRADING');
    expect(traded.map(({ coin }) => coin.coin).filter((coin) => !Object.hasOwn(ladders, coin))).toEqual([]);
    expect(traded.length).toBeGreaterThanOrEqual(20);
  },
);

const LISTED = [BINANCE_LADDERS, OKX_LADDERS, BYBIT_LADDERS].flatMap((ladders, index) =>
  [...Object.keys(ladders), 'WAVES'].map((coin) => [PLATFORMS[index]?.slug ?? 'binance', coin] as const),
);

test.each(LISTED)('%s %s: tiers follow each other, rates rise and leverage falls', (venue, coin) => {
  const tiers = leverageTiers(venue, coin);
  for (const [index, tier] of tiers.entries()) {
    const below = tiers[index - 1];
    expect(tier.tier).toBe(index + 1);
    expect(tier.floor).toBe(below?.cap ?? ZERO);
    expect(tier.cap > tier.floor).toBe(true);
    expect(tier.initialRate > tier.maintenanceRate || tier.maxLeverage === 1).toBe(true);
    if (below === undefined) continue;
    expect(tier.maintenanceRate > below.maintenanceRate).toBe(true);
    expect(tier.maxLeverage).toBeLessThan(below.maxLeverage);
    const jump = minus(
      minus(mulDown(tier.floor, tier.maintenanceRate), tier.deduction),
      minus(mulDown(below.cap, below.maintenanceRate), below.deduction),
    );
    expect(jump > stepsToAmount(1, amount('0.000001'))).toBe(venue === 'okx');
  }
});

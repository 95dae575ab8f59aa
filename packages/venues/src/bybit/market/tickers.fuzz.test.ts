import type { Millis } from '@crossbook/domain';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../../../tests/property-runs.ts';
import { mutated, unsoundValues } from '../../conformance/mutation.fixture.ts';
import { recorded } from '../../conformance/recorded.ts';
import { BTCUSDT_PERP } from '../../conformance/sample-instruments.ts';
import { percentOf } from '../wire.ts';
import { createBybitPublic } from './bybit-public.ts';
import { TickerMemory } from './tickers.ts';

const NOW = 1_000 as Millis;
const FIELDS = [
  'lastPrice',
  'price24hPcnt',
  'prevPrice24h',
  'highPrice24h',
  'lowPrice24h',
  'volume24h',
  'turnover24h',
  'markPrice',
  'indexPrice',
  'fundingRate',
] as const;

const stat = fc
  .integer({ min: 0, max: 10 ** 9 })
  .map((units) => `${Math.floor(units / 1_000)}.${units % 1_000}`);
const snapshot = fc.record(Object.fromEntries(FIELDS.map((field) => [field, stat])));
const part = fc.record(Object.fromEntries(FIELDS.map((field) => [field, stat])), { requiredKeys: [] });
const message = fc.oneof(
  fc.record({ type: fc.constant('snapshot'), data: snapshot }),
  fc.record({ type: fc.constant('delta'), data: part }),
  fc.record({ type: fc.constant('delta'), data: fc.record({ lastPrice: fc.constantFrom('1e5', 'NaN', 7) }) }),
);

test('a told ticker is the sum of its snapshot and every delta since; none is told without, nor after a bad one', () => {
  fc.assert(
    fc.property(fc.array(message, { maxLength: 30 }), (messages) => {
      const memory = new TickerMemory();
      // The slow witness: all fields of everything since the last snapshot.
      let truth: Record<string, unknown> | undefined;
      messages.forEach(({ type, data }, index) => {
        const fields: Record<string, unknown> = data;
        const reported = memory.apply({ type, data: { symbol: 'X', ...fields }, cs: index, ts: index }, 'X');
        const damaged = Object.values(fields).some(
          (value) => !/^[0-9.]+$/.test(String(value)) || value === 7,
        );
        if (type === 'snapshot') truth = { ...fields };
        else if (truth !== undefined) truth = { ...truth, ...fields };
        if (damaged && truth !== undefined) {
          truth = undefined;
          expect(reported).toBe('malformed');
        } else if (truth === undefined) expect(reported).toBe('nothing');
        else {
          expect(reported).toMatchObject({
            symbol: 'X',
            lastPrice: truth.lastPrice,
            change: percentOf(String(truth.price24hPcnt)),
            openPrice: truth.prevPrice24h,
            volume: truth.volume24h,
            markPrice: truth.markPrice,
            fundingRate: truth.fundingRate,
            time: index,
          });
        }
      });
    }),
    { numRuns: runs(500) },
  );
});

test('percent is the fraction times a hundred, to the last digit', () => {
  fc.assert(
    fc.property(fc.integer({ min: -(10 ** 9), max: 10 ** 9 }), fc.nat(9), (units, decimals) => {
      const digits = String(Math.abs(units)).padStart(decimals + 1, '0');
      const point = digits.length - decimals;
      const text = `${units < 0 ? '-' : ''}${digits.slice(0, point)}${decimals === 0 ? '' : `.${digits.slice(point)}`}`;
      const exact = BigInt(units) * 100n;
      const percent = percentOf(text);
      expect(percent).toMatch(/^-?(?:0|[1-9][0-9]*)(?:\.[0-9]*[1-9])?$/);
      const [integer = '', rest = ''] = percent.split('.');
      expect(BigInt(`${integer}${rest.padEnd(decimals, '0')}`)).toBe(exact);
    }),
    { numRuns: runs(2_000) },
  );
});

describe('the recorded session', () => {
  const frames = (recorded('cryptofeed/BYBIT.jsonl') ?? Buffer.alloc(0))
    .toString('utf8')
    .split('\n')
    .filter((line) => line.includes('"recv"') && line.includes('USDT'))
    .map((line) => Buffer.from((JSON.parse(line) as { data: string }).data));
  const edits = fc.array(fc.tuple(fc.nat(4), fc.nat(4_000), fc.nat(255)), { minLength: 1, maxLength: 4 });

  test.skipIf(frames.length === 0)(
    'mutated, decodes to sound figures or to malformed, and never throws',
    () => {
      const instruments = ['BTCUSDT', 'SOLUSDT', 'ETHUSDT'].map((symbol) => ({ ...BTCUSDT_PERP, symbol }));
      const venue = createBybitPublic({
        category: 'linear',
        restBase: '',
        socketBase: '',
        fetchText: () => Promise.reject(new Error('no network in this test')),
        clock: () => NOW,
        instruments,
      });
      fc.assert(
        fc.property(fc.nat(frames.length - 1), edits, (at, changes) => {
          const reported = venue.socket.decode(mutated(frames[at] as Buffer, changes), NOW);
          const unsound = unsoundValues(reported);
          if (unsound.length > 0) throw new Error(`no stats of a market: ${unsound.join(' ')}`);
        }),
        { numRuns: runs(8_000) },
      );
    },
    600_000,
  );
});

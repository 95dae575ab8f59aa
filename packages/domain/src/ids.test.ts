import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Millis, orderIdOfVenueClientId, parseOrderId, uuidV7, venueClientId } from './ids.ts';

const SAMPLE = '018f3f64-2f00-7abc-8def-0123456789ab';

test.each([SAMPLE, '00000000-0000-1000-8000-000000000000', 'ffffffff-ffff-8fff-bfff-ffffffffffff'])(
  '%s is an order id',
  (text) => {
    expect(parseOrderId(text)).toBe(text);
  },
);

test.each([
  '',
  SAMPLE.toUpperCase(),
  SAMPLE.replaceAll('-', ''),
  ` ${SAMPLE}`,
  `${SAMPLE}0`,
  SAMPLE.slice(1),
  SAMPLE.replace('-7abc', '-0abc'),
  SAMPLE.replace('-7abc', '-9abc'),
  SAMPLE.replace('-8def', '-7def'),
  SAMPLE.replace('-8def', '-cdef'),
  SAMPLE.replace('0', 'g'),
])('%j is no order id', (text) => {
  expect(parseOrderId(text)).toBeUndefined();
});

test.each(['', 'x', SAMPLE, SAMPLE.replaceAll('-', '').toUpperCase(), '0'.repeat(32), `${'0'.repeat(32)}0`])(
  '%j is no venue client id of ours',
  (text) => {
    expect(orderIdOfVenueClientId(text)).toBeUndefined();
  },
);

const millis = fc.nat({ max: 2 ** 47 }).map((value) => value as Millis);
const random = fc.uint8Array({ minLength: 10, maxLength: 12 });

test('a made id has version 7, its time in front, and comes back from the venue', () => {
  fc.assert(
    fc.property(millis, random, (now, bytes) => {
      const id = uuidV7(now, bytes);
      expect(parseOrderId(id)).toBe(id);
      expect(id[14]).toBe('7');
      expect(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toBe(now);
      expect(venueClientId(id)).toMatch(/^[0-9a-f]{32}$/);
      expect(orderIdOfVenueClientId(venueClientId(id))).toBe(id);
    }),
  );
});

test('ids differ where one of the 74 random bits differs, and only by the first ten bytes', () => {
  const base = new Uint8Array(10);
  const ids = new Set([uuidV7(0 as Millis, base)]);
  for (let at = 0; at < 10; at += 1) {
    for (let bit = 0; bit < 8; bit += 1) {
      const other = base.slice();
      other[at] = 1 << bit;
      ids.add(uuidV7(0 as Millis, other));
    }
  }
  // Four bits say the version, two the variant; the id of nothing is one more.
  expect(ids.size).toBe(80 - 4 - 2 + 1);
  expect(uuidV7(0 as Millis, new Uint8Array([...base, 255]))).toBe(uuidV7(0 as Millis, base));
});

import type { Millis } from '@crossbook/domain';
import { describe, expect, test } from 'vitest';
import { base32, codeOfStep, otpUri, stepAt, stepOfCode } from './totp.ts';

/** The secret of the test vectors of RFC 4226 and RFC 6238 (SHA-1). */
const SECRET = Buffer.from('12345678901234567890');

describe('one-time passwords', () => {
  // RFC 4226, appendix D.
  test.each([...[755224, 287082, 359152, 969429, 338314, 254676, 287922, 162583, 399871, 520489].entries()])(
    'counter %i gives %i',
    (counter, code) => expect(codeOfStep(SECRET, counter)).toBe(String(code)),
  );

  // RFC 6238, appendix B, SHA-1.
  test.each([
    [59, '94287082'],
    [1111111109, '07081804'],
    [1111111111, '14050471'],
    [1234567890, '89005924'],
    [2000000000, '69279037'],
    [20000000000, '65353130'],
  ])('second %i gives %s', (second, code) => {
    expect(codeOfStep(SECRET, stepAt((second * 1000) as Millis), 8)).toBe(code);
  });

  test('the code of the step before, of this one and of the next counts, and no other', () => {
    const now = 1_760_000_010_000 as Millis;
    const taken = [-2, -1, 0, 1, 2].map((by) =>
      stepOfCode(SECRET, codeOfStep(SECRET, stepAt(now) + by), now),
    );
    const at = stepAt(now);
    expect(taken).toEqual([undefined, at - 1, at, at + 1, undefined]);
  });

  // RFC 4648, chapter 10, without padding.
  test.each([
    ['', ''],
    ['f', 'MY'],
    ['fo', 'MZXQ'],
    ['foo', 'MZXW6'],
    ['foob', 'MZXW6YQ'],
    ['fooba', 'MZXW6YTB'],
    ['foobar', 'MZXW6YTBOI'],
  ])('%j is %j in base32', (text, encoded) => expect(base32(Buffer.from(text))).toBe(encoded));

  test('the URI names who issued it for whom', () => {
    expect(otpUri('Cross book', 'a@example.org', SECRET)).toBe(
      'otpauth://totp/Cross%20book:a%40example.org?issuer=Cross%20book&secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&algorithm=SHA1&digits=6&period=30',
    );
  });
});

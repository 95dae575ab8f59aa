import { describe, expect, test } from 'vitest';
import { readCookie, writeDeviceCookie, writeSessionCookie } from './cookies.ts';

describe('the session cookie', () => {
  test('over https it is bound to the host and never sent in the clear', () => {
    expect(writeSessionCookie({ set: 'v', maxAgeSeconds: 432_000 }, true)).toBe(
      '__Host-sid=v; Path=/; Max-Age=432000; HttpOnly; SameSite=Strict; Secure',
    );
  });

  test('clearing it empties it at once', () => {
    expect(writeSessionCookie({ clear: true }, false)).toBe(
      'sid=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict',
    );
  });

  test.each([
    ['sid=a', false, 'a'],
    ['x=1; sid=a; y=2', false, 'a'],
    ['__Host-sid=a', true, 'a'],
    ['sid=a', true, undefined],
    ['__Host-sid=a', false, undefined],
    ['sid=a; sid=b', false, undefined],
    ['xsid=a', false, undefined],
    [undefined, false, undefined],
  ])('%j (https %s) carries %j', (header, secure, value) => {
    expect(readCookie(header, 'sid', secure)).toBe(value);
  });

  test('the device cookie has the same marks and another name', () => {
    expect(writeDeviceCookie({ set: 'v', maxAgeSeconds: 34_560_000 }, true)).toBe(
      '__Host-did=v; Path=/; Max-Age=34560000; HttpOnly; SameSite=Strict; Secure',
    );
    expect(readCookie('sid=a; did=b', 'did', false)).toBe('b');
    expect(readCookie('sid=a', 'did', false)).toBeUndefined();
  });
});

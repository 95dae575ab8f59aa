import { describe, expect, test } from 'vitest';
import { readSessionCookie, writeSessionCookie } from './session-cookie.ts';

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
    expect(readSessionCookie(header, secure)).toBe(value);
  });
});

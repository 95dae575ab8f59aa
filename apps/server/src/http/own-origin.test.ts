import { describe, expect, test } from 'vitest';
import { addressOf, isOwnPage, targetOf } from './own-origin.ts';

const DIRECT = { proxy: undefined };
const PROXIED = { proxy: { hops: 1, publicUrl: new URL('https://trade.example.org') } };

describe('where a request was sent to', () => {
  test.each([
    ['127.0.0.1:3000', 'http://127.0.0.1:3000'],
    ['localhost:3000', 'http://localhost:3000'],
    ['LOCALHOST:3000', 'http://localhost:3000'],
    ['[::1]:3000', 'http://[::1]:3000'],
    ['127.0.0.1', 'http://127.0.0.1'],
  ])('plain http answers to %s', (host, origin) => {
    expect(targetOf({ host }, DIRECT)).toEqual({ origin, secure: false });
  });

  test.each([
    undefined,
    '',
    'evil.example',
    '127.0.0.1.evil.example',
    'localhost.evil.example:3000',
    '192.168.1.5:3000',
    '0.0.0.0:3000',
    'user@127.0.0.1',
    '127.0.0.1:3000/x',
    '127.0.0.1, evil.example',
  ])('plain http does not answer to %s (DNS rebinding)', (host) => {
    expect(targetOf(host === undefined ? {} : { host }, DIRECT)).toBeUndefined();
  });

  test('behind a proxy only the public name is ours', () => {
    expect(targetOf({ host: 'trade.example.org' }, PROXIED)).toEqual({
      origin: 'https://trade.example.org',
      secure: true,
    });
    expect(targetOf({ host: '127.0.0.1:3000' }, PROXIED)).toBeUndefined();
    expect(
      targetOf({ host: 'evil.example', 'x-forwarded-host': 'trade.example.org' }, PROXIED),
    ).toBeUndefined();
  });
});

describe('where a request comes from', () => {
  const target = { origin: 'http://127.0.0.1:3000', secure: false };
  test.each([
    [{}, true],
    [{ origin: 'http://127.0.0.1:3000' }, true],
    [{ origin: 'http://127.0.0.1:3000', 'sec-fetch-site': 'same-origin' }, true],
    [{ 'sec-fetch-site': 'none' }, true],
    [{ origin: 'http://127.0.0.1:3001' }, false],
    [{ origin: 'https://127.0.0.1:3000' }, false],
    [{ origin: 'null' }, false],
    [{ origin: '' }, false],
    [{ 'sec-fetch-site': 'cross-site' }, false],
    [{ 'sec-fetch-site': 'same-site' }, false],
    [{ origin: 'http://127.0.0.1:3000', 'sec-fetch-site': 'cross-site' }, false],
  ])('%j may call: %s', (headers, expected) => {
    expect(isOwnPage(headers, target)).toBe(expected);
  });
});

describe('the address', () => {
  test.each([
    [DIRECT, '203.0.113.9', '127.0.0.1', '127.0.0.1'],
    [DIRECT, undefined, '::ffff:127.0.0.1', '127.0.0.1'],
    [PROXIED, '203.0.113.9', '10.0.0.1', '203.0.113.9'],
    [PROXIED, '6.6.6.6, 203.0.113.9', '10.0.0.1', '203.0.113.9'],
    [PROXIED, 'nonsense', '10.0.0.1', '10.0.0.1'],
    [PROXIED, undefined, '10.0.0.1', '10.0.0.1'],
  ])('is what the outermost trusted hop saw (%#)', (face, forwarded, peer, expected) => {
    const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
    expect(addressOf(headers, peer, face)).toBe(expected);
  });
});

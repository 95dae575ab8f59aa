import { expect, test } from 'vitest';
import { deviceOf } from './user-agent.ts';

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)';

test.each([
  [`Mozilla/5.0 (X11; Linux x86_64) ${WEBKIT} Chrome/143.0.0.0 Safari/537.36`, 'Chrome, Linux'],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/143.0.0.0 Safari/537.36 Edg/143.0`,
    'Edge, Windows',
  ],
  ['Mozilla/5.0 (Windows NT 10.0; rv:146.0) Gecko/20100101 Firefox/146.0', 'Firefox, Windows'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605 Version/19 Safari/605', 'Safari, macOS'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605 CriOS/143 Safari/604',
    'Chrome, iOS',
  ],
  [`Mozilla/5.0 (Linux; Android 16) ${WEBKIT} Chrome/143.0 Mobile Safari/537.36`, 'Chrome, Android'],
  ['node', 'node'],
  ['', ''],
])('%s is %s', (userAgent, device) => {
  expect(deviceOf(userAgent)).toBe(device);
});

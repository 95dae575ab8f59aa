import { createHmac } from 'node:crypto';
import type { Millis } from '@crossbook/domain';
import { expect, test } from 'vitest';
import { loginFrame, okxSignature, signedHeaders } from './sign.ts';

const CREDENTIALS = { apiKey: 'k', secret: 's', passphrase: 'p' };
const NOW = Date.UTC(2020, 11, 8, 9, 8, 57, 715) as Millis;
const base64 = (payload: string): string => createHmac('sha256', 's').update(payload).digest('base64');

test('a REST request is signed over time, method, path with query and body, as they are sent', () => {
  const request = { method: 'GET', requestPath: '/api/v5/account/balance?ccy=BTC', body: '' } as const;
  expect(signedHeaders(CREDENTIALS, request, NOW)).toEqual({
    'content-type': 'application/json',
    'ok-access-key': 'k',
    'ok-access-passphrase': 'p',
    'ok-access-timestamp': '2020-12-08T09:08:57.715Z',
    'ok-access-sign': base64('2020-12-08T09:08:57.715ZGET/api/v5/account/balance?ccy=BTC'),
  });
  const body = '{"instId":"BTC-USDT"}';
  const post = signedHeaders(CREDENTIALS, { method: 'POST', requestPath: '/api/v5/trade/order', body }, NOW);
  expect(post['ok-access-sign']).toBe(base64(`2020-12-08T09:08:57.715ZPOST/api/v5/trade/order${body}`));
});

test('a log-on is signed over whole seconds', () => {
  expect(JSON.parse(loginFrame(CREDENTIALS, NOW))).toEqual({
    op: 'login',
    args: [
      {
        apiKey: 'k',
        passphrase: 'p',
        timestamp: '1607418537',
        sign: base64('1607418537GET/users/self/verify'),
      },
    ],
  });
});

test('HMAC-SHA256 of RFC 4231, test case 2, in base64', () => {
  const hex = '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843';
  expect(okxSignature('Jefe', 'what do ya want ', 'for nothing?')).toBe(
    Buffer.from(hex, 'hex').toString('base64'),
  );
});

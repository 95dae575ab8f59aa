import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { authFrame, signedHeaders } from './sign.ts';

const CREDENTIALS = { apiKey: 'XXXXXXXXXX', secret: 'topsecret' };
const hmac = (text: string): string => createHmac('sha256', 'topsecret').update(text).digest('hex');

describe('signatures', () => {
  test('a REST call is signed over timestamp, key, window and the very bytes of its payload', () => {
    const payload = '{"category":"spot","qty":"0.10"}';
    expect(
      signedHeaders(CREDENTIALS, { timestamp: 1_658_385_579_423, receiveWindowMillis: 5_000, payload }),
    ).toEqual({
      'x-bapi-api-key': 'XXXXXXXXXX',
      'x-bapi-timestamp': '1658385579423',
      'x-bapi-recv-window': '5000',
      'x-bapi-sign': hmac(`1658385579423XXXXXXXXXX5000${payload}`),
    });
  });

  test('a log-on is signed over the path and the moment it expires', () => {
    expect(JSON.parse(authFrame(CREDENTIALS, 1_662_350_400_000))).toEqual({
      req_id: 'auth',
      op: 'auth',
      args: ['XXXXXXXXXX', 1_662_350_400_000, hmac('GET/realtime1662350400000')],
    });
  });
});

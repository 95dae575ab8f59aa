import { describe, expect, test } from 'vitest';
import { hexHmac, hexHmacFits } from '../wire/hmac.ts';
import { restPayload, socketPayload } from './sign.ts';

// The worked examples of binance-spot-api-docs rest-api.md "SIGNED Endpoint Examples" (HMAC keys).
const SECRET = 'NhqPtmdSJYdKjVHjA7PZj4Mge3R5YNiP1e3UZjInClVN65XAbvqqM6A7H5fATj0j';
const QUERY =
  'symbol=LTCBTC&side=BUY&type=LIMIT&timeInForce=GTC&quantity=1&price=0.1&recvWindow=5000&timestamp=1499827319559';
const SIGNED = 'c8db56825ae71d6d79447849e617115f4a920fa2acdcab2b053c4b2838bd6b71';

describe('REST payload', () => {
  test.each([
    ['all in the query', `${QUERY}&signature=${SIGNED}`, ''],
    ['all in the body', '', `${QUERY}&signature=${SIGNED}`],
  ])('the documented signature fits with %s', (_, query, body) => {
    expect(hexHmacFits(SECRET, restPayload(query, body), SIGNED)).toBe(true);
  });

  test('query and body are joined with nothing between', () => {
    const query = 'symbol=LTCBTC&side=BUY&type=LIMIT&timeInForce=GTC';
    const body = 'quantity=1&price=0.1&recvWindow=5000&timestamp=1499827319559&signature=x';
    const documented = '0fd168b8ddb4876a0358a8d14d0c9f3da0e9b20c5d52b2a00fcf7d1c602f9a77';
    expect(hexHmac(SECRET, restPayload(query, body))).toBe(documented);
  });

  test('only the pair named signature is left out, wherever it stands', () => {
    expect(restPayload('signature=1&a=2&mysignature=3', 'b=4&signature=5')).toBe('a=2&mysignature=3b=4');
  });

  test('bytes are signed as sent, percent-encoding and all', () => {
    expect(restPayload('symbols=%5B%22A%22%5D&x=a+b', '')).toBe('symbols=%5B%22A%22%5D&x=a+b');
  });
});

describe('WebSocket API payload', () => {
  test('parameters are sorted by name and the documented signature fits', () => {
    // binance-spot-api-docs web-socket-api.md "SIGNED request example (HMAC)".
    const params = new Map([
      ['symbol', 'BTCUSDT'],
      ['side', 'SELL'],
      ['type', 'LIMIT'],
      ['timeInForce', 'GTC'],
      ['quantity', '0.01000000'],
      ['price', '52000.00'],
      ['newOrderRespType', 'ACK'],
      ['recvWindow', '100'],
      ['timestamp', '1645423376532'],
      ['apiKey', 'vmPUZE6mv9SD5VNHk4HlWFsOr6aKE2zvsw0MuIgwCIPy6utIco14y7Ju91duEh8A'],
      ['signature', 'x'],
    ]);
    const documented = 'cc15477742bd704c29492d96c7ead9414dfd8e0ec4a00f947bb5bb454ddbd08a';
    expect(hexHmac(SECRET, socketPayload(params))).toBe(documented);
  });
});

describe('comparison', () => {
  test.each([
    ['upper case', SIGNED.toUpperCase(), true],
    ['one digit off', `${SIGNED.slice(0, -1)}2`, false],
    ['too short', SIGNED.slice(1), false],
    ['no hex', 'z'.repeat(64), false],
    ['empty', '', false],
  ])('a signature in %s fits: %s', (_, given, fits) => {
    expect(hexHmacFits(SECRET, QUERY, given)).toBe(fits);
  });
});

import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { hmacHex } from '../../trading/hmac.ts';
import { signedParameters, signedPayload } from './sign.ts';

// Key and figures of the worked example in rest-api.md, "SIGNED Endpoint Examples for POST /api/v3/order".
const SECRET = 'NhqPtmdSJYdKjVHjA7PZj4Mge3R5YNiP1e3UZjInClVN65XAbvqqM6A7H5fATj0j';

test('a REST payload is signed as the worked example of the documentation', () => {
  const parameters = {
    symbol: 'LTCBTC',
    side: 'BUY',
    type: 'LIMIT',
    timeInForce: 'GTC',
    quantity: 1,
    price: '0.1',
    recvWindow: 5_000,
    timestamp: 1_499_827_319_559,
  };
  expect(signedPayload(parameters, SECRET)).toBe(
    'symbol=LTCBTC&side=BUY&type=LIMIT&timeInForce=GTC&quantity=1&price=0.1&recvWindow=5000&timestamp=1499827319559' +
      '&signature=c8db56825ae71d6d79447849e617115f4a920fa2acdcab2b053c4b2838bd6b71',
  );
});

test('what needs escaping is signed in its escaped form', () => {
  const payload = 'tag=%E4%B8%80%20%26';
  expect(signedPayload({ tag: '一 &' }, 's')).toBe(`${payload}&signature=${hmacHex('s', payload)}`);
});

test('a WebSocket API request is signed over its parameters sorted by name, unescaped', () => {
  const signed = signedParameters({ timestamp: 5, apiKey: 'k', symbol: 'BTCUSDT', flag: true }, 's');
  const expected = createHmac('sha256', 's')
    .update('apiKey=k&flag=true&symbol=BTCUSDT&timestamp=5')
    .digest('hex');
  expect(signed).toEqual({ timestamp: 5, apiKey: 'k', symbol: 'BTCUSDT', flag: true, signature: expected });
});

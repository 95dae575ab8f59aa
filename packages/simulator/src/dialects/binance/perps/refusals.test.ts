import { describe, expect, test } from 'vitest';
import { openedOnce } from '../../../../../../tests/opened.ts';
import { startFuturesRig } from './rig.fixture.ts';

const rig = openedOnce(startFuturesRig);

const mandatory = (name: string) =>
  `Mandatory parameter '${name}' was not sent, was empty/null, or malformed.`;
const invalid = (name: string) => `Data sent for parameter '${name}' is not valid.`;

describe('public calls', () => {
  test.each([
    ['no symbol', 'depth', -1102, mandatory('symbol')],
    ['an empty symbol', 'depth?symbol=', -1105, "Parameter 'symbol' was empty."],
    ['an unknown symbol', 'ticker/24hr?symbol=NOPE', -1121, 'Invalid symbol.'],
    ['an unknown symbol in a list call', 'premiumIndex?symbol=NOPE', -1121, 'Invalid symbol.'],
    ['no symbol where one is needed', 'openInterest', -1102, mandatory('symbol')],
    [
      'a lower-case symbol',
      'depth?symbol=btcusdt',
      -1100,
      "Illegal characters found in parameter 'symbol'; legal range is '^[A-Z0-9-_.]{1,20}$'.",
    ],
    ['a depth that is not offered', 'depth?symbol=BTCUSDT&limit=7', -4021, 'Invalid depth limit.'],
    ["a depth above the venue's", 'depth?symbol=BTCUSDT&limit=5000', -4021, 'Invalid depth limit.'],
    ['one-second bars', 'klines?symbol=BTCUSDT&interval=1s', -1120, 'Invalid interval.'],
    ['no interval', 'klines?symbol=BTCUSDT', -1102, mandatory('interval')],
    ['a page of 1501 bars', 'klines?symbol=BTCUSDT&interval=1m&limit=1501', -1130, invalid('limit')],
    ['a page of no bars', 'klines?symbol=BTCUSDT&interval=1m&limit=0', -1130, invalid('limit')],
    ['a page of 1001 trades', 'trades?symbol=BTCUSDT&limit=1001', -1130, invalid('limit')],
    ['no pair', 'continuousKlines?contractType=PERPETUAL&interval=1m', -1102, mandatory('pair')],
    ['no kind', 'continuousKlines?pair=BTCUSDT&interval=1m', -1102, mandatory('contractType')],
    [
      'an unknown kind',
      'continuousKlines?pair=BTCUSDT&contractType=WEEKLY&interval=1m',
      -1130,
      invalid('contractType'),
    ],
    [
      'a pair without that kind',
      'continuousKlines?pair=ETHUSDT&contractType=NEXT_QUARTER&interval=1m',
      -1121,
      'Invalid symbol.',
    ],
    [
      'an id and a time',
      'aggTrades?symbol=BTCUSDT&fromId=1&startTime=1',
      -1128,
      'Combination of optional parameters invalid.',
    ],
    [
      'a huge time',
      'klines?symbol=BTCUSDT&interval=1m&startTime=99999999999999999999',
      -1108,
      "Parameter 'startTime' overflowed.",
    ],
    [
      'a parameter twice',
      'depth?symbol=BTCUSDT&symbol=ETHUSDT',
      -1101,
      'Duplicate values for a parameter detected.',
    ],
    ['broken percent-encoding', 'depth?symbol=%E0%A4%A', -1100, 'Illegal characters found in a parameter.'],
  ])('%s', async (_, path, code, msg) => {
    const answer = await rig.get(`/fapi/v1/${path}`);
    expect([answer.status, answer.body]).toEqual([400, { code, msg }]);
  });

  test.each([
    ['GET', '/fapi/v1/nope'],
    ['GET', '/fapi/v4/depth'],
    ['POST', '/fapi/v1/depth'],
    ['GET', '/dapi/v1/depth'],
  ])('%s %s is a path the host does not have', async (method, path) => {
    const answer = await rig.send(method, path);
    const msg = `Path ${path}, Method ${method} is invalid`;
    expect([answer.status, answer.body]).toEqual([404, { code: -5000, msg }]);
  });

  test.each([
    ['/futures/data/openInterestHist?symbol=BTCUSDT&period=5m', 400, -1020, 'This call is not simulated.'],
    ['/futures/data/globalLongShortAccountRatio', 400, -1020, 'This call is not simulated.'],
    ['/futures/data/nope', 404, -5000, 'Path /futures/data/nope, Method GET is invalid'],
  ])('%s is refused as the host refuses', async (path, status, code, msg) => {
    const answer = await rig.get(path);
    expect([answer.status, answer.body]).toEqual([status, { code, msg }]);
  });

  test('parameters that a call does not know are not looked at', async () => {
    expect((await rig.get('/fapi/v1/exchangeInfo?symbol=BTCUSDT&timestamp=1')).status).toBe(200);
  });
});

describe('what needs an account', () => {
  test.each([
    ['a key', '', [401, -2014]],
    ['a key that is known', 'A'.repeat(64), [401, -2015]],
  ])('is refused without %s', async (_, apiKey, refusal) => {
    const headers = { 'x-mbx-apikey': apiKey };
    const answer = await rig.send('POST', '/fapi/v1/listenKey', { headers });
    expect([answer.status, answer.body.code]).toEqual(refusal);
    const unsigned = await rig.send('GET', '/fapi/v3/account', { headers });
    expect(unsigned.body.code).toBe(apiKey === '' ? -2014 : -1102);
  });

  test.each([
    ['GET', '/fapi/v1/order/asyn'],
    ['GET', '/fapi/v1/apiReferral/overview'],
    ['GET', '/fapi/v1/assetIndex'],
    ['GET', '/fapi/v1/pmAccountInfo'],
    ['GET', '/fapi/v1/income/asyn'],
    ['POST', '/fapi/v1/convert/getQuote'],
  ])('%s %s, which is left out, is refused by name', async (method, path) => {
    const answer = await rig.send(method, path);
    const refusal = { code: -1020, msg: 'This call is not simulated.' };
    expect([answer.status, answer.body]).toEqual([400, refusal]);
  });

  test('every request of the WebSocket API is answered under its id', async () => {
    const socket = await rig.socket('/ws-fapi/v1');
    expect(await socket.ask(7, 'order.place', { symbol: 'BTCUSDT' })).toMatchObject({
      id: 7,
      status: 401,
      error: { code: -2014 },
      rateLimits: [{ rateLimitType: 'REQUEST_WEIGHT', limit: 2400 }],
    });
    expect((await socket.ask('b', 'algoOrder.place')).error.code).toBe(-2014);
    socket.send('no json');
    expect(await socket.hear((message) => message.id === null)).toMatchObject({ status: 400 });
    socket.close();
  });

  test('a private socket with a key that nobody has stays silent', async () => {
    const socket = await rig.socket(`/private/ws?listenKey=${'a'.repeat(60)}`);
    socket.send({ id: 1, method: 'LIST_SUBSCRIPTIONS' });
    await socket.hear((message) => message.id === 1);
    expect(socket.heard.length).toBe(1);
    socket.close();
  });
});

describe('request weight', () => {
  test('adds up per minute; above the limit comes 429 until the minute ends', async () => {
    const strict = await startFuturesRig({ requestWeightPerMinuteMax: 12 });
    const used = [];
    for (let at = 0; at < 3; at += 1) {
      used.push(
        (await strict.get('/fapi/v1/depth?symbol=BTCUSDT&limit=100')).headers.get('x-mbx-used-weight-1m'),
      );
    }
    expect(used).toEqual(['5', '10', '15']);
    const refused = await strict.get('/fapi/v1/time');
    expect([refused.status, refused.body.code]).toEqual([429, -1003]);
    expect(refused.body.msg).toContain('current limit is 12 requests per minute');
    strict.letPass(Number(refused.headers.get('retry-after')) * 1000);
    expect((await strict.get('/fapi/v1/time')).status).toBe(200);
    await strict.close();
  });

  test.each([
    ['depth?symbol=BTCUSDT&limit=50', 2],
    ['depth?symbol=BTCUSDT&limit=500', 10],
    ['depth?symbol=BTCUSDT', 10],
    ['depth?symbol=BTCUSDT&limit=1000', 20],
    ['klines?symbol=BTCUSDT&interval=1m&limit=99', 1],
    ['klines?symbol=BTCUSDT&interval=1m&limit=100', 2],
    ['klines?symbol=BTCUSDT&interval=1m&limit=500', 5],
    ['klines?symbol=BTCUSDT&interval=1m&limit=1500', 10],
    ['ticker/24hr', 40],
    ['ticker/24hr?symbol=BTCUSDT', 1],
    ['ticker/bookTicker', 5],
    ['premiumIndex', 10],
    ['premiumIndex?symbol=BTCUSDT', 1],
    ['exchangeInfo', 1],
    ['fundingRate?symbol=BTCUSDT', 0],
  ])('%s weighs %i', async (path, weight) => {
    rig.letPass(60_000);
    const answer = await rig.get(`/fapi/v1/${path}`);
    expect([answer.status, answer.headers.get('x-mbx-used-weight-1m')]).toEqual([200, String(weight)]);
  });

  test('funding calls share a budget of their own', async () => {
    const strict = await startFuturesRig({ fundingCallsPer5MinutesMax: 2 });
    expect((await strict.get('/fapi/v1/fundingRate')).status).toBe(200);
    expect((await strict.get('/fapi/v1/fundingInfo')).status).toBe(200);
    const refused = await strict.get('/fapi/v1/fundingRate');
    expect([refused.status, refused.body.code]).toEqual([429, -1003]);
    expect((await strict.get('/fapi/v1/premiumIndex')).status).toBe(200);
    await strict.close();
  });
});

describe('faults on order', () => {
  const plan = { count: 1, delayMillis: 20, probability: 1, seed: 1 } as const;

  test('a timeout says that the outcome is unknown', async () => {
    rig.faults.arm({ ...plan, kind: 'timeout-before', match: 'fapi.depth' });
    expect((await rig.get('/fapi/v1/time')).status).toBe(200);
    const answer = await rig.get('/fapi/v1/depth?symbol=BTCUSDT');
    expect([answer.status, answer.body.code]).toEqual([504, -1007]);
    expect((await rig.get('/fapi/v1/depth?symbol=BTCUSDT')).status).toBe(200);
  });

  test('a reset ends the connection without an answer, a delay answers late', async () => {
    rig.faults.arm({ ...plan, kind: 'reset-after', match: 'fapi.time' });
    await expect(rig.get('/fapi/v1/time')).rejects.toThrow();
    rig.faults.arm({ ...plan, kind: 'delay', match: 'fapi.time' });
    expect((await rig.get('/fapi/v1/time')).status).toBe(200);
    expect(rig.faults.list()).toEqual([]);
  });
});

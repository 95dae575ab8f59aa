import { amount, type Millis } from '@crossbook/domain';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openedOnce } from '../../../../../../tests/opened.ts';
import { runs } from '../../../../../../tests/property-runs.ts';
import { FUTURES_ENDPOINTS } from './calls.ts';
import { MemberRig } from './member-rig.fixture.ts';
import { startFuturesRig } from './rig.fixture.ts';

const rig = openedOnce(() =>
  startFuturesRig({ requestWeightPerMinuteMax: 1e12, fundingCallsPer5MinutesMax: 1e12 }),
);

const PARAMETERS = ['symbol', 'pair', 'contractType', 'interval', 'startTime', 'endTime', 'limit', 'fromId'];
const value = fc.oneof(
  fc.constantFrom('BTCUSDT', 'ETHUSDT', 'BTCUSDT_270326', 'PERPETUAL', '1m', '1w', '1M', '5', '1000', '1500'),
  fc.constantFrom('', '0', '-1', '1e9', 'NaN', '99999999999999999999', '9007199254740991', '１', '__proto__'),
  fc.integer({ min: 0, max: 2_000_000_000_000 }).map(String),
  fc.string({ maxLength: 40 }),
);
const bag = fc.dictionary(
  fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...PARAMETERS) }, { weight: 1, arbitrary: fc.string() }),
  value,
  { maxKeys: 6 },
);
const path = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.constantFrom(
      ...[...FUTURES_ENDPOINTS.keys()].map((route) => route.slice(route.indexOf(' ') + 1)),
    ),
  },
  { weight: 1, arbitrary: fc.webPath().map((text) => `/fapi${text}`) },
);

test('calls with any parameters are answered with data or a refusal that has code and text, never a fault', async () => {
  await fc.assert(
    fc.asyncProperty(
      path,
      bag,
      fc.constantFrom('GET', 'GET', 'GET', 'POST', 'DELETE', 'PUT'),
      async (where, parameters, method) => {
        const query = new URLSearchParams(parameters).toString();
        const answer = await rig.send(method, `${where}?${query}`);
        expect(answer.status).toBeLessThan(500);
        if (answer.status === 200) return;
        expect(Number.isInteger(answer.body.code) && answer.body.msg.length > 0).toBe(true);
      },
    ),
    { numRuns: runs(300, 10), seed: 20260102 },
  );
  expect(rig.complaints).toEqual([]);
}, 1_200_000);

test('any message on any socket is answered or ends that socket alone', async () => {
  const name = fc.oneof(
    fc.constantFrom('btcusdt@depth', 'btcusdt@trade', '!markPrice@arr', '!nope', '@', 'btcusdt@', 'x@depth'),
    fc.string({ maxLength: 30 }),
  );
  const json = fc.record(
    {
      id: fc.oneof(fc.integer(), fc.string({ maxLength: 20 }), fc.constant(null), fc.object({ maxDepth: 1 })),
      method: fc.oneof(
        fc.constantFrom('SUBSCRIBE', 'UNSUBSCRIBE', 'LIST_SUBSCRIPTIONS', 'order.place'),
        fc.string(),
      ),
      params: fc.oneof(fc.array(name), fc.jsonValue({ maxDepth: 2 })),
    },
    { requiredKeys: [] },
  );
  const message = fc.oneof(
    json.map((content) => JSON.stringify(content)),
    fc.string({ maxLength: 100 }),
  );
  const door = fc.constantFrom('/public/ws', '/market/stream', '/ws-fapi/v1');
  await fc.assert(
    fc.asyncProperty(door, fc.array(message, { minLength: 1, maxLength: 20 }), async (where, messages) => {
      const socket = await rig.socket(where);
      for (const text of messages) socket.send(text);
      await socket.hear(() => socket.heard.length >= messages.length);
      socket.close();
      expect((await rig.get('/fapi/v1/ping')).status).toBe(200);
    }),
    { numRuns: runs(40), seed: 20260102 },
  );
  expect(rig.complaints).toEqual([]);
}, 1_200_000);

test('signed calls with any parameters are answered with data or a refusal, never a fault, and no money is made', async () => {
  const members = await MemberRig.open();
  const member = await members.member('fuzz', '1000');
  const routes = [...FUTURES_ENDPOINTS.keys()];
  const word = fc.constantFrom(
    ...[
      'BTCUSDT',
      'ETHUSDT',
      'BUY',
      'SELL',
      'LIMIT',
      'MARKET',
      'STOP',
      'GTC',
      'IOC',
      'FOK',
      'GTX',
      'BOTH',
      'LONG',
    ],
    ...[
      'SHORT',
      'true',
      'false',
      'ISOLATED',
      'CROSSED',
      'RESULT',
      'ACK',
      '1',
      '2',
      '0.001',
      '0.01',
      '59000',
      '60000',
    ],
    ...[
      '61000.5',
      '-1',
      '0',
      '',
      '1e9',
      '99999999999999999999',
      '[1]',
      '["a"]',
      '[{"symbol":"BTCUSDT"}]',
      '__proto__',
    ],
  );
  const likely = fc.record(
    {
      ...{ symbol: fc.constantFrom('BTCUSDT', 'ETHUSDT', 'NOPE'), side: fc.constantFrom('BUY', 'SELL') },
      ...{
        type: fc.constantFrom('LIMIT', 'MARKET', '1', '2'),
        timeInForce: fc.constantFrom('GTC', 'IOC', 'GTX'),
      },
      ...{
        quantity: fc.constantFrom('0.001', '0.01', '1'),
        price: fc.constantFrom('59000', '60000', '61000.5'),
      },
      ...{ reduceOnly: fc.constantFrom('true', 'false'), leverage: fc.constantFrom('1', '20', '125', '126') },
      ...{
        marginType: fc.constantFrom('ISOLATED', 'CROSSED'),
        dualSidePosition: fc.constantFrom('true', 'false'),
      },
      ...{
        amount: fc.constantFrom('0', '1', '5000'),
        positionSide: fc.constantFrom('BOTH', 'LONG', 'SHORT'),
      },
      ...{ orderId: fc.nat(), limit: fc.nat(), page: fc.nat(), startTime: fc.nat(), batchOrders: word },
    },
    { requiredKeys: [] },
  );
  const wild = fc.dictionary(fc.string({ maxLength: 12 }), word, { maxKeys: 3 });
  members.core.house('BTCUSDT', 'SELL', 60_000, 1_000_000);
  members.core.house('BTCUSDT', 'BUY', 59_990, 1_000_000);
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...routes), likely, wild, async (route, expected, odd) => {
      members.core.now = (members.core.now + 2000) as Millis;
      const answer = await member.call(route, { ...odd, ...expected });
      expect(answer.status).not.toBe(429);
      expect(answer.status).toBeLessThan(500);
      if (answer.status !== 200)
        expect(Number.isInteger(answer.body.code) && answer.body.msg.length > 0).toBe(true);
    }),
    { numRuns: runs(750, 8), seed: 20260103 },
  );
  expect(members.complaints).toEqual([]);
  const rows: { income: string }[] = await member.ask('GET /fapi/v1/income', { limit: 1000 });
  const earned = rows.reduce((sum, { income }) => sum + amount(income), 0n);
  expect(earned).toBe(members.core.wallet(member.account));
  await members.close();
}, 1_200_000);

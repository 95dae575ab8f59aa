import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { openedOnce } from '../../../../../tests/opened.ts';
import { runs } from '../../../../../tests/property-runs.ts';
import type { KeyPair } from '../wire/rig.fixture.ts';
import { ENDPOINTS } from './endpoints.ts';
import { startRig } from './rig.fixture.ts';

const rig = openedOnce(startRig);
let key: KeyPair;
let master: KeyPair;

beforeAll(async () => {
  key = await rig.key('fuzz', { USDT: '100000', BTC: '1' });
  master = await rig.key('master', { USDT: '100000' });
});

const words =
  '|0|-1|1e9|NaN|null|[]|{}|99999999999999999999|0.00000000000000000001|00.1|1.|.1|+1| 1|１|\u0000|spot|linear|inverse|BTCUSDT|BTCPERP|Buy|Sell|Limit|Market|GTC|PostOnly|UNIFIED|FUND|USDT|1|60|D|0.001|50000|true|__proto__|baseCoin|1_1|3|10|ISOLATED_MARGIN|REGULAR_MARGIN|ON|OFF|BTCUSDT-26MAR27'.split(
    '|',
  );
const names =
  'category|symbol|side|orderType|qty|price|timeInForce|marketUnit|orderLinkId|orderId|orderFilter|isLeverage|smpType|triggerPrice|limit|cursor|startTime|endTime|start|end|interval|intervalTime|status|baseCoin|settleCoin|openOnly|execType|orderStatus|accountType|coin|transferId|amount|fromMemberId|toMemberId|fromAccountType|toAccountType|username|memberType|switch|note|pageSize|nextCursor|subuid|readOnly|permissions|request|positionIdx|reduceOnly|closeOnTrigger|margin|buyLeverage|sellLeverage|mode|setMarginMode|autoAddMargin|collateralSwitch|type|currency|transSubType'.split(
    '|',
  );
const text = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...words) },
  fc.string({ maxLength: 40 }),
  fc.integer().map(String),
);
const name = fc.oneof({ weight: 12, arbitrary: fc.constantFrom(...names) }, fc.string({ maxLength: 10 }));
const query = fc.dictionary(name, text, { maxKeys: 12 });
const body = fc.dictionary(
  name,
  fc.oneof({ weight: 5, arbitrary: text }, fc.integer(), fc.jsonValue({ maxDepth: 3 })),
  { maxKeys: 12 },
);

function expectEnvelope(answer: unknown): void {
  const envelope = answer as { retCode?: unknown; retMsg?: unknown; result?: unknown };
  expect(Number.isInteger(envelope.retCode)).toBe(true);
  expect(typeof envelope.retMsg).toBe('string');
  expect(typeof envelope.result).toBe('object');
  expect(envelope.retCode).not.toBe(10_016);
}

describe('garbage', () => {
  test('calls with any parameters are answered in the envelope, never by a fault', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...ENDPOINTS), query, body, fc.boolean(), async (...drawn) => {
        const [endpoint, params, posted, asMaster] = drawn;
        const [method = 'GET', path = '/'] = endpoint.route.split(' ');
        const call = method === 'GET' ? { params } : { body: posted };
        const answer = await rig.signed(asMaster ? master : key, path, call);
        expect(answer.status).toBeLessThan(500);
        expectEnvelope(answer.body);
      }),
      { numRuns: runs(400, 20), seed: 20270108 },
    );
    expect(rig.complaints).toEqual([]);
  }, 1_200_000);

  test('raw queries and bodies of any bytes are refused by name', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...ENDPOINTS),
        fc.string({ unit: 'binary-ascii', maxLength: 200 }).map((raw) => raw.replace(/[^!-"$-~]/g, '%')),
        fc.uint8Array({ maxLength: 300 }),
        async (endpoint, raw, bytes) => {
          const [method = 'GET', path = '/'] = endpoint.route.split(' ');
          const headers = { 'x-bapi-api-key': key.apiKey, 'x-bapi-timestamp': String(rig.now) };
          const init = method === 'GET' ? { headers } : { headers, body: new Uint8Array(bytes) };
          const answer = await rig.send(method, `${path}?${raw}`, init);
          expect(answer.status).toBeLessThan(500);
          expectEnvelope(answer.body);
        },
      ),
      { numRuns: runs(150, 20), seed: 20270108 },
    );
    expect(rig.complaints).toEqual([]);
  }, 1_200_000);

  test('a body beyond the bound is refused and the server lives', async () => {
    const answer = await rig.send('POST', '/v5/order/create', { body: 'x'.repeat(100_000) });
    expect([answer.status, answer.body.retCode]).toEqual([413, 10_001]);
    expect((await rig.get('/v5/market/time')).status).toBe(200);
  });

  test.each(['/v5/public/spot', '/v5/public/linear', '/v5/private', '/v5/trade'])(
    'any message on %s is answered or ignored, and ends nothing but that socket',
    async (path) => {
      const topics =
        'orderbook.50.BTCUSDT|tickers.BTCUSDT|kline.1.BTCUSDT|order|wallet|position|execution.fast.linear|insurance.USDT|allLiquidation.BTCUSDT|a.b.c|'.split(
          '|',
        );
      const ops = 'subscribe|unsubscribe|auth|order.create|order.cancel|order.create-batch|pong'.split('|');
      const json = fc.record(
        {
          req_id: fc.oneof(
            fc.integer(),
            fc.string({ maxLength: 40 }),
            fc.constant(null),
            fc.object({ maxDepth: 1 }),
          ),
          reqId: fc.oneof(fc.string({ maxLength: 40 }), fc.jsonValue({ maxDepth: 1 })),
          op: fc.oneof(fc.constantFrom(...ops), fc.string({ maxLength: 10 }), fc.constant(7)),
          args: fc.oneof(
            fc.array(fc.oneof(fc.constantFrom(...topics), body, fc.jsonValue({ maxDepth: 2 })), {
              maxLength: 12,
            }),
            fc.jsonValue({ maxDepth: 2 }),
          ),
          header: fc.oneof(
            fc.constant({ 'X-BAPI-TIMESTAMP': String(rig.now) }),
            fc.jsonValue({ maxDepth: 2 }),
          ),
        },
        { requiredKeys: [] },
      );
      const message = fc.oneof(
        { weight: 4, arbitrary: json.map((value) => JSON.stringify(value)) },
        fc.string({ maxLength: 100 }),
      );
      await fc.assert(
        fc.asyncProperty(
          fc.array(message, { minLength: 1, maxLength: 20 }),
          fc.boolean(),
          async (messages, known) => {
            const isPublic = path.includes('public');
            const socket = known && !isPublic ? await rig.loggedOn(path, key) : await rig.socket(path);
            for (const one of messages) socket.send(one);
            const last = 'the last of them';
            socket.send({ req_id: last, reqId: last, op: 'ping' });
            await socket.hear((answer) => answer.req_id === last || answer.reqId === last);
            socket.close();
          },
        ),
        { numRuns: runs(40), seed: 20270108 },
      );
      expect(rig.complaints).toEqual([]);
    },
    120_000,
  );
});

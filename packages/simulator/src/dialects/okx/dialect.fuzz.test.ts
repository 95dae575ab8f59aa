import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runs } from '../../../../../tests/property-runs.ts';
import { REST_ENDPOINTS } from './endpoints.ts';
import { type Key, startRig, type TestRig } from './rig.fixture.ts';

let rig: TestRig;
let key: Key;
let master: Key;

beforeAll(async () => {
  rig = await startRig();
  key = await rig.key('fuzz', { USDT: '100000', BTC: '1' });
  master = await rig.key('master', { USDT: '100000' });
});
afterAll(() => rig.close());

const SEED = 20261120;
const nasty = fc.oneof(
  fc.constantFrom('', '0', '-1', '1e9', '1e-9', 'NaN', 'Infinity', 'null', '[]', '{}', '["BTC-USDT"]'),
  fc.constantFrom(...'99999999999999999999|0.00000000000000000001|00.1|1.|.1|+1| 1|１|\u0000'.split('|')),
  fc.constantFrom(...'BTC-USDT|BTC-USDT-SWAP|WAVES-USDT|SPOT|SWAP|FUTURES|ANY|cash|buy|sell'.split('|')),
  fc.constantFrom(...'limit|market|post_only|ioc|1m|1Dutc|3M|0.01|60000|6|18|__proto__'.split('|')),
  fc.string({ maxLength: 60 }),
  fc.integer().map(String),
);
const names = fc.constantFrom(
  ...'instId instType instFamily uly sz px side ordType tdMode clOrdId ordId tag tgtCcy stpMode bar after before'.split(
    ' ',
  ),
  ...'limit begin end type ccy amt from to subAcct clientId transId newSz newPx reqId label passphrase perm'.split(
    ' ',
  ),
  ...'instIdCode quoteCcy state tier subType category posSide attachAlgoOrds'.split(' '),
);
const bag = fc.dictionary(names, nasty, { maxKeys: 9 });
const routes = fc.constantFrom(...REST_ENDPOINTS.keys());
const query = (values: Record<string, string>) =>
  Object.entries(values)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');

function isAnswer(body: unknown): boolean {
  const { code, msg } = body as { code?: unknown; msg?: unknown };
  return typeof code === 'string' && /^[0-9]{1,5}$/.test(code) && typeof msg === 'string';
}

describe('garbage', () => {
  test('signed calls with any parameters are answered with data or a refusal, never a fault', async () => {
    const body = fc.oneof(bag, fc.array(bag, { maxLength: 4 }), fc.jsonValue({ maxDepth: 3 }));
    await fc.assert(
      fc.asyncProperty(routes, bag, body, fc.boolean(), async (route, values, sent, asMaster) => {
        const [method = 'GET', path = '/'] = route.split(' ');
        const signer = asMaster ? master : key;
        const answer =
          method === 'GET'
            ? await rig.signed(signer, method, `${path}?${query(values)}`)
            : await rig.signed(signer, method, path, { body: sent });
        expect(answer.status).toBeLessThan(500);
        expect(isAnswer(answer.body)).toBe(true);
      }),
      { numRuns: runs(700), seed: SEED },
    );
    expect(rig.complaints).toEqual([]);
  }, 120_000);

  test('raw queries, headers and bodies of any bytes are refused by code', async () => {
    await fc.assert(
      fc.asyncProperty(
        routes,
        fc.string({ unit: 'binary-ascii', maxLength: 200 }).map((text) => text.replace(/[^!-"$-~]/g, '%')),
        fc.uint8Array({ maxLength: 300 }),
        async (route, raw, bytes) => {
          const [method = 'GET', path = '/'] = route.split(' ');
          const headers = { 'content-type': 'application/json', 'ok-access-key': key.apiKey };
          const init = method === 'GET' ? { headers } : { headers, body: new Uint8Array(bytes) };
          const answer = await rig.send(method, `${path}?${raw}`, init);
          expect(answer.status).toBeLessThan(500);
          expect(isAnswer(answer.body)).toBe(true);
        },
      ),
      { numRuns: runs(300), seed: SEED },
    );
    expect(rig.complaints).toEqual([]);
  }, 120_000);

  test.each(['public', 'business', 'private'] as const)(
    'any message on /%s is answered or ends that socket alone',
    async (path) => {
      const channel = fc.constantFrom(
        ...'books|trades|tickers|candle1m|orders|account|positions|status'.split('|'),
      );
      const argument = fc.oneof(
        bag,
        fc.record(
          { channel, instId: nasty, instType: nasty, extraParams: nasty },
          { requiredKeys: ['channel'] },
        ),
        fc.jsonValue({ maxDepth: 2 }),
      );
      const operation = fc.constantFrom(
        ...'subscribe|unsubscribe|login|order|cancel-order|amend-order|batch-orders'.split('|'),
      );
      const json = fc.record(
        {
          id: fc.oneof(fc.integer(), fc.string({ maxLength: 40 }), fc.constant(null)),
          op: fc.oneof(operation, fc.string()),
          args: fc.oneof(fc.array(argument, { maxLength: 4 }), fc.jsonValue({ maxDepth: 2 })),
        },
        { requiredKeys: [] },
      );
      const message = fc.oneof(
        json.map((value) => JSON.stringify(value)),
        fc.string({ maxLength: 100 }),
      );
      await fc.assert(
        fc.asyncProperty(fc.array(message, { minLength: 1, maxLength: 20 }), async (messages) => {
          const socket = path === 'private' ? await rig.loggedIn(key) : await rig.socket(path);
          for (const text of messages) socket.send(text);
          socket.send('ping');
          await socket.hear((heard) => heard === 'pong');
          socket.close();
          expect((await rig.get('/api/v5/public/time')).status).toBe(200);
        }),
        { numRuns: runs(40), seed: SEED },
      );
      expect(rig.complaints).toEqual([]);
    },
    120_000,
  );
});

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runs } from '../../../../../tests/property-runs.ts';
import type { KeyPair } from '../wire/rig.fixture.ts';
import { ENDPOINTS } from './endpoints.ts';
import { startRig, type TestRig } from './rig.fixture.ts';

let rig: TestRig;
let key: KeyPair;
let master: KeyPair;

beforeAll(async () => {
  const limits = {
    requestWeightPerMinuteMax: 1e12,
    ordersPer10SecondsMax: 1e12,
    rawRequestsPer5MinutesMax: 1e12,
  };
  rig = await startRig({ limits });
  key = await rig.key('fuzz', { USDT: '100000', BTC: '1' });
  master = await rig.key('master', { USDT: '100000' });
});
afterAll(() => rig.close());

const nasty = fc.oneof(
  fc.constantFrom(...'|0|-1|1e9|1e-9|NaN|Infinity|null|undefined|[]|{}|["BTCUSDT"]'.split('|')),
  fc.constantFrom(...'99999999999999999999|0.00000000000000000001|00.1|1.|.1|+1| 1|１|\u0000'.split('|')),
  fc.constantFrom(...'BTCUSDT|BUY|LIMIT|MARKET|GTC|1m|0.001|50000|true|SPOT|__proto__'.split('|')),
  fc.string({ maxLength: 60 }),
  fc.integer().map(String),
);
const params = [...new Set(ENDPOINTS.flatMap((entry) => [...entry.params]))];
const paramName = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom(...params) },
  { weight: 1, arbitrary: fc.string() },
);
const bag = fc.dictionary(paramName, nasty, { maxKeys: 10 });
const routes = ENDPOINTS.flatMap((entry) => entry.rest);

function isRefusal(body: unknown): boolean {
  const { code, msg } = body as { code?: unknown; msg?: unknown };
  return Number.isInteger(code) && typeof msg === 'string' && msg.length > 0;
}

describe('garbage', () => {
  test('signed REST calls with any parameters are answered with data or a refusal, never a fault', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...routes), bag, fc.boolean(), async (route, values, inBody) => {
        const [method = 'GET', path = '/'] = route.split(' ');
        const split = inBody && method !== 'GET' ? { body: values } : { params: values };
        const signer = path.includes('/broker/') ? master : key;
        const answer = await rig.signed(signer, path, { method, ...split });
        expect(answer.status).toBeLessThan(500);
        if (answer.status >= 400) expect(isRefusal(answer.body)).toBe(true);
      }),
      { numRuns: runs(300, 20), seed: 20260102 },
    );
    expect(rig.complaints).toEqual([]);
  }, 1_200_000);

  test('raw queries and bodies of any bytes are refused by name', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...routes),
        fc.string({ unit: 'binary-ascii', maxLength: 200 }).map((text) => text.replace(/[^!-"$-~]/g, '%')),
        fc.uint8Array({ maxLength: 300 }),
        async (route, query, body) => {
          const [method = 'GET', path = '/'] = route.split(' ');
          const headers = { 'x-mbx-apikey': key.apiKey };
          const init = method === 'GET' ? { headers } : { headers, body: new Uint8Array(body) };
          const answer = await rig.send(method, `${path}?${query}`, init);
          expect(answer.status).toBeLessThan(500);
        },
      ),
      { numRuns: runs(150, 20), seed: 20260102 },
    );
    expect(rig.complaints).toEqual([]);
  }, 1_200_000);

  test.each(['/ws-api/v3', '/ws'])(
    'any message on %s is answered or ends that socket alone',
    async (path) => {
      const methods = ENDPOINTS.map((entry) => entry.name);
      const json = fc.record(
        {
          id: fc.oneof(
            fc.integer(),
            fc.string({ maxLength: 40 }),
            fc.constant(null),
            fc.object({ maxDepth: 1 }),
          ),
          method: fc.oneof(
            fc.constantFrom(...methods, 'SUBSCRIBE', 'UNSUBSCRIBE', 'SET_PROPERTY'),
            fc.string(),
          ),
          params: fc.oneof(
            bag,
            fc.array(fc.oneof(nasty, fc.integer(), fc.constant(null))),
            fc.jsonValue({ maxDepth: 3 }),
          ),
        },
        { requiredKeys: [] },
      );
      const message = fc.oneof(
        json.map((value) => JSON.stringify(value)),
        fc.string({ maxLength: 100 }),
      );
      await fc.assert(
        fc.asyncProperty(fc.array(message, { minLength: 1, maxLength: 20 }), async (messages) => {
          const socket = await rig.socket(path);
          for (const text of messages) socket.send(text);
          await socket.hear(() => socket.heard.length >= messages.length);
          for (const answer of socket.heard) expect(answer.status ?? 0).toBeLessThan(500);
          socket.close();
          expect((await rig.get('/api/v3/ping')).status).toBe(200);
        }),
        { numRuns: runs(40), seed: 20260102 },
      );
      expect(rig.complaints).toEqual([]);
    },
    120_000,
  );
});

import { amount, type Millis, parseSignedAmount } from '@crossbook/domain';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { openedOnce } from '../../../../../tests/opened.ts';
import { runs } from '../../../../../tests/property-runs.ts';
import { REST_ENDPOINTS } from './endpoints.ts';
import { MemberRig, SWAP } from './perps/member-rig.fixture.ts';
import { type Key, startRig } from './rig.fixture.ts';

const rig = openedOnce(startRig);
let key: Key;
let master: Key;

beforeAll(async () => {
  key = await rig.key('fuzz', { USDT: '100000', BTC: '1' });
  master = await rig.key('master', { USDT: '100000' });
});

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
      { numRuns: runs(350, 5), seed: SEED },
    );
    expect(rig.complaints).toEqual([]);
  }, 1_200_000);

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
      { numRuns: runs(150, 10), seed: SEED },
    );
    expect(rig.complaints).toEqual([]);
  }, 1_200_000);

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

describe('contracts', () => {
  const likely = fc.record(
    {
      ...{ instId: fc.constantFrom(SWAP, SWAP, 'ETH-USDT-SWAP', 'NOPE'), instType: fc.constant('SWAP') },
      ...{ tdMode: fc.constantFrom('cross', 'isolated'), mgnMode: fc.constantFrom('cross', 'isolated') },
      ...{ side: fc.constantFrom('buy', 'sell'), posSide: fc.constantFrom('net', 'net', 'long', 'short') },
      ordType: fc.constantFrom('limit', 'market', 'post_only', 'fok', 'ioc', 'optimal_limit_ioc'),
      ...{ sz: fc.constantFrom('0.01', '1', '5', '900'), px: fc.constantFrom('59000', '60000', '61000.5') },
      ...{ reduceOnly: fc.constantFrom('true', 'false'), lever: fc.constantFrom('1', '10', '125', '126') },
      ...{ type: fc.constantFrom('add', 'reduce', '2', '8'), amt: fc.constantFrom('0', '1', '500') },
      ...{
        posMode: fc.constantFrom('net_mode', 'long_short_mode'),
        acctLv: fc.constantFrom('1', '2', '2', '3'),
      },
      ...{ clOrdId: fc.constantFrom('one', 'two'), ordId: fc.nat().map(String), limit: fc.nat().map(String) },
      ...{
        newSz: fc.constantFrom('1', '2'),
        newPx: fc.constantFrom('58000', '60000'),
        autoCxl: fc.boolean(),
      },
    },
    { requiredKeys: ['instId', 'tdMode', 'mgnMode', 'side', 'ordType', 'sz', 'px'] },
  );
  const contractRoutes = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom('POST trade/order', 'POST trade/close-position') },
    { weight: 2, arbitrary: routes.map((route) => route.replace('/api/v5/', '')) },
  );
  const transfer = /transfer/;

  test('calls with any parameters are answered, and bills are what the wallet changed by', async () => {
    const members = await MemberRig.open();
    const member = await members.member('fuzz', '1000');
    members.core.house(SWAP, 'SELL', 60_000, 10_000_000);
    members.core.house(SWAP, 'BUY', 59_990, 10_000_000);
    await fc.assert(
      fc.asyncProperty(contractRoutes, likely, bag, async (route, expected, odd) => {
        if (transfer.test(route)) return;
        members.core.now = (members.core.now + 2000) as Millis;
        const { status, body } = await member.call(route, { ...odd, ...expected });
        expect(status).toBeLessThan(500);
        expect(isAnswer(body)).toBe(true);
        members.core.mark(SWAP, 59_000 + (members.core.now % 2_001));
      }),
      { numRuns: runs(750, 4), seed: SEED },
    );
    expect(members.complaints).toEqual([]);
    // What the member began with is a bill too.
    let earned = amount('0');
    for (let after = ''; ; ) {
      const page: Record<string, string>[] = await member.ask('GET account/bills-archive', {
        limit: 100,
        ...(after === '' ? {} : { after }),
      });
      for (const { balChg = '' } of page)
        earned = (earned + (parseSignedAmount(balChg) ?? 0n)) as typeof earned;
      if (page.length < 100) break;
      after = page.at(-1)?.billId ?? '';
    }
    expect(earned).toBe(members.core.wallet(member.account));
    await members.close();
  }, 1_200_000);
});

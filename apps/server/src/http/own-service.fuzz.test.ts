import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { CALLS, type CallName, ERRORS } from '@crossbook/contract';
import { CALL_SCHEMAS } from '@crossbook/contract/schema';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runs } from '../../../../tests/property-runs.ts';
import { startTestHub, type TestBrowser, type TestHub } from '../main/testing.ts';

let hub: TestHub;
let member: TestBrowser;
beforeAll(async () => {
  hub = await startTestHub({ environment: { ADDRESS_LIMIT_FACTOR: '10000' } });
  member = await hub.member();
});
afterAll(() => hub.close());

const RUNS = runs(20, 8);
const CODES = new Set([1, ...ERRORS.map((row) => row.code)]);

/** Values that are often nearly right, and some that never are. */
const value = fc.oneof(
  fc.constantFrom(
    '43',
    '41',
    '42',
    '1',
    '2',
    '3',
    '0',
    '-1',
    '',
    'true',
    'false',
    'USDT',
    'BTCUSDT',
    'register',
  ),
  fc.constantFrom(
    '0.1',
    '1e5',
    '.5',
    '5.',
    '00',
    '٣',
    'null',
    '[]',
    '{}',
    "'",
    '";--',
    '../',
    '%00',
    '\u0000',
    '\ud83d',
  ),
  fc.constantFrom('018f0000-0000-7000-8000-000000000000', 'a@example.org', 'Correct-horse-7', '1234'),
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.bigInt().map(String),
  fc.double().map(String),
);

/** Any of a call's fields, now and then one it does not have. */
function fieldsOf(name: CallName) {
  const known = Object.keys(CALL_SCHEMAS[name].request.shape);
  const field = fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom(...known, ...(known.length === 0 ? ['x'] : [])) },
    { weight: 1, arbitrary: fc.constantFrom('__proto__', 'constructor', 'tid', 'stoken', 'sosflag') },
    { weight: 1, arbitrary: fc.string({ maxLength: 20 }) },
  );
  return fc.array(fc.tuple(field, value), { maxLength: 8 });
}

describe('whatever a call is sent', () => {
  // Logging out would end the session the others are asked with.
  const names = (Object.keys(CALLS) as CallName[]).filter((name) => name !== 'user/layout');
  test.each(names)('%s answers an envelope of the catalogue', async (name) => {
    const anyone = fc.boolean();
    await fc.assert(
      fc.asyncProperty(fieldsOf(name), anyone, async (pairs, loggedIn) => {
        const body = new URLSearchParams([['sosflag', '3'], ...pairs]);
        const browser = loggedIn ? member : hub.visitor();
        if (loggedIn && !body.has('stoken')) body.append('stoken', member.stoken ?? '');
        const { cookie } = member;
        const answer = await browser.send(`/api/${name}`, body);
        member.cookie = cookie;
        expect(answer.status).toBe(200);
        expect(CODES.has(answer.envelope.code)).toBe(true);
        const inside = /\bat .*:\d+:\d+|node_modules|select |insert |pg_/i;
        // What was sent may be named in the answer.
        if (!inside.test(pairs.join())) expect(answer.envelope.msg).not.toMatch(inside);
        if (answer.envelope.code !== 1) expect(answer.envelope.data).toBeNull();
      }),
      { numRuns: RUNS },
    );
    // A refusal is a line of the security log; anything else would be a fault.
    expect(hub.logged.filter(({ event }) => !event.startsWith('security: '))).toEqual([]);
  });

  test('no address in any field of any call is gone to', async () => {
    let visits = 0;
    const canary = createServer((socket) => {
      visits += 1;
      socket.destroy();
    });
    await once(canary.listen(0, '127.0.0.1'), 'listening');
    const address = canary.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const baits = [
      `http://127.0.0.1:${port}/a.png`,
      `//127.0.0.1:${port}/`,
      `ws://localhost:${port}`,
      `a@127.0.0.1:${port}`,
    ];
    for (const name of names) {
      for (const field of Object.keys(CALL_SCHEMAS[name].request.shape)) {
        for (const bait of baits) {
          const body = { sosflag: '3', stoken: member.stoken ?? '', [field]: bait };
          expect(CODES.has((await member.form(`/api/${name}`, body)).envelope.code)).toBe(true);
        }
      }
    }
    await fetch(`${hub.url}/md/binance/api/v3/time?url=${encodeURIComponent(baits[0] ?? '')}`);
    expect(visits).toBe(0);
    // The canary is not deaf.
    await once(connect(port ?? 0, '127.0.0.1'), 'close');
    expect(visits).toBe(1);
    canary.close();
  });

  test('the member is as before, and nobody else was made', async () => {
    expect((await member.call('security/userinfo', {})).data?.tid).toBe(member.tid);
    const rows = await hub.database.owner.query('select 1 from members');
    expect(rows).toHaveLength(1);
  });
});

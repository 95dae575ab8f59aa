import { amount } from '@crossbook/domain';
import { describe, expect, test } from 'vitest';
import type { HttpAnswer, HttpRequest } from '../../transport.ts';
import {
  CREDENTIALS,
  okxAnswer,
  okxRefusal,
  pathOf,
  scriptedConnector,
} from '../trading/scripted-connector.fixture.ts';
import { accountName } from './sub-accounts.ts';

const NAME = accountName('t-700');
const KEY = { subAcct: NAME, label: 'trading', apiKey: 'a', secretKey: 'b', perm: 'read_only,trade' };

/** A venue with these accounts. */
function venueWith(...accounts: readonly string[]) {
  return (request: HttpRequest): HttpAnswer => {
    if (request.url.includes('subaccount/list'))
      return okxAnswer(...accounts.map((subAcct) => ({ subAcct })));
    if (request.url.endsWith('create-subaccount'))
      return okxAnswer({ subAcct: NAME, label: 't-700__', uid: '1' });
    return okxAnswer(KEY);
  };
}

describe('a member account', () => {
  test('is made once under a name the venue takes, and gets a key with a passphrase', async () => {
    const { http, trading } = scriptedConnector();
    http.answer = venueWith();
    const opened = await trading.openMemberAccount(CREDENTIALS, 't-700');
    expect(opened).toMatchObject({
      outcome: 'found',
      value: { accountId: NAME, credentials: { apiKey: 'a', secret: 'b' } },
    });
    expect(NAME).toMatch(/^[a-z0-9]{20}$/);
    const bodies = http.requests.map((request) => JSON.parse(request.body ?? '{}'));
    expect(http.requests.map((request) => pathOf(request))).toEqual([
      `/api/v5/users/subaccount/list?subAcct=${NAME}`,
      '/api/v5/users/subaccount/create-subaccount',
      '/api/v5/users/subaccount/apikey',
    ]);
    expect(bodies[1]).toEqual({ subAcct: NAME, type: '1', label: 't-700_' });
    const passphrase = opened.outcome === 'found' ? opened.value.credentials.passphrase : undefined;
    expect(bodies[2].passphrase).toBe(passphrase);
    expect(passphrase).toMatch(/^(?=.*[a-z])(?=.*[A-Z])(?=.*[0-9])(?=.*!).{8,32}$/);
    expect(passphrase).not.toContain(CREDENTIALS.secret);
  });

  test('that is there already is not made again, and its passphrase is the same', async () => {
    const passphrases = [];
    for (const accounts of [[], [NAME]]) {
      const { http, trading } = scriptedConnector();
      http.answer = venueWith(...accounts);
      const opened = await trading.openMemberAccount(CREDENTIALS, 't-700');
      passphrases.push(opened.outcome === 'found' ? opened.value.credentials.passphrase : '');
      expect(http.requests.length).toBe(accounts.length === 0 ? 3 : 2);
    }
    expect(passphrases[0]).toBe(passphrases[1]);
  });

  const unclear: [string, (request: HttpRequest) => HttpAnswer][] = [
    ['a list that fails', () => okxRefusal('50001', 503)],
    ['a list of others', venueWith('somebody')],
    [
      'a key of another account',
      (request) =>
        request.method === 'GET' ? okxAnswer({ subAcct: NAME }) : okxAnswer({ ...KEY, subAcct: 'x' }),
    ],
    [
      'a refused key',
      (request) => (request.method === 'GET' ? okxAnswer({ subAcct: NAME }) : okxRefusal('50035', 403)),
    ],
  ];
  test.each(unclear)('%s is unknown', async (_name, answer) => {
    const { http, trading } = scriptedConnector();
    http.answer = answer;
    expect((await trading.openMemberAccount(CREDENTIALS, 't-700')).outcome).toBe('unknown');
  });
});

describe('transfers', () => {
  const TRANSFER = { transId: '754147', ccy: 'USDT', clientId: 'm1', from: '6', amt: '1.5', to: '18' };
  const STATE = { ...TRANSFER, type: '1', subAcct: 'x', state: 'success' };
  const move = { clientId: 'm1', to: 'x', asset: 'USDT', amount: amount('1.5') };
  const both = (first: HttpAnswer, then: HttpAnswer) => (request: HttpRequest) =>
    request.method === 'POST' ? first : then;

  test('go from the funding account of the master to the trading account of the member, and back', async () => {
    const { http, trading } = scriptedConnector();
    http.answer = both(okxAnswer(TRANSFER), okxAnswer(STATE));
    expect(await trading.transfer(CREDENTIALS, move)).toEqual({ outcome: 'done', venueId: '754147' });
    await trading.transfer(CREDENTIALS, { clientId: 'm1', from: 'x', asset: 'USDT', amount: amount('1.5') });
    const bodies = http.requests
      .filter((request) => request.method === 'POST')
      .map((one) => JSON.parse(one.body ?? ''));
    const shared = { ccy: 'USDT', amt: '1.5', subAcct: 'x', clientId: 'm1' };
    expect(bodies).toEqual([
      { type: '1', from: '6', to: '18', ...shared },
      { type: '2', from: '18', to: '6', ...shared },
    ]);
  });

  const outcomes: [string, (request: HttpRequest) => HttpAnswer, string][] = [
    ['a good answer the list confirms', both(okxAnswer(TRANSFER), okxAnswer(STATE)), 'done'],
    [
      'a good answer the list calls pending',
      both(okxAnswer(TRANSFER), okxAnswer({ ...STATE, state: 'pending' })),
      'unknown',
    ],
    [
      'a good answer the list calls failed',
      both(okxAnswer(TRANSFER), okxAnswer({ ...STATE, state: 'failed' })),
      'unknown',
    ],
    ['a good answer the list does not know', both(okxAnswer(TRANSFER), okxRefusal('58129')), 'unknown'],
    [
      'the answer of another transfer',
      both(okxAnswer({ ...TRANSFER, clientId: 'n' }), okxAnswer(STATE)),
      'unknown',
    ],
    ['no funds', () => okxRefusal('58116'), 'refused'],
    ['the limiter of transfers', () => okxRefusal('58102'), 'not-now'],
    ['the limiter', () => okxRefusal('50011', 429), 'not-now'],
    ['a limiter behind a server error', () => okxRefusal('50011', 503), 'unknown'],
    ['one under way', () => okxRefusal('58124'), 'unknown'],
    ['a repeated request', () => okxRefusal('50042'), 'unknown'],
    ['a server error', () => okxRefusal('58116', 500), 'unknown'],
  ];
  test.each(outcomes)('%s is taken for what it proves', async (_name, answer, outcome) => {
    const { http, trading } = scriptedConnector();
    http.answer = answer;
    expect((await trading.transfer(CREDENTIALS, move)).outcome).toBe(outcome);
    expect(http.requests.filter((request) => request.method === 'POST').length).toBe(1);
  });

  const impossible: [string, object][] = [
    ['between two members', { from: 'a', to: 'b' }],
    ['from the master to itself', { to: undefined }],
    ['under an id with a hyphen', { clientId: 'a-b' }],
  ];
  test.each(impossible)('%s is refused unsent', async (_name, part) => {
    const { http, trading } = scriptedConnector();
    expect(await trading.transfer(CREDENTIALS, { ...move, ...part } as never)).toMatchObject({
      outcome: 'refused',
    });
    expect(http.requests).toEqual([]);
  });

  const ofType = (to: HttpAnswer, from: HttpAnswer) => (request: HttpRequest) =>
    request.url.includes('type=1') ? to : from;
  const finds: [string, (request: HttpRequest) => HttpAnswer, string][] = [
    ['a transfer to a member', ofType(okxAnswer(STATE), okxRefusal('58129')), 'found'],
    ['a transfer from a member', ofType(okxRefusal('58129'), okxAnswer(STATE)), 'found'],
    ['one under way', ofType(okxAnswer({ ...STATE, state: 'pending' }), okxRefusal('58129')), 'unknown'],
    ['one that failed', ofType(okxAnswer({ ...STATE, state: 'failed' }), okxRefusal('58129')), 'not-found'],
    ['none of either kind', ofType(okxRefusal('58129'), okxAnswer()), 'not-found'],
    ['half an answer', ofType(okxRefusal('58129'), okxRefusal('50001', 503)), 'unknown'],
    ['another transfer', ofType(okxAnswer({ ...STATE, clientId: 'n' }), okxAnswer()), 'unknown'],
  ];
  test.each(finds)('looking up %s', async (_name, answer, outcome) => {
    const { http, trading } = scriptedConnector();
    http.answer = answer;
    expect((await trading.findTransfer(CREDENTIALS, 'm1')).outcome).toBe(outcome);
  });
});

describe("the operator's funds", () => {
  test('are those of the funding account, out of which members are paid', async () => {
    const { http, trading } = scriptedConnector();
    http.answer = () =>
      okxAnswer(
        { ccy: 'USDT', bal: '12.5', availBal: '10', frozenBal: '2.5' },
        { ccy: 'BTC', bal: '0', availBal: '0', frozenBal: '0' },
      );
    expect(await trading.operatorFunds(CREDENTIALS)).toEqual({
      ok: true,
      value: [
        { asset: 'USDT', free: amount('10'), locked: amount('2.5') },
        { asset: 'BTC', free: amount('0'), locked: amount('0') },
      ],
    });
    expect(http.requests.map((request) => pathOf(request))).toEqual(['/api/v5/asset/balances']);
  });

  test.each<[string, HttpAnswer, string]>([
    ['a row without an asset', okxAnswer({ availBal: '1', frozenBal: '0' }), 'malformed'],
    ['a negative figure', okxAnswer({ ccy: 'USDT', availBal: '-1', frozenBal: '0' }), 'malformed'],
    ['a refusal', okxRefusal('50111'), 'refused'],
    ['a server that fails', { status: 502, headers: {}, text: '' }, 'network'],
  ])('are not guessed from %s', async (_case, answer, code) => {
    const { http, trading } = scriptedConnector();
    http.answer = () => answer;
    expect(await trading.operatorFunds(CREDENTIALS)).toEqual({ ok: false, code });
  });
});

import { amount } from '@crossbook/domain';
import { describe, expect, test } from 'vitest';
import { BYBIT_CONTRACT_KIT } from '../../conformance/bybit-contract-kit.ts';
import type { HttpAnswer, HttpRequest } from '../../transport.ts';
import {
  CREDENTIALS,
  errorResult,
  okResult,
  scriptedConnector,
} from '../trading/scripted-connector.fixture.ts';
import { accountName } from './sub-accounts.ts';

const LABEL = 'crossbook-member-17';
const pathOf = (request: HttpRequest): string => new URL(request.url).pathname;
const bodyOf = (request: HttpRequest | undefined): unknown => JSON.parse(request?.body ?? '{}');
const member = (username: string, uid = '53888000') => ({
  uid,
  username,
  memberType: 1,
  status: 1,
  remark: '',
});
const members = (rows: readonly object[], nextCursor = '0') => okResult({ subMembers: rows, nextCursor });
const KEY = okResult({ id: '1', apiKey: 'a', secret: 'b' });

describe("a member's account", () => {
  test('has a name the venue takes, made from the label alone', () => {
    const names = Array.from({ length: 1_000 }, (_member, at) => accountName(`crossbook-member-${at}`));
    for (const name of names) expect(name).toMatch(/^(?=.*[a-z])(?=.*[0-9])[a-z0-9]{6,16}$/);
    expect(new Set(names).size).toBe(1_000);
    expect(accountName(LABEL)).toBe(accountName(LABEL));
  });

  test('is looked for on every page before one is made', async () => {
    const { http, trading } = scriptedConnector();
    http.answer = (request) => {
      if (request.method === 'POST') return KEY;
      const cursor = new URL(request.url).searchParams.get('nextCursor');
      return cursor === null ? members([member('other')], '77') : members([member(accountName(LABEL))]);
    };
    expect(await trading.openMemberAccount(CREDENTIALS, LABEL)).toEqual({
      outcome: 'found',
      value: { accountId: '53888000', credentials: { apiKey: 'a', secret: 'b' } },
    });
    expect(http.requests.map((request) => `${request.method} ${pathOf(request)}`)).toEqual([
      'GET /v5/user/submembers',
      'GET /v5/user/submembers',
      'POST /v5/user/create-sub-api',
    ]);
    expect(bodyOf(http.requests[2])).toEqual({
      subuid: 53_888_000,
      note: LABEL,
      readOnly: 0,
      permissions: { Spot: ['SpotTrade'] },
    });
  });

  test('has a key for contracts too where these are traded', async () => {
    const { trading, requests } = BYBIT_CONTRACT_KIT.create((request) =>
      request.method === 'POST' ? KEY : members([member(accountName(LABEL))]),
    );
    expect(await trading.openMemberAccount(CREDENTIALS, LABEL)).toMatchObject({ outcome: 'found' });
    trading.close();
    const made = requests.find((request) => pathOf(request) === '/v5/user/create-sub-api');
    expect(bodyOf(made)).toMatchObject({
      permissions: { Spot: ['SpotTrade'], ContractTrade: ['Order', 'Position'] },
    });
  });

  test('is made where there is none, with the label as its remark', async () => {
    const { http, trading } = scriptedConnector();
    http.answer = (request) => {
      if (pathOf(request) === '/v5/user/submembers') return members([]);
      return pathOf(request) === '/v5/user/create-sub-member' ? okResult(member(accountName(LABEL))) : KEY;
    };
    expect(await trading.openMemberAccount(CREDENTIALS, LABEL)).toMatchObject({ outcome: 'found' });
    expect(bodyOf(http.requests[1])).toEqual({
      username: accountName(LABEL),
      memberType: 1,
      switch: 0,
      note: LABEL,
    });
  });

  const unclear: [string, (request: HttpRequest) => HttpAnswer][] = [
    ['a list that cannot be read', () => okResult({})],
    ['a cursor that goes in a circle', () => members([], '5')],
    [
      'an account that is made but not told',
      (request) => (request.method === 'GET' ? members([]) : errorResult(10_000, '')),
    ],
    ['another account', (request) => (request.method === 'GET' ? members([]) : okResult(member('else')))],
    [
      'a key without secret',
      (request) =>
        request.method === 'GET' ? members([member(accountName(LABEL))]) : okResult({ apiKey: 'a' }),
    ],
    ['a number that is none', () => members([member(accountName(LABEL), 'x')])],
  ];
  test.each(unclear)('%s is unknown: asking again is safe', async (_name, answer) => {
    const { http, trading } = scriptedConnector();
    http.answer = answer;
    expect((await trading.openMemberAccount(CREDENTIALS, LABEL)).outcome).toBe('unknown');
  });
});

const CLIENT = '019c1b5f5c007abc8def000000000001';
const UUID = '019c1b5f-5c00-7abc-8def-000000000001';
const MOVE = { clientId: CLIENT, to: '53888000', asset: 'USDT', amount: amount('12.5') };
const MASTER = okResult({ isMaster: true, userID: 1_448_939 });
const scripted = (answer: HttpAnswer) => {
  const all = scriptedConnector();
  all.http.answer = (request) => (pathOf(request) === '/v5/user/query-api' ? MASTER : answer);
  return all;
};

describe('transfers', () => {
  test('name both accounts and carry our id as a UUID; the master is asked for its number once', async () => {
    const { http, trading } = scripted(okResult({ transferId: UUID, status: 'SUCCESS' }));
    expect(await trading.transfer(CREDENTIALS, MOVE)).toEqual({ outcome: 'done', venueId: UUID });
    await trading.transfer(CREDENTIALS, { ...MOVE, from: '53888000', to: '7' });
    expect(http.requests.map(pathOf)).toEqual([
      '/v5/user/query-api',
      '/v5/asset/transfer/universal-transfer',
      '/v5/asset/transfer/universal-transfer',
    ]);
    expect(bodyOf(http.requests[1])).toEqual({
      transferId: UUID,
      coin: 'USDT',
      amount: '12.5',
      fromMemberId: 1_448_939,
      toMemberId: 53_888_000,
      fromAccountType: 'UNIFIED',
      toAccountType: 'UNIFIED',
    });
  });

  const transfers: [string, HttpAnswer, string][] = [
    ['the answer of another transfer', okResult({ transferId: 'x', status: 'SUCCESS' }), 'unknown'],
    ['one under way', okResult({ transferId: UUID, status: 'PENDING' }), 'unknown'],
    ['STATUS_UNKNOWN', okResult({ transferId: UUID, status: 'STATUS_UNKNOWN' }), 'unknown'],
    ['FAILED', okResult({ transferId: UUID, status: 'FAILED' }), 'refused'],
    ['no funds', errorResult(131_228, 'your balance is not enough'), 'refused'],
    ['a repeated id', errorResult(10_001, 'transferId duplicated'), 'unknown'],
    ['too many visits', errorResult(10_006, 'Too many visits!'), 'not-now'],
    ['access too frequent', { status: 403, headers: {}, text: '' }, 'not-now'],
    ['a limiter behind a server error', { ...errorResult(10_006, ''), status: 502 }, 'unknown'],
    ['10016', errorResult(10_016, 'Internal System Error.'), 'unknown'],
    ['a server error', { status: 500, headers: {}, text: '' }, 'unknown'],
  ];
  test.each(transfers)('%s is taken for what it proves', async (_name, answer, outcome) => {
    const { trading } = scripted(answer);
    expect((await trading.transfer(CREDENTIALS, MOVE)).outcome).toBe(outcome);
  });

  const stoppedHere: [string, object, HttpAnswer, string][] = [
    ['an id that is no UUID', { ...MOVE, clientId: 'm' }, MASTER, 'refused'],
    ['an account that is no number', { ...MOVE, to: 'abc' }, MASTER, 'refused'],
    ['an operator whose number is not told', MOVE, errorResult(10_003, ''), 'not-now'],
    ['a key that is not the master', MOVE, okResult({ isMaster: false, userID: 5 }), 'not-now'],
  ];
  test.each(stoppedHere)('%s stops before anything moves', async (_name, move, master, outcome) => {
    const { http, trading } = scriptedConnector();
    http.answer = () => master;
    expect(await trading.transfer(CREDENTIALS, move as typeof MOVE)).toMatchObject({ outcome });
    expect(http.requests.every((request) => request.method === 'GET')).toBe(true);
  });

  const row = { transferId: UUID, status: 'SUCCESS' };
  const finds: [string, object[], string][] = [
    ['SUCCESS', [row], 'found'],
    ['an id wrapped by the venue', [{ ...row, transferId: `universalTransfer_${UUID}_533285` }], 'found'],
    ['PENDING', [{ ...row, status: 'PENDING' }], 'unknown'],
    ['FAILED', [{ ...row, status: 'FAILED' }], 'not-found'],
    ['an empty list', [], 'not-found'],
    ['a list of others', [{ ...row, transferId: 'else' }], 'unknown'],
  ];
  test.each(finds)('%s to a lookup is taken for what it proves', async (_name, rows, outcome) => {
    const { http, trading } = scriptedConnector();
    http.answer = () => okResult({ list: rows, nextPageCursor: '' });
    expect((await trading.findTransfer(CREDENTIALS, CLIENT)).outcome).toBe(outcome);
    const { searchParams } = new URL(http.requests[0]?.url ?? '');
    expect([searchParams.get('transferId'), searchParams.get('startTime')]).toEqual([UUID, null]);
  });

  const MADE = 0x019c1b5f5c00;
  const HOUR = 3_600_000;
  const DAY = 24 * HOUR;
  const spans: [string, string, number, (number | null)[]][] = [
    ['made a moment ago', CLIENT, MADE + 1_000, [null]],
    ['made last week', CLIENT, MADE + 8 * DAY, [null, MADE - HOUR]],
    ['that claims to be of 1970', `000000000000${CLIENT.slice(12)}`, MADE, [null, 0]],
    ['that claims to be of the future', `fffffffffff0${CLIENT.slice(12)}`, MADE, [null]],
    ['that tells no time', `${CLIENT.slice(0, 12)}4${CLIENT.slice(13)}`, MADE + 8 * DAY, [null]],
  ];
  test.each(spans)(
    'an id %s is looked for in the last seven days too, whoever chose it',
    async (_name, id, now, starts) => {
      const { http, trading, time } = scriptedConnector();
      time.advance(now - time.clock());
      http.answer = () => okResult({ list: [], nextPageCursor: '' });
      expect(await trading.findTransfer(CREDENTIALS, id)).toEqual({ outcome: 'not-found' });
      const asked = http.requests.map(({ url }) => new URL(url).searchParams.get('startTime'));
      expect(asked.map((start) => (start === null ? null : Number(start)))).toEqual(starts);
    },
  );
});

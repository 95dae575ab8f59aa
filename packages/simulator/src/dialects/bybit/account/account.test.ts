import { beforeAll, describe, expect, test } from 'vitest';
import { openedOnce } from '../../../../../../tests/opened.ts';
import type { KeyPair, RestAnswer } from '../../wire/rig.fixture.ts';
import { startRig } from '../rig.fixture.ts';

const rig = openedOnce(startRig);
let master: KeyPair;
let member: KeyPair;
const UUID = (at: number) => `01900000-0000-7000-8000-${String(at).padStart(12, '0')}`;

beforeAll(async () => {
  rig.advance(1_000);
  master = await rig.key('master', { USDT: '1000' });
  member = await rig.key('member', { USDT: '500.25', BTC: '0.5' });
});

const post = (signer: KeyPair, path: string, body: object) => rig.signed(signer, `/v5/${path}`, { body });
const ask = (signer: KeyPair, path: string, params: Readonly<Record<string, string | number>> = {}) =>
  rig.signed(signer, `/v5/${path}`, { params });

describe('the account', () => {
  test('wallet: coins that are held, or those that are named', async () => {
    const { body } = await ask(member, 'account/wallet-balance', { accountType: 'UNIFIED' });
    const [wallet] = body.result.list;
    expect(wallet.accountType).toBe('UNIFIED');
    const coins = wallet.coin.map((row: { coin: string; walletBalance: string }) => [
      row.coin,
      row.walletBalance,
    ]);
    expect(new Map(coins)).toEqual(
      new Map([
        ['USDT', '500.25'],
        ['BTC', '0.5'],
      ]),
    );
    expect(Number(wallet.totalEquity)).toBeGreaterThan(10_000);
    const named = await ask(member, 'account/wallet-balance', { accountType: 'UNIFIED', coin: 'ETH,BTC' });
    expect(named.body.result.list[0].coin.map((row: { equity: string }) => row.equity)).toEqual(['0', '0.5']);
    for (const params of [{}, { accountType: 'SPOT' }, { accountType: 'UNIFIED', coin: 'eth' }]) {
      expect((await ask(member, 'account/wallet-balance', params as never)).body.retCode).toBe(10_001);
    }
  });

  test('fees are those of the listing: none in spot', async () => {
    const spot = await ask(member, 'account/fee-rate', { category: 'spot', symbol: 'BTCUSDT' });
    expect(spot.body.result.list).toEqual([{ symbol: 'BTCUSDT', takerFeeRate: '0', makerFeeRate: '0' }]);
    const linear = await ask(member, 'account/fee-rate', { category: 'linear' });
    expect(linear.body.result.list[0]).toMatchObject({ takerFeeRate: '0.00055', makerFeeRate: '0.0002' });
  });

  test('what of a coin may be moved, and which coins stand behind contracts', async () => {
    const moved = async (coinName: string) =>
      (await ask(member, 'account/withdrawal', { coinName })).body.result;
    expect(await moved('BTC,ETH')).toEqual({
      availableWithdrawal: '0.5',
      availableWithdrawalMap: { BTC: '0.5', ETH: '0' },
    });
    expect((await moved('USDT')).availableWithdrawal).toBe('500.25');
    expect((await ask(member, 'account/withdrawal')).body.retCode).toBe(10_001);
    const { list } = (await ask(member, 'account/collateral-info')).body.result;
    const behind = list.filter((row: { collateralSwitch: boolean }) => row.collateralSwitch);
    expect(behind).toMatchObject([{ currency: 'USDT', marginCollateral: true, collateralRatio: '1' }]);
    const one = (await ask(member, 'account/collateral-info', { currency: 'BTC' })).body.result.list;
    expect(one).toMatchObject([{ currency: 'BTC', borrowable: false, collateralSwitch: false }]);
  });

  test('what a key is, unified accounts, coins, other wallets', async () => {
    const own = (await ask(master, 'user/query-api')).body.result;
    const theirs = (await ask(member, 'user/query-api')).body.result;
    expect(own).toMatchObject({ isMaster: true, uta: 1, unified: 0, parentUid: '0', apiKey: master.apiKey });
    expect(theirs).toMatchObject({ isMaster: false, parentUid: String(own.userID) });
    expect((await ask(member, 'account/info')).body.result.unifiedMarginStatus).toBe(5);
    const coins = await ask(member, 'asset/coin/query-info', { coin: 'BTC' });
    expect(coins.body.result.rows).toMatchObject([{ coin: 'BTC', chains: [] }]);
    const path = 'asset/transfer/query-account-coins-balance';
    const unified = await ask(member, path, { accountType: 'UNIFIED', coin: 'USDT' });
    expect(unified.body.result.balance).toMatchObject([{ coin: 'USDT', transferBalance: '500.25' }]);
    expect((await ask(member, path, { accountType: 'FUND' })).body.result.balance).toEqual([]);
  });
});

describe('sub-accounts', () => {
  const make = (username: string, more: object = {}) =>
    post(master, 'user/create-sub-member', { username, memberType: 1, ...more });

  test('are made once under a name, listed page by page, and given keys that trade', async () => {
    const made = (await make('alice001', { note: 'm-1', switch: 0 })).body.result;
    expect(made).toMatchObject({ username: 'alice001', memberType: 1, status: 1, remark: 'm-1' });
    expect((await make('alice001')).body.retCode).toBe(10_001);
    for (const name of ['bobby002', 'carol003']) await make(name);
    const seen: string[] = [];
    let nextCursor = '';
    do {
      const page = await ask(master, 'user/submembers', {
        pageSize: 2,
        ...(nextCursor === '' ? {} : { nextCursor }),
      });
      seen.push(...page.body.result.subMembers.map((row: { username: string }) => row.username));
      ({ nextCursor } = page.body.result);
    } while (nextCursor !== '0' && seen.length < 10);
    expect(seen).toEqual(['alice001', 'bobby002', 'carol003']);
    const all = await ask(master, 'user/query-sub-members');
    expect(all.body.result.subMembers[0]).toMatchObject({ uid: made.uid, remark: 'm-1' });
    const asked = { subuid: Number(made.uid), readOnly: 0, permissions: { Spot: ['SpotTrade'] } };
    const key = (await post(master, 'user/create-sub-api', asked)).body.result;
    const balance = await ask(key, 'account/wallet-balance', { accountType: 'UNIFIED' });
    expect(balance.body.result.list[0].coin).toEqual([]);
  });

  const linear = { category: 'linear', symbol: 'BTCUSDT', side: 'Buy', orderType: 'Market', qty: '0.01' };
  const pair = { ...linear, category: 'spot' };
  const trade = { Spot: ['SpotTrade'], ContractTrade: ['Order', 'Position'] };
  const rights: [string, object, readonly [pair: boolean, contract: boolean]][] = [
    ['all', { readOnly: 0, permissions: trade }, [true, true]],
    ['pairs', { readOnly: 0, permissions: { Spot: ['SpotTrade'] } }, [true, false]],
    ['contracts', { readOnly: 0, permissions: { ContractTrade: ['Order', 'Position'] } }, [false, true]],
    ['its wallet', { readOnly: 0, permissions: { Wallet: ['AccountTransfer'] } }, [false, false]],
    ['reading', { readOnly: 1, permissions: trade }, [false, false]],
  ];
  test.each(rights)(
    'a key for %s says so and does no more, over both doors',
    async (_, asked, [pairs, contracts]) => {
      const [sub] = (await ask(master, 'user/query-sub-members')).body.result.subMembers;
      const made = await post(master, 'user/create-sub-api', { subuid: Number(sub.uid), ...asked });
      const key = made.body.result;
      const info = (await ask(key, 'user/query-api')).body.result;
      expect(info.permissions).toMatchObject({
        Spot: pairs ? ['SpotTrade'] : [],
        ContractTrade: contracts ? ['Order', 'Position'] : [],
      });
      expect(info.readOnly).toBe(pairs || contracts ? 0 : 1);
      const leverage = { category: 'linear', symbol: 'BTCUSDT', buyLeverage: '10', sellLeverage: '10' };
      const calls: [string, object, boolean][] = [
        ['order/create', pair, pairs],
        ['order/create', linear, contracts],
        ['order/cancel-all', { category: 'linear', symbol: 'BTCUSDT' }, contracts],
        ['position/set-leverage', leverage, contracts],
      ];
      for (const [path, body, may] of calls) {
        const { retCode } = (await post(key, path, body)).body;
        expect([path, retCode === 10_005]).toEqual([path, !may]);
      }
      const socket = await rig.loggedOn('/v5/trade', key);
      for (const [reqId, body, may] of [
        ['p', pair, pairs],
        ['c', linear, contracts],
      ] as const) {
        const header = { 'X-BAPI-TIMESTAMP': String(rig.now) };
        socket.send({ reqId, header, op: 'order.create', args: [body] });
        const { retCode } = await socket.hear((message) => message.reqId === reqId);
        expect([reqId, retCode === 10_005]).toEqual([reqId, !may]);
      }
      socket.close();
      expect((await ask(key, 'position/list', { category: 'linear', symbol: 'BTCUSDT' })).body.retCode).toBe(
        0,
      );
    },
  );

  test.each([{ Spot: 'SpotTrade' }, { ContractTrade: [1] }, {}, 'all'])(
    'permissions %o are refused',
    async (permissions) => {
      const asked = { subuid: 1, readOnly: 0, permissions };
      expect((await post(master, 'user/create-sub-api', asked)).body.retCode).toBe(10_001);
    },
  );

  const names = ['short1', 'nodigits', '12345678', 'has blank1', 'waytoolongname0001', ''];
  test.each(names.filter((name) => name !== 'short1'))('the name %j is refused', async (name) => {
    expect((await make(name)).body.retCode).toBe(10_001);
  });

  test('only the operator’s own key may', async () => {
    const answers = await Promise.all([
      post(member, 'user/create-sub-member', { username: 'mallory1', memberType: 1 }),
      ask(member, 'user/submembers'),
      post(member, 'user/create-sub-api', { subuid: 1, readOnly: 0, permissions: { Spot: [] } }),
      post(member, 'asset/transfer/universal-transfer', request(1, {})),
      ask(member, 'asset/transfer/query-universal-transfer-list', { transferId: UUID(1) }),
    ]);
    expect(answers.map((answer) => answer.body.retCode)).toEqual([10_005, 10_005, 10_005, 10_005, 10_005]);
  });
});

function request(at: number, part: object): object {
  return {
    transferId: UUID(at),
    coin: 'USDT',
    amount: '10.5',
    fromMemberId: 100_000_001,
    toMemberId: 100_000_002,
    fromAccountType: 'UNIFIED',
    toAccountType: 'UNIFIED',
    ...part,
  };
}

describe('transfers', () => {
  let from: number;
  let to: number;
  beforeAll(async () => {
    from = (await ask(master, 'user/query-api')).body.result.userID;
    const made = await post(master, 'user/create-sub-member', { username: 'target01', memberType: 1 });
    to = Number(made.body.result.uid);
  });
  const move = (at: number, part: object = {}) =>
    post(
      master,
      'asset/transfer/universal-transfer',
      request(at, { fromMemberId: from, toMemberId: to, ...part }),
    );
  const find = async (params: Readonly<Record<string, string | number>>) =>
    (await ask(master, 'asset/transfer/query-universal-transfer-list', params)).body.result.list;

  test('move funds once under their id, and are found by it within seven days', async () => {
    const { body } = await move(11);
    expect(body.result).toEqual({ transferId: UUID(11), status: 'SUCCESS' });
    expect((await move(11)).body.retCode).toBe(131_214);
    const row = {
      transferId: UUID(11),
      coin: 'USDT',
      amount: '10.5',
      fromMemberId: String(from),
      toMemberId: String(to),
      fromAccountType: 'UNIFIED',
      toAccountType: 'UNIFIED',
      timestamp: String(rig.now),
      status: 'SUCCESS',
    };
    expect(await find({ transferId: UUID(11) })).toEqual([row]);
    expect(await find({ transferId: UUID(12) })).toEqual([]);
    expect(await find({ transferId: UUID(11), endTime: rig.now - 1 })).toEqual([]);
    expect(await find({ transferId: UUID(11), status: 'FAILED' })).toEqual([]);
  });

  const cases: [string, object, number][] = [
    ['more than there is', { amount: '100000' }, 131_212],
    ['nothing', { amount: '0' }, 131_215],
    ['no figure', { amount: '-1' }, 131_215],
    ['finer than 1e-8', { amount: '0.000000001' }, 131_210],
    ['an id that is no UUID', { transferId: 'mine' }, 10_001],
    ['a coin of no kind', { coin: 'usdt' }, 10_001],
    ['a member of nobody', { toMemberId: 7 }, 131_202],
    ['into the funding account', { toAccountType: 'FUND' }, 131_231],
    ['into an account of no kind', { toAccountType: 'SPOT' }, 131_204],
  ];
  test.each(cases)('%s is refused, and nothing moves', async (_, part, refusal) => {
    const before = await ask(master, 'account/wallet-balance', { accountType: 'UNIFIED' });
    expect((await move(20, part)).body.retCode).toBe(refusal);
    const after = await ask(master, 'account/wallet-balance', { accountType: 'UNIFIED' });
    expect(after.body.result).toEqual(before.body.result);
  });

  test('to oneself is refused', async () => {
    expect((await move(30, { toMemberId: from })).body.retCode).toBe(131_211);
  });
});

describe('signing', () => {
  const wallet = { params: { accountType: 'UNIFIED' } };
  const code = async (call: object, key = member) =>
    (await rig.signed(key, '/v5/account/wallet-balance', { ...wallet, ...call })).body.retCode;

  test('the window reaches from its length ago to a second ahead', async () => {
    expect(await code({ timestamp: rig.now - 5_000 })).toBe(0);
    expect(await code({ timestamp: rig.now - 5_001 })).toBe(10_002);
    expect(await code({ timestamp: rig.now + 999 })).toBe(0);
    expect(await code({ timestamp: rig.now + 1_000 })).toBe(10_002);
    expect(await code({ timestamp: rig.now - 9_000, receiveWindow: '10000' })).toBe(0);
    expect(await code({ receiveWindow: 'long' })).toBe(10_001);
  });

  test('keys of nobody, none at all, and wrong secrets', async () => {
    expect(await code({ secret: 'wrong' })).toBe(10_004);
    expect(await code({}, { apiKey: 'nobody', secret: 'x' })).toBe(10_003);
    expect((await rig.get('/v5/account/wallet-balance', wallet.params)).body.retCode).toBe(10_003);
    expect(await code({ secret: 'wrong', timestamp: rig.now - 60_000 })).toBe(10_002);
  });

  test('what was signed is what was sent, byte by byte', async () => {
    const { restPayload } = await import('../sign.ts');
    const { hexHmac } = await import('../../wire/hmac.ts');
    const sent = '{ "category":"spot",\n "symbol" : "BTCUSDT" }';
    const timestamp = String(rig.now);
    const payload = restPayload({ timestamp, apiKey: member.apiKey, receiveWindow: '5000', sent });
    const headers = {
      'x-bapi-api-key': member.apiKey,
      'x-bapi-timestamp': timestamp,
      'x-bapi-recv-window': '5000',
      'x-bapi-sign': hexHmac(member.secret, payload),
    };
    const same = await rig.send('POST', '/v5/order/cancel-all', { headers, body: sent });
    expect(same.body.retCode).toBe(0);
    const other = await rig.send('POST', '/v5/order/cancel-all', { headers, body: sent.replace('\n', '') });
    expect(other.body.retCode).toBe(10_004);
  });
});

test('an account that calls too often is told so, with the moment when there is room', async () => {
  const limited = await startRig({ accountCallsFactor: 1 });
  const key = await limited.key('busy');
  const calls: RestAnswer[] = [];
  for (let at = 0; at < 6; at += 1) {
    calls.push(await limited.signed(key, '/v5/account/fee-rate', { params: { category: 'spot' } }));
    limited.letPass(10);
  }
  expect(calls.map((call) => call.body.retCode)).toEqual([0, 0, 0, 0, 0, 10_006]);
  const reported = (name: string) => calls.map((call) => call.headers.get(name));
  expect(reported('x-bapi-limit')).toEqual(['5', '5', '5', '5', '5', '5']);
  expect(reported('x-bapi-limit-status')).toEqual(['4', '3', '2', '1', '0', '0']);
  const reset = Number(reported('x-bapi-limit-reset-timestamp')[5]);
  limited.letPass(reset - limited.now);
  const again = await limited.signed(key, '/v5/account/fee-rate', { params: { category: 'spot' } });
  expect(again.body.retCode).toBe(0);
  await limited.close();
});

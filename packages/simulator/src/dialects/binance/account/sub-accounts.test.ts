import { beforeAll, describe, expect, test } from 'vitest';
import { openedOnce } from '../../../../../../tests/opened.ts';
import type { KeyPair } from '../../wire/rig.fixture.ts';
import { startRig } from '../rig.fixture.ts';

const rig = openedOnce(startRig);
let master: KeyPair;

beforeAll(async () => {
  master = (await rig.admin('POST', 'master')).body;
  await rig.admin('POST', 'credit', { label: 'master', asset: 'USDT', amount: '1000000', creditId: 'float' });
});

const call = (method: string, path: string, params: Record<string, string> = {}, key = master) =>
  rig.signed(key, `/sapi/v1/broker/${path}`, { method, params });
const spot = { fromAccountType: 'SPOT', toAccountType: 'SPOT', asset: 'USDT' };

async function member(
  tag: string,
  rights: Record<string, string> = { canTrade: 'true', futuresTrade: 'true' },
): Promise<{ id: string; key: KeyPair }> {
  const { subaccountId } = (await call('POST', 'subAccount', { tag })).body;
  const made = (await call('POST', 'subAccountApi', { subAccountId: subaccountId, ...rights })).body;
  return { id: subaccountId, key: { apiKey: made.apiKey, secret: made.secretKey } };
}

async function free(key: KeyPair, asset: string): Promise<string> {
  const { body } = await rig.signed(key, '/api/v3/account');
  return body.balances.find((line: { asset: string }) => line.asset === asset).free;
}

describe('making', () => {
  test('a sub-account has an id, an address and its tag; the same tag again is the same account', async () => {
    const first = await call('POST', 'subAccount', { tag: 'member-1' });
    expect(Object.keys(first.body)).toEqual(['subaccountId', 'email', 'tag']);
    expect(first.body.tag).toBe('member-1');
    expect((await call('POST', 'subAccount', { tag: 'member-1' })).body).toEqual(first.body);
    const listed = await call('GET', 'subAccount', { subAccountId: first.body.subaccountId });
    expect(listed.body.length).toBe(1);
    expect(listed.body[0]).toMatchObject(first.body);
  });

  test('the list is paged', async () => {
    for (const tag of ['p-1', 'p-2', 'p-3']) await call('POST', 'subAccount', { tag });
    const all = (await call('GET', 'subAccount')).body;
    expect(all.length).toBeGreaterThanOrEqual(3);
    expect((await call('GET', 'subAccount', { page: '2', size: '2' })).body).toEqual(all.slice(2, 4));
  });

  test('its key trades for it alone', async () => {
    const { key } = await member('trader');
    expect((await rig.signed(key, '/api/v3/account')).status).toBe(200);
    expect((await call('POST', 'subAccount', { tag: 'x' }, key)).body.code).toBe(-2015);
    expect((await call('GET', 'subAccount', {}, key)).status).toBe(401);
  });

  test.each([
    ['a bad tag', 'subAccount', { tag: 'a b' }, -1130],
    ['an unknown sub-account', 'subAccountApi', { subAccountId: '99999', canTrade: 'true' }, -1130],
    ['no canTrade', 'subAccountApi', { subAccountId: '1' }, -1102],
  ])('%s is refused', async (_, path, params, code) => {
    expect((await call('POST', path, params)).body.code).toBe(code);
  });
});

describe('transfers', () => {
  test('funds move from the master and back, once per id', async () => {
    const { id, key } = await member('mover');
    const there = { ...spot, toId: id, amount: '250.5', clientTranId: 'there-1' };
    const first = await call('POST', 'universalTransfer', there);
    expect(first.body).toEqual({ txnId: expect.any(Number), clientTranId: 'there-1' });
    expect((await call('POST', 'universalTransfer', there)).body).toEqual(first.body);
    expect(await free(key, 'USDT')).toBe('250.50000000');
    const back = { ...spot, fromId: id, amount: '50.5', clientTranId: 'back-1' };
    expect((await call('POST', 'universalTransfer', back)).status).toBe(200);
    expect(await free(key, 'USDT')).toBe('200.00000000');
    const found = await call('GET', 'universalTransfer', { clientTranId: 'there-1' });
    expect(found.body).toEqual([
      {
        toId: id,
        fromId: '',
        toAccountType: 'SPOT',
        fromAccountType: 'SPOT',
        asset: 'USDT',
        amount: '250.50000000',
        date: expect.any(Number),
        clientTranId: 'there-1',
        txnId: String(first.body.txnId),
        status: 'SUCCESS',
      },
    ]);
    expect((await call('GET', 'universalTransfer', { clientTranId: 'never' })).body).toEqual([]);
  });

  test.each([
    ['more than there is', { amount: '1', reverse: 'yes' }, -9000],
    ['no amount', {}, -1102],
    ['nothing', { amount: '0' }, -1130],
    ['a negative amount', { amount: '-1' }, -1100],
    ['an id too long', { amount: '1', clientTranId: 'x'.repeat(33) }, -1130],
    ['another kind of account', { amount: '1', toAccountType: 'COIN_FUTURE' }, -1130],
    ['another coin to contracts', { amount: '1', toAccountType: 'USDT_FUTURE', asset: 'BTC' }, -1130],
  ])('%s is refused and nothing moves', async (name, params, code) => {
    const { id, key } = await member(`refused-${name.length}-${code}`);
    const { reverse, ...rest } = params as Record<string, string>;
    const ends: Record<string, string> = reverse === undefined ? { toId: id } : { fromId: id };
    const answer = await call('POST', 'universalTransfer', { ...spot, ...ends, ...rest });
    expect([answer.status, answer.body.code]).toEqual([400, code]);
    expect(await free(key, 'USDT')).toBe('0.00000000');
  });

  test('funds move between the two wallets of one account, and from a wallet to itself they do not', async () => {
    const { id, key } = await member('two-wallets');
    await call('POST', 'universalTransfer', { ...spot, toId: id, amount: '10' });
    const own = { ...spot, fromId: id, toId: id, amount: '4' };
    expect((await call('POST', 'universalTransfer', own)).body.code).toBe(-1130);
    const there = await call('POST', 'universalTransfer', { ...own, toAccountType: 'USDT_FUTURE' });
    expect(there.status).toBe(200);
    expect(await free(key, 'USDT')).toBe('6.00000000');
    const back = await call('POST', 'universalTransfer', { ...own, fromAccountType: 'USDT_FUTURE' });
    expect(back.status).toBe(200);
    expect(await free(key, 'USDT')).toBe('10.00000000');
  });

  test('an id used for another transfer is refused', async () => {
    const { id } = await member('reuse');
    const first = { ...spot, toId: id, amount: '1', clientTranId: 'one' };
    await call('POST', 'universalTransfer', first);
    expect((await call('POST', 'universalTransfer', { ...first, amount: '2' })).body.code).toBe(-9000);
  });
});

describe('a key', () => {
  const pair = { symbol: 'BTCUSDT', side: 'BUY', type: 'MARKET', quantity: '0.01' };
  const calls = (key: KeyPair) => ({
    pair: () => rig.signed(key, '/api/v3/order', { method: 'POST', params: pair }),
    contract: () => rig.signed(key, '/fapi/v1/order', { method: 'POST', params: pair }),
    leverage: () =>
      rig.signed(key, '/fapi/v1/leverage', { method: 'POST', params: { symbol: 'BTCUSDT', leverage: '5' } }),
    positions: () => rig.signed(key, '/fapi/v3/positionRisk'),
    account: () => rig.signed(key, '/api/v3/account'),
  });
  /** No money is there: what is permitted is refused for that. */
  const poor = { pair: -2010, contract: -2019 };
  const rights: [string, Record<string, string>, Partial<Record<keyof ReturnType<typeof calls>, number>>][] =
    [
      [
        'both',
        { canTrade: 'true', futuresTrade: 'true' },
        { ...poor, leverage: 0, positions: 0, account: 0 },
      ],
      [
        'pairs alone',
        { canTrade: 'true' },
        { pair: -2010, contract: -2015, leverage: -2015, positions: -2015, account: 0 },
      ],
      [
        'contracts alone',
        { canTrade: 'false', futuresTrade: 'true' },
        { pair: -2015, contract: -2019, leverage: 0, positions: 0, account: 0 },
      ],
    ];
  test.each(rights)('for %s may do that, and read its account', async (name, asked, answers) => {
    const { key } = await member(`rights-${name.slice(0, 4).trim()}`, asked);
    for (const [what, code] of Object.entries(answers)) {
      const { status, body } = await calls(key)[what as keyof ReturnType<typeof calls>]();
      expect([what, body.code ?? 0]).toEqual([what, code]);
      if (code === -2015) expect(status).toBe(401);
    }
  });

  test('may do from now on what it is permitted', async () => {
    const { id, key } = await member('permitted', { canTrade: 'true' });
    const permit = { subAccountId: id, subAccountApiKey: key.apiKey };
    await call('POST', 'subAccountApi/permission', { ...permit, canTrade: 'true', futuresTrade: 'true' });
    expect((await calls(key).positions()).status).toBe(200);
    await call('POST', 'subAccountApi/permission', { ...permit, canTrade: 'true', futuresTrade: 'false' });
    expect((await calls(key).positions()).body.code).toBe(-2015);
  });
});

describe('contracts', () => {
  test('are enabled for an account, and for its key, as often as is asked', async () => {
    const { id, key } = await member('contracts');
    for (let at = 0; at < 2; at += 1) {
      const enabled = await call('POST', 'subAccount/futures', { subAccountId: id, futures: 'true' });
      expect(enabled.body).toEqual({ subaccountId: id, enableFutures: true, updateTime: expect.any(Number) });
    }
    const permit = { subAccountId: id, subAccountApiKey: key.apiKey, canTrade: 'true', futuresTrade: 'true' };
    const permitted = await call('POST', 'subAccountApi/permission', permit);
    expect(permitted.body).toMatchObject({ subaccountId: id, apikey: key.apiKey, futuresTrade: true });
    const other = { ...permit, subAccountApiKey: master.apiKey };
    expect((await call('POST', 'subAccountApi/permission', other)).body.code).toBe(-1130);
    const nobody = { subAccountId: '99999', futures: 'true' };
    expect((await call('POST', 'subAccount/futures', nobody)).body.code).toBe(-1130);
  });

  test('money goes from the master to a futures wallet and back, once per id, and is found', async () => {
    const { id, key } = await member('futures-mover');
    const wallet = async () => (await rig.signed(key, '/fapi/v3/balance')).body[0].balance;
    const there = {
      ...{ ...spot, toAccountType: 'USDT_FUTURE', toId: id },
      ...{ amount: '100', clientTranId: 'to-futures' },
    };
    const first = await call('POST', 'universalTransfer', there);
    expect((await call('POST', 'universalTransfer', there)).body).toEqual(first.body);
    expect([await wallet(), await free(key, 'USDT')]).toEqual(['100.00000000', '0.00000000']);
    const toSpot = { ...there, toAccountType: 'SPOT' };
    expect((await call('POST', 'universalTransfer', toSpot)).body.code).toBe(-9000);
    const found = (await call('GET', 'universalTransfer', { clientTranId: 'to-futures' })).body;
    expect(found).toMatchObject([
      { fromAccountType: 'SPOT', toAccountType: 'USDT_FUTURE', status: 'SUCCESS' },
    ]);
    const back = { ...spot, fromAccountType: 'USDT_FUTURE', fromId: id, amount: '40' };
    expect((await call('POST', 'universalTransfer', back)).status).toBe(200);
    expect(await wallet()).toBe('60.00000000');
    expect((await call('POST', 'universalTransfer', { ...back, amount: '61' })).body.code).toBe(-9000);
  });

  test('an account moves its own money between its wallets, and finds what it moved', async () => {
    const { id, key } = await member('pockets');
    await call('POST', 'universalTransfer', { ...spot, toId: id, amount: '10' });
    const move = (params: Record<string, string>) =>
      rig.signed(key, '/sapi/v1/asset/transfer', { method: 'POST', params: { asset: 'USDT', ...params } });
    const into = await move({ type: 'MAIN_UMFUTURE', amount: '7' });
    const out = await move({ type: 'UMFUTURE_MAIN', amount: '2.5' });
    expect(await free(key, 'USDT')).toBe('5.50000000');
    const listed = (type: string) => rig.signed(key, '/sapi/v1/asset/transfer', { params: { type } });
    expect((await listed('MAIN_UMFUTURE')).body).toMatchObject({
      total: 1,
      rows: [{ asset: 'USDT', amount: '7.00000000', status: 'CONFIRMED', tranId: into.body.tranId }],
    });
    expect((await listed('UMFUTURE_MAIN')).body.rows).toMatchObject([
      { amount: '2.50000000', type: 'UMFUTURE_MAIN', tranId: out.body.tranId },
    ]);
    const answers = await Promise.all([
      move({ type: 'UMFUTURE_MAIN', amount: '5' }),
      move({ type: 'MAIN_FUNDING', amount: '1' }),
      move({ type: 'MAIN_UMFUTURE', amount: '1', asset: 'BTC' }),
      move({ type: 'MAIN_UMFUTURE', amount: '0' }),
    ]);
    expect(answers.map(({ body }) => body.code)).toEqual([-5013, -1130, -1130, -1130]);
  });
});

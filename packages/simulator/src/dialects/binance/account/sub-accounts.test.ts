import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { KeyPair } from '../../wire/rig.fixture.ts';
import { startRig, type TestRig } from '../rig.fixture.ts';

let rig: TestRig;
let master: KeyPair;

beforeAll(async () => {
  rig = await startRig();
  master = (await rig.admin('POST', 'master')).body;
  await rig.admin('POST', 'credit', { label: 'master', asset: 'USDT', amount: '1000000', creditId: 'float' });
});
afterAll(() => rig.close());

const call = (method: string, path: string, params: Record<string, string> = {}, key = master) =>
  rig.signed(key, `/sapi/v1/broker/${path}`, { method, params });
const spot = { fromAccountType: 'SPOT', toAccountType: 'SPOT', asset: 'USDT' };

async function member(tag: string): Promise<{ id: string; key: KeyPair }> {
  const { subaccountId } = (await call('POST', 'subAccount', { tag })).body;
  const made = (await call('POST', 'subAccountApi', { subAccountId: subaccountId, canTrade: 'true' })).body;
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
    ['another kind of account', { amount: '1', toAccountType: 'USDT_FUTURE' }, -1130],
  ])('%s is refused and nothing moves', async (name, params, code) => {
    const { id, key } = await member(`refused-${name.length}-${code}`);
    const { reverse, ...rest } = params as Record<string, string>;
    const ends: Record<string, string> = reverse === undefined ? { toId: id } : { fromId: id };
    const answer = await call('POST', 'universalTransfer', { ...spot, ...ends, ...rest });
    expect([answer.status, answer.body.code]).toEqual([400, code]);
    expect(await free(key, 'USDT')).toBe('0.00000000');
  });

  test('an id used for another transfer is refused', async () => {
    const { id } = await member('reuse');
    const first = { ...spot, toId: id, amount: '1', clientTranId: 'one' };
    await call('POST', 'universalTransfer', first);
    expect((await call('POST', 'universalTransfer', { ...first, amount: '2' })).body.code).toBe(-9000);
  });
});

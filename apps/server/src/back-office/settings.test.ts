import type { AdminInput, AdminResponse, NetworkRow } from '@crossbook/contract';
import { amount } from '@crossbook/domain';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { offerInForce } from '../main/offer.ts';
import { settingsOf } from '../storage/stores/setting-store.ts';
import { type AdminBrowser, OfficeWorld, REASON, SUCCESS } from './office-world.fixture.ts';

const FIELD_INVALID = 1001;
const ROLE_MISSING = 6001;
const DECIDED = 6005;
const DEMO_REFUSED = 6008;
const DAY_MILLIS = 86_400_000;

type SetCall = 'x/admin/FeeSet' | 'x/admin/CurrencySet' | 'x/admin/NetworkSet';

let world: OfficeWorld;
let maker: AdminBrowser;
let checker: AdminBrowser;
beforeAll(async () => {
  world = await OfficeWorld.start({ ADDRESS_LIMIT_FACTOR: '100' });
  maker = (await world.admin(['treasury-maker'])).browser;
  checker = (await world.admin(['treasury-checker'])).browser;
});
beforeEach(() => world.hub.database.owner.query('truncate offer_changes'));
afterAll(() => world.hub.close());

const tron = (part: object) =>
  ['x/admin/NetworkSet', { asset: 'USDT', network: 'tron', ...part }] as [SetCall, object];
const usdt = (part: object) => ['x/admin/CurrencySet', { asset: 'USDT', ...part }] as [SetCall, object];
const fee = (what: string, value: string) => ['x/admin/FeeSet', { what, value }] as [SetCall, object];

const ask = ([call, part]: [SetCall, object], by = maker) =>
  by.call(call, { ...part, reason: REASON } as AdminInput<SetCall>);

async function decided(approval: string, by = checker): Promise<number> {
  const { rows } = await checker.must('x/admin/Approvals', {});
  const payloadHash = rows.find(({ id }) => id === approval)?.payloadHash ?? '';
  return (await by.call('x/admin/Approve', { approval, payloadHash, reason: REASON })).code;
}

async function set(what: [SetCall, object]): Promise<void> {
  const { data, msg } = await ask(what);
  expect(await decided(data?.approval ?? msg)).toBe(SUCCESS);
}

const offer = (): Promise<AdminResponse<'x/admin/Offer'>> => maker.must('x/admin/Offer', {});

/** What a visitor reads of a currency on a network. */
async function networks(asset = 'USDT', network = 'tron'): Promise<NetworkRow | undefined> {
  const { data } = await world.hub.visitor().call('connexbasicdata/GetNetWorks', { asset });
  return data?.find((row) => row.network === network);
}

/** As if what was set had been set so long before. */
async function pass(hours: number): Promise<void> {
  await world.hub.database.owner.query(
    `update offer_changes set at = at - make_interval(hours => $1), effective_at = effective_at - make_interval(hours => $1)`,
    [hours],
  );
}

describe('terms of a network', () => {
  test('hold field by field: of one decision what tightens at once, what opens or costs more a day later', async () => {
    const shipped = { confirmations: 20, minimum: '10', fee: '1', memo: 'none', deposits: false, next: [] };
    expect(await networks()).toMatchObject(shipped);
    const approval =
      (await ask(tron({ confirmations: 25, minimum: '15', fee: '2', deposits: 'true' }))).data?.approval ??
      '';
    expect(await decided(approval, maker)).toBe(ROLE_MISSING);
    expect(await networks()).toMatchObject(shipped);
    expect(await decided(approval)).toBe(SUCCESS);
    const row = await networks();
    expect(row).toMatchObject({ ...shipped, confirmations: 25, minimum: '15', next: expect.anything() });
    expect(row?.next.map(({ field, value }) => `${field} ${value}`).toSorted()).toEqual([
      'deposits yes',
      'fee 2',
    ]);
    const { networks: shown, settings } = await offer();
    const own = shown.find(({ asset, network }) => asset === 'USDT' && network === 'tron');
    expect(own?.by).toMatch(/^admins \d+ and \d+$/);
    const waits = settings.find(({ field }) => field === 'fee');
    expect((waits?.from ?? 0) - (waits?.at ?? 0)).toBe(DAY_MILLIS);
    await pass(23);
    expect(await networks()).toMatchObject({ fee: '1' });
    await pass(2);
    // Open on the network, and still closed for the currency.
    expect(await networks()).toMatchObject({ fee: '2', deposits: false, next: [] });
    await set(usdt({ deposits: 'true' }));
    expect(await networks()).toMatchObject({ deposits: false });
    await pass(25);
    expect(await networks()).toMatchObject({ deposits: true });
    await set(usdt({ deposits: 'false' }));
    expect(await networks()).toMatchObject({ deposits: false });
  });

  test.each<[string, object, object, string]>([
    ['fewer confirmations', { confirmations: 5 }, { confirmations: 20 }, 'confirmations 5'],
    ['a smaller least amount', { minimum: '1' }, { minimum: '10' }, 'minimum 1'],
    ['an open withdrawal', { withdrawals: 'true' }, { withdrawals: false }, 'withdrawals yes'],
    ['a higher fee', { fee: '1.5' }, { fee: '1' }, 'fee 1.5'],
  ])('%s waits a day', async (_what, part, before, waits) => {
    await set(tron(part));
    const row = await networks();
    expect(row).toMatchObject(before);
    expect(row?.next.map(({ field, value }) => `${field} ${value}`)).toEqual([waits]);
  });

  test.each<[string, object, object]>([
    ['more confirmations', { confirmations: 50 }, { confirmations: 50 }],
    ['a greater least amount', { minimum: '11' }, { minimum: '11' }],
    ['a lower fee', { fee: '0' }, { fee: '0' }],
    ['a memo that is needed', { memo: 'required' }, { memo: 'required' }],
  ])('%s holds at once', async (_what, part, after) => {
    await set(tron(part));
    expect(await networks()).toMatchObject({ ...after, next: [] });
  });

  test('of a network that is new to a currency are set whole, and then it is listed', async () => {
    const pair = (part: object) =>
      ['x/admin/NetworkSet', { asset: 'BTC', network: 'bnb-chain', ...part }] as [SetCall, object];
    expect(await networks('BTC', 'bnb-chain')).toBeUndefined();
    expect((await ask(pair({ deposits: 'false' }))).code).toBe(FIELD_INVALID);
    await set(pair({ minimum: '0.001', fee: '0' }));
    expect(await networks('BTC', 'bnb-chain')).toMatchObject({
      minimum: '0.001',
      fee: '0',
      confirmations: 15,
    });
  });

  test('that wait are taken back by what is in force, and never begin', async () => {
    await set(tron({ fee: '3' }));
    // The same again asks for nothing new.
    expect((await ask(tron({ fee: '3' }))).code).toBe(DECIDED);
    await set(tron({ fee: '1' }));
    expect(await networks()).toMatchObject({ fee: '1', next: [] });
    await pass(30);
    expect(await networks()).toMatchObject({ fee: '1', next: [] });
    expect((await offer()).settings.map(({ value }) => value)).toEqual(['1', '3']);
  });
});

describe('a currency', () => {
  test('that is hidden, named or moved is so at once, for everybody', async () => {
    const listed = async () =>
      ((await world.hub.visitor().call('connexbasicdata/GetCurrencies', {})).data ?? []).map(
        ({ asset, name }) => `${asset} ${name}`,
      );
    expect(await listed()).toEqual(['USDT Tether']);
    await set(['x/admin/CurrencySet', { asset: 'USDT', position: 1, name: 'Tether USD' }]);
    expect(await listed()).toEqual(['USDT Tether USD']);
    expect((await offer()).currencies[0]).toMatchObject({ asset: 'USDT', position: 1, name: 'Tether USD' });
    await set(usdt({ shown: 'false' }));
    expect(await listed()).toEqual([]);
    expect(await networks()).toBeUndefined();
    expect((await offer()).currencies[0]).toMatchObject({ asset: 'USDT', shown: false });
  });
});

test('what is given for bringing others is set by two: less at once, more a day later', async () => {
  const read = () => offerInForce(world.hub.database.database).rewards();
  await set(fee('first-trade', '40'));
  expect(await read()).toEqual({ firstTrade: amount('40'), selfRateBps: 2_000, next: [] });
  await set(fee('self-rate', '25.5'));
  const next = [{ field: 'self-rate', value: '25.5', from: expect.any(Number) }];
  expect(await read()).toMatchObject({ selfRateBps: 2_000, next });
  await pass(25);
  expect(await read()).toMatchObject({ selfRateBps: 2_550, next: [] });
  const { rewards } = await offer();
  expect(rewards.map(({ what, value, shipped }) => [what, value, shipped])).toEqual([
    ['first-trade', '40', '50'],
    ['self-rate', '25.5', '20'],
  ]);
});

test.each<[string, [SetCall, object], number]>([
  ['nothing', tron({}), FIELD_INVALID],
  ['what is so already', tron({ fee: '1' }), DECIDED],
  ['what is so already of a currency', usdt({ shown: 'true' }), DECIDED],
  ['a negative fee', tron({ fee: '-1' }), FIELD_INVALID],
  ['a fee of zeros too many', tron({ fee: '1000001' }), FIELD_INVALID],
  ['a fee finer than its currency', tron({ fee: '0.0000001' }), FIELD_INVALID],
  ['no confirmations', tron({ confirmations: '0' }), FIELD_INVALID],
  ['another rule of memos', tron({ memo: 'sometimes' }), FIELD_INVALID],
  ['a network of nobody', ['x/admin/NetworkSet', { asset: 'USDT', network: 'lightning' }], FIELD_INVALID],
  [
    'a field of the prototype',
    ['x/admin/NetworkSet', { asset: 'USDT', network: 'constructor' }],
    FIELD_INVALID,
  ],
  ['a currency of nobody', ['x/admin/CurrencySet', { asset: 'NOSUCH', shown: 'false' }], FIELD_INVALID],
  ['a name that is markup', usdt({ name: '<b>T</b>' }), FIELD_INVALID],
  ['a rate above half', fee('self-rate', '50.01'), FIELD_INVALID],
  ['a rate finer than it is paid', fee('self-rate', '10.001'), FIELD_INVALID],
  ['a worth beyond measure', fee('first-trade', '1001'), FIELD_INVALID],
])('%s is not asked for', async (_what, what, code) => {
  expect((await ask(what)).code).toBe(code);
});

describe('nobody gets past the two who sign', () => {
  test('a demo admin looks and asks for nothing', async () => {
    const demo = world.stranger();
    expect(await demo.begin('x/admin/Demo', { as: 'maker' })).toBe(SUCCESS);
    expect((await demo.must('x/admin/Offer', {})).networks.length).toBeGreaterThan(5);
    for (const what of [tron({ fee: '0' }), usdt({ shown: 'false' }), fee('self-rate', '1')])
      expect((await ask(what, demo)).code).toBe(DEMO_REFUSED);
  });

  test('a decision about how it stood before decides nothing; of two at once one does', async () => {
    const [first, second] = [await ask(tron({ fee: '0.5' })), await ask(tron({ minimum: '12' }))];
    const codes = await Promise.all([
      decided(first.data?.approval ?? ''),
      decided(second.data?.approval ?? ''),
    ]);
    expect(codes.toSorted()).toEqual([SUCCESS, DECIDED]);
  });

  test('another hash than that of what is done decides nothing, and a maker who takes it back ends it', async () => {
    const { data } = await ask(tron({ fee: '0.5' }));
    const approval = data?.approval ?? '';
    const wrong = { approval, payloadHash: '0'.repeat(64), reason: REASON };
    expect((await checker.call('x/admin/Approve', wrong)).code).toBe(DECIDED);
    expect((await maker.call('x/admin/Refuse', { approval, reason: REASON })).code).toBe(SUCCESS);
    expect(await decided(approval)).toBe(DECIDED);
    expect(await networks()).toMatchObject({ fee: '1' });
  });

  test('the table takes nothing but what was signed, to the letter and once, and nothing of it is changed', async () => {
    await set(tron({ fee: '0.5' }));
    const { owner, database } = world.hub.database;
    const [made] = await owner.query<{ approval: string }>('select approval from offer_changes');
    await owner.query('truncate offer_changes');
    const write = (kind: string, subject: string, field: string, value: string) =>
      owner.query(
        `insert into offer_changes (kind, subject, field, value, was, actor, reason, approval)
         values ($1, $2, $3, $4, '1', 'x', 'long enough', $5)`,
        [kind, subject, field, value, made?.approval ?? null],
      );
    await expect(write('network', 'USDT/tron', 'fee', '0.4')).rejects.toThrow('does not set');
    await expect(write('network', 'USDT/solana', 'fee', '0.5')).rejects.toThrow('does not set');
    await expect(write('network', 'USDT/tron', 'minimum', '0.5')).rejects.toThrow('does not set');
    await expect(write('fee', 'USDT/tron', 'fee', '0.5')).rejects.toThrow('does not set');
    await write('network', 'USDT/tron', 'fee', '0.5');
    await expect(write('network', 'USDT/tron', 'fee', '0.5')).rejects.toThrow('unique');
    for (const text of ["update offer_changes set value = '9'", 'delete from offer_changes'])
      await expect(database.query(text)).rejects.toThrow('permission denied');
    expect((await offerInForce(database).networks()).find(({ asset }) => asset === 'USDT')).toBeDefined();
    expect((await settingsOf(database, 'network')).get('USDT/tron')?.get('fee')?.now?.value).toBe('0.5');
  });
});

import { randomBytes, randomUUID } from 'node:crypto';
import { CALLS, type CallName } from '@crossbook/contract';
import { CALL_SCHEMAS } from '@crossbook/contract/schema';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { png } from '../accounts/kyc/pictures.fixture.ts';
import { SecurityWorld } from '../accounts/security-world.fixture.ts';
import { SoftwareAuthenticator } from '../accounts/software-authenticator.fixture.ts';
import { TEST_PASSWORD, TestBrowser } from '../main/testing.ts';

/** Each id that a member can send, of somebody else and of nobody: the answers are alike, and what it names stays as it is. */

let world: SecurityWorld;
let owner: TestBrowser;
let thief: TestBrowser;
beforeAll(async () => {
  world = await SecurityWorld.start();
  owner = await pageOf('owner@example.org');
  thief = await pageOf('thief@example.org');
  for (const [thing, make] of Object.entries(THINGS)) {
    const id = await make();
    expect(id, thing).toMatch(/./);
    MADE.set(thing, id);
  }
});
afterAll(() => world.hub.close());

/** On the host that passkeys are for. */
async function pageOf(email: string): Promise<TestBrowser> {
  const { cookie, stoken, tid } = await world.hub.member(email);
  const origin = world.hub.url.replace('127.0.0.1', 'localhost');
  const page = Object.assign(new TestBrowser(origin), { cookie, stoken, tid });
  page.headers.origin = origin;
  // The cookie that names the browser comes with a captcha; a log-in is then trusted there.
  await page.captcha();
  await page.logIn(email);
  return page;
}

/** Ids of what only its owner may use, made for him. */
const THINGS: Readonly<Record<string, () => Promise<string>>> = {
  async order() {
    const id = randomUUID();
    await world.hub.database.owner.query(
      `insert into orders (id, user_id, platform, symbol_type, symbol, base, quote, side, order_type, time_in_force, quantity, price,
          send_type, send_time_in_force, payload_hash, hold_id, hold_asset, hold_amount, status, cancel_pending, settled,
          cum_quantity, cum_quote, looks, created_at, updated_at)
        values ($1, $2, 1, 'SPOT', 'BTCUSDT', 'BTC', 'USDT', 1, 1, 1, 1, 1, 1, 1, 'x', $1, 'USDT', 1, 2, false, false, 0, 0, 0, $3, $3)`,
      [id, owner.tid ?? 0, world.hub.now()],
    );
    return id;
  },
  async algo() {
    const id = randomUUID();
    await world.hub.database.owner.query(
      `insert into algo_orders (id, user_id, platform, symbol_type, symbol, base, quote, side, plan, quantity, time_in_force,
          payload_hash, hold_id, hold_asset, hold_amount, state, created_at, updated_at)
        values ($1, $2, 1, 'SPOT', 'BTCUSDT', 'BTC', 'USDT', 1, '{"kind":"trigger","triggerPrice":"1","triggerBy":"last","fires":"market"}',
          1, 1, 'x', $1, 'USDT', 1, 'waiting', $3, $3)`,
      [id, owner.tid ?? 0, world.hub.now()],
    );
    return id;
  },
  async alert() {
    const id = randomUUID();
    await world.hub.database.owner.query(
      `insert into price_alerts (id, user_id, platform, symbol_type, symbol, price, direction, created_at)
        values ($1, $2, 1, 'SPOT', 'BTCUSDT', 1, 'rises', $3)`,
      [id, owner.tid ?? 0, world.hub.now()],
    );
    return id;
  },
  async session() {
    const { data } = await owner.call('x/account/Sessions', {});
    return data?.[0]?.id ?? '';
  },
  async device() {
    const { data } = await owner.call('x/account/Devices', {});
    return data?.[0]?.id ?? '';
  },
  grant: () => world.grant(owner),
  async bindFlow() {
    await owner.call('usersms/usersms', { purpose: 'bind', channel: 'mobile', target: '+819055551111' });
    return world.checked(owner, '+819055551111', 'bind');
  },
  async setup() {
    const { data } = await owner.call('security/usergooglesecret', { grant: await world.grant(owner) });
    return data?.setupId ?? '';
  },
  async picture() {
    const form = new FormData();
    for (const [name, value] of [
      ['sosflag', '3'],
      ['stoken', owner.stoken ?? ''],
      ['kind', 'kyc-front'],
    ])
      form.set(name ?? '', value ?? '');
    form.set('file', new Blob([png(700, 600) as Uint8Array<ArrayBuffer>]), 'a.png');
    const { envelope } = await owner.send('/api/usercommon/upload', form);
    return (envelope.data as { fileId: string }).fileId;
  },
  async passkey() {
    const { data } = await owner.call('x/passkey/RegisterOptions', { grant: await world.grant(owner) });
    const credential = new SoftwareAuthenticator(owner.url, { counts: true }).make(data?.options ?? '');
    const made = await owner.call('x/passkey/Register', { credential, name: 'Desk' });
    owner.stoken = made.data?.token;
    return (await owner.call('x/passkey/List', {})).data?.[0]?.id ?? '';
  },
};

/** What there is of the owner; the passkey last, as it is asked for at each grant from then on. */
const MADE = new Map<string, string>();

/** One of the same form that nobody has. */
const unknownLike = (id: string): string =>
  /^[0-9a-f]{8}-/.test(id) ? randomUUID() : randomBytes(48).toString('base64url').slice(0, id.length);

const ORDER = { platformType: '43' };
const NEW = { password: 'Other-camel-8', oldPassword: TEST_PASSWORD };
const PAPERS = {
  ...{
    fullName: 'Thief',
    birthDate: '1990-01-01',
    country: 'JP',
    documentKind: 'passport',
    documentNumber: 'TH1234567',
  },
  ...{ face: randomUUID(), consent: 'true' },
};

/** Every id of every call of members: what it is of, and what is sent beside it. */
const IDS: readonly (readonly [CallName, string, string, Readonly<Record<string, string>>])[] = [
  ['connextrade/ReplaceOrder', 'orderId', 'order', { ...ORDER, price: '2' }],
  ['connextrade/CancelOrder', 'orderId', 'order', ORDER],
  ['connextrade/GetOrderRpnl', 'orderId', 'order', ORDER],
  ['x/trade/Fills', 'orderId', 'order', ORDER],
  ['connextrade/CancelAlgoOrder', 'algoId', 'algo', ORDER],
  ['connextrade/ReplaceAlgoOrder', 'algoId', 'algo', { ...ORDER, triggerPrice: '2' }],
  [
    'x/alert/Set',
    'alertId',
    'alert',
    { ...ORDER, tinstType: '1', symbol: 'BTCUSDT', price: '2', direction: 'rises' },
  ],
  ['x/alert/Remove', 'alertId', 'alert', {}],
  ['x/account/EndSession', 'id', 'session', { grant: 'OWN' }],
  ['x/account/ForgetDevice', 'id', 'device', { grant: 'OWN' }],
  ['x/passkey/Rename', 'id', 'passkey', { name: 'Mine' }],
  ['x/passkey/Remove', 'id', 'passkey', { grant: 'OWN' }],
  ['security/modifyuserinfo', 'grant', 'grant', { antiPhishing: 'Tulip' }],
  ['security/resetpwd', 'grant', 'grant', NEW],
  ['security/modifyemail', 'grant', 'grant', { email: 'new@example.org', flow: 'x', oldFlow: 'x' }],
  ['security/modifyphone', 'grant', 'grant', { mobile: '+819055551111', flow: 'x', oldFlow: 'x' }],
  ['security/bindemail', 'grant', 'grant', { email: 'new@example.org', flow: 'x' }],
  ['security/bindphone', 'grant', 'grant', { mobile: '+819055551111', flow: 'x' }],
  ['security/usergooglesecret', 'grant', 'grant', {}],
  ['x/account/RecoveryCodes', 'grant', 'grant', {}],
  ['x/account/EndSession', 'grant', 'grant', { id: 'session' }],
  ['x/account/EndOthers', 'grant', 'grant', {}],
  ['x/account/ForgetDevice', 'grant', 'grant', { id: 'device' }],
  ['x/passkey/RegisterOptions', 'grant', 'grant', {}],
  ['x/passkey/Remove', 'grant', 'grant', { id: 'passkey' }],
  ['x/oauth/Link', 'grant', 'grant', { ticket: 'x' }],
  ['x/oauth/Unlink', 'grant', 'grant', {}],
  ['security/bindphone', 'flow', 'bindFlow', { mobile: '+819055551111', grant: 'OWN' }],
  ['security/modifyphone', 'flow', 'bindFlow', { mobile: '+819055551111', oldFlow: 'x', grant: 'OWN' }],
  ['security/modifyemail', 'flow', 'bindFlow', { email: 'new@example.org', oldFlow: 'x', grant: 'OWN' }],
  ['security/bindemail', 'flow', 'bindFlow', { email: 'new@example.org', grant: 'OWN' }],
  ['security/bindemail', 'oldFlow', 'bindFlow', { email: 'new@example.org', flow: 'x', grant: 'OWN' }],
  ['security/modifyphone', 'oldFlow', 'bindFlow', { mobile: '+819055551111', flow: 'x', grant: 'OWN' }],
  ['security/modifyemail', 'oldFlow', 'bindFlow', { email: 'new@example.org', flow: 'x', grant: 'OWN' }],
  ['x/demo/Keep', 'flow', 'bindFlow', { mobile: '+819055551111', password: 'Other-camel-8', agree: 'true' }],
  ['security/bindgoogle', 'setupId', 'setup', { totp: '123456' }],
  ['x/oauth/Link', 'ticket', 'bindFlow', { grant: 'OWN' }],
  ['x/kyc/Submit', 'front', 'picture', PAPERS],
  ['x/kyc/Submit', 'back', 'picture', { ...PAPERS, front: randomUUID() }],
  ['x/kyc/Submit', 'face', 'picture', { ...PAPERS, front: randomUUID() }],
];

test('the table has every id that a member can send', () => {
  const isId = /^(?:id|order[Ii]d|algoId|alertId|setupId|ticket|grant|flow|oldFlow|front|back|face)$/;
  const sent = (Object.keys(CALLS) as CallName[])
    .filter((name) => CALLS[name].access === 'member')
    .flatMap((name) =>
      Object.keys(CALL_SCHEMAS[name].request.shape)
        // An id of what is made anew is the sender's own: that one of somebody else is refused, wallets and orders prove.
        .filter((field) => isId.test(field))
        .map((field) => `${name} ${field}`),
    );
  expect(IDS.map(([name, field]) => `${name} ${field}`).sort()).toEqual(sent.sort());
});

/** Everything of the owner that an id could name, by the column that says whose it is. */
const TABLES = {
  ...{ members: 'id', orders: 'user_id', algo_orders: 'user_id', price_alerts: 'user_id' },
  ...{
    sessions: 'member',
    passkeys: 'member',
    otp_secrets: 'member',
    device_trusts: 'member',
    kyc_pictures: 'member',
  },
};

async function ownersThings(): Promise<string> {
  const { owner: database } = world.hub.database;
  const rows = await Promise.all([
    ...Object.entries(TABLES).map(([table, column]) =>
      database.query(`select * from ${table} where ${column} = $1 order by 1`, [owner.tid ?? 0]),
    ),
    database.query(
      'select * from grants where session in (select id from sessions where member = $1) order by 1',
      [owner.tid ?? 0],
    ),
  ]);
  expect(rows.filter((of) => of.length === 0)).toEqual([]);
  return JSON.stringify(rows);
}

test.each(IDS)(
  '%s with the %s of somebody else answers as with that of nobody, and changes nothing of his',
  async (name, field, thing, beside) => {
    const foreign = MADE.get(thing) ?? '';
    const before = await ownersThings();
    const answers = [];
    for (const id of [foreign, unknownLike(foreign)]) {
      const fields: Record<string, string> = { ...beside, [field]: id, sosflag: '3' };
      if (fields.grant === 'OWN') fields.grant = await world.grant(thief);
      for (const [key, value] of Object.entries(fields)) fields[key] = MADE.get(value) ?? value;
      fields.stoken = thief.stoken ?? '';
      const { envelope } = await thief.form(`/api/${name}`, fields);
      answers.push(JSON.stringify(envelope).replaceAll(id, 'ID'));
    }
    expect(answers[0]).toBe(answers[1]);
    expect(await ownersThings()).toBe(before);
  },
);

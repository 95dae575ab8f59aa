import { ADMIN_CALLS, type AdminCallName, type AdminRole } from '@crossbook/contract';
import { ADMIN_ROLES, ADMIN_SCHEMAS } from '@crossbook/contract/schema';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AdminBrowser, OfficeWorld, REASON, SUCCESS } from './office-world.fixture.ts';

const FIELD_INVALID = 1001;
const CASE = '00000000-0000-4000-8000-000000000001';
const NOBODY = '2000000000';
const WAITS_NOT = '999999999';
const HASH = 'a'.repeat(64);
const TEXT = { kind: 'faq', slug: 'no-such-question', revision: '1' };

/** A row: who asks with what, whom it is about, and how the hub refuses it for the state that things are in; null: never. */
type Row = readonly [role: AdminRole, fields: object, subject: string, state: string | null];
const ACTS: Readonly<Record<string, Row>> = {
  'x/admin/MemberFreeze': ['support', { member: NOBODY }, `member ${NOBODY}`, 'subject-unknown'],
  'x/admin/MemberEndSessions': ['support', { member: NOBODY }, `member ${NOBODY}`, 'subject-unknown'],
  'x/admin/MemberTkropen': [
    ...(['support', { member: NOBODY, open: 'true' }] as const),
    ...([`member ${NOBODY}`, 'subject-unknown'] as const),
  ],
  'x/admin/MemberUnfreeze': ['support', { member: NOBODY }, `member ${NOBODY}`, 'subject-unknown'],
  'x/admin/MemberKol': [
    ...(['support', { member: NOBODY, code: 'HERON', rateBps: '100' }] as const),
    ...([`member ${NOBODY}`, 'subject-unknown'] as const),
  ],
  'x/admin/MemberReveal': [
    ...(['support', { member: NOBODY, field: 'email' }, `member ${NOBODY}`, 'subject-unknown'] as const),
  ],
  'x/admin/KycView': ['kyc', { case: CASE }, `kyc ${CASE}`, 'subject-unknown'],
  'x/admin/KycPicture': ['kyc', { case: CASE, picture: CASE }, `kyc ${CASE}`, 'subject-unknown'],
  'x/admin/KycPass': [
    ...(['kyc', { case: CASE, version: '1', checks: 'legible,name,birth,number,valid,face' }] as const),
    ...([`kyc ${CASE}`, 'subject-unknown'] as const),
  ],
  'x/admin/KycRefuse': [
    ...(['kyc', { case: CASE, version: '1', why: 'blurred' }, `kyc ${CASE}`, 'subject-unknown'] as const),
  ],
  'x/admin/KycRevoke': [
    ...(['kyc', { member: NOBODY, why: 'expired' }, `member ${NOBODY}`, 'subject-unknown'] as const),
  ],
  'x/admin/RecoveryView': ['kyc', { recovery: WAITS_NOT }, `recovery ${WAITS_NOT}`, 'subject-unknown'],
  'x/admin/RecoveryApprove': [
    ...(['support', { recovery: WAITS_NOT }, `recovery ${WAITS_NOT}`, 'subject-unknown'] as const),
  ],
  'x/admin/RecoveryRefuse': [
    ...(['support', { recovery: WAITS_NOT }, `recovery ${WAITS_NOT}`, 'subject-unknown'] as const),
  ],
  'x/admin/GateOpen': ['treasury-maker', {}, 'money gate', null],
  'x/admin/OrderResolve': [
    ...([
      'treasury-maker',
      { order: CASE, resolution: 'absent' },
      `order ${CASE}`,
      'subject-unknown',
    ] as const),
  ],
  'x/admin/Approve': ['admin', { approval: WAITS_NOT, payloadHash: HASH }, '', 'subject-unknown'],
  'x/admin/Refuse': ['admin', { approval: WAITS_NOT }, '', 'subject-unknown'],
  'x/admin/AuditExport': ['auditor', { after: '0' }, 'audit log', null],
  'x/admin/LimitSet': [
    ...(['treasury-maker', { what: 'test-funds', tier: '0', most: '100000' }] as const),
    ...(['limit test-funds tier 0', 'already-decided'] as const),
  ],
  'x/admin/FeeSet': [
    ...(['treasury-maker', { what: 'first-trade', value: '50' }, 'fee rewards', 'already-decided'] as const),
  ],
  'x/admin/CurrencySet': [
    ...(['treasury-maker', { asset: 'BTC', shown: 'true' }, 'currency BTC', 'already-decided'] as const),
  ],
  'x/admin/NetworkSet': [
    ...(['treasury-maker', { asset: 'USDT', network: 'tron', memo: 'none' }] as const),
    ...(['network USDT/tron', 'already-decided'] as const),
  ],
  'x/admin/PlatformClose': [
    ...([
      'admin',
      { platformType: '42', state: 'coming-soon' },
      'platform Bybit',
      'already-decided',
    ] as const),
  ],
  'x/admin/PlatformOpen': ['admin', { platformType: '43' }, 'platform Binance', 'already-decided'],
  'x/admin/AdminInvite': [
    ...(['admin', { email: 'admin1@example.org', roles: 'kyc' }, 'admin', 'already-decided'] as const),
  ],
  'x/admin/AdminLink': ['admin', { approval: WAITS_NOT }, '', 'subject-unknown'],
  'x/admin/AdminRoles': [
    ...(['admin', { admin: NOBODY, roles: 'kyc' }, `admin ${NOBODY}`, 'subject-unknown'] as const),
  ],
  'x/admin/AdminDisable': ['admin', { admin: NOBODY }, `admin ${NOBODY}`, 'subject-unknown'],
  'x/admin/ContentDraft': [
    ...(['support', { ...TEXT, lang: 'en', title: 'Why', summary: '', body: '' }] as const),
    ...(['faq no-such-question', 'already-decided'] as const),
  ],
  'x/admin/ContentDiscard': ['support', TEXT, 'faq no-such-question', 'subject-unknown'],
  'x/admin/ContentPublish': ['admin', TEXT, 'faq no-such-question', 'subject-unknown'],
  'x/admin/MailRetry': ['support', { mail: WAITS_NOT }, `mail ${WAITS_NOT}`, 'subject-unknown'],
  'x/admin/PasskeyAddOptions': ['support', {}, '', null],
  'x/admin/PasskeyAdd': [
    'support',
    {
      credential: JSON.stringify({
        id: 'AA',
        rawId: 'AA',
        type: 'public-key',
        response: { clientDataJSON: 'AA', attestationObject: 'AA' },
      }),
      name: 'key',
    },
    '',
    null,
  ],
  'x/admin/PasskeyRemove': ['support', { id: CASE }, '', null],
};
const LOOKS = ['x/admin/KycView', 'x/admin/KycPicture', 'x/admin/RecoveryView'];
const ROWS = (Object.entries(ACTS) as [AdminCallName, Row][]).map(
  ([call, [role, fields, subject, state]]) => ({ call, role, fields, subject, state }),
);

let world: OfficeWorld;
const proved = new Map<AdminRole, AdminBrowser>();
const unproved = new Map<AdminRole, AdminBrowser>();
beforeAll(async () => {
  world = await OfficeWorld.start({ ADDRESS_LIMIT_FACTOR: '100' });
  for (const role of ADMIN_ROLES) {
    proved.set(role, (await world.admin([role])).browser);
    unproved.set(role, (await world.admin([role], false)).browser);
  }
});
afterAll(() => world.hub.close());

/** What stands in the log since then. */
async function since(last: string) {
  return world.hub.database.owner.query<Record<string, unknown>>(
    `select call, actor_kind, actor, subject, outcome, reason, details from audit_log where id > $1 order by id`,
    [last],
  );
}

async function last(): Promise<string> {
  const [row] = await world.hub.database.owner.query<{ id: string }>(
    'select coalesce(max(id), 0)::text as id from audit_log',
  );
  return row?.id ?? '0';
}

/** The request as the call takes it: those that change something for others with their reason. */
function given(call: AdminCallName, fields: object): { readonly request: object; readonly reason: string } {
  const isReasoned = 'reason' in ADMIN_SCHEMAS[call].request.shape;
  return { request: isReasoned ? { ...fields, reason: REASON } : fields, reason: isReasoned ? REASON : '' };
}

/** One row, saying who, which act, whom it was about and why it was to be done. */
async function standsThere(before: string, wanted: object): Promise<void> {
  expect(await since(before)).toEqual([
    expect.objectContaining({
      ...{ actor_kind: 'operator', actor: expect.stringMatching(/^admin \d+$/), ...wanted },
      details: expect.objectContaining({ session: expect.stringMatching(/^[0-9a-f-]{36}$/) }),
    }),
  ]);
}

test('the table has every call that changes something, and every look at papers', () => {
  const changing = Object.entries(ADMIN_CALLS).filter(([, { changes }]) => changes);
  expect(Object.keys(ACTS).toSorted()).toEqual([...changing.map(([name]) => name), ...LOOKS].toSorted());
});

describe('what is refused stands in the log with its subject and reason', () => {
  const limited = ROWS.filter(({ call }) => ADMIN_CALLS[call].roles !== 'all');
  test.each(limited)('$call, for the role', async ({ call, fields, subject }) => {
    const { roles } = ADMIN_CALLS[call];
    const other = ADMIN_ROLES.find((role) => !(roles as readonly string[]).includes(role)) as AdminRole;
    const [before, { request, reason }] = [await last(), given(call, fields)];
    await proved.get(other)?.send(call, request);
    await standsThere(before, { call, subject, outcome: 'role-missing', reason });
  });

  const changing = ROWS.filter(({ call }) => ADMIN_CALLS[call].changes);
  test.each(changing)('$call, without a fresh proof', async ({ call, role, fields, subject }) => {
    const [before, { request, reason }] = [await last(), given(call, fields)];
    await unproved.get(role)?.send(call, request);
    await standsThere(before, { call, subject, outcome: 'grant-invalid', reason });
  });

  const stated = ROWS.filter(({ state }) => state !== null);
  test.each(stated)('$call, as things are', async ({ call, role, fields, subject, state }) => {
    const [before, { request, reason }] = [await last(), given(call, fields)];
    await proved.get(role)?.send(call, request);
    await standsThere(before, { call, subject, outcome: state, reason });
  });
});

test.each(ROWS)('$call with a field that does not fit leaves nothing', async ({ call, role, fields }) => {
  const before = await last();
  const { request } = given(call, fields);
  expect((await proved.get(role)?.send(call, { ...request, unknown: 'x' }))?.code).toBe(FIELD_INVALID);
  expect(await since(before)).toEqual([]);
});

test('a decision of two names what it is about: refused to its maker, to a wrong role, and with another content', async () => {
  const member = await world.hub.member();
  const { browser: maker } = await world.admin(['support', 'admin']);
  const asking = { member: member.tid ?? 0, code: 'KINGFISHER', rateBps: '100', reason: REASON };
  const { approval } = await maker.must('x/admin/MemberKol', asking);
  const { rows } = await maker.must('x/admin/Approvals', {});
  const payloadHash = rows.find(({ id }) => id === approval)?.payloadHash ?? '';
  const tries = [
    [maker, payloadHash, 'four-eyes'],
    [proved.get('treasury-checker'), payloadHash, 'role-missing'],
    [proved.get('admin'), HASH, 'already-decided'],
  ] as const;
  for (const [browser, hash, outcome] of tries) {
    const before = await last();
    await browser?.send('x/admin/Approve', { approval, payloadHash: hash, reason: REASON });
    await standsThere(before, {
      ...{ call: 'x/admin/Approve', subject: `member ${member.tid}`, outcome, reason: REASON },
    });
    const [row] = await since(before);
    expect(row?.details).toMatchObject({ approval });
  }
  const before = await last();
  await proved.get('support')?.send('x/admin/Refuse', { approval, reason: REASON });
  await standsThere(before, { subject: `member ${member.tid}`, outcome: 'role-missing', reason: REASON });
});

test('strangers who play admins are written down too, and what they may do as well', async () => {
  const demo = world.stranger();
  expect(await demo.begin('x/admin/Demo', { as: 'checker' })).toBe(SUCCESS);
  const before = await last();
  await demo.send('x/admin/KycPicture', { case: CASE, picture: CASE });
  await standsThere(before, { call: 'x/admin/KycPicture', subject: `kyc ${CASE}`, outcome: 'demo-refused' });
});

test('of strangers who play admins the log keeps twenty refusals an hour: no row is ever removed', async () => {
  const small = await OfficeWorld.start({ ADDRESS_LIMIT_FACTOR: '1' });
  for (const demo of [small.stranger(), small.stranger()]) {
    expect(await demo.begin('x/admin/Demo', { as: 'maker' })).toBe(SUCCESS);
    for (let tries = 0; tries < 15; tries += 1)
      expect((await demo.send('x/admin/KycQueue', {})).code).not.toBe(SUCCESS);
  }
  const rows = await small.hub.database.owner.query(
    `select outcome from audit_log where call = 'x/admin/KycQueue'`,
  );
  await small.hub.close();
  expect(rows).toHaveLength(20);
});

import { ADMIN_CALLS, type AdminCallName, type AdminRole } from '@crossbook/contract';
import { ADMIN_ROLES, ADMIN_SCHEMAS } from '@crossbook/contract/schema';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AdminBrowser, OfficeWorld } from './office-world.fixture.ts';

/** Roles by their first letters, in this order: support, kyc, maker, checker, admin, auditor. `.` may not. */
const MATRIX: Readonly<Record<AdminCallName, string>> = {
  'x/admin/StartBegin': 'anyone',
  'x/admin/Start': 'anyone',
  'x/admin/LogIn': 'anyone',
  'x/admin/Demo': 'anyone',
  'x/admin/PasskeyLogInOptions': 'anyone',
  'x/admin/PasskeyLogIn': 'anyone',
  'x/admin/LogOut': 'skmcau',
  'x/admin/Me': 'skmcau',
  'x/admin/StepUp': 'skmcau',
  'x/admin/PasskeyStepUpOptions': 'skmcau',
  'x/admin/Passkeys': 'skmcau',
  'x/admin/PasskeyAddOptions': 'skmcau',
  'x/admin/PasskeyAdd': 'skmcau',
  'x/admin/PasskeyRemove': 'skmcau',
  'x/admin/MemberSearch': 'skmcau',
  'x/admin/MemberView': 'skmcau',
  'x/admin/MemberFreeze': 'skmca.',
  'x/admin/MemberEndSessions': 'skmca.',
  'x/admin/MemberTkropen': 's...a.',
  'x/admin/MemberUnfreeze': 's...a.',
  'x/admin/MemberKol': 's...a.',
  'x/admin/MemberReveal': 'sk..a.',
  'x/admin/KycQueue': '.k....',
  'x/admin/KycView': '.k....',
  'x/admin/KycRelease': '.k....',
  'x/admin/KycPicture': '.k....',
  'x/admin/KycPass': '.k....',
  'x/admin/KycRefuse': '.k....',
  'x/admin/KycRevoke': '.k....',
  'x/admin/Recoveries': 'sk..au',
  'x/admin/RecoveryView': '.k....',
  'x/admin/RecoveryApprove': 'sk....',
  'x/admin/RecoveryRefuse': 'sk..a.',
  'x/admin/GateOpen': '..m...',
  'x/admin/OrderResolve': '..m...',
  'x/admin/Approvals': 'skmcau',
  'x/admin/Approve': '.k.ca.',
  'x/admin/Refuse': 'skmca.',
  'x/admin/AuditSearch': '....au',
  'x/admin/AuditVerify': '....au',
  'x/admin/AuditExport': '....au',
  'x/admin/Health': 's.mcau',
  'x/admin/Incidents': 's.mcau',
  'x/admin/Mails': 's...au',
  'x/admin/MailRetry': 's...a.',
  'x/admin/Referrals': 's.mcau',
  'x/admin/Funds': '..mcau',
  'x/admin/Offer': '..mcau',
  'x/admin/LimitSet': '..m...',
  'x/admin/FeeSet': '..m...',
  'x/admin/CurrencySet': '..m...',
  'x/admin/NetworkSet': '..m...',
  'x/admin/Platforms': '....au',
  'x/admin/PlatformClose': '....a.',
  'x/admin/PlatformOpen': '....a.',
  'x/admin/Admins': '....au',
  'x/admin/AdminInvite': '....a.',
  'x/admin/AdminLink': '....a.',
  'x/admin/AdminRoles': '....a.',
  'x/admin/AdminDisable': '....a.',
  'x/admin/ContentList': 's...au',
  'x/admin/ContentView': 's...au',
  'x/admin/ContentDraft': 's...a.',
  'x/admin/ContentDiscard': 's...a.',
  'x/admin/ContentPublish': '....a.',
};

const CLOSED = Object.entries(MATRIX).filter(([, row]) => row !== 'anyone') as [AdminCallName, string][];
const ROLE_MISSING = 6001;
const TOKEN_INVALID = -2;
const FIELD_INVALID = 1001;

let world: OfficeWorld;
const browsers = new Map<AdminRole, AdminBrowser>();
beforeAll(async () => {
  world = await OfficeWorld.start();
  for (const role of ADMIN_ROLES) browsers.set(role, (await world.admin([role])).browser);
});
afterAll(() => world.hub.close());

test('the table of roles names every call, and every call has a schema', () => {
  expect(Object.keys(ADMIN_CALLS).sort()).toEqual(Object.keys(MATRIX).sort());
  expect(Object.keys(ADMIN_SCHEMAS).sort()).toEqual(Object.keys(MATRIX).sort());
  const open = Object.entries(ADMIN_CALLS).filter(([, { roles }]) => roles === 'anyone');
  expect(open.map(([name]) => name)).toEqual(Object.keys(MATRIX).slice(0, 6));
});

test('whatever changes something for others takes its reason and a fresh proof, and nothing else does', () => {
  const reasoned = Object.entries(ADMIN_SCHEMAS)
    .filter(([, { request }]) => 'reason' in request.shape)
    .map(([name]) => name);
  // What an admin does to his own passkeys is about nobody else.
  const changing = Object.entries(ADMIN_CALLS)
    .filter(([name, { changes }]) => changes && !name.startsWith('x/admin/Passkey'))
    .map(([name]) => name);
  expect(reasoned.toSorted()).toEqual(changing.toSorted());
});

// Logging out comes last: it ends the session that the others use.
describe.each(ADMIN_ROLES.map((role, place) => [role, place] as const))('%s', (role, place) => {
  test.each(CLOSED.toSorted(([name]) => (name === 'x/admin/LogOut' ? 1 : -1)))('%s', async (name, row) => {
    const { code } = await (browsers.get(role) as AdminBrowser).send(name, { unknown: 'field' });
    // Whoever may is told of the field: the role was looked at before it.
    if (row[place] === '.') expect(code).toBe(ROLE_MISSING);
    else expect(code).toBe(FIELD_INVALID);
  });
});

test('a call that a role does not allow stands in the audit log', async () => {
  const { browser } = await world.admin(['support']);
  expect((await browser.call('x/admin/AuditSearch', {})).code).toBe(ROLE_MISSING);
  const { browser: auditor } = await world.admin(['auditor']);
  const { rows } = await auditor.must('x/admin/AuditSearch', { by: 'call', value: 'x/admin/AuditSearch' });
  expect(rows[0]).toMatchObject({ outcome: 'role-missing', actorKind: 'operator' });
});

test.each(CLOSED)('%s answers nobody without a session', async (name) => {
  expect((await world.stranger().send(name, {})).code).toBe(TOKEN_INVALID);
});

test('no call takes a balance, a password of somebody else or a member to act as; what an order executed the hub judges', () => {
  const fields = Object.values(ADMIN_SCHEMAS).flatMap(({ request }) => Object.keys(request.shape));
  expect([...new Set(fields)].sort()).toEqual([
    ...[
      'admin',
      'after',
      'all',
      'approval',
      'as',
      'asset',
      'base',
      'body',
      'by',
      'case',
      'checks',
      'code',
      'confirmations',
      'credential',
      'cursor',
      'deposits',
      'effectiveAt',
      'email',
      'endsAt',
      'fee',
      'field',
      'frozen',
      'id',
      'kind',
    ],
    ...[
      'lang',
      'limit',
      'mail',
      'material',
      'member',
      'memo',
      'minimum',
      'most',
      'name',
      'network',
      'note',
      'open',
      'order',
      'passkey',
      'password',
      'payloadHash',
      'picture',
      'platformType',
    ],
    ...[
      'position',
      'publishAt',
      'quantity',
      'query',
      'quoteQuantity',
      'rateBps',
      'reason',
      'recovery',
      'resolution',
      'revision',
      'roles',
      'shown',
    ],
    ...[
      'slug',
      'state',
      'summary',
      'tier',
      'title',
      'token',
      'totp',
      'value',
      'version',
      'what',
      'why',
      'withdrawals',
      'withdrawn',
    ],
  ]);
});

import { beforeEach, describe, expect, test } from 'vitest';
import { openedOnce } from '../../../../../../../tests/opened.ts';
import { png } from '../../../../accounts/kyc/pictures.fixture.ts';
import { SecurityWorld, SUCCESS } from '../../../../accounts/security-world.fixture.ts';
import type { TestBrowser } from '../../../../main/testing.ts';

const FORM = {
  fullName: 'Hanako Yamada',
  birthDate: '1990-02-03',
  country: 'JP',
  documentKind: 'passport',
  documentNumber: 'AB-1234',
  consent: 'true',
} as const;
const KYC_STATE = 2024;
const DAY_MILLIS = 86_400_000;
const PICTURE = png(700, 600);
const world = openedOnce(() => SecurityWorld.start({ KYC_VALID_YEARS: '2' }));
const clock = (moment: string) => world.stopDatabaseClock(`${moment}+00`);
let made = 0;
let member: TestBrowser;
let email = '';

beforeEach(async () => {
  await clock('2027-03-01 12:00:00');
  made += 1;
  email = `ends${made}@example.org`;
  member = await world.hub.member(email);
});

async function upload(kind: string) {
  const form = new FormData();
  for (const [field, value] of Object.entries({ sosflag: '3', stoken: member.stoken ?? '', kind }))
    form.append(field, value);
  form.append('file', new Blob([PICTURE]), 'a.png');
  return (await member.send('/api/usercommon/upload', form)).envelope;
}

async function uploaded(kind: string): Promise<string> {
  return ((await upload(kind)).data as { fileId: string }).fileId;
}

async function handIn(fields: { readonly documentExpires?: string } = {}): Promise<number> {
  const pictures = { front: await uploaded('kyc-front'), face: await uploaded('kyc-face') };
  return (await member.call('x/kyc/Submit', { ...FORM, ...fields, ...pictures })).code;
}

/** Passes the papers that the member has handed in. @returns their case. */
async function pass(): Promise<string> {
  const { kyc } = world.hub.hub.accounts;
  const by = { id: 'reviewer', email: 'reviewer@example.org', address: '' };
  const waiting = await kyc.list({ state: 'pending', limit: 200 });
  const caseId = waiting.find((row) => Number(row.member) === member.tid)?.id ?? '';
  expect((await kyc.decide({ caseId, version: 1, decision: 'approve' }, by, world.hub.now())).ok).toBe(true);
  return caseId;
}

async function passed(fields: { readonly documentExpires?: string } = {}): Promise<string> {
  expect(await handIn(fields)).toBe(SUCCESS);
  return pass();
}

const standing = async () => (await member.call('x/kyc/Status', {})).data;
const sweep = () => world.hub.hub.accounts.store.sweep(world.hub.now());
const subjects = async () => (await world.mails(email)).map(({ subject }) => subject);
const until = (day: string) => Date.parse(`${day}T00:00:00Z`);

describe('a passed identity check', () => {
  test.each([
    ['the day on which its document ends', { documentExpires: '2028-05-31' }, until('2028-06-01')],
    ['the operator’s years, where no document ends', {}, until('2029-03-01') + DAY_MILLIS / 2],
    [
      'the operator’s years, where the document ends later',
      { documentExpires: '2040-01-01' },
      until('2029-03-01') + DAY_MILLIS / 2,
    ],
  ])('counts to the end of %s', async (_name, fields, validUntil) => {
    await passed(fields);
    expect(await standing()).toMatchObject({ state: 'done', tier: 1, validUntil });
  });

  test('ends by the database’s clock at its moment, before any job has run: the member is back in tier 0', async () => {
    await passed({ documentExpires: '2028-05-31' });
    await clock('2028-05-31 23:59:59');
    expect(await standing()).toMatchObject({ state: 'done', tier: 1 });
    expect(await member.call('x/account/Limits', {})).toMatchObject({ data: { tier: 1 } });
    await clock('2028-06-01 00:00:00');
    expect(await standing()).toMatchObject({ state: 'expired', tier: 0, validUntil: until('2028-06-01') });
    expect(await member.call('x/account/Limits', {})).toMatchObject({ data: { tier: 0 } });
    expect((await member.call('security/userinfo', {})).data?.kycStatus).toBe('expired');
    expect((await member.call('security/userinfonew', {})).data?.kycStatus).toBe('expired');
    expect(await world.hub.hub.accounts.kyc.passed(member.tid as never)).toBeUndefined();
  });

  test('is announced 30 days before and told of as it ends, each once, behind the member’s word, with an entry in the audit log', async () => {
    const grant = await world.grant(member);
    await member.call('security/modifyuserinfo', { antiPhishing: 'heron', grant });
    const caseId = await passed({ documentExpires: '2028-05-31' });
    const before = await subjects();
    await clock('2028-05-01 23:59:59');
    await sweep();
    expect(await subjects()).toEqual(before);
    await clock('2028-05-02 00:00:00');
    await Promise.all([sweep(), sweep()]);
    await sweep();
    expect((await subjects()).slice(0, -before.length)).toEqual(['Crossbook: your verification ends soon']);
    const [warning] = await world.mails(email);
    expect(warning?.body.split('\n')[0]).toContain('heron');
    expect(warning?.body).toContain('It counts until 2028-06-01 (UTC).');
    expect(await standing()).toMatchObject({ state: 'done', tier: 1 });
    await clock('2028-06-01 00:00:00');
    await Promise.all([sweep(), sweep()]);
    expect((await subjects()).slice(0, -before.length)).toEqual([
      'Crossbook: your verification has ended; please submit your documents again',
      'Crossbook: your verification ends soon',
    ]);
    const entries = await world.hub.database.owner.query<{ actor_kind: string; details: object }>(
      `select actor_kind, details from audit_log where call = 'kyc/expire' and subject = $1`,
      [`kyc ${caseId}`],
    );
    expect(entries).toEqual([
      {
        actor_kind: 'system',
        details: { member: member.tid, from: 'done', to: 'expired', until: '2028-06-01' },
      },
    ]);
  });

  test.each([
    [
      'ja',
      '本人確認の有効期限が近づいています',
      '有効期限は2028-06-01（UTC）です',
      '本人確認の有効期限が切れました',
    ],
    [
      'ko',
      '본인 인증의 유효 기간이 곧 끝납니다',
      '2028-06-01(UTC)까지 유효합니다',
      '본인 인증의 유효 기간이 끝났습니다',
    ],
  ] as const)('%s: is told of in the member’s language', async (language, soon, words, over) => {
    await member.call('security/modifyuserinfo', { language });
    await passed({ documentExpires: '2028-05-31' });
    await clock('2028-05-20 00:00:00');
    await sweep();
    const [warning] = await world.mails(email);
    expect(warning?.subject).toContain(soon);
    expect(warning?.body).toContain(words);
    await clock('2028-06-20 00:00:00');
    await sweep();
    expect((await subjects())[0]).toContain(over);
  });

  test.each([
    ['before a job has said that it ended', false],
    ['after it', true],
  ])('is followed by papers handed in anew, %s, and these count from then on', async (_name, isSwept) => {
    const first = await passed({ documentExpires: '2028-05-31' });
    expect((await upload('kyc-front')).code).toBe(KYC_STATE);
    await clock('2028-06-01 00:00:00');
    if (isSwept) await sweep();
    expect(await handIn({ documentExpires: '2029-12-31' })).toBe(SUCCESS);
    expect(await standing()).toMatchObject({ state: 'pending', tier: 0 });
    expect(await pass()).not.toBe(first);
    await sweep();
    expect(await standing()).toMatchObject({ state: 'done', tier: 1, validUntil: until('2030-01-01') });
    const cases = await world.hub.database.owner.query<{ state: string }>(
      'select state from kyc_cases where member = $1 order by attempt',
      [member.tid ?? 0],
    );
    expect(cases.map(({ state }) => state)).toEqual(['expired', 'done']);
  });

  test('of before ends were written down has its document’s end, and 30 days at least', async () => {
    const old = async (fields: object, decidedAt: string): Promise<string> => {
      const caseId = await passed(fields);
      await world.hub.database.owner.query(
        'update kyc_cases set valid_until = null, decided_at = $2 where id = $1',
        [caseId, Date.parse(decidedAt)],
      );
      return caseId;
    };
    await old({ documentExpires: '2028-01-01' }, '2027-01-01T00:00:00Z');
    await sweep();
    expect(await standing()).toMatchObject({ state: 'done', validUntil: until('2028-01-02') });
    member = await world.hub.member(`old${made}@example.org`);
    await old({}, '2021-01-01T00:00:00Z');
    await sweep();
    const validUntil = until('2027-03-31') + DAY_MILLIS / 2;
    expect(await standing()).toMatchObject({ state: 'done', tier: 1, validUntil });
  });
});

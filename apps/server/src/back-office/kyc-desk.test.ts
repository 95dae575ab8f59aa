import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { accountBudgets } from '../accounts/budgets.ts';
import { png } from '../accounts/kyc/pictures.fixture.ts';
import { cleanPictures } from '../main/images/clean-picture.ts';
import type { TestBrowser } from '../main/testing.ts';
import { budgetsStore } from '../storage/stores/members/budgets-store.ts';
import { kycDesk } from './kyc-desk.ts';
import { type AdminBrowser, OfficeWorld, REASON, SUCCESS } from './office-world.fixture.ts';

const [TOKEN_INVALID, FIELD_INVALID, RATE_LIMITED, PROOF_MISSING] = [-2, 1001, 1003, 2029];
const [FOUR_EYES, UNKNOWN, DECIDED, DEMO_REFUSED, CLAIMED, UNSEEN] = [6003, 6004, 6005, 6008, 6009, 6010];
const PICTURE = png(700, 600);
const CHECKS = 'legible,name,birth,number,valid,face';
const FORM = {
  fullName: 'Hanako Yamada',
  birthDate: '1990-02-03',
  country: 'JP',
  documentKind: 'passport',
  documentNumber: 'AB-12 34',
  consent: 'true',
} as const;

let world: OfficeWorld;
let kyc: AdminBrowser;
let other: AdminBrowser;
beforeAll(async () => {
  world = await OfficeWorld.start();
  kyc = (await world.admin(['kyc'])).browser;
  other = (await world.admin(['kyc'])).browser;
});
afterAll(() => world.hub.close());
// What a test before has open is nobody's any more.
beforeEach(() =>
  world.hub.database.owner.query('update kyc_cases set claimed_by = null, claimed_until = null'),
);

interface Waiting {
  readonly member: TestBrowser;
  readonly email: string;
  readonly id: string;
}

async function upload(member: TestBrowser, kind: string): Promise<string> {
  const form = new FormData();
  for (const [field, value] of Object.entries({ sosflag: '3', stoken: member.stoken ?? '', kind }))
    form.append(field, value);
  form.append('file', new Blob([PICTURE]), 'a.png');
  const { envelope } = await member.send('/api/usercommon/upload', form);
  return (envelope.data as { fileId: string }).fileId;
}

async function handIn(member: TestBrowser): Promise<string> {
  const [front, face] = [await upload(member, 'kyc-front'), await upload(member, 'kyc-face')];
  expect((await member.call('x/kyc/Submit', { ...FORM, front, face })).code).toBe(SUCCESS);
  const rows = await world.hub.database.owner.query<{ id: string }>(
    'select id from kyc_cases where member = $1 order by attempt desc limit 1',
    [member.tid ?? 0],
  );
  return rows[0]?.id ?? '';
}

let made = 0;
async function waiting(given?: string): Promise<Waiting> {
  made += 1;
  const email = given ?? `papers${made}@example.org`;
  const member = await world.hub.member(email);
  return { member, email, id: await handIn(member) };
}

async function picture(browser: AdminBrowser, id: string, of: string): Promise<Response> {
  const body = new URLSearchParams({ sosflag: '3', stoken: browser.stoken ?? '', case: id, picture: of });
  const headers = { cookie: browser.cookie ?? '' };
  return fetch(`${browser.url}/api/x/admin/KycPicture`, { method: 'POST', body, headers });
}

async function mailsTo(
  email: string,
): Promise<readonly { readonly subject: string; readonly body: string }[]> {
  return (await fetch(`${world.hub.url}/dev/outbox.json?to=${email}`)).json() as never;
}

/** Takes a case out of the queue that the next test reads. */
async function over(id: string): Promise<void> {
  const { owner } = world.hub.database;
  await owner.query('delete from kyc_pictures where case_id = $1', [id]);
  await owner.query('delete from kyc_cases where id = $1', [id]);
}

/** What the log tells about a case, oldest first. */
function logged(id: string) {
  return world.hub.database.owner.query<{ call: string; outcome: string; reason: string; details: object }>(
    `select call, outcome, reason, details from audit_log where subject = $1 and actor_kind = 'operator' order by id`,
    [`kyc ${id}`],
  );
}

test('a case that waits is found, opened with its pictures, and passed; its member is told, and every look is logged', async () => {
  const { member, email, id } = await waiting();
  const { rows } = await kyc.must('x/admin/KycQueue', {});
  expect(rows.find((row) => row.id === id)).toMatchObject({
    ...{ member: member.tid, country: 'JP', documentKind: 'passport', attempt: 1, duplicates: 0 },
  });
  const shown = await kyc.must('x/admin/KycView', { case: id });
  expect(shown).toMatchObject({ id, version: 1, language: 'en', own: false });
  expect(shown.fields).toEqual({
    ...{ fullName: 'Hanako Yamada', birthDate: '1990-02-03', documentNumber: 'AB-12 34' },
    ...{ documentExpires: null, address: null },
  });
  expect(shown.pictures.map(({ kind }) => kind)).toEqual(['front', 'face']);
  const answer = await picture(kyc, id, shown.pictures[0]?.id ?? '');
  expect(answer.headers.get('content-type')).toBe('image/jpeg');
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.headers.get('content-disposition')).toBe('attachment; filename="picture.jpg"');
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect([...new Uint8Array(await answer.arrayBuffer()).subarray(0, 3)]).toEqual([0xff, 0xd8, 0xff]);
  const pass = { case: id, version: shown.version, checks: CHECKS, reason: REASON };
  await kyc.must('x/admin/KycPass', pass);
  expect(await member.call('x/kyc/Status', {})).toMatchObject({ data: { state: 'done', tier: 1 } });
  expect((await mailsTo(email))[0]?.subject).toContain('Certification successful');
  const subject = { member: member.tid };
  expect(await logged(id)).toEqual([
    { call: 'x/admin/KycView', outcome: 'ok', reason: '', details: subject },
    { call: 'x/admin/KycPicture', outcome: 'ok', reason: '', details: { kind: 'front' } },
    ...[
      { call: 'x/admin/KycPass', outcome: 'ok', reason: REASON },
      // Nothing of what the member stated.
    ].map((row) => ({
      ...row,
      details: { ...subject, from: 'pending', to: 'done', checks: CHECKS.split(',') },
    })),
  ]);
  // Done is done: nothing of it is shown or decided any more.
  expect((await kyc.call('x/admin/KycView', { case: id })).code).toBe(DECIDED);
  expect(
    ((await (await picture(kyc, id, shown.pictures[0]?.id ?? '')).json()) as { code: number }).code,
  ).toBe(DECIDED);
  expect((await other.call('x/admin/KycPass', pass)).code).toBe(DECIDED);
  expect((await kyc.must('x/admin/KycQueue', {})).rows.some((row) => row.id === id)).toBe(false);
});

test('who looks at a picture and when is in its pixels; nobody is answered it as it is stored, and stored it stays as it was', async () => {
  const { id } = await waiting();
  const kept = () =>
    world.hub.database.owner.query('select * from kyc_pictures where case_id = $1 order by id', [id]);
  const before = await kept();
  const seen: Uint8Array[] = [];
  for (const browser of [kyc, other]) {
    const { pictures } = await browser.must('x/admin/KycView', { case: id });
    seen.push(new Uint8Array(await (await picture(browser, id, pictures[0]?.id ?? '')).arrayBuffer()));
    await browser.must('x/admin/KycRelease', { case: id });
  }
  const clean = await cleanPictures()(PICTURE);
  if (!clean.ok) throw new Error(clean.code);
  const pixels = await Promise.all([clean.value.jpeg, ...seen].map((jpeg) => sharp(jpeg).raw().toBuffer()));
  expect(new Set(pixels.map((one) => one.toString('latin1'))).size).toBe(3);
  expect(new Set(pixels.map(({ length }) => length)).size).toBe(1);
  expect(await kept()).toEqual(before);
  await over(id);
});

test.each([
  ['none', undefined],
  ['five of them', 'legible,name,birth,number,valid'],
  ['one twice', 'legible,name,birth,number,valid,valid'],
  ['one that there is not', `${CHECKS},luck`],
  ['nothing', ''],
])('nothing passes with %s of the six checks, whatever page asks', async (_which, checks) => {
  const { id } = await waiting();
  await kyc.must('x/admin/KycView', { case: id });
  const given = { case: id, version: '1', reason: REASON, ...(checks === undefined ? {} : { checks }) };
  const { code, msg } = await kyc.send('x/admin/KycPass', given);
  expect([code, msg]).toEqual([FIELD_INVALID, expect.stringContaining('"checks"')]);
  await over(id);
});

test('a case is refused with a reason and a remark; the member reads both, hands in again, and an old page decides nothing', async () => {
  const { member, email, id } = await waiting();
  await world.hub.database.owner.query(`update members set language = 'ja' where id = $1`, [member.tid ?? 0]);
  expect(await kyc.must('x/admin/KycView', { case: id })).toMatchObject({ language: 'ja' });
  const refuse = { case: id, version: 1, reason: REASON } as const;
  const noted = await kyc.call('x/admin/KycRefuse', { ...refuse, why: 'other' });
  expect([noted.code, noted.msg]).toEqual([FIELD_INVALID, expect.stringContaining('"note"')]);
  expect((await kyc.call('x/admin/KycRefuse', { ...refuse, why: 'ugly' as never })).code).toBe(FIELD_INVALID);
  const long = { ...refuse, why: 'blurred', note: 'x'.repeat(301) } as const;
  expect((await kyc.call('x/admin/KycRefuse', long)).code).toBe(FIELD_INVALID);
  await kyc.must('x/admin/KycRefuse', { ...refuse, why: 'blurred', note: '左半分が見えません。' });
  const { data } = await member.call('x/kyc/Status', {});
  expect(data).toMatchObject({ state: 'refused', reason: 'blurred', note: '左半分が見えません。' });
  const [mail] = await mailsTo(email);
  expect(mail?.subject).toContain('本人確認を完了できませんでした');
  expect(mail?.body).toContain('左半分が見えません。');
  expect((await logged(id)).at(-1)).toMatchObject({ reason: REASON, details: { why: 'blurred' } });
  const again = await handIn(member);
  expect((await kyc.call('x/admin/KycPass', { ...refuse, checks: CHECKS, case: id })).code).toBe(DECIDED);
  expect(await kyc.must('x/admin/KycView', { case: again })).toMatchObject({ attempt: 2 });
  await kyc.must('x/admin/KycPass', { ...refuse, checks: CHECKS, case: again });
});

test('a demo admin sees masked fields and no picture, and writes the member nothing; the tries are logged', async () => {
  const { member, id } = await waiting();
  const [picked] = (await kyc.must('x/admin/KycView', { case: id })).pictures;
  await kyc.must('x/admin/KycRelease', { case: id });
  const stranger = world.stranger();
  expect(await stranger.begin('x/admin/Demo', { as: 'checker' })).toBe(SUCCESS);
  const row = (await stranger.must('x/admin/KycQueue', {})).rows.find((one) => one.id === id);
  expect(row).toMatchObject({ member: member.tid, nickname: '***' });
  const shown = await stranger.must('x/admin/KycView', { case: id });
  expect(shown).toMatchObject({ masked: true, nickname: '***', country: 'JP', documentKind: 'passport' });
  expect(shown.fields).toEqual({
    ...{ fullName: '***', birthDate: '1990', documentNumber: '***', documentExpires: null, address: null },
  });
  expect(shown.pictures).toEqual([]);
  const answer = await picture(stranger, id, picked?.id ?? '');
  expect(((await answer.json()) as { code: number }).code).toBe(DEMO_REFUSED);
  const refuse = { case: id, version: 1, reason: REASON } as const;
  for (const [why, note] of [
    ['other', 'send me your keys'],
    ['blurred', 'send me your keys'],
  ] as const) {
    expect((await stranger.call('x/admin/KycRefuse', { ...refuse, why, note })).code).toBe(DEMO_REFUSED);
  }
  expect((await stranger.call('x/admin/KycRefuse', { ...refuse, why: 'other' })).code).toBe(FIELD_INVALID);
  const refused = await world.hub.database.owner.query<{ call: string }>(
    `select call from audit_log where outcome = 'demo-refused' order by id`,
  );
  const tried = ['x/admin/KycPicture', 'x/admin/KycRefuse', 'x/admin/KycRefuse'];
  expect(refused.map(({ call }) => call)).toEqual(tried);
  await stranger.must('x/admin/KycRefuse', { ...refuse, why: 'blurred' });
  expect((await member.call('x/kyc/Status', {})).data).toMatchObject({ reason: 'blurred', note: '' });
});

test('of two reviewers one has a case: the other reads who, opens and decides nothing, and has it when it is given back', async () => {
  const one = await world.admin(['kyc']);
  const { id } = await waiting();
  const [picked] = (await one.browser.must('x/admin/KycView', { case: id })).pictures;
  const row = async (browser: AdminBrowser) =>
    (await browser.must('x/admin/KycQueue', {})).rows.find((found) => found.id === id);
  const until = world.hub.now() + 15 * 60_000;
  expect(await row(kyc)).toMatchObject({ claimedBy: one.email, claimedUntil: expect.closeTo(until, -5) });
  const stranger = world.stranger();
  await stranger.begin('x/admin/Demo', { as: 'checker' });
  expect(await row(stranger)).toMatchObject({ claimedBy: '***' });
  const decision = { case: id, version: 1, reason: REASON };
  const pass = { ...decision, checks: CHECKS };
  for (const browser of [kyc, stranger]) {
    expect((await browser.call('x/admin/KycView', { case: id })).code).toBe(CLAIMED);
    expect((await browser.call('x/admin/KycPass', pass)).code).toBe(CLAIMED);
    expect((await browser.call('x/admin/KycRefuse', { ...decision, why: 'blurred' })).code).toBe(CLAIMED);
    // What one has not one does not give back.
    await browser.must('x/admin/KycRelease', { case: id });
  }
  const seen = await picture(kyc, id, picked?.id ?? '');
  expect(((await seen.json()) as { code: number }).code).toBe(CLAIMED);
  await one.browser.must('x/admin/KycRelease', { case: id });
  expect(await row(kyc)).toMatchObject({ claimedBy: null, claimedUntil: null });
  // A stranger's look keeps it from nobody.
  await stranger.must('x/admin/KycView', { case: id });
  expect((await kyc.call('x/admin/KycPass', pass)).code).toBe(UNSEEN);
  expect((await kyc.call('x/admin/KycRefuse', { ...decision, why: 'blurred' })).code).toBe(UNSEEN);
  await kyc.must('x/admin/KycView', { case: id });
  await kyc.must('x/admin/KycPass', pass);
  expect((await logged(id)).map(({ call, outcome }) => `${call} ${outcome}`)).toEqual([
    'x/admin/KycView ok',
    // What the other and the stranger tried.
    ...[0, 1].flatMap(() =>
      ['KycView', 'KycPass', 'KycRefuse'].map((call) => `x/admin/${call} case-claimed`),
    ),
    'x/admin/KycPicture case-claimed',
    ...['x/admin/KycRelease ok', 'x/admin/KycView ok'],
    ...['x/admin/KycPass case-unseen', 'x/admin/KycRefuse case-unseen'],
    ...['x/admin/KycView ok', 'x/admin/KycPass ok'],
  ]);
});

test('a case is free again a quarter of an hour after the last look at it, and when its reviewer opens another', async () => {
  const [first, second] = [await waiting(), await waiting()];
  const looks = async (browser: AdminBrowser, { id }: Waiting) =>
    (await browser.call('x/admin/KycView', { case: id })).code;
  expect(await looks(other, first)).toBe(SUCCESS);
  expect(await looks(kyc, first)).toBe(CLAIMED);
  expect(await looks(other, second)).toBe(SUCCESS);
  expect(await looks(kyc, first)).toBe(SUCCESS);
  expect(await looks(other, first)).toBe(CLAIMED);
  // As after a quarter of an hour.
  const { owner } = world.hub.database;
  await owner.query('update kyc_cases set claimed_until = $2 where id = $1', [first.id, world.hub.now()]);
  expect(await looks(other, first)).toBe(SUCCESS);
  expect(await looks(kyc, first)).toBe(CLAIMED);
  for (const { id } of [first, second]) await over(id);
});

test('of all reviewers who open a case at once one has it', async () => {
  const { id } = await waiting();
  const { database } = world.hub.database;
  const admins = await database.query<{ id: number }>('select id from admins where not demo');
  const looks = await Promise.all(
    admins.map(({ id: claims }) =>
      world.hub.hub.accounts.kyc.open(
        id,
        { id: `admin ${claims}`, email: '', address: '', claims },
        world.hub.now(),
      ),
    ),
  );
  expect(looks.length).toBeGreaterThan(2);
  expect(looks.filter(({ ok }) => ok)).toHaveLength(1);
  await over(id);
});

test('of two decisions at once, in two pages of one reviewer, one is made, and the other is told that it was', async () => {
  const { id, email, member } = await waiting();
  await kyc.must('x/admin/KycView', { case: id });
  const [passed, refused] = await Promise.all([
    kyc.call('x/admin/KycPass', { case: id, version: 1, checks: CHECKS, reason: REASON }),
    kyc.call('x/admin/KycRefuse', { case: id, version: 1, why: 'mismatch', reason: REASON }),
  ]);
  expect([passed.code, refused.code].toSorted()).toEqual([SUCCESS, DECIDED]);
  const loser = passed.code === SUCCESS ? refused : passed;
  expect(loser.msg).toContain('decided');
  const state = passed.code === SUCCESS ? 'done' : 'refused';
  expect((await member.call('x/kyc/Status', {})).data?.state).toBe(state);
  expect(await mailsTo(email)).toHaveLength(3);
});

describe('nothing is decided or shown', () => {
  test('about one’s own papers', async () => {
    const own = await world.admin(['kyc']);
    const { id, member } = await waiting(own.email);
    expect(await own.browser.must('x/admin/KycView', { case: id })).toMatchObject({ own: true });
    const decided = await own.browser.call('x/admin/KycPass', {
      case: id,
      version: 1,
      checks: CHECKS,
      reason: REASON,
    });
    expect([decided.code, decided.msg]).toEqual([FOUR_EYES, 'Somebody else has to decide this.']);
    expect((await member.call('x/kyc/Status', {})).data?.state).toBe('pending');
    await kyc.must('x/admin/KycView', { case: id });
    await kyc.must('x/admin/KycRefuse', { case: id, version: 1, why: 'suspected', reason: REASON });
  });

  test('of a case or a picture that is not there, or of another case', async () => {
    const [one, two] = [await waiting(), await waiting()];
    const { pictures } = await kyc.must('x/admin/KycView', { case: one.id });
    const mine = pictures[0]?.id ?? '';
    const codeOf = async (id: string, of: string) =>
      ((await (await picture(kyc, id, of)).json()) as { code: number }).code;
    expect(await codeOf(two.id, mine)).toBe(UNKNOWN);
    expect(await codeOf(randomUUID(), mine)).toBe(UNKNOWN);
    expect(await codeOf(one.id, 'a'.repeat(36))).toBe(FIELD_INVALID);
    expect((await kyc.call('x/admin/KycView', { case: randomUUID() })).code).toBe(UNKNOWN);
    const nobody = { case: randomUUID(), version: 1, checks: CHECKS, reason: REASON };
    expect((await kyc.call('x/admin/KycPass', nobody)).code).toBe(UNKNOWN);
    // Without half of the session there is no picture either.
    const half = world.stranger();
    half.cookie = kyc.cookie;
    expect(((await (await picture(half, one.id, mine)).json()) as { code: number }).code).toBe(TOKEN_INVALID);
    // The queue, page by page: each once, the longest waiting first.
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page: { rows: readonly { id: string }[]; next: string | null } = await kyc.must(
        'x/admin/KycQueue',
        {
          ...{ limit: 1, ...(cursor === undefined ? {} : { cursor }) },
        },
      );
      seen.push(...page.rows.map(({ id }) => id));
      cursor = page.next ?? undefined;
    } while (cursor !== undefined);
    expect(seen).toEqual([one.id, two.id].toSorted());
  });

  test.each([
    ['letters alone', `1_${'a'.repeat(36)}`],
    ['dashes alone', `1_${'-'.repeat(36)}`],
    ['no time', randomUUID()],
    ['too long a time', `${'9'.repeat(16)}_${randomUUID()}`],
    ['nothing of ours', 'x'],
  ])('of a list that begins at %s', async (_name, cursor) => {
    const { code, msg } = await kyc.call('x/admin/KycQueue', { cursor });
    expect([code, msg]).toEqual([FIELD_INVALID, expect.stringContaining('"cursor"')]);
  });

  test('without a fresh code of the authenticator, but looking needs none', async () => {
    const { browser } = await world.admin(['kyc'], false);
    const [row] = (await browser.must('x/admin/KycQueue', {})).rows;
    const id = row?.id ?? '';
    expect((await browser.call('x/admin/KycView', { case: id })).code).toBe(SUCCESS);
    const pass = { case: id, version: 1, checks: CHECKS, reason: REASON };
    expect((await browser.call('x/admin/KycPass', pass)).code).toBe(PROOF_MISSING);
  });

  test('after fifty looks of demo admins from one network; those from another still look', async () => {
    const { database } = world.hub.database;
    const desk = kycDesk({
      kyc: world.hub.hub.accounts.kyc,
      budgets: accountBudgets(budgetsStore(database), 1),
      ...{ actOf: () => expect.fail('nothing is done'), ask: () => expect.fail('nothing is asked') },
    });
    const { id } = await waiting();
    const look = async (address: string, admin: number): Promise<number | string> => {
      const answer = await desk['x/admin/KycView'](
        {
          ...{
            address,
            admin,
            adminName: 'checker@demo.invalid',
            roles: ['kyc'],
            demo: true,
            now: world.hub.now(),
          },
          ...{
            userAgent: '',
            origin: '',
            language: 'en',
            sessionId: '',
            expiresAt: 0,
            provedUntil: undefined,
          },
        },
        { case: id },
      );
      return answer.ok ? 'shown' : answer.code.error;
    };
    for (let looks = 0; looks < 50; looks += 1) expect(await look('203.0.113.1', looks % 2)).toBe('shown');
    expect(await look('203.0.113.1', 1)).toBe('rate-limited');
    expect(await look('203.0.113.2', 1)).toBe('shown');
  });

  test('after fifty looks of one admin a day; others still look', async () => {
    const { browser } = await world.admin(['kyc']);
    const [row] = (await browser.must('x/admin/KycQueue', {})).rows;
    const look = { case: row?.id ?? '' };
    // What is not shown is not counted.
    expect((await browser.call('x/admin/KycView', { case: randomUUID() })).code).toBe(UNKNOWN);
    for (let looks = 0; looks < 50; looks += 1) {
      expect((await browser.call('x/admin/KycView', look)).code).toBe(SUCCESS);
    }
    expect((await browser.call('x/admin/KycView', look)).code).toBe(RATE_LIMITED);
    await browser.must('x/admin/KycRelease', look);
    expect((await kyc.call('x/admin/KycView', look)).code).toBe(SUCCESS);
  });

  test('after three hundred pictures of one admin a day; what is not shown is not counted', async () => {
    const { browser, email } = await world.admin(['kyc']);
    const { id } = await waiting();
    const { pictures } = await browser.must('x/admin/KycView', { case: id });
    const face = pictures[1]?.id ?? '';
    expect((await picture(browser, randomUUID(), face)).headers.get('content-type')).toContain('json');
    const { database, owner } = world.hub.database;
    const [admin] = await owner.query<{ id: number }>('select id from admins where email = $1', [email]);
    const budgets = accountBudgets(budgetsStore(database), 1);
    const sender = { address: '', device: `admin ${admin?.id}` };
    for (let seen = 0; seen < 299; seen += 1)
      expect(await budgets.take('kycPicturesPerReviewer', sender, world.hub.now())).toBeUndefined();
    expect((await picture(browser, id, face)).headers.get('content-type')).toBe('image/jpeg');
    const beyond = (await (await picture(browser, id, face)).json()) as { code: number };
    expect(beyond.code).toBe(RATE_LIMITED);
    await browser.must('x/admin/KycRelease', { case: id });
    expect((await picture(kyc, id, face)).headers.get('content-type')).toBe('image/jpeg');
  });
});

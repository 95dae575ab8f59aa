import { randomBytes, randomUUID } from 'node:crypto';
import { type Millis, ok, type UserId } from '@crossbook/domain';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { KycFields, KycPicture, KycStore } from '../../../../accounts/kyc/kyc-ports.ts';
import { type KycReview, kycReview } from '../../../../accounts/kyc/kyc-review.ts';
import { KYC_STEPS, type KycDecision, type KycState } from '../../../../accounts/kyc/kyc-states.ts';
import type { Mail } from '../../../../accounts/ports.ts';
import { openTestDatabase, type TestDatabase } from '../../../testing.ts';
import { createSeal } from '../../seal.ts';
import { securityStore } from '../security-store.ts';
import { kycStore } from './kyc-store.ts';

const NOW = 1_760_000_000_000 as Millis;
const DAY = 86_400_000;
const BY = { id: 'reviewer', email: 'reviewer@example.org', address: '192.0.2.7' };
const FIELDS: KycFields = {
  ...{ fullName: 'Hanako Yamada', birthDate: '1990-02-03', country: 'JP', documentKind: 'id-card' },
  documentNumber: 'AB-12 34',
};
let db: TestDatabase;
let store: KycStore;
let review: KycReview;
let user: UserId;
let mails: Mail[] = [];
let made = 0;

async function newMember(): Promise<UserId> {
  made += 1;
  const rows = await db.owner.query<{ id: number }>(
    `insert into members (email, password_hash, nickname, referral_code, created_at)
     values ($1, 'h', $2, $3, 0) returning id`,
    [`m${made}@example.org`, `m${made}`, `CODE${String(made).padStart(4, '0')}`],
  );
  return rows[0]?.id as UserId;
}

beforeAll(async () => {
  db = await openTestDatabase();
  const deps = {
    seal: createSeal(randomBytes(32)),
    putMail: async (_client: unknown, mail: Mail) => {
      if (mail.body === 'fails') throw new Error('the database went away');
      mails.push(mail);
    },
    mailsWritten: () => undefined,
  };
  store = kycStore(db.database, { ...deps, documentKey: randomBytes(32), validYears: 5, productName: 'Hub' });
  const security = securityStore(db.database, deps);
  // These pictures are words, into which nothing is burnt.
  review = kycReview({ store, security, markPicture: async (jpeg) => ok(jpeg), productName: 'Hub' });
});
afterAll(() => db.close());
beforeEach(async () => {
  mails = [];
  user = await newMember();
});

async function upload(kind: KycPicture, of: UserId = user, now = NOW): Promise<string> {
  const id = randomUUID();
  const jpeg = Buffer.from(`pixels of ${kind}`);
  await store.keepPicture({
    id,
    user: of,
    kind,
    picture: { jpeg, width: 700, height: 600 },
    address: '',
    now,
  });
  return id;
}

interface SubmitOptions {
  readonly of?: UserId;
  readonly now?: Millis;
  readonly body?: string;
  readonly fields?: KycFields;
}

async function submit(
  pictures: Partial<Record<KycPicture, string>>,
  { of = user, now = NOW, body = '', fields = FIELDS }: SubmitOptions = {},
): Promise<string> {
  const id = randomUUID();
  const mail = { to: 'm', subject: 'received', body };
  const done = await store.submit({ ...{ user: of, id, fields, pictures, address: '', now, mail } });
  return done.ok ? id : done.code;
}

async function caseIn(state: KycState, of: UserId = user): Promise<string> {
  if (state === 'none') return randomUUID();
  const id = await submit({ front: await upload('front', of), face: await upload('face', of) }, { of });
  if (state === 'done' || state === 'expired')
    await review.decide({ caseId: id, version: 1, decision: 'approve' }, BY, NOW);
  if (state === 'refused') {
    await review.decide({ caseId: id, version: 1, decision: 'refuse', reason: 'blurred' }, BY, NOW);
  }
  if (state === 'expired') {
    await db.owner.query(`update kyc_cases set valid_until = db_clock() where id = $1`, [id]);
    await store.sweep(NOW);
  }
  return id;
}

const STATES = Object.keys(KYC_STEPS) as KycState[];
const DECISIONS: readonly KycDecision[] = ['approve', 'refuse', 'revoke'];

describe('a case', () => {
  test.each(STATES)('of a member who is %s takes the steps of the table and no other', async (state) => {
    for (const decision of DECISIONS) {
      user = await newMember();
      const caseId = await caseIn(state);
      const version = state === 'pending' ? 1 : 2;
      mails = [];
      const verdict = { caseId, version, decision, reason: 'expired' as const };
      const decided = await review.decide(verdict, BY, NOW);
      const to = KYC_STEPS[state][decision];
      expect(decided, decision).toEqual(
        to === undefined
          ? { ok: false, code: state === 'none' ? 'unknown' : 'decided' }
          : { ok: true, value: to },
      );
      expect((await store.standing(user)).state, decision).toBe(to ?? state);
      expect(mails.length, decision).toBe(to === undefined ? 0 : 1);
    }
    user = await newMember();
    await caseIn(state);
    const again = await submit({ front: await upload('front'), face: await upload('face') });
    expect(again === 'kyc-state').toBe(KYC_STEPS[state].submit === undefined);
  });

  test('is one, of eight submissions at the same moment', async () => {
    const pictures = { front: await upload('front'), face: await upload('face') };
    const all = await Promise.all(Array.from({ length: 8 }, () => submit(pictures)));
    expect(all.filter((answer) => answer === 'kyc-state')).toHaveLength(7);
    expect((await store.standing(user)).state).toBe('pending');
  });

  test('is decided once, of eight reviewers at the same moment; the others read that it was', async () => {
    const caseId = await caseIn('pending');
    mails = [];
    const all = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        review.decide(
          { caseId, version: 1, decision: n % 2 ? 'approve' : 'refuse', reason: 'blurred' },
          BY,
          NOW,
        ),
      ),
    );
    expect(all.filter(({ ok }) => ok)).toHaveLength(1);
    expect(mails).toHaveLength(1);
  });

  test.each([
    ['refuse', undefined, '', 'reason-required'],
    ['refuse', 'other', ' ', 'reason-required'],
    ['refuse', 'blurred', 'x'.repeat(301), 'reason-required'],
    ['revoke', undefined, '', 'reason-required'],
  ] as const)('is not decided by %s for %s', async (decision, reason, note, code) => {
    const caseId = await caseIn(decision === 'revoke' ? 'done' : 'pending');
    const version = decision === 'revoke' ? 2 : 1;
    const decided = await review.decide({ caseId, version, decision, reason, note }, BY, NOW);
    expect(decided).toEqual({ ok: false, code });
  });

  test('says to its member why it was refused, in his language, and takes him back to submit', async () => {
    await db.owner.query(`update members set language = 'ja' where id = $1`, [user]);
    const caseId = await caseIn('pending');
    mails = [];
    await review.decide(
      { caseId, version: 1, decision: 'refuse', reason: 'blurred', note: 'front only' },
      BY,
      NOW,
    );
    expect(mails[0]?.subject).toBe('Hub: 本人確認を完了できませんでした');
    expect(mails[0]?.body).toContain('画像が不鮮明です');
    expect(await store.standing(user)).toMatchObject({
      state: 'refused',
      reason: 'blurred',
      note: 'front only',
    });
    expect(await submit({ front: await upload('front'), face: await upload('face') })).toMatch(/-/);
    const [row] = (await store.list({ state: 'pending', limit: 200 })).filter(
      ({ member }) => member === user,
    );
    expect(row?.attempt).toBe(2);
  });
});

describe('a picture', () => {
  test('lies encrypted, opens for its case alone, and each look is in the audit log', async () => {
    const front = await upload('front');
    const caseId = await submit({ front, face: await upload('face') });
    const [stored] = await db.owner.query<{ body: Buffer }>('select body from kyc_pictures where id = $1', [
      front,
    ]);
    expect(stored?.body.includes('pixels')).toBe(false);
    const shown = await review.picture({ caseId, id: front }, BY, NOW);
    expect(shown.ok && Buffer.from(shown.value).toString()).toBe('pixels of front');
    const other = await caseIn('pending', await newMember());
    const unknown = { ok: false, code: 'unknown' };
    expect(await review.picture({ caseId: other, id: front }, BY, NOW)).toEqual(unknown);
    await review.open(caseId, BY, NOW);
    const because = 'compared side by side';
    await review.decide({ caseId, version: 1, decision: 'refuse', reason: 'blurred', because }, BY, NOW);
    // Whoever is decided about is nobody's to look at any more.
    const decided = { ok: false, code: 'decided' };
    expect(await review.open(caseId, BY, NOW)).toEqual(decided);
    expect(await review.picture({ caseId, id: front }, BY, NOW)).toEqual(decided);
    const audit = await db.owner.query<{ call: string; actor: string; reason: string }>(
      `select call, actor, reason from audit_log where subject = $1 order by id`,
      [`kyc ${caseId}`],
    );
    expect(audit.map(({ call, actor, reason }) => `${call} ${actor} ${reason}`)).toEqual([
      `x/kyc/Submit ${user} `,
      'x/admin/KycPicture reviewer ',
      'x/admin/KycView reviewer ',
      `x/admin/KycRefuse reviewer ${because}`,
    ]);
  });

  test('that was moved to another row does not open', async () => {
    const caseId = await caseIn('pending');
    const other = await caseIn('pending', await newMember());
    const bodies = `update kyc_pictures p set body = o.body, key = o.key from kyc_pictures o
      where p.case_id = $1 and o.case_id = $2 and p.kind = o.kind returning p.id`;
    const [row] = await db.owner.query<{ id: string }>(bodies, [caseId, other]);
    await expect(review.picture({ caseId, id: row?.id ?? '' }, BY, NOW)).rejects.toThrow();
  });

  test.each([
    ['of another member', async () => upload('front', await newMember())],
    ['of another kind', () => upload('face')],
    ['that is a day old', () => upload('front', user, (NOW - DAY) as Millis)],
    ['that was never there', async () => randomUUID()],
  ])('%s is not submitted, and nothing else of the case is', async (_name, front) => {
    expect(await submit({ front: await front(), face: await upload('face') })).toBe('front');
    expect((await store.standing(user)).state).toBe('none');
  });

  test('replaces the one of its kind that waits: one member leaves three at most', async () => {
    for (const kind of ['front', 'front', 'back', 'face', 'face'] as const) await upload(kind);
    const rows = await db.owner.query('select 1 from kyc_pictures where member = $1', [user]);
    expect(rows).toHaveLength(3);
  });

  test('is kept a day without a case, and 90 days with a refused one; a verified member keeps his', async () => {
    const left = async (): Promise<number> =>
      (await db.owner.query('select 1 from kyc_pictures where member = $1', [user])).length;
    await upload('front');
    await store.sweep((NOW + DAY) as Millis);
    expect(await left()).toBe(1);
    await store.sweep((NOW + DAY + 1) as Millis);
    expect(await left()).toBe(0);
    const caseId = await caseIn('refused');
    await db.owner.query(`update kyc_cases set note = 'the name ends in -ko' where id = $1`, [caseId]);
    await store.sweep((NOW + 90 * DAY) as Millis);
    expect(await left()).toBe(2);
    await store.sweep((NOW + 90 * DAY + 1) as Millis);
    expect(await left()).toBe(0);
    expect(await db.owner.query('select fields, note from kyc_cases where id = $1', [caseId])).toEqual([
      { fields: null, note: '' },
    ]);
    user = await newMember();
    await caseIn('done');
    await store.sweep((NOW + 9_999 * DAY) as Millis);
    expect(await left()).toBe(2);
  });
});

test.each([
  ['AB-1234', true],
  ['ab 12.34', true],
  ['ＡＢ１２３４', true],
  ['ab１2/34', true],
  ['AB1235', false],
])('the document %s is the same as AB-12 34: %s', async (documentNumber, isSame) => {
  const hashOf = async (caseId: string) =>
    (
      await db.owner.query<{ document_hash: string }>('select document_hash from kyc_cases where id = $1', [
        caseId,
      ])
    )[0]?.document_hash;
  const of = await newMember();
  const pictures = async (whose: UserId) => ({
    front: await upload('front', whose),
    face: await upload('face', whose),
  });
  const one = await submit(await pictures(of), { of, fields: { ...FIELDS, documentNumber } });
  const another = await newMember();
  const two = await submit(await pictures(another), { of: another });
  expect((await hashOf(one)) === (await hashOf(two))).toBe(isSame);
});

describe('the queue', () => {
  test('pages by key, the longest waiting first, and names who has the same document', async () => {
    await db.owner.query('delete from kyc_pictures');
    await db.owner.query('delete from kyc_cases');
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) ids.push(await caseIn('pending', await newMember()));
    await db.owner.query(`update kyc_cases set document_hash = 'another' where id = $1`, [ids[0] ?? '']);
    const seen: string[] = [];
    let after: { at: Millis; id: string } | undefined;
    for (let page = 0; page < 3; page += 1) {
      const rows = await review.list({
        state: 'pending',
        limit: 2,
        ...(after === undefined ? {} : { after }),
      });
      seen.push(...rows.map(({ id }) => id));
      const last = rows.at(-1);
      if (last !== undefined) after = { at: last.at, id: last.id };
    }
    expect(seen).toEqual(ids.toSorted());
    const rows = await review.list({ state: 'pending', limit: 9 });
    expect(rows.map(({ id, duplicates }) => [id, duplicates])).toEqual(
      ids.toSorted().map((id) => [id, id === ids[0] ? 0 : 3]),
    );
  });

  test('of what is decided shows the newest first', async () => {
    const older = await caseIn('done');
    const newer = await caseIn('pending', await newMember());
    await review.decide({ caseId: newer, version: 1, decision: 'approve' }, BY, (NOW + 1) as Millis);
    const rows = await review.list({ state: 'done', limit: 2 });
    expect(rows[0]?.id).toBe(newer);
    const [next] = await review.list({
      state: 'done',
      limit: 1,
      after: { at: (NOW + 1) as Millis, id: newer },
    });
    expect(next?.at).toBe(NOW);
    expect(older).not.toBe(newer);
  });
});

test('what a member stated lies sealed: no row of any table has a name or a number of it to read', async () => {
  const stated = {
    ...FIELDS,
    fullName: 'Kikuko Tamagawa',
    documentNumber: 'ZX-98 76',
    address: '1-2-3 Nishiki',
  };
  const id = await submit(
    { front: await upload('front'), face: await upload('face') },
    { fields: stated, body: 'thanks' },
  );
  const opened = await review.open(id, BY, NOW);
  expect(opened.ok && opened.value.fields).toMatchObject(stated);
  const tables = await db.owner.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  for (const { name } of tables) {
    const rows = JSON.stringify(await db.owner.query(`select to_jsonb(t)::text as row from "${name}" t`));
    expect(rows, name).not.toMatch(/Kikuko|Tamagawa|ZX-?98|Nishiki|1990-02-03/i);
  }
});

test('a submission whose last statement fails has done nothing', async () => {
  const pictures = { front: await upload('front'), face: await upload('face') };
  await expect(submit(pictures, { body: 'fails' })).rejects.toThrow('went away');
  expect((await store.standing(user)).state).toBe('none');
  expect(await submit(pictures)).toMatch(/-/);
});

test('a frozen member submits nothing', async () => {
  await db.owner.query('update members set frozen_at = 1 where id = $1', [user]);
  expect(await submit({ front: await upload('front') })).toBe('account-frozen');
});

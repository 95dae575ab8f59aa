import { createHash } from 'node:crypto';
import { refusalText } from '@crossbook/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AdminBrowser, OfficeWorld, REASON, SUCCESS } from './office-world.fixture.ts';

const FIELD_INVALID = 1001;
const ROLE_MISSING = 6001;
const FOUR_EYES = 6003;
const UNKNOWN = 6004;
const DECIDED = 6005;
const INCOMPLETE = 6007;
const DEMO_REFUSED = 6008;
const CONTENT_UNKNOWN = 7001;

let world: OfficeWorld;
let support: AdminBrowser;
let admin: AdminBrowser;
let other: AdminBrowser;
beforeAll(async () => {
  world = await OfficeWorld.start();
  await world.hub.hub.start();
  support = (await world.admin(['support'])).browser;
  admin = (await world.admin(['admin'])).browser;
  other = (await world.admin(['admin'])).browser;
});
afterAll(() => world.hub.close());

type Kind = 'event' | 'announcement' | 'faq' | 'terms' | 'privacy';
type Plan = {
  readonly publishAt?: number;
  readonly endsAt?: number;
  readonly withdrawn?: boolean;
  readonly material?: boolean;
  readonly effectiveAt?: number;
};
const LANGUAGES = ['en', 'ja', 'ko'] as const;

const words = (slug: string, lang: string) => ({ title: `${slug} ${lang}`, body: `the body, ${lang}` });

/** The newest version, as a page shows it before a draft is begun. */
async function newest(kind: Kind, slug: string): Promise<number> {
  const { data } = await support.call('x/admin/ContentView', { kind, slug });
  return data?.versions[0]?.version ?? 0;
}

/** Saves all three languages; answers the revision. */
async function draft(kind: Kind, slug: string, { from = 0, ...plan }: Plan & { from?: number } = {}) {
  let revision = from;
  const base = await newest(kind, slug);
  for (const lang of LANGUAGES) {
    const save = { kind, slug, revision, base, lang, ...words(slug, lang), ...plan, reason: REASON };
    ({ revision } = await support.must('x/admin/ContentDraft', save));
  }
  return revision;
}

const publish = (kind: Kind, slug: string, revision: number, by = admin) =>
  by.call('x/admin/ContentPublish', { kind, slug, revision, reason: REASON });

async function shown(kind: Kind, slug: string) {
  const { data, code } = await world.hub.visitor().call('x/content/Get', { kind, slug, lang: 'ja' });
  return data?.title ?? code;
}

async function stateOf(kind: Kind, slug: string) {
  const { rows } = await support.must('x/admin/ContentList', { kind, limit: 200 });
  return rows.find((row) => row.slug === slug)?.state;
}

test('a draft is seen by nobody but admins until one publishes it, then by all in three languages', async () => {
  const revision = await draft('announcement', 'new-venue');
  expect(await shown('announcement', 'new-venue')).toBe(CONTENT_UNKNOWN);
  expect(await stateOf('announcement', 'new-venue')).toBe('draft');
  expect(await publish('announcement', 'new-venue', revision)).toMatchObject({
    code: SUCCESS,
    data: { version: 1 },
  });
  expect(await shown('announcement', 'new-venue')).toBe('new-venue ja');
  const view = await support.must('x/admin/ContentView', { kind: 'announcement', slug: 'new-venue' });
  expect(view).toMatchObject({
    draft: null,
    versions: [{ version: 1 }],
    texts: { ko: { title: 'new-venue ko' } },
  });
  // A published draft is none any more.
  expect((await publish('announcement', 'new-venue', revision)).code).toBe(UNKNOWN);
});

test('a draft of what is published begins with its words, and each save changes one language', async () => {
  await publish('faq', 'how', await draft('faq', 'how'));
  const save = {
    kind: 'faq',
    slug: 'how',
    revision: 0,
    base: 1,
    lang: 'ja',
    title: 'new',
    body: 'new body',
  } as const;
  await support.must('x/admin/ContentDraft', { ...save, reason: REASON });
  const { texts, draft: saved } = await support.must('x/admin/ContentView', { kind: 'faq', slug: 'how' });
  expect(texts).toMatchObject({ en: { title: 'how en' }, ja: { title: 'new' }, ko: { title: 'how ko' } });
  expect(saved).toMatchObject({ author: expect.stringContaining('@example.org') });
  expect(await shown('faq', 'how')).toBe('how ja');
});

describe('who writes at once', () => {
  test('is told: of two saves from one state one counts', async () => {
    const revision = await draft('event', 'race');
    const save = { kind: 'event', slug: 'race', revision, lang: 'en', ...words('race', 'en') } as const;
    const both = await Promise.all(
      [support, admin].map((by) => by.call('x/admin/ContentDraft', { ...save, reason: REASON })),
    );
    expect(both.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual([SUCCESS, DECIDED]);
  });

  test('of two who begin a draft one counts', async () => {
    const save = { kind: 'event', slug: 'begun', revision: 0, lang: 'en', ...words('begun', 'en') } as const;
    const both = await Promise.all(
      [support, admin].map((by) => by.call('x/admin/ContentDraft', { ...save, reason: REASON })),
    );
    expect(both.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual([SUCCESS, DECIDED]);
  });

  test('what was changed since it was looked at is not published, and not thrown away', async () => {
    const revision = await draft('event', 'seen');
    const next = await draft('event', 'seen', { from: revision });
    expect((await publish('event', 'seen', revision)).code).toBe(DECIDED);
    const discard = { kind: 'event', slug: 'seen', reason: REASON } as const;
    expect((await admin.call('x/admin/ContentDiscard', { ...discard, revision })).code).toBe(DECIDED);
    expect((await admin.call('x/admin/ContentDiscard', { ...discard, revision: next })).code).toBe(SUCCESS);
    expect(await stateOf('event', 'seen')).toBeUndefined();
  });

  test('what was thrown away and written anew is another draft, though it has as many saves', async () => {
    const revision = await draft('event', 'again');
    await support.must('x/admin/ContentDiscard', { kind: 'event', slug: 'again', revision, reason: REASON });
    await draft('event', 'again');
    expect((await publish('event', 'again', revision)).code).toBe(DECIDED);
  });

  test('a draft of an older version than the newest is not begun', async () => {
    await publish('faq', 'older', await draft('faq', 'older'));
    await publish('faq', 'older', await draft('faq', 'older'));
    const save = { kind: 'faq', slug: 'older', revision: 0, lang: 'en', ...words('older', 'en') } as const;
    const begin = (base: number) => support.call('x/admin/ContentDraft', { ...save, base, reason: REASON });
    expect([(await begin(1)).code, (await begin(2)).code]).toEqual([DECIDED, SUCCESS]);
  });
});

test.each([
  [
    'a language without a title',
    { lang: 'ko', title: '', body: 'body' },
    'the title in Korean',
    '한국어 제목',
  ],
  [
    'a language without words',
    { lang: 'ja', title: 'title', body: ' ' },
    'the text in Japanese',
    '일본어 본문',
  ],
  [
    'an end before it begins',
    { lang: 'en', title: 'title', body: 'body', publishAt: 4e12, endsAt: 3e12 },
    'an end after its beginning',
    '시작보다 늦은 종료 일시',
  ],
] as const)('%s is not published, and the answer names it', async (name, changed, missing, inKorean) => {
  const slug = name.replaceAll(' ', '-');
  const revision = await draft('event', slug);
  const save = { kind: 'event', slug, revision, ...changed, reason: REASON } as const;
  const { revision: next } = await support.must('x/admin/ContentDraft', save);
  const answer = await publish('event', slug, next);
  expect(answer).toMatchObject({ code: INCOMPLETE, data: null });
  expect(answer.msg).toContain(missing);
  expect(refusalText({ error: 'content-incomplete', given: missing }, 'ko')).toContain(inKorean);
});

test.each([
  ['body', '\u0001'.repeat(16_000)],
  ['body', 'x'.repeat(16_001)],
  ['title', 'two\nlines'],
  ['title', 'x'.repeat(121)],
  ['summary', '\u001b[0m'],
])('%s of other characters or too long is refused by name, and nothing is kept', async (field, value) => {
  const save = {
    kind: 'faq',
    slug: 'refused',
    revision: 0,
    lang: 'en',
    title: 't',
    body: 'b',
    reason: REASON,
  };
  const answer = await support.send('x/admin/ContentDraft', { ...save, [field]: value });
  expect(answer).toMatchObject({ code: FIELD_INVALID, data: null });
  expect(answer.msg).toContain(field);
  expect(await stateOf('faq', 'refused')).toBeUndefined();
});

test('a text of the longest words in three languages is kept and published', async () => {
  let revision = 0;
  for (const lang of LANGUAGES) {
    const save = {
      kind: 'faq',
      slug: 'long',
      revision,
      lang,
      title: '"'.repeat(120),
      reason: REASON,
    } as const;
    ({ revision } = await support.must('x/admin/ContentDraft', { ...save, body: '\\'.repeat(16_000) }));
  }
  expect((await publish('faq', 'long', revision)).code).toBe(SUCCESS);
});

test('what is to come holds from its date, what ends is over, what is withdrawn is gone', async () => {
  const now = world.hub.now();
  await publish(
    'event',
    'soon',
    await draft('event', 'soon', { publishAt: now + 1_000, endsAt: now + 2_000 }),
  );
  expect([await stateOf('event', 'soon'), await shown('event', 'soon')]).toEqual([
    'scheduled',
    CONTENT_UNKNOWN,
  ]);
  world.hub.advance(1_000);
  expect([await stateOf('event', 'soon'), await shown('event', 'soon')]).toEqual(['live', 'soon ja']);
  world.hub.advance(1_000);
  expect(await stateOf('event', 'soon')).toBe('over');
  await publish('event', 'soon', await draft('event', 'soon', { withdrawn: true }));
  expect([await stateOf('event', 'soon'), await shown('event', 'soon')]).toEqual([
    'withdrawn',
    CONTENT_UNKNOWN,
  ]);
});

describe('Terms and Privacy', () => {
  const waiting = async (by: AdminBrowser) => {
    const { rows } = await by.must('x/admin/Approvals', {});
    return rows.find(({ kind, state }) => kind === 'terms' && state === 'waiting');
  };

  test('take two admins, who publish exactly what was asked for', async () => {
    const asked = await publish('terms', 'terms', await draft('terms', 'terms'));
    expect(asked).toMatchObject({ code: SUCCESS, data: { version: null } });
    const { id: approval = '', payloadHash = '', mayDecide } = (await waiting(other)) ?? {};
    expect(mayDecide).toBe(true);
    const decision = { approval, payloadHash, reason: REASON };
    expect((await admin.call('x/admin/Approve', decision)).code).toBe(FOUR_EYES);
    expect(await shown('terms', 'terms')).not.toBe('terms ja');
    expect((await other.call('x/admin/Approve', decision)).code).toBe(SUCCESS);
    expect(await shown('terms', 'terms')).toBe('terms ja');
  });

  test('that are material bind who has not agreed from when they hold, and the second admin decides about that too', async () => {
    const member = await world.hub.member();
    const due = async () => (await member.call('x/terms/Due', {})).data?.due;
    const effectiveAt = world.hub.now() + 60_000;
    const plain = await draft('terms', 'terms');
    const digest = async () =>
      (await admin.must('x/admin/ContentView', { kind: 'terms', slug: 'terms' })).draft?.sha256;
    const before = await digest();
    const revision = await draft('terms', 'terms', { from: plain, material: true, effectiveAt });
    expect(await digest()).not.toBe(before);
    await publish('terms', 'terms', revision);
    const { id: approval = '', payloadHash = '' } = (await waiting(other)) ?? {};
    expect((await other.call('x/admin/Approve', { approval, payloadHash, reason: REASON })).code).toBe(
      SUCCESS,
    );
    const view = await admin.must('x/admin/ContentView', { kind: 'terms', slug: 'terms' });
    expect(view.versions[0]).toMatchObject({ material: true, effectiveAt });
    // The next version says anew whether it is.
    expect(view.plan).toMatchObject({ material: false, effectiveAt: null });
    expect(await due()).toEqual([]);
    world.hub.advance(60_000);
    expect(await due()).toEqual([{ kind: 'terms', version: view.versions[0]?.version, effectiveAt }]);
  });

  test('carry one digest wherever they are seen: in the draft of who asks, of who decides, and in what is decided', async () => {
    const revision = await draft('privacy', 'privacy');
    const digest = async (by: AdminBrowser) =>
      (await by.must('x/admin/ContentView', { kind: 'privacy', slug: 'privacy' })).draft?.sha256;
    const seen = await digest(admin);
    expect(seen).toMatch(/^[0-9a-f]{64}$/);
    await publish('privacy', 'privacy', revision);
    for (const by of [admin, other]) {
      const { id: approval = '', payload = '', payloadHash } = (await waiting(by)) ?? {};
      expect(JSON.parse(payload)).toEqual({ kind: 'privacy', slug: 'privacy', revision, sha256: seen });
      expect(payloadHash).toBe(createHash('sha256').update(payload).digest('hex'));
      expect(await digest(by)).toBe(seen);
      if (by === other) await other.must('x/admin/Refuse', { approval, reason: REASON });
    }
    // One word of one language, or a date, makes it another.
    const later = { from: revision, publishAt: world.hub.now() + 60_000 };
    const changed = await draft('privacy', 'privacy', later);
    expect(await digest(other)).not.toBe(seen);
    const thrown = { kind: 'privacy', slug: 'privacy', revision: changed, reason: REASON } as const;
    await admin.must('x/admin/ContentDiscard', thrown);
  });

  test('that were written anew meanwhile are not published by the old decision', async () => {
    const revision = await draft('privacy', 'privacy');
    await publish('privacy', 'privacy', revision);
    const { id: approval = '', payloadHash = '' } = (await waiting(other)) ?? {};
    await draft('privacy', 'privacy', { from: revision });
    expect((await other.call('x/admin/Approve', { approval, payloadHash, reason: REASON })).code).toBe(
      DECIDED,
    );
    expect(await shown('privacy', 'privacy')).not.toBe('privacy ja');
  });

  test('are not approved by a demo admin: a stranger is no second admin', async () => {
    const view = await support.must('x/admin/ContentView', { kind: 'privacy', slug: 'privacy' });
    await publish('privacy', 'privacy', view.draft?.revision ?? 0);
    const player = world.stranger();
    expect(await player.begin('x/admin/Demo', { as: 'checker' })).toBe(SUCCESS);
    const { id: approval = '', payloadHash = '', mayDecide } = (await waiting(player)) ?? {};
    expect(mayDecide).toBe(false);
    const answer = await player.call('x/admin/Approve', { approval, payloadHash, reason: REASON });
    expect(answer.code).toBe(ROLE_MISSING);
    expect(await shown('privacy', 'privacy')).not.toBe('privacy ja');
  });

  test.each([{ withdrawn: true }, { endsAt: 4e12 }])(
    'are always there: %j is refused by name',
    async (plan) => {
      const save = {
        kind: 'terms',
        slug: 'terms',
        revision: 0,
        lang: 'en',
        ...words('terms', 'en'),
      } as const;
      const answer = await support.call('x/admin/ContentDraft', { ...save, ...plan, reason: REASON });
      expect(answer.code).toBe(FIELD_INVALID);
      expect(answer.msg).toContain(Object.keys(plan)[0]);
    },
  );

  test.each([{ material: true }, { effectiveAt: 4e12 }])(
    'alone bind members: %j of an announcement is refused by name',
    async (plan) => {
      const save = { kind: 'announcement', slug: 'binding', revision: 0, lang: 'en' } as const;
      const all = { ...save, ...words('binding', 'en'), ...plan, reason: REASON };
      const answer = await support.call('x/admin/ContentDraft', all);
      expect(answer.code).toBe(FIELD_INVALID);
      expect(answer.msg).toContain(Object.keys(plan)[0]);
    },
  );

  test('exist once: no second Terms can be begun', async () => {
    const save = { kind: 'terms', slug: 'more', revision: 0, lang: 'en', ...words('more', 'en') } as const;
    expect((await support.call('x/admin/ContentDraft', { ...save, reason: REASON })).code).toBe(UNKNOWN);
  });
});

test('each save and each publication stands in the audit log with its reason', async () => {
  await publish('faq', 'audited', await draft('faq', 'audited'));
  const { rows } = await admin.must('x/admin/AuditSearch', { by: 'subject', value: 'faq audited' });
  expect(rows.map(({ call, reason }) => `${call} ${reason}`)).toEqual([
    `x/admin/ContentPublish ${REASON}`,
    ...LANGUAGES.map(() => `x/admin/ContentDraft ${REASON}`),
  ]);
});

test('a demo admin drafts, but does not publish what everybody reads', async () => {
  const demo = await OfficeWorld.start();
  await demo.hub.hub.start();
  const player = demo.stranger();
  await player.begin('x/admin/Demo', { as: 'checker' });
  const save = { kind: 'faq', slug: 'demo', revision: 0, lang: 'en', ...words('demo', 'en') } as const;
  expect((await player.call('x/admin/ContentDraft', { ...save, reason: REASON })).code).toBe(SUCCESS);
  const answer = await player.call('x/admin/ContentPublish', {
    ...{ kind: 'faq', slug: 'demo', revision: 1, reason: REASON },
  });
  expect(answer.code).toBe(DEMO_REFUSED);
  await demo.hub.close();
});

test('the list goes page by page, each text once', async () => {
  const slugs: string[] = [];
  for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
    const page: Awaited<ReturnType<typeof support.must<'x/admin/ContentList'>>> = await support.must(
      'x/admin/ContentList',
      { kind: 'event', limit: 2, ...(cursor === undefined ? {} : { cursor }) },
    );
    slugs.push(...page.rows.map(({ slug }) => slug));
    cursor = page.next ?? undefined;
  }
  expect(slugs).toEqual([...new Set(slugs)].toSorted());
  expect(slugs.length).toBeGreaterThan(4);
});

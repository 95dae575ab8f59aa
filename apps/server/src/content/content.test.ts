import type { Millis } from '@crossbook/domain';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestHub, type TestHub } from '../main/testing.ts';
import { contentStore } from '../storage/stores/content-store.ts';
import type { NewContent } from './ports.ts';
import { shippedContent } from './shipped/shipped.ts';

let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub({ environment: { PRODUCT_NAME: 'Otherbook' } });
  await hub.hub.start();
});
afterAll(() => hub.close());

const LANGUAGES = ['en', 'ja', 'ko'] as const;
const KINDS = ['event', 'announcement', 'faq', 'page', 'terms', 'privacy'] as const;
const store = () => contentStore(hub.database.database);
const publish = (content: NewContent) => store().publish(content, hub.now());
const text = (title: string) => ({ title, summary: 'in short', body: `${title} of {name}` });
const made = (slug: string, more: Partial<NewContent> = {}): NewContent => ({
  ...{ kind: 'announcement', slug, publishAt: hub.now(), author: 'ann' },
  texts: { en: text(`${slug} en`), ja: text(`${slug} ja`), ko: text(`${slug} ko`) },
  ...more,
});
const slugs = async (kind: (typeof KINDS)[number] = 'announcement') =>
  (await hub.visitor().call('x/content/List', { kind })).data?.rows.map(({ slug }) => slug);

describe('the default start', () => {
  test.each(KINDS)('has %s texts in three languages, and GET reads them', async (kind) => {
    for (const lang of LANGUAGES) {
      const response = await fetch(`${hub.url}/api/x/content/List?kind=${kind}&lang=${lang}`);
      const { code, data } = (await response.json()) as {
        readonly code: number;
        readonly data: { readonly rows: readonly { readonly slug: string }[] };
      };
      expect(code).toBe(1);
      expect(data.rows.length).toBeGreaterThan(0);
      for (const { slug } of data.rows) {
        const found = await hub.visitor().call('x/content/Get', { kind, slug, lang });
        expect(found.data).toMatchObject({ version: 1, publishedAt: hub.now(), updatedAt: hub.now() });
        const words = `${found.data?.title} ${found.data?.body}`;
        const script = { en: /[a-z]/, ja: /[\u3040-\u30ff]/, ko: /[\uac00-\ud7a3]/ }[lang];
        expect(words).toMatch(script);
        expect(words).not.toMatch(/\{name\}|Crossbook/);
        // A sentence that was left in English stands on a line of its own.
        const left = words.split('\n').filter((line) => /[a-z]{3} [a-z]{2}/.test(line) && !script.test(line));
        expect(left, `${slug} ${lang}`).toEqual([]);
      }
    }
  });

  test('ships once: a second start, and one beside it, publish nothing again', async () => {
    const count = () => hub.database.owner.query('select count(*)::int as n from content');
    const before = await count();
    const again = () => store().publishMissing(shippedContent(hub.now(), 'paper'), hub.now());
    await Promise.all([again(), again()]);
    expect(await count()).toEqual(before);
  });

  test('promises test funds only where money is play money', () => {
    const live = shippedContent(0 as Millis, 'live').map(({ kind }) => kind);
    expect(live).not.toContain('event');
    expect(live).toEqual(expect.arrayContaining(['terms', 'privacy', 'faq', 'announcement', 'page']));
  });
});

describe('what is in force', () => {
  test('is the newest version whose date has come; the first date stays', async () => {
    const first = hub.now();
    expect(await publish(made('move'))).toBe(1);
    hub.advance(1_000);
    const soon = { publishAt: (hub.now() + 1_000) as Millis };
    expect(await publish(made('move', { ...soon, texts: made('moved').texts }))).toBe(2);
    const read = async () =>
      (await hub.visitor().call('x/content/Get', { kind: 'announcement', slug: 'move' })).data;
    expect(await read()).toMatchObject({ title: 'move en', version: 1 });
    hub.advance(1_000);
    expect(await read()).toMatchObject({
      ...{ title: 'moved en', body: 'moved en of Otherbook', version: 2 },
      ...{ publishedAt: first, updatedAt: soon.publishAt },
    });
  });

  test('is nothing of what is to come, is withdrawn or never was', async () => {
    await publish(made('future', { publishAt: (hub.now() + 60_000) as Millis }));
    await publish(made('gone'));
    await publish(made('gone', { withdrawn: true }));
    expect(await slugs()).not.toEqual(expect.arrayContaining(['future']));
    expect(await slugs()).not.toEqual(expect.arrayContaining(['gone']));
    for (const slug of ['future', 'gone', 'never']) {
      const found = await hub.visitor().call('x/content/Get', { kind: 'announcement', slug });
      expect(found).toMatchObject({ code: 7001, data: null });
    }
  });

  test('is listed by position, then newest first, page by page, each once', async () => {
    for (const [slug, position, later] of [
      ['c', 1, 0],
      ['a', 0, 5],
      ['b', 0, 5],
      ['d', 1, 0],
      ['z', 0, 9],
    ] as const) {
      const publishAt = (hub.now() - 100 + later) as Millis;
      await publish(made(slug, { kind: 'event', position: 9_000 + position, publishAt }));
    }
    const all: string[] = [];
    for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
      const page = await hub
        .visitor()
        .call('x/content/List', { kind: 'event', limit: 2, ...(cursor === undefined ? {} : { cursor }) });
      all.push(...(page.data?.rows ?? []).map(({ slug }) => slug));
      cursor = page.data?.next;
    }
    expect(all).toEqual(['first-steps', 'z', 'a', 'b', 'c', 'd']);
    const wrong = await hub.visitor().call('x/content/List', { kind: 'event', cursor: 'elsewhere' });
    expect(wrong).toMatchObject({ code: 1001 });
  });

  test('two that publish one slug at a time make two versions, or one of them fails', async () => {
    const both = await Promise.allSettled([publish(made('race')), publish(made('race'))]);
    const versions = both.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    expect(new Set(versions).size).toBe(versions.length);
    expect(versions).toContain(1);
  });

  test('is never changed, not by the owner either', async () => {
    for (const table of ['content', 'content_texts', 'agreements']) {
      await expect(hub.database.owner.query(`delete from ${table}`)).rejects.toThrow(/stays/);
      await expect(hub.database.database.query(`delete from ${table}`)).rejects.toThrow(/permission denied/);
    }
  });
});

describe('what is agreed to at sign-up', () => {
  const agreed = (member: number | undefined) =>
    hub.database.owner.query(
      'select kind, version, lang, address, text_sha256, link from agreements where member = $1 order by kind desc',
      [member ?? 0],
    );

  test('is kept with version, language and a hash of the words, and audited with the member', async () => {
    const one = await hub.member();
    const rows = await agreed(one.tid);
    expect(rows).toMatchObject([
      { kind: 'terms', version: 1, lang: 'en', address: '127.0.0.1', link: null },
      { kind: 'privacy', version: 1, lang: 'en', address: '127.0.0.1', link: null },
    ]);
    const [hash] = await hub.database.owner.query<{ hash: string }>(
      `select encode(sha256(convert_to(title || E'\\n' || body, 'UTF8')), 'hex') as hash
       from content_texts t join content c on c.id = t.content where c.kind = 'terms' and lang = 'en'`,
    );
    expect(rows[0]).toMatchObject({ text_sha256: hash?.hash });
    const [entry] = await hub.database.owner.query('select * from audit_log where actor = $1', [
      String(one.tid),
    ]);
    expect(entry).toMatchObject({ actor_kind: 'member', call: 'user/usernew', outcome: 'ok' });
  });

  test('is the version of that moment: who comes later agrees to the newer one', async () => {
    const [terms] = shippedContent(hub.now(), 'paper');
    if (terms === undefined) throw new Error('no terms');
    await publish({ ...terms, author: 'ann' });
    const later = await hub.member();
    expect(await agreed(later.tid)).toMatchObject([{ version: 2 }, { version: 1 }]);
  });

  test("is the operator's own page where he names one", async () => {
    const other = await startTestHub({ environment: { LINK_TERMS: 'https://example.org/terms' } });
    await other.hub.start();
    const one = await other.member();
    const rows = await other.database.owner.query(
      'select kind, version, text_sha256 is null as hashed, link from agreements where member = $1 order by kind desc',
      [one.tid ?? 0],
    );
    expect(rows).toEqual([
      { kind: 'terms', version: 0, hashed: true, link: 'https://example.org/terms' },
      { kind: 'privacy', version: 1, hashed: false, link: null },
    ]);
    await other.close();
  });
});

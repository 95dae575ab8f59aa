import { createHash } from 'node:crypto';
import type { Millis } from '@crossbook/domain';
import { beforeEach, describe, expect, test } from 'vitest';
import { openedForEach, openedOnce } from '../../../../tests/opened.ts';
import { startTestHub, type TestBrowser } from '../main/testing.ts';
import { contentStore } from '../storage/stores/content-store.ts';
import { SecurityWorld, SUCCESS } from './security-world.fixture.ts';

const [FIELD_INVALID, DAY] = [1001, 86_400_000];
const world = openedForEach(() => SecurityWorld.start());
let member: TestBrowser;
beforeEach(async () => {
  member = await world.hub.member('reads@example.org');
});

const words = (n: number, lang: string) => ({ title: `Terms ${n} ${lang}`, summary: '', body: `Body ${n}.` });

/** Publishes a version, which anybody hears of at once. @returns its version. */
async function publish(
  part: {
    readonly kind?: 'terms' | 'privacy';
    readonly material?: boolean;
    readonly publishAt?: number;
    readonly effectiveAt?: number;
  } = {},
): Promise<number> {
  const { kind = 'terms', material = true, publishAt = world.hub.now(), effectiveAt } = part;
  const texts = { en: words(1, 'en'), ja: words(1, 'ja'), ko: words(1, 'ko') };
  const version = await contentStore(world.hub.database.database).publish(
    {
      ...{ kind, slug: kind, author: 'ann', material, texts, publishAt: publishAt as Millis },
      ...(effectiveAt === undefined ? {} : { effectiveAt: effectiveAt as Millis }),
    },
    world.hub.now(),
  );
  world.hub.advance(5_000);
  return version;
}

const due = async (by = member) =>
  (await by.call('x/terms/Due', {})).data?.due.map(({ kind, version }) => `${kind} ${version}`);
const agree = (version: number, kind: 'terms' | 'privacy' = 'terms', by = member) =>
  by.call('x/terms/Agree', { kind, version });
const barred = async (by = member) => world.hub.hub.accounts.openingAllowed(by.tid as never);

describe('a material version of the terms', () => {
  test('bars what opens until its member agrees; version, language and hash of the words are kept, with an entry in the audit log', async () => {
    expect(await due()).toEqual([]);
    const version = await publish();
    expect(await due()).toEqual([`terms ${version}`]);
    expect(await barred()).toEqual({ error: 'terms-new' });
    member.headers.language = 'ja';
    expect((await agree(version)).code).toBe(SUCCESS);
    expect([await due(), await barred()]).toEqual([[], undefined]);
    const sha = createHash('sha256').update('Terms 1 ja\nBody 1.').digest('hex');
    const { owner } = world.hub.database;
    const kept = await owner.query(
      'select kind, version, lang, text_sha256, at from agreements where member = $1 order by at desc limit 1',
      [member.tid ?? 0],
    );
    expect(kept).toEqual([
      { kind: 'terms', version, lang: 'ja', text_sha256: sha, at: String(world.hub.now()) },
    ]);
    const entries = await owner.query(
      `select subject, details from audit_log where call = 'x/terms/Agree' and actor = $1`,
      [String(member.tid)],
    );
    expect(entries).toEqual([{ subject: `terms ${version}`, details: { lang: 'ja' } }]);
    const { data } = await member.call('security/userinfonew', {});
    expect(data?.agreed[0]).toMatchObject({ kind: 'terms', version });
  });

  test('is agreed to once, by two tabs at the same moment', async () => {
    const version = await publish();
    const answers = await Promise.all(Array.from({ length: 8 }, () => agree(version)));
    expect(answers.map(({ code }) => code)).toEqual(answers.map(() => SUCCESS));
    const entries = await world.hub.database.owner.query(
      `select 1 from audit_log where call = 'x/terms/Agree'`,
    );
    expect(entries).toHaveLength(1);
  });

  test('that is not material, or does not hold yet, asks nobody', async () => {
    await publish({ material: false });
    const effectiveAt = world.hub.now() + DAY;
    const version = await publish({ effectiveAt });
    await publish({ publishAt: world.hub.now() + DAY, kind: 'privacy' });
    expect([await due(), await barred()]).toEqual([[], undefined]);
    world.hub.advance(DAY);
    expect(await due()).toEqual(['privacy 1', `terms ${version}`]);
  });

  test('may be agreed to before it holds', async () => {
    const version = await publish({ effectiveAt: world.hub.now() + DAY });
    expect((await agree(version)).code).toBe(SUCCESS);
    world.hub.advance(DAY);
    expect(await due()).toEqual([]);
  });

  test('is agreed to as it is shown: another version, one to come and one of before are refused by the field', async () => {
    const former = await publish();
    const shown = await publish({ material: false });
    const coming = await publish({ publishAt: world.hub.now() + DAY });
    for (const version of [former, coming, 99]) {
      const answer = await agree(version);
      expect(answer.code).toBe(FIELD_INVALID);
      expect(answer.msg).toContain('"version"');
    }
    expect(await barred()).toEqual({ error: 'terms-new' });
    // The one that is shown came after the material one, and says all of it.
    expect((await agree(shown)).code).toBe(SUCCESS);
    expect(await barred()).toBeUndefined();
  });

  test('of each text is agreed to for itself; who signs up afterwards has agreed, and a demo is not asked', async () => {
    const terms = await publish();
    const privacy = await publish({ kind: 'privacy' });
    expect(await due()).toEqual([`privacy ${privacy}`, `terms ${terms}`]);
    await agree(terms);
    expect(await barred()).toEqual({ error: 'terms-new' });
    await agree(privacy, 'privacy');
    expect(await barred()).toBeUndefined();
    const later = await world.hub.member('later@example.org');
    expect([await due(later), await barred(later)]).toEqual([[], undefined]);
    const demo = world.hub.visitor();
    const begun = await demo.call('x/demo/Start', { captcha: await demo.captcha() });
    if (begun.data === null) throw new Error(begun.msg);
    const next = await publish();
    demo.stoken = begun.data.token;
    expect((await demo.call('x/terms/Due', {})).data?.due).toEqual([]);
    expect(await due()).toEqual([`terms ${next}`]);
  });

  test('costs an order of who has agreed no statement', async () => {
    await agree(await publish());
    await barred();
    const { pool } = world.hub.database.database;
    const asked: unknown[] = [];
    const { query } = pool;
    pool.query = ((...given: Parameters<typeof query>) => {
      asked.push(given);
      return query.apply(pool, given);
    }) as typeof query;
    for (let n = 0; n < 20; n += 1) expect(await barred()).toBeUndefined();
    pool.query = query;
    expect(asked).toEqual([]);
  });
});

describe('where the operator links a page of his own', () => {
  const linked = openedOnce(() => startTestHub({ environment: { LINK_TERMS: 'https://elsewhere.example' } }));
  test('no version of the hub’s text binds anybody', async () => {
    const one = await linked.member('linked@example.org');
    const texts = { en: words(1, 'en'), ja: words(1, 'ja'), ko: words(1, 'ko') };
    await contentStore(linked.database.database).publish(
      { kind: 'terms', slug: 'terms', author: 'ann', material: true, texts, publishAt: linked.now() },
      linked.now(),
    );
    linked.advance(5_000);
    expect((await one.call('x/terms/Due', {})).data?.due).toEqual([]);
  });
});

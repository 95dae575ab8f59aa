import type { Millis } from '@crossbook/domain';
import { expect, test } from 'vitest';
import { openedForEach } from '../../../../../../tests/opened.ts';
import { startTestHub } from '../../../main/testing.ts';
import { openTestDatabase } from '../../testing.ts';
import { contentStore } from '../content-store.ts';
import { antiPhishingContext } from '../members/security-acts.ts';
import { outboxMails } from '../outbox-mails.ts';
import { createSeal } from '../seal.ts';
import { type MemberNoticesDeps, memberNotices } from './member-notices.ts';

const db = openedForEach(openTestDatabase);
const NOW = 1_800_000_000_000 as Millis;
const DAY = 86_400_000;
const SEAL = createSeal(new Uint8Array(32).fill(3));

function notices(changed: Partial<MemberNoticesDeps> = {}) {
  return memberNotices(db.database, {
    ...{
      seal: SEAL,
      productName: 'Hub',
      origin: 'https://hub.example',
      legalLinks: { terms: '', privacy: '' },
    },
    mails: { putMail: outboxMails(db.database).put, mailsWritten: () => undefined },
    ...changed,
  });
}
const mails = () =>
  db.owner.query<{ recipient: string; subject: string; body: string }>(
    'select recipient, subject, body from outbox_mails order by id',
  );

/** A member by the number of the test; without an address only a mobile number. */
async function member(n: number, language = 'en', word?: string, email: string | null = `m${n}@example.org`) {
  const [row] = await db.owner.query<{ id: number }>(
    `insert into members (email, mobile, password_hash, nickname, referral_code, created_at, language)
     values ($1, $2, 'x', $3, $4, 0, $5) returning id`,
    [
      email,
      email === null ? `+8190000000${n}` : null,
      `n${n}`,
      `CODE${String(n).padStart(4, '0')}`,
      language,
    ],
  );
  const id = row?.id ?? 0;
  if (word !== undefined) {
    const sealed = SEAL.seal(word, antiPhishingContext(id));
    await db.owner.query('update members set anti_phishing = $2 where id = $1', [id, sealed]);
  }
  return id;
}
/** A reward of who was brought. */
async function reward(referrer: number, invitee: number, state: 'settled' | 'unsettled', amount = '1.5') {
  await db.owner.query(`insert into referrals values ($1, $2, 'CODE', 'self', 0)`, [invitee, referrer]);
  await db.owner.query(
    `insert into referral_rewards (invitee, referrer, asset, rate_bps, amount, state, accrued_at, settled_at)
     values ($1, $2, 'USDT', 1000, $3, $4, 0, $5)`,
    [invitee, referrer, amount, state, state === 'settled' ? 1 : null],
  );
}
const WORDS = { title: 'Terms', summary: '', body: 'Words.' };
const publish = (kind: 'terms' | 'privacy', author = 'ann', publishAt = NOW + DAY) =>
  contentStore(db.database).publish(
    {
      ...{ kind, slug: kind, author, publishAt: publishAt as Millis },
      texts: { en: WORDS, ja: WORDS, ko: WORDS },
    },
    NOW,
  );
const agreed = (user: number, version: number) =>
  db.owner.query(
    `insert into agreements (member, kind, version, at, address, lang, text_sha256) values ($1, 'terms', $2, 0, '', 'en', repeat('a', 64))`,
    [user, version],
  );

test.each([
  ['en', 'Your word: heron', 'Hub: a referral reward was paid', '3 USDT for members whom you brought'],
  ['ja', 'heron', 'Hub: 紹介報酬が支払われました', '3 USDT を資金ウォレットに'],
  ['ko', 'heron', 'Hub: 추천 보상이 지급되었습니다', '3 USDT가 자금 지갑에'],
])(
  '%s: what was paid for members who were brought is one mail, once, behind the word that the member chose',
  async (language, word, subject, text) => {
    const referrer = await member(1, language, 'heron');
    await reward(referrer, await member(2), 'settled');
    await reward(referrer, await member(3), 'settled');
    await reward(referrer, await member(4), 'unsettled');
    await Promise.all([notices().tell(NOW), notices().tell(NOW)]);
    await notices().tell(NOW);
    const [mail, ...more] = await mails();
    expect(more).toEqual([]);
    expect(mail).toMatchObject({ recipient: 'm1@example.org', subject });
    expect(mail?.body.split('\n')[0]).toContain(word);
    expect(mail?.body).toContain(text);
  },
);

test('who has no mailbox is written no mail, and holds up nobody', async () => {
  const [one, two] = [await member(1, 'en', undefined, null), await member(2)];
  await reward(one, await member(3), 'settled');
  await reward(two, await member(4), 'settled');
  await notices().tell(NOW);
  expect((await mails()).map(({ recipient }) => recipient)).toEqual(['m2@example.org']);
  expect(await db.owner.query('select 1 from referral_rewards where mailed_at is null')).toEqual([]);
});

test.each([
  ['en', 'Hub: our Terms of Service have a new version', 'It holds from 2027-01-16 (UTC).'],
  ['ja', 'Hub: 利用規約が改定されます', '2027-01-16（UTC）から適用されます。'],
  ['ko', 'Hub: 이용약관이 개정됩니다', '2027-01-16(UTC)부터 적용됩니다.'],
])(
  '%s: a new version of the terms is told to each member once, with its first day and where it is read',
  async (language, subject, text) => {
    await publish('terms', 'shipped', NOW);
    await member(1, language);
    await notices().tell(NOW);
    expect(await mails()).toEqual([]);
    await publish('terms');
    for (let turn = 0; turn < 3; turn += 1) await notices().tell(NOW);
    const [mail, ...more] = await mails();
    expect(more).toEqual([]);
    expect(mail).toMatchObject({ recipient: 'm1@example.org', subject });
    expect(mail?.body).toContain(`${text}`);
    expect(mail?.body).toContain('https://hub.example/terms');
  },
);

test('the Privacy Policy is told of like the terms; a page of the operator’s own tells of itself', async () => {
  await publish('privacy');
  await publish('terms');
  await member(1);
  await notices({ legalLinks: { terms: 'https://elsewhere.example', privacy: '' } }).tell(NOW);
  expect((await mails()).map(({ subject }) => subject)).toEqual([
    'Hub: our Privacy Policy has a new version',
  ]);
});

test('who has agreed to the version is not told of it, who signed up with the one before is, and the newest alone is told', async () => {
  for (let version = 0; version < 3; version += 1) await publish('terms');
  await agreed(await member(1), 3);
  await agreed(await member(2), 2);
  await notices().tell(NOW);
  expect((await mails()).map(({ recipient }) => recipient)).toEqual(['m2@example.org']);
  // Signed up later, before the version holds.
  await agreed(await member(3), 2);
  await notices().tell(NOW);
  expect((await mails()).map(({ recipient }) => recipient)).toEqual(['m2@example.org', 'm3@example.org']);
});

test('thousands are written to in pages, and where the program dies in one of them, nobody twice and nobody not', async () => {
  await publish('terms');
  await db.owner.query(
    `insert into members (email, password_hash, nickname, referral_code, created_at)
     select n || '@example.org', 'x', 'n', lpad(n::text, 8, 'A'), 0 from generate_series(1, 250) n`,
  );
  let written = 0;
  const { put } = outboxMails(db.database);
  const dying = notices({
    mails: {
      async putMail(client, mail, now) {
        written += 1;
        if (written === 150) throw new Error('killed');
        await put(client, mail, now);
      },
      mailsWritten: () => undefined,
    },
  });
  await expect(dying.tell(NOW)).rejects.toThrow('killed');
  expect(await mails()).toHaveLength(100);
  await notices().tell(NOW);
  const all = (await mails()).map(({ recipient }) => recipient);
  expect([all.length, new Set(all).size]).toEqual([250, 250]);
});

test('the running hub writes them by itself, and they lie in the outbox', async () => {
  const hub = await startTestHub();
  const ada = await hub.member('ada@example.org');
  await contentStore(hub.database.database).publish(
    {
      kind: 'terms',
      slug: 'terms',
      author: 'ann',
      publishAt: hub.now(),
      texts: { en: WORDS, ja: WORDS, ko: WORDS },
    },
    hub.now(),
  );
  await hub.hub.accounts.store.sweep(hub.now());
  const outbox = await (await fetch(`${hub.url}/dev/outbox.json?to=ada@example.org`)).json();
  expect(outbox).toMatchObject([
    { subject: expect.stringMatching(/our Terms of Service have a new version$/) },
    {},
  ]);
  expect(ada.tid).toBeGreaterThan(0);
  await hub.close();
});

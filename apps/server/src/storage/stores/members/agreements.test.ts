import type { Millis } from '@crossbook/domain';
import { beforeEach, expect, test } from 'vitest';
import { openedForEach } from '../../../../../../tests/opened.ts';
import { shippedContent } from '../../../content/shipped/shipped.ts';
import { openTestDatabase } from '../../testing.ts';
import { contentStore } from '../content-store.ts';
import { accountsStore } from './accounts-store.ts';
import type { LegalLinks } from './agreements.ts';

const db = openedForEach(openTestDatabase);
const NOW = 1_800_000_000_000 as Millis;
const NO_LINKS: LegalLinks = { terms: '', privacy: '' };
const WORDS = { title: 'Of the house', summary: '', body: 'Words.' };
let made = 0;
beforeEach(() => contentStore(db.database).publishMissing(shippedContent(NOW, 'live'), NOW));

const publish = (kind: 'terms' | 'privacy', publishAt = NOW) =>
  contentStore(db.database).publish(
    { kind, slug: kind, author: 'ann', publishAt, texts: { en: WORDS, ja: WORDS, ko: WORDS } },
    NOW,
  );

/** Signs up. @returns why not. */
async function signUp(links = NO_LINKS, realMoney = true): Promise<string | undefined> {
  made += 1;
  const letters = { putLetter: async () => undefined, mailsWritten: () => undefined };
  const { members } = accountsStore(db.database, letters as never, links, realMoney);
  const session = {
    ...{
      id: `0193a1b2-0000-7000-8000-${String(made).padStart(12, '0')}`,
      hash: String(made).padStart(64, '0'),
    },
    ...{ epoch: 1, createdAt: NOW, expiresAt: (NOW + 1_000) as Millis, address: '192.0.2.1', userAgent: '' },
  };
  const done = await members.register({
    ...{ email: `new${made}@example.org`, mobile: undefined, passwordHash: 'h', nickname: `n${made}` },
    ...{ country: undefined, referralCode: `CODE${String(made).padStart(4, '0')}`, referredBy: undefined },
    ...{ referredWith: undefined, call: 'user/usernew', session, language: 'en' },
  } as never);
  return done.ok ? undefined : done.code;
}

test('with real money nobody agrees to the texts that come with the program: both are published first, or linked', async () => {
  expect(await signUp()).toBe('terms-unpublished');
  await publish('terms');
  expect(await signUp()).toBe('terms-unpublished');
  // One that holds later is not there yet.
  await publish('privacy', (NOW + 1) as Millis);
  expect(await signUp()).toBe('terms-unpublished');
  expect(await db.owner.query('select 1 from members')).toEqual([]);
  expect(await signUp({ terms: '', privacy: 'https://house.example/privacy' })).toBeUndefined();
  await publish('privacy');
  expect(await signUp()).toBeUndefined();
});

test('with pages of his own, or with paper money, the operator need not publish any', async () => {
  expect(
    await signUp({ terms: 'https://house.example/t', privacy: 'https://house.example/p' }),
  ).toBeUndefined();
  expect(await signUp(NO_LINKS, false)).toBeUndefined();
});

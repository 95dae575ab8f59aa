import { expect, type Locator, type Page } from '@playwright/test';
import { linkFor, start } from './admin-link.ts';
import { englishLeft } from './english-left.ts';
import { complaintsOf, expectSound, test } from './fixtures.ts';
import { type Look, takeLook } from './looks.ts';

/** What opens over the pages of the account and of the back office, in each look: as sound as the pages are, and without English in other languages. */

const LOOKS = [
  { theme: 'dark', language: 'en', width: 1440, height: 900 },
  { theme: 'light', language: 'ja', width: 390, height: 844 },
  { theme: 'light', language: 'ko', width: 1440, height: 900 },
] as const satisfies readonly Look[];

/** Opens by a key what a button opens, looks at it, and closes it. @returns its heading. */
async function looksAt(page: Page, button: Locator, { language, width }: Look): Promise<string> {
  await button.press('Enter');
  const dialog = page.locator('dialog[open]').last();
  await expect(dialog).toBeVisible();
  await expect(dialog.locator('[aria-busy="true"]')).toHaveCount(0);
  const heading = (await dialog.getByRole('heading').first().textContent()) ?? '';
  await expectSound(page, `${heading} ${language} ${width}`);
  if (language !== 'en') expect.soft(await englishLeft(page), heading).toEqual([]);
  const named = { has: page.getByRole('heading', { name: heading, exact: true }) };
  await page.keyboard.press('Escape');
  await expect(page.locator('dialog[open]', named)).toHaveCount(0);
  return heading;
}

test('every dialog of the security page is sound in three languages, dark and light, on a phone too @full', async ({
  installation,
  memberPage,
}) => {
  const page = await memberPage(await installation.member());
  const complaints = complaintsOf(page);
  await page.goto(`${installation.url}/healthz`);
  const seen: string[] = [];
  for (const look of LOOKS) {
    await takeLook(page, look);
    await page.goto(`${installation.url}/dashboard/security`);
    await expect(page.locator('html')).toHaveAttribute('lang', look.language);
    const acts = page.getByRole('main').getByRole('listitem').getByRole('button');
    await expect(acts).toHaveCount(5);
    for (let place = 0; place < 5; place += 1) seen.push(await looksAt(page, acts.nth(place), look));
  }
  expect(new Set(seen).size).toBe(5 * LOOKS.length);
  expect(complaints.all).toEqual([]);
});

test('every change that staff makes to a member is asked for in a sound dialog in three languages, dark and light, on a phone too @full', async ({
  browser,
  installation,
}) => {
  const { tid } = (await installation.member()).client;
  const roles = 'support,admin,auditor';
  const { page } = await start(browser, await linkFor(installation, `dialogs-${tid}@example.org`, roles));
  const complaints = complaintsOf(page);
  let seen = 0;
  for (const look of LOOKS) {
    await takeLook(page, look);
    await page.reload();
    await expect(page.locator('html')).toHaveAttribute('lang', look.language);
    const find = page
      .getByRole('main')
      .getByRole('searchbox')
      .or(page.getByRole('main').getByRole('textbox'));
    await find.first().fill(String(tid));
    await find.first().press('Enter');
    const row = page.getByRole('row').filter({ hasText: String(tid) });
    await expect(page.getByRole('row')).toHaveCount(2);
    await row.getByRole('button').press('Enter');
    const sheet = page.locator('dialog[open]').first();
    await expect(sheet).toBeVisible();
    await expectSound(page, `a member ${look.language} ${look.width}`);
    const acts = sheet.locator('button:not([aria-label])');
    const count = await acts.count();
    expect(count).toBeGreaterThan(4);
    for (let place = 0; place < count; place += 1) {
      await looksAt(page, acts.nth(place), look);
      seen += 1;
    }
    await page.keyboard.press('Escape');
  }
  expect(seen).toBeGreaterThan(12);
  expect(complaints.all).toEqual([]);
  await page.context().close();
});

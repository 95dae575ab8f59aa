import { expect, type Locator, type Page } from '@playwright/test';
import { linkFor, start } from './admin-link.ts';
import { englishLeft } from './english-left.ts';
import { complaintsOf, expectSound, settled, test } from './fixtures.ts';
import { inDatabase } from './hub-database.ts';
import { type Look, takeLook } from './looks.ts';
import { because } from './office-page.ts';
import { addPasskey, named, withAuthenticator } from './passkey-page.ts';
import { shownBy } from './security-client.ts';

/** What opens over the pages of the account and of the back office, in each look: as sound as the pages are, and without English in other languages. */

const LOOKS = [
  { theme: 'dark', language: 'en', width: 1440, height: 900 },
  { theme: 'light', language: 'ja', width: 390, height: 844 },
  { theme: 'light', language: 'ko', width: 1440, height: 900 },
] as const satisfies readonly Look[];

/** The dialog that lies over all others. */
function top(page: Page): Locator {
  return page.locator('dialog[open]').last();
}

/** The open dialog is sound, and without English in other languages. @returns its heading. */
async function isSound(page: Page, { language, width }: Look): Promise<string> {
  const dialog = top(page);
  await expect(dialog).toBeVisible();
  await expect(dialog.locator('[aria-busy="true"]')).toHaveCount(0);
  const heading = (await dialog.getByRole('heading').first().textContent()) ?? '';
  await expectSound(page, `${heading} ${language} ${width}`);
  if (language !== 'en') expect.soft(await englishLeft(page), heading).toEqual([]);
  return heading;
}

/** Opens by a key what a button opens, looks at it, and closes it: the focus is back at the button. @returns its heading. */
async function looksAt(page: Page, button: Locator, look: Look): Promise<string> {
  await button.press('Enter');
  const heading = await isSound(page, look);
  const named = { has: page.getByRole('heading', { name: heading, exact: true }) };
  await page.keyboard.press('Escape');
  await expect(page.locator('dialog[open]', named)).toHaveCount(0);
  await expect(button, heading).toBeFocused();
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

test('ending log-ins, passkeys, the five steps of an authenticator and recovery codes are asked for and shown in sound dialogs in three languages, dark and light, on a phone too @full', async ({
  browser,
  installation,
}) => {
  const member = await installation.member();
  const { page } = await withAuthenticator(browser, installation, member);
  const complaints = complaintsOf(page);
  let [recovery = ''] = await addPasskey(page, installation, member);
  const main = page.getByRole('main');
  const seen: string[] = [];
  for (const look of LOOKS) {
    // What changes a factor ends what is logged in elsewhere.
    await member.client.logInAgain(member, recovery);
    await takeLook(page, look);
    await page.goto(`${named(installation)}/dashboard/security`);
    await expect(page.locator('html')).toHaveAttribute('lang', look.language);
    // Add a passkey, rename, remove; end all, one; forget a browser.
    const acts = main.locator('section').getByRole('button');
    await expect(acts).toHaveCount(6);
    for (let place = 0; place < 6; place += 1) seen.push(await looksAt(page, acts.nth(place), look));
    // Nothing is typed: the passkey proves it.
    const rows = main.getByRole('listitem').getByRole('button');
    await rows.nth(1).press('Enter');
    // What is begun goes on for ten minutes.
    if (look === LOOKS[0]) await top(page).locator('button[type=submit]').press('Enter');
    await expect(top(page).getByRole('heading', { level: 3 })).toHaveCount(5);
    seen.push(await isSound(page, look));
    await page.keyboard.press('Escape');
    await rows.nth(2).press('Enter');
    seen.push(await isSound(page, look));
    await top(page).locator('button[type=submit]').press('Enter');
    await expect(top(page).getByRole('listitem')).toHaveCount(10);
    seen.push(await isSound(page, look));
    recovery = (await top(page).getByRole('listitem').first().textContent()) ?? '';
    await page.keyboard.press('Escape');
  }
  expect(new Set(seen).size).toBe(9 * LOOKS.length);
  expect(complaints.all).toEqual([]);
  await page.context().close();
});

/** Words of the texts and reasons below, which no language has. */
const WRITTEN = '2026-11-29 00:00';

/** Writes a text in three languages, up to where it is saved. */
async function writesText(page: Page, slug: string): Promise<void> {
  const main = page.getByRole('main');
  await main.getByRole('textbox').fill(slug);
  await page.keyboard.press('Enter');
  for (let tab = 0; tab < LOOKS.length; tab += 1) {
    await main.getByRole('tab').nth(tab).click();
    for (const field of [0, 2]) await main.getByRole('textbox').nth(field).fill(`${WRITTEN} ${tab}`);
  }
}

test('what admins set, invite, open and write is asked for in sound dialogs in three languages, dark and light, on a phone too @full', async ({
  browser,
  installation,
}) => {
  const { tid } = (await installation.member()).client;
  const roles = 'support,treasury-maker,admin,auditor';
  const { page, secret } = await start(
    browser,
    await linkFor(installation, `sets-${tid}@example.org`, roles),
  );
  const complaints = complaintsOf(page);
  await inDatabase(
    installation,
    "insert into access_recoveries (member, contact, asked_at, address) values ($1, $2, 1, '')",
    [tid, `dialogs-${tid}@example.org`],
  );
  const main = page.getByRole('main');
  const withButtons = main.getByRole('table').filter({ has: page.getByRole('button') });
  const firstOf = (table: number) => withButtons.nth(table).getByRole('button').first();
  const opened = async (name: string, look: Look): Promise<void> => {
    await page.goto(`${installation.url}/admin/${name}`);
    await expect(page.locator('html')).toHaveAttribute('lang', look.language);
    await settled(page);
  };
  const seen: string[] = [];
  for (const look of LOOKS) {
    await takeLook(page, look);
    const sees = async (button: Locator) => seen.push(await looksAt(page, button, look));
    await opened('offer', look);
    // Limits, rewards, currencies, networks.
    await expect(withButtons).toHaveCount(4);
    for (let table = 0; table < 4; table += 1) await sees(firstOf(table));
    await sees(main.locator(':scope > button').last());
    await opened('platforms', look);
    await sees(firstOf(0));
    await opened('admins', look);
    await sees(firstOf(0));
    await sees(main.getByRole('button').first());
    await opened('recoveries', look);
    const row = main.getByRole('row').filter({ hasText: String(tid) });
    await row.getByRole('button').press('Enter');
    seen.push(await isSound(page, look));
    const acts = top(page).locator('button:not([aria-label])');
    await expect(acts).toHaveCount(2);
    for (const place of [0, 1]) await sees(acts.nth(place));
    await page.keyboard.press('Escape');
    await opened('audit', look);
    await sees(main.getByRole('button').nth(2));
    await opened('texts', look);
    if (look.language === 'en') {
      await writesText(page, `dialogs-${tid}`);
      await main.getByRole('button', { name: 'Save draft' }).press('Enter');
      await because(page, 'Save draft', shownBy(secret, 1));
      // It is read again, and what can be done with it changes.
      await expect(main.getByRole('button', { name: 'Publish', exact: true })).toBeEnabled();
    } else {
      await main.getByRole('row').filter({ hasText: WRITTEN }).first().getByRole('button').press('Enter');
    }
    await expect(main.getByRole('tab')).toHaveCount(LOOKS.length);
    const deeds = main.getByRole('button');
    const last = (await deeds.count()) - 1;
    // Publish, discard; save, once something is changed.
    await sees(deeds.nth(last - 1));
    await sees(deeds.nth(last));
    await main.getByRole('textbox').first().fill(`${WRITTEN} ${look.language}`);
    await sees(deeds.nth(last - 2));
  }
  // The dialog about an admin is called by the address, in every language.
  expect(new Set(seen).size).toBe(14 * LOOKS.length + 1);
  expect(complaints.all).toEqual([]);
  await page.context().close();
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

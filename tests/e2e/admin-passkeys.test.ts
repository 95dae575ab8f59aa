import { expect } from '@playwright/test';
import { linkFor, press, start } from './admin-link.ts';
import { complaintsOf, expectSound, test } from './fixtures.ts';
import { openMember } from './office-page.ts';
import { shownBy } from './security-client.ts';
import { virtualAuthenticator } from './virtual-authenticator.ts';

/** Passkeys of admins, with Chromium's own authenticator behind the page. */

test('an admin adds a passkey, logs in by it alone, opens a change by it, and removes it @full', async ({
  browser,
  installation,
}) => {
  const { tid } = (await installation.member('100')).client;
  const link = await linkFor(installation, `keys-${tid}@example.org`, 'support');
  // Browsers have no passkeys for a number.
  const { page, secret } = await start(browser, link.replace('127.0.0.1', 'localhost'));
  const complaints = complaintsOf(page);
  await virtualAuthenticator(page);
  const pages = page.getByRole('navigation', { name: 'Pages' });
  const dialog = page.getByRole('alertdialog');
  await pages.getByRole('link', { name: 'My passkeys' }).click();
  await expect(page.getByText('You have no passkey')).toBeVisible();
  await press(page, 'Add a passkey');
  await expect(dialog.getByLabel('Name')).toHaveValue('Chrome, Linux');
  // There is none yet that could prove.
  await expect(dialog.getByRole('button', { name: 'Use a passkey instead of the code' })).toBeHidden();
  await dialog.getByLabel('Authenticator code').fill(shownBy(secret, 1));
  await dialog.getByRole('button', { name: 'Add a passkey' }).click();
  await expect(dialog).toBeHidden();
  const row = page.getByRole('row').filter({ hasText: 'Chrome, Linux' });
  await expect(row).toBeVisible();
  const window = page.viewportSize();
  await page.setViewportSize({ width: 390, height: 844 });
  await expectSound(page, 'passkeys');
  if (window !== null) await page.setViewportSize(window);

  await press(page, 'Log out');
  await press(page, 'Log in with a passkey');
  await expect(page.getByRole('heading', { name: 'My passkeys', level: 1 })).toBeVisible();
  await pages.getByRole('link', { name: 'Members' }).click();
  await openMember(page, tid);
  await press(page, 'Freeze');
  await dialog.getByLabel('Reason').fill('seen in a list of stolen passwords');
  await dialog.getByRole('button', { name: 'Use a passkey instead of the code' }).click();
  await expect(dialog.getByLabel('Authenticator code')).toBeHidden();
  await dialog.getByRole('button', { name: 'Freeze', exact: true }).click();
  await expect(page.getByRole('dialog').getByText('Frozen by staff')).toBeVisible();
  await press(page, 'Close');

  await pages.getByRole('link', { name: 'My passkeys' }).click();
  await press(page, 'Remove Chrome, Linux');
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(page.getByText('You have no passkey')).toBeVisible();
  await press(page, 'Log out');
  await press(page, 'Log in with a passkey');
  await expect(page.getByRole('alert')).toContainText('The passkey was not accepted');
  expect(complaints.all).toEqual([]);
});

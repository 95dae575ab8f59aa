import { type Browser, type CDPSession, expect, type Page } from '@playwright/test';
import { logInContext } from './fixtures.ts';
import type { Installation, Member } from './installation.ts';
import { press } from './security-page.ts';
import { virtualAuthenticator } from './virtual-authenticator.ts';

/** The same installation by its name: browsers have no passkeys for a number. */
export function named({ url }: Installation): string {
  return url.replace('127.0.0.1', 'localhost');
}

/** A page in a browser with an authenticator; whose, where it is logged in. */
export async function withAuthenticator(
  browser: Browser,
  installation: Installation,
  member?: Member,
): Promise<{ readonly page: Page; readonly device: CDPSession; readonly id: string }> {
  const context = await logInContext(browser, named(installation), member);
  const page = await context.newPage();
  return { page, ...(await virtualAuthenticator(page)) };
}

/** Adds the first passkey at /dashboard/security. @returns the recovery codes that come with it. */
export async function addPasskey(
  page: Page,
  installation: Installation,
  member: Member,
): Promise<readonly string[]> {
  await page.goto(`${named(installation)}/dashboard/security`);
  await press(page.getByRole('main'), 'Add a passkey');
  const dialog = page.locator('dialog');
  await expect(dialog.getByRole('textbox', { name: 'Name' })).toHaveValue('Chrome, Linux');
  await dialog.getByRole('textbox', { name: 'Your password' }).fill(member.password);
  await page.keyboard.press('Enter');
  const shown = page.getByRole('alertdialog', { name: 'Your recovery codes' });
  await expect(shown.getByRole('listitem')).toHaveCount(10);
  const codes = await shown.getByRole('listitem').allTextContents();
  await press(shown, 'I have saved them');
  await expect(page.getByRole('region', { name: 'Passkeys' }).getByText('Chrome, Linux')).toBeVisible();
  return codes;
}

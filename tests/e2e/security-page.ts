import { expect, type Locator, type Page } from '@playwright/test';
import type { Installation, Member } from './installation.ts';
import { codeTo } from './security-client.ts';

/** The page where a member changes who he is. */
export async function openSecurity(page: Page, { url }: Installation): Promise<void> {
  await page.goto(`${url}/dashboard/security`);
  await expect(page.getByRole('heading', { name: 'Where you are logged in' })).toBeVisible();
}

/** One of its rows. */
export function row(page: Page, name: string): Locator {
  return page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name }) });
}

/** Opens the dialog of a row. */
export async function begin(page: Page, name: string): Promise<Locator> {
  await row(page, name).getByRole('button').click();
  return page.locator('dialog');
}

/** Presses a button of a dialog or a page's part. */
export function press(within: Locator, name: string): Promise<void> {
  return within.getByRole('button', { name, exact: true }).click();
}

/** Logs a member in in a browser that is new to him. */
export async function logInElsewhere(page: Page, installation: Installation, member: Member): Promise<void> {
  await page.goto(`${installation.url}/login`);
  await page.getByRole('textbox', { name: 'Email', exact: true }).fill(member.email);
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill(member.password);
  await press(page.getByRole('main'), 'Log in');
  await expect(page).toHaveURL(/\/otp$/);
  await page
    .getByRole('textbox', { name: 'Verification code' })
    .fill(await codeTo(installation, member.email));
  await press(page.getByRole('main'), 'Log in');
  await expect(page).toHaveURL(/\/wallet\//);
}

/** Logs out by the head's menu, and waits until the session is over: a page that is opened sooner finds it. */
export async function logOut(page: Page): Promise<void> {
  await page.getByRole('banner').getByRole('button', { name: 'Dashboard' }).click();
  await page.getByRole('banner').getByRole('button', { name: 'Log out' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Log out' }).click();
  await expect(page.getByRole('banner').getByRole('link', { name: 'Log in' })).toBeVisible();
}

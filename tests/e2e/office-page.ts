import { expect, type Locator, type Page } from '@playwright/test';

/** Why staff does something, where nobody asks for better. */
export const REASON = 'seen in a list of stolen passwords';

/** Goes to a page of the back office by its link. */
export async function goTo(page: Page, name: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name, exact: true }).click();
  await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible();
}

/** Fills in what every change asks for, and sends it; how it ends is yet to be seen. */
export async function sends(page: Page, button: string, totp?: string): Promise<Locator> {
  const dialog = page.getByRole('alertdialog');
  await dialog.getByLabel('Reason', { exact: true }).fill(REASON);
  if (totp !== undefined) await dialog.getByLabel('Authenticator code').fill(totp);
  await dialog.getByRole('button', { name: button, exact: true }).click();
  return dialog;
}

/** A change that is made. */
export async function because(page: Page, button: string, totp?: string): Promise<void> {
  await expect(await sends(page, button, totp)).toBeHidden();
}

/** Finds a member, and opens what is known of him. */
export async function openMember(page: Page, member: number): Promise<void> {
  await page.getByLabel('Find a member').fill(String(member));
  await page.getByRole('button', { name: 'Find', exact: true }).click();
  await page.getByRole('button', { name: `Open member ${member}`, exact: true }).click();
}

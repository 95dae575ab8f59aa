import { expect, type Page } from '@playwright/test';
import { linkFor, start } from './admin-link.ts';
import { beside, test } from './fixtures.ts';

/** After a try the first wrong field of a form has the focus, whatever form it is. */

/** Waits until the field that has the focus is the first wrong one, as the page is read. */
async function firstWrong(page: Page, name: string): Promise<void> {
  const focused = () =>
    page.evaluate(() => {
      const { activeElement } = document;
      const first = document.querySelector('[aria-invalid="true"]');
      return activeElement !== null && activeElement === first
        ? (document.querySelector(`label[for="${activeElement.id}"]`)?.textContent ?? activeElement.ariaLabel)
        : undefined;
    });
  await expect.poll(focused).toContain(name);
}

test('a dialog, a form with pictures and an act of staff lead to their first wrong field, also where the server says so @full', async ({
  browser,
  installation,
  memberPage,
}) => {
  const member = await installation.member('1000');
  const page = await memberPage(member);
  await page.goto(`${installation.url}/dashboard/security`);
  const row = page.getByRole('main').getByRole('listitem');
  await row
    .filter({ has: page.getByRole('heading', { name: 'Password' }) })
    .getByRole('button')
    .click();
  const dialog = page.locator('dialog');
  const change = dialog.getByRole('button', { name: 'Change', exact: true });
  await change.click();
  await firstWrong(page, 'Present password');
  await dialog.getByRole('textbox', { name: 'Present password' }).fill('Wrong-horse-7');
  await change.click();
  await firstWrong(page, 'New password');
  await dialog.getByRole('textbox', { name: 'New password' }).fill('Better-horse-9');
  await dialog.getByRole('textbox', { name: 'Confirm password' }).fill('Better-horse-9');
  await change.click();
  await expect(beside(dialog, 'The account or password is not correct.')).toBeVisible();
  await firstWrong(page, 'Present password');
  // Who types goes on where he is.
  await page.keyboard.type('x');
  await expect(dialog.getByRole('textbox', { name: 'Present password' })).toHaveValue('Wrong-horse-7x');

  await page.goto(`${installation.url}/dashboard/kyc`);
  await page.getByRole('button', { name: 'Hand in' }).click();
  await expect(page.getByText('This is needed.').first()).toBeVisible();
  await firstWrong(page, '');

  const { page: staff } = await start(browser, await linkFor(installation, 'focus@example.org', 'admin'));
  await staff.getByRole('link', { name: 'Platforms', exact: true }).click();
  await staff.getByRole('button', { name: 'Change Binance' }).click();
  await staff.getByRole('button', { name: 'Close now' }).click();
  await firstWrong(staff, 'Reason');
});

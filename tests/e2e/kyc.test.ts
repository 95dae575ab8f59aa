import AxeBuilder from '@axe-core/playwright';
import { expect, type Locator, type Page } from '@playwright/test';
import { png } from '../../apps/server/src/accounts/kyc/pictures.fixture.ts';
import { complaintsOf, test } from './fixtures.ts';
import type { Installation } from './installation.ts';
import { mailsTo } from './security-client.ts';

/** Who a member is in law: pictures, the form, and how it stands. */

const GOOD = Buffer.from(png(700, 600));

function picture(page: Page, label: string): Locator {
  return page.getByLabel(label, { exact: true });
}

function choose(page: Page, label: string, buffer: Buffer = GOOD): Promise<void> {
  return picture(page, label).setInputFiles({ name: 'photo.png', mimeType: 'image/png', buffer });
}

async function openKyc(page: Page, installation: Installation): Promise<void> {
  await page.goto(`${installation.url}/dashboard/kyc`);
  await expect(page.getByRole('heading', { name: 'Where you stand' })).toBeVisible();
}

async function findings(page: Page): Promise<readonly string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations.filter(({ impact }) => impact === 'serious' || impact === 'critical').map(({ id }) => id);
}

test('a member hands in who he is: wrong files and fields are said beside what they are, and the profile shows "Pending"', async ({
  installation,
  memberPage,
}) => {
  const member = await installation.member('1000');
  const page = await memberPage(member);
  const complaints = complaintsOf(page);
  await page.goto(`${installation.url}/dashboard/profile`);
  await page.getByRole('link', { name: 'Verify' }).click();
  await expect(page.getByText('Not verified')).toBeVisible();
  await page.getByRole('combobox', { name: 'Document' }).selectOption('id-card');

  await choose(page, 'Front of the document', Buffer.from('%PDF-1.7\n'));
  await expect(page.getByText('PDF files are not taken')).toBeVisible();
  await choose(page, 'Front of the document', Buffer.alloc(6 * 1024 * 1024, 1));
  await expect(page.getByText('The attachment size exceeds the limit (maximum 5MB)')).toBeVisible();
  await choose(page, 'Front of the document', Buffer.from(png(20, 20)));
  await expect(page.getByText('The picture cannot be read')).toBeVisible();

  await page.getByRole('button', { name: 'Hand in' }).click();
  await expect(page.getByText('This is needed.').first()).toBeVisible();
  await expect(page.getByText('You must be 18 or older.')).toBeVisible();
  await expect(page.getByText('Please upload this picture.').first()).toBeVisible();
  expect(await findings(page)).toEqual([]);

  for (const label of [
    'Front of the document',
    'Back of the document',
    'Your face, with the document beside it',
  ]) {
    await choose(page, label);
  }
  await expect(page.getByText('Uploaded')).toHaveCount(3);
  await expect(page.getByRole('img', { name: 'photo.png' })).toHaveCount(3);
  await page.getByRole('textbox', { name: 'Full name' }).fill('Hanako Yamada');
  await page.getByLabel('Date of birth').fill('1990-02-03');
  await page.getByRole('textbox', { name: 'Document number' }).fill('AB-1234');
  await page.getByRole('checkbox').check();
  expect(await findings(page)).toEqual([]);
  await page.getByRole('button', { name: 'Hand in' }).click();
  await expect(page.getByText('We are checking your documents')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Hand in' })).toHaveCount(0);
  const [mail] = await mailsTo(installation, member.email);
  expect(mail?.subject).toContain('your documents have arrived');
  await page.goto(`${installation.url}/dashboard/profile`);
  await expect(page.getByText('Pending')).toBeVisible();
  expect(complaints.all).toEqual([]);
});

test('a case that was refused says why and opens the form again; one that is done shows "Certification successful"; the page says where services are unavailable', async ({
  installation,
  memberPage,
}) => {
  const page = await memberPage(await installation.member('1000'));
  let answered: object = {
    state: 'refused',
    reason: 'blurred',
    note: 'The left half.',
    submittedAt: 1,
    decidedAt: 2,
  };
  await page.route('**/api/x/kyc/Status', async (route) => {
    const response = await route.fetch();
    const answer = (await response.json()) as { readonly data: object };
    await route.fulfill({ response, json: { ...answer, data: { ...answer.data, ...answered } } });
  });
  await openKyc(page, installation);
  await expect(page.getByText('A picture cannot be read.')).toBeVisible();
  await expect(page.getByText('The left half.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Hand in' })).toBeVisible();
  answered = { state: 'done', tier: 1, reason: null, note: '', submittedAt: 1, decidedAt: 2 };
  await openKyc(page, installation);
  await expect(page.getByText('Certification successful')).toBeVisible();
  await expect(page.getByText('Tier 1', { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Hand in' })).toHaveCount(0);
  answered = { restricted: ['KP'], country: 'KP' };
  await openKyc(page, installation);
  await expect(page.getByText('Services are unavailable in your country or region.').first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Hand in' })).toBeDisabled();
});

test('a picture that does not arrive says so beside it, and another one does', async ({
  installation,
  memberPage,
}) => {
  const page = await memberPage(await installation.member('1000'));
  await openKyc(page, installation);
  const front = picture(page, 'Front of the document');
  await page.route('**/api/usercommon/upload', (route) => route.abort());
  await choose(page, 'Front of the document');
  await expect(front).toHaveAttribute('aria-invalid', 'true');
  await page.unroute('**/api/usercommon/upload');
  await choose(page, 'Front of the document');
  await expect(page.getByText('Uploaded')).toBeVisible();
  await expect(front).not.toHaveAttribute('aria-invalid', 'true');
});

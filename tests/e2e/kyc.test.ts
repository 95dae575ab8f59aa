import AxeBuilder from '@axe-core/playwright';
import { expect, type Locator, type Page } from '@playwright/test';
import { png } from '../../apps/server/src/accounts/kyc/pictures.fixture.ts';
import { linkFor, start } from './admin-link.ts';
import { beside, complaintsOf, expectSound, heard, test } from './fixtures.ts';
import type { Installation } from './installation.ts';
import { mailsTo, shownBy } from './security-client.ts';

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

/** Fills the form of a member with a passport, and sends it. */
async function handIn(page: Page): Promise<void> {
  await choose(page, 'Front of the document');
  await choose(page, 'Your face, with the document beside it');
  await expect(page.getByText('Uploaded')).toHaveCount(2);
  await page.getByRole('textbox', { name: 'Full name' }).fill('Hanako Yamada');
  await page.getByLabel('Date of birth').fill('1990-02-03');
  await page.getByRole('textbox', { name: 'Document number' }).fill('AB-1234');
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Hand in' }).click();
  await expect(page.getByText('We are checking your documents')).toBeVisible();
}

/** Opens a member's case, and waits until both pictures are really drawn. */
async function openCase(staff: Page, tid: number): Promise<Locator> {
  await staff.getByRole('button', { name: `Open the papers of member ${tid}` }).click();
  const papers = staff.getByRole('dialog', { name: `Papers of member ${tid}` });
  for (const name of ['Front of the document', 'Face']) {
    const drawn = papers.getByRole('img', { name });
    await expect(drawn).toHaveJSProperty('complete', true);
    await expect(drawn).not.toHaveJSProperty('naturalWidth', 0);
  }
  return papers;
}

async function findings(page: Page): Promise<readonly string[]> {
  const { violations } = await new AxeBuilder({ page }).options({ resultTypes: ['violations'] }).analyze();
  return violations.filter(({ impact }) => impact === 'serious' || impact === 'critical').map(({ id }) => id);
}

test('a member hands in who he is: wrong files and fields are said beside what they are, and the profile shows "Pending" @full', async ({
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
  await expect(beside(page, 'The picture cannot be read')).toBeVisible();

  await page.getByRole('button', { name: 'Hand in' }).click();
  await expect(page.getByText('This is needed.').first()).toBeVisible();
  await expect(page.getByText('You must be 18 or older.')).toHaveCount(0);
  await page.getByLabel('Date of birth').fill('2020-01-02');
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
  // What each tier may do is said before anything is handed in.
  await expect(page.getByRole('columnheader', { name: 'Tier 0 (yours)' })).toBeVisible();
  await expect(
    page.getByRole('row', { name: /Test funds.*100,000 USDT in 24 hours.*200,000/ }),
  ).toBeVisible();
  await page.getByRole('button', { name: 'Hand in' }).click();
  await expect(page.getByText('We are checking your documents')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Hand in' })).toHaveCount(0);
  const [mail] = await mailsTo(installation, member.email);
  expect(mail?.subject).toContain('your documents have arrived');
  await page.goto(`${installation.url}/dashboard/profile`);
  await expect(page.getByText('Pending')).toBeVisible();
  expect(complaints.all).toEqual([]);
});

test('a case that was refused says why and opens the form again; one that is done shows "Certification successful" and says when it ends, or that it has; the page says where services are unavailable @full', async ({
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
  await expect(page.locator('span').getByText('Tier 1', { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Hand in' })).toHaveCount(0);
  await expect(page.getByText('Your verification counts until')).toHaveCount(0);
  answered = { ...answered, validUntil: Date.now() + 20 * 24 * 3_600_000 };
  await openKyc(page, installation);
  await expect(page.getByText('Your verification counts until')).toBeVisible();
  await expect(page.getByText('After that your limits are those of tier 0')).toBeVisible();
  answered = { ...answered, state: 'expired', tier: 0, validUntil: 3 };
  await openKyc(page, installation);
  await expect(page.getByText('Expired', { exact: true })).toBeVisible();
  await expect(page.getByText('Your verification has ended')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Hand in' })).toBeVisible();
  expect(await findings(page)).toEqual([]);
  answered = { restricted: ['KP'], country: 'KP' };
  await openKyc(page, installation);
  await expect(page.getByText('Services are unavailable in your country or region.').first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Hand in' })).toBeDisabled();
});

test('signing up says where services are unavailable, and takes nobody who lives there @full', async ({
  page,
  installation,
}) => {
  await page.route('**/api/common/country', async (route) => {
    const response = await route.fetch();
    const answer = (await response.json()) as { readonly data: readonly { readonly code: string }[] };
    const data = answer.data.map((row) => ({ ...row, restricted: row.code === 'KP' }));
    await route.fulfill({ response, json: { ...answer, data } });
  });
  await page.goto(`${installation.url}/regist`);
  await expect(page.getByText('Services are unavailable in certain regions: North Korea.')).toBeVisible();
  const refusal = page.getByText('Services are unavailable in your country or region.');
  await expect(refusal).toHaveCount(0);
  await page.getByRole('combobox', { name: 'Country' }).selectOption('KP');
  await expect(refusal).toBeVisible();
  expect(await findings(page)).toEqual([]);
  await page.getByRole('textbox', { name: 'Email' }).fill(`country-${Date.now()}@example.org`);
  await page.getByRole('button', { name: 'Send code' }).click();
  await heard(page, 'Successfully sent!');
  await page.getByRole('button', { name: 'Use it' }).click();
  const password = 'Correct-horse-7';
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill(password);
  await page.getByRole('textbox', { name: 'Confirm password' }).fill(password);
  await page.getByRole('checkbox').check();
  const main = page.getByRole('main');
  await main.getByRole('button', { name: 'Sign up', exact: true }).click();
  await expect(refusal).toBeVisible();
  await expect(page).toHaveURL(/\/regist$/);
  await page.getByRole('combobox', { name: 'Country' }).selectOption('JP');
  await main.getByRole('button', { name: 'Sign up', exact: true }).click();
  await heard(page, 'successfully registered!');
  await page.goto(`${installation.url}/dashboard/profile`);
  await expect(page.getByText('Japan')).toBeVisible();
});

test('a picture that does not arrive says so beside it, and another one does @full', async ({
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

test('papers reach a KYC admin, who refuses them with a reason; the member reads it, hands in again, and is passed @full', async ({
  browser,
  installation,
  memberPage,
}) => {
  const member = await installation.member();
  const { tid } = member.client;
  const page = await memberPage(member);
  await openKyc(page, installation);
  await handIn(page);

  const link = await linkFor(installation, `kyc-${tid}@example.org`, 'kyc,auditor');
  const { page: staff, secret } = await start(browser, link);
  const complaints = complaintsOf(staff);
  await staff.getByRole('link', { name: 'Identity checks' }).click();
  const papers = await openCase(staff, tid);
  for (const stated of ['Hanako Yamada', '1990-02-03', 'United Kingdom', 'Passport', 'AB-1234']) {
    await expect(papers.getByText(stated, { exact: true })).toBeVisible();
  }
  expect(await findings(staff)).toEqual([]);
  // Another reviewer reads who has it, and gets in when it is given back.
  const second = await start(browser, await linkFor(installation, `kyc-b-${tid}@example.org`, 'kyc'));
  await second.page.getByRole('link', { name: 'Identity checks' }).click();
  const row = second.page.getByRole('row').filter({ hasText: String(tid) });
  await expect(row).toContainText(`kyc-${tid}@example.org`);
  await row.getByRole('button').click();
  await expect(second.page.getByText('Somebody else is at this case.')).toBeVisible();
  await second.page.keyboard.press('Escape');
  await staff.keyboard.press('Escape');
  await expect(papers).toHaveCount(0);
  await expect(async () => {
    await second.page.getByRole('button', { name: 'Refresh' }).click();
    await expect(row).not.toContainText('@', { timeout: 500 });
  }).toPass();
  await second.page.context().close();
  await openCase(staff, tid);
  await papers.getByRole('button', { name: 'Refuse' }).click();
  const refusing = staff.getByRole('alertdialog');
  await refusing.getByLabel('Reason for the member').selectOption('other');
  const refuse = refusing.getByRole('button', { name: 'Refuse' });
  await expect(refuse).toBeDisabled();
  await refusing.getByLabel('Remark to the member').fill('Please lay the passport flat.');
  await refusing.getByLabel('Reason', { exact: true }).fill('the passport is bent');
  await refusing.getByLabel('Authenticator code').fill(shownBy(secret, 1));
  await refuse.click();
  await expect(staff.getByRole('button', { name: `Open the papers of member ${tid}` })).toHaveCount(0);

  // Nobody reloads: who waits is told.
  await expect(page.getByText('Please lay the passport flat.')).toBeVisible();
  await handIn(page);
  await staff.getByRole('button', { name: 'Refresh' }).click();
  await (await openCase(staff, tid)).getByRole('button', { name: 'Pass' }).click();
  const passing = staff.getByRole('alertdialog');
  await passing.getByLabel('Reason', { exact: true }).fill('compared side by side');
  await expect(passing.getByRole('button', { name: 'Pass' })).toBeDisabled();
  await expect(passing.getByText('No list of sanctions is asked')).toBeVisible();
  for (const check of await passing.getByRole('checkbox').all()) await check.check();
  await passing.getByRole('button', { name: 'Pass' }).click();
  await expect(staff.getByText('Done.')).toBeVisible();
  await expect(page.getByText('Certification successful')).toBeVisible();
  await expect(page.locator('span').getByText('Tier 1', { exact: true })).toBeVisible();
  const subjects = (await mailsTo(installation, member.email)).map(({ subject }) => subject);
  expect(subjects[0]).toContain('Certification successful');

  await staff.getByRole('link', { name: 'Audit log' }).click();
  for (const [call, why] of [
    ['x/admin/KycRefuse', 'the passport is bent'],
    ['x/admin/KycPass', 'compared side by side'],
  ] as const) {
    await expect(staff.getByRole('row').filter({ hasText: call }).filter({ hasText: why })).toHaveCount(1);
  }
  expect(complaints.all).toEqual([]);
  await staff.context().close();
});

test('a demo admin sees neither name, number nor picture of a member, and refuses with a reason of the list alone @full', async ({
  browser,
  installation,
  memberPage,
}) => {
  const member = await installation.member();
  const page = await memberPage(member);
  await openKyc(page, installation);
  await expect(page.getByText('shows its back office to everybody')).toBeVisible();
  await handIn(page);

  const staff = await (await browser.newContext()).newPage();
  const complaints = complaintsOf(staff);
  await staff.goto(`${installation.url}/admin`);
  await staff.getByRole('button', { name: 'As the one who approves' }).click();
  await staff.getByRole('link', { name: 'Identity checks' }).click();
  const { tid } = member.client;
  await staff.getByRole('button', { name: `Open the papers of member ${tid}` }).click();
  const papers = staff.getByRole('dialog', { name: `Papers of member ${tid}` });
  await expect(papers.getByText('are not shown to you')).toBeVisible();
  await expect(papers.getByText('1990', { exact: true })).toBeVisible();
  await expect(papers.getByText('***', { exact: true })).toHaveCount(2);
  await expect(papers.getByRole('img')).toHaveCount(0);
  await expect(papers.getByText('Hanako')).toHaveCount(0);
  expect(await findings(staff)).toEqual([]);
  await staff.keyboard.press('Escape');
  for (const [language, refuse] of [
    ['日本語', '却下'],
    ['한국어', '거절'],
    ['English', 'Refuse'],
  ] as const) {
    await staff.setViewportSize({ width: 390, height: 844 });
    await staff.getByRole('button', { name: /^(Language|言語|언어)$/ }).click();
    await staff.getByRole('button', { name: language, exact: true }).click();
    await expectSound(staff, `the queue in ${language}`);
    const row = staff.getByRole('row').filter({ hasText: String(tid) });
    await row.getByRole('button').press('Enter');
    const shown = staff.getByRole('dialog').getByRole('button', { name: refuse });
    await expect(shown).toBeVisible();
    await expectSound(staff, `papers in ${language}`);
    await shown.press('Enter');
    await expect(staff.getByRole('alertdialog')).toBeVisible();
    await expectSound(staff, `refusing in ${language}`);
    await staff.keyboard.press('Escape');
    await staff.keyboard.press('Escape');
    await expect(staff.getByRole('dialog')).toHaveCount(0);
  }
  await staff.getByRole('button', { name: `Open the papers of member ${tid}` }).click();
  await papers.getByRole('button', { name: 'Refuse' }).click();
  const refusing = staff.getByRole('alertdialog');
  await expect(refusing.getByLabel('Remark to the member')).toHaveCount(0);
  await refusing.getByLabel('Reason', { exact: true }).fill('a look around');
  await refusing.getByRole('button', { name: 'Refuse' }).click();
  await expect(page.getByText('A picture cannot be read.')).toBeVisible();
  expect(complaints.all).toEqual([]);
  await staff.context().close();
});

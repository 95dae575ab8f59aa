import { expect, type Locator } from '@playwright/test';
import { modulesOfPath, modulesOfText } from '../../apps/web/src/screens/fields/qr-modules.fixture.ts';
import { beside, complaintsOf, heard, test, toast } from './fixtures.ts';
import { codeTo, mailsTo, shownBy } from './security-client.ts';
import { begin, logInElsewhere, openSecurity, press, row } from './security-page.ts';

/** The member's own pages: what proves who he is, where he is logged in, what he chose. */

const NEW_PASSWORD = 'Better-horse-9';

test('the authenticator is set up in five steps: a wrong code or a reload keeps the key, a right one shows ten recovery codes once', async ({
  installation,
  memberPage,
}) => {
  const member = await installation.member('1000');
  const page = await memberPage(member);
  const complaints = complaintsOf(page);
  await openSecurity(page, installation);
  await expect(row(page, 'Google Authenticator')).toContainText('Off');
  const first = await begin(page, 'Google Authenticator');
  await first.getByRole('textbox', { name: 'Your password' }).fill('Wrong-horse-7');
  await press(first, 'Next');
  await expect(beside(first, 'The account or password is not correct.')).toBeVisible();
  await first.getByRole('textbox', { name: 'Your password' }).fill(member.password);
  await press(first, 'Next');
  const steps = [
    'Download the app',
    'Scan the QR code',
    'Save the recovery key phrase',
    'Read the guide',
    'Enable',
  ];
  await expect(first.getByRole('heading', { level: 3 })).toHaveText(steps);
  const drawn = first.getByRole('img', { name: 'QR code for the authenticator app' });
  await expect(drawn).toBeVisible();
  const key = async (): Promise<string | null> =>
    page.getByRole('button', { name: 'Copy the recovery key phrase' }).getAttribute('title');
  const secret = (await key()) ?? '';
  const uri = await first.getByRole('link', { name: /open the app/ }).getAttribute('href');
  expect(uri).toContain(secret);
  // A camera reads the same as who opens the link.
  expect(modulesOfPath((await drawn.locator('path').getAttribute('d')) ?? '')).toEqual(
    modulesOfText(uri ?? ''),
  );
  await first.getByRole('textbox', { name: 'Authenticator code' }).fill(shownBy(secret, -5));
  await press(first, 'Enable');
  await expect(beside(first, 'The authenticator code is not correct or was already used.')).toBeVisible();

  await page.reload();
  const dialog = await begin(page, 'Google Authenticator');
  await expect.poll(key).toBe(secret);
  // Kept: half a minute later the app shows another one.
  const used = shownBy(secret);
  await dialog.getByRole('textbox', { name: 'Authenticator code' }).fill(used);
  await page.keyboard.press('Enter');
  const codes = page.getByRole('alertdialog', { name: 'Your recovery codes' });
  await expect(codes.getByRole('listitem')).toHaveCount(10);
  await press(codes, 'I have saved them');
  await expect(row(page, 'Google Authenticator')).toContainText('On');
  await expect(row(page, 'Recovery codes')).toContainText('10 left');
  await expect(page.getByText(/Nothing can be withdrawn until/)).toBeVisible();

  const renew = await begin(page, 'Recovery codes');
  await expect(renew.getByText('For 24 hours after this, nothing can be withdrawn.')).toBeVisible();
  await renew.getByRole('textbox', { name: 'Authenticator code' }).fill(used);
  await press(renew, 'Make new recovery codes');
  await expect(beside(renew, 'The authenticator code is not correct or was already used.')).toBeVisible();
  await renew.getByRole('textbox', { name: 'Authenticator code' }).fill(shownBy(secret, 1));
  await press(renew, 'Make new recovery codes');
  await expect(codes.getByRole('listitem')).toHaveCount(10);
  expect(complaints.all).toEqual([]);
});

test('a new password says before it is set that it locks money, ends all other sessions, and the page keeps its own', async ({
  browser,
  installation,
  memberPage,
}) => {
  const member = await installation.member('1000');
  const page = await memberPage(member);
  const other = await browser.newPage();
  await logInElsewhere(other, installation, member);
  await openSecurity(page, installation);
  await expect(page.getByText(/^After a change of password/)).toBeVisible();
  const dialog = await begin(page, 'Password');
  const change = async (old: string, password: string): Promise<void> => {
    await dialog.getByRole('textbox', { name: 'Present password' }).fill(old);
    await dialog.getByRole('textbox', { name: 'New password' }).fill(password);
    await dialog.getByRole('textbox', { name: 'Confirm password' }).fill(password);
    await press(dialog, 'Change');
  };
  await expect(dialog.getByText('For 24 hours after this, nothing can be withdrawn.')).toBeVisible();
  await change('Wrong-horse-7', NEW_PASSWORD);
  await expect(beside(dialog, 'The account or password is not correct.')).toBeVisible();
  // What lies below an open dialog is inert: its toast is in it.
  await expect(toast(page)).toHaveText(['The account or password is not correct.']);
  await expect(dialog.locator(toast(page))).toBeInViewport({ ratio: 1 });
  await change(member.password, 'Password-1');
  await expect(beside(dialog, 'This password is too easy to guess or was seen in a leak.')).toBeVisible();
  await change(member.password, NEW_PASSWORD);
  await heard(page, 'Modified successfully!');
  await expect(page.getByText(/Nothing can be withdrawn until/)).toBeVisible();
  await expect(page.getByRole('region', { name: 'Where you are logged in' }).getByRole('row')).toHaveCount(2);
  await expect(page.getByRole('columnheader', { name: 'Last used' })).toBeVisible();
  await other.goto(`${installation.url}/dashboard/security`);
  await expect(other).toHaveURL(/\/login/);
  await other.context().close();
});

test('sessions are listed with their device; one is ended with a proof and is out at once, and its browser forgotten @full', async ({
  browser,
  installation,
  memberPage,
}) => {
  const member = await installation.member();
  const page = await memberPage(member);
  const other = await browser.newPage();
  await logInElsewhere(other, installation, member);
  await openSecurity(page, installation);
  const sessions = page.getByRole('region', { name: 'Where you are logged in' });
  await expect(sessions.getByRole('row')).toHaveCount(3);
  await expect(sessions.getByText('Chrome, Linux')).toBeVisible();
  await expect(sessions.getByText('This browser')).toHaveCount(1);
  const logIns = page.getByRole('region', { name: 'Log-ins of the last 30 days' });
  await expect(logIns.getByText('password, code by mail')).toBeVisible();
  await press(sessions, 'End');
  const dialog = page.locator('dialog');
  await dialog.getByRole('textbox', { name: 'Your password' }).fill('Wrong-horse-7');
  await press(dialog, 'End');
  await expect(beside(dialog, 'The account or password is not correct.')).toBeVisible();
  await dialog.getByRole('textbox', { name: 'Your password' }).fill(member.password);
  await press(dialog, 'End');
  await heard(page, 'Logged out there.');
  await expect(sessions.getByRole('row')).toHaveCount(2);
  await other.goto(`${installation.url}/dashboard/profile`);
  await expect(other).toHaveURL(/\/login/);
  const trusted = page.getByRole('region', { name: 'Browsers that are trusted' });
  await expect(trusted.getByRole('row')).toHaveCount(3);
  await expect(trusted.getByText('This browser')).toHaveCount(1);
  await press(trusted, 'Forget');
  await dialog.getByRole('textbox', { name: 'Your password' }).fill(member.password);
  await press(dialog, 'Forget');
  await heard(page, 'That browser is forgotten.');
  await expect(trusted.getByRole('row')).toHaveCount(2);
  await other.context().close();
});

test('a number is bound and the address changed by codes to all of them; a wrong, foreign or taken one changes nothing @full', async ({
  installation,
  memberPage,
}) => {
  const member = await installation.member();
  const page = await memberPage(member);
  await openSecurity(page, installation);
  const digits = `80${String(Date.now()).slice(-8)}`;
  await expect(row(page, 'Mobile number')).toContainText('an authenticator or a passkey is safer');
  const mobile = await begin(page, 'Mobile number');
  await mobile.getByRole('combobox', { name: 'Country code' }).selectOption('JP');
  await press(mobile, 'Send code');
  await expect(mobile.getByText('Please enter a correct mobile number!')).toBeVisible();
  await mobile.getByRole('textbox', { name: 'New mobile number' }).fill(`0${digits}`);
  await press(mobile, 'Send code');
  await expect(mobile.getByRole('button', { name: /Send again/ })).toBeVisible();
  await mobile.getByRole('textbox', { name: /Code sent/ }).fill(await codeTo(installation, `+81${digits}`));
  await mobile.getByRole('textbox', { name: 'Your password' }).fill(member.password);
  await press(mobile, 'Set up');
  await expect(row(page, 'Mobile number')).toContainText(`+81******${digits.slice(-2)}`);

  const taken = await installation.member();
  const change = async (dialog: Locator, to: string): Promise<void> => {
    await dialog.getByRole('textbox', { name: 'New email address' }).fill(to);
    await dialog.getByRole('button', { name: 'Send code' }).first().click();
    await expect(dialog.getByRole('button', { name: /Send again/ })).toHaveCount(1);
    await dialog.getByRole('button', { name: 'Send code' }).click();
    await expect(dialog.getByRole('button', { name: /Send again/ })).toHaveCount(2);
    await dialog
      .getByRole('textbox', { name: 'Code sent to the new contact' })
      .fill(await codeTo(installation, to));
    await dialog.getByRole('textbox', { name: 'Your password' }).fill(member.password);
  };
  const present = (dialog: Locator): Locator =>
    dialog.getByRole('textbox', { name: 'Code sent to the present contact' });
  const email = await begin(page, 'Email');
  await change(email, taken.email);
  const right = await codeTo(installation, member.email);
  await present(email).fill(right === '0000' ? '1111' : '0000');
  await press(email, 'Change');
  await expect(beside(email, 'The verification code is not correct or has expired.')).toBeVisible();
  await present(email).fill(right);
  await press(email, 'Change');
  await expect(beside(email, 'This contact already belongs to an account.')).toBeVisible();
  await press(email, 'Cancel');

  const fresh = await begin(page, 'Email');
  const to = `x-${member.email}`;
  await change(fresh, to);
  await present(fresh).fill(await codeTo(installation, member.email));
  await press(fresh, 'Change');
  await expect(row(page, 'Email')).toContainText('x***@e***.org');
  for (const contact of [to, member.email])
    expect((await mailsTo(installation, contact))[0]?.subject).toContain('your address was changed');
});

test('mails begin with the word that was chosen, that of the next change too; a part of it is shown @full', async ({
  installation,
  memberPage,
}) => {
  const member = await installation.member();
  const page = await memberPage(member);
  await openSecurity(page, installation);
  const first = await begin(page, 'Anti-phishing word');
  await first.getByRole('textbox', { name: 'Your word' }).fill('no');
  await first.getByRole('textbox', { name: 'Your password' }).fill(member.password);
  await press(first, 'Set up');
  await expect(first.getByRole('textbox', { name: 'Your word' })).toHaveAttribute('aria-invalid', 'true');
  await first.getByRole('textbox', { name: 'Your word' }).fill('heron');
  await press(first, 'Set up');
  await expect(page.getByText('Setting successful!')).toBeVisible();
  await expect(row(page, 'Anti-phishing word')).toContainText('h***');
  const second = await begin(page, 'Anti-phishing word');
  await second.getByRole('textbox', { name: 'Your word' }).fill('egret');
  await second.getByRole('textbox', { name: 'Your password' }).fill(member.password);
  await press(second, 'Set up');
  await expect(row(page, 'Anti-phishing word')).toContainText('e***');
  expect((await mailsTo(installation, member.email))[0]?.body).toMatch(/^Your word: heron\n/);
});

test('the profile shows who the member is and what he agreed to, and keeps a nickname and the language of mails @full', async ({
  installation,
  memberPage,
}) => {
  const member = await installation.member();
  const page = await memberPage(member);
  await page.goto(`${installation.url}/dashboard`);
  await expect(page).toHaveURL(/\/dashboard\/profile$/);
  await expect(page.getByRole('definition').filter({ hasText: String(member.client.tid) })).toBeVisible();
  await expect(page.getByText(/^Version 1, agreed/)).toHaveCount(2);
  const nickname = page.getByRole('textbox', { name: 'Nickname' });
  await nickname.fill('a');
  await press(page.getByRole('main'), 'Save');
  await expect(nickname).toHaveAttribute('aria-invalid', 'true');
  await nickname.fill('Heron-7');
  await page.getByRole('combobox', { name: 'Language of mails' }).selectOption('ja');
  await press(page.getByRole('main'), 'Save');
  await heard(page, 'Modified successfully!');
  await page.reload();
  await expect(nickname).toHaveValue('Heron-7');
  await expect(page.getByRole('combobox', { name: 'Language of mails' })).toHaveValue('ja');
});

test('what cannot be read says so and is read again when asked @full', async ({
  installation,
  memberPage,
}) => {
  const page = await memberPage(await installation.member());
  const failing = /\/api\/(security\/userinfonew|x\/account\/(Sessions|Devices|LoginHistory))$/;
  for (const path of ['/dashboard/security', '/dashboard/profile']) {
    await page.route(failing, (route) => route.abort());
    await page.goto(`${installation.url}${path}`);
    await expect(page.getByText('This could not be loaded.')).toBeVisible();
    await page.unroute(failing);
    await page.getByRole('button', { name: 'Retry' }).click();
    await expect(page.getByText('This could not be loaded.')).toHaveCount(0);
    await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible();
  }
});

import { expect, type Page } from '@playwright/test';
import { beside, complaintsOf, heard, standsClear, test, toast } from './fixtures.ts';
import type { Member } from './installation.ts';
import { bindAuthenticator, bindMobile, codeTo, mailsTo, otherThan, shownBy } from './security-client.ts';
import { logOut } from './security-page.ts';

/** Logging in past the password, getting back in, and stopping who should not be in. */

const NEW_PASSWORD = 'Better-horse-9';

async function logIn(page: Page, url: string, { email, password }: Pick<Member, 'email' | 'password'>) {
  if (!/\/login/.test(page.url())) await page.goto(`${url}/login`);
  await page.getByRole('textbox', { name: 'Email', exact: true }).fill(email);
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill(password);
  await press(page, 'Log in');
}

function press(page: Page, name: string): Promise<void> {
  return page.getByRole('main').getByRole('button', { name, exact: true }).click();
}

function code(page: Page) {
  return page.getByRole('textbox', { name: 'Verification code' });
}

/** On a phone, twice: one toast, heard once, that lies over neither the field nor the button; the field keeps the words. */
async function isSaidAtField(page: Page, wrong: string): Promise<void> {
  const words = 'The verification code is not correct or has expired.';
  const whole = page.viewportSize() ?? { width: 1440, height: 900 };
  await page.setViewportSize({ width: 390, height: 844 });
  for (const _ of [1, 2]) {
    await code(page).focus();
    await code(page).fill('');
    await page.keyboard.type(wrong);
    const answer = page.waitForResponse(/loginstep2/);
    await page.keyboard.press('Enter');
    await answer;
    await expect(code(page)).toHaveAccessibleDescription(words);
    await expect(beside(page, words)).toBeVisible();
    await expect(toast(page)).toHaveText([words]);
  }
  await expect(page.getByRole('main').locator('[role=alert], [role=status], [aria-live]')).toHaveText([]);
  const button = page.getByRole('main').getByRole('button', { name: 'Log in', exact: true });
  for (const height of [844, 420]) {
    await page.setViewportSize({ width: 390, height });
    await standsClear(page, [code(page), beside(page, words), button]);
  }
  await page.setViewportSize(whole);
}

async function isLoggedIn(page: Page): Promise<void> {
  await expect(page).toHaveURL(/\/wallet\/WalletOverviewSub/);
  await heard(page, 'Login succeeded!');
}

test('a new browser is asked for the mailed code, by keyboard alone; a wrong one is refused in words, and the browser is known after the right one', async ({
  page,
  installation,
}) => {
  const complaints = complaintsOf(page);
  const member = await installation.member();
  await logIn(page, installation.url, member);
  await expect(page).toHaveURL(/\/otp$/);
  await expect(page.getByText('m***@e***.org')).toBeVisible();
  await expect(page.getByRole('button', { name: /Send again/ })).toBeDisabled();
  const right = await codeTo(installation, member.email);
  await expect(code(page)).toBeFocused();
  await isSaidAtField(page, otherThan(right));
  await code(page).fill(right);
  await page.keyboard.press('Enter');
  await isLoggedIn(page);

  await logOut(page);
  await page.goto(`${installation.url}/login`);
  await logIn(page, installation.url, member);
  await isLoggedIn(page);
  expect(complaints.all).toEqual([]);
});

test('a step that nobody asked for leads to the login; five wrong codes do too, with the account still there @full', async ({
  page,
  installation,
}) => {
  for (const path of ['/otp', '/otpauth', '/forgotPassword_B']) {
    await page.goto(`${installation.url}${path}`);
    await expect(page.getByRole('textbox')).toHaveCount(0);
    await expect(page.getByRole('main').getByRole('link')).toHaveCount(1);
  }
  const member = await installation.member();
  await logIn(page, installation.url, member);
  await expect(page).toHaveURL(/\/otp$/);
  const right = await codeTo(installation, member.email);
  for (let tried = 0; tried < 5; tried += 1) {
    const answer = page.waitForResponse(/loginstep2/);
    await code(page).fill(otherThan(right));
    await press(page, 'Log in');
    await answer;
  }
  await code(page).fill(right);
  await press(page, 'Log in');
  await expect(page).toHaveURL(/\/login/);
  await heard(page, 'Please start again from the first step.');
  await expect(page.getByRole('textbox', { name: 'Email', exact: true })).toHaveValue(member.email);
});

test('the authenticator is asked for: a used code and a used recovery code open nothing, fresh ones do @full', async ({
  browser,
  installation,
}) => {
  const member = await installation.member();
  const { secret, codes } = await bindAuthenticator(member.client, member.password);
  const open = async (): Promise<Page> => {
    const page = await browser.newPage();
    await logIn(page, installation.url, member);
    await expect(page).toHaveURL(/\/otpauth$/);
    return page;
  };
  const answer = async (page: Page, factor: string): Promise<void> => {
    await page.getByRole('textbox', { name: /Authenticator code/ }).fill(factor);
    await press(page, 'Log in');
  };
  const first = await open();
  await answer(first, '12345');
  await expect(
    first.getByText('Please enter the 6 digits of the app or a whole recovery code.'),
  ).toBeVisible();
  await answer(first, shownBy(secret, -3));
  await expect(beside(first, 'The authenticator code is not correct or was already used.')).toBeVisible();
  const shown = shownBy(secret);
  await answer(first, `${shown.slice(0, 3)} ${shown.slice(3)}`);
  await isLoggedIn(first);
  const second = await open();
  await answer(second, shown);
  await expect(beside(second, 'The authenticator code is not correct or was already used.')).toBeVisible();
  await answer(second, codes[0] ?? '');
  await isLoggedIn(second);
  const third = await open();
  await answer(third, codes[0] ?? '');
  await expect(beside(third, 'The authenticator code is not correct or was already used.')).toBeVisible();
  await answer(third, (codes[1] ?? '').toLowerCase());
  await isLoggedIn(third);
  for (const page of [first, second, third]) await page.context().close();
});

test('a mobile number with its country logs in; what is no number is refused before anything is sent @full', async ({
  page,
  installation,
}) => {
  const member = await installation.member();
  const digits = String(Date.now()).slice(-8);
  await bindMobile(installation, member.client, { password: member.password, mobile: `+8190${digits}` });
  // Without the list of countries a number has no country, and is nobody's.
  await page.route(/common\/country/, (route) => route.abort());
  await page.goto(`${installation.url}/login`);
  await page.getByRole('button', { name: 'Mobile number' }).click();
  await page.getByRole('textbox', { name: 'Mobile number' }).fill('9012345678');
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill(member.password);
  await press(page, 'Log in');
  await expect(beside(page, 'The mobile number is not valid.')).toBeVisible();
  await page.unroute(/common\/country/);
  await page.reload();
  await page.getByRole('button', { name: 'Mobile number' }).click();
  await page.getByRole('combobox', { name: 'Country code' }).selectOption('JP');
  const number = page.getByRole('textbox', { name: 'Mobile number' });
  await number.fill('12');
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill(member.password);
  await press(page, 'Log in');
  await expect(beside(page, 'The mobile number is not valid.')).toBeVisible();
  await number.fill(`090-${digits.slice(0, 4)}-${digits.slice(4)}`);
  await expect(page.getByText(`Sent as +8190${digits}`)).toBeVisible();
  await press(page, 'Log in');
  await expect(page).toHaveURL(/\/otp$/);
  await code(page).fill(await codeTo(installation, member.email));
  await press(page, 'Log in');
  await isLoggedIn(page);
});

test('a lost authenticator: mailbox and phone together begin a wait of a day, and nothing less does @full', async ({
  page,
  installation,
}) => {
  const without = await installation.member();
  await bindAuthenticator(without.client, without.password);
  await logIn(page, installation.url, without);
  await page.getByRole('button', { name: 'Lost your authenticator?' }).click();
  await press(page, 'Send both codes');
  await expect(beside(page, 'Resetting needs both phone and email to be bound.').last()).toBeVisible();

  const member = await installation.member();
  const mobile = `+8180${String(Date.now()).slice(-8)}`;
  await bindMobile(installation, member.client, { password: member.password, mobile });
  await bindAuthenticator(member.client, member.password);
  await page.goto(`${installation.url}/login`);
  await logIn(page, installation.url, member);
  await page.getByRole('button', { name: 'Lost your authenticator?' }).click();
  await press(page, 'Send both codes');
  const [first, second] = [page.getByLabel(/Code sent to m\*/), page.getByLabel(/Code sent to \+81\*/)];
  await expect(second).toBeVisible();
  const [ofMail, ofPhone] = [await codeTo(installation, member.email), await codeTo(installation, mobile)];
  await first.fill(ofMail);
  await second.fill(otherThan(ofPhone));
  await press(page, 'Reset the authenticator');
  await expect(beside(page, 'The verification code is not correct or has expired.')).toBeVisible();
  await second.fill(ofPhone);
  await press(page, 'Reset the authenticator');
  await expect(
    page.getByText(/^In 24 hours neither authenticator nor passkey will be asked for any more/),
  ).toBeVisible();
});

test('a forgotten password: the code sets a new one once, whoever else has it open, and all sessions end', async ({
  page,
  installation,
}) => {
  const member = await installation.member();
  const prove = async (tab: Page): Promise<void> => {
    await code(tab).fill(await codeTo(installation, member.email));
    await press(tab, 'Next');
    await expect(tab).toHaveURL(/\/forgotPassword_B$/);
  };
  await page.goto(`${installation.url}/login`);
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  // The page of before has a field of that name too, and stands until this one is read.
  await expect(page.getByRole('heading', { name: 'Password recovery' })).toBeVisible();
  await page.getByRole('textbox', { name: 'Email' }).fill(member.email);
  await press(page, 'Send code');
  await heard(page, 'Successfully sent!');
  await code(page).fill(otherThan(await codeTo(installation, member.email)));
  await press(page, 'Next');
  await expect(beside(page, 'The verification code is not correct or has expired.')).toBeVisible();
  await prove(page);
  const other = await page.context().newPage();
  await other.goto(`${installation.url}/forgotPassword_A`);
  await other.getByRole('textbox', { name: 'Email' }).fill(member.email);
  await prove(other);

  const set = async (tab: Page, password: string): Promise<void> => {
    await tab.getByRole('textbox', { name: 'New password' }).fill(password);
    await tab.getByRole('textbox', { name: 'Confirm password' }).fill(password);
    await press(tab, 'Set the password');
  };
  await set(page, 'short');
  await expect(page.getByText(/The password is missing/)).toBeVisible();
  await set(page, member.password);
  await expect(beside(page, 'The new password is the one you have now.')).toBeVisible();
  await set(page, NEW_PASSWORD);
  await heard(page, 'Modified successfully!');
  await expect(page).toHaveURL(/\/login$/);
  expect((await member.client.call('security/userinfo')).code).toBe(-2);
  await set(other, 'Worse-horse-8');
  await expect(other).toHaveURL(/\/forgotPassword_A/);
  await heard(other, 'Please start again from the first step.');

  await press(page, 'Log in');
  await expect(page.getByText('Please enter your password.')).toBeVisible();
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill(NEW_PASSWORD);
  await press(page, 'Log in');
  await expect(page).toHaveURL(/\/otp$/);
});

test('a form says what is wrong with each field: address, each class that a password lacks, its confirmation @full', async ({
  page,
  installation,
}) => {
  await page.goto(`${installation.url}/regist`);
  await page.getByRole('textbox', { name: 'Email' }).fill('nobody');
  await press(page, 'Send code');
  await expect(page.getByText('Please enter a correct email address!')).toBeVisible();
  await press(page, 'Sign up');
  await expect(beside(page, 'The email address is not valid.')).toBeVisible();
  // The first wrong field as the form is read, not as it was made.
  await expect(page.getByRole('textbox', { name: 'Email' })).toBeFocused();
  await expect(page.getByText('Please agree to the Terms of Service and the Privacy Policy.')).toBeVisible();
  const password = page.getByRole('textbox', { name: 'Password', exact: true });
  for (const [typed, hint] of [
    ['Aa1!x', 'At least 6 characters'],
    ['Abcdef!', 'A number'],
    ['abcde1!', 'An uppercase letter'],
    ['ABCDE1!', 'A lowercase letter'],
    ['Abcde1x', 'A special character'],
  ] as const) {
    await password.fill(typed);
    await expect(page.getByRole('listitem').filter({ hasText: ': missing' })).toHaveText([
      `${hint}: missing`,
    ]);
  }
  await password.fill('Correct-horse-7');
  await page.getByRole('textbox', { name: 'Confirm password' }).fill('Correct-horse-8');
  await press(page, 'Sign up');
  await expect(page.getByText('The passwords do not match.')).toBeVisible();
});

test('the mailbox alone never gets past an authenticator; with a recovery code it does @full', async ({
  page,
  installation,
}) => {
  const member = await installation.member();
  const { codes } = await bindAuthenticator(member.client, member.password);
  await page.goto(`${installation.url}/forgotPassword_A`);
  await page.getByRole('textbox', { name: 'Email' }).fill(member.email);
  await press(page, 'Send code');
  await page.getByRole('button', { name: 'Use it' }).click();
  await press(page, 'Next');
  await page.getByRole('textbox', { name: 'New password' }).fill(NEW_PASSWORD);
  await page.getByRole('textbox', { name: 'Confirm password' }).fill(NEW_PASSWORD);
  await press(page, 'Set the password');
  await expect(page.getByText(/This account has a second factor/)).toBeVisible();
  await page.getByRole('textbox', { name: /Authenticator code/ }).fill(codes[4] ?? '');
  await press(page, 'Set the password');
  await heard(page, 'Modified successfully!');
});

test('"this was not me": opening the link does nothing, its button freezes, and the mailbox opens the account again @full', async ({
  page,
  installation,
}) => {
  const member = await installation.member();
  // A first number is a change that is mailed with the link.
  const mobile = `+8170${String(Date.now()).slice(-8)}`;
  await bindMobile(installation, member.client, { password: member.password, mobile });
  const mails = await mailsTo(installation, member.email);
  const link = mails.map(({ body }) => /http\S+\/freeze#\S+/.exec(body)?.[0]).find(Boolean) ?? '';
  const path = link.replace(/^http:\/\/[^/]+/, '');
  await page.goto(`${installation.url}/freeze`);
  await expect(page.getByText('This link is not complete.')).toBeVisible();
  await page.goto(`${installation.url}/about`);
  await page.goto(`${installation.url}${path.slice(0, -3)}xxx`);
  await press(page, 'This was not me: freeze the account');
  await expect(beside(page, 'Please start again from the first step.')).toBeVisible();
  await page.goto(`${installation.url}/about`);
  await page.goto(`${installation.url}${path}`);
  await expect(page.getByText('nothing has happened yet')).toBeVisible();
  expect((await member.client.call('security/userinfo')).code).toBe(1);
  await press(page, 'This was not me: freeze the account');
  await expect(page.getByRole('heading', { name: 'The account is frozen' })).toBeVisible();
  expect((await member.client.call('security/userinfo')).code).toBe(-2);

  await page.goto(`${installation.url}/login`);
  await logIn(page, installation.url, member);
  await page.getByRole('button', { name: 'Use it' }).click();
  await press(page, 'Log in');
  await heard(page, 'This account is frozen. Please open it again first.');
  await expect(page.getByRole('heading', { name: 'Open a frozen account' })).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Email' })).toHaveValue(member.email);
  await press(page, 'Send code');
  await heard(page, 'Successfully sent!');
  await code(page).fill(await codeTo(installation, member.email));
  await press(page, 'Next');
  await page.getByRole('textbox', { name: 'New password' }).fill(NEW_PASSWORD);
  await page.getByRole('textbox', { name: 'Confirm password' }).fill(NEW_PASSWORD);
  await press(page, 'Set the password');
  await heard(page, 'Modified successfully!');
  await logIn(page, installation.url, { email: member.email, password: NEW_PASSWORD });
  await expect(page).toHaveURL(/\/otp$/);
});

import { type Browser, expect, type Locator, type Page } from '@playwright/test';
import { complaintsOf, heard, test, toast } from './fixtures.ts';
import { over } from './hub-database.ts';
import type { Installation } from './installation.ts';
import { bindAuthenticator, codeTo, otherThan, shownBy } from './security-client.ts';

/** Codes and tickets that are late, used, somebody else's, guessed at or in two tabs, as whoever sits before the page meets them. */

const PASSWORD = 'Correct-horse-7';
const CODE_WRONG = 'The verification code is not correct or has expired.';
const AGAIN = 'Please start again from the first step.';
const TRIES_MAX = 5;

function field(page: Page, name: string | RegExp): Locator {
  return page.getByRole('main').getByRole('textbox', { name, exact: true });
}

function press(page: Page, name: string): Promise<void> {
  return page.getByRole('main').getByRole('button', { name, exact: true }).click();
}

/** A page in a browser of its own, whose clock can be moved: "Send again" counts down a minute. */
async function newPage(browser: Browser, url: string): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await page.clock.install();
  await page.goto(url);
  return page;
}

/** Asks for a code, the next one a minute after the last. @returns what was sent. */
async function asks(page: Page, installation: Installation, contact: string): Promise<string> {
  while (await page.getByRole('button', { name: /^Send again/ }).count()) await page.clock.runFor(1_000);
  await press(page, 'Send code');
  await heard(page, 'Successfully sent!');
  return codeTo(installation, contact);
}

/** Types a code and sends the form: it is refused in words at its field, and stays where it was. */
async function refuses(page: Page, code: string, button: string): Promise<void> {
  await field(page, 'Verification code').fill(code);
  const answered = page.waitForResponse(/\/api\/user\/(checkcode|loginstep2)/);
  await press(page, button);
  await answered;
  await expect(field(page, 'Verification code')).toHaveAccessibleDescription(CODE_WRONG);
  await expect(field(page, 'Verification code')).toHaveValue(code);
}

async function guesses(page: Page, right: string, button: string): Promise<void> {
  for (let tried = 0; tried < TRIES_MAX; tried += 1) await refuses(page, otherThan(right), button);
  await refuses(page, right, button);
}

/**
 * Of two that try at once one is in. The other is told why not, or is answered like the first, or led on by its session, as quickly as
 * the two came.
 * @returns the other where it is not in.
 */
async function theOther(both: readonly Page[], said: RegExp | string): Promise<Page | undefined> {
  const isIn = (page: Page) => page.url().includes('/wallet/');
  await expect.poll(() => both.some(isIn)).toBe(true);
  const late = both.find((page) => !isIn(page));
  if (late === undefined) return undefined;
  const refusal = late.getByRole('main').getByText(said).first();
  await expect.poll(async () => isIn(late) || (await refusal.isVisible())).toBe(true);
  return isIn(late) ? undefined : late;
}

/** In a sign-up it has kept what was typed. */
async function oneSignsUp(both: readonly Page[]): Promise<void> {
  const late = await theOther(both, /code is not correct|already registered|start again/);
  if (late !== undefined) await expect(field(late, 'Password')).toHaveValue(PASSWORD);
  for (const page of both)
    await expect(page.getByRole('banner').getByRole('button', { name: 'Wallet' })).toBeVisible();
}

async function fillsSignUp(page: Page, email: string): Promise<void> {
  await field(page, 'Email').fill(email);
  await field(page, 'Password').fill(PASSWORD);
  await field(page, 'Confirm password').fill(PASSWORD);
  await page.getByRole('checkbox', { name: /Terms of Service/ }).check();
}

test('a code of a sign-up that is foreign, late, replaced, guessed at or used is refused at its field with all that was typed, and two tabs make one account @full', async ({
  browser,
  installation,
}) => {
  const email = `hostile-${Date.now()}@example.org`;
  const page = await newPage(browser, `${installation.url}/regist`);
  const complaints = complaintsOf(page);
  await fillsSignUp(page, email);
  const first = await asks(page, installation, email);

  const stranger = await newPage(browser, `${installation.url}/regist`);
  await fillsSignUp(stranger, email);
  await refuses(stranger, first, 'Sign up');
  await over(installation, 'codes');
  await refuses(page, first, 'Sign up');
  await guesses(page, await asks(page, installation, email), 'Sign up');
  const third = await asks(page, installation, email);
  if (first !== third) await refuses(page, first, 'Sign up');
  await expect(field(page, 'Email')).toHaveValue(email);
  await expect(field(page, 'Password')).toHaveValue(PASSWORD);
  await expect(page.getByRole('checkbox', { name: /Terms of Service/ })).toBeChecked();

  const tab = await page.context().newPage();
  await tab.goto(`${installation.url}/regist`);
  await fillsSignUp(tab, email);
  await field(tab, 'Verification code').fill(third);
  await field(page, 'Verification code').fill(third);
  await Promise.all([press(page, 'Sign up'), press(tab, 'Sign up')]);
  await oneSignsUp([page, tab]);
  expect(complaints.all).toEqual([]);
});

test('keeping a demo: a code of another demo, a late one and one that was used in another tab keep nothing, and the demo stays what it was @full', async ({
  browser,
  installation,
}) => {
  const email = `keeps-${Date.now()}@example.org`;
  const keep = 'Keep this account';
  const tries = async (): Promise<Page> => {
    const page = await newPage(browser, installation.url);
    await press(page, 'Try it now with test funds');
    await expect(page).toHaveURL(/\/spot\//);
    await page.getByRole('complementary', { name: 'Demo account' }).getByRole('link', { name: keep }).click();
    await fillsSignUp(page, email);
    return page;
  };
  const [page, stranger] = [await tries(), await tries()];
  const first = await asks(page, installation, email);
  const theirs = await asks(stranger, installation, email);
  if (first !== theirs) await refuses(page, theirs, keep);
  await over(installation, 'codes');
  await refuses(page, first, keep);
  const code = await asks(page, installation, email);
  const tab = await page.context().newPage();
  await tab.goto(`${installation.url}/regist`);
  await fillsSignUp(tab, email);
  for (const one of [page, tab]) await field(one, 'Verification code').fill(code);
  await Promise.all([press(page, keep), press(tab, keep)]);
  await oneSignsUp([page, tab]);
  await expect(stranger.getByRole('complementary', { name: 'Demo account' })).toBeVisible();
});

test('a code for a new browser: late, of another log-in, guessed at, used or without its ticket it opens nothing, and the account is not typed twice @full', async ({
  browser,
  installation,
}) => {
  const member = await installation.member();
  await over(installation, 'budgets');
  const begin = async (page: Page): Promise<string> => {
    await field(page, 'Email').fill(member.email);
    await field(page, 'Password').fill(PASSWORD);
    await press(page, 'Log in');
    await expect(page).toHaveURL(/\/otp$/);
    return codeTo(installation, member.email);
  };
  const page = await newPage(browser, `${installation.url}/login`);
  const complaints = complaintsOf(page);
  const first = await begin(page);
  const stranger = await newPage(browser, `${installation.url}/login`);
  const theirs = await begin(stranger);
  if (theirs !== first) {
    await refuses(page, theirs, 'Log in');
    await refuses(stranger, first, 'Log in');
  }
  await over(installation, 'codes');
  await refuses(page, first, 'Log in');
  const second = await asks(page, installation, member.email);
  await over(installation, 'tickets');
  await field(page, 'Verification code').fill(second);
  await press(page, 'Log in');
  await expect(page).toHaveURL(/\/login$/);
  await heard(page, AGAIN);
  await expect(field(page, 'Email')).toHaveValue(member.email);
  // Each tab has a ticket of its own, and the newest code is the browser's.
  await over(installation, 'budgets');
  const tab = await page.context().newPage();
  await tab.goto(`${installation.url}/login`);
  const both = [page, tab];
  for (const one of both) await begin(one);
  const newest = await codeTo(installation, member.email);
  for (const one of both) await field(one, 'Verification code').fill(newest);
  await Promise.all(both.map((one) => press(one, 'Log in')));
  const late = await theOther(both, CODE_WRONG);
  if (late !== undefined)
    await expect(field(late, 'Verification code')).toHaveAccessibleDescription(CODE_WRONG);
  expect(complaints.all).toEqual([]);
});

test('a forgotten password: a code that is late, foreign or guessed at and a proof that is late or used set nothing, and lead back with the account @full', async ({
  browser,
  installation,
}) => {
  const { email } = await installation.member();
  await over(installation, 'budgets');
  const page = await newPage(browser, `${installation.url}/forgotPassword_A`);
  const complaints = complaintsOf(page);
  const proves = async (code: string): Promise<void> => {
    await field(page, 'Verification code').fill(code);
    await press(page, 'Next');
    await expect(page).toHaveURL(/\/forgotPassword_B$/);
  };
  await field(page, 'Email').fill(email);
  const first = await asks(page, installation, email);
  const stranger = await newPage(browser, `${installation.url}/forgotPassword_A`);
  await field(stranger, 'Email').fill(email);
  await refuses(stranger, first, 'Next');
  await over(installation, 'codes');
  await refuses(page, first, 'Next');
  await guesses(page, await asks(page, installation, email), 'Next');
  await proves(await asks(page, installation, email));
  await over(installation, 'codes');
  await field(page, 'New password').fill('Better-horse-9');
  await field(page, 'Confirm password').fill('Better-horse-9');
  await press(page, 'Set the password');
  await expect(page).toHaveURL(/\/forgotPassword_A/);
  await heard(page, AGAIN);
  await expect(field(page, 'Email')).toHaveValue(email);
  expect(complaints.all).toEqual([]);
});

test('the step of an authenticator: a ticket that is late or guessed out begins again, and of one recovery code in two browsers at once one is in @full', async ({
  browser,
  installation,
}) => {
  const member = await installation.member();
  const { secret, codes } = await bindAuthenticator(member.client, member.password);
  const begin = async (page: Page): Promise<void> => {
    await field(page, 'Email').fill(member.email);
    await field(page, 'Password').fill(PASSWORD);
    await press(page, 'Log in');
    await expect(page).toHaveURL(/\/otpauth$/);
  };
  const answers = async (page: Page, factor: string): Promise<void> => {
    await field(page, /Authenticator code/).fill(factor);
    await press(page, 'Log in');
  };
  const beginsAgain = async (page: Page): Promise<void> => {
    await expect(page).toHaveURL(/\/login$/);
    // The same words twice are one toast.
    await expect(toast(page).filter({ hasText: AGAIN })).toBeVisible();
    await expect(field(page, 'Email')).toHaveValue(member.email);
  };
  const page = await newPage(browser, `${installation.url}/login`);
  await begin(page);
  await over(installation, 'tickets');
  await answers(page, shownBy(secret));
  await beginsAgain(page);
  await begin(page);
  for (let tried = 0; tried < TRIES_MAX; tried += 1) {
    const answered = page.waitForResponse(/loginstep2/);
    await answers(page, shownBy(secret, -9 - tried));
    await answered;
  }
  await expect(field(page, /Authenticator code/)).toHaveAccessibleDescription(
    'The authenticator code is not correct or was already used.',
  );
  await answers(page, shownBy(secret));
  await beginsAgain(page);
  const other = await newPage(browser, `${installation.url}/login`);
  const both = [page, other];
  for (const one of both) await begin(one);
  for (const one of both) await field(one, /Authenticator code/).fill(codes[0] ?? '');
  await Promise.all(both.map((one) => press(one, 'Log in')));
  const late = await theOther(both, /was already used/);
  if (late === undefined) throw new Error('both are in');
  await expect(field(late, /Authenticator code/)).toHaveAccessibleDescription(
    'The authenticator code is not correct or was already used.',
  );
  await answers(late, codes[1] ?? '');
  await expect(late).toHaveURL(/\/wallet\//);
});

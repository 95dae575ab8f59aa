import { type Browser, expect, type Page, type Request, type Route } from '@playwright/test';
import { beside, complaintsOf, heard, test, toast } from './fixtures.ts';
import { over } from './hub-database.ts';
import type { Installation, Member } from './installation.ts';
import { addPasskey, named, withAuthenticator } from './passkey-page.ts';
import { bindAuthenticator, bindMobile, codeTo, otherThan, shownBy } from './security-client.ts';
import { begin, logOut, openSecurity, press, row } from './security-page.ts';

/** What stands in place of an authenticator that is lost, and passkeys: late, used, somebody else's, guessed at or in two tabs. */

const AGAIN = 'Please start again from the first step.';
const CODE_WRONG = 'The verification code is not correct or has expired.';
const FACTOR_WRONG = 'The authenticator code is not correct or was already used.';
const PASSKEY_WRONG = 'The passkey was not accepted. Please try again.';

async function newPage(browser: Browser, url: string): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await page.goto(url);
  return page;
}

/** Logs in up to the step of the second factor. */
async function password(page: Page, member: Member): Promise<void> {
  await page.getByRole('textbox', { name: 'Email', exact: true }).fill(member.email);
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill(member.password);
  await press(page.getByRole('main'), 'Log in');
  await expect(page).toHaveURL(/\/otpauth$/);
}

/** Back at the log-in, which says why and has kept the account. */
async function beginsAgain(page: Page, { email }: Member): Promise<void> {
  await expect(page).toHaveURL(/\/login$/);
  await expect(toast(page).filter({ hasText: AGAIN })).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Email', exact: true })).toHaveValue(email);
}

async function isIn(page: Page): Promise<void> {
  await expect(page).toHaveURL(/\/wallet\/WalletOverviewSub/);
}

/** Both codes of a reset. */
interface Codes {
  readonly mail: string;
  readonly phone: string;
}

/** Asks for the codes of a reset. */
async function asksBoth(
  page: Page,
  installation: Installation,
  { member, mobile }: { readonly member: Member; readonly mobile: string },
): Promise<Codes> {
  await password(page, member);
  await page.getByRole('button', { name: 'Lost your authenticator?' }).click();
  await press(page.getByRole('main'), 'Send both codes');
  await expect(page.getByLabel(/Code sent to \+81\*/)).toBeVisible();
  return { mail: await codeTo(installation, member.email), phone: await codeTo(installation, mobile) };
}

/** Types both codes, and sends them. */
async function resets(page: Page, { mail, phone }: Codes): Promise<void> {
  await page.getByLabel(/Code sent to m\*/).fill(mail);
  await page.getByLabel(/Code sent to \+81\*/).fill(phone);
  const answered = page.waitForResponse(/OtpResetFinish/);
  await press(page.getByRole('main'), 'Reset the authenticator');
  await answered;
}

test('the reset of an authenticator: codes of another browser, late or guessed out and a ticket that is late reset nothing and begin again with the account; of two tabs one begins the wait, and codes serve once @full', async ({
  browser,
  installation,
}) => {
  const member = await installation.member();
  const mobile = `+8180${String(Date.now()).slice(-8)}`;
  await bindMobile(installation, member.client, { password: member.password, mobile });
  const { secret } = await bindAuthenticator(member.client, member.password);
  const asks = async (page: Page): Promise<Codes> => {
    await over(installation, 'budgets');
    return asksBoth(page, installation, { member, mobile });
  };
  const page = await newPage(browser, `${installation.url}/login`);
  const complaints = complaintsOf(page);
  const own = await asks(page);
  const stranger = await newPage(browser, `${installation.url}/login`);
  const theirs = await asks(stranger);
  const refused = () => expect(beside(page, CODE_WRONG)).toBeVisible();
  if (theirs.mail !== own.mail || theirs.phone !== own.phone) {
    await resets(page, theirs);
    await refused();
  }
  await over(installation, 'codes');
  await resets(page, own);
  await refused();
  // A ticket has five tries, whatever was typed.
  for (let tried = 2; tried < 5; tried += 1) {
    await resets(page, { ...own, phone: otherThan(own.phone) });
    await refused();
  }
  await resets(page, own);
  await beginsAgain(page, member);
  const late = await asks(page);
  await over(installation, 'tickets');
  await resets(page, late);
  await beginsAgain(page, member);

  const tab = await page.context().newPage();
  await tab.goto(`${installation.url}/login`);
  const both = [page, tab];
  const asked: Codes[] = [];
  for (const one of both) asked.push(await asks(one));
  const newest = asked[1] as Codes;
  await Promise.all(both.map((one) => resets(one, newest)));
  const waits = (one: Page) => one.getByText(/^In 24 hours neither authenticator nor passkey/);
  const counts = async () => Promise.all(both.map((one) => waits(one).count()));
  await expect.poll(async () => (await counts()).join()).toMatch(/^(1,0|0,1)$/);
  const [done = page, second = tab] = (await counts())[0] === 1 ? [page, tab] : [tab, page];
  // The codes are used; where both came in the same moment, so is the ticket.
  await expect(beside(second, CODE_WRONG).or(second.getByRole('heading', { name: 'Log in' }))).toBeVisible();
  await second.goto(`${installation.url}/login`);
  await asks(second);
  await resets(second, newest);
  await expect(beside(second, CODE_WRONG)).toBeVisible();
  // Until the day is over the authenticator logs in, and that ends the wait.
  await done.goto(`${installation.url}/login`);
  await over(installation, 'budgets');
  await password(done, member);
  await done.getByRole('textbox', { name: /Authenticator code/ }).fill(shownBy(secret));
  await press(done.getByRole('main'), 'Log in');
  await isIn(done);
  expect(complaints.all).toEqual([]);
  for (const one of [page, stranger]) await one.context().close();
});

test('recovery codes made anew: of two tabs with one code of the app one makes them, those of before and of somebody else are refused, and each new one serves once @full', async ({
  browser,
  installation,
  memberPage,
}) => {
  const [member, other] = [await installation.member(), await installation.member()];
  const { secret, codes: former } = await bindAuthenticator(member.client, member.password);
  const foreign = await bindAuthenticator(other.client, other.password);
  const page = await memberPage(member);
  const complaints = complaintsOf(page);
  const tab = await page.context().newPage();
  const both = [page, tab];
  for (const one of both) await openSecurity(one, installation);
  const shown = (one: Page) => one.getByRole('alertdialog', { name: 'Your recovery codes' });
  const renews = async (one: Page, totp: string): Promise<void> => {
    const dialog = one.getByRole('dialog');
    if ((await dialog.count()) === 0) await begin(one, 'Recovery codes');
    await dialog.getByRole('textbox', { name: 'Authenticator code' }).fill(totp);
    await press(dialog, 'Make new recovery codes');
  };
  await over(installation, 'factorCodes');
  const totp = shownBy(secret);
  await Promise.all(both.map((one) => renews(one, totp)));
  await expect.poll(async () => (await shown(page).count()) + (await shown(tab).count())).toBe(1);
  const [first = page, second = tab] = (await shown(page).count()) === 1 ? [page, tab] : [tab, page];
  await expect(beside(second.getByRole('dialog'), FACTOR_WRONG)).toBeVisible();
  const codesOf = async (one: Page): Promise<readonly string[]> => {
    await expect(shown(one).getByRole('listitem')).toHaveCount(10);
    return shown(one).getByRole('listitem').allTextContents();
  };
  const replaced = await codesOf(first);
  await press(shown(first), 'I have saved them');
  await over(installation, 'factorCodes');
  await renews(second, shownBy(secret));
  const codes = await codesOf(second);
  await press(shown(second), 'I have saved them');
  expect(new Set([...former, ...replaced, ...codes]).size).toBe(30);

  await over(installation, 'budgets');
  const elsewhere = await newPage(browser, `${installation.url}/login`);
  await password(elsewhere, member);
  const field = elsewhere.getByRole('textbox', { name: /Authenticator code/ });
  const answers = async (code = ''): Promise<void> => {
    await field.fill(code);
    await press(elsewhere.getByRole('main'), 'Log in');
  };
  for (const code of [former[0], replaced[0], foreign.codes[0]]) {
    const answered = elsewhere.waitForResponse(/loginstep2/);
    await answers(code);
    await answered;
    await expect(field).toHaveAccessibleDescription(FACTOR_WRONG);
    await expect(field).toHaveValue(code ?? '');
  }
  await answers(codes[0]);
  await isIn(elsewhere);
  await openSecurity(page, installation);
  await expect(row(page, 'Recovery codes')).toContainText('9 left');
  const again = await newPage(browser, `${installation.url}/login`);
  await password(again, member);
  await again.getByRole('textbox', { name: /Authenticator code/ }).fill(codes[0] ?? '');
  await press(again.getByRole('main'), 'Log in');
  await expect(beside(again, FACTOR_WRONG)).toBeVisible();
  expect(complaints.all).toEqual([]);
  for (const one of [elsewhere, again]) await one.context().close();
});

/** The form that a call was sent with. */
function formOf(request: Request): URLSearchParams {
  return new URLSearchParams(request.postData() ?? '');
}

/** While something is done a call goes out with a field of another one. */
async function withField(
  page: Page,
  { call, field, value }: { readonly call: string; readonly field: string; readonly value: string },
  act: () => Promise<void>,
): Promise<void> {
  const path = `**/api/${call}`;
  await page.route(path, (route: Route) => {
    const form = formOf(route.request());
    form.set(field, value);
    return route.continue({ postData: form.toString() });
  });
  await act();
  await page.unroute(path);
}

/** What a call of a page was sent with, while something is done. */
async function sentBy(
  page: Page,
  { call, field }: { readonly call: string; readonly field: string },
  act: () => Promise<void>,
): Promise<string> {
  const sent = page.waitForRequest(`**/api/${call}`);
  await act();
  return formOf(await sent).get(field) ?? '';
}

test('an answer of a passkey serves once, in the browser, the log-in and the session that was asked; any other is refused in words, and the next one serves @full', async ({
  browser,
  installation,
}) => {
  const [member, stranger] = [await installation.member(), await installation.member()];
  const opened = await withAuthenticator(browser, installation, member);
  const { page, device, id } = opened;
  const complaints = complaintsOf(page);
  const registered = { call: 'x/passkey/Register', field: 'credential' };
  const credential = await sentBy(page, registered, async () => {
    await addPasskey(page, installation, member);
  });
  // Made for the session of one member it is nobody else's.
  const foreign = await withAuthenticator(browser, installation, stranger);
  await foreign.page.goto(`${named(installation)}/dashboard/security`);
  await press(foreign.page.getByRole('main'), 'Add a passkey');
  const dialog = foreign.page.locator('dialog');
  await dialog.getByRole('textbox', { name: 'Your password' }).fill(stranger.password);
  await withField(foreign.page, { ...registered, value: credential }, async () => {
    await press(dialog, 'Add');
    await expect(beside(dialog, PASSKEY_WRONG)).toBeVisible();
  });
  await press(dialog, 'Add');
  await press(foreign.page.getByRole('alertdialog'), 'I have saved them');
  await expect(foreign.page.getByRole('region', { name: 'Passkeys' }).getByRole('row')).toHaveCount(2);

  // The proof of an act, once more.
  const stepUp = { call: 'x/account/StepUp', field: 'passkey' };
  const renewed = page.getByRole('alertdialog', { name: 'Your recovery codes' });
  const renew = async (): Promise<void> => {
    const asking = await begin(page, 'Recovery codes');
    await press(asking, 'Make new recovery codes');
  };
  const used = await sentBy(page, stepUp, renew);
  await press(renewed, 'I have saved them');
  await withField(page, { ...stepUp, value: used }, async () => {
    await renew();
    await expect(beside(page.getByRole('dialog'), PASSKEY_WRONG)).toBeVisible();
  });
  await press(page.getByRole('dialog'), 'Make new recovery codes');
  await press(renewed, 'I have saved them');

  await logOut(page);
  const logIn = `${named(installation)}/login`;
  const byPasskey = (of: Page) => press(of.getByRole('main'), 'Sign in with a passkey');
  const login = { call: 'x/passkey/Login', field: 'passkey' };
  await page.goto(logIn);
  const answer = await sentBy(page, login, () => byPasskey(page));
  await isIn(page);
  await logOut(page);
  await page.goto(logIn);
  await withField(page, { ...login, value: answer }, async () => {
    await byPasskey(page);
    await expect(beside(page, PASSKEY_WRONG)).toBeVisible();
  });

  // The same passkey in another browser, as clouds bring it there, and what the first one was asked.
  const { credentials } = await device.send('WebAuthn.getCredentials', { authenticatorId: id });
  const other = await withAuthenticator(browser, installation);
  for (const one of credentials)
    await other.device.send('WebAuthn.addCredential', { authenticatorId: other.id, credential: one });
  const unanswered = async (pressed: () => Promise<void>): Promise<string> => {
    await device.send('WebAuthn.setUserVerified', { authenticatorId: id, isUserVerified: false });
    const options = page.waitForResponse(/LoginOptions/);
    await pressed();
    await expect(beside(page, 'Nothing was confirmed. Please try again.')).toBeVisible();
    await device.send('WebAuthn.setUserVerified', { authenticatorId: id, isUserVerified: true });
    return (await options).text();
  };
  const asElsewhere = async (body: string, act: () => Promise<void>): Promise<void> => {
    await other.page.route('**/api/x/passkey/LoginOptions', (route) =>
      route.fulfill({ contentType: 'application/json', body }),
    );
    await act();
    await expect(beside(other.page, PASSKEY_WRONG)).toBeVisible();
    await other.page.unroute('**/api/x/passkey/LoginOptions');
    await act();
    await isIn(other.page);
  };
  await other.page.goto(logIn);
  await asElsewhere(await unanswered(() => byPasskey(page)), () => byPasskey(other.page));
  await logOut(other.page);
  const step = (of: Page) => press(of.getByRole('main'), 'Use your passkey');
  for (const one of [page, other.page]) {
    await one.goto(logIn);
    await password(one, member);
  }
  await asElsewhere(await unanswered(() => step(page)), () => step(other.page));
  await over(installation, 'tickets');
  await step(page);
  await beginsAgain(page, member);
  // The other has counted on: who is behind is a copy.
  await byPasskey(page);
  await expect(beside(page, PASSKEY_WRONG)).toBeVisible();
  expect(complaints.all).toEqual([]);
  for (const one of [page, foreign.page, other.page]) await one.context().close();
});

test('a passkey that another tab has removed is neither renamed nor removed twice, and each tab shows that it is gone @full', async ({
  browser,
  installation,
}) => {
  const member = await installation.member();
  const { secret } = await bindAuthenticator(member.client, member.password);
  const { page } = await withAuthenticator(browser, installation, member);
  const complaints = complaintsOf(page);
  await page.goto(`${named(installation)}/dashboard/security`);
  await press(page.getByRole('main'), 'Add a passkey');
  await over(installation, 'factorCodes');
  await page.getByRole('dialog').getByRole('textbox', { name: 'Authenticator code' }).fill(shownBy(secret));
  await press(page.getByRole('dialog'), 'Add');
  const passkeys = (of: Page) => of.getByRole('region', { name: 'Passkeys' });
  await expect(passkeys(page)).toBeVisible();
  const tabs = [await page.context().newPage(), await page.context().newPage()] as const;
  for (const [tab, act] of [
    [page, 'Remove'],
    [tabs[0], 'Remove'],
    [tabs[1], 'Rename'],
  ] as const) {
    await tab.goto(`${named(installation)}/dashboard/security`);
    await press(passkeys(tab), `${act}: Chrome, Linux`);
  }
  for (const tab of [page, tabs[0]]) {
    await over(installation, 'factorCodes');
    await tab.getByRole('dialog').getByRole('textbox', { name: 'Authenticator code' }).fill(shownBy(secret));
    await press(tab.getByRole('dialog'), 'Remove');
    await heard(tab, 'Modified successfully!');
    await expect(passkeys(tab)).toHaveCount(0);
  }
  await press(tabs[1].getByRole('dialog'), 'Rename');
  await expect(tabs[1].getByRole('dialog')).toHaveCount(0);
  await expect(passkeys(tabs[1])).toHaveCount(0);
  expect(complaints.all).toEqual([]);
  await page.context().close();
});

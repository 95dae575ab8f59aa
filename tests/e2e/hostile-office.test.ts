import { expect, type Locator, type Page } from '@playwright/test';
import { breakGlassFor, linkFor, press, start } from './admin-link.ts';
import { complaintsOf, test } from './fixtures.ts';
import { inDatabase, over } from './hub-database.ts';
import { because, goTo, openMember, REASON, sends } from './office-page.ts';
import { handInPapers, shownBy } from './security-client.ts';

/** The back office with links, codes, proofs and requests that are late, used, guessed at, somebody else's or in two tabs. */

const PASSWORD = 'a long enough sentence';
const ENDED = 'This link was used or has expired. Please ask for a new one.';
const DECIDED = 'This has been decided, changed or has expired meanwhile.';
const TRIES_MAX = 5;

test('a one-time link: forged, late, used, or opened by two at once lets in nobody but the first who proves it; so does the link of a break-glass @full', async ({
  browser,
  installation,
}) => {
  const email = `links-${Date.now()}@example.org`;
  const opens = async (link: string): Promise<Page> => {
    const page = await (await browser.newContext()).newPage();
    await page.goto(link);
    return page;
  };
  const proves = async (page: Page, totp: string): Promise<void> => {
    await page.getByLabel('New password').fill(PASSWORD);
    await page.getByLabel('Authenticator code').fill(totp);
    await press(page, 'Set both and log in');
  };
  const first = await linkFor(installation, email, 'support');
  await expect((await opens(`${first.slice(0, -3)}xxx`)).getByText(ENDED)).toBeVisible();
  const [page, other] = [await opens(first), await opens(first)];
  const complaints = complaintsOf(page);
  const secret = (await page.getByRole('code').textContent()) ?? '';
  await proves(page, shownBy(secret, -9));
  await expect(page.getByRole('alert')).toContainText('The authenticator code is not correct');
  await expect(page.getByLabel('New password')).toHaveValue(PASSWORD);
  await expect(other.getByRole('code')).toHaveText(secret);
  await Promise.all([proves(page, shownBy(secret)), proves(other, shownBy(secret))]);
  const inside = (one: Page) => one.getByRole('heading', { name: 'Members', level: 1 });
  await expect.poll(async () => (await inside(page).count()) + (await inside(other).count())).toBe(1);
  const late = (await inside(page).count()) === 1 ? other : page;
  await expect(late.getByRole('alert')).toContainText(ENDED);
  await press(late, 'Log in');
  await expect(late.getByRole('heading', { name: 'Log in' })).toBeVisible();
  for (const link of [first, await linkFor(installation, `late-${email}`, 'support')]) {
    await over(installation, 'invitations');
    await expect((await opens(link)).getByText(ENDED)).toBeVisible();
  }
  const anew = await breakGlassFor(installation, email);
  await (await start(browser, anew)).page.context().close();
  await expect((await opens(anew)).getByText(ENDED)).toBeVisible();
  expect(complaints.all).toEqual([]);
});

test('an admin: what is wrong or used at the log-in is one sentence, a late proof is asked for again with the reason kept, five wrong codes have to wait, and a session that is over leads to the log-in and says so @full', async ({
  browser,
  installation,
}) => {
  const { tid } = (await installation.member()).client;
  const email = `admin-turns-${tid}@example.org`;
  const { page, secret } = await start(browser, await linkFor(installation, email, 'support'));
  const complaints = complaintsOf(page);
  const logIn = async (password: string, totp: string): Promise<void> => {
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.getByLabel('Authenticator code').fill(totp);
    await press(page, 'Log in');
  };
  await openMember(page, tid);
  await press(page, 'Allow Korean');
  const dialog = await sends(page, 'Allow Korean', shownBy(secret));
  const totp = dialog.getByLabel('Authenticator code');
  // The code that began the session has been used.
  await expect(totp).toHaveAccessibleDescription(/not correct or was already used/);
  await totp.fill(shownBy(secret, 1));
  await dialog.getByRole('button', { name: 'Allow Korean' }).click();
  await expect(dialog).toBeHidden();
  await press(page, 'Disallow Korean');
  await expect(totp).toHaveCount(0);
  await over(installation, 'officeProofs');
  await sends(page, 'Disallow Korean');
  await expect(dialog.getByRole('alert')).toContainText('Please confirm that it is you.');
  await expect(dialog.getByLabel('Reason', { exact: true })).toHaveValue(REASON);
  for (let tried = 0; tried < TRIES_MAX; tried += 1) {
    const answered = page.waitForResponse(/x\/admin\/StepUp/);
    await totp.fill(shownBy(secret, -9 - tried));
    await dialog.getByRole('button', { name: 'Disallow Korean' }).click();
    await answered;
  }
  await totp.fill(shownBy(secret));
  await dialog.getByRole('button', { name: 'Disallow Korean' }).click();
  await expect(totp).toHaveAccessibleDescription(/^Too many requests\. Please wait \d+ seconds\.$/);
  await expect(dialog.getByLabel('Reason', { exact: true })).toHaveValue(REASON);

  await over(installation, 'officeSessions');
  await dialog.getByRole('button', { name: 'Disallow Korean' }).click();
  await expect(page.getByText('Your session has ended.')).toBeVisible();
  await logIn('another long sentence', shownBy(secret));
  await expect(page.getByRole('alert').first()).toContainText('The account or password is not correct.');
  await logIn(PASSWORD, shownBy(secret, 1));
  await expect(page.getByRole('alert').first()).toContainText('The account or password is not correct.');
  await over(installation, 'officeCodes');
  await logIn(PASSWORD, shownBy(secret));
  await expect(page.getByRole('heading', { name: 'Members', level: 1 })).toBeVisible();
  expect(complaints.all).toEqual([]);
});

test('a request of two: late it is decided by nobody, at once by one of two, in one browser by no second admin, and each is told @full', async ({
  browser,
  installation,
}) => {
  const name = `two-${Date.now()}`;
  const open = async (who: string, roles: string) =>
    start(browser, await linkFor(installation, `${who}-${name}@example.org`, roles));
  const maker = await open('maker', 'treasury-maker');
  const [one, two] = [await open('one', 'treasury-checker'), await open('two', 'treasury-checker')];
  const asks = async (usdt: string, totp?: string): Promise<void> => {
    await goTo(maker.page, 'Currencies, networks, fees, limits');
    await press(maker.page, 'Change the test funds of tier 0');
    await maker.page.getByRole('alertdialog').getByLabel('At most (USDT)').fill(usdt);
    await expect(await sends(maker.page, 'Ask for it', totp)).toBeHidden();
  };
  const asked = (page: Page, usdt: string) => page.getByRole('row').filter({ hasText: usdt });
  const approves = async (page: Page, usdt: string): Promise<void> => {
    await goTo(page, 'Decisions of two');
    await press(page, 'Refresh');
    await asked(page, usdt).getByRole('button', { name: 'Approve' }).click();
  };
  await asks('170,000', shownBy(maker.secret, 1));
  await approves(one.page, '170000');
  await over(installation, 'requests');
  const late = await sends(one.page, 'Approve', shownBy(one.secret, 1));
  await expect(late.getByRole('alert')).toContainText(DECIDED);
  await late.getByRole('button', { name: 'Cancel' }).click();
  await press(one.page, 'Refresh');

  await asks('180,000');
  await approves(one.page, '180000');
  await approves(two.page, '180000');
  await Promise.all([sends(one.page, 'Approve'), sends(two.page, 'Approve', shownBy(two.secret, 1))]);
  const dialogs = [one, two].map(({ page }) => page.getByRole('alertdialog'));
  await expect
    .poll(async () => (await Promise.all(dialogs.map((each) => each.count()))).join())
    .toMatch(/^(1,0|0,1)$/);
  const second = (await dialogs[0]?.count()) === 1 ? one.page : two.page;
  await expect(second.getByRole('alertdialog').getByRole('alert')).toContainText(DECIDED);

  await asks('190,000');
  // The second admin in the first one's browser.
  const tab = await maker.page.context().newPage();
  await tab.goto(`${installation.url}/admin`);
  await tab.getByLabel('Email').fill(`two-${name}@example.org`);
  await tab.getByLabel('Password').fill(PASSWORD);
  await over(installation, 'officeCodes');
  await tab.getByLabel('Authenticator code').fill(shownBy(two.secret));
  await press(tab, 'Log in');
  await goTo(tab, 'Decisions of two');
  await asked(tab, '190000').getByRole('button', { name: 'Approve' }).click();
  const refused = await sends(tab, 'Approve', shownBy(two.secret, 1));
  await expect(refused.getByRole('alert')).toContainText('Somebody else has to decide this.');
});

test('two who write one text: the second save is told, and what was typed stays, also when the page is looked at again @full', async ({
  browser,
  installation,
}) => {
  const slug = `shared-${Date.now()}`;
  const open = async (who: string) => {
    const opened = await start(browser, await linkFor(installation, `${who}-${slug}@example.org`, 'admin'));
    await goTo(opened.page, 'Texts');
    await opened.page.getByLabel('Address').fill(slug);
    await press(opened.page, 'New text');
    return opened;
  };
  const writers = [await open('a'), await open('b')] as const;
  for (const [place, { page }] of writers.entries()) await page.getByLabel('Title').fill(`Title ${place}`);
  await press(writers[0].page, 'Save draft');
  await expect(await sends(writers[0].page, 'Save draft', shownBy(writers[0].secret, 1))).toBeHidden();
  const { page, secret } = writers[1];
  const read: string[] = [];
  page.on('request', (request) => read.push(request.url()));
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await press(page, 'Save draft');
  const dialog = await sends(page, 'Save draft', shownBy(secret, 1));
  await expect(dialog.getByRole('alert')).toContainText(DECIDED);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByLabel('Title')).toHaveValue('Title 1');
  expect(read.filter((url) => url.includes('ContentView'))).toEqual([]);
});

test('papers: a reviewer who was away loses the case to another, and what another has decided is told @full', async ({
  browser,
  installation,
}) => {
  const { client } = await installation.member();
  await handInPapers(client);
  const { tid } = client;
  const open = async (who: string) =>
    start(browser, await linkFor(installation, `${who}-${tid}@example.org`, 'kyc'));
  const opens = async (page: Page): Promise<void> => {
    await goTo(page, 'Identity checks');
    await press(page, `Open the papers of member ${tid}`);
    await expect(page.getByRole('img', { name: 'Face' })).toBeVisible();
  };
  const [away, other] = [await open('away'), await open('other')];
  await opens(away.page);
  await over(installation, 'claims');
  await opens(other.page);
  await press(away.page, 'Refuse');
  const refused = await sends(away.page, 'Refuse', shownBy(away.secret, 1));
  await expect(refused.getByRole('alert')).toContainText('Somebody else is at this case.');
  await press(other.page, 'Refuse');
  await expect(await sends(other.page, 'Refuse', shownBy(other.secret, 1))).toBeHidden();
  await refused.getByRole('button', { name: 'Cancel' }).click();
  await press(away.page, 'Refuse');
  await expect((await sends(away.page, 'Refuse')).getByRole('alert')).toContainText(DECIDED);
});

test('lost access, platforms and KOL codes: what another admin has decided, closed or taken meanwhile is told with all that was typed kept, and a role that was taken away does nothing more @full', async ({
  browser,
  installation,
}) => {
  const clients = [(await installation.member()).client, (await installation.member()).client] as const;
  const [mine, theirs] = [clients[0].tid, clients[1].tid];
  await inDatabase(
    installation,
    "insert into access_recoveries (member, contact, asked_at, address) values ($1, $2, 1, '')",
    [mine, `lost-${mine}@example.org`],
  );
  const open = async (who: string, roles = 'support,admin') =>
    start(browser, await linkFor(installation, `${who}-${mine}@example.org`, roles));
  const [one, two] = [await open('first'), await open('second')];
  const complaints = [one, two].map(({ page }) => complaintsOf(page));
  const isRefused = async (dialog: Locator, words: string): Promise<void> => {
    await expect(dialog.getByRole('alert')).toContainText(words);
    await expect(dialog.getByLabel('Reason', { exact: true })).toHaveValue(REASON);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
  };

  for (const { page } of [one, two]) {
    await goTo(page, 'Lost access');
    await press(page, `Open the request of member ${mine}`);
  }
  await press(one.page, 'Refuse');
  await because(one.page, 'Refuse', shownBy(one.secret, 1));
  // Other flows may have asked as well.
  const mineAsked = { name: `Open the request of member ${mine}`, includeHidden: true };
  await expect(one.page.getByRole('button', mineAsked)).toHaveCount(0);
  await press(two.page, 'Ask to let in');
  await isRefused(await sends(two.page, 'Ask to let in', shownBy(two.secret, 1)), DECIDED);
  await press(two.page, 'Refuse');
  await isRefused(await sends(two.page, 'Refuse'), DECIDED);
  await two.page.keyboard.press('Escape');

  // The exchange that is not open by itself: what is said of it changes nothing for others.
  for (const { page } of [one, two]) {
    await goTo(page, 'Platforms');
    await press(page, 'Change Bybit');
  }
  await because(one.page, 'Ask to open');
  await two.page.getByRole('alertdialog').getByLabel('To', { exact: true }).selectOption('paused');
  await because(two.page, 'Close now');
  // The request is for what was said before.
  await goTo(two.page, 'Decisions of two');
  await two.page
    .getByRole('row')
    .filter({ hasText: 'Open a platform' })
    .getByRole('button', { name: 'Approve' })
    .first()
    .click();
  await isRefused(await sends(two.page, 'Approve'), DECIDED);
  await press(one.page, 'Refresh');
  await press(one.page, 'Change Bybit');
  await goTo(two.page, 'Platforms');
  await press(two.page, 'Change Bybit');
  for (const { page } of [one, two])
    await page.getByRole('alertdialog').getByLabel('To', { exact: true }).selectOption('coming-soon');
  await because(one.page, 'Close now');
  await isRefused(await sends(two.page, 'Close now'), DECIDED);

  // One code for two members, asked for by one each and approved by the other at once.
  const code = `BOTH${mine}`;
  for (const [{ page }, member] of [
    [one, mine],
    [two, theirs],
  ] as const) {
    await goTo(page, 'Members');
    await openMember(page, member);
    await press(page, 'Ask for a KOL code');
    const asking = page.getByRole('alertdialog');
    const sending = asking.getByRole('button', { name: 'Ask for a KOL code' });
    for (const [typed, percent] of [
      ['short', '0'],
      ['ABC', '12.5'],
      [code, '51'],
      [code, '1.234'],
    ] as const) {
      await asking.getByLabel('KOL code').fill(typed);
      await asking.getByLabel('Rate in percent').fill(percent);
      await expect(sending).toBeDisabled();
    }
    await asking.getByLabel('Rate in percent').fill('12.5');
    await because(page, 'Ask for a KOL code');
    await page.keyboard.press('Escape');
  }
  for (const { page } of [one, two]) {
    await goTo(page, 'Decisions of two');
    await press(page, 'Refresh');
    await page.getByRole('row').filter({ hasText: code }).getByRole('button', { name: 'Approve' }).click();
  }
  await Promise.all([sends(one.page, 'Approve'), sends(two.page, 'Approve')]);
  const dialogs = [one, two].map(({ page }) => page.getByRole('alertdialog'));
  const alerts = async () => Promise.all(dialogs.map((dialog) => dialog.getByRole('alert').count()));
  await expect.poll(async () => (await alerts()).join()).toMatch(/^(1,0|0,1)$/);
  const late = (await alerts())[0] === 1 ? one : two;
  await isRefused(late.page.getByRole('alertdialog'), DECIDED);

  // Taken from him while he fills in.
  await goTo(late.page, 'Members');
  await openMember(late.page, mine);
  await press(late.page, 'Allow Korean');
  await inDatabase(
    installation,
    "update admins set roles = '{auditor}' where email like '%-' || $1 || '@example.org'",
    [mine],
  );
  await isRefused(await sends(late.page, 'Allow Korean'), 'Your role does not allow this.');
  await expect(late.page.getByRole('dialog').getByRole('button', { name: 'Allow Korean' })).toHaveCount(0);
  for (const { all } of complaints) expect(all).toEqual([]);
  for (const { page } of [one, two]) await page.context().close();
});

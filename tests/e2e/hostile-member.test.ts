import { expect, type Locator, type Page } from '@playwright/test';
import { png } from '../../apps/server/src/accounts/kyc/pictures.fixture.ts';
import { beside, complaintsOf, heard, test } from './fixtures.ts';
import { over } from './hub-database.ts';
import type { Installation, Member } from './installation.ts';
import { bindMobile, codeTo, mailsTo, otherThan, shownBy } from './security-client.ts';
import { begin, logInElsewhere, openSecurity, press, row } from './security-page.ts';

/** The member's own pages with codes, proofs and links that are late, used, somebody else's, guessed at or in two tabs. */

const CODE_WRONG = 'The verification code is not correct or has expired.';
const TRIES_MAX = 5;
let numbers = 0;

/** Eight digits of a Japanese number that nobody has. */
function newDigits(): string {
  numbers += 1;
  return String(Date.now() + numbers).slice(-8);
}

/** In a browser that is known as one: it has its cookie from a page with a human check. */
async function openWithClock(page: Page, installation: Installation): Promise<void> {
  await page.clock.install();
  await page.goto(`${installation.url}/freeze`);
  await expect(page.getByText('Human check done')).toBeVisible();
  await openSecurity(page, installation);
}

/** The dialog of a number, its code asked for; the next one a minute after the last. @returns what was sent. */
async function asks(dialog: Locator, installation: Installation, digits: string): Promise<string> {
  const page = dialog.page();
  while (await dialog.getByRole('button', { name: /^Send again/ }).count()) await page.clock.runFor(1_000);
  await dialog.getByRole('combobox', { name: 'Country code' }).selectOption('JP');
  await dialog.getByRole('textbox', { name: 'New mobile number' }).fill(`090${digits}`);
  await press(dialog, 'Send code');
  await expect(dialog.getByRole('button', { name: /^Send again/ })).toBeVisible();
  return codeTo(installation, `+8190${digits}`);
}

function code(dialog: Locator): Locator {
  return dialog.getByRole('textbox', { name: 'Code sent to the new contact' });
}

async function refuses(dialog: Locator, typed: string): Promise<void> {
  await code(dialog).fill(typed);
  const answered = dialog.page().waitForResponse(/checkcode/);
  await press(dialog, 'Set up');
  await answered;
  await expect(code(dialog)).toHaveAccessibleDescription(CODE_WRONG);
}

test('binding a number: a code that is late, another’s or guessed out, a number that was taken, and a proof that is late or guessed at bind nothing, and say so where they belong @full', async ({
  installation,
  memberPage,
}) => {
  const [mine, other] = [await installation.member(), await installation.member()];
  const [page, theirs] = [await memberPage(mine), await memberPage(other)];
  const complaints = complaintsOf(page);
  for (const one of [page, theirs]) await openWithClock(one, installation);
  const [dialog, foreign] = [await begin(page, 'Mobile number'), await begin(theirs, 'Mobile number')];
  const proof = (within: Locator) => within.getByRole('textbox', { name: 'Your password' });
  const first = newDigits();
  await proof(dialog).fill(mine.password);
  await proof(foreign).fill(other.password);
  const own = await asks(dialog, installation, first);
  const strange = await asks(foreign, installation, first);
  if (own !== strange) await refuses(dialog, strange);
  await over(installation, 'codes');
  await refuses(dialog, own);
  const guessed = await asks(dialog, installation, first);
  for (let tried = 0; tried < TRIES_MAX; tried += 1) await refuses(dialog, otherThan(guessed));
  await refuses(dialog, guessed);
  await expect(proof(dialog)).toHaveValue(mine.password);

  const second = newDigits();
  await code(dialog).fill(await asks(dialog, installation, second));
  await code(foreign).fill(await asks(foreign, installation, second));
  await press(dialog, 'Set up');
  await expect(row(page, 'Mobile number')).toContainText(`+81******${second.slice(-2)}`);
  await press(foreign, 'Set up');
  await expect(beside(foreign, 'This contact already belongs to an account.')).toBeVisible();
  // The refused act has used nothing up; five minutes later who acts is asked once more.
  await over(installation, 'grants');
  await code(foreign).fill(await asks(foreign, installation, newDigits()));
  await press(foreign, 'Set up');
  await expect(proof(foreign)).toHaveAccessibleDescription('Please confirm that it is you.');
  const proves = async (password: string): Promise<void> => {
    await proof(foreign).fill(password);
    const answered = theirs.waitForResponse(/StepUp/);
    await press(foreign, 'Set up');
    await answered;
  };
  for (let tried = 0; tried < TRIES_MAX; tried += 1) await proves(`Wrong-horse-${tried}`);
  await proves(other.password);
  await expect(proof(foreign)).toHaveAccessibleDescription(/^Too many requests\. Please wait \d+ seconds\.$/);
  expect(complaints.all).toEqual([]);
});

test('an authenticator whose key waited too long, or that another tab has turned on, begins again; of two tabs that turn it on none shows other recovery codes @full', async ({
  installation,
  memberPage,
}) => {
  const member = await installation.member();
  const page = await memberPage(member);
  const complaints = complaintsOf(page);
  const name = 'Google Authenticator';
  const confirms = async (dialog: Locator): Promise<void> => {
    await dialog.getByRole('textbox', { name: 'Your password' }).fill(member.password);
    await press(dialog, 'Next');
  };
  const key = async (tab: Page): Promise<string> =>
    (await tab.getByRole('button', { name: 'Copy the recovery key phrase' }).getAttribute('title')) ?? '';
  const enables = async (dialog: Locator, totp: string): Promise<void> => {
    await dialog.getByRole('textbox', { name: 'Authenticator code' }).fill(totp);
    await press(dialog, 'Enable');
  };
  await openSecurity(page, installation);
  const dialog = await begin(page, name);
  await confirms(dialog);
  const late = await key(page);
  await over(installation, 'setUps');
  await enables(dialog, shownBy(late));
  await heard(page, 'Please start again from the first step.');
  await confirms(dialog);
  await expect.poll(() => key(page)).not.toBe(late);
  const secret = await key(page);
  const tab = await page.context().newPage();
  await openSecurity(tab, installation);
  const other = await begin(tab, name);
  await expect.poll(() => key(tab)).toBe(secret);
  const totp = shownBy(secret);
  await Promise.all([enables(dialog, totp), enables(other, totp)]);
  // The second is answered like the first, or came in the same moment and begins again: closed, it says that it is on.
  const lists: string[] = [];
  for (const one of [page, tab]) {
    const codes = one.getByRole('alertdialog', { name: 'Your recovery codes' });
    await expect(codes.or(one.getByRole('button', { name: 'Next' })).first()).toBeVisible();
    if (await codes.isVisible()) {
      lists.push((await codes.getByRole('list').first().textContent()) ?? '');
      await press(codes, 'I have saved them');
    } else await one.keyboard.press('Escape');
    await expect(row(one, name)).toContainText('On');
  }
  expect(new Set(lists).size).toBe(1);
  expect(complaints.all).toEqual([]);
});

/** The newest link that freezes, in a mail about a number that was bound. */
async function freezeLink(installation: Installation, member: Member): Promise<string> {
  const mails = await mailsTo(installation, member.email);
  const link = mails.map(({ body }) => /http\S+\/(freeze#\S+)/.exec(body)?.[1]).find(Boolean);
  return `${installation.url}/${link}`;
}

test('"this was not me" in two tabs freezes once and says so in both; a link that is late freezes nothing @full', async ({
  browser,
  installation,
}) => {
  const pages = await Promise.all([1, 2].map(async () => (await browser.newContext()).newPage()));
  for (const isLate of [true, false]) {
    const member = await installation.member();
    await bindMobile(installation, member.client, {
      password: member.password,
      mobile: `+8190${newDigits()}`,
    });
    const link = await freezeLink(installation, member);
    for (const page of pages) {
      await page.goto(`${installation.url}/about`);
      await page.goto(link);
      await expect(page.getByText('Human check done')).toBeVisible();
    }
    if (isLate) await over(installation, 'freezeLinks');
    await Promise.all(
      pages.map((page) => press(page.getByRole('main'), 'This was not me: freeze the account')),
    );
    for (const page of pages) {
      if (isLate) await expect(beside(page, 'Please start again from the first step.')).toBeVisible();
      else await expect(page.getByRole('heading', { name: 'The account is frozen' })).toBeVisible();
    }
    expect((await member.client.call('security/userinfo')).code).toBe(isLate ? 1 : -2);
  }
});

test('papers: pictures of yesterday are refused in words, and of two tabs that hand in one does, and the other shows that it is done @full', async ({
  installation,
  memberPage,
}) => {
  const page = await memberPage(await installation.member());
  const complaints = complaintsOf(page);
  const fills = async (tab: Page): Promise<void> => {
    await tab.goto(`${installation.url}/dashboard/kyc`);
    for (const label of ['Front of the document', 'Your face, with the document beside it'])
      await tab
        .getByLabel(label, { exact: true })
        .setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from(png(700, 600)) });
    await expect(tab.getByText('Uploaded')).toHaveCount(2);
    await tab.getByRole('textbox', { name: 'Full name' }).fill('Hanako Yamada');
    await tab.getByLabel('Date of birth').fill('1990-02-03');
    await tab.getByRole('textbox', { name: 'Document number' }).fill('AB-1234');
    await tab.getByRole('checkbox').check();
  };
  const handsIn = (tab: Page) => tab.getByRole('button', { name: 'Hand in' }).click();
  await fills(page);
  await over(installation, 'pictures');
  await handsIn(page);
  await expect(page.getByRole('main').locator('[data-fault]')).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Full name' })).toHaveValue('Hanako Yamada');
  const tab = await page.context().newPage();
  const both = [page, tab];
  for (const one of both) await fills(one);
  await Promise.all(both.map(handsIn));
  const done = (one: Page) => one.getByText('We are checking your documents');
  await expect(done(tab)).toBeVisible();
  // Pictures of the second tab took the place of the first one's: where that was quicker it is told so, and learns the rest by its next press.
  const said = page.getByRole('main').locator('[data-fault]');
  await expect(done(page).or(said).first()).toBeVisible();
  if (await said.isVisible()) await handsIn(page);
  await expect(done(page)).toBeVisible();
  expect(complaints.all).toEqual([]);
});

test('a password that another tab has changed is the present one no more, and a session that another tab has ended is gone from both @full', async ({
  browser,
  installation,
  memberPage,
}) => {
  const member = await installation.member();
  const page = await memberPage(member);
  const complaints = complaintsOf(page);
  const elsewhere = await (await browser.newContext()).newPage();
  await logInElsewhere(elsewhere, installation, member);
  const tab = await page.context().newPage();
  const both = [page, tab];
  for (const one of both) await openSecurity(one, installation);
  const sessions = (one: Page) => one.getByRole('region', { name: 'Where you are logged in' });
  for (const one of both) {
    await press(sessions(one), 'End');
    await one.locator('dialog').getByRole('textbox', { name: 'Your password' }).fill(member.password);
  }
  for (const one of both) await press(one.locator('dialog'), 'End');
  for (const one of both) {
    await heard(one, 'Logged out there.');
    await expect(sessions(one).getByRole('row')).toHaveCount(2);
  }
  const dialogs = await Promise.all(both.map((one) => begin(one, 'Password')));
  for (const [place, dialog] of dialogs.entries()) {
    await dialog.getByRole('textbox', { name: 'Present password' }).fill(member.password);
    for (const name of ['New password', 'Confirm password'])
      await dialog.getByRole('textbox', { name }).fill(`Better-horse-${place}`);
  }
  await press(dialogs[0] as Locator, 'Change');
  await heard(page, 'Modified successfully!');
  await press(dialogs[1] as Locator, 'Change');
  const present = tab.locator('dialog').getByRole('textbox', { name: 'Present password' });
  await expect(present).toHaveAccessibleDescription('The account or password is not correct.');
  await expect(tab.locator('dialog').getByRole('textbox', { name: 'New password' })).toHaveValue(
    'Better-horse-1',
  );
  expect(complaints.all).toEqual([]);
  await elsewhere.context().close();
});

import { expect, type Page } from '@playwright/test';
import { linkFor, press, start } from './admin-link.ts';
import { beside, complaintsOf, expectSound, heard, test } from './fixtures.ts';
import { ahead, inDatabase, over } from './hub-database.ts';
import type { Installation, Member } from './installation.ts';
import { because, goTo } from './office-page.ts';
import { codeTo, handInPapers, mailsTo, shownBy } from './security-client.ts';

/** Who has lost mailbox and authenticator: the public page, two of the staff, three days, and a new mailbox. */

async function proveContact(page: Page, installation: Installation, contact: string): Promise<void> {
  await page.getByLabel('Email', { exact: true }).fill(contact);
  await press(page, 'Send code');
  await heard(page, 'Successfully sent!');
  await page.getByLabel('Verification code').fill(await codeTo(installation, contact));
}

/** States whose account it is, and who he is. */
async function fills(page: Page, { email }: Member, password: string): Promise<void> {
  await page.getByLabel('Email or mobile number of the account').fill(email);
  await page.getByLabel('Password of the account').fill(password);
  await page.getByLabel('Full name, as in the identity check').fill('Hanako Yamada');
  await page.getByLabel('Date of birth').fill('1990-02-03');
  await page.getByLabel('Document number, as in the identity check').fill('AB-1234');
}

test('a member without mailbox and authenticator asks on the log-in page, again once that lapsed, two of the staff let a new mailbox in, and it opens the account three days later @full', async ({
  browser,
  installation,
}) => {
  const member = await installation.member();
  const { tid } = member.client;
  const contact = `new-${tid}@example.org`;
  const page = await (await browser.newContext()).newPage();
  const complaints = complaintsOf(page);
  await handInPapers(member.client);
  await inDatabase(
    installation,
    "update kyc_cases set state = 'done', decided_at = 1 where member = $1 and state = 'pending'",
    [tid],
  );
  await page.goto(`${installation.url}/login`);
  await page.getByRole('link', { name: 'Lost your email or phone and your authenticator?' }).click();
  await press(page, 'Ask our staff');
  await expect(page.getByText('This is needed.').first()).toBeVisible();
  await fills(page, member, member.password);
  await proveContact(page, installation, contact);
  await expectSound(page, 'lost access');
  await press(page, 'Ask our staff');
  const isAsked = (by: Page) => expect(by.getByText('our staff decides within 14 days')).toBeVisible();
  await isAsked(page);
  expect((await mailsTo(installation, member.email))[0]?.body).toContain('/freeze#');
  // Nobody decided in its time: there is nothing to finish, and it is asked for anew. Twice, or by who guesses, it is answered alike.
  await over(installation, 'recoveries');
  await page.reload();
  await page.getByRole('button', { name: 'Finish', exact: true }).click();
  await proveContact(page, installation, contact);
  await page.getByLabel('Password of the account').fill(member.password);
  await press(page, 'Use the new contact');
  await expect(beside(page, 'Please start again from the first step.')).toBeVisible();
  for (const [to, password] of [
    [contact, member.password],
    [contact, member.password],
    [`guess-${tid}@example.org`, 'Wrong-horse-7'],
  ] as const) {
    await over(installation, 'budgets');
    const by = await (await browser.newContext()).newPage();
    await by.goto(`${installation.url}/lostAccess`);
    await fills(by, member, password);
    await proveContact(by, installation, to);
    await press(by, 'Ask our staff');
    await isAsked(by);
    await by.context().close();
  }

  const support = await start(browser, await linkFor(installation, `lost-a-${tid}@example.org`, 'support'));
  await goTo(support.page, 'Lost access');
  await expect(support.page.getByRole('row').filter({ hasText: String(tid) })).toHaveCount(1);
  await press(support.page, `Open the request of member ${tid}`);
  await press(support.page, 'Ask to let in');
  await because(support.page, 'Ask to let in', shownBy(support.secret, 1));
  const kyc = await start(browser, await linkFor(installation, `lost-b-${tid}@example.org`, 'kyc'));
  const seen = complaintsOf(kyc.page);
  await goTo(kyc.page, 'Lost access');
  await press(kyc.page, `Open the request of member ${tid}`);
  await press(kyc.page, 'Compare the papers');
  const papers = kyc.page.getByRole('dialog', { name: `Lost access of member ${tid}` });
  await expect(papers.getByRole('row').filter({ hasText: 'AB-1234' }).getByRole('cell')).toHaveText([
    'AB-1234',
    'AB-1234',
  ]);
  await expectSound(kyc.page, 'papers compared');
  await kyc.page.keyboard.press('Escape');
  await goTo(kyc.page, 'Decisions of two');
  await kyc.page
    .getByRole('row')
    .filter({ hasText: `"member":${tid}` })
    .getByRole('button', { name: 'Approve' })
    .click();
  await because(kyc.page, 'Approve', shownBy(kyc.secret, 1));
  await goTo(kyc.page, 'Lost access');
  await expect(kyc.page.getByRole('row').filter({ hasText: String(tid) })).toContainText('Approved, waits');
  expect((await mailsTo(installation, member.email))[0]?.subject).toContain('in 72 hours');

  const link = /http\S+\/lostAccess/.exec((await mailsTo(installation, contact))[0]?.body ?? '')?.[0] ?? '';
  await page.goto(link);
  await page.getByRole('button', { name: 'Finish', exact: true }).click();
  await proveContact(page, installation, contact);
  const finish = async (password: string): Promise<void> => {
    await page.getByLabel('Password of the account').fill(password);
    await press(page, 'Use the new contact');
  };
  // Too early, then with a password that is not the account's: each is said, and nothing is typed or proved twice.
  await finish(member.password);
  await expect(beside(page, /^This has to wait for those who could object/)).toBeVisible();
  await ahead(installation, '73 hours', async () => {
    await finish('Wrong-horse-7');
    await expect(beside(page, 'The account or password is not correct.')).toBeVisible();
    await expectSound(page, 'the end of lost access');
    await finish(member.password);
    await expect(page.getByText('Your new contact opens the account now.')).toBeVisible();
  });
  expect((await member.client.call('security/userinfo')).code).toBe(-2);
  expect(complaints.all).toEqual([]);
  expect(seen.all).toEqual([]);
  for (const opened of [page, support.page, kyc.page]) await opened.context().close();
});

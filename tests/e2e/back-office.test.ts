import { expect, type Page } from '@playwright/test';
import { breakGlassFor, linkFor, press, start } from './admin-link.ts';
import { englishLeft } from './english-left.ts';
import { complaintsOf, expectFits, expectSound, logInContext, test } from './fixtures.ts';
import { inDatabase } from './hub-database.ts';
import { because, goTo, openMember, REASON } from './office-page.ts';
import { shownBy } from './security-client.ts';

/** The back office: two admins by one-time links, a member who is frozen and opened again, and strangers who get nothing. */

test('an admin comes by a one-time link, freezes a member whose next call is refused, a second admin approves the opening, and the audit log tells it', async ({
  browser,
  installation,
}) => {
  const member = await installation.member('100');
  const { tid } = member.client;
  const link = await linkFor(installation, `support-${tid}@example.org`, 'support,auditor');
  const first = await start(browser, link);
  const complaints = complaintsOf(first.page);
  const again = await browser.newPage();
  await again.goto(link);
  await expect(again.getByText('This link was used or has expired.')).toBeVisible();

  await openMember(first.page, tid);
  await press(first.page, 'Freeze');
  await because(first.page, 'Freeze', shownBy(first.secret, 1));
  await expect(first.page.getByRole('dialog').getByText('Frozen by staff')).toBeVisible();
  expect((await member.client.call('security/userinfo')).code).toBe(-2);
  await press(first.page, 'Ask to unfreeze');
  await because(first.page, 'Ask to unfreeze');
  await press(first.page, 'Close');
  await goTo(first.page, 'Decisions of two');
  const mine = first.page.getByRole('row').filter({ hasText: String(tid) });
  await expect(mine.getByRole('button', { name: 'Take back' })).toBeVisible();
  await expect(mine.getByRole('button', { name: 'Approve' })).toBeHidden();

  const second = await start(browser, await linkFor(installation, `admin-${tid}@example.org`, 'admin'));
  await goTo(second.page, 'Decisions of two');
  const asked = second.page.getByRole('row').filter({ hasText: String(tid) });
  await asked.getByRole('button', { name: 'Approve' }).click();
  await because(second.page, 'Approve', shownBy(second.secret, 1));
  await expect(asked.getByText('Approved')).toBeVisible();

  await goTo(first.page, 'Audit log');
  await first.page.getByLabel('Find by').selectOption('subject');
  await first.page.getByLabel('Whole, as in the log').fill(`member ${tid}`);
  await press(first.page, 'Find');
  for (const call of ['x/admin/MemberFreeze', 'x/admin/MemberUnfreeze', 'x/admin/Approve']) {
    await expect(first.page.getByRole('row').filter({ hasText: call })).toContainText(REASON);
  }
  await press(first.page, 'Verify the whole chain');
  await expect(first.page.getByText('The log is whole')).toBeVisible();
  await press(first.page, 'Save as a file');
  const saved = first.page.waitForEvent('download');
  await because(first.page, 'Save as a file');
  expect((await saved).suggestedFilename()).toMatch(/^audit-log-1-[0-9]+\.jsonl$/);
  await expect(first.page.getByText(/^Saved up to place/)).toBeVisible();
  await goTo(first.page, 'Members');
  await openMember(first.page, tid);
  await press(first.page, 'Show a contact');
  await because(first.page, 'Show a contact');
  await expect(first.page.getByRole('dialog').getByText(member.email)).toBeVisible();
  for (const _ of ['the contact', 'the member']) await first.page.keyboard.press('Escape');
  expect(complaints.all).toEqual([]);
  await press(first.page, 'Log out');
  await expect(first.page.getByRole('heading', { name: 'Log in' })).toBeVisible();
});

test('an order of which nothing is known is put to the hub on the page of incidents, and its answer is read there @full', async ({
  browser,
  installation,
}) => {
  const { client } = await installation.member('1000');
  const order = crypto.randomUUID();
  await installation.simulate('faults', { kind: 'timeout-after', match: 'order.place', count: 1 });
  await client.call('connextrade/PlaceOrder', {
    ...{ platformType: '43', tinstType: '1', symbol: 'BTCUSDT', side: '1', orderType: '1' },
    ...{ price: '50000', quantity: '0.0004', clientId: order },
  });
  // The answer was lost, and a lookup finds it: from then on it is no order that a person ends.
  const found = () =>
    client.must<readonly { readonly status: number }[]>('connextrade/CurOrderList', { platformType: '43' });
  await expect.poll(async () => (await found())[0]?.status).toBe(2);
  // The hub would tell of an order after ten minutes without an answer.
  await inDatabase(
    installation,
    `insert into incidents (subject, subject_id, what, evidence, opened_at)
     values ('order', $1, 'the outcome is still open', '{"looks": 7}', 1)`,
    [order],
  );
  const context = await browser.newContext();
  const page = await context.newPage();
  const complaints = complaintsOf(page);
  await page.goto(`${installation.url}/admin`);
  await press(page, 'As the one who asks');
  await goTo(page, 'Incidents');
  await press(page, `Open incident: order ${order}`);
  const incident = page.getByRole('dialog', { name: 'the outcome is still open' });
  await expect(incident.getByText('looks')).toBeVisible();
  await press(page, 'End the order');
  const asking = page.getByRole('alertdialog');
  await asking.getByLabel('How it ended').selectOption('filled');
  await expect(asking.getByRole('button', { name: 'End the order' })).toBeDisabled();
  await asking.getByLabel('Quantity executed').fill('0.0001');
  await asking.getByLabel('What that came to').fill('much');
  await asking.getByLabel('Reason').fill('the exchange confirmed it in writing');
  await asking.getByRole('button', { name: 'End the order' }).click();
  await expect(asking.getByRole('alert')).toContainText('quoteQuantity');
  await asking.getByLabel('How it ended').selectOption('absent');
  await because(page, 'End the order');
  await expect(incident.getByText('Refused: ')).toContainText('its outcome is not in doubt');
  await expect(incident.getByText('Nothing more was executed')).toBeVisible();
  await expectSound(page, 'an incident');
  expect(complaints.all).toEqual([]);
  await context.close();
});

test('two admins invite a third on screen: the link is shown once, to who asked, and leads to the roles that both signed @full', async ({
  browser,
  installation,
}) => {
  const asker = await start(browser, await linkFor(installation, 'asker@example.org', 'admin'));
  const signer = await start(browser, await linkFor(installation, 'signer@example.org', 'admin'));
  const complaints = complaintsOf(asker.page);
  await goTo(asker.page, 'Admins');
  await press(asker.page, 'Ask to invite an admin');
  const asking = asker.page.getByRole('alertdialog');
  await asking.getByLabel('Email').fill('third@example.org');
  await asking.getByLabel('treasury maker').check();
  await expect(asking.getByLabel('KYC')).toBeDisabled();
  await because(asker.page, 'Ask to invite an admin', shownBy(asker.secret, 1));
  await goTo(signer.page, 'Decisions of two');
  const asked = signer.page.getByRole('row').filter({ hasText: 'third@example.org' });
  await asked.getByRole('button', { name: 'Approve' }).click();
  await because(signer.page, 'Approve', shownBy(signer.secret, 1));
  await asker.page.reload();
  await press(asker.page, 'Link for third@example.org');
  await asker.page.getByRole('alertdialog').getByLabel('Reason').fill(REASON);
  await press(asker.page, 'Make the link');
  const link = await asker.page.getByRole('dialog').getByRole('code').textContent();
  const third = await start(browser, /https?:\/\/\S+#[\w-]{43}/.exec(link ?? '')?.[0] ?? '');
  await expect(third.page.getByText('third@example.org · treasury maker')).toBeVisible();
  expect(complaints.all).toEqual([]);
});

test('an admin pauses an exchange: orders there are refused at once, cancelling goes on, and two open it again @full', async ({
  browser,
  installation,
}) => {
  const { client } = await installation.member('1000');
  const ticker = await fetch(`${installation.url}/md/binance/api/v3/ticker/price?symbol=BTCUSDT`);
  const last = Number(((await ticker.json()) as { readonly price: string }).price);
  const order = {
    ...{ platformType: '43', tinstType: '1', symbol: 'BTCUSDT', side: '1', orderType: '1', timeInForce: '1' },
    ...{ price: String(Math.round(last * 0.9)), quantity: '0.001' },
  };
  const { orderId } = await client.must<{ readonly orderId: string }>('connextrade/PlaceOrder', order);
  const asker = await start(browser, await linkFor(installation, 'pauses@example.org', 'admin'));
  const signer = await start(browser, await linkFor(installation, 'opens@example.org', 'admin'));
  await goTo(asker.page, 'Platforms');
  const row = asker.page.getByRole('row', { name: /^Binance/ });
  try {
    await press(asker.page, 'Change Binance');
    await because(asker.page, 'Close now', shownBy(asker.secret, 1));
    await expect(row).toContainText('Paused');
    expect((await client.call('connextrade/PlaceOrder', order)).code).toBe(3001);
    await client.must('connextrade/CancelOrder', { platformType: '43', orderId });
    const visitor = await browser.newPage();
    await visitor.goto(`${installation.url}/spot/binance/BTCUSDT`);
    await expect(visitor.getByRole('heading', { name: 'Paused' })).toBeVisible();
  } finally {
    await press(asker.page, 'Change Binance');
    await because(asker.page, 'Ask to open');
    await goTo(signer.page, 'Decisions of two');
    const asked = signer.page.getByRole('row').filter({ hasText: 'Open a platform' });
    await asked.getByRole('button', { name: 'Approve' }).click();
    await because(signer.page, 'Approve', shownBy(signer.secret, 1));
  }
  await press(asker.page, 'Refresh');
  await expect(row).not.toContainText('Paused');
  expect((await client.call('connextrade/PlaceOrder', order)).code).toBe(1);
});

test('a limit of a tier and the fee of a network are asked for on screen, decided by another, and wait a day where they are higher @full', async ({
  browser,
  installation,
}) => {
  const asker = await start(browser, await linkFor(installation, 'limits@example.org', 'treasury-maker'));
  const signer = await start(browser, await linkFor(installation, 'signs@example.org', 'treasury-checker'));
  const complaints = complaintsOf(asker.page);
  await goTo(asker.page, 'Currencies, networks, fees, limits');
  await expect(asker.page.getByRole('row', { name: /^BTC Bitcoin Binance, OKX/ })).toBeVisible();
  await expect(asker.page.getByRole('row', { name: /^Binance Spot 0.1 % 0.1 %/ })).toBeVisible();
  await press(asker.page, 'Change the test funds of tier 1');
  await asker.page.getByRole('alertdialog').getByLabel('At most (USDT)').fill('250,000');
  await because(asker.page, 'Ask for it', shownBy(asker.secret, 1));
  await goTo(signer.page, 'Decisions of two');
  const asked = (what: string) => signer.page.getByRole('row').filter({ hasText: what });
  await asked('Set a limit').getByRole('button', { name: 'Approve' }).click();
  await because(signer.page, 'Approve', shownBy(signer.secret, 1));
  await press(asker.page, 'Refresh');
  const tierOne = asker.page.getByRole('row', {
    name: /^Test funds of 24 hours 1 200,000 USDT 250,000 USDT/,
  });
  await expect(tierOne).toBeVisible();
  await press(asker.page, 'Change USDT · TRON (TRC20)');
  const asking = asker.page.getByRole('alertdialog');
  await expect(asking.getByRole('button', { name: 'Ask for it' })).toBeDisabled();
  await asking.getByLabel('Confirmations').fill('25');
  await asking.getByLabel('Fee of a withdrawal').fill('2');
  await because(asker.page, 'Ask for it');
  await press(signer.page, 'Refresh');
  await asked('Set a network').getByRole('button', { name: 'Approve' }).click();
  await expect(signer.page.getByRole('alertdialog').getByText(/^SHA-256 [0-9a-f]{64}$/)).toBeVisible();
  await because(signer.page, 'Approve');
  await press(asker.page, 'Refresh');
  const tron = asker.page.getByRole('row', { name: /^USDT · TRON \(TRC20\) Closed 25 10 1 None Fee of a/ });
  await expect(tron).toContainText('Fee of a withdrawal: 2 · ');
  await expectSound(asker.page, 'what is offered');
  expect(complaints.all).toEqual([]);
});

test('an auditor sees how long funded accounts last, and how it stands around the hub @full', async ({
  browser,
  installation,
}) => {
  const { page } = await start(browser, await linkFor(installation, 'runway@example.org', 'auditor'));
  const complaints = complaintsOf(page);
  await goTo(page, 'Funds');
  const funded = page.getByRole('region', { name: 'Accounts that others are paid from' });
  await expect(funded.getByRole('row', { name: /^Promotion USDT 0 0 0 0 -/ })).toBeVisible();
  await goTo(page, 'Health');
  const around = page.getByRole('region', { name: 'Around the hub' });
  await expect(around.getByRole('row', { name: /^Clocks .* As it should be$/ })).toBeVisible();
  await expect(around.getByRole('row', { name: /^Funded accounts .* As it should be$/ })).toBeVisible();
  const differ = page.getByRole('region', { name: 'Accounts that differ from their exchange' });
  await expect(differ.getByText('No account is known to differ.')).toBeVisible();
  const invariants = page.getByRole('region', { name: 'Invariants of the ledger' });
  for (const name of ['I1', 'I2', 'I3', 'I4', 'I5', 'I7', 'I8'])
    await expect(invariants.getByRole('row', { name: new RegExp(`^${name}: .* Holds$`) })).toBeVisible();
  const seals = page.getByRole('region', { name: 'Seals over the journals of money' });
  await expect(seals).toContainText(/Last seal(?:-|\d+ s).*Not sealed yet\d/);
  await expectSound(page, 'health');
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(around.getByRole('row', { name: /^Clocks As it should be$/ })).toBeVisible();
  expect(complaints.all).toEqual([]);
});

test('the page behind a one-time link stands in three languages and on a phone, without a fault that axe finds @full', async ({
  browser,
  installation,
}) => {
  const link = await linkFor(installation, 'reads@example.org', 'auditor');
  for (const [language, theme, width] of [
    ['en', 'dark', 1440],
    ['ja', 'light', 390],
    ['ko', 'dark', 390],
  ] as const) {
    const context = await logInContext(browser, installation.url, undefined, {
      settings: { theme, 'language mode': language },
    });
    const page = await context.newPage();
    const complaints = complaintsOf(page);
    await page.setViewportSize({ width, height: 844 });
    await page.goto(link);
    await expect(page.locator('html')).toHaveAttribute('lang', language);
    await expect(page.getByRole('code')).toBeVisible();
    await expectSound(page, `a link in ${language}`);
    expect(complaints.all).toEqual([]);
    await context.close();
  }
});

test('a member who opens the back office gets the way in and nothing else', async ({
  installation,
  memberPage,
}) => {
  const page = await memberPage(await installation.member());
  for (const path of ['', '/members', '/audit', '/health']) {
    await page.goto(`${installation.url}/admin${path}`);
    await expect(page.getByRole('heading', { name: 'Log in', level: 1 })).toBeVisible();
    await expect(page.getByRole('navigation')).toHaveCount(0);
    await expect(page.getByRole('table')).toHaveCount(0);
  }
});

test('an admin writes an announcement in three languages, sees it as it will be read, and publishes it: a visitor reads it @full', async ({
  browser,
  installation,
}) => {
  const { page, secret } = await start(browser, await linkFor(installation, 'editor@example.org', 'admin'));
  const complaints = complaintsOf(page);
  await goTo(page, 'Texts');
  await page.getByLabel('Address').fill('Maintenance window');
  await press(page, 'New text');
  const preview = page.getByRole('region', { name: 'As it will be read' });
  for (const [tab, title] of [
    ['English', 'Closed on Sunday'],
    ['日本語', '日曜日は休業'],
    ['한국어', '일요일 휴무'],
  ] as const) {
    await page.getByRole('tab', { name: tab }).click();
    await page.getByLabel('Title').fill(title);
    await page.getByLabel('Words').fill(`## ${title}\n\nFrom **noon** on: [fees](/about).`);
    await expect(preview.getByRole('heading', { name: title }).first()).toBeVisible();
  }
  await expect(preview.getByRole('link', { name: 'fees' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Publish', exact: true })).toBeDisabled();
  await press(page, 'Save draft');
  await because(page, 'Save draft', shownBy(secret, 1));
  await press(page, 'Publish');
  await because(page, 'Publish');
  const row = page.getByRole('row').filter({ hasText: 'maintenance-window' });
  await expect(row).toContainText('Published');

  const visitor = await browser.newPage();
  await visitor.goto(`${installation.url}/announcements/maintenance-window`);
  await expect(visitor.getByRole('heading', { name: 'Closed on Sunday' }).first()).toBeVisible();
  await expect(visitor.getByText('noon')).toBeVisible();
  expect(complaints.all).toEqual([]);
});

/** What stands on every page of the staff is one line, and is read by pressing it, with a key too. */
async function expectFolded(page: Page): Promise<void> {
  const name = page.getByText('was let in anew by break-glass', { exact: false }).first();
  const words = page.getByText('approves nothing for 24 hours').first();
  await expect(name).toBeVisible();
  await expect(words).toBeHidden();
  const notice = page.locator('details').filter({ has: words });
  expect((await notice.boundingBox())?.height).toBeLessThan(50);
  await notice.locator('summary').press('Enter');
  await expect(words).toBeVisible();
  await expectSound(page, 'a notice that is open');
  await notice.locator('summary').press('Enter');
  await expect(words).toBeHidden();
}

/** Their rows are what people and the log wrote. */
const WRITTEN = /(approvals|audit|incidents|mails|texts)$/;
/** How many pages there are for the demo admin who asks. */
const DEMO_PAGES = 13;

test('a stranger plays both demo admins by keyboard, and every page stands in three languages, dark and light, on a phone too, without a fault that axe finds @full', async ({
  browser,
  page,
  installation,
}) => {
  const complaints = complaintsOf(page);
  await (await start(browser, await linkFor(installation, 'anew@example.org', 'admin'))).page.close();
  await (await start(browser, await breakGlassFor(installation, 'anew@example.org'))).page.close();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${installation.url}/admin`);
  const way = page.getByRole('button', { name: 'As the one who asks', exact: true });
  await expect(way).toBeVisible();
  await expectSound(page, 'the way in');
  await way.press('Enter');
  await expect(page.getByText('You are a demo admin')).toBeVisible();
  await expectFolded(page);
  const heading = page.getByRole('heading', { level: 1 });
  for (const { language, theme, width, alike } of [
    { language: 'English', theme: 'dark', width: 1440 },
    { language: '日本語', theme: 'light', width: 390 },
    // Colours are those of the first look and the layout that of the second, so that axe finds nothing else.
    { language: '한국어', theme: 'dark', width: 390, alike: true },
  ]) {
    await page.setViewportSize({ width, height: 844 });
    await page.getByRole('button', { name: /^(Language|言語|언어)$/ }).click();
    await page.getByRole('button', { name: language }).click();
    if ((await page.locator('html').getAttribute('data-theme')) !== theme) {
      await page.getByRole('banner').getByRole('button').nth(1).click();
      await expect(page.locator('html')).toHaveAttribute('data-theme', theme);
    }
    const links = page.getByRole('navigation').getByRole('link');
    await expect(links).toHaveCount(DEMO_PAGES);
    for (let place = 0; place < DEMO_PAGES; place += 1) {
      const name = (await links.nth(place).textContent()) ?? '';
      await links.nth(place).press('Enter');
      await expect(heading).toHaveText(name);
      await expect(
        page
          .getByRole('table')
          .or(page.getByText(/^(No MATCHING|該当する|일치하는)/))
          .first(),
      ).toBeVisible();
      await (alike === true ? expectFits : expectSound)(page, `${name} ${theme} ${width}`);
      const isWritten = WRITTEN.test((await links.nth(place).getAttribute('href')) ?? '');
      if (language !== 'English')
        expect(await englishLeft(page, isWritten ? 'tbody, input' : undefined), name).toEqual([]);
    }
  }
  expect(complaints.all).toEqual([]);
});

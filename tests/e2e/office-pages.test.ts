import { expect, type Page } from '@playwright/test';
import { modulesOfPath, modulesOfText } from '../../apps/web/src/screens/fields/qr-modules.fixture.ts';
import { linkFor, press, start } from './admin-link.ts';
import { complaintsOf, expectSound, test } from './fixtures.ts';
import { openMember, REASON } from './office-page.ts';
import { shownBy } from './security-client.ts';

/** What the demo admins of back-office.test.ts never see: pages with everything that may be changed, on a phone. */

const PHONE = { width: 390, height: 844 };
const MAKER = 'support,treasury-maker,admin,auditor';

/** Names of buttons that are cut off: by the window, or by the table that scrolls under them. */
function cutOff(page: Page): Promise<readonly string[]> {
  return page
    .getByRole('main')
    .getByRole('button')
    .evaluateAll((buttons) =>
      buttons
        .filter((button) => {
          const { left, right, width } = button.getBoundingClientRect();
          const frame = button.closest('.overflow-x-auto')?.getBoundingClientRect();
          const [from, to] = [frame?.left ?? 0, frame?.right ?? window.innerWidth];
          return width > 0 && (left < from - 1 || right > to + 1);
        })
        .map((button) => button.getAttribute('aria-label') ?? button.textContent ?? ''),
    );
}

/** Every page that this admin has, one after the other. */
async function pagesOf(page: Page, stands: (name: string) => Promise<void>): Promise<readonly string[]> {
  const links = page.getByRole('navigation').getByRole('link');
  const names = await links.allTextContents();
  for (const [place, name] of names.entries()) {
    await links.nth(place).press('Enter');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(name);
    await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
    await stands(name);
  }
  return names;
}

async function openPage(page: Page, name: string): Promise<void> {
  await page.getByRole('navigation').getByRole('link', { name, exact: true }).press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name);
}

test('on a phone admins reach every button of every page, and the two who decide see one digest @full', async ({
  browser,
  installation,
}) => {
  await installation.member();
  const maker = await start(browser, await linkFor(installation, 'phone@example.org', MAKER));
  const complaints = complaintsOf(maker.page);
  await maker.page.setViewportSize(PHONE);
  await openPage(maker.page, 'Currencies, networks, fees, limits');
  await press(maker.page, 'Change the test funds of tier 1');
  const asking = maker.page.getByRole('alertdialog');
  await asking.getByLabel('At most (USDT)').fill('260,000');
  await asking.getByLabel('Reason').fill(REASON);
  await asking.getByLabel('Authenticator code').fill(shownBy(maker.secret, 1));
  await asking.getByRole('button', { name: 'Ask for it' }).click();
  await expect(asking).toBeHidden();
  const seen = await pagesOf(maker.page, async (name) => {
    expect(await cutOff(maker.page), name).toEqual([]);
    await expectSound(maker.page, `${name}, on a phone`);
  });
  expect(seen).toContain('My passkeys');

  const checker = await start(
    browser,
    await linkFor(installation, 'decides@example.org', 'treasury-checker'),
  );
  await checker.page.setViewportSize(PHONE);
  const digests = await Promise.all(
    [maker.page, checker.page].map(async (page) => {
      await openPage(page, 'Decisions of two');
      const row = page.getByRole('row').filter({ hasText: '260000' });
      await expect(row).toContainText(/SHA-256 [0-9a-f]{64}/);
      return /SHA-256 [0-9a-f]{64}/.exec((await row.textContent()) ?? '')?.[0];
    }),
  );
  expect(digests[0]).toBe(digests[1]);
  expect(await cutOff(checker.page)).toEqual([]);
  await checker.page
    .getByRole('row')
    .filter({ hasText: '260000' })
    .getByRole('button', { name: 'Refuse' })
    .click();
  const deciding = checker.page.getByRole('alertdialog');
  await expect(deciding.getByText(digests[0] ?? '')).toBeVisible();
  await deciding.getByLabel('Reason').fill(REASON);
  await deciding.getByLabel('Authenticator code').fill(shownBy(checker.secret, 1));
  await deciding.getByRole('button', { name: 'Refuse', exact: true }).click();
  await expect(deciding).toBeHidden();
  await expect(checker.page.getByRole('row').filter({ hasText: '260000' })).toContainText('Refused');
  expect(complaints.all).toEqual([]);
});

test('staff opens Korean to a member, ends his sessions and asks for a KOL code, which another gives: the member passes its link on @full', async ({
  browser,
  installation,
  memberPage,
}) => {
  const member = await installation.member();
  const { tid } = member.client;
  const theirs = await memberPage(member);
  const support = await start(browser, await linkFor(installation, `kol-${tid}@example.org`, 'support'));
  const complaints = complaintsOf(support.page);
  const sheet = support.page.getByRole('dialog', { name: `Member ${tid}` });
  const asking = support.page.getByRole('alertdialog');
  const act = async (name: string, totp?: string): Promise<void> => {
    await sheet.getByRole('button', { name, exact: true }).click();
    if (name === 'Ask for a KOL code') {
      await asking.getByLabel('KOL code').fill(`star${tid}`);
      await asking.getByLabel('Rate in percent').fill('12.5');
    }
    await asking.getByLabel('Reason').fill(REASON);
    if (totp !== undefined) await asking.getByLabel('Authenticator code').fill(totp);
    await asking.getByRole('button', { name, exact: true }).click();
    await expect(asking).toBeHidden();
  };
  await openMember(support.page, tid);
  await act('Allow Korean', shownBy(support.secret, 1));
  await expect(sheet.getByRole('button', { name: 'Disallow Korean' })).toBeVisible();
  expect((await member.client.must<{ tkropen: boolean }>('security/userinfo')).tkropen).toBe(true);
  await act('Ask for a KOL code');

  const second = await start(browser, await linkFor(installation, `gives-${tid}@example.org`, 'admin'));
  await openPage(second.page, 'Decisions of two');
  const asked = second.page.getByRole('row').filter({ hasText: `STAR${tid}` });
  await asked.getByRole('button', { name: 'Approve' }).click();
  const deciding = second.page.getByRole('alertdialog');
  await deciding.getByLabel('Reason').fill(REASON);
  await deciding.getByLabel('Authenticator code').fill(shownBy(second.secret, 1));
  await deciding.getByRole('button', { name: 'Approve', exact: true }).click();
  await expect(deciding).toBeHidden();

  await theirs.goto(`${installation.url}/dashboard/self_referral`);
  const links = theirs.getByRole('button', { name: 'Copy the link' });
  await expect(links).toHaveCount(2);
  const link = await links.nth(1).getAttribute('title');
  expect(link).toBe(`${installation.url}/regist?ref=STAR${tid}`);
  const drawn = theirs.getByRole('img', { name: 'QR code of the link' }).nth(1);
  expect(modulesOfPath((await drawn.locator('path').getAttribute('d')) ?? '')).toEqual(
    modulesOfText(link ?? ''),
  );
  await act('End sessions');
  expect((await member.client.call('security/userinfo')).code).toBe(-2);
  expect(complaints.all).toEqual([]);
});

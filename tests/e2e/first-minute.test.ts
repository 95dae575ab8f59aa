import { randomUUID } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import { ClickCounter, opened, type } from './clicks.ts';
import { complaintsOf, heard, test } from './fixtures.ts';
import { type Installation, PARTS, startInstallation } from './installation.ts';
import { codeTo } from './security-client.ts';
import { TradePage } from './trade-page.ts';

/** The stranger's first minute, on an installation as `npm start` makes it: no setting but its port. */

const CLICKS_MAX = 8;
const MILLIS_MAX = 60_000;
const FUNDS = '10,000';
const TRY_CLICKS_MAX = 2;
const TRY_MILLIS_MAX = 20_000;
const PASSWORD = 'Correct-horse-7';

let installation: Installation;

test.beforeAll(async () => {
  test.setTimeout(600_000);
  installation = await startInstallation();
});

test.afterAll(async () => {
  await installation?.stop();
});

/** From the first page to a member with a wallet; every click is counted. */
async function signUp(page: Page, clicks: ClickCounter): Promise<void> {
  const email = `stranger-${randomUUID().slice(0, 8)}@example.org`;
  await clicks.click(page.getByRole('banner').getByRole('link', { name: 'Sign Up' }));
  await type(page.getByRole('textbox', { name: 'Email', exact: true }), email);
  await clicks.click(page.getByRole('button', { name: 'Send code' }));
  await heard(page, 'Successfully sent!');
  const outbox = await opened(page, () => clicks.click(page.getByRole('link', { name: 'Open the outbox' })));
  const mail = outbox.getByRole('listitem').filter({ hasText: email });
  const code = /[0-9]{4}/.exec((await mail.getByRole('button').textContent()) ?? '')?.[0] ?? '';
  await outbox.close();
  await type(page.getByRole('textbox', { name: 'Verification code' }), code);
  await type(page.getByRole('textbox', { name: 'Password', exact: true }), PASSWORD);
  await type(page.getByRole('textbox', { name: 'Confirm password' }), PASSWORD);
  await clicks.click(page.getByRole('checkbox', { name: /Terms of Service/ }));
  await clicks.click(page.getByRole('main').getByRole('button', { name: 'Sign up' }));
  await heard(page, 'successfully registered!');
}

test('a stranger who tries it gets from the first page to a fill in 20 seconds and 2 clicks, and keeps the demo as an account', async ({
  page,
}) => {
  test.setTimeout(300_000);
  const clicks = new ClickCounter();
  const trade = new TradePage(page);
  const complaints = complaintsOf(page);
  const started = performance.now();
  await page.goto(`${installation.url}/`);
  await clicks.click(page.getByRole('button', { name: 'Try it now with test funds' }));
  await expect(page).toHaveURL(/\/spot\/binance\/BTCUSDT/);
  await expect(trade.ticket.getByText('Filled in for you: one click buys.')).toBeVisible();
  await clicks.click(trade.sendButton('Buy'));
  await heard(page, 'Order successfully');
  await trade.tab('Trade history');
  await expect(trade.rows().first()).toContainText('BTCUSDT');
  const millis = performance.now() - started;
  test.info().annotations.push({ type: 'try it now', description: `${Math.round(millis)} ms` });
  expect(clicks.count).toBeLessThanOrEqual(TRY_CLICKS_MAX);
  expect(millis).toBeLessThanOrEqual(TRY_MILLIS_MAX);

  // The ticket that was filled in gives way to any other kind.
  await trade.ticket.getByRole('button', { name: 'Scaled', exact: true }).click();
  await expect(trade.ticket.getByRole('textbox', { name: 'From', exact: true })).toBeVisible();
  await trade.ticket.getByRole('button', { name: 'Limit', exact: true }).click();
  await expect(trade.ticket.getByRole('textbox', { name: 'Price', exact: true })).toBeVisible();

  const banner = page.getByRole('complementary', { name: 'Demo account' });
  await expect(banner).toContainText('everything is simulated');
  const fills = await trade.fills();
  await trade.openPath(installation.url, '/spot/okx/BTC-USDT');
  await expect(banner).not.toContainText('Putting test funds');
  await expect.poll(async () => (await trade.assets()).get('USDT')).toBe('10,000.00');
  await page.goto(`${installation.url}/`);
  await expect(page.getByText('Estimated balance')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Try it now with test funds' })).toHaveCount(0);

  await banner.getByRole('link', { name: 'Keep this account' }).click();
  await expect(page.getByRole('heading', { name: 'Keep this account' })).toBeVisible();
  const email = `kept-${randomUUID().slice(0, 8)}@example.org`;
  await page.getByRole('textbox', { name: 'Email', exact: true }).fill(email);
  await page.getByRole('button', { name: 'Send code' }).click();
  await heard(page, 'Successfully sent!');
  await page.getByRole('textbox', { name: 'Verification code' }).fill(await codeTo(installation, email));
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill(PASSWORD);
  await page.getByRole('textbox', { name: 'Confirm password' }).fill(PASSWORD);
  await page.getByRole('checkbox', { name: /Terms of Service/ }).check();
  await page.getByRole('main').getByRole('button', { name: 'Keep this account' }).click();
  await heard(page, 'successfully registered!');
  await expect(banner).toHaveCount(0);
  await trade.open(installation.url);
  expect(await trade.fills()).toEqual(fills);
  expect(complaints.all).toEqual([]);
});

test('a stranger gets from the first page to a fill in 60 seconds and 8 clicks, and kill -9 of everything takes nothing away', async ({
  page,
}) => {
  test.setTimeout(600_000);
  const clicks = new ClickCounter();
  const trade = new TradePage(page);
  const started = performance.now();

  await page.goto(`${installation.url}/`);
  await signUp(page, clicks);
  await clicks.click(page.getByRole('button', { name: `Put ${FUNDS} USDT on Binance` }));
  await expect(page).toHaveURL(/\/spot\/binance\/BTCUSDT/);
  await expect(trade.ticket.getByText('Filled in for you: one click buys.')).toBeVisible();
  await clicks.click(trade.sendButton('Buy'));
  await heard(page, 'Order successfully');
  await trade.tab('Trade history');
  await expect(trade.rows().first()).toContainText('BTCUSDT');
  const millis = performance.now() - started;

  // What was seen is said in the report of the run: the bounds are the specification's, not a benchmark.
  test.info().annotations.push({ type: 'first minute', description: `${Math.round(millis)} ms` });
  expect(clicks.count).toBeLessThanOrEqual(CLICKS_MAX);
  expect(millis).toBeLessThanOrEqual(MILLIS_MAX);
  const assets = await trade.assets();
  expect([...assets.keys()].sort()).toEqual(['BTC', 'USDT']);
  expect(Number(assets.get('USDT')?.replaceAll(',', ''))).toBeLessThan(10_000);
  const fills = await trade.fills();

  await installation.kill(PARTS);
  await installation.startAgain();
  await page.reload();
  await trade.live();
  await expect(page.getByRole('banner').getByRole('link', { name: 'Log In' })).toHaveCount(0);
  await expect.poll(() => trade.fills()).toEqual(fills);
  await expect.poll(() => trade.assets()).toEqual(assets);

  const before = await trade.bookRows();
  await expect.poll(() => trade.bookRows()).not.toEqual(before);
  await trade.type('Market');
  await trade.field('Spend').fill('50');
  await trade.send('Buy');
  await expect.poll(async () => (await trade.fills()).length).toBeGreaterThan(fills.length);
});

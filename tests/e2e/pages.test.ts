import { readFileSync } from 'node:fs';
import AxeBuilder from '@axe-core/playwright';
import { type Browser, expect, type Page } from '@playwright/test';
import { BINANCE, stands } from './contract-venues.ts';
import { englishLeft } from './english-left.ts';
import { complaintsOf, heard, logInContext, settled, test } from './fixtures.ts';
import type { Installation, Member } from './installation.ts';
import { PAGES } from './listed-pages.ts';
import { type Language, type Look, takeLook } from './looks.ts';

/** Every page there is: its title, its silence in the console, what a screen reader finds, and that it fits the window. */

function catalogue(language: Language): Readonly<Record<string, string>> {
  const file = new URL(`../../apps/web/src/i18n/${language}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8'));
}
const TEXTS = { en: catalogue('en'), ja: catalogue('ja'), ko: catalogue('ko') } as const;

/** Pages of the member that stand in a menu; identity checks and what comes later do not. */
const IN_A_ROW = /^\/(wallet\/(?!Deposit|Withdraw|Convert|Exchange|Gift)|history\/|dashboard\/(?!kyc))/;

// In the full tier this file is as long as all others together: two workers share it.
test.describe.configure({ mode: 'parallel' });

const WIDE = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
const MAIN_LOOKS: readonly PageLook[] = [
  { theme: 'dark', language: 'en', ...WIDE },
  { theme: 'light', language: 'ja', ...PHONE },
];
/** A look of a list of them. */
interface PageLook extends Look {
  /** Colours and layout are those of a look before, so that axe finds nothing else. */
  readonly alike?: true;
}
const LOOKS: readonly PageLook[] = [
  { theme: 'dark', language: 'en', ...WIDE },
  { theme: 'light', language: 'en', ...WIDE },
  { theme: 'dark', language: 'ja', ...PHONE },
  { theme: 'light', language: 'en', ...PHONE },
  { theme: 'dark', language: 'ko', alike: true, ...PHONE },
];
/** Of what visitors see as well, the look that they have not. */
const PUBLIC_LOOKS: readonly PageLook[] = [{ theme: 'light', language: 'ko', ...PHONE }];
const TIERS = [
  { tier: '', looks: MAIN_LOOKS, pages: PAGES.filter(({ main }) => main === true) },
  { tier: ' @full', looks: LOOKS, pages: PAGES.filter(({ publicToo }) => publicToo === undefined) },
  { tier: ' @full', looks: PUBLIC_LOOKS, pages: PAGES.filter(({ publicToo }) => publicToo === true) },
];

/** A member with money, fills, a resting order and a position, so that no table is empty. */
let trader: Member | undefined;
async function aTrader(installation: Installation): Promise<Member> {
  if (trader !== undefined) return trader;
  const member = await installation.member('10000');
  const order = { platformType: '43', tinstType: '1', symbol: 'BTCUSDT' };
  await member.client.must('connextrade/PlaceOrder', {
    ...order,
    ...{ side: '1', orderType: '2', timeInForce: '1', quoteQuantity: '500' },
  });
  const depth = await fetch(`${installation.url}/md/binance/api/v3/depth?symbol=BTCUSDT&limit=5`);
  const { bids } = (await depth.json()) as { readonly bids: readonly (readonly [string, string])[] };
  const price = String(Math.round(Number(bids[0]?.[0]) * 0.97));
  await member.client.must('connextrade/PlaceOrder', {
    ...order,
    ...{ side: '1', orderType: '1', timeInForce: '1', price, quantity: '0.01' },
  });
  await holdContract(member);
  trader = member;
  return member;
}

async function holdContract({ client }: Member): Promise<void> {
  const contract = { platformType: '43', symbol: 'BTCUSDT' };
  await client.must('connexfunding/UniversalTransfer', {
    ...{ platformType: '43', direction: '3', asset: 'USDT', amount: '1000' },
  });
  await stands(client, BINANCE, 0);
  await client.must('connextrade/SetLeverage', { ...contract, leverage: '20' });
  await client.must('connextrade/PlaceOrder', {
    ...{ ...contract, tinstType: '2', side: '1', orderType: '2', timeInForce: '1', quantity: '0.01' },
    ...{ effect: '0', reduceOnly: 'false', marginMode: 'cross', leverage: '20' },
  });
}

async function openPage(browser: Browser, url: string, member: Member | undefined): Promise<Page> {
  const context = await logInContext(browser, url, member);
  const page = await context.newPage();
  // Storage belongs to a site: the first look needs a page of it.
  await page.goto(`${url}/healthz`);
  return page;
}

async function seriousFindings(page: Page): Promise<readonly string[]> {
  const { violations } = await new AxeBuilder({ page }).options({ resultTypes: ['violations'] }).analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} ${target} ${failureSummary}`),
    );
}

test('the watchers of these tests see a fault where there is one', async ({ page, installation }) => {
  const complaints = complaintsOf(page);
  await page.goto(`${installation.url}/about`);
  await settled(page);
  expect(await seriousFindings(page)).toEqual([]);
  await page.evaluate(async () => {
    const nameless = document.createElement('button');
    document.querySelector('main')?.append(nameless);
    console.error('a fault');
    await fetch('/assets/none.js').catch(() => undefined);
  });
  expect((await seriousFindings(page)).join()).toContain('button-name');
  await expect.poll(() => complaints.all.join()).toContain('console error: a fault');
  expect(complaints.all.some((text) => text.startsWith('status 4'))).toBe(true);
});

const ROWS = TIERS.flatMap(({ pages, ...row }) => pages.map((listed) => ({ listed, ...row })));
for (const { listed, looks, tier } of ROWS) {
  const who = listed.member === true ? 'a member' : 'a visitor';
  test(`${listed.path} for ${who} is titled, silent, accessible and fits the window${tier}`, async ({
    browser,
    installation,
  }) => {
    const member = listed.member === true ? await aTrader(installation) : undefined;
    const page = await openPage(browser, installation.url, member);
    const complaints = complaintsOf(page);
    // A visitor is never spoken to in Korean.
    for (const look of looks.filter(({ language }) => member !== undefined || language !== 'ko')) {
      await takeLook(page, look);
      await page.goto(`${installation.url}${listed.path}`);
      await settled(page);
      const where = `${listed.path} ${look.theme} ${look.width} ${look.language}`;
      await expect.poll(() => page.evaluate(() => document.documentElement.lang), where).toBe(look.language);
      await expect(page, where).toHaveTitle(/^Crossbook\b/);
      const title = TEXTS[look.language][listed.titleId] ?? listed.titleId;
      await expect.poll(async () => (await page.title()).endsWith(title), where).toBe(true);
      const overflow = await page.evaluate(() => {
        const { scrollWidth, clientWidth } = document.documentElement;
        return scrollWidth - clientWidth;
      });
      expect(overflow, `${where}: pixels beyond the window`).toBeLessThanOrEqual(0);
      // On a phone sections are a row that scrolls: the open one is in it.
      if (look.width === PHONE.width && IN_A_ROW.test(listed.path)) {
        const row = page.getByRole('main').getByRole('navigation');
        await expect(row.locator('[aria-current=page]'), where).toBeInViewport({ ratio: 0.9 });
      }
      if (look.alike === undefined) expect(await seriousFindings(page), where).toEqual([]);
      // Mails and text messages are in the language of who gets them.
      if (look.language !== 'en' && listed.path !== '/dev/outbox')
        expect(await englishLeft(page), where).toEqual([]);
      expect(complaints.all, where).toEqual([]);
    }
    await page.context().close();
  });
}

test('the language picker changes every text at once and the choice outlives the page', async ({
  page,
  installation,
}) => {
  await page.goto(installation.url);
  await page.getByRole('banner').getByRole('button', { name: 'Language' }).click();
  await page.getByRole('button', { name: '日本語' }).click();
  await expect(page.getByRole('banner').getByRole('link', { name: 'マーケット', exact: true })).toBeVisible();
  await expect(page).toHaveTitle(/ホーム$/);
  await page.reload();
  await expect(page.getByRole('banner').getByRole('link', { name: 'マーケット', exact: true })).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('lang', 'ja');
  // The server's words follow as well: the Language header carries the choice.
  await page.goto(`${installation.url}/login`);
  await page.getByRole('textbox', { name: 'メール' }).fill('nobody@example.org');
  await page.getByRole('textbox', { name: 'パスワード', exact: true }).fill('Wrong-horse-7');
  await page.getByRole('main').getByRole('button', { name: 'ログイン' }).click();
  await heard(page, /[\u3040-\u30ff\u4e00-\u9fff]/);
});

test('dark is the default theme, the toggle changes it, and light is there before the first paint next time', async ({
  page,
  installation,
}) => {
  await page.goto(installation.url);
  const html = page.locator('html');
  await expect(html).toHaveAttribute('data-theme', 'dark');
  await page.getByRole('button', { name: 'Switch to light theme' }).click();
  await expect(html).toHaveAttribute('data-theme', 'light');
  await page.reload({ waitUntil: 'commit' });
  await expect(html).toHaveAttribute('data-theme', 'light');
  await page.getByRole('button', { name: 'Switch to dark theme' }).click();
  await expect(html).toHaveAttribute('data-theme', 'dark');
});

test('every change of route scrolls to the top @full', async ({ page, installation }) => {
  await page.setViewportSize({ width: 1440, height: 500 });
  await page.goto(`${installation.url}/market`);
  await settled(page);
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(0);
  await page.getByRole('contentinfo').getByRole('link', { name: 'About' }).click();
  await expect(page).toHaveURL(/\/about$/);
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
});

test('an address that leads nowhere says so and leads home @full', async ({ page, installation }) => {
  await page.goto(`${installation.url}/no/such/page`);
  await expect(page).toHaveTitle(/Page not found$/);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.getByRole('link', { name: 'Go to the home page' }).click();
  await expect(page).toHaveURL(`${installation.url}/`);
});

test('an address that names no market leads to the first of its exchange @full', async ({
  page,
  installation,
}) => {
  for (const [path, leadsTo] of [
    ['/spot', '/spot/binance/BTCUSDT'],
    ['/futures', '/futures/binance/BTCUSDT'],
    ['/spot/okx', '/spot/okx/BTC-USDT'],
    ['/futures/bybit', '/futures/bybit/BTCUSDT'],
    ['/futures/nowhere', '/futures/binance/BTCUSDT'],
  ] as const) {
    await page.goto(`${installation.url}${path}`);
    await expect(page, path).toHaveURL(`${installation.url}${leadsTo}`);
  }
});

test('on a phone the menu holds every entry and Buy opens the ticket from below', async ({
  browser,
  installation,
}) => {
  const member = await aTrader(installation);
  const look = { theme: 'dark', language: 'en', ...PHONE } as const;
  const page = await openPage(browser, installation.url, member);
  await takeLook(page, look);
  await page.goto(`${installation.url}/spot/binance/BTCUSDT`);
  await settled(page);
  await page.getByRole('button', { name: 'Buy', exact: true }).click();
  const sheet = page.getByRole('dialog', { name: 'BTC/USDT' });
  await expect(sheet.getByRole('region', { name: 'Order ticket' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(sheet).toHaveCount(0);
  await page.getByRole('button', { name: 'Menu' }).click();
  const menu = page.getByRole('dialog', { name: 'Menu' });
  await expect(menu.getByRole('link', { name: 'Markets' })).toBeVisible();
  await menu.getByRole('link', { name: 'Transfer' }).click();
  await expect(page).toHaveURL(/\/wallet\/TransferSub$/);
  await page.context().close();
});

import { mkdirSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from '@playwright/test';
import config from '../../playwright.config.ts';
import { logInContext } from './fixtures.ts';
import { type Installation, type Member, startInstallation, until } from './installation.ts';
import { coloursPainted, TradePage } from './trade-page.ts';

/**
 * Takes the screenshots of docs/images from a real installation: `node tests/e2e/pictures.ts`, or of some pages with their
 * names behind it (`futures`, `admin`, `login`). A member with a few trades and positions; home, lists, trade pages, wallet, dark, light and on
 * a phone; perpetuals and everything about the account in Japanese too. Of the back office what a demo admin sees.
 */

const FOLDER = fileURLToPath(new URL('../../docs/images/', import.meta.url));
const LOOKS = [
  { name: 'dark', settings: { theme: 'dark' }, width: 1440, height: 900, scale: 1 },
  { name: 'light', settings: { theme: 'light' }, width: 1440, height: 900, scale: 1 },
  { name: '390', settings: { theme: 'dark' }, width: 390, height: 844, scale: 2 },
  { name: 'ja', settings: { theme: 'dark', 'language mode': 'ja' }, width: 1440, height: 900, scale: 1 },
] as const;
type Look = (typeof LOOKS)[number];

function isAsked(page: string): boolean {
  const asked = process.argv.slice(2);
  return asked.length === 0 || asked.includes(page);
}

/** Every contract's rows below the chart, not only those of the one on screen. */
const TRADE_SETTINGS = { 'trade settings': JSON.stringify({ positionsAll: true, chartInterval: '1h' }) };
/** How much is put behind contracts. */
const MARGIN = '3000';

/** Trades and resting orders, so that the pictures show a terminal in use. */
async function aTradersDay(installation: Installation): Promise<Member> {
  const member = await installation.member('10000');
  const buy = { platformType: '43', tinstType: '1', side: '1' };
  const sell = { ...buy, side: '2' };
  const market = { orderType: '2', timeInForce: '1' };
  const limit = { orderType: '1', timeInForce: '1' };
  const place = (fields: Readonly<Record<string, string>>) =>
    member.client.must('connextrade/PlaceOrder', fields);
  await place({ ...buy, ...market, symbol: 'BTCUSDT', quoteQuantity: '2400' });
  await place({ ...buy, ...market, symbol: 'ETHUSDT', quoteQuantity: '1500' });
  await place({ ...buy, ...market, symbol: 'SOLUSDT', quoteQuantity: '800' });
  await place({ ...sell, ...market, symbol: 'BTCUSDT', quantity: '0.00500' });
  const answer = await fetch(`${installation.url}/md/binance/api/v3/ticker/24hr?symbol=BTCUSDT`);
  const { lastPrice } = (await answer.json()) as { readonly lastPrice: string };
  const at = (share: number): string => String(Math.round(Number(lastPrice) * share));
  await place({ ...buy, ...limit, symbol: 'BTCUSDT', price: at(0.985), quantity: '0.01000' });
  await place({ ...buy, ...limit, symbol: 'BTCUSDT', price: at(0.97), quantity: '0.02000' });
  await place({ ...sell, ...limit, symbol: 'BTCUSDT', price: at(1.02), quantity: '0.01000' });
  await somePositions(member, at);
  return member;
}

/** Three positions at Binance and an order that waits; `at` is a share of bitcoin's price. */
async function somePositions({ client }: Member, at: (share: number) => string): Promise<void> {
  const move = { platformType: '43', direction: '3', asset: 'USDT', amount: MARGIN };
  await client.must('connexfunding/UniversalTransfer', move);
  await until(
    'the money to be behind contracts',
    async () => {
      const { rows } = await client.must<{ readonly rows: readonly { readonly state: string }[] }>(
        'connexfunding/UniversalTransferHistory',
      );
      return rows.every(({ state }) => state === 'done');
    },
    30_000,
  );
  const seen = { effect: '0', reduceOnly: 'false', marginMode: 'cross', leverage: '20' };
  const contract = { platformType: '43', tinstType: '2', timeInForce: '1', ...seen };
  const place = (fields: Readonly<Record<string, string>>) =>
    client.must('connextrade/PlaceOrder', { ...contract, ...fields });
  await place({ symbol: 'BTCUSDT', side: '1', orderType: '2', quantity: '0.15' });
  await place({ symbol: 'ETHUSDT', side: '2', orderType: '2', quantity: '2' });
  await place({ symbol: 'SOLUSDT', side: '1', orderType: '2', quantity: '25' });
  await place({ symbol: 'BTCUSDT', side: '1', orderType: '1', quantity: '0.05', price: at(0.985) });
  for (const [algoType, share] of [
    ['stop', 0.975],
    ['take-profit', 1.025],
  ] as const) {
    await client.must('connextrade/PlaceAlgoOrder', {
      ...{
        platformType: '43',
        tinstType: '2',
        symbol: 'BTCUSDT',
        side: '2',
        algoType,
        triggerPrice: at(share),
      },
      ...{ ...seen, whole: 'true', reduceOnly: 'true', timeInForce: '1' },
    });
  }
}

/** Fonts, figures and canvases are there. */
async function settled(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' });
  await until(
    'nothing to load',
    async () => (await page.locator('[aria-busy="true"]').count()) === 0,
    30_000,
  );
  await page.evaluate(() => document.fonts.ready);
}

/** A browser whose screen really has that many pixels: the chart asks the screen, not the emulation. */
function launch(scale: number): Promise<Browser> {
  const { args = [], ...rest } = config.use?.launchOptions ?? {};
  return chromium.launch({ ...rest, args: [...args, `--force-device-scale-factor=${scale}`] });
}

/** A page in one look. */
interface Sitting {
  readonly page: Page;
  readonly url: string;
}

async function live({ page }: Sitting): Promise<void> {
  const trade = new TradePage(page);
  await until('the chart', async () => (await coloursPainted(page.locator('main'))) > 5, 60_000);
  await until('the ticket', async () => (await trade.page.locator('canvas').count()) > 1, 60_000);
  // The tape and the first ping have something to say after a moment; on a phone the ping does so in the menu.
  if ((await trade.connection.count()) > 0)
    await page
      .getByText(/\d+ ms/)
      .first()
      .waitFor();
  await page.waitForLoadState('networkidle').catch(() => undefined);
}

/** The pages by name, each as it is ready to be taken. */
const PAGES: Readonly<Record<string, (sitting: Sitting) => Promise<void>>> = {
  home: async ({ page, url }) => {
    await page.goto(`${url}/`);
    await settled(page);
    await page.waitForLoadState('networkidle');
  },
  trade: async ({ page, url }) => {
    await page.goto(`${url}/spot/binance/BTCUSDT`);
    await settled(page);
    await live({ page, url });
    const trade = new TradePage(page);
    await until('the orders', async () => (await trade.orders.getByText('BTCUSDT').count()) > 0, 30_000);
  },
  futures: async ({ page, url }) => {
    await page.goto(`${url}/futures/binance/BTCUSDT`);
    await settled(page);
    await live({ page, url });
    await page.getByText('SOLUSDT').first().waitFor({ state: 'attached' });
    await page
      .locator('input[name="size"]')
      .fill('0.02')
      .catch(() => undefined);
  },
  markets: async ({ page, url }) => {
    await page.goto(`${url}/market`);
    await settled(page);
  },
  data: async ({ page, url }) => {
    await page.goto(`${url}/marketData`);
    await settled(page);
  },
  wallet: async ({ page, url }) => {
    await page.goto(`${url}/wallet/WalletOverviewSub`);
    await settled(page);
    await page.getByRole('cell', { name: 'SOL' }).first().waitFor();
  },
  security: async ({ page, url }) => {
    await page.goto(`${url}/dashboard/security`);
    await settled(page);
  },
  profile: async ({ page, url }) => {
    await page.goto(`${url}/dashboard/profile`);
    await settled(page);
  },
  kyc: async ({ page, url }) => {
    await page.goto(`${url}/dashboard/kyc`);
    await settled(page);
  },
  referral: async ({ page, url }) => {
    await page.goto(`${url}/dashboard/self_referral`);
    await settled(page);
  },
};
/** The same for who is not logged in; the last one makes him a demo member. */
const VISITOR_PAGES: typeof PAGES = {
  login: async ({ page, url }) => {
    await page.goto(`${url}/login`);
    await settled(page);
  },
  'sign-up': async ({ page, url }) => {
    await page.goto(`${url}/regist`);
    await settled(page);
    await page.locator('input[type=email]').fill('ada@example.org');
    await page.locator('input[type=password]').first().fill('Correct-h');
  },
  try: async ({ page, url }) => {
    await page.goto(`${url}/`);
    await settled(page);
    await page.getByRole('button', { name: /^(Try it now with test funds|テスト資金で今すぐ試す)$/ }).click();
    await page.waitForURL(/\/spot\//);
    await settled(page);
    await live({ page, url });
    await page.locator('[role=status]').first().waitFor({ state: 'attached' });
  },
};
/** What has a picture in Japanese. */
const IN_JAPANESE = ['futures', 'security', 'profile', 'kyc', 'referral', ...Object.keys(VISITOR_PAGES)];

async function takeLook(
  installation: Installation,
  { member, pages }: { readonly member: Member | undefined; readonly pages: typeof PAGES },
  look: Look,
): Promise<void> {
  const { name, settings, width, height, scale } = look;
  const { url } = installation;
  const browser = await launch(scale);
  const context = await logInContext(browser, url, member, {
    settings: { ...TRADE_SETTINGS, ...settings },
    deviceScaleFactor: scale,
  });
  const page = await context.newPage();
  await page.setViewportSize({ width, height });
  for (const [what, open] of Object.entries(pages)) {
    if (!isAsked(what)) continue;
    if (name === 'ja' && !IN_JAPANESE.includes(what)) continue;
    await open({ page, url });
    const path = `${FOLDER}${what}-${name}.png`;
    await page.screenshot({ path, timeout: 120_000 });
    process.stdout.write(`${what}-${name}.png ${Math.round(statSync(path).size / 1_000)} kB\n`);
  }
  await browser.close();
}

/** Pages of the back office, each in the look that it is taken in. */
const OFFICE = [
  { name: 'health', look: LOOKS[0] },
  { name: 'members', look: LOOKS[1] },
  { name: 'offer', look: LOOKS[2] },
  { name: 'health', look: LOOKS[3] },
  { name: 'audit', look: LOOKS[1] },
  { name: 'members', look: LOOKS[2] },
] as const;
/** What enters it, in English and Japanese. */
const OFFICE_ENTRY = /^(As the one who asks|申請する担当者として)$/;
/** So many members stand in their list, so that it is one. */
const MEMBERS = 6;

/** The operator's side as the demo admin who asks: no member's contact is shown to him whole. */
async function takeOffice(installation: Installation): Promise<void> {
  if (!isAsked('admin')) return;
  for (let more = 1; more < MEMBERS; more += 1) await installation.member();
  const { url } = installation;
  for (const { name, look } of OFFICE) {
    const browser = await launch(look.scale);
    const context = await logInContext(browser, url, undefined, {
      settings: look.settings,
      deviceScaleFactor: look.scale,
    });
    const page = await context.newPage();
    await page.setViewportSize({ width: look.width, height: look.height });
    await page.goto(`${url}/admin/${name}`);
    await page.getByRole('button', { name: OFFICE_ENTRY }).click();
    await page.getByRole('navigation').first().waitFor();
    await page.getByRole('cell').first().waitFor();
    await settled(page);
    // Nothing lies under the pointer.
    await page.mouse.move(0, 0);
    const file = `admin-${name}-${look.name}.png`;
    await page.screenshot({ path: `${FOLDER}${file}`, timeout: 120_000 });
    process.stdout.write(`${file} ${Math.round(statSync(`${FOLDER}${file}`).size / 1_000)} kB\n`);
    await browser.close();
  }
}

mkdirSync(FOLDER, { recursive: true });
const installation = await startInstallation({ ADDRESS_LIMIT_FACTOR: '1000', CAPTCHA_WORK_MAX: '500' });
try {
  const member = await aTradersDay(installation);
  for (const look of LOOKS) {
    await takeLook(installation, { member, pages: PAGES }, look);
    await takeLook(installation, { member: undefined, pages: VISITOR_PAGES }, look);
  }
  await takeOffice(installation);
} finally {
  await installation.stop();
}

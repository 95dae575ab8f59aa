import { mkdirSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from '@playwright/test';
import config from '../../playwright.config.ts';
import { logInContext } from './fixtures.ts';
import { type Installation, type Member, startInstallation, until } from './installation.ts';
import { coloursPainted, TradePage } from './trade-page.ts';

/**
 * Takes the screenshots of docs/images from a real installation: `node tests/e2e/pictures.ts`.
 * A member with a few trades; home, lists, trade pages and wallet, dark, light and on a phone.
 */

const FOLDER = fileURLToPath(new URL('../../docs/images/', import.meta.url));
const LOOKS = [
  { name: 'dark', theme: 'dark', width: 1440, height: 900, scale: 1 },
  { name: 'light', theme: 'light', width: 1440, height: 900, scale: 1 },
  { name: '390', theme: 'dark', width: 390, height: 844, scale: 2 },
] as const;

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
  return member;
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

async function takeAll(installation: Installation, member: Member): Promise<void> {
  for (const { name, theme, width, height, scale } of LOOKS) {
    const { url } = installation;
    const browser = await launch(scale);
    const context = await logInContext(browser, url, member, {
      settings: { theme },
      deviceScaleFactor: scale,
    });
    const page = await context.newPage();
    await page.setViewportSize({ width, height });
    const take = async (what: string): Promise<void> => {
      const path = `${FOLDER}${what}-${name}.png`;
      await page.screenshot({ path });
      process.stdout.write(`${what}-${name}.png ${Math.round(statSync(path).size / 1_000)} kB\n`);
    };
    await page.goto(`${url}/`);
    await settled(page);
    await page.waitForLoadState('networkidle');
    await take('home');
    await page.goto(`${url}/spot/binance/BTCUSDT`);
    await settled(page);
    const trade = new TradePage(page);
    await until('the chart', async () => (await coloursPainted(trade.chart)) > 5, 30_000);
    await until('the orders', async () => (await trade.rows().count()) > 0, 30_000);
    // The tape and the first ping have something to say after a moment.
    await page.getByText(/Latency \d+ ms/).waitFor();
    await take('trade');
    await page.goto(`${url}/futures/okx/BTC-USDT-SWAP`);
    await settled(page);
    await until('the perpetual', async () => (await coloursPainted(trade.chart)) > 5, 30_000);
    await page.getByText(/Latency \d+ ms/).waitFor();
    await take('futures');
    await page.goto(`${url}/market`);
    await settled(page);
    await take('markets');
    await page.goto(`${url}/marketData`);
    await settled(page);
    await take('data');
    await page.goto(`${url}/wallet/WalletOverviewSub`);
    await settled(page);
    await page.getByRole('cell', { name: 'SOL' }).first().waitFor();
    await take('wallet');
    await browser.close();
  }
}

mkdirSync(FOLDER, { recursive: true });
const installation = await startInstallation({ ADDRESS_LIMIT_FACTOR: '1000', CAPTCHA_WORK_MAX: '500' });
try {
  await takeAll(installation, await aTradersDay(installation));
} finally {
  await installation.stop();
}

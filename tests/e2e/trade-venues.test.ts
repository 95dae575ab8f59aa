import type { BootConfig } from '@crossbook/contract';
import { expect, type Page } from '@playwright/test';
import { complaintsOf, heard, standingStill, test } from './fixtures.ts';
import { coloursPainted, picture, TradePage } from './trade-page.ts';

/** Trade pages of three exchanges, spot and perpetuals, by what a visitor and a member see and do on them. */

const PAIRS = ['/spot/okx/BTC-USDT', '/spot/bybit/BTCUSDT'] as const;
const PERPETUALS = [
  '/futures/binance/BTCUSDT',
  '/futures/okx/BTC-USDT-SWAP',
  '/futures/bybit/BTCUSDT',
] as const;

/** The figure under a label of the instrument bar. */
function stat(page: Page, label: string) {
  const bar = page.getByRole('region', { name: 'Instrument', exact: true });
  return bar.getByText(label, { exact: true }).locator('xpath=following-sibling::*[1]');
}

/** One exchange shows that pages are drawn; the others are left to the full tier. */
function tierOf(path: string, [first]: readonly string[]): string {
  return path === first ? '' : ' @full';
}

/** Choosing an interval asks the exchange for its bars, and they are drawn. */
async function draws(trade: TradePage, choose: () => Promise<unknown>): Promise<void> {
  const answer = trade.page.waitForResponse((response) =>
    /(klines?|candles)$/.test(new URL(response.url()).pathname),
  );
  await choose();
  expect((await answer).status()).toBe(200);
  await expect(trade.chart.getByText('Loading candles')).toHaveCount(0);
  await expect(trade.chart.getByRole('alert')).toHaveCount(0);
  await expect.poll(() => coloursPainted(trade.chart)).toBeGreaterThan(5);
}

/** Book, chart and tape are painted, and they move. */
async function sees(trade: TradePage): Promise<void> {
  await expect.poll(() => coloursPainted(trade.chart)).toBeGreaterThan(5);
  await expect.poll(() => coloursPainted(trade.book)).toBeGreaterThan(5);
  const rows = await trade.bookRows();
  await expect.poll(() => trade.bookRows()).not.toEqual(rows);
  await trade.page
    .getByRole('group', { name: 'Market panels' })
    .getByRole('button', { name: 'Trades' })
    .click();
  const tape = trade.page.getByRole('region', { name: 'Last trades' });
  await expect.poll(() => coloursPainted(tape)).toBeGreaterThan(5);
  const shown = await picture(tape);
  await expect.poll(() => picture(tape)).not.toBe(shown);
}

for (const path of PAIRS) {
  test(`a visitor sees book, tape and chart live on ${path}${tierOf(path, PAIRS)}`, async ({
    page,
    installation,
  }) => {
    const complaints = complaintsOf(page);
    const trade = new TradePage(page);
    await trade.openPath(installation.url, path);
    await sees(trade);
    await expect(trade.connection).toContainText(': simulated');
    expect(complaints.all).toEqual([]);
  });
}

/** Whether contracts are traded at the platform of a path, by what the hub tells the browser. */
async function contractsAt(url: string, path: string): Promise<'open' | 'soon' | 'shown'> {
  const boot = (await (await fetch(`${url}/boot.json`)).json()) as BootConfig;
  const venue = boot.platforms.find((row) => path.startsWith(`/futures/${row.slug}/`));
  if (venue?.state !== 'live') return 'soon';
  return venue.symbolTypes.includes('SWAP') ? 'open' : 'shown';
}

for (const path of PERPETUALS) {
  test(`a visitor sees book, tape, chart, mark, index and funding live on ${path}${tierOf(path, PERPETUALS)}`, async ({
    page,
    installation,
  }) => {
    const complaints = complaintsOf(page);
    const trade = new TradePage(page);
    await trade.openPath(installation.url, path);
    const bid = Number(await trade.best('Bid'));
    await sees(trade);
    for (const label of ['Mark', 'Index']) {
      await expect(stat(page, label)).toHaveText(/^[\d,]+\.\d+$/);
      const shown = Number(((await stat(page, label).textContent()) ?? '').replaceAll(',', ''));
      expect(Math.abs(shown / bid - 1)).toBeLessThan(0.02);
    }
    await expect(stat(page, 'Funding / countdown')).toHaveText(/^[+−]?\d+\.\d{4}%\d\d:\d\d:\d\d$/);
    await expect(stat(page, 'Open interest (BTC)')).toHaveText(/^[\d.]+[KMB]?$/);
    const standing = await contractsAt(installation.url, path);
    if (standing === 'open') await expect(trade.ticket.getByRole('link', { name: 'Log In' })).toBeVisible();
    else {
      const heading = standing === 'soon' ? 'Coming soon' : 'Perpetual trading is not open yet';
      await expect(trade.ticket.getByRole('heading', { name: heading })).toBeVisible();
      await expect(trade.ticket.getByRole('textbox')).toHaveCount(0);
    }
    expect(complaints.all).toEqual([]);
  });
}

test('a member buys on OKX and the balance there follows', async ({ installation, memberPage }) => {
  const member = await installation.member();
  await member.client.must('x/paper/TestFunds', { platformType: '41', tradingAmount: '10000' });
  const page = await memberPage(member);
  const trade = new TradePage(page);
  await trade.openPath(installation.url, '/spot/okx/BTC-USDT');
  await trade.type('Limit');
  await expect(trade.ticket.getByText('Icebergs of OKX are a kind of conditional order.')).toBeVisible();
  await trade.type('Market');
  await trade.field('Spend').fill('1000');
  await trade.send('Buy');
  await heard(page, 'Order successfully');
  await expect.poll(async () => (await trade.assets()).get('BTC') ?? '0').toMatch(/^0\.0\d*[1-9]\d*$/);
  const usdt = async () => Number((await trade.assets()).get('USDT')?.replaceAll(',', ''));
  await expect.poll(usdt).toBeLessThan(9_101);
  expect(await usdt()).toBeGreaterThan(8_900);
  const [fill = ''] = await trade.fills();
  expect(fill).toContain('BTC-USDT');
});

test('the best offers name another exchange and open its page; one that is coming soon takes no order @full', async ({
  page,
  installation,
}) => {
  const trade = new TradePage(page);
  await trade.openPath(installation.url, '/spot/okx/BTC-USDT');
  const best = page.getByRole('region', { name: 'Best offers of all exchanges' });
  await expect(best).toContainText('Best ask');
  await expect(best).toContainText('Best bid');
  // Where nobody trades in a fall the prices stay above those of the other open one. A closed one is never named.
  await standingStill(installation, 'okx', async () => {
    await installation.simulate('shock', { venue: 'okx', symbol: 'BTC-USDT', market: 'spot', factor: 0.98 });
    const better = best.getByRole('link', { name: /^Best ask/ });
    await expect(better).toHaveText(/Binance[+−]?\d+\.\d bp$/);
    await better.click();
  });
  await expect(page).toHaveURL(/\/spot\/binance\/BTCUSDT$/);
  await trade.live();

  await page.goto(`${installation.url}/spot/bybit/BTCUSDT`);
  await trade.live();
  await expect(trade.ticket.getByRole('heading', { name: 'Coming soon' })).toBeVisible();
  await expect(trade.ticket.getByRole('textbox')).toHaveCount(0);
  await trade.ticket.getByRole('link', { name: 'Trade BTC spot on Binance' }).click();
  await expect(page).toHaveURL(/\/spot\/binance\/BTCUSDT$/);
});

test('an address without an instrument says so, means the likeliest one, and finds any other @full', async ({
  page,
  installation,
}) => {
  await page.goto(`${installation.url}/futures/okx/BTCUSDT`);
  await expect(page.getByRole('heading', { name: 'There is no instrument "BTCUSDT" at OKX.' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Open BTC-USDT-SWAP' })).toBeVisible();
  await page.getByRole('button', { name: 'Search instruments' }).click();
  const picker = page.getByRole('dialog', { name: 'Instruments at OKX' });
  await picker.getByRole('button', { name: 'Bybit (soon)' }).click();
  await page.getByRole('textbox', { name: 'Search pair' }).fill('sol');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/futures\/bybit\/SOLUSDT$/);
  await new TradePage(page).live();
});

for (const path of [...PAIRS, ...PERPETUALS]) {
  test(`every interval of the chart draws on ${path}, and what the exchange lacks cannot be chosen @full`, async ({
    page,
    installation,
  }) => {
    test.setTimeout(600_000);
    const complaints = complaintsOf(page);
    const trade = new TradePage(page);
    await trade.openPath(installation.url, path);
    const bar = trade.chart.getByRole('group', { name: 'Chart interval' });
    // The interval the page opened with is asked for and drawn already: pressing it again asks nothing.
    await expect.poll(() => coloursPainted(trade.chart)).toBeGreaterThan(5);
    for (const button of await bar.getByRole('button', { pressed: false }).all()) {
      if (await button.isEnabled()) await draws(trade, () => button.click());
    }
    const others = bar.getByRole('combobox');
    for (const option of await others.locator('option:enabled').all()) {
      const value = (await option.getAttribute('value')) ?? '';
      await draws(trade, () => others.selectOption(value));
    }
    const second = trade.chart.getByRole('button', { name: '1s', exact: true });
    expect(await second.isDisabled()).toBe(!path.includes('okx'));
    expect(complaints.all).toEqual([]);
  });
}

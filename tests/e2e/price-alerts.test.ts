import { expect, type Locator } from '@playwright/test';
import { complaintsOf, heard, logInContext, roomInDays, test } from './fixtures.ts';
import { TradePage } from './trade-page.ts';

/** Price alerts: set over the chart and in the list, dragged, fired by a shocked price, and heard of after the page was closed. */

const MARKET = { venue: 'binance', symbol: 'ETHUSDT', market: 'spot' } as const;

test('a price alert is set at the pointer, dragged, removed, and fires once, also while no page is open @full', async ({
  browser,
  installation,
}) => {
  // A day that had room made reaches far enough for a price that nothing comes near.
  const settings = { 'trade settings': JSON.stringify({ chartInterval: '1d' }) };
  await roomInDays(installation, MARKET.symbol);
  const context = await logInContext(browser, installation.url, await installation.member(), { settings });
  const page = await context.newPage();
  const complaints = complaintsOf(page);
  const trade = new TradePage(page);
  await trade.open(installation.url, MARKET.symbol);
  const box = await trade.chart.boundingBox();
  if (box === null) throw new Error('the chart is not on screen');
  const [x, y] = [box.x + box.width / 2, box.y + 90];
  const bell = trade.chart.getByRole('button', { name: /^Price alerts/ });
  // What comes up over the bars is loaded after them: a pointer that was there before is heard when it moves.
  const points = (height: number, brought: Locator): Promise<void> =>
    expect(async () => {
      await page.mouse.move(x + 20, height);
      await page.mouse.move(x, height);
      await expect(brought).toBeVisible({ timeout: 500 });
    }).toPass();
  // Until the days are drawn the scale is another one, and this height near the price.
  const far = trade.chart.getByRole('button', { name: /^Price alert at / });
  const bid = Number(await trade.best('Bid'));
  await expect(async () => {
    await points(y, far);
    const price = /at ([\d,.]+)/.exec((await far.getAttribute('aria-label')) ?? '')?.[1] ?? '';
    expect(Number(price.replaceAll(',', ''))).toBeGreaterThan(bid * 1.01);
  }).toPass();
  await page.keyboard.press('a');
  await expect(bell).toHaveAccessibleName('Price alerts: 1');

  const list = page.getByRole('dialog', { name: 'Price alerts' });
  const rows = list.getByRole('listitem');
  const open = async (): Promise<void> => {
    await page.keyboard.press('g');
    await page.keyboard.press('a');
    await expect(list).toBeVisible();
  };
  // An open dialog lies over the chart.
  const close = async (): Promise<void> => {
    await page.keyboard.press('Escape');
    await expect(list).toHaveCount(0);
  };
  await open();
  await expect(rows).toHaveCount(1);
  const before = (await rows.textContent()) ?? '';
  await close();
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x, y + 40, { steps: 4 });
  await page.mouse.up();
  await open();
  await expect(rows).not.toHaveText(before);
  await close();
  const removes = trade.chart.getByRole('button', { name: /^Remove the price alert at/ });
  await points(y + 40, removes);
  await removes.click();
  await expect(bell).toHaveAccessibleName('Price alerts');

  // Both are far from the price until it is shocked.
  const last = Number(await trade.best('Bid'));
  await open();
  for (const [count, factor] of [1.03, 0.97].entries()) {
    await list.getByRole('textbox').fill((last * factor).toFixed(0));
    await list.getByRole('button', { name: 'Set', exact: true }).click();
    await expect(rows).toHaveCount(count + 1);
  }
  await close();
  await installation.simulate('shock', { ...MARKET, factor: 1.05 });
  await heard(page, /^ETHUSDT at Binance rose to/);
  await expect(bell).toHaveAccessibleName('Price alerts: 1');
  expect(complaints.all).toEqual([]);
  await page.close();

  await installation.simulate('shock', { ...MARKET, factor: 0.9 });
  const later = new TradePage(await context.newPage());
  await expect(async () => {
    await later.open(installation.url, MARKET.symbol);
    await later.page.getByRole('button', { name: /^Notices/ }).click();
    const fell = later.page.getByRole('dialog').getByText(/^ETHUSDT at Binance fell to/);
    await expect(fell).toBeVisible({ timeout: 5_000 });
  }).toPass();
  await expect(later.chart.getByRole('button', { name: 'Price alerts', exact: true })).toHaveCount(1);
  await context.close();
});

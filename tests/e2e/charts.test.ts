import { expect, type Page } from '@playwright/test';
import { complaintsOf, expectSound, logInContext, test } from './fixtures.ts';
import { coloursPainted, TradePage } from './trade-page.ts';

/** One, two or four charts beside each other where the window is wide enough. */

/** How many channels of each kind the page has entered and not left. */
function channelsOf(page: Page): () => Readonly<Record<string, number>> {
  const entered = new Map<string, string>();
  page.on('websocket', (socket) => {
    socket.on('framesent', ({ payload }) => {
      if (payload === 'ping') return;
      const { action, args } = JSON.parse(String(payload)) as { action: string; args: unknown };
      for (const arg of Array.isArray(args) ? (args as readonly { readonly ch: string }[]) : []) {
        const key = `${socket.url()} ${JSON.stringify(arg)}`;
        if (action === 'subscribe') entered.set(key, arg.ch);
        if (action === 'unsubscribe') entered.delete(key);
      }
    });
  });
  return () => {
    const counts: Record<string, number> = {};
    for (const channel of entered.values()) counts[channel] = (counts[channel] ?? 0) + 1;
    return counts;
  };
}

test("from 2,200 pixels one, two or four charts stand side by side, each with its market and interval; the active one is the page's @full", async ({
  browser,
  installation,
}) => {
  const context = await logInContext(browser, installation.url, await installation.member('10000'));
  const page = await context.newPage();
  await page.setViewportSize({ width: 2560, height: 1440 });
  const complaints = complaintsOf(page);
  const channels = channelsOf(page);
  const trade = new TradePage(page);
  await trade.open(installation.url);
  const counts = trade.chart.getByRole('group', { name: 'Charts', exact: true });
  const sides = page.getByRole('region', { name: /^Chart: / });
  const pressed = (name: string) =>
    page
      .getByRole('region', { name, exact: true })
      .getByRole('group', { name: 'Chart interval' })
      .getByRole('button', { pressed: true });
  await expect(sides).toHaveCount(0);

  await counts.getByRole('button', { name: '4', exact: true }).focus();
  await page.keyboard.press('Enter');
  await expect(sides).toHaveCount(3);
  for (const side of await sides.all()) {
    await expect.poll(() => coloursPainted(side)).toBeGreaterThan(5);
  }
  // The bars and the trades of each, no book and no ticker.
  await expect.poll(channels).toMatchObject({ candle: 4, trades: 4, book: 1 });
  const eth = page.getByRole('region', { name: 'Chart: ETH/USDT · Binance' });
  await eth.getByRole('button', { name: '1D', exact: true }).click();
  await expect(pressed('Chart: ETH/USDT · Binance')).toHaveText('1D');
  await expect(pressed('Chart')).toHaveText('1m');
  await expectSound(page, 'four charts');

  await eth.getByRole('button', { name: 'Trade ETH/USDT · Binance' }).focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/spot\/binance\/ETHUSDT$/);
  await expect(trade.chart).toBeFocused();
  await expect(trade.sendButton('Buy', 'ETH')).toBeVisible();
  await expect(pressed('Chart')).toHaveText('1D');
  await expect(pressed('Chart: BTC/USDT · Binance')).toHaveText('1m');
  await expect.poll(channels).toMatchObject({ candle: 4, trades: 4, book: 1 });

  await page.reload();
  await trade.live();
  await expect(sides).toHaveCount(3);
  await expect(pressed('Chart')).toHaveText('1D');
  await counts.getByRole('button', { name: '2', exact: true }).click();
  await expect(sides).toHaveCount(1);
  await counts.getByRole('button', { name: '1', exact: true }).click();
  await expect(sides).toHaveCount(0);
  await expect.poll(() => coloursPainted(trade.chart)).toBeGreaterThan(5);
  // A narrower window has one chart, whatever was chosen.
  await counts.getByRole('button', { name: '4', exact: true }).click();
  await page.setViewportSize({ width: 1920, height: 1080 });
  await expect(sides).toHaveCount(0);
  await expect(counts).toHaveCount(0);
  expect(complaints.all).toEqual([]);
  await context.close();
});

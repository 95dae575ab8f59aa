import { expect, type Page } from '@playwright/test';
import { complaintsOf, heard, test } from './fixtures.ts';
import { coloursPainted, picture, TradePage } from './trade-page.ts';

/** The spot trade page, by what a member sees and does on it. */

/** Requests for candles that a page makes, as their query. */
function candleRequests(page: Page): URLSearchParams[] {
  const queries: URLSearchParams[] = [];
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.pathname === '/md/binance/api/v3/klines') queries.push(url.searchParams);
  });
  return queries;
}

test('a visitor sees book, tape and chart live', async ({ page, installation }) => {
  const complaints = complaintsOf(page);
  const trade = new TradePage(page);
  await trade.open(installation.url);
  await expect.poll(() => coloursPainted(trade.chart)).toBeGreaterThan(5);
  await expect.poll(() => coloursPainted(trade.book)).toBeGreaterThan(5);
  // Looked at again, as a slow page makes a poll do: looking must not be what the page complains of.
  expect(await coloursPainted(trade.chart)).toBeGreaterThan(5);
  // What a reader of the table hears stands beside it.
  const heads = trade.book.locator('span');
  for (const head of ['Price (USDT)', 'Size (BTC)', 'Total (BTC)'])
    await expect(heads.and(trade.book.getByText(head, { exact: true }))).toBeVisible();
  const rows = await trade.bookRows();
  await expect.poll(() => trade.bookRows()).not.toEqual(rows);
  const bar = await picture(trade.chart);
  await expect.poll(() => picture(trade.chart)).not.toBe(bar);

  await page.getByRole('group', { name: 'Market panels' }).getByRole('button', { name: 'Trades' }).click();
  const tape = page.getByRole('region', { name: 'Last trades' });
  await expect.poll(() => coloursPainted(tape)).toBeGreaterThan(5);
  const shown = await picture(tape);
  await expect.poll(() => picture(tape)).not.toBe(shown);

  await expect(trade.connection).toContainText(/Latency \d+ ms/);
  await expect(trade.connection).toContainText(/Server time \d\d:\d\d:\d\d UTC/);
  await expect(trade.connection).toContainText('Binance: simulated');
  await expect(trade.ticket.getByRole('link', { name: 'Log In' })).toBeVisible();
  expect(complaints.all).toEqual([]);
});

test('a limit order below the market rests in open orders, and cancelling it frees the money; the history resends it', async ({
  installation,
  memberPage,
}) => {
  const page = await memberPage(await installation.member('10000'));
  const trade = new TradePage(page);
  await trade.open(installation.url);
  const price = await trade.priceAwayFromBid(-0.03);
  await trade.limit(price, '0.01');
  await trade.send('Buy');
  await heard(page, 'Order successfully');
  await trade.tab('Open orders');
  await expect(trade.rows()).toHaveCount(1);
  await expect(trade.rows().first()).toContainText('BTCUSDT');
  const held = await trade.assets();
  expect(held.get('USDT')?.replaceAll(',', '')).toMatch(/^10000(\.0+)?$/);

  await trade.tab('Open orders');
  await trade.orders.getByRole('button', { name: /^Cancel BTCUSDT/ }).click();
  await heard(page, 'Order Cancelled');
  await expect(trade.rows()).toHaveCount(0);
  await expect(trade.orders.getByText('No MATCHING RECORDS')).toBeVisible();
  await trade.tab('Order history');
  await expect(trade.rows().first()).toContainText('Cancelled');
  await expect(trade.ticket.getByRole('button', { name: /^10,000\.00 USDT/ })).toBeVisible();

  // The history leads back to a ticket that is filled in with the order; nothing is sent.
  await page.goto(`${installation.url}/history/spot_trading_overview`);
  await page.getByRole('link', { name: 'Resend BTCUSDT' }).click();
  await trade.live();
  const filledIn = async (name: 'Price' | 'Quantity') =>
    Number((await trade.field(name).inputValue()).replaceAll(',', ''));
  await expect.poll(() => filledIn('Quantity')).toBe(0.01);
  expect(await filledIn('Price')).toBe(Number(price));
  await trade.tab('Open orders');
  await expect(trade.rows()).toHaveCount(0);
});

test('a post-only order that would take is stopped in the ticket, and past it the exchange refuses in its own words @full', async ({
  installation,
  memberPage,
}) => {
  const member = await installation.member('10000');
  const page = await memberPage(member);
  const trade = new TradePage(page);
  await trade.open(installation.url);
  const price = await trade.priceAwayFromBid(0.01);
  await trade.limit(price, '0.01', 'Post-only: never takes');
  await trade.send('Buy');
  await expect(trade.ticket.getByText(/Post-only would fill at once: the price must be/)).toBeVisible();
  await trade.tab('Open orders');
  await expect(trade.rows()).toHaveCount(0);

  // The market may have moved between the ticket's look and the exchange's: then the exchange decides.
  const answer = await member.client.call('connextrade/PlaceOrder', {
    ...{ platformType: '43', tinstType: '1', symbol: 'BTCUSDT', side: '1', orderType: '1' },
    ...{ timeInForce: '4', price, quantity: '0.01' },
  });
  expect(answer.code).not.toBe(1);
  expect(answer.msg).toContain('Post-only: it would have filled at once.');
  await trade.tab('Order history');
  await expect(trade.rows().first()).toContainText('Rejected');
  expect(await member.client.tradingBalances()).toEqual(
    new Map([['USDT', expect.stringMatching(/^10000(\.0+)?$/)]]),
  );
});

test('an order beyond the balance is answered by name, with what to do about it, and nothing is sent', async ({
  installation,
  memberPage,
}) => {
  const page = await memberPage(await installation.member('100'));
  const trade = new TradePage(page);
  await trade.open(installation.url);
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('PlaceOrder')) sent.push(request.url());
  });
  // Pressing leads to what is wrong: nothing entered yet, then too much.
  await trade.send('Buy');
  await expect(trade.field('Quantity')).toBeFocused();
  await trade.limit(await trade.priceAwayFromBid(-0.01), '1');
  await trade.send('Buy');
  await expect(trade.field('Quantity')).toBeFocused();
  await expect(trade.ticket.getByText('Your Available Balance is insufficient.')).toBeVisible();
  await expect(
    trade.ticket.getByText('insufficient available balance, please deposit or transfer'),
  ).toBeVisible();
  await expect(trade.ticket.getByRole('button', { name: 'Get test funds' })).toBeVisible();
  await expect(trade.ticket.getByRole('link', { name: 'Transfer' })).toBeVisible();
  expect(sent).toEqual([]);
});

test('a click on a price in the book fills the price, a click on a size fills the quantity', async ({
  installation,
  memberPage,
}) => {
  const page = await memberPage(await installation.member('10000'));
  const trade = new TradePage(page);
  await trade.open(installation.url);
  await trade.type('Market');
  const canvas = trade.book.locator('canvas');
  const box = await canvas.boundingBox();
  if (box === null) throw new Error('the book is not on screen');
  // The best ask stands right above the middle row of 36 pixels; rows are 20 high.
  const bestAsk = Math.floor((box.height - 36) / 40) * 20 - 10;
  await canvas.click({ position: { x: box.width * 0.1, y: bestAsk } });
  const near = Number(await trade.best('Ask'));
  await expect(trade.field('Price')).not.toHaveValue('');
  const picked = Number((await trade.field('Price').inputValue()).replaceAll(',', ''));
  expect(Math.abs(picked / near - 1)).toBeLessThan(0.005);
  await canvas.click({ position: { x: box.width * 0.55, y: bestAsk } });
  await expect(trade.field('Quantity')).toHaveValue(/^0?\.?\d/);
});

test('the chart changes its interval, remembers it, and scrolls back without end @full', async ({
  page,
  installation,
}) => {
  const asked = candleRequests(page);
  const trade = new TradePage(page);
  await trade.open(installation.url);
  const intervals = trade.chart.getByRole('group', { name: 'Chart interval' });
  await intervals.getByRole('button', { name: '1h', exact: true }).click();
  await expect.poll(() => asked.some((query) => query.get('interval') === '1h')).toBe(true);
  await page.reload();
  await trade.live();
  await expect(intervals.getByRole('button', { name: '1h', exact: true })).toHaveAttribute(
    'aria-pressed',
    'true',
  );

  const host = trade.chart.locator('canvas').first();
  const box = await host.boundingBox();
  if (box === null) throw new Error('the chart is not on screen');
  await expect.poll(() => coloursPainted(trade.chart)).toBeGreaterThan(5);
  const ends = (): readonly number[] =>
    asked.map((query) => Number(query.get('endTime') ?? Number.NaN)).filter((end) => end > 0);
  const before = Math.min(...ends(), Number.MAX_SAFE_INTEGER);
  // Each drag shows about 90 older bars; a page is 1,000.
  await expect
    .poll(
      async () => {
        for (let drags = 0; drags < 6; drags += 1) {
          await page.mouse.move(box.x + 20, box.y + 150);
          await page.mouse.down();
          await page.mouse.move(box.x + box.width - 20, box.y + 150, { steps: 3 });
          await page.mouse.up();
        }
        return Math.min(...ends(), Number.MAX_SAFE_INTEGER) < before && new Set(ends()).size > 1;
      },
      { timeout: 60_000 },
    )
    .toBe(true);
});

test('another instrument opens from the list by typing, with its own book and address', async ({
  page,
  installation,
}) => {
  const trade = new TradePage(page);
  await trade.open(installation.url);
  const btc = Number(await trade.best('Bid'));
  await page.getByRole('button', { name: /Choose an instrument/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Instruments at Binance' });
  await dialog.getByRole('textbox', { name: 'Search pair' }).fill('eth');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/spot\/binance\/ETHUSDT$/);
  await expect(page.getByRole('heading', { name: /^ETH\/USDT/ })).toBeAttached();
  await trade.live();
  await expect.poll(async () => Number(await trade.best('Bid')) < btc / 2).toBe(true);
  await page.goBack();
  await expect(page).toHaveURL(/\/spot\/binance\/BTCUSDT$/);
  await expect.poll(async () => Number(await trade.best('Bid')) > btc / 2).toBe(true);
});

test('single keys arm the ticket of a contract and lead through the page; in a field and behind a dialog they are text @full', async ({
  page,
  installation,
}) => {
  const trade = new TradePage(page);
  await trade.openPath(installation.url, '/futures/binance/BTCUSDT');
  const chosen = (name: string) => trade.ticket.getByRole('button', { name, exact: true, pressed: true });
  const size = trade.ticket.getByRole('textbox', { name: 'Size', exact: true });
  for (const [key, name] of [
    ['s', 'Sell / Short'],
    ['m', 'Market'],
    ['b', 'Buy / Long'],
    ['l', 'Limit'],
  ] as const) {
    await page.keyboard.press(key);
    await expect(chosen(name)).toBeVisible();
  }
  await page.keyboard.press('g');
  await page.keyboard.press('t');
  await expect(size).toBeFocused();
  await page.keyboard.type('2s');
  await expect(size).toHaveValue('2');
  await page.keyboard.press('Escape');
  await expect(size).not.toBeFocused();

  await page.keyboard.press('?');
  const sheet = page.getByRole('dialog', { name: 'Keyboard' });
  await expect(sheet).toContainText('Same coin at the next exchange');
  await page.keyboard.press('s');
  await page.keyboard.press('Escape');
  await expect(sheet).toHaveCount(0);
  await expect(chosen('Buy / Long')).toBeVisible();

  await page.keyboard.press('v');
  await expect(page).toHaveURL(/\/futures\/okx\/BTC-USDT-SWAP$/);
  await page.keyboard.press('/');
  await expect(page.getByRole('dialog', { name: 'Instruments at OKX' })).toBeVisible();
});

import { expect, type Locator, type Page } from '@playwright/test';
import { BINANCE, stands, withMargin } from './contract-venues.ts';
import { complaintsOf, logInContext, standingStill, test } from './fixtures.ts';
import type { HubClient } from './hub-client.ts';
import { TradePage } from './trade-page.ts';

/** The terminal on a phone: cards that a thumb can press, and dialogs that fill the window. */

const PHONE = { width: 390, height: 844 };
/** What is left of it while its keyboard is open. */
const ABOVE_KEYBOARD = { width: 390, height: 420 };
const ON_ITS_SIDE = { width: 844, height: 390 };
const THUMB_PIXELS = 44;
const LINE_PIXELS = 36;

const { platformType, symbol } = BINANCE;

/** Holds 0.02 BTC alone at 20 times. */
async function holdsAlone(client: HubClient): Promise<void> {
  const marginMode = 'isolated';
  await client.must('x/trade/MarginMode', { platformType, symbol, marginMode });
  await client.must('connextrade/SetLeverage', { platformType, symbol, leverage: '20', marginMode });
  await client.must('connextrade/PlaceOrder', {
    ...{ platformType, symbol, tinstType: '2', side: '1', orderType: '2', timeInForce: '1' },
    ...{ quantity: '0.02', effect: '0', reduceOnly: 'false', marginMode, leverage: '20' },
  });
  await stands(client, BINANCE, 0.02);
}

async function boxOf(part: Locator) {
  const box = await part.boundingBox();
  if (box === null) throw new Error('it is not on the page');
  return box;
}

/** The smallest letters of a part, in pixels. */
function smallestText(part: Locator): Promise<number> {
  return part.evaluate((root) =>
    Math.min(
      ...[...root.querySelectorAll('*')]
        .filter((one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.nodeValue?.trim()))
        .map((one) => Number.parseInt(getComputedStyle(one).fontSize, 10)),
    ),
  );
}

/** Every button of a part is as high as a thumb needs. */
async function pressable(part: Locator): Promise<void> {
  for (const button of await part.getByRole('button').all()) {
    expect((await boxOf(button)).height).toBeGreaterThanOrEqual(THUMB_PIXELS);
  }
}

/** A dialog has the whole window; its head and its buttons stand in it, wherever it is scrolled to. */
async function fills(page: Page, dialog: Locator, sends: Locator): Promise<void> {
  const close = dialog.getByRole('button', { name: 'Close', exact: true }).last();
  for (const window of [PHONE, ABOVE_KEYBOARD]) {
    await page.setViewportSize(window);
    await expect.poll(() => boxOf(dialog)).toEqual({ x: 0, y: 0, ...window });
    for (const end of [0, 10_000]) {
      await dialog.evaluate((one, top) => one.scrollTo(0, top), end);
      await expect(dialog.getByRole('heading').first()).toBeInViewport({ ratio: 1 });
      await expect(sends).toBeInViewport({ ratio: 1 });
      await expect(close).toBeInViewport({ ratio: 1 });
      const { width, height } = await boxOf(close);
      expect(Math.min(width, height, (await boxOf(sends)).height)).toBeGreaterThanOrEqual(THUMB_PIXELS);
    }
  }
  await page.setViewportSize(PHONE);
}

/** On its side one line has the market, the position's figure and the menu; the ticket opens with the share that was chosen. */
async function onItsSide(page: Page): Promise<void> {
  await page.setViewportSize(ON_ITS_SIDE);
  await page.evaluate(() => scrollTo(0, 0));
  const line = page.getByRole('region', { name: 'Instrument', exact: true });
  await expect(line).toContainText(/Mark.*Pos\.[+−]?\d/);
  expect((await boxOf(line)).height).toBe(LINE_PIXELS);
  const chart = page.getByRole('region', { name: 'Chart', exact: true });
  await expect(chart.getByRole('combobox', { name: 'Chart interval' })).toHaveValue('1m');
  await page.getByRole('button', { name: 'Menu' }).click();
  const menu = page.getByRole('dialog', { name: 'Menu' });
  await expect(menu.getByRole('link', { name: 'Markets' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(menu).toHaveCount(0);
  await page.getByRole('combobox', { name: 'Quantity' }).selectOption('25 %');
  const buy = page.getByRole('button', { name: 'Buy / Long', exact: true });
  for (const part of [line, chart, buy]) await expect(part).toBeInViewport({ ratio: 1 });
  await buy.click();
  const ticket = page.getByRole('region', { name: 'Order ticket' });
  const share = ticket.getByRole('slider', { name: 'Share of the largest size' });
  await expect(share).toHaveAttribute('aria-valuenow', '25');
  const size = ticket.getByRole('textbox', { name: 'Size', exact: true });
  await expect(size).toHaveValue(/^0\.\d+$/);
  const before = Number(await size.inputValue());
  await ticket.getByRole('button', { name: 'Size: one step more' }).click();
  await expect.poll(async () => Number(await size.inputValue())).toBeCloseTo(before + 0.001, 8);
  // What it costs, where it ends and the fee are seen at once, the rest behind them.
  const value = ticket.getByText('Order value (USDT)');
  await expect(value).toBeHidden();
  await ticket.getByText(/^Cost ≈ [\d,.]+$/).click();
  await expect(value).toBeVisible();
}

/** What the chart says of a bar stands above its prices: no line and no label of a price lies under it. */
async function legendStandsClear(page: Page): Promise<void> {
  const chart = page.getByRole('region', { name: 'Chart', exact: true });
  const legend = await boxOf(chart.getByText(/^O [\d,.]+/).locator('..'));
  const prices = await boxOf(chart.locator('[data-lines]'));
  expect(legend.height).toBeGreaterThan(0);
  expect(legend.y + legend.height).toBeLessThanOrEqual(prices.y);
}

/** The fourth tab leaves the window to the positions; the menu says how old what is shown is, and opens the settings. */
async function fourthTabAndMenu(page: Page, orders: Locator): Promise<void> {
  const chart = page.getByRole('region', { name: 'Chart', exact: true });
  await expect(chart).toBeInViewport();
  await expect(page.getByRole('region', { name: 'Connection' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Positions 1', exact: true }).click();
  await expect(chart).toHaveCount(0);
  await expect(orders.getByRole('article').getByRole('button').first()).toBeInViewport({ ratio: 1 });
  await page.getByRole('button', { name: 'Menu' }).click();
  const connection = page.getByRole('dialog', { name: 'Menu' }).getByRole('region', { name: 'Connection' });
  await expect(connection.getByRole('status')).toHaveText('Live');
  await expect(connection).toContainText(/Binance data \d+ s/);
  const settings = connection.getByRole('button', { name: 'Trade settings' });
  await settings.click();
  const dialog = page.getByRole('dialog', { name: 'Trade settings' });
  await expect.poll(() => boxOf(dialog)).toEqual({ x: 0, y: 0, ...PHONE });
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(settings).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(connection).toHaveCount(0);
  await page.getByRole('button', { name: 'Chart', exact: true }).click();
  await expect(chart).toBeInViewport();
}

/** The sheet covers the book, so the best three rows a side stand in it; a tap takes the price. */
async function bookInSheet(ticket: Locator): Promise<void> {
  const book = ticket.getByRole('region', { name: 'Order book' });
  await expect(book.getByRole('button', { name: /^Ask / })).toHaveCount(3);
  await expect(book.getByRole('button', { name: /^Bid / })).toHaveCount(3);
  const field = ticket.getByRole('textbox', { name: 'Price', exact: true });
  await field.fill('1');
  await book.getByRole('button', { name: /^Bid / }).last().click();
  const bid = Number(await field.inputValue());
  await book.getByRole('button', { name: /^Ask / }).first().click();
  expect(Number(await field.inputValue())).toBeGreaterThan(bid);
  expect(bid).toBeGreaterThan(1);
}

/** A history is a list of cards: nothing of one is beyond the window, and its button leads to the ticket. */
async function historyInCards(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/history/futures_trading_overview`);
  const card = page.getByRole('main').getByRole('listitem').filter({ hasText: symbol }).first();
  await expect(card).toContainText(/Binance.*Buy.*Market.*Average price.*Status.*Filled.*Order ID/s);
  const resend = card.getByRole('link', { name: `Resend ${symbol}` });
  await expect(resend).toBeInViewport({ ratio: 1 });
  expect((await boxOf(resend)).height).toBeGreaterThanOrEqual(THUMB_PIXELS);
  expect(await smallestText(card)).toBeGreaterThanOrEqual(12);
  await resend.click();
  await expect(page.getByRole('region', { name: 'Order ticket' })).toBeVisible();
}

test('on a phone a position is a card for the thumb, and its dialogs fill the window with what sends in sight; on its side the ticket opens with a share; a history is cards too @full', async ({
  browser,
  installation,
}) => {
  test.setTimeout(240_000);
  const client = await withMargin(installation, BINANCE);
  await holdsAlone(client);
  const member = { email: '', password: '', client };
  const context = await logInContext(browser, installation.url, member, { touched: PHONE });
  const page = await context.newPage();
  const complaints = complaintsOf(page);
  const { orders } = new TradePage(page);
  await page.goto(`${installation.url}/futures/binance/${symbol}`);
  await orders.getByRole('tab', { name: /^Positions/ }).click();
  await fourthTabAndMenu(page, orders);
  await legendStandsClear(page);
  const card = orders.getByRole('article', { name: /^BTCUSDT perpetual Binance long 0\.020/ });
  await expect(card).toContainText(/20× Isolated/);
  expect(await smallestText(card)).toBeGreaterThanOrEqual(12);
  await pressable(card);

  const more = card.getByRole('button', { name: 'More BTCUSDT long' });
  const behind = (name: string) => async () => {
    await more.click();
    await page.getByRole('button', { name, exact: true }).click();
  };
  const button = (name: RegExp) => card.getByRole('button', { name });
  for (const [opener, open, title, sends] of [
    [button(/^TP \/ SL BTCUSDT/), undefined, /^Take-profit and stop-loss/, /^Place$/],
    [button(/^Close BTCUSDT/), undefined, /^Close BTCUSDT/, /^Close all of it/],
    [button(/^Add or take margin/), undefined, /^Margin of BTCUSDT/, /^Confirm$/],
    [more, behind('Close at a limit'), /^Close BTCUSDT/, /^Close all of it/],
    [more, behind('Reverse'), /^Reverse BTCUSDT/, /^Reverse$/],
  ] as const) {
    await (open ?? (() => opener.click()))();
    const dialog = page.locator('dialog', { has: page.getByRole('heading', { name: title }) });
    await fills(page, dialog, dialog.getByRole('button', { name: sends }));
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    await expect(opener).toBeFocused();
  }

  await page.getByRole('button', { name: 'Buy / Long', exact: true }).click();
  const ticket = page.getByRole('region', { name: 'Order ticket' });
  await standingStill(installation, BINANCE.slug, () => bookInSheet(ticket));
  const chip = ticket.getByRole('button', { name: 'Leverage: 20×' });
  const leverage = page.getByRole('dialog', { name: 'Leverage', exact: true });
  await chip.click();
  await expect(leverage).toBeVisible();
  // What was opened inside the ticket's sheet leaves it open.
  await page.keyboard.press('Escape');
  await expect(leverage).toHaveCount(0);
  await chip.click();
  await leverage.getByRole('textbox', { name: 'Leverage' }).fill('25');
  // Its own margin stays behind it, so its end does: nothing else is claimed of the exchange.
  await expect(
    leverage.getByText(/^Liquidation ([\d,.]+) → \1: its margin of [\d,.]+ USDT stays/),
  ).toBeVisible();
  await fills(page, leverage, leverage.getByRole('button', { name: 'Confirm', exact: true }));
  await leverage.getByRole('button', { name: 'Add margin' }).click();
  await expect(page.getByRole('dialog', { name: 'Margin of BTCUSDT' })).toBeVisible();
  await expect(leverage).toHaveCount(0);
  for (const open of [1, 0]) {
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(open);
  }
  await onItsSide(page);
  await page.setViewportSize(PHONE);
  await historyInCards(page, installation.url);
  expect(complaints.all).toEqual([]);
  await context.close();
});

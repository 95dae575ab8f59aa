import { expect, type Locator, type Page } from '@playwright/test';
import { BINANCE, stands, withMargin } from './contract-venues.ts';
import { complaintsOf, logInContext, test } from './fixtures.ts';
import { focused } from './focus.ts';
import type { HubClient } from './hub-client.ts';
import { TradePage } from './trade-page.ts';

/** The trade page of a contract without a mouse: rows and their keys, what is said of them, and where the focus goes. */

const { platformType, symbol } = BINANCE;
const TERMS = { platformType, symbol, tinstType: '2', timeInForce: '1', effect: '0', marginMode: 'cross' };

/** A long position, two bids far below the market, and an order that the exchange refused. */
async function setOut(client: HubClient, url: string): Promise<void> {
  const answer = await fetch(`${url}/md/binance/fapi/v1/premiumIndex?symbol=${symbol}`);
  const { markPrice } = (await answer.json()) as { readonly markPrice: string };
  const at = (share: number) => String(Math.round(Number(markPrice) * share));
  const order = { ...TERMS, leverage: '20', reduceOnly: 'false', side: '1', quantity: '0.02' };
  await client.must('connextrade/PlaceOrder', { ...order, orderType: '2' });
  await stands(client, BINANCE, 0.02);
  for (const share of [0.96, 0.95])
    await client.must('connextrade/PlaceOrder', { ...order, orderType: '1', price: at(share) });
  const { code } = await client.call('connextrade/PlaceOrder', { ...order, orderType: '1', price: at(1.2) });
  expect(code).not.toBe(1);
}

/** The stops of the Tab key through the ticket of a limit order, first to last. */
const STOPS: readonly RegExp[] = [
  /^Margin mode: /,
  /^Leverage: 20×$/,
  /^Position mode: /,
  /^Buy \/ Long$/,
  /^Sell \/ Short$/,
  /^Limit$/,
  /^Market$/,
  /^Conditional$/,
  /^Scaled$/,
  /^Transfer$/,
  /^Price$/,
  /^BBO$/,
  /^Size$/,
  /^Size in$/,
  /^Share of the largest size$/,
  /^Max /,
  /^Reduce-only$/,
  /^Time in force$/,
  /^TP \/ SL$/,
  /^Buy \/ Long 0\.010 BTC, /,
  /^Confirm before sending$/,
];

async function walksTheTicket(page: Page, { ticket }: TradePage): Promise<void> {
  await ticket.getByRole('textbox', { name: 'Size', exact: true }).fill('0.010');
  await ticket.getByRole('button', { name: /^Margin mode/ }).focus();
  const seen: string[] = [];
  for (let stop = 0; stop < STOPS.length; stop += 1) {
    seen.push(await focused(page));
    await page.keyboard.press('Tab');
  }
  expect(seen).toEqual(STOPS.map((stop) => expect.stringMatching(stop)));
}

/** Dialogs that keys open on the row of a position, and the field that they begin in; Esc gives the focus back. */
const ROW_DIALOGS = [
  ['e', /^Take-profit and stop-loss of BTCUSDT/],
  ['Delete', /^Close BTCUSDT/],
] as const;

async function walksPositions(page: Page, { orders }: TradePage): Promise<void> {
  await page.keyboard.press('g');
  await page.keyboard.press('p');
  await expect(orders.getByRole('tab', { name: /^Positions/ })).toBeFocused();
  await orders.getByRole('region', { name: 'Positions' }).focus();
  await page.keyboard.press('ArrowDown');
  const row = orders.getByRole('row', {
    name: /^BTCUSDT perpetual Binance long 0\.020, (?:profit|loss) [\d,.]+ USDT, [\d.]+ percent, (?:no liquidation price|liquidation [\d,.]+, [\d.]+ percent away)$/,
  });
  await expect(row).toBeFocused();
  for (const name of ['Close BTCUSDT long', 'Reverse BTCUSDT long', /^TP \/ SL of BTCUSDT: /])
    await expect(row.getByRole('button', { name })).toBeVisible();
  await expect(row.getByRole('img', { name: /\d/ })).toBeVisible();
  for (const [key, title] of ROW_DIALOGS) {
    await page.keyboard.press(key);
    const dialog = page.getByRole('dialog', { name: title });
    await expect(dialog).toBeVisible();
    // The focus is inside, and neither Tab nor Shift+Tab leads it to the page behind.
    for (const step of ['Tab', 'Shift+Tab', 'Shift+Tab']) {
      await page.keyboard.press(step);
      const outside = await page.evaluate(
        () => document.activeElement !== document.body && document.activeElement?.closest('dialog') === null,
      );
      expect(outside, `${step} in ${title}`).toBe(false);
    }
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    await expect(row).toBeFocused();
  }
}

const textOf = (row: Locator) => row.evaluate((one) => one.textContent ?? '');

async function walksOrders(page: Page, { orders }: TradePage): Promise<void> {
  await page.keyboard.press('g');
  await page.keyboard.press('o');
  await expect(orders.getByRole('tab', { name: /^Open orders/ })).toBeFocused();
  await orders.getByRole('region', { name: 'Open orders' }).focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  const rows = orders.locator('tr[data-row]');
  await expect(rows.nth(1)).toBeFocused();
  const field = orders.getByRole('textbox', { name: `Edit price ${symbol}` });
  const before = await textOf(rows.nth(1));
  await page.keyboard.press('e');
  await expect(field).toBeFocused();
  await field.fill('1');
  await page.keyboard.press('Escape');
  await expect(rows.nth(1)).toBeFocused();
  expect(await textOf(rows.nth(1))).toBe(before);
  await page.keyboard.press('e');
  const price = Number(await field.inputValue());
  await field.fill(String(price - 100));
  await page.keyboard.press('Enter');
  await expect(rows.nth(1)).toBeFocused();
  await expect(rows.nth(1)).toContainText((price - 100).toLocaleString('en'));
  // What the focus was on goes: it is then on the table, not on the next order, which a second press would cancel as well.
  await page.keyboard.press('Delete');
  await expect(rows).toHaveCount(1);
  await expect(orders.getByRole('region', { name: 'Open orders' })).toBeFocused();
  await page.keyboard.press('Delete');
  await page.keyboard.press('ArrowDown');
  await expect(rows.first()).toBeFocused();
  await page.keyboard.press('Delete');
  await expect(rows).toHaveCount(0);
  await expect(orders.getByRole('tabpanel')).toBeFocused();
}

async function walksHistory(page: Page, { orders }: TradePage): Promise<void> {
  await orders.getByRole('tab', { name: 'Order history' }).click();
  const refused = orders.locator('tr[data-row]').filter({ hasText: 'Rejected' });
  await refused.focus();
  const details = refused.locator('details');
  await expect(details).not.toHaveAttribute('open', '');
  await page.keyboard.press('Space');
  await expect(details).toHaveAttribute('open', '');
  await page.keyboard.press('Space');
  await expect(details).not.toHaveAttribute('open', '');
  await expect(refused).toBeFocused();
}

test('keys lead through ticket and rows, open and end what stands there, and the focus always comes back @full', async ({
  browser,
  installation,
}) => {
  const client = await withMargin(installation, BINANCE);
  await setOut(client, installation.url);
  const context = await logInContext(browser, installation.url, { email: '', password: '', client });
  const page = await context.newPage();
  const complaints = complaintsOf(page);
  const trade = new TradePage(page);
  await trade.openPath(installation.url, `/futures/binance/${symbol}`);
  await walksTheTicket(page, trade);
  await page.keyboard.press('Escape');
  await walksPositions(page, trade);
  await walksOrders(page, trade);
  await walksHistory(page, trade);
  expect(complaints.all).toEqual([]);
  await context.close();
});

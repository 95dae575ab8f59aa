import { expect, type Locator } from '@playwright/test';
import { drags, findsLine, type Sitting, share, targets, waiting, widens } from './conditional-page.ts';
import { BINANCE, BYBIT, OKX, stands, withMargin } from './contract-venues.ts';
import { complaintsOf, expectSound, heard, logInContext, test } from './fixtures.ts';
import type { Installation } from './installation.ts';
import { type Look, takeLook } from './looks.ts';
import { TradePage } from './trade-page.ts';

/** What an order on a contract brings along at OKX beyond one of each: several targets for parts of it, or a trailing stop. */

/** All exchanges are traded, those too that take one of each alone. */
test.use({ thirdExchange: 'live' });

/** Coins of the order, and of the parts that shares of 33, 33 and 34 percent make of it. */
const COINS = 0.03;
const PARTS = ['0.0099', '0.0099', '0.0102'];
const FAR = ['1.5', '8', '10'];

const rises = (installation: Installation) =>
  installation.simulate('shock', { venue: OKX.slug, symbol: OKX.symbol, market: 'perps', factor: 1.03 });

/** A market order with targets in one of their forms. */
async function asks({ trade }: Sitting, side: string, coins: number, form: string): Promise<void> {
  const { ticket } = trade;
  await trade.type('Market');
  await ticket.getByRole('button', { name: side, exact: true }).click();
  await ticket.getByRole('textbox', { name: 'Size', exact: true }).fill(String(coins));
  await ticket.getByRole('checkbox', { name: 'TP / SL' }).check();
  await ticket.getByRole('button', { name: form, exact: true }).click();
}

/** Three of them, each so many percent away, and a stop; a third one is added and takes its part. */
async function threeTargets(ticket: Locator): Promise<void> {
  const part = (number: number, name = `TP ${number}`) => ticket.getByRole('textbox', { name, exact: true });
  await ticket.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(part(3)).toBeFocused();
  await targets(
    ticket,
    FAR.map((text, at) => ({ name: `TP ${at + 1}`, unit: 'percent', text })),
  );
  await targets(ticket, [{ name: 'Stop-loss', unit: 'percent', text: '20' }]);
  for (const [at, size] of PARTS.entries())
    await expect(ticket.getByRole('listitem').nth(at)).toContainText(`${size} BTC · `);
}

/** Rows of the legs of orders that wait, take-profits and stops. */
async function legs(sitting: Sitting): Promise<Locator> {
  return (await waiting(sitting)).filter({ hasText: 'with an order' });
}

const sizes = (rows: Locator): Promise<readonly string[]> =>
  rows.evaluateAll((all) =>
    all.map((row) => (row as HTMLTableRowElement).cells[6]?.textContent ?? '').sort(),
  );
const triggers = (rows: Locator): Promise<readonly string[]> =>
  rows.evaluateAll((all) =>
    all.map((row) => (row as HTMLTableRowElement).cells[4]?.textContent ?? '').sort(),
  );

/** One of the lines of the targets is dragged: it alone has another trigger. */
async function dragsTarget(sitting: Sitting, rows: Locator): Promise<void> {
  const { trade } = sitting;
  await trade.chart.getByRole('button', { name: '1D', exact: true }).click();
  for (let times = 0; times < 3; times += 1) await widens(sitting);
  const before = await triggers(rows);
  await expect.poll(async () => (await findsLine(sitting)) !== undefined).toBe(true);
  const line = await findsLine(sitting);
  if (line === undefined) throw new Error('no line of a target');
  // Away from the price: beyond it would fire at once, and where the scale holds much it is not far.
  await drags(sitting, line.x, line.y, line.y - 12);
  await trade.page.mouse.up();
  const changed = async () => (await triggers(rows)).filter((trigger) => !before.includes(trigger)).length;
  await expect.poll(changed).toBe(1);
}

async function sit(
  browser: Parameters<typeof logInContext>[0],
  installation: Installation,
  settings: Readonly<Record<string, string>> = {},
) {
  const client = await withMargin(installation, OKX);
  const context = await logInContext(
    browser,
    installation.url,
    { email: '', password: '', client },
    { settings },
  );
  const page = await context.newPage();
  const complaints = complaintsOf(page);
  const trade = new TradePage(page);
  await trade.openPath(installation.url, `/futures/okx/${OKX.symbol}`);
  return { client, trade, context, complaints };
}

test('at okx a market order brings three targets for parts of it and a stop; the first fires alone, and another is dragged @full', async ({
  browser,
  installation,
}) => {
  test.setTimeout(600_000);
  const { context, complaints, ...sitting } = await sit(browser, installation);
  const { trade, client } = sitting;
  const { ticket, orders, page } = trade;
  await asks(sitting, 'Buy / Long', COINS, 'Several targets');
  await threeTargets(ticket);
  const send = ticket.getByRole('button', { name: /^Buy \/ Long 0.0300/ });
  const second = ticket.getByRole('textbox', { name: 'Share of TP 2', exact: true });
  await second.fill('20');
  await send.click();
  await expect(ticket.getByText(/^The shares come to 87 %, and must come to 100 %/)).toBeVisible();
  await expect(ticket.getByRole('textbox', { name: 'Share of TP 3', exact: true })).toBeFocused();
  await ticket.getByRole('button', { name: 'Take 47 %', exact: true }).click();
  await expect(ticket.getByText(/^The shares come to/)).toHaveCount(0);
  await ticket.getByRole('button', { name: 'Equal parts', exact: true }).click();
  await expect(second).toHaveValue('33');
  await ticket.getByRole('checkbox', { name: 'Confirm before sending' }).check();
  await send.click();
  const question = page.getByRole('alertdialog');
  for (const words of ['TP 1', 'TP 3', 'Stop-loss', '0.0102 BTC'])
    await expect(question).toContainText(words);
  await question.getByRole('button', { name: /^Buy \/ Long 0.0300/ }).click();
  await stands(client, OKX, COINS);

  const rows = await legs(sitting);
  await expect(rows.filter({ hasText: 'waiting' })).toHaveCount(4);
  await expect(rows.filter({ hasText: 'Take-profit' })).toHaveCount(3);
  expect(await sizes(rows)).toEqual([...PARTS, '0.0300']);
  await orders.getByRole('tab', { name: /^Positions/ }).click();
  await expect(orders.getByText(/unprotected/)).toHaveCount(0, { timeout: 240_000 });

  await rises(installation);
  await stands(client, OKX, 0.0201);
  await heard(page, new RegExp(`^Take-profit fired: ${OKX.symbol}`));
  const left = (await legs(sitting)).filter({ hasText: 'waiting' });
  await expect(left).toHaveCount(3);
  // What one of them has sold the stop is not for any more.
  await expect.poll(() => sizes(left)).toEqual(['0.0099', '0.0102', '0.0201']);
  await dragsTarget(sitting, left);
  await expect(left).toHaveCount(3);
  expect(complaints.all).toEqual([]);
  await context.close();
});

test('at okx a market order brings a trailing stop in place of targets, which closes what it opened @full', async ({
  browser,
  installation,
}) => {
  test.setTimeout(600_000);
  const { context, complaints, ...sitting } = await sit(browser, installation);
  const { trade, client } = sitting;
  const { ticket, page } = trade;
  await asks(sitting, 'Sell / Short', 0.02, 'Trailing stop');
  const field = (name: string) => ticket.getByRole('textbox', { name, exact: true });
  const send = ticket.getByRole('button', { name: /^Sell \/ Short 0.0200/ });
  await send.click();
  await expect(field('Callback')).toBeFocused();
  await field('Callback').fill('101');
  await expect(ticket.getByText('The callback must be between 0.1 – 100 % (0.1 %).')).toBeVisible();
  await field('Callback').fill('2');
  await expect(
    ticket.getByText(/^Follows the last price and fires when it rises 2 % from its best/),
  ).toBeVisible();
  // From where a short loses it would follow at once.
  await field('From price').fill(await share(sitting, 1.1));
  await send.click();
  await expect(ticket.getByText(/^The price that it follows from must be < [\d,.]+/)).toBeVisible();
  await expect(field('From price')).toBeFocused();
  await field('From price').fill('');
  await send.click();
  await stands(client, OKX, -0.02);
  const rows = (await legs(sitting)).filter({ hasText: 'Trailing stop' });
  await expect(rows).toHaveCount(1);
  await expect.poll(() => sizes(rows)).toEqual(['0.0200']);
  await rises(installation);
  await stands(client, OKX, 0);
  await expect(rows).toContainText('fired');
  await heard(page, new RegExp(`^Trailing stop fired: ${OKX.symbol}`));
  expect(complaints.all).toEqual([]);
  await context.close();
});

/** The words that a look has for what is pressed. */
const WORDS = {
  en: {
    buy: /^Buy \/ Long/,
    targets: 'TP / SL',
    several: 'Several targets',
    trails: 'Trailing stop',
    add: 'Add',
  },
  ja: { buy: /^買い/, targets: '利確・損切り', several: '複数の利確', trails: 'トレーリング', add: '追加' },
  ko: { buy: /^매수/, targets: '익절·손절', several: '여러 익절', trails: '추적 손절', add: '추가' },
} as const;
const LOOKS: readonly Look[] = [
  { theme: 'dark', language: 'ja', width: 390, height: 844 },
  { theme: 'light', language: 'ko', width: 390, height: 844 },
  { theme: 'light', language: 'en', width: 1440, height: 900 },
];

test('the forms of targets are sound in three languages, dark and light, on a phone too; other exchanges have one @full', async ({
  browser,
  installation,
}) => {
  test.setTimeout(600_000);
  const { context, complaints, trade } = await sit(browser, installation);
  const { page } = trade;
  for (const look of LOOKS) {
    await takeLook(page, look);
    await page.reload();
    const words = WORDS[look.language];
    if (look.width < 1_024) await page.getByRole('button', { name: words.buy }).first().click();
    const ticket = page.locator('[data-ticket]').last();
    await ticket.getByRole('checkbox', { name: words.targets, exact: true }).check();
    for (const form of [words.several, words.trails]) {
      await ticket.getByRole('button', { name: form, exact: true }).click();
      if (form === words.several) await ticket.getByRole('button', { name: words.add, exact: true }).click();
      await expectSound(page, `${look.language} ${look.theme} ${look.width} ${form}`);
    }
  }
  for (const { slug, symbol } of [BINANCE, BYBIT]) {
    await trade.openPath(installation.url, `/futures/${slug}/${symbol}`);
    await trade.ticket.getByRole('checkbox', { name: 'TP / SL' }).check();
    await expect(trade.ticket.getByRole('textbox', { name: 'Take-profit', exact: true })).toBeVisible();
    await expect(trade.ticket.getByRole('button', { name: 'Several targets' })).toHaveCount(0);
  }
  expect(complaints.all).toEqual([]);
  await context.close();
});

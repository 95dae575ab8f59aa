import { expect, type Locator } from '@playwright/test';
import { BINANCE, withMargin } from './contract-venues.ts';
import { complaintsOf, heard, logInContext, test } from './fixtures.ts';
import { coloursPainted, countsTones, TradePage, tonesOf } from './trade-page.ts';

/** What a member sets on a trade page, and that the browser keeps it. */

test('the chart is drawn as every kind of the specification, by its key, and the kind is kept @full', async ({
  page,
  installation,
}) => {
  const complaints = complaintsOf(page);
  const trade = new TradePage(page);
  await trade.open(installation.url);
  await expect.poll(() => coloursPainted(trade.chart)).toBeGreaterThan(5);
  const kinds = trade.chart.getByRole('combobox', { name: 'Chart type' });
  await expect(kinds).toHaveValue('1');
  for (const [key, label] of [
    ...([
      ['0', 'Bars'],
      ['1', 'Candles'],
      ['2', 'Line'],
      ['3', 'Area'],
      ['8', 'HeikinAshi'],
    ] as const),
    ...([
      ['9', 'Hollow candles'],
      ['10', 'Baseline'],
      ['12', 'High-low'],
      ['13', 'Columns'],
    ] as const),
    ...([
      ['14', 'Line with markers'],
      ['15', 'Step line'],
      ['16', 'HLC area'],
    ] as const),
  ]) {
    await kinds.selectOption({ label });
    await expect(kinds).toHaveValue(key);
    const kept = await page.evaluate(() => localStorage.getItem('trade settings') ?? '{}');
    expect(JSON.parse(kept)).toMatchObject({ chartType: Number(key) });
    await expect.poll(() => coloursPainted(trade.chart)).toBeGreaterThan(5);
  }
  await page.reload();
  await trade.live();
  await expect(kinds).toHaveValue('16');
  await expect.poll(() => coloursPainted(trade.chart)).toBeGreaterThan(5);
  expect(complaints.all).toEqual([]);
});

test('the ticket opens with the unit and trigger price of the last time; its slider takes a mark that is near @full', async ({
  installation,
  memberPage,
}) => {
  const client = await withMargin(installation, BINANCE);
  await client.must('x/paper/TestFunds', { platformType: '43', tradingAmount: '1000' });
  const page = await memberPage({ email: '', password: '', client });
  const trade = new TradePage(page);
  await trade.open(installation.url);
  await trade.type('Market');
  const unit = trade.ticket.getByRole('combobox', { name: 'Size in' });
  await unit.selectOption('base');
  const slider = trade.ticket.getByRole('slider');
  const track = await slider.locator('xpath=ancestor::*[@data-orientation][1]').boundingBox();
  if (track === null) throw new Error('the slider is not on screen');
  await page.mouse.click(track.x + track.width * 0.265, track.y + track.height / 2);
  await expect(slider).toHaveAttribute('aria-valuenow', '25');
  await slider.press('ArrowRight');
  await expect(slider).toHaveAttribute('aria-valuenow', '26');
  await trade.openPath(installation.url, '/futures/binance/BTCUSDT');
  await trade.ticket.getByRole('button', { name: 'Conditional' }).click();
  const by = trade.ticket.getByRole('combobox', { name: 'Trigger price kind' });
  await by.selectOption('mark');
  await page.reload();
  await expect(by).toHaveValue('mark');
  await trade.open(installation.url);
  await trade.type('Market');
  await expect(unit).toHaveValue('base');
});

test('columns and panels are as they were put, also after a reload @full', async ({
  installation,
  memberPage,
}) => {
  const member = await installation.member('10000');
  const page = await memberPage(member);
  const complaints = complaintsOf(page);
  const trade = new TradePage(page);
  await trade.open(installation.url);
  await trade.limit(await trade.priceAwayFromBid(-0.03), '0.001');
  await trade.send('Buy');
  await trade.tab('Open orders');
  await expect(trade.rows()).toHaveCount(1);
  const heads = trade.orders.getByRole('columnheader');
  await expect(heads.nth(0)).toHaveText(/^Time/);
  await trade.orders.getByRole('button', { name: 'Columns: Open orders' }).click();
  const columns = page.getByRole('dialog', { name: 'Columns: Open orders' });
  await columns.getByRole('checkbox', { name: 'Value' }).uncheck();
  await columns.getByRole('button', { name: 'Column 1 further right' }).click();
  await page.keyboard.press('Escape');
  // Two steps by key, and one more dragged.
  const edge = page.getByRole('separator', { name: 'Size of Book' });
  const width = Number(await edge.getAttribute('aria-valuenow'));
  await edge.press('ArrowLeft');
  await edge.press('ArrowLeft');
  const box = await edge.boundingBox();
  if (box === null) throw new Error('no separator on screen');
  await page.mouse.move(box.x + box.width / 2, box.y + 200);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2 - 9, box.y + 200, { steps: 3 });
  await page.mouse.up();
  const asPut = async (): Promise<void> => {
    await expect(edge).toHaveAttribute('aria-valuenow', String(width + 24));
    expect((await trade.book.boundingBox())?.width).toBe(width + 24);
    await expect(heads.nth(0)).toHaveText(/^Symbol/);
    await expect(heads.nth(1)).toHaveText(/^Time/);
    await expect(trade.orders.getByRole('columnheader', { name: 'Value' })).toHaveCount(0);
  };
  await asPut();
  await page.reload();
  await trade.live();
  await asPut();
  expect(complaints.all).toEqual([]);
});

test('leverage, margin mode and position mode are changed at their chips and read back', async ({
  installation,
  memberPage,
}) => {
  const client = await withMargin(installation, BINANCE);
  const page = await memberPage({ email: '', password: '', client });
  const complaints = complaintsOf(page);
  const trade = new TradePage(page);
  await trade.openPath(installation.url, '/futures/binance/BTCUSDT');
  const chip = (name: string) => trade.ticket.getByRole('button', { name: new RegExp(`^${name}`) });
  /** Opens a chip's dialog, does something there and confirms; the chip says what the exchange then has. */
  const sets = async (name: string, act: (dialog: Locator) => Promise<void>, said: string): Promise<void> => {
    await chip(name).click();
    const dialog = page.getByRole('dialog', { name });
    await act(dialog);
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await expect(dialog).toHaveCount(0);
    await expect(chip(name)).toContainText(said);
  };
  await sets('Leverage', (dialog) => dialog.getByRole('textbox', { name: 'Leverage' }).fill('7'), '7×');
  await sets(
    'Margin mode',
    (dialog) => dialog.getByRole('button', { name: /^Isolated/ }).click(),
    'Isolated',
  );
  await sets('Position mode', (dialog) => dialog.getByRole('button', { name: /^Hedge/ }).click(), 'Hedge');
  await expect(trade.ticket.getByRole('button', { name: 'Open', exact: true })).toBeVisible();
  await page.reload();
  await trade.live();
  for (const [name, said] of [
    ...([
      ['Leverage', '7×'],
      ['Margin mode', 'Isolated'],
      ['Position mode', 'Hedge'],
    ] as const),
  ])
    await expect(chip(name)).toContainText(said);
  expect(complaints.all).toEqual([]);
});

test('an order and a fill are heard, each where its alert is on @full', async ({ browser, installation }) => {
  const member = await installation.member('10000');
  const sits = async (settings: Readonly<Record<string, string>>) => {
    const context = await logInContext(browser, installation.url, member, { settings });
    const page = await context.newPage();
    await countsTones(page);
    const trade = new TradePage(page);
    await trade.open(installation.url);
    return { context, trade, tones: () => tonesOf(page) };
  };
  const orders = await sits({});
  await orders.trade.limit(await orders.trade.priceAwayFromBid(-0.03), '0.001');
  await orders.trade.send('Buy');
  await expect.poll(orders.tones).toBeGreaterThan(0);
  await orders.context.close();

  const { context, trade, tones } = await sits({ 'order alert': 'false' });
  const buys = async (fills: number): Promise<void> => {
    await trade.type('Market');
    await trade.field('Spend').fill('100');
    await trade.send('Buy');
    await expect.poll(async () => (await trade.fills()).length).toBeGreaterThanOrEqual(fills);
  };
  await trade.tab('Trade history');
  await buys(1);
  await expect.poll(tones).toBeGreaterThan(0);
  await trade.connection.getByRole('button', { name: /^Sound/ }).click();
  const heard = await tones();
  const before = (await trade.fills()).length;
  await buys(before + 1);
  expect(await tones()).toBe(heard);
  await context.close();
});

test('a large trade on the market on screen is said and heard from the value that was set, which is kept @full', async ({
  page,
  installation,
}) => {
  const complaints = complaintsOf(page);
  await countsTones(page);
  const trade = new TradePage(page);
  await trade.open(installation.url);
  const settings = page.getByRole('dialog', { name: 'Trade settings' });
  const opens = () => trade.connection.getByRole('button', { name: 'Trade settings' }).click();
  await opens();
  await settings.getByRole('checkbox', { name: /^A large trade/ }).check();
  const from = settings.getByRole('textbox', { name: 'Large from' });
  await expect(from).toHaveValue('100000');
  await from.fill('0');
  await expect(settings.getByText(/^Nothing is said until/)).toBeVisible();
  await from.fill('1');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await heard(page, /^Large trade in BTCUSDT at Binance: (bought|sold) /);
  await expect.poll(() => tonesOf(page)).toBeGreaterThan(0);
  await page.reload();
  await trade.live();
  await heard(page, /^Large trade in BTCUSDT at Binance/);
  await opens();
  await expect(from).toHaveValue('1');
  expect(complaints.all).toEqual([]);
});

test('the widest window has a ticket of two columns, and says what stands behind positions at each exchange @full', async ({
  installation,
  memberPage,
}) => {
  const client = await withMargin(installation, BINANCE);
  const page = await memberPage({ email: '', password: '', client });
  const complaints = complaintsOf(page);
  await page.setViewportSize({ width: 2560, height: 1440 });
  const trade = new TradePage(page);
  await trade.openPath(installation.url, '/futures/binance/BTCUSDT');
  const bar = page.getByRole('list', { name: 'Margin ratios' });
  await expect(bar.getByRole('listitem').filter({ hasText: 'Binance' })).toContainText('1,000.00 USDT');
  const account = page.getByRole('region', { name: 'Margin ratios' });
  await expect(account.getByRole('listitem').filter({ hasText: 'Binance' })).toContainText(
    /Equity\s*1,000.00/,
  );
  for (const kind of ['Limit', 'Conditional', 'Scaled']) {
    await trade.ticket.getByRole('button', { name: kind, exact: true }).click();
    const send = await trade.ticket.getByRole('button', { name: /^Buy \/ Long BTC/ }).boundingBox();
    const stats = await trade.ticket.getByText('Realised est.').boundingBox();
    if (send === null || stats === null) throw new Error(`${kind}: the ticket is not whole`);
    expect(stats.x, kind).toBeGreaterThan(send.x + send.width);
    expect(stats.y, kind).toBeLessThan(send.y);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  await expect(bar).toHaveCount(0);
  expect(complaints.all).toEqual([]);
});

for (const [name, path, size] of [
  ['a pair', '/spot/binance/BTCUSDT', 'Quantity'],
  ['a contract', '/futures/binance/BTCUSDT', 'Size'],
] as const) {
  test(`the slider of ${name} has the focus when it is reached, one step an arrow, ten a page, both ends, and marks for the pointer alone @full`, async ({
    installation,
    memberPage,
  }) => {
    const client = await withMargin(installation, BINANCE);
    await client.must('x/paper/TestFunds', { platformType: '43', tradingAmount: '1000' });
    const page = await memberPage({ email: '', password: '', client });
    const trade = new TradePage(page);
    await trade.openPath(installation.url, path);
    const slider = trade.ticket.getByRole('slider');
    const field = trade.ticket.getByRole('textbox', { name: size, exact: true });
    const stands = (percent: number) => expect(slider).toHaveAttribute('aria-valuenow', String(percent));
    await expect(trade.field('Price')).not.toHaveValue('');
    await field.focus();
    await expect(async () => {
      await page.keyboard.press('Tab');
      await expect(slider).toBeFocused({ timeout: 200 });
    }).toPass();
    expect(await slider.evaluate((thumb) => getComputedStyle(thumb).outlineStyle)).not.toBe('none');

    await stands(0);
    const steps: readonly (readonly [string, number])[] = [
      ...([
        ['ArrowRight', 1],
        ['ArrowRight', 2],
        ['ArrowLeft', 1],
        ['ArrowUp', 2],
        ['ArrowDown', 1],
      ] as const),
      ...([
        ['PageUp', 11],
        ['PageUp', 21],
        ['ArrowRight', 22],
        ['ArrowRight', 23],
        ['ArrowRight', 24],
      ] as const),
      ...([
        ['PageDown', 14],
        ['End', 100],
        ['ArrowRight', 100],
        ['PageDown', 90],
        ['Home', 0],
        ['ArrowLeft', 0],
      ] as const),
    ];
    for (const [key, percent] of steps) {
      await page.keyboard.press(key);
      await stands(percent);
      await expect(slider).toHaveAttribute('aria-valuetext', `${percent} percent`);
      await expect(slider).toBeFocused();
    }
    await page.keyboard.press('End');
    const largest = Number((await field.inputValue()).replaceAll(',', ''));
    expect(largest).toBeGreaterThan(0);

    const track = await slider.locator('xpath=ancestor::*[@data-orientation][1]').boundingBox();
    if (track === null) throw new Error('the slider is not on screen');
    // A mark takes what is up to two from it; a pixel is about half a percent. The thumb itself is taken hold of, not pressed.
    for (const [at, least, most] of [
      [0.24, 25, 25],
      [0.6, 59, 61],
      [0.26, 25, 25],
      [0.65, 64, 66],
      [0.29, 28, 30],
      [0.485, 50, 50],
      [0.76, 75, 75],
      [0.9, 89, 91],
      [0.71, 70, 72],
      [0.985, 100, 100],
    ] as const) {
      await page.mouse.click(track.x + track.width * at, track.y + track.height / 2);
      await expect
        .poll(
          async () => {
            const percent = Number(await slider.getAttribute('aria-valuenow'));
            return percent >= least && percent <= most;
          },
          { message: `pressed at ${at}` },
        )
        .toBe(true);
      await expect(slider).toBeFocused();
    }
    // What is typed moves it, and is not changed by it.
    const typed = (largest / 2).toFixed(3);
    await field.fill(typed);
    await expect
      .poll(async () =>
        Math.abs(Number(await slider.getAttribute('aria-valuenow')) - (Number(typed) / largest) * 100),
      )
      .toBeLessThan(2);
    await expect(field).toHaveValue(typed);
  });
}

test('a member has his resting orders cancelled if the hub goes away: chosen by key, said above them and on a phone, and off again @full', async ({
  installation,
  memberPage,
}) => {
  const member = await installation.member();
  const { client } = member;
  await client.must('x/paper/TestFunds', { platformType: '41', tradingAmount: '1000' });
  const page = await memberPage(member);
  const complaints = complaintsOf(page);
  const trade = new TradePage(page);
  await trade.openPath(installation.url, '/spot/okx/BTC-USDT');
  const settings = page.getByRole('dialog', { name: 'Trade settings' });
  const choice = settings.getByRole('combobox', { name: 'OKX' });
  await trade.connection.getByRole('button', { name: 'Trade settings' }).click();
  await expect(choice).toHaveValue('0');
  await expect(settings.getByText(/^Contracts only: Binance has no such thing/)).toBeVisible();
  await expect(settings.getByText(/stops and other conditional orders stay/)).toBeVisible();
  await choice.focus();
  await choice.press('ArrowDown');
  await expect(choice).toHaveValue('60');
  await expect(settings.getByText('It counts as soon as an order rests.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(settings).toHaveCount(0);

  await trade.limit(await trade.priceAwayFromBid(-0.03), '0.001');
  await trade.send('Buy');
  await trade.tab('Open orders');
  const line = trade.orders.getByText(
    'OKX cancels what rests in its book once Crossbook has been away for 60 s.',
  );
  await expect(line).toBeVisible();
  await expect(trade.rows()).toHaveCount(1);
  await page.reload();
  await trade.live();
  await expect(line).toBeVisible();

  await page.setViewportSize({ width: 390, height: 844 });
  await expect(line).toBeVisible();
  await page.setViewportSize({ width: 1440, height: 900 });
  await trade.connection.getByRole('button', { name: 'Trade settings' }).click();
  await expect(settings.getByText(/^OKX is counting/)).toBeVisible();
  await choice.selectOption('0');
  await expect(settings.getByText(/^OKX is counting/)).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(line).toHaveCount(0);
  await expect(trade.rows()).toHaveCount(1);
  expect(complaints.all).toEqual([]);
});

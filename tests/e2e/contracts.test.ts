import { expect, type Locator, type Page } from '@playwright/test';
import { BINANCE, BYBIT, CONTRACT_VENUES, sized, stands, type Venue, withMargin } from './contract-venues.ts';
import { type Complaints, complaintsOf, heard, heardFrom, logInContext, test } from './fixtures.ts';
import type { HubClient } from './hub-client.ts';
import { TradePage } from './trade-page.ts';

/** Contracts as a member trades them, and what happens to a position without its owner: a row an exchange. */

/** All of it is traded, at Bybit too. */
test.use({ thirdExchange: 'live' });

/** The trade page of a member, and what went wrong in it. */
interface Sitting {
  readonly venue: Venue;
  readonly client: HubClient;
  readonly trade: TradePage;
  readonly complaints: Complaints;
}

/** Holds a button until what it asks is done. */
async function hold(page: Page, button: Locator): Promise<void> {
  await button.hover();
  await page.mouse.down();
  await expect(button).toHaveCount(0);
  await page.mouse.up();
}

/** The rows under a tab of the panel below the chart. */
async function rowsOf(trade: TradePage, tab: string): Promise<Locator> {
  await trade.orders.getByRole('tab', { name: new RegExp(`^${tab}`) }).click();
  return trade.rows();
}

async function opensAndAdds({ venue, client, trade }: Sitting): Promise<void> {
  const { ticket } = trade;
  const size = ticket.getByRole('textbox', { name: 'Size', exact: true });
  await trade.type('Market');
  await size.fill('0.04');
  await ticket.getByRole('button', { name: `Buy / Long ${sized(venue, 0.04)} BTC` }).click();
  await stands(client, venue, 0.04);
  await expect(trade.rows()).toContainText([`${sized(venue, 0.04)} BTC`]);
  // A limit above the market takes at once, whatever the walk does meanwhile.
  await trade.type('Limit');
  await trade.field('Price').fill(await trade.priceAwayFromBid(0.01));
  await size.fill('0.02');
  // Trading keys do nothing until they were switched on: in the end it was sent once.
  const { keyboard } = trade.page;
  await size.press('Control+Enter');
  await size.press('Escape');
  await keyboard.press('Shift+S');
  await keyboard.press('?');
  await trade.page.getByRole('checkbox', { name: /^Trading keys/ }).check();
  await keyboard.press('Escape');
  await size.press('Control+Enter');
  await stands(client, venue, 0.06);
}

/** Holds the key that closes until the page says so, and no longer: in the page itself, as a busy machine holds any key too long. */
async function letsGoEarly(page: Page): Promise<void> {
  const held = await page.evaluate(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const isSaid = () => document.body.textContent.includes('Keep holding');
    const key = (type: string) =>
      document.body.dispatchEvent(
        new KeyboardEvent(type, { key: 'Q', code: 'KeyQ', shiftKey: true, bubbles: true }),
      );
    key('keydown');
    const until = performance.now() + 700;
    while (!isSaid() && performance.now() < until) await frame();
    const said = isSaid();
    await frame();
    key('keyup');
    return said;
  });
  expect(held).toBe(true);
  await expect(page.getByText('Keep holding')).toHaveCount(0);
}

/** Letting go early does nothing; held long enough the position is closed, and a market order opens another. */
async function closesAndOpensByKey({ venue, client, trade }: Omit<Sitting, 'complaints'>): Promise<void> {
  const { keyboard } = trade.page;
  const size = trade.ticket.getByRole('textbox', { name: 'Size', exact: true });
  await size.fill('0.02');
  await size.press('Shift+Q');
  await size.press('Escape');
  await letsGoEarly(trade.page);
  await stands(client, venue, -0.03);
  await keyboard.down('Shift');
  await keyboard.down('Q');
  await stands(client, venue, 0);
  await keyboard.up('Q');
  await keyboard.up('Shift');
  await keyboard.press('Shift+S');
  await stands(client, venue, -0.02);
}

/** A close that only makes is refused on screen where it would take, rests where it would not, and is named to the next one. */
async function closesAtALimit({ venue, trade }: Sitting): Promise<void> {
  const { page, orders } = trade;
  const of = (action: string) =>
    orders.getByRole('button', { name: `${action} ${venue.symbol} long`, exact: true });
  const dialog = page.getByRole('dialog', { name: `Close ${venue.symbol}` });
  await of('Close at a limit').click();
  const price = dialog.getByRole('textbox', { name: 'Price', exact: true });
  const send = dialog.getByRole('button', { name: `Close ${sized(venue, 0.03)} BTC` });
  await dialog.getByRole('button', { name: '50%' }).click();
  await dialog.getByRole('checkbox', { name: /^Post-only/ }).check();
  await price.fill(await trade.priceAwayFromBid(-0.01));
  await expect(dialog.getByText(/^Would fill at once/)).toBeVisible();
  await expect(send).toBeDisabled();
  const far = await trade.priceAwayFromBid(0.02);
  await price.fill(far);
  await dialog.getByRole('button', { name: 'One tick higher' }).click();
  expect(Number((await price.inputValue()).replaceAll(',', ''))).toBeGreaterThan(Number(far));
  await send.click();
  await expect(dialog).toHaveCount(0);
  await of('Close').click();
  const resting = dialog.getByRole('list', { name: 'Closing orders that rest' }).getByRole('listitem');
  await expect(resting).toHaveText([/0\.03.*Limit · Post-only/]);
  await dialog.getByRole('button', { name: 'Cancel those' }).click();
  await expect(resting).toHaveCount(0);
  await dialog.getByRole('button', { name: 'Cancel', exact: true }).click();
}

/** A leg that sends a limit closes a size, which is said; it stands by its price and is cancelled. */
async function targetsAtALimit({ venue, trade }: Sitting): Promise<void> {
  const { page, orders } = trade;
  await orders.getByRole('button', { name: `TP / SL of ${venue.symbol}` }).click();
  const dialog = page.getByRole('dialog', { name: /^Take-profit and stop-loss/ });
  const standing = dialog.getByRole('listitem');
  await dialog
    .getByRole('textbox', { name: 'Take-profit', exact: true })
    .fill(await trade.priceAwayFromBid(0.1));
  await dialog.getByRole('combobox', { name: 'Take-profit: When it fires' }).selectOption('limit');
  const limit = dialog.getByRole('textbox', { name: 'Take-profit limit' });
  await limit.press('ArrowUp');
  // Bybit closes whatever is held then at a limit, too.
  const whole = venue.slug === 'bybit';
  const size = dialog.getByText(`At a limit it closes ${sized(venue, 0.06)} BTC`);
  await expect(size).toHaveCount(whole ? 0 : 1);
  await dialog.getByRole('button', { name: 'Place', exact: true }).click();
  await expect(standing).toContainText([whole ? /limit [0-9,.]+ · Whole/ : /limit [0-9,.]+ · 0\.06/]);
  await expect(standing).toContainText(['waiting']);
  await standing.getByRole('button', { name: 'Cancel' }).click();
  await expect(standing).toHaveCount(0);
  await dialog.getByRole('button', { name: 'Close', exact: true }).first().click();
}

async function halvesReversesAndCloses({ venue, client, trade }: Sitting): Promise<void> {
  const { page, orders } = trade;
  const of = (action: string) =>
    orders.getByRole('button', { name: `${action} ${venue.symbol} long`, exact: true });
  await of('Close').click();
  const close = page.getByRole('dialog', { name: new RegExp(venue.symbol) });
  await close.getByRole('button', { name: '50%' }).click();
  const sent: string[] = [];
  page.on('request', (request) => sent.push(new URL(request.url()).pathname));
  // Who presses twice closes once: the second half would be all that is left.
  await close.getByRole('button', { name: `Close ${sized(venue, 0.03)} BTC` }).dblclick();
  await stands(client, venue, 0.03);
  expect(sent.filter((path) => path.endsWith('/ClosePosition'))).toHaveLength(1);

  await of('Reverse').click();
  const sure = page.getByRole('alertdialog');
  await hold(page, sure.getByRole('button', { name: 'Reverse', exact: true }));
  await stands(client, venue, -0.03);
  await expect(trade.rows()).toContainText([`${sized(venue, 0.03)} BTC`]);
  await closesAndOpensByKey({ venue, client, trade });

  await orders.getByRole('button', { name: 'Close all' }).click();
  await hold(page, sure.getByRole('button', { name: 'Close all' }));
  await stands(client, venue, 0);
  await sure.getByRole('button', { name: 'Close', exact: true }).last().click();
  await expect(await rowsOf(trade, 'Position history')).toHaveCount(3);
}

/** What is refused after its dialog was left is said as a notice; the rows below tell the rest. */
async function leavesBeforeTheAnswer({ venue, client, trade }: Sitting): Promise<void> {
  const { page, orders } = trade;
  const { platformType, symbol, contract } = venue;
  const position = { platformType, symbol, effect: '0', marginMode: 'cross' };
  await client.must('connextrade/PlaceOrder', {
    ...{ ...position, tinstType: '2', side: '1', orderType: '2', timeInForce: '1' },
    ...{ quantity: String(0.04 / contract), reduceOnly: 'false', leverage: '20' },
  });
  await stands(client, venue, 0.04);
  await rowsOf(trade, 'Positions');
  await orders.getByRole('button', { name: `Close ${symbol} long`, exact: true }).click();
  const dialog = page.getByRole('dialog', { name: `Close ${symbol}` });
  const closed = Promise.withResolvers<void>();
  await page.route('**/connextrade/ClosePosition', async (route) => {
    await closed.promise;
    await route.continue();
  });
  await dialog.getByRole('button', { name: '50%' }).click();
  await dialog.getByRole('button', { name: `Close ${sized(venue, 0.02)} BTC` }).click();
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await client.must('connextrade/ClosePosition', position);
  await stands(client, venue, 0);
  closed.resolve();
  await heard(page, 'There is no such position.');
  await page.unroute('**/connextrade/ClosePosition');
}

/** A number as the pages write it. */
const shownNumber = (text: string | null): number =>
  Number((text ?? '').replaceAll(/[^0-9.−]/g, '').replace('−', '-'));

/** The history pages have a row for each that the hub tells of, and the wallet's overview what contracts earned. */
async function historiesTell({ venue, client, trade }: Sitting): Promise<void> {
  const { page } = trade;
  interface Rows {
    readonly rows: readonly { readonly fee?: string; readonly amount?: string }[];
  }
  const of = { platformType: venue.platformType, tinstType: '2', limit: '200' };
  const lists = [
    [
      'Futures orders',
      'futures_trading_overview',
      await client.must<Rows>('connextrade/v2/OrderHistory', of),
    ],
    ['Futures trade details', 'futures_trading_details', await client.must<Rows>('x/trade/Fills', of)],
    [
      'Funding history',
      'funding_history',
      await client.must<Rows>('x/trade/FundingHistory', { limit: '200' }),
    ],
  ] as const;
  for (const [name, path, { rows }] of lists) {
    await page.goto(new URL(`/history/${path}`, page.url()).href);
    const table = page.getByRole('region', { name });
    if (rows.length === 0) await expect(page.getByText('No MATCHING RECORDS')).toBeVisible();
    else await expect(table.getByRole('row').filter({ hasText: venue.symbol })).toHaveCount(rows.length);
  }
  expect(lists[0][2].rows.length).toBeGreaterThan(4);
  await page.goto(new URL('/wallet', page.url()).href);
  const end = Date.now();
  const { totalRpnl, equity } = await client.must<{ readonly totalRpnl: string; readonly equity: string }>(
    'connexfunding/GetRpnl',
    { begin: String(end - 86_400_000), end: String(end) },
  );
  // Everything is closed: the test funds of the first day, and what came of them.
  expect(Number(equity) - Number(totalRpnl)).toBeCloseTo(50_000, 8);
  // Fees alone are a loss; what the market does meanwhile may be more.
  expect(Number(totalRpnl)).not.toBe(0);
  const heading = page.getByRole('heading', { name: 'Contracts', exact: true });
  const shown = page.locator('section', { has: heading }).getByRole('definition');
  await expect
    .poll(async () => shownNumber(await shown.first().textContent()))
    .toBeCloseTo(Number(totalRpnl), 2);
  await expect.poll(async () => shownNumber(await shown.last().textContent())).toBeCloseTo(Number(equity), 1);
}

async function holds(client: HubClient, venue: Venue): Promise<void> {
  const { platformType, symbol, contract } = venue;
  const marginMode = 'isolated';
  await client.must('x/trade/MarginMode', { platformType, symbol, marginMode });
  await client.must('connextrade/SetLeverage', { platformType, symbol, leverage: '20', marginMode });
  await client.must('connextrade/PlaceOrder', {
    ...{ platformType, symbol, tinstType: '2', side: '1', orderType: '2', timeInForce: '1' },
    ...{ quantity: String(0.04 / contract), effect: '0', reduceOnly: 'false', marginMode, leverage: '20' },
  });
}

async function fundingIsShown({ client, trade }: Sitting): Promise<void> {
  const paid = async () => {
    const { rows } = await client.must<{ readonly rows: readonly { readonly amount: string }[] }>(
      'x/trade/FundingHistory',
    );
    return rows.map(({ amount }) => Number(amount));
  };
  await expect.poll(async () => (await paid()).length).toBeGreaterThan(0);
  await rowsOf(trade, 'Funding');
  // At the hour of the exchange one more comes by itself.
  await expect.poll(async () => (await trade.rows().count()) === (await paid()).length).toBe(true);
  const said = (await trade.rows().first().getByRole('cell').nth(6).textContent()) ?? '';
  expect(Number(said.replace('−', '-'))).toBeCloseTo((await paid())[0] ?? 0, 2);
}

/** Margin is put behind the position in its row, and taken again; between, nothing else of it is another. */
async function marginIsMoved({ venue, client, trade }: Sitting): Promise<void> {
  const { page, orders } = trade;
  interface Held {
    readonly positions: readonly { readonly isolatedMargin: string; readonly quantity: string }[];
  }
  const held = async () => {
    const { platformType } = venue;
    const { positions } = await client.must<Held>('connextrade/CurPositionList', { platformType });
    return Number(positions[0]?.isolatedMargin);
  };
  const dialog = page.getByRole('dialog', { name: `Margin of ${venue.symbol}` });
  await rowsOf(trade, 'Positions');
  const before = await held();
  for (const [how, amount, after] of [
    ['Add', '100', 100],
    ['Take', '40', 60],
  ] as const) {
    await orders
      .getByRole('button', { name: new RegExp(`^Add or take margin ${venue.symbol} long`) })
      .click();
    await dialog.getByRole('button', { name: new RegExp(`^${how}`) }).click();
    await dialog.getByRole('textbox', { name: 'Amount' }).fill(amount);
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await expect(dialog).toHaveCount(0);
    // What the venue's own rounding makes of it aside.
    await expect.poll(async () => Math.round((await held()) - before)).toBe(after);
  }
  await stands(client, venue, 0.04);
}

/** Page, toast, history and the list of notices say that the exchange ended the position. */
async function liquidationIsSaid({ venue, trade }: Sitting): Promise<void> {
  const { page, orders } = trade;
  const said = new RegExp(`^${venue.symbol} at .* was liquidated`);
  await heard(page, said);
  await expect(await rowsOf(trade, 'Position history')).toHaveCount(1);
  await expect(trade.rows().first()).toContainText('liquidated');
  await rowsOf(trade, 'Positions');
  await expect(orders.getByText('Positions that you open appear here.')).toBeVisible();
  await page.getByRole('button', { name: /^Notices/ }).click();
  const list = page.getByRole('dialog', { name: 'Notices' });
  await expect(list.getByText(said).first()).toBeVisible();
  await expect(list).toContainText(`Funding of ${venue.symbol}`);
}

interface Stated {
  readonly positions: readonly {
    readonly positionId: string;
    readonly marginMode: string;
    readonly liquidationPrice: string | null;
  }[];
}

/** Changes the account's margin mode with a position: the dialog says where it would be liquidated, and then it is so. */
async function movesModes({ venue, client, trade }: Sitting, mode: 'Isolated' | 'Cross'): Promise<void> {
  const { page, ticket } = trade;
  const held = async () => {
    const { platformType } = venue;
    const { positions } = await client.must<Stated>('connextrade/CurPositionList', { platformType });
    return positions[0];
  };
  const before = await held();
  const chip = ticket.getByRole('button', { name: /^Margin mode/ });
  await chip.click();
  const dialog = page.getByRole('dialog', { name: 'Margin mode' });
  await dialog.getByRole('button', { name: new RegExp(`^${mode}`) }).click();
  const moved = dialog.getByRole('list', { name: 'Positions' }).getByRole('listitem');
  await expect(moved).toHaveText(/Liquidation .* → ≈ [0-9,.]+$/);
  const said = Number((await moved.textContent())?.split('≈ ').at(-1)?.replaceAll(',', ''));
  await hold(page, dialog.getByRole('button', { name: 'Confirm' }));
  await expect(dialog).toHaveCount(0);
  await expect(chip).toContainText(mode);
  await expect.poll(async () => (await held())?.marginMode).toBe(mode.toLowerCase());
  const after = await held();
  expect(after?.positionId).toBe(before?.positionId);
  // Neither depends on the mark while nothing else is held.
  expect(Number(after?.liquidationPrice)).toBe(said);
  await expect(await rowsOf(trade, 'Positions')).toHaveCount(1);
  await expect(trade.rows()).toContainText([mode]);
  await stands(client, venue, 0.04);
}

test('at bybit a held position goes along with the margin mode of its account, there and back, and keeps its money to the unit @full', async ({
  installation,
  memberPage,
}) => {
  const client = await withMargin(installation, BYBIT);
  const { platformType, symbol } = BYBIT;
  await client.must('connextrade/PlaceOrder', {
    ...{ platformType, symbol, tinstType: '2', side: '1', orderType: '2', timeInForce: '1' },
    ...{ quantity: '0.04', effect: '0', reduceOnly: 'false', marginMode: 'cross', leverage: '20' },
  });
  await stands(client, BYBIT, 0.04);
  const page = await memberPage({ email: '', password: '', client });
  const sitting = { venue: BYBIT, client, trade: new TradePage(page), complaints: complaintsOf(page) };
  await sitting.trade.openPath(installation.url, `/futures/bybit/${symbol}`);
  await expect(sitting.trade.rows()).toContainText(['0.040 BTC']);
  await movesModes(sitting, 'Isolated');
  await movesModes(sitting, 'Cross');
  const { rows } = await client.must<{ readonly rows: readonly object[] }>('connextrade/PositionHistory');
  expect(rows).toEqual([]);
  await client.must('connextrade/ClosePositionAll', { platformType });
  await stands(client, BYBIT, 0);
  expect(sitting.complaints.all).toEqual([]);
});

for (const venue of CONTRACT_VENUES) {
  test(`at ${venue.slug} a member opens, adds to, halves, reverses and closes; after each step the ledger has what the exchange has${venue === BINANCE ? '' : ' @full'}`, async ({
    browser,
    installation,
  }) => {
    test.setTimeout(600_000);
    const client = await withMargin(installation, venue);
    const context = await logInContext(browser, installation.url, { email: '', password: '', client });
    const page = await context.newPage();
    const sitting = { venue, client, trade: new TradePage(page), complaints: complaintsOf(page) };
    await sitting.trade.openPath(installation.url, `/futures/${venue.slug}/${venue.symbol}`);
    await opensAndAdds(sitting);
    await closesAtALimit(sitting);
    await targetsAtALimit(sitting);
    await halvesReversesAndCloses(sitting);
    await leavesBeforeTheAnswer(sitting);
    await historiesTell(sitting);
    expect(sitting.complaints.all).toEqual([]);
    await context.close();
  });

  test(`at ${venue.slug} funding, moved margin, a killed hub and a liquidation reach page, histories and ledger @full`, async ({
    browser,
    installation,
  }) => {
    test.setTimeout(600_000);
    const client = await withMargin(installation, venue);
    await holds(client, venue);
    const context = await logInContext(browser, installation.url, { email: '', password: '', client });
    const page = await context.newPage();
    const trade = new TradePage(page);
    const sitting = { venue, client, trade, complaints: complaintsOf(page) };
    const market = { venue: venue.slug, symbol: venue.symbol };
    await trade.openPath(installation.url, `/futures/${venue.slug}/${venue.symbol}`);
    await expect(trade.rows()).toContainText([`${sized(venue, 0.04)} BTC`]);
    await installation.simulate('funding', market);
    await fundingIsShown(sitting);
    await stands(client, venue, 0.04);
    await marginIsMoved(sitting);
    expect(sitting.complaints.all).toEqual([]);

    // A start that takes long ends the page's own tries; then it asks.
    const again = page.getByRole('button', { name: 'Reconnect' });
    await page.addLocatorHandler(again, () => again.click(), { noWaitAfter: true });
    const connection = await heardFrom(trade.connection);
    await installation.kill(['server']);
    await expect.poll(connection).toMatch(/Reconnecting|Disconnected/);
    await installation.ready();
    await trade.live();
    await expect(await rowsOf(trade, 'Positions')).toContainText([`${sized(venue, 0.04)} BTC`]);
    await stands(client, venue, 0.04);

    await installation.simulate('shock', { ...market, market: 'perps', factor: 0.9 });
    await liquidationIsSaid(sitting);
    await stands(client, venue, 0);
    // Flows after this one drag lines below the price: it must not lie at the lower edge of their charts.
    await installation.simulate('shock', { ...market, market: 'perps', factor: 1 / 0.9 });
    await context.close();
  });
}

import { expect, type Locator } from '@playwright/test';
import {
  cancels,
  conditional,
  drags,
  editsTrigger,
  findsLine,
  type Sitting,
  share,
  shownTrigger,
  targets,
  waiting,
  widens,
} from './conditional-page.ts';
import { BINANCE, BYBIT, CONTRACT_VENUES, stands, type Venue, withMargin } from './contract-venues.ts';
import { beside, type Complaints, complaintsOf, heard, heardFrom, logInContext, test } from './fixtures.ts';
import type { Installation } from './installation.ts';
import { TradePage } from './trade-page.ts';

/** Orders on contracts that wait for a price, sent from the screen and fired by a shocked price: a row an exchange. */

/** All of it is traded, at Bybit too. */
test.use({ thirdExchange: 'live' });

/** At Bybit a trailing stop hangs on a position and is set there; it has no pair of both legs. */
const TRAILS: ReadonlySet<string> = new Set(['binance', 'okx']);
const PAIRS: ReadonlySet<string> = new Set(['okx']);
const TIMES: ReadonlyMap<string, readonly RegExp[]> = new Map([['okx', [/^GTC/]]]);

/** Prices fall at once, far enough for every trigger of these flows that is near. */
async function falls(installation: Installation, { slug, symbol }: Venue): Promise<void> {
  await installation.simulate('shock', { venue: slug, symbol, market: 'perps', factor: 0.97 });
}

/** Sends what stands in the conditional ticket, and waits for its row. */
async function sends(sitting: Sitting, side: 'Buy / Long' | 'Sell / Short', kind: string): Promise<void> {
  const { ticket } = sitting.trade;
  const rows = await waiting(sitting);
  const before = await rows.filter({ hasText: 'waiting' }).count();
  await ticket.getByRole('button', { name: side, exact: true }).click();
  await ticket.getByRole('button', { name: new RegExp(`^${side} .* ${kind}`) }).click();
  await expect(rows.filter({ hasText: 'waiting' })).toHaveCount(before + 1);
}

/** A stop, one that sends a limit, a take-profit and a trailing one, the first amended in its row; then prices fall. */
async function everyKindFires(sitting: Sitting, venue: Venue, installation: Installation): Promise<void> {
  const { trade } = sitting;
  const { ticket } = trade;
  const near = await share(sitting, 0.985);
  await conditional(sitting, 'Stop / TP', { Trigger: await share(sitting, 0.95), Size: '0.01' });
  await sends(sitting, 'Sell / Short', 'Stop');
  const rows = await waiting(sitting);
  await editsTrigger(sitting, rows, near);
  await expect(shownTrigger(rows)).toContainText(Number(near).toLocaleString('en'));

  // Against its side the same trigger is a take-profit of a buy.
  await conditional(sitting, 'Stop / TP', { Trigger: near, Size: '0.01' });
  await sends(sitting, 'Buy / Long', 'Stop');
  await expect(rows.first()).toContainText('Take-profit');

  await conditional(sitting, 'Stop / TP', { Trigger: near, Size: '0.01' });
  await ticket.getByRole('button', { name: 'Limit', exact: true }).last().click();
  await ticket.getByRole('textbox', { name: 'Limit', exact: true }).fill(await share(sitting, 1));
  // What a trigger sends has the times in force that the exchange has for it.
  const times = ticket.getByRole('combobox', { name: 'Time in force' }).getByRole('option');
  await expect(times).toHaveText(TIMES.get(venue.slug) ?? [/^GTC/, /^Post-only/, /^IOC/, /^FOK/]);
  await sends(sitting, 'Sell / Short', 'Stop');
  await ticket.getByRole('button', { name: 'Market', exact: true }).last().click();

  // Takes no margin while it waits: that there is none is found when it fires.
  await conditional(sitting, 'Stop / TP', { Trigger: near, Size: '2' });
  await sends(sitting, 'Buy / Long', 'Stop');

  if (PAIRS.has(venue.slug)) {
    await conditional(sitting, 'OCO', { 'Take-profit': await share(sitting, 0.98), Size: '0.01' });
    await ticket.getByRole('textbox', { name: 'Stop-loss', exact: true }).fill(near);
    const send = ticket.getByRole('button', { name: /^Sell \/ Short .* OCO/ });
    await ticket.getByRole('button', { name: 'Sell / Short', exact: true }).click();
    await send.click();
    await expect(ticket.getByText(/^Take-profit must be above the current price/)).toBeVisible();
    await ticket.getByRole('textbox', { name: 'Take-profit', exact: true }).fill(await share(sitting, 1.05));
    await sends(sitting, 'Sell / Short', 'OCO');
    await expect(rows.first()).toContainText('OCO');
  } else await expect(ticket.getByText(/does not have this here: .*OCO/)).toBeVisible();

  const kinds = (TRAILS.has(venue.slug) ? 5 : 4) + (PAIRS.has(venue.slug) ? 1 : 0);
  if (TRAILS.has(venue.slug)) {
    await conditional(sitting, 'Trailing stop', { Callback: '1', Size: '0.01' });
    await sends(sitting, 'Sell / Short', 'Trailing');
  } else await expect(ticket.getByText(/^A trailing stop is set at its position/)).toBeVisible();

  await falls(installation, venue);
  await expect(rows.filter({ hasText: 'waiting' })).toHaveCount(0);
  await expect(rows.filter({ hasText: 'fired' })).toHaveCount(kinds);
  await expect(rows.filter({ hasText: /fired, refused: \S/ })).toHaveCount(1);
  // What the one with a limit became rests in the book.
  await trade.tab('Open orders');
  await expect(trade.rows()).toHaveCount(1);
  await trade
    .rows()
    .first()
    .getByRole('button', { name: /^Cancel/ })
    .click();
  await expect(trade.orders.getByText('Orders that wait for their price appear here.')).toBeVisible();
}

/** A line follows the pointer; Esc and a refusal leave it, in the row and in the chart, where it was. */
async function dragsLine(sitting: Sitting, venue: Venue): Promise<void> {
  const { trade } = sitting;
  const { page, ticket } = trade;
  // Days reach far enough for a trigger that nothing comes near; where the price was never lower, the scale is drawn together:
  // twice, so that below the line are prices still, and no volume, where it could not be put.
  await trade.chart.getByRole('button', { name: '1D', exact: true }).click();
  await widens(sitting);
  await widens(sitting);
  await conditional(sitting, 'Stop / TP', { Trigger: await share(sitting, 0.95), Size: '0.01' });
  await ticket.getByRole('combobox', { name: 'Trigger price kind' }).selectOption('mark');
  await sends(sitting, 'Sell / Short', 'Stop');
  await ticket.getByRole('combobox', { name: 'Trigger price kind' }).selectOption('last');
  const rows = await waiting(sitting);
  await expect(shownTrigger(rows)).toContainText('mark ≤');
  await expect.poll(async () => (await findsLine(sitting)) !== undefined).toBe(true);
  const line = await findsLine(sitting);
  if (line === undefined) throw new Error(`no line at ${venue.slug}`);
  const { x, y } = line;
  const before = (await shownTrigger(rows).textContent()) ?? '';
  await drags(sitting, x, y, y + 20);
  await page.keyboard.press('Escape');
  await page.mouse.up();
  await expect(shownTrigger(rows)).toHaveText(before);
  // Above the price it would fire at once: the hub says so, and the line is where it was.
  const top = ((await trade.chart.boundingBox())?.y ?? 0) + 70;
  await drags(sitting, x, y, top);
  await page.mouse.up();
  await heard(page, /^The order would fire at once/);
  await expect(shownTrigger(rows)).toHaveText(before);
  let back = 0;
  await expect(async () => {
    back = (await findsLine(sitting))?.y ?? 0;
    expect(Math.abs(back - y)).toBeLessThanOrEqual(6);
  }).toPass();
  // Not far: below the prices lies the volume, where a line cannot be put.
  await drags(sitting, x, back, back + 12);
  await page.mouse.up();
  await expect(shownTrigger(rows)).not.toHaveText(before);
  await expect(rows.first()).toContainText('waiting');
  await cancels(sitting);
}

/** An order brings its targets along, given by gain and percent; on the wrong side they are refused by name. */
async function bracketOfOrder(sitting: Sitting, venue: Venue): Promise<void> {
  const { trade, client } = sitting;
  const { ticket } = trade;
  await trade.type('Market');
  await ticket.getByRole('button', { name: 'Buy / Long', exact: true }).click();
  await ticket.getByRole('textbox', { name: 'Size', exact: true }).fill('0.02');
  await ticket.getByRole('checkbox', { name: 'TP / SL' }).check();
  const send = ticket.getByRole('button', { name: /^Buy \/ Long 0.020/ });
  await targets(ticket, [{ name: 'Stop-loss', unit: 'price', text: await share(sitting, 1.1) }]);
  await send.click();
  await expect(ticket.getByText(/^Take-profit must be above the order price/)).toBeVisible();
  await targets(ticket, [
    { name: 'Take-profit', unit: 'pnl', text: '300' },
    { name: 'Stop-loss', unit: 'percent', text: '20' },
  ]);
  await send.click();
  await stands(client, venue, 0.02);
  const rows = (await waiting(sitting)).filter({ hasText: 'with an order' });
  await expect(rows.filter({ hasText: 'waiting' })).not.toHaveCount(0);
  // An order that takes from two makers has two fills, and a hub that places the legs does so after each.
  const sizes = () =>
    rows
      .filter({ hasNotText: 'Take-profit' })
      .evaluateAll((all) => all.map((row) => Number((row as HTMLTableRowElement).cells[6]?.textContent)));
  await expect.poll(async () => (await sizes()).reduce((sum, size) => sum + size, 0)).toBeCloseTo(0.02, 6);
}

/** Out of the line of a position a stop is pulled by its button, for all of it; Esc on the way pulls nothing. */
async function pullsStop(sitting: Sitting, venue: Venue): Promise<void> {
  const { trade } = sitting;
  const { mouse, keyboard } = trade.page;
  const rows = (await waiting(sitting)).filter({ hasText: 'Whole' });
  const handle = trade.chart.getByRole('button', { name: `TP / SL ${venue.symbol}` });
  const pulls = async (): Promise<void> => {
    await expect.poll(async () => (await pointsAt(sitting, handle)) !== undefined).toBe(true);
    const y = (await pointsAt(sitting, handle)) ?? 0;
    const box = await handle.boundingBox();
    await drags(sitting, (box?.x ?? 0) + (box?.width ?? 0) / 2, y, y + 50);
  };
  await pulls();
  await keyboard.press('Escape');
  await mouse.up();
  await pulls();
  await mouse.up();
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText('Stop');
  await expect(rows).toContainText('waiting');
  await rows.getByRole('button', { name: /^Cancel/ }).click();
  await expect(rows.filter({ hasText: 'waiting' })).toHaveCount(0);
}

/** Moves the mouse down the chart until something is brought up, and says at which height. */
async function pointsAt({ trade }: Sitting, brought: Locator): Promise<number | undefined> {
  const box = await trade.chart.boundingBox();
  if (box === null) throw new Error('the chart is not on screen');
  for (let y = box.y + 60; y < box.y + box.height - 120; y += 5) {
    await trade.page.mouse.move(box.x + box.width / 2, y);
    if (await brought.isVisible()) return y;
  }
  return undefined;
}

/** A part of a position, then all of it; the nearest stop-loss ends it. */
async function targetsOfPosition(sitting: Sitting, venue: Venue, installation: Installation): Promise<void> {
  const { trade, client } = sitting;
  const { page, orders } = trade;
  await orders.getByRole('tab', { name: /^Positions/ }).click();
  await orders.getByRole('button', { name: new RegExp(`^TP / SL of ${venue.symbol}`) }).click();
  const dialog = page.getByRole('dialog', {
    name: new RegExp(`^Take-profit and stop-loss of ${venue.symbol}`),
  });
  const standing = dialog.getByRole('listitem');
  const place = dialog.getByRole('button', { name: 'Place', exact: true });
  const legs = PAIRS.has(venue.slug) ? 1 : 2;
  await dialog.getByRole('button', { name: 'A part', exact: true }).click();
  await dialog.getByRole('textbox', { name: 'Size', exact: true }).fill('0.5');
  await expect(dialog.getByText(/^A multiple of the size step, at most 0.02/)).toBeVisible();
  // Legs of the order may still be put together from those of its fills: this size is none of theirs.
  await dialog.getByRole('textbox', { name: 'Size', exact: true }).fill('0.013');
  await targets(dialog, [
    { name: 'Take-profit', unit: 'price', text: await share(sitting, 1.2) },
    { name: 'Stop-loss', unit: 'roe', text: '300' },
  ]);
  await place.click();
  await expect(standing.filter({ hasText: '0.013' })).toHaveCount(legs);
  await dialog.getByRole('button', { name: 'Whole position', exact: true }).click();
  await targets(dialog, [
    { name: 'Take-profit', unit: 'percent', text: '30' },
    // Half of a fall away: the price may have gone that far either way since the position was opened.
    { name: 'Stop-loss', unit: 'percent', text: '1.5' },
  ]);
  await place.click();
  await expect(standing.filter({ hasText: 'Whole' })).toHaveCount(legs);
  await dialog.getByRole('button', { name: 'Close', exact: true }).first().click();
  const whole = (await waiting(sitting)).filter({ hasText: 'Whole' });
  await expect(whole.filter({ hasText: 'waiting' })).toHaveCount(legs);
  await falls(installation, venue);
  await stands(client, venue, 0);
  await heard(page, new RegExp(`^(Stop|OCO) fired: ${venue.symbol}`));
}

/** A trailing stop of a position: refused by name, set, changed in its place, removed, set again; it closes the position. */
async function trailsPosition(sitting: Sitting, venue: Venue, installation: Installation): Promise<void> {
  const { trade, client } = sitting;
  const { page, orders, ticket } = trade;
  await trade.type('Market');
  await ticket.getByRole('button', { name: 'Buy / Long', exact: true }).click();
  await ticket.getByRole('textbox', { name: 'Size', exact: true }).fill('0.02');
  await ticket.getByRole('button', { name: /^Buy \/ Long 0.020/ }).click();
  await stands(client, venue, 0.02);
  await orders.getByRole('tab', { name: /^Positions/ }).click();
  await orders.getByRole('button', { name: new RegExp(`^TP / SL of ${venue.symbol}`) }).click();
  const dialog = page.getByRole('dialog', { name: new RegExp(`of ${venue.symbol}`) });
  const distance = dialog.getByRole('textbox', { name: 'Trailing distance', exact: true });
  const from = dialog.getByRole('textbox', { name: 'From price', exact: true });
  const sets = dialog.getByRole('button', { name: 'Set trailing stop', exact: true });
  const standing = dialog.getByRole('listitem');
  await distance.fill('500.05');
  await expect(dialog.getByText(/^The price must be a multiple of/)).toBeVisible();
  await expect(sets).toBeDisabled();
  await distance.fill(await share(sitting, 0.01));
  await from.fill(await share(sitting, 0.9));
  await sets.click();
  await expect(beside(dialog, /would fire at once/)).toBeVisible();
  await from.fill('');
  await sets.click();
  await expect(standing).toContainText(['Trailing stop ±']);
  const wider = await share(sitting, 0.02);
  await distance.fill(wider);
  await dialog.getByRole('button', { name: 'Change trailing stop', exact: true }).click();
  await expect(standing).toContainText([`± ${Number(wider).toLocaleString('en')}`]);
  await standing.getByRole('button', { name: 'Cancel', exact: true }).click();
  await expect(standing).toHaveCount(0);
  await distance.fill(await share(sitting, 0.01));
  await sets.click();
  await expect(standing).toHaveCount(1);
  await dialog.getByRole('button', { name: 'Close', exact: true }).first().click();
  const rows = (await waiting(sitting)).filter({ hasText: 'Trailing stop' });
  await expect(rows.filter({ hasText: 'waiting' })).toHaveCount(1);
  await falls(installation, venue);
  await stands(client, venue, 0);
  await expect(rows.filter({ hasText: 'fired' })).toHaveCount(1);
}

/** A member with money for contracts, before the page of a venue's contract. */
const sit = async (browser: Parameters<typeof logInContext>[0], installation: Installation, venue: Venue) => {
  const client = await withMargin(installation, venue);
  const context = await logInContext(browser, installation.url, { email: '', password: '', client });
  const page = await context.newPage();
  const complaints: Complaints = complaintsOf(page);
  const trade = new TradePage(page);
  await trade.openPath(installation.url, `/futures/${venue.slug}/${venue.symbol}`);
  return { client, trade, complaints, context };
};

test('at binance a position says that it is unprotected until the leg of its order stands, and no longer @full', async ({
  browser,
  installation,
}) => {
  test.setTimeout(600_000);
  const { complaints, context, ...sitting } = await sit(browser, installation, BINANCE);
  const { ticket, orders } = sitting.trade;
  await sitting.trade.type('Market');
  await ticket.getByRole('button', { name: 'Buy / Long', exact: true }).click();
  await ticket.getByRole('textbox', { name: 'Size', exact: true }).fill('0.02');
  await ticket.getByRole('checkbox', { name: 'TP / SL' }).check();
  await targets(ticket, [{ name: 'Stop-loss', unit: 'percent', text: '20' }]);
  // The leg does not get there, and its answer says nothing: it is placed again once that is proved.
  const lost = { venue: 'binance', kind: 'timeout-before', match: 'fapi.algoOrder.place' };
  await installation.simulate('faults', lost);
  await orders.getByRole('tab', { name: /^Positions/ }).click();
  const said = await heardFrom(orders);
  await ticket.getByRole('button', { name: /^Buy \/ Long 0.020/ }).click();
  await expect.poll(said).toContain('unprotected');
  await expect(orders.getByText(/unprotected/)).toHaveCount(0, { timeout: 240_000 });
  await expect((await waiting(sitting)).first()).toContainText('waiting');
  expect(complaints.all).toEqual([]);
  await context.close();
});

test('at bybit a trailing stop is set at the position, changed, removed and set again, and closes it @full', async ({
  browser,
  installation,
}) => {
  test.setTimeout(600_000);
  const { complaints, context, ...sitting } = await sit(browser, installation, BYBIT);
  await trailsPosition(sitting, BYBIT, installation);
  expect(complaints.all).toEqual([]);
  await context.close();
});

for (const venue of CONTRACT_VENUES) {
  test(`at ${venue.slug} a stop, a stop with a limit, a take-profit and a trailing stop are sent, amended and fire; what the exchange refuses then says why @full`, async ({
    browser,
    installation,
  }) => {
    test.setTimeout(600_000);
    const { complaints, context, ...sitting } = await sit(browser, installation, venue);
    await everyKindFires(sitting, venue, installation);
    expect(complaints.all).toEqual([]);
    await context.close();
  });

  test(`at ${venue.slug} a line is dragged to another trigger, an order brings its targets, one is pulled out of the position, and they end it @full`, async ({
    browser,
    installation,
  }) => {
    test.setTimeout(600_000);
    const { complaints, context, ...sitting } = await sit(browser, installation, venue);
    await dragsLine(sitting, venue);
    await bracketOfOrder(sitting, venue);
    await pullsStop(sitting, venue);
    await targetsOfPosition(sitting, venue, installation);
    expect(complaints.all).toEqual([]);
    await context.close();
  });
}

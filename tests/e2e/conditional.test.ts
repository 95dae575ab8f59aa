import { expect } from '@playwright/test';
import {
  cancels,
  conditional,
  editsTrigger,
  type Sitting,
  share,
  targets,
  waiting,
} from './conditional-page.ts';
import { complaintsOf, heard, logInContext, standingStill, test } from './fixtures.ts';
import type { HubClient } from './hub-client.ts';
import type { Installation } from './installation.ts';
import { TradePage } from './trade-page.ts';

/** Orders that wait for a price, of a pair, as a member places, changes and sees them: once per kind at Binance. */

/** All of it is traded, at Bybit too. */
test.use({ thirdExchange: 'live' });

async function available(client: HubClient, asset: string, platformType = '43'): Promise<number> {
  const rows = await client.must<readonly { readonly pocket?: string; readonly available: string }[]>(
    'connexfunding/tradingbalance',
    { platformType, asset },
  );
  return Number(rows.find(({ pocket }) => pocket !== 'futures')?.available ?? '0');
}

async function stopOfPair(sitting: Sitting): Promise<void> {
  const { client, trade } = sitting;
  await conditional(sitting, 'Stop / TP', { Trigger: await share(sitting, 1.02), Quantity: '0.01' });
  await expect(trade.ticket.getByText(/^Stop: fires when the last price rises to/)).toBeVisible();
  await trade.ticket.getByRole('button', { name: 'Limit', exact: true }).last().click();
  await trade.ticket.getByRole('textbox', { name: 'Limit', exact: true }).fill(await share(sitting, 1.03));
  await trade.ticket.getByRole('button', { name: /^Buy .*BTC · Stop/ }).click();
  const rows = await waiting(sitting);
  await expect(rows.first()).toContainText('waiting');
  // Its money is set aside from the placement.
  const free = await available(client, 'USDT');
  expect(free).toBeLessThan(9_900);
  // A new trigger in its place: Enter sends it.
  const trigger = await share(sitting, 1.025);
  await editsTrigger(sitting, rows, trigger);
  await expect(rows.first()).toContainText(Number(trigger).toLocaleString('en'));
  // What the hub refuses brings the old one back, and says why.
  await editsTrigger(sitting, rows, `${trigger}.005`);
  await heard(trade.page, /^The price must be a multiple of 0.01/);
  await expect(rows.first()).toContainText(`${Number(trigger).toLocaleString('en')}.00`);
  await cancels(sitting);
  await expect.poll(() => available(client, 'USDT')).toBe(10_000);
}

/** A resting iceberg gets another price in its place and is one still; the money set aside follows. */
async function limitOfPair(sitting: Sitting): Promise<void> {
  const { client, trade } = sitting;
  const price = await share(sitting, 0.97);
  await trade.limit(await share(sitting, 0.98), '0.01');
  await trade.ticket.getByRole('checkbox', { name: 'Iceberg' }).check();
  const visible = trade.ticket.getByRole('textbox', { name: 'Visible at a time' });
  await visible.fill('0.0005');
  await trade.send('Buy');
  await expect(visible).toHaveAttribute('aria-invalid', 'true');
  await visible.fill('0.002');
  await trade.send('Buy');
  await trade.tab('Open orders');
  await expect(trade.rows()).toHaveCount(1);
  await expect(trade.rows().first()).toContainText('Iceberg, 0.002 visible');
  await trade
    .rows()
    .first()
    .getByRole('button', { name: /^Edit price/ })
    .click();
  await trade.orders.getByRole('textbox', { name: /^Edit price/ }).fill(price);
  await trade.page.keyboard.press('Enter');
  await expect(trade.rows().first()).toContainText(`${Number(price).toLocaleString('en')}.00`);
  await expect(trade.rows().first()).toContainText('Iceberg, 0.002 visible');
  await expect.poll(() => available(client, 'USDT')).toBeCloseTo(10_000 - Number(price) / 100, 6);
  await trade
    .rows()
    .first()
    .getByRole('button', { name: /^Cancel/ })
    .click();
  await expect.poll(() => available(client, 'USDT')).toBe(10_000);
}

async function trailingOfPair(sitting: Sitting): Promise<void> {
  const { trade } = sitting;
  await conditional(sitting, 'Trailing stop', { Callback: '50', Quantity: '0.01' });
  await trade.ticket.getByRole('button', { name: /^Buy .*BTC · Trailing/ }).click();
  await expect(trade.ticket.getByText(/^The callback must be between 0.1 – 20 %/)).toBeVisible();
  await trade.ticket.getByRole('textbox', { name: 'Callback', exact: true }).fill('5');
  await trade.ticket.getByRole('button', { name: /^Buy .*BTC · Trailing/ }).click();
  await expect((await waiting(sitting)).first()).toContainText('5 %');
  await cancels(sitting);
}

async function ocoOfPair(sitting: Sitting): Promise<void> {
  const { trade } = sitting;
  await conditional(sitting, 'OCO', {
    ...{ 'Take-profit': await share(sitting, 1.02), 'Stop-loss': await share(sitting, 1.03) },
    Quantity: '0.01',
  });
  const send = trade.ticket.getByRole('button', { name: /^Buy .*BTC · OCO/ });
  await send.click();
  await expect(trade.ticket.getByText(/^Take-profit must be below the current price/)).toBeVisible();
  const target = trade.ticket.getByRole('textbox', { name: 'Take-profit', exact: true });
  await target.fill(await share(sitting, 0.97));
  await send.click();
  await expect((await waiting(sitting)).first()).toContainText('OCO');
  await cancels(sitting);
}

/**
 * A buy brings take-profit and stop-loss along: once it has filled, one pair of legs waits with what came. Where the exchange binds
 * no two, both are refused by name, and the stop-loss comes alone.
 */
async function bracketOfPair(
  sitting: Sitting,
  {
    platformType,
    bindsTwo = true,
    type = 'Market',
  }: { readonly platformType?: string; readonly bindsTwo?: boolean; readonly type?: 'Market' | 'Limit' } = {},
): Promise<void> {
  const { client, trade } = sitting;
  const { ticket } = trade;
  const coins = () => available(client, 'BTC', platformType);
  const before = await coins();
  await trade.type(type);
  if (type === 'Market') await trade.field('Spend').fill('500');
  else {
    await trade.field('Price').fill(await share(sitting, 1.01));
    await trade.field('Quantity').fill('0.01');
  }
  await ticket.getByRole('checkbox', { name: 'TP / SL' }).check();
  const placedBy =
    platformType === undefined
      ? /as one list: active once all of it has filled/
      : bindsTwo
        ? /makes one of what was bought once the order is over/
        : /on pairs once the order is over/;
  await expect(ticket.getByText(placedBy)).toBeVisible();
  await targets(ticket, [
    { name: 'Take-profit', unit: 'percent', text: '20' },
    { name: 'Stop-loss', unit: 'percent', text: '20' },
  ]);
  await trade.send('Buy');
  if (!bindsTwo) {
    await heard(trade.page, /take-profit and stop-loss together/);
    await ticket.getByRole('textbox', { name: 'Take-profit', exact: true }).fill('');
    await trade.send('Buy');
  }
  const rows = await waiting(sitting);
  const legs = rows.filter({ hasText: 'with an order', hasNotText: 'cancelled' });
  await expect(legs).toHaveCount(1);
  await expect(legs).toContainText(bindsTwo ? 'OCO' : 'Stop');
  await expect(legs).toContainText('waiting');
  // All of what came is set aside for them.
  expect((await coins()) - before).toBeLessThan(0.000_01);
  await cancels(sitting);
  await expect.poll(async () => (await coins()) - before).toBeGreaterThan(0.001);
  await ticket.getByRole('checkbox', { name: 'TP / SL' }).uncheck();
}

/** A buy stop above the market fires when the price gets there: row, toast and balance say so. */
async function stopFires(sitting: Sitting, installation: Installation): Promise<void> {
  const { client, trade } = sitting;
  const held = await available(client, 'BTC');
  await conditional(sitting, 'Stop / TP', { Trigger: await share(sitting, 1.01), Quantity: '0.01' });
  // What it says of the order moves the button down: it is pressed where it stays.
  await expect(trade.ticket.getByText(/^Stop: fires when the last price rises to/)).toBeVisible();
  await expect(trade.ticket.getByText(/^Reserved now/)).toBeVisible();
  await trade.ticket.getByRole('button', { name: /^Buy .*BTC · Stop/ }).click();
  await heard(trade.page, 'Order successfully');
  const rows = await waiting(sitting);
  await expect(rows.first()).toContainText('waiting');
  await installation.simulate('shock', {
    ...{ venue: 'binance', symbol: 'BTCUSDT', market: 'spot', factor: 1.02 },
  });
  await expect(rows.first()).toContainText('fired');
  await heard(trade.page, /^Stop fired: BTCUSDT/);
  await expect.poll(async () => (await available(client, 'BTC')) - held).toBeCloseTo(0.00999, 6);
}

/** The + at the axis of the chart arms the ticket; in one-click mode it sends it, at the price under the pointer. */
async function ordersAtAxis({ client, trade }: Sitting): Promise<void> {
  const { page, chart, connection } = trade;
  await trade.limit(await trade.priceAwayFromBid(-0.05), '0.001');
  const plus = page.getByRole('button', { name: /^Order at / });
  const points = async (share: number): Promise<string> => {
    const box = await chart.boundingBox();
    if (box === null) throw new Error('the chart is not on screen');
    await page.mouse.move(box.x + box.width / 2, box.y + box.height * share);
    const [, price = ''] = /^Order at (.*)$/.exec((await plus.getAttribute('aria-label')) ?? '') ?? [];
    return price;
  };
  const orders = () =>
    client.must<readonly { readonly price: string }[]>('connextrade/CurOrderList', { platformType: '43' });
  // The market may lie anywhere in the chart: of two heights the one that is farther from it, below it a buy and above it a sell.
  const bid = Number(await trade.best('Bid'));
  const heights: { readonly height: number; readonly price: number }[] = [];
  for (const height of [0.25, 0.7])
    heights.push({ height, price: Number((await points(height)).replaceAll(',', '')) });
  const [far = { height: 0.7, price: 0 }] = heights.toSorted(
    (one, other) => Math.abs(other.price - bid) - Math.abs(one.price - bid),
  );
  const armed = await points(far.height);
  await plus.click();
  // The market moves the axis between the look and the click.
  const typed = async () => Number(await trade.field('Price').inputValue());
  const seen = Number(armed.replaceAll(',', ''));
  await expect.poll(async () => Math.abs((await typed()) / seen - 1)).toBeLessThan(0.001);
  expect(await orders()).toEqual([]);
  await connection.getByRole('button', { name: 'Trade settings' }).click();
  await page.getByRole('checkbox', { name: /^One click at the chart/ }).check();
  await page.keyboard.press('Escape');
  await expect(connection.getByText('1-CLICK')).toBeVisible();
  // A click among the bars with Shift held does what the + does.
  await points(far.height);
  await page.keyboard.down('Shift');
  await page.mouse.down();
  await page.mouse.up();
  await page.keyboard.up('Shift');
  await expect.poll(async () => (await orders()).length).toBe(1);
  await trade.tab('Open orders');
  await expect(trade.rows().first()).toContainText(far.price < bid ? 'Buy' : 'Sell');
}

/** Every kind that the exchange has on pairs is placed and cancelled; what it lacks is said. Then a stop fires. */
async function kindsOfPair(
  sitting: Sitting,
  installation: Installation,
  { slug, platformType, symbol, lacks }: PairVenue,
): Promise<void> {
  const { trade } = sitting;
  const { ticket } = trade;
  const sends = async (kind: string, said: string): Promise<void> => {
    await ticket.getByRole('button', { name: new RegExp(`^Buy .*BTC · ${kind}`) }).click();
    const rows = await waiting(sitting);
    await expect(rows.first()).toContainText(said);
    await expect(rows.first()).toContainText('waiting');
    await cancels(sitting);
  };
  await conditional(sitting, 'Stop / TP', { Trigger: await share(sitting, 0.95), Quantity: '0.01' });
  await expect(ticket.getByText(/^Take-profit: fires when the last price falls to/)).toBeVisible();
  await sends('Stop', 'Take-profit');
  if (lacks === undefined) {
    await conditional(sitting, 'Trailing stop', { Quantity: '0.01' });
    await ticket.getByRole('combobox', { name: 'Callback in' }).selectOption({ label: 'USDT' });
    await ticket.getByRole('textbox', { name: 'Callback', exact: true }).fill('1500');
    await sends('Trailing', '1,500');
    await conditional(sitting, 'OCO', {
      ...{ 'Take-profit': await share(sitting, 0.97), 'Stop-loss': await share(sitting, 1.03) },
      Quantity: '0.01',
    });
    await sends('OCO', 'OCO');
  } else await expect(ticket.getByText(lacks)).toBeVisible();
  await conditional(sitting, 'Stop / TP', { Trigger: await share(sitting, 1.01), Quantity: '0.01' });
  await ticket.getByRole('button', { name: /^Buy .*BTC · Stop/ }).click();
  const rows = await waiting(sitting);
  await expect(rows.first()).toContainText('waiting');
  await installation.simulate('shock', { venue: slug, symbol, market: 'spot', factor: 1.02 });
  await expect(rows.first()).toContainText('fired');
  await expect.poll(async () => (await trade.assets()).get('BTC') ?? '').toMatch(/^0\.0(?:1|099)/);
  await bracketOfPair(sitting, { platformType, bindsTwo: lacks === undefined });
}

interface PairVenue {
  readonly slug: string;
  readonly platformType: string;
  readonly symbol: string;
  /** What its ticket says of kinds that it has not. */
  readonly lacks?: RegExp;
}
/** Binance has a row of every kind of its own above. */
const OTHERS: readonly PairVenue[] = [
  { slug: 'okx', platformType: '41', symbol: 'BTC-USDT' },
  {
    ...{ slug: 'bybit', platformType: '42', symbol: 'BTCUSDT' },
    lacks: /does not have this here: .*Trailing stop.*OCO/,
  },
];

const sit = async (
  browser: Parameters<typeof logInContext>[0],
  { url }: Installation,
  client: HubClient,
  path = '/spot/binance/BTCUSDT',
) => {
  const context = await logInContext(browser, url, { email: '', password: '', client });
  const page = await context.newPage();
  const complaints = complaintsOf(page);
  const trade = new TradePage(page);
  await trade.openPath(url, path);
  return { client, trade, complaints, context };
};

test('on a pair a limit, a stop, a trailing stop, an OCO and the legs of a buy are changed and cancelled; their money is free again', async ({
  browser,
  installation,
}) => {
  const { client } = await installation.member('10000');
  const { complaints, context, ...sitting } = await sit(browser, installation, client);
  await limitOfPair(sitting);
  await stopOfPair(sitting);
  await trailingOfPair(sitting);
  await ocoOfPair(sitting);
  await bracketOfPair(sitting);
  // In one list with its legs.
  await bracketOfPair(sitting, { type: 'Limit' });
  expect(complaints.all).toEqual([]);
  await context.close();
});

test('on a pair a stop fires, and a click at the axis of the chart orders at its price @full', async ({
  browser,
  installation,
}) => {
  const { client } = await installation.member('10000');
  const { complaints, context, ...sitting } = await sit(browser, installation, client);
  await stopFires(sitting, installation);
  // What is ordered so near the market would soon be filled.
  await standingStill(installation, 'binance', () => ordersAtAxis(sitting));
  expect(complaints.all).toEqual([]);
  await context.close();
});

for (const venue of OTHERS) {
  test(`on a pair at ${venue.slug} each kind that it has and the legs of a buy wait and are cancelled, and a stop fires @full`, async ({
    browser,
    installation,
  }) => {
    const { client } = await installation.member();
    await client.must('x/paper/TestFunds', { platformType: venue.platformType, tradingAmount: '10000' });
    const path = `/spot/${venue.slug}/${venue.symbol}`;
    const { complaints, context, ...sitting } = await sit(browser, installation, client, path);
    await kindsOfPair(sitting, installation, venue);
    expect(complaints.all).toEqual([]);
    await context.close();
  });
}

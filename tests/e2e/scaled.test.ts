import { expect, type Page } from '@playwright/test';
import { CONTRACT_VENUES, type Venue, withMargin } from './contract-venues.ts';
import { complaintsOf, heard, logInContext, test } from './fixtures.ts';
import type { HubClient } from './hub-client.ts';
import { TradePage } from './trade-page.ts';

/** A scaled order as a member enters, sees and sends it, of a pair and of a contract. */

/** Enters one of four orders from 2 % to 5 % below the market, the last twice as large as the first. */
async function entered(trade: TradePage, size: string, quantity: string): Promise<void> {
  const { ticket } = trade;
  const bid = Number(await trade.best('Bid'));
  await ticket.getByRole('button', { name: 'Scaled', exact: true }).click();
  const field = (name: string) => ticket.getByRole('textbox', { name, exact: true });
  await field('From').fill(String(Math.round(bid * 0.98)));
  await field('Orders').fill('4');
  await field(size).fill(quantity);
  await ticket.getByRole('slider', { name: 'Sizes' }).press('ArrowRight');
  // Pressing the button leads to what is missing.
  await ticket.getByRole('button', { name: / · 4 orders(?:,|$)/ }).click();
  await expect(field('To')).toBeFocused();
  await field('To').fill(String(Math.round(bid * 0.95)));
  await expect(ticket.getByRole('list', { name: 'Orders to be sent' }).getByRole('listitem')).toHaveCount(4);
}

const openOrders = async (client: HubClient, platformType: string): Promise<number> =>
  (await client.must<readonly unknown[]>('connextrade/CurOrderList', { platformType })).length;

/** The next answer is lost on its way to the page. */
async function loseAnswer(page: Page): Promise<void> {
  await page.route(
    '**/api/x/trade/PlaceScaled',
    async (route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );
}

test('a scaled order of a pair is listed before it is sent; a lost answer is asked for again and doubles nothing @full', async ({
  installation,
  memberPage,
}) => {
  const { client } = await installation.member('10000');
  const page = await memberPage({ email: '', password: '', client });
  const trade = new TradePage(page);
  await trade.open(installation.url);
  await entered(trade, 'Quantity', '0.04');
  await loseAnswer(page);
  await trade.ticket.getByRole('button', { name: /^Buy .*BTC · 4 orders/ }).click();
  await expect(
    trade.ticket.getByText(/^No answer yet: some of the orders may be at the exchange/),
  ).toBeVisible();
  await trade.ticket.getByRole('button', { name: 'Ask again' }).click();
  await heard(page, /4 of 4 orders placed · BTCUSDT/);
  await expect(trade.ticket.getByText(/^No answer yet/)).toBeHidden();
  await trade.tab('Open orders');
  await expect(trade.rows()).toHaveCount(4);
  expect(await openOrders(client, '43')).toBe(4);
});

for (const venue of CONTRACT_VENUES.filter(({ slug }) => slug !== 'bybit')) {
  test(`a scaled order of a contract at ${venue.slug} rests as its orders @full`, async ({
    browser,
    installation,
  }) => {
    const client = await withMargin(installation, venue);
    const context = await logInContext(browser, installation.url, { email: '', password: '', client });
    const page = await context.newPage();
    const complaints = complaintsOf(page);
    const trade = new TradePage(page);
    await trade.openPath(installation.url, `/futures/${venue.slug}/${venue.symbol}`);
    await entered(trade, 'Size', '0.1');
    await sendsAndCancels({ client, trade, venue });
    expect(complaints.all).toEqual([]);
    await context.close();
  });
}

async function sendsAndCancels(sitting: {
  readonly client: HubClient;
  readonly trade: TradePage;
  readonly venue: Venue;
}): Promise<void> {
  const { client, trade, venue } = sitting;
  await trade.ticket.getByRole('button', { name: /^Buy \/ Long 0\.10+ BTC · 4 orders/ }).click();
  await heard(trade.page, /4 of 4 orders placed/);
  expect(await openOrders(client, venue.platformType)).toBe(4);
  await client.must('connextrade/CancelAll', { platformType: venue.platformType });
}

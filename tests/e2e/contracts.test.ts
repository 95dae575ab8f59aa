import { expect, type Locator, type Page } from '@playwright/test';
import { type Complaints, complaintsOf, FULL, logInContext, test } from './fixtures.ts';
import type { HubClient } from './hub-client.ts';
import { type Installation, startInstallation } from './installation.ts';
import { TradePage } from './trade-page.ts';

/** Contracts as a member trades them, and what happens to a position without its owner: a row an exchange. */

interface Venue {
  readonly slug: string;
  readonly platformType: string;
  readonly symbol: string;
  /** Decimals of a size in coins, and coins of what the exchange counts. */
  readonly decimals: number;
  readonly contract: number;
  /** Money for contracts lies in a pocket of its own. */
  readonly pocket: boolean;
}

const BINANCE: Venue = {
  ...{ slug: 'binance', platformType: '43', symbol: 'BTCUSDT', decimals: 3, contract: 1, pocket: true },
};
const OTHERS: readonly Venue[] = [
  { slug: 'okx', platformType: '41', symbol: 'BTC-USDT-SWAP', decimals: 4, contract: 0.01, pocket: false },
  { slug: 'bybit', platformType: '42', symbol: 'BTCUSDT', decimals: 3, contract: 1, pocket: false },
];
const VENUES: readonly Venue[] = FULL ? [BINANCE, ...OTHERS] : [BINANCE];
const MARGIN = '1000';

interface Standing {
  readonly positions: readonly { readonly quantity: string }[];
  readonly margin: readonly { readonly wallet: string }[];
}

/** The position in coins as the exchange states it, and whether the ledger's money is its wallet to the unit. */
async function standing(client: HubClient, { platformType, pocket, contract }: Venue) {
  const said = await client.must<Standing>('connextrade/CurPositionList', { platformType });
  const rows = await client.must<readonly { readonly pocket?: string; readonly total: string }[]>(
    'connexfunding/tradingbalance',
    { platformType, asset: 'USDT' },
  );
  const booked = rows.find((row) => !pocket || row.pocket === 'futures')?.total;
  const coins = Number((Number(said.positions[0]?.quantity ?? '0') * contract).toFixed(6));
  return { coins, equal: booked !== undefined && booked === said.margin[0]?.wallet };
}

/** Waits until the exchange states this many coins and both sides have the same money. */
async function stands(client: HubClient, venue: Venue, coins: number): Promise<void> {
  await expect.poll(() => standing(client, venue)).toEqual({ coins, equal: true });
}

/** A member with money for contracts, at 20 times. */
async function withMargin(installation: Installation, venue: Venue): Promise<HubClient> {
  const { platformType, symbol, pocket } = venue;
  const { client } = await installation.member();
  await client.must('x/paper/TestFunds', { platformType, tradingAmount: MARGIN });
  const move = { platformType, direction: '3', asset: 'USDT', amount: MARGIN };
  if (pocket) await client.must('connexfunding/UniversalTransfer', move);
  await stands(client, venue, 0);
  await client.must('connextrade/SetLeverage', { platformType, symbol, leverage: '20' });
  return client;
}

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

const sized = ({ decimals }: Venue, coins: number): string => coins.toFixed(decimals);

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
  await ticket.getByRole('button', { name: `Buy / Long ${sized(venue, 0.02)} BTC` }).click();
  await stands(client, venue, 0.06);
}

async function halvesReversesAndCloses({ venue, client, trade }: Sitting): Promise<void> {
  const { page, orders } = trade;
  const of = (action: string) =>
    orders.getByRole('button', { name: `${action} ${venue.symbol}`, exact: true });
  await of('Close').click();
  const close = page.getByRole('dialog', { name: new RegExp(venue.symbol) });
  await close.getByRole('button', { name: '50%' }).click();
  await close.getByRole('button', { name: `Close ${sized(venue, 0.03)} BTC` }).click();
  await stands(client, venue, 0.03);

  await of('Reverse').click();
  const sure = page.getByRole('alertdialog');
  await hold(page, sure.getByRole('button', { name: 'Reverse', exact: true }));
  await stands(client, venue, -0.03);
  await expect(trade.rows()).toContainText([`${sized(venue, 0.03)} BTC`]);

  await orders.getByRole('button', { name: 'Close all' }).click();
  await hold(page, sure.getByRole('button', { name: 'Close all' }));
  await stands(client, venue, 0);
  await sure.getByRole('button', { name: 'Close', exact: true }).last().click();
  await expect(await rowsOf(trade, 'Position history')).toHaveCount(2);
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
  await expect.poll(async () => (await paid()).length).toBe(1);
  await expect(await rowsOf(trade, 'Funding')).toHaveCount(1);
  const said = (await trade.rows().first().getByRole('cell').nth(5).textContent()) ?? '';
  expect(Number(said.replace('−', '-'))).toBeCloseTo((await paid())[0] ?? 0, 2);
}

/** Page, toast, history and the list of notices say that the exchange ended the position. */
async function liquidationIsSaid({ venue, trade }: Sitting): Promise<void> {
  const { page, orders } = trade;
  const said = new RegExp(`^${venue.symbol} at .* was liquidated`);
  await expect(page.getByText(said)).toBeVisible({ timeout: 90_000 });
  await expect(await rowsOf(trade, 'Position history')).toHaveCount(1);
  await expect(trade.rows().first()).toContainText('liquidated');
  await rowsOf(trade, 'Positions');
  await expect(orders.getByText('Positions that you open appear here.')).toBeVisible();
  await page.getByRole('button', { name: /^Notices/ }).click();
  const list = page.getByRole('dialog', { name: 'Notices' });
  await expect(list.getByText(said)).toBeVisible();
  await expect(list).toContainText(`Funding of ${venue.symbol}`);
}

test.describe(() => {
  let installation: Installation;
  test.beforeAll(async () => {
    test.setTimeout(600_000);
    const environment = { ADDRESS_LIMIT_FACTOR: '1000', CAPTCHA_WORK_MAX: '500', PLATFORM_3: 'live' };
    installation = await startInstallation(environment);
  });
  test.afterAll(async () => {
    await installation?.stop();
  });

  for (const venue of VENUES) {
    test(`at ${venue.slug} a member opens, adds to, halves, reverses and closes; after each step the ledger has what the exchange has`, async ({
      browser,
    }) => {
      test.setTimeout(600_000);
      const client = await withMargin(installation, venue);
      const context = await logInContext(browser, installation.url, { email: '', password: '', client });
      const page = await context.newPage();
      const sitting = { venue, client, trade: new TradePage(page), complaints: complaintsOf(page) };
      await sitting.trade.openPath(installation.url, `/futures/${venue.slug}/${venue.symbol}`);
      await opensAndAdds(sitting);
      await halvesReversesAndCloses(sitting);
      expect(sitting.complaints.all).toEqual([]);
      await context.close();
    });

    test(`at ${venue.slug} funding, a killed hub and a liquidation reach page, histories and ledger`, async ({
      browser,
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
      expect(sitting.complaints.all).toEqual([]);

      // A start that takes long ends the page's own tries; then it asks.
      const again = page.getByRole('button', { name: 'Reconnect' });
      await page.addLocatorHandler(again, () => again.click());
      await installation.kill(['server']);
      await expect(trade.connection.getByRole('status')).not.toHaveText('Live');
      await installation.ready();
      await trade.live();
      await expect(await rowsOf(trade, 'Positions')).toContainText([`${sized(venue, 0.04)} BTC`]);
      await stands(client, venue, 0.04);

      await installation.simulate('shock', { ...market, market: 'perps', factor: 0.9 });
      await liquidationIsSaid(sitting);
      await stands(client, venue, 0);
      await context.close();
    });
  }
});

import { expect, type Page } from '@playwright/test';
import { complaintsOf, logInContext, test } from './fixtures.ts';
import type { HubClient } from './hub-client.ts';
import { type Installation, startInstallation } from './installation.ts';
import { TradePage } from './trade-page.ts';

/** What happens to a position without its owner: funding, a hub that dies, a liquidation. One row an exchange. */
const VENUES = [
  {
    ...{ venue: 'binance', platformType: '43', symbol: 'BTCUSDT', quantity: '0.04', size: '0.040 BTC' },
    /** Money for contracts lies in a pocket of its own. */
    pocket: true,
  },
] as const;
type Venue = (typeof VENUES)[number];

const MARGIN = '1000';

interface Money {
  readonly positions: readonly { readonly symbol: string; readonly realisedPnl: string }[];
  readonly margin: readonly { readonly wallet: string }[];
}

/** A member with an isolated long position at 20 times, and nothing else. */
async function holder(installation: Installation, venue: Venue): Promise<HubClient> {
  const { platformType, symbol, quantity } = venue;
  const { client } = await installation.member();
  await client.must('x/paper/TestFunds', { platformType, tradingAmount: MARGIN });
  const move = { platformType, direction: '3', asset: 'USDT', amount: MARGIN };
  if (venue.pocket) await client.must('connexfunding/UniversalTransfer', move);
  await expect.poll(async () => (await sides(client, venue)).equal).toBe(true);
  await client.must('x/trade/MarginMode', { platformType, symbol, marginMode: 'isolated' });
  await client.must('connextrade/PlaceOrder', {
    ...{ platformType, symbol, quantity, tinstType: '2', side: '1', orderType: '2', timeInForce: '1' },
    ...{ effect: '0', reduceOnly: 'false', marginMode: 'isolated', leverage: '20' },
  });
  return client;
}

/** Whether the ledger's money for contracts is the exchange's wallet to the unit, and what the exchange states. */
async function sides(client: HubClient, { platformType, pocket }: Venue) {
  const said = await client.must<Money>('connextrade/CurPositionList', { platformType });
  const rows = await client.must<readonly { readonly pocket?: string; readonly total: string }[]>(
    'connexfunding/tradingbalance',
    { platformType, asset: 'USDT' },
  );
  const booked = rows.find((row) => !pocket || row.pocket === 'futures')?.total;
  return { equal: booked !== undefined && booked === said.margin[0]?.wallet, positions: said.positions };
}

async function expectEqual(client: HubClient, venue: Venue, positions: number): Promise<void> {
  await expect
    .poll(async () => {
      const both = await sides(client, venue);
      return { equal: both.equal, positions: both.positions.length };
    })
    .toEqual({ equal: true, positions });
}

/** The rows under a tab of the panel below the chart. */
async function rowsOf(trade: TradePage, tab: string) {
  await trade.orders.getByRole('tab', { name: new RegExp(`^${tab}`) }).click();
  return trade.rows();
}

async function fundingIsShown(trade: TradePage, client: HubClient): Promise<void> {
  const paid = async () => {
    const { rows } = await client.must<{ readonly rows: readonly { readonly amount: string }[] }>(
      'x/trade/FundingHistory',
      {},
    );
    return rows.map(({ amount }) => amount);
  };
  await expect.poll(async () => (await paid()).length).toBe(1);
  await expect(await rowsOf(trade, 'Funding')).toHaveCount(1);
  const shown = Number((await paid())[0]);
  const cell = trade.rows().first().getByRole('cell').nth(5);
  const said = ((await cell.textContent()) ?? '').replace('−', '-');
  expect(Number(said)).toBeCloseTo(shown, 2);
}

/** The exchange ends the position after a fall of the price; page, toast and history say so. */
async function liquidationIsSaid(installation: Installation, trade: TradePage, venue: Venue): Promise<void> {
  const shock = { venue: venue.venue, market: 'perps', symbol: venue.symbol, factor: 0.9 };
  await installation.simulate('shock', shock);
  const page: Page = trade.page;
  await expect(page.getByText(new RegExp(`^${venue.symbol} at .* was liquidated`))).toBeVisible({
    timeout: 90_000,
  });
  await expect(await rowsOf(trade, 'Position history')).toHaveCount(1);
  await expect(trade.rows().first()).toContainText('liquidated');
  await rowsOf(trade, 'Positions');
  await expect(trade.orders.getByText('Positions that you open appear here.')).toBeVisible();
  await page.getByRole('button', { name: /^Notices/ }).click();
  const list = page.getByRole('dialog', { name: 'Notices' });
  await expect(list).toContainText('was liquidated');
  await expect(list).toContainText(`Funding of ${venue.symbol}`);
}

test.describe(() => {
  let installation: Installation;
  test.beforeAll(async () => {
    test.setTimeout(180_000);
    installation = await startInstallation({ ADDRESS_LIMIT_FACTOR: '1000', CAPTCHA_WORK_MAX: '500' });
  });
  test.afterAll(async () => {
    await installation?.stop();
  });

  for (const venue of VENUES) {
    test(`funding, a killed hub and a liquidation at ${venue.venue} reach page, histories and ledger`, async ({
      browser,
    }) => {
      test.setTimeout(240_000);
      const client = await holder(installation, venue);
      const context = await logInContext(browser, installation.url, { email: '', password: '', client });
      const page = await context.newPage();
      const complaints = complaintsOf(page);
      const trade = new TradePage(page);
      await trade.openPath(installation.url, `/futures/${venue.venue}/${venue.symbol}`);
      await expect(trade.rows()).toContainText([venue.size]);

      await installation.simulate('funding', { venue: venue.venue, symbol: venue.symbol });
      await fundingIsShown(trade, client);
      await expectEqual(client, venue, 1);
      expect(complaints.all).toEqual([]);

      await installation.kill(['server']);
      await expect(trade.connection.getByRole('status')).not.toHaveText('Live');
      await installation.ready();
      await trade.live();
      await rowsOf(trade, 'Positions');
      await expect(trade.rows()).toContainText([venue.size]);
      await expectEqual(client, venue, 1);

      await liquidationIsSaid(installation, trade, venue);
      await expectEqual(client, venue, 0);
      await context.close();
    });
  }
});

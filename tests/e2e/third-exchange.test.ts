import { expect } from '@playwright/test';
import { complaintsOf, heard, logInContext, test } from './fixtures.ts';
import { TradePage } from './trade-page.ts';

/** The third exchange once it is open. */

test.use({ thirdExchange: 'live' });

interface Fills {
  readonly rows: readonly {
    readonly quantity: string;
    readonly quoteQuantity: string;
    readonly fee: string;
  }[];
}

test('a member buys on Bybit once it is live: test funds that wait go there, the fee is 0, the balance and the history of all exchanges follow @full', async ({
  browser,
  installation,
}) => {
  test.setTimeout(600_000);
  const member = await installation.member();
  // All the test funds of a day: what the button puts on Bybit can only be what waits in the funding wallet.
  await member.client.must('x/paper/TestFunds');
  await member.client.must('x/paper/TestFunds');
  const context = await logInContext(browser, installation.url, member);
  const page = await context.newPage();
  const complaints = complaintsOf(page);
  await page.goto(`${installation.url}/wallet/WalletOverviewSub`);
  await expect(page.getByRole('cell', { name: '100,000.00' }).first()).toBeVisible();
  await page.getByRole('button', { name: 'Put 10,000 USDT on Bybit' }).click();
  await expect(page).toHaveURL(/\/spot\/bybit\/BTCUSDT/);
  const trade = new TradePage(page);
  await trade.live();
  await trade.type('Market');
  await trade.field('Spend').fill('1000');
  await expect(trade.ticket.getByText('Fee, taker 0 %')).toBeVisible();
  await trade.send('Buy');
  await heard(page, 'Order successfully');

  await expect.poll(async () => (await trade.assets()).get('BTC') ?? '0').toMatch(/^0\.0\d*[1-9]\d*$/);
  const booked = async () => {
    const { rows } = await member.client.must<Fills>('x/trade/Fills', { platformType: '42' });
    const sum = (field: 'quantity' | 'quoteQuantity') =>
      rows.reduce((total, row) => total + Number(row[field]), 0);
    expect(rows.every(({ fee }) => Number(fee) === 0)).toBe(true);
    return { bought: sum('quantity'), left: 10_000 - sum('quoteQuantity') };
  };
  // Nothing was kept back: what was filled is what is there, once all of it is told.
  await expect(async () => {
    const shown = await trade.assets();
    const { bought, left } = await booked();
    expect(Number(shown.get('BTC'))).toBeCloseTo(bought, 8);
    expect(Number(shown.get('USDT')?.replaceAll(',', ''))).toBeCloseTo(left, 6);
  }).toPass();

  await page.goto(`${installation.url}/history/spot_trading_details`);
  const row = page.getByRole('row').filter({ hasText: 'Bybit' }).first();
  await expect(row).toContainText('BTCUSDT');
  expect(complaints.all).toEqual([]);
  await context.close();
});

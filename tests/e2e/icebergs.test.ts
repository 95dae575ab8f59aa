import { expect } from '@playwright/test';
import { conditional, type Sitting, share, waiting } from './conditional-page.ts';
import { OKX, stands, withMargin } from './contract-venues.ts';
import { complaintsOf, logInContext, test } from './fixtures.ts';
import { TradePage } from './trade-page.ts';

/** An iceberg of a contract at OKX: sent from the ticket, executed part by part, and cancelled with what is left. */
test('an iceberg at OKX shows how much of it is done, and takes its resting part along when it is cancelled', async ({
  browser,
  installation,
}) => {
  test.setTimeout(300_000);
  const client = await withMargin(installation, OKX);
  const context = await logInContext(browser, installation.url, { email: '', password: '', client });
  const page = await context.newPage();
  const complaints = complaintsOf(page);
  const trade = new TradePage(page);
  await trade.openPath(installation.url, `/futures/okx/${OKX.symbol}`);
  const sitting: Sitting = { client, trade };
  const { ticket } = trade;

  await conditional(sitting, 'Iceberg', {
    ...{ Limit: await share(sitting, 1.02), Size: '0.01', 'Visible at a time': '0.00001' },
    'Behind the best price': '5',
  });
  const send = ticket.getByRole('button', { name: /^Buy \/ Long 0.0100 .* Iceberg/ });
  await send.click();
  await expect(ticket.getByText('The distance must be between 0.01 – 1 % (0.01 %).')).toBeVisible();
  await ticket.getByRole('textbox', { name: 'Behind the best price' }).fill('0.05');
  await expect(ticket.getByText('The size must be a multiple of 0.0001.')).toBeVisible();
  await ticket.getByRole('textbox', { name: 'Visible at a time' }).fill('0.002');
  await expect(
    ticket.getByText(/^Shows about 0.002 BTC at a time, 0.05 % behind the best bid, never above /),
  ).toBeVisible();
  await send.click();

  const rows = await waiting(sitting);
  await expect(rows).toHaveCount(1);
  await expect(rows.first()).toContainText('Iceberg, 0.0020 visible');
  await expect(rows.first()).toContainText('0.05 % behind');
  await expect(rows.first()).toContainText('at work · 0.0000 of 0.0100 done');
  // The part that rests is an order, which ends with the iceberg alone.
  await trade.tab('Open orders');
  await expect(trade.rows()).toHaveCount(1);
  await expect(trade.rows().first()).toContainText('Limit · Iceberg');
  await expect(trade.rows().getByRole('button', { name: /^(Cancel|Edit)/ })).toHaveCount(0);

  const iceberg = (await waiting(sitting)).first();
  const done = async (): Promise<number> =>
    Number(/(\d\.\d{4}) of 0\.0100/.exec((await iceberg.textContent()) ?? '')?.[1]);
  await expect
    .poll(async () => {
      await installation.simulate('shock', {
        ...{ venue: 'okx', symbol: OKX.symbol, market: 'perps', factor: 0.999 },
      });
      return done();
    })
    .toBeGreaterThan(0);
  await iceberg.getByRole('button', { name: /^Cancel/ }).click();
  await expect(iceberg).toContainText(/cancelled · 0.\d{4} of 0.0100 done/);
  await stands(client, OKX, await done());
  await trade.tab('Open orders');
  await expect(trade.rows()).toHaveCount(0);
  expect(complaints.all).toEqual([]);
  await context.close();
});

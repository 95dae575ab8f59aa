import { expect } from '@playwright/test';
import { conditional, type Sitting, share, waiting } from './conditional-page.ts';
import { OKX, stands, withMargin } from './contract-venues.ts';
import { complaintsOf, logInContext, standingStill, test } from './fixtures.ts';
import { TradePage } from './trade-page.ts';

/** An iceberg of a contract at OKX: sent from the ticket, executed part by part, and cancelled with what is left. */
test('an iceberg at OKX shows how much of it is done, and takes its resting part along when it is cancelled @full', async ({
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
  await ticket.getByRole('textbox', { name: 'Visible at a time' }).fill('0.001');
  await expect(
    ticket.getByText(/^Shows about 0.001 BTC at a time, 0.05 % behind the best bid, never above /),
  ).toBeVisible();
  await standingStill(installation, OKX.slug, async () => {
    await send.click();
    const rows = await waiting(sitting);
    await expect(rows).toHaveCount(1);
    await expect(rows.first()).toContainText('Iceberg, 0.0010 visible');
    await expect(rows.first()).toContainText('0.05 % behind');
    await expect(rows.first()).toContainText('at work · 0.0000 of 0.0100 done');
    // The part that rests is an order, which ends with the iceberg alone.
    await trade.tab('Open orders');
    await expect(trade.rows()).toHaveCount(1);
    await expect(trade.rows().first()).toContainText('Limit · Iceberg');
    await expect(trade.rows().getByRole('button', { name: /^(Cancel|Edit)/ })).toHaveCount(0);
  });

  const iceberg = (await waiting(sitting)).first();
  const done = async (): Promise<number> =>
    Number(/(\d\.\d{4}) of 0\.0100/.exec((await iceberg.textContent()) ?? '')?.[1]);
  // One fall after the other, each with the time to fill a part and no more: it has to be cancelled before its end.
  const falls = async (): Promise<number> => {
    await installation.simulate('shock', {
      ...{ venue: 'okx', symbol: OKX.symbol, market: 'perps', factor: 0.999 },
    });
    return done();
  };
  await expect.poll(falls, { intervals: [100, 2_000] }).toBeGreaterThan(0);
  await standingStill(installation, OKX.slug, async () => {
    await iceberg.getByRole('button', { name: /^Cancel/ }).click();
    await expect(iceberg).toContainText(/cancelled · 0.\d{4} of 0.0100 done/);
  });
  await stands(client, OKX, await done());
  await trade.tab('Open orders');
  await expect(trade.rows()).toHaveCount(0);
  expect(complaints.all).toEqual([]);
  await context.close();
});

/** The same of a pair: its money is set aside once, whatever its parts do, and what is left is free with its end. */
test('an iceberg of a pair at OKX sets its money aside once, and frees what is left when it is cancelled @full', async ({
  browser,
  installation,
}) => {
  test.setTimeout(300_000);
  const { client } = await installation.member();
  const { platformType } = OKX;
  await client.must('x/paper/TestFunds', { platformType, tradingAmount: '10000' });
  const context = await logInContext(browser, installation.url, { email: '', password: '', client });
  const page = await context.newPage();
  const complaints = complaintsOf(page);
  const trade = new TradePage(page);
  await trade.openPath(installation.url, '/spot/okx/BTC-USDT');
  const sitting: Sitting = { client, trade };
  const wallet = async (asset: string) => {
    const rows = await client.must<readonly { asset: string; total: string; locked: string }[]>(
      'connexfunding/tradingbalance',
      { platformType, asset },
    );
    const row = rows.find((one) => one.asset === asset);
    return { total: Number(row?.total ?? 0), locked: Number(row?.locked ?? 0) };
  };

  const limit = await share(sitting, 1.02);
  await conditional(sitting, 'Iceberg', {
    ...{ Limit: limit, Quantity: '0.04', 'Visible at a time': '0.004' },
    'Behind the best price': '0.05',
  });
  await expect(trade.ticket.getByText(/^Reserved at its limit now/)).toBeVisible();
  const rows = await waiting(sitting);
  await standingStill(installation, OKX.slug, async () => {
    await trade.ticket.getByRole('button', { name: /^Buy .*BTC · Iceberg/ }).click();
    await expect(rows.first()).toContainText(/at work · 0\.0+ of 0\.040* done/);
    await expect.poll(async () => (await wallet('USDT')).locked).toBeCloseTo(Number(limit) * 0.04, 6);
  });

  const iceberg = rows.first();
  const done = async (): Promise<number> =>
    Number(/(\d\.\d+) of /.exec((await iceberg.textContent()) ?? '')?.[1]);
  await expect
    .poll(
      async () => {
        await installation.simulate('shock', {
          venue: 'okx',
          symbol: 'BTC-USDT',
          market: 'spot',
          factor: 0.999,
        });
        return done();
      },
      { intervals: [100, 2_000] },
    )
    .toBeGreaterThan(0);
  await standingStill(installation, OKX.slug, async () => {
    await trade.tab('Open orders');
    await expect(trade.rows().first()).toContainText('Limit · Iceberg');
    await waiting(sitting);
    await iceberg.getByRole('button', { name: /^Cancel/ }).click();
    await expect(iceberg).toContainText('cancelled');
  });
  await expect.poll(async () => (await wallet('USDT')).locked).toBe(0);
  const bought = await done();
  // A thousandth of it at most is the fee.
  await expect.poll(async () => (await wallet('BTC')).total).toBeGreaterThan(bought * 0.998);
  expect((await wallet('BTC')).total).toBeLessThanOrEqual(bought);
  await trade.tab('Open orders');
  await expect(trade.rows()).toHaveCount(0);
  expect(complaints.all).toEqual([]);
  await context.close();
});

import { expect, type Locator, type Page } from '@playwright/test';
import { complaintsOf, test } from './fixtures.ts';
import type { HubClient } from './hub-client.ts';
import { TradePage } from './trade-page.ts';

/** Contracts at Binance, traded as a member trades them: every step leaves the ledger with what the exchange has. */

interface Standing {
  readonly positions: readonly { readonly quantity: string }[];
  readonly margin: readonly { readonly wallet: string }[];
}

/** The position as the exchange states it, and whether the ledger's futures pocket is its wallet to the unit. */
async function standing(client: HubClient): Promise<{ readonly quantity: string; readonly equal: boolean }> {
  const platformType = '43';
  const said = await client.must<Standing>('connextrade/CurPositionList', { platformType });
  const rows = await client.must<readonly { readonly pocket?: string; readonly total: string }[]>(
    'connexfunding/tradingbalance',
    { platformType, asset: 'USDT' },
  );
  const booked = rows.find(({ pocket }) => pocket === 'futures')?.total;
  return {
    quantity: said.positions[0]?.quantity ?? '0',
    equal: booked !== undefined && booked === said.margin[0]?.wallet,
  };
}

/** Waits until the exchange states this quantity and both sides have the same money. */
async function stands(client: HubClient, quantity: string): Promise<void> {
  await expect.poll(() => standing(client)).toEqual({ quantity, equal: true });
}

/** Holds a button until what it asks is done. */
async function hold(page: Page, button: Locator): Promise<void> {
  await button.hover();
  await page.mouse.down();
  await expect(button).toHaveCount(0);
  await page.mouse.up();
}

test('a member opens, adds to, halves, reverses and closes a position; after each step the ledger has what Binance has', async ({
  installation,
  memberPage,
}) => {
  const { client } = await installation.member('10000');
  const page = await memberPage({ email: '', password: '', client });
  const complaints = complaintsOf(page);
  const trade = new TradePage(page);
  const { ticket, orders } = trade;
  await trade.openPath(installation.url, '/futures/binance/BTCUSDT');
  await ticket.getByRole('button', { name: 'Transfer 1,000.00 from spot' }).click();
  await expect(ticket.getByText('1,000.00 USDT')).toBeVisible();
  await stands(client, '0');

  const size = ticket.getByRole('textbox', { name: 'Size', exact: true });
  await trade.type('Market');
  await size.fill('0.04');
  await ticket.getByRole('button', { name: /^Buy \/ Long 0\.040 BTC/ }).click();
  await stands(client, '0.04');
  await expect(trade.rows()).toContainText(['0.040 BTC']);

  // A limit above the market takes at once, whatever the walk does meanwhile.
  await trade.type('Limit');
  await trade.field('Price').fill(await trade.priceAwayFromBid(0.01));
  await size.fill('0.02');
  await ticket.getByRole('button', { name: /^Buy \/ Long 0\.020 BTC/ }).click();
  await stands(client, '0.06');

  await orders.getByRole('button', { name: 'Close BTCUSDT', exact: true }).click();
  const close = page.getByRole('dialog', { name: /BTCUSDT/ });
  await close.getByRole('button', { name: '50%' }).click();
  await close.getByRole('button', { name: /^Close 0\.030 BTC/ }).click();
  await stands(client, '0.03');

  await orders.getByRole('button', { name: 'Reverse BTCUSDT', exact: true }).click();
  const sure = page.getByRole('alertdialog');
  await hold(page, sure.getByRole('button', { name: 'Reverse', exact: true }));
  await stands(client, '-0.03');
  await expect(trade.rows()).toContainText(['0.030 BTC']);

  await orders.getByRole('button', { name: 'Close all' }).click();
  await hold(page, sure.getByRole('button', { name: 'Close all' }));
  await stands(client, '0');
  await sure.getByRole('button', { name: 'Close', exact: true }).last().click();
  await orders.getByRole('tab', { name: 'Position history' }).click();
  await expect(trade.rows()).toHaveCount(2);
  expect(complaints.all).toEqual([]);
});

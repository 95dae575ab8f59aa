import { expect, type Page } from '@playwright/test';
import { BINANCE, withMargin } from './contract-venues.ts';
import { test } from './fixtures.ts';
import type { HubClient } from './hub-client.ts';
import type { Installation } from './installation.ts';
import { TradePage } from './trade-page.ts';

/** The moment before a market's prices are known: what is pressed then has an outcome that lasts, and no order goes out. */

/** Keeps books and figures of markets from a page. */
async function withholding(page: Page): Promise<{ hold: () => void; letGo: () => void }> {
  let held = true;
  const kept: (() => void)[] = [];
  await page.routeWebSocket(/\/live\/1$/, (socket) => {
    const hub = socket.connectToServer();
    hub.onMessage((frame) => {
      if (held && /"ch":"(?:book|ticker)"/.test(String(frame))) kept.push(() => socket.send(frame));
      else socket.send(frame);
    });
  });
  return {
    hold: () => {
      held = true;
    },
    letGo: () => {
      held = false;
      for (const send of kept.splice(0)) send();
    },
  };
}

const MARKETS: readonly (readonly [
  string,
  (installation: Installation) => Promise<HubClient>,
  { readonly path: string; readonly other: string; readonly size: string; readonly tinstType: string },
])[] = [
  [
    'a pair',
    async (installation) => (await installation.member('10000')).client,
    { path: '/spot/binance/BTCUSDT', other: 'ETHUSDT', size: 'Quantity', tinstType: '1' },
  ],
  [
    'a contract',
    (installation) => withMargin(installation, BINANCE),
    { path: '/futures/binance/BTCUSDT', other: 'ETHUSDT', size: 'Size', tinstType: '2' },
  ],
];

for (const [name, member, { path, other, size, tinstType }] of MARKETS) {
  test(`before the prices of ${name} are here no ticket sends, and says so for as long; the first of them is filled in once`, async ({
    installation,
    memberPage,
  }) => {
    const client = await member(installation);
    const page = await memberPage({ email: '', password: '', client });
    const { hold, letGo } = await withholding(page);
    const sent: string[] = [];
    page.on('request', (request) => {
      if (/\/api\/.*Place/.test(request.url())) sent.push(request.url());
    });
    const trade = new TradePage(page);
    await page.goto(`${installation.url}${path}`);
    const { ticket } = trade;
    const send = ticket.locator('[data-sends]');
    const kinds = ticket.getByRole('group', { name: 'Order type' });
    const price = trade.field('Price');
    const field = (label: string) => ticket.getByRole('textbox', { name: label, exact: true });

    for (const kind of ['Market', 'Conditional', 'Scaled', 'Limit']) {
      await kinds.getByRole('button', { name: kind, exact: true }).click();
      await field(kind === 'Market' && tinstType === '1' ? 'Spend' : size).fill('12');
      await expect(send, kind).toHaveAccessibleDescription(/Waiting for the prices of BTCUSDT from Binance/);
      await expect(send, kind).toBeDisabled();
      await send.focus();
      await expect(send, kind).toBeFocused();
      await page.keyboard.press('Enter');
      await send.click({ force: true });
      await expect(ticket.getByText(/^Waiting for the prices of BTCUSDT/), kind).toBeVisible();
    }
    expect(sent).toEqual([]);

    // What was entered meanwhile stays, and the own side's best comes to it.
    await field(size).fill('0.002');
    letGo();
    await trade.live();
    await expect(price).not.toHaveValue('');
    await expect(ticket.getByText(/^Waiting for the prices/)).toHaveCount(0);
    const bid = Number(await trade.best('Bid'));
    expect(Math.abs(Number((await price.inputValue()).replaceAll(',', '')) / bid - 1)).toBeLessThan(0.01);
    await price.fill(await trade.priceAwayFromBid(-0.02));
    await send.click();
    const open = () =>
      client.must<readonly unknown[]>('connextrade/CurOrderList', { platformType: '43', tinstType });
    await expect.poll(async () => (await open()).length).toBe(1);
    expect(sent).toHaveLength(1);

    // Emptied, it stays so, whatever was looked at meanwhile.
    await price.fill('');
    for (const kind of ['Market', 'Conditional', 'Limit']) {
      await kinds.getByRole('button', { name: kind, exact: true }).click();
    }
    await field(size).fill('0.003');
    await send.click();
    await expect(price).toBeFocused();
    await expect(price).toHaveValue('');

    // Another market begins anew: nothing of the former one is taken for its prices.
    hold();
    await page.keyboard.press('Escape');
    await page.keyboard.press('/');
    const search = page.getByRole('dialog').getByRole('textbox');
    await search.fill(other);
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(new RegExp(`/${other}$`));
    await expect(send).toHaveAccessibleDescription(
      new RegExp(`Waiting for the prices of ${other} from Binance`),
    );
    await expect(price).toHaveValue('');
    letGo();
    await trade.live();
    await expect(price).not.toHaveValue('');
    const own = Number(await trade.best('Bid'));
    expect(Math.abs(Number((await price.inputValue()).replaceAll(',', '')) / own - 1)).toBeLessThan(0.01);
    expect(sent).toHaveLength(1);
  });
}

import { expect, type Page } from '@playwright/test';
import { BINANCE, withMargin } from './contract-venues.ts';
import { heardFrom, logInContext, test } from './fixtures.ts';
import type { Member } from './installation.ts';
import { TradePage } from './trade-page.ts';

/** The live connection of spec section 4, as a member sees it. */

/** A dialog that says the connection is lost. */
function anomaly(page: Page) {
  return page.getByRole('alertdialog', { name: 'Network anomaly' });
}

/** Lays a resting order behind the page's back: only the member's own stream can tell the page. */
async function restingOrder(member: Member, price: string): Promise<void> {
  await member.client.must('connextrade/PlaceOrder', {
    ...{ platformType: '43', tinstType: '1', symbol: 'BTCUSDT', side: '1', orderType: '1' },
    ...{ timeInForce: '1', price, quantity: '0.001' },
  });
}

test('a connection that drops comes back by itself: dimmed meanwhile, then live with every subscription and the login', async ({
  installation,
  memberPage,
}) => {
  const member = await installation.member('10000');
  const page = await memberPage(member);
  const drops: (() => Promise<void>)[] = [];
  await page.routeWebSocket(/\/live\/1$/, (socket) => {
    socket.connectToServer();
    drops.push(() => socket.close());
  });
  const trade = new TradePage(page);
  await trade.open(installation.url);
  const price = await trade.priceAwayFromBid(-0.03);

  const [connection, book] = [await heardFrom(trade.connection), await heardFrom(trade.book)];
  await drops[0]?.();
  await expect.poll(connection).toContain('Reconnecting');
  await expect.poll(book).toContain('not connected');
  await trade.live();
  expect(drops.length).toBeGreaterThan(1);
  await expect(trade.book.getByText('not connected')).toHaveCount(0);
  await expect(anomaly(page)).toHaveCount(0);
  const rows = await trade.bookRows();
  await expect.poll(() => trade.bookRows()).not.toEqual(rows);
  await restingOrder(member, price);
  await expect(trade.rows()).toHaveCount(1);
});

test('the third failed retry brings the dialog; Reconnect brings market, login and orders back without a reload @full', async ({
  browser,
  installation,
}) => {
  test.setTimeout(600_000);
  const member = await installation.member('10000');
  const context = await logInContext(browser, installation.url, member);
  const page = await context.newPage();
  const trade = new TradePage(page);
  await trade.open(installation.url);
  const price = await trade.priceAwayFromBid(-0.03);
  await trade.type('Market');
  const buy = trade.sendButton('Buy');
  await expect(buy).toBeEnabled();
  // What says that the server is gone was fetched while it was there.
  await page.waitForLoadState('networkidle');
  const tries: string[] = [];
  page.on('websocket', (socket) => tries.push(socket.url()));

  // The supervisor is made to stand still, or it would start the server again before the third try.
  installation.signal('supervisor', 'SIGSTOP');
  await installation.kill(['server']);
  await expect(trade.connection.getByRole('status')).toHaveText('Reconnecting');
  await expect(trade.book.getByText('not connected')).toBeVisible();
  // Nothing of the input is wrong, so the button says what it waits for.
  await expect(buy).toBeDisabled();
  await expect(buy).toHaveAccessibleDescription(/market orders wait for fresh data/);
  await expect(anomaly(page)).toContainText('Service interrupted, please try to reconnect.');
  await expect(anomaly(page).getByRole('button', { name: 'Refresh' })).toBeVisible();
  // Each exchange has its own socket; the dialog comes with the first whose third try fails.
  const ofEach = Map.groupBy(tries, (url) => new URL(url).pathname);
  expect(Math.max(...[...ofEach.values()].map((same) => same.length))).toBe(3);
  await expect(trade.connection.getByRole('status')).toHaveText('Disconnected');

  installation.signal('supervisor', 'SIGCONT');
  await installation.ready();
  await anomaly(page).getByRole('button', { name: 'Reconnect' }).click();
  await trade.live();
  await expect(anomaly(page)).toHaveCount(0);
  await expect(buy).toBeEnabled();
  const rows = await trade.bookRows();
  await expect.poll(() => trade.bookRows()).not.toEqual(rows);
  await restingOrder(member, price);
  await expect(trade.rows()).toHaveCount(1);
  await context.close();
});

test('who comes back to the page after more than 5 minutes is asked to refresh it @full', async ({
  installation,
  page,
}) => {
  const trade = new TradePage(page);
  await trade.open(installation.url);
  const comeBackAfter = (minutes: number) =>
    page.evaluate((away) => {
      const turn = (state: string): void => {
        Object.defineProperty(document, 'visibilityState', { value: state, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
      };
      const real = Date.now;
      turn('hidden');
      Date.now = () => real() + away * 60_000;
      turn('visible');
      Date.now = real;
    }, minutes);
  const prompt = page.getByRole('alertdialog', { name: 'Service disconnected, please reconnect.' });
  await comeBackAfter(4);
  await comeBackAfter(6);
  await prompt.getByRole('button', { name: 'Refresh' }).click();
  await trade.live();
  await expect(prompt).toHaveCount(0);
});

test('a position steps back when nothing comes any more, and says how old it is @full', async ({
  installation,
  memberPage,
}) => {
  const client = await withMargin(installation, BINANCE);
  await client.must('connextrade/PlaceOrder', {
    ...{ platformType: '43', tinstType: '2', symbol: 'BTCUSDT', side: '1', orderType: '2', timeInForce: '1' },
    ...{ quantity: '0.05', effect: '0', marginMode: 'cross', leverage: '20' },
  });
  const page = await memberPage({ email: '', password: '', client });
  let silent = false;
  await page.routeWebSocket(/\/live\/1$/, (socket) => {
    const hub = socket.connectToServer();
    hub.onMessage((frame) => {
      if (!silent) socket.send(frame);
    });
  });
  const trade = new TradePage(page);
  await trade.openPath(installation.url, '/futures/binance/BTCUSDT');
  const rows = page.getByRole('region', { name: 'Orders and balances' }).getByRole('tabpanel');
  await expect(rows.getByText('BTCUSDT')).toBeVisible();
  const old = rows.getByTitle(/^\d+ s old$/);
  await expect(old).toHaveCount(0);
  silent = true;
  await expect(old.first()).toBeVisible();
});

test('an exchange that is away: its rows say as of when, orders there work on, opening waits; and all of it is over with it @full', async ({
  installation,
  memberPage,
}) => {
  test.setTimeout(600_000);
  const client = await withMargin(installation, BINANCE);
  const contract = { platformType: '43', tinstType: '2', symbol: 'BTCUSDT' };
  await client.must('connextrade/PlaceOrder', {
    ...{ ...contract, side: '1', orderType: '2', timeInForce: '1', quantity: '0.05', effect: '0' },
    ...{ marginMode: 'cross', leverage: '20' },
  });
  const page = await memberPage({ email: '', password: '', client });
  const trade = new TradePage(page);
  await trade.openPath(installation.url, '/futures/binance/BTCUSDT');
  const triggerPrice = await trade.priceAwayFromBid(-0.2);
  await client.must('connextrade/PlaceAlgoOrder', {
    ...{ ...contract, side: '2', algoType: 'stop', quantity: '0.05', effect: '0', reduceOnly: 'true' },
    ...{ triggerPrice, triggerBy: 'last', clientId: crypto.randomUUID() },
  });
  const tab = (name: RegExp) => trade.orders.getByRole('tab', { name });
  await tab(/^Conditional/).click();
  const row = trade.rows().first();
  await expect(row).toContainText('waiting');
  const send = trade.ticket.getByRole('button', { name: /^Buy \/ Long/ }).last();
  installation.signal('simulator', 'SIGSTOP');
  try {
    await expect(row).toContainText('at the exchange, still working', { timeout: 150_000 });
    await expect(send).toHaveAccessibleDescription(/Binance has not answered since \d\d:\d\d:\d\d UTC/);
    await tab(/^Positions/).click();
    await expect(trade.orders.getByText(/^as of /)).toBeVisible();
    // Closing is tried all the same, with that beside it.
    await trade.orders.getByRole('button', { name: 'Close BTCUSDT long', exact: true }).click();
    const close = page.getByRole('dialog', { name: 'Close BTCUSDT' });
    await expect(close.getByText(/Binance has not answered since .*close are tried/)).toBeVisible();
    await expect(close.getByRole('button', { name: /^Close all of it/ })).toBeEnabled();
    await page.keyboard.press('Escape');
  } finally {
    installation.signal('simulator', 'SIGCONT');
  }
  await trade.live();
  await expect(trade.orders.getByText(/^as of /)).toHaveCount(0);
  await tab(/^Conditional/).click();
  await expect(row).toContainText('waiting');
  await expect(send).not.toHaveAccessibleDescription(/has not answered/);
});

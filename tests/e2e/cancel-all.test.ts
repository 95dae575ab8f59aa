import { expect, type Locator } from '@playwright/test';
import { complaintsOf, test } from './fixtures.ts';
import type { HubClient } from './hub-client.ts';
import { until } from './installation.ts';
import { TradePage } from './trade-page.ts';

/** Everything that is open is cancelled by scope and by kind, from the screen. */

const WAIT_MILLIS_MAX = 60_000;

/** What is open of a member: exchange, symbol, and whether it rests or waits. */
async function open(client: HubClient): Promise<readonly string[]> {
  const said = await Promise.all(
    ['43', '41'].flatMap((platformType) =>
      [
        ['rests', 'connextrade/CurOrderList'] as const,
        ['waits', 'connextrade/CurAlgoOrderList'] as const,
      ].map(async ([what, name]) => {
        const rows = await client.must<readonly { readonly exchange: number; readonly symbol: string }[]>(
          name,
          { platformType },
        );
        return rows.map(({ exchange, symbol }) => `${what} ${exchange} ${symbol}`);
      }),
    ),
  );
  return said.flat().sort();
}

/** A tenth below the price, on a whole dollar. */
async function tenthBelow({ url }: HubClient, symbol: string): Promise<string> {
  const answer = await fetch(`${url}/md/binance/api/v3/ticker/price?symbol=${symbol}`);
  const { price } = (await answer.json()) as { readonly price: string };
  return String(Math.round(Number(price) * 0.9));
}

/** Bids far below the market at two exchanges, and a stop far above it at one. */
async function openSome(client: HubClient): Promise<void> {
  const move = { platformType: '41', direction: '1', asset: 'USDT', amount: '1000' };
  await client.must('connexfunding/UniversalTransfer', move);
  await until(
    'the money to be at OKX',
    async () => {
      const rows = await client.must<readonly { readonly available: string }[]>(
        'connexfunding/tradingbalance',
        { platformType: '41', asset: 'USDT' },
      );
      return rows.some(({ available }) => available === '1000');
    },
    WAIT_MILLIS_MAX,
  );
  const btc = await tenthBelow(client, 'BTCUSDT');
  const eth = await tenthBelow(client, 'ETHUSDT');
  const bid = { tinstType: '1', side: '1', orderType: '1', timeInForce: '1' };
  for (const [platformType, symbol, price, quantity] of [
    ['43', 'BTCUSDT', btc, '0.001'],
    ['43', 'ETHUSDT', eth, '0.02'],
    ['41', 'BTC-USDT', btc, '0.001'],
  ] as const)
    await client.must('connextrade/PlaceOrder', { ...bid, platformType, symbol, price, quantity });
  await client.must('connextrade/PlaceAlgoOrder', {
    ...{ platformType: '43', tinstType: '1', symbol: 'BTCUSDT', side: '1', algoType: 'stop' },
    ...{ quantity: '0.001', triggerPrice: String(Number(btc) * 2) },
  });
  await until('all to be open', async () => (await open(client)).length === 4, WAIT_MILLIS_MAX);
}

/** The question, with what is chosen in it; each row is a kind and whether it is ticked. */
async function asked(
  { page, orders }: TradePage,
  scope: string,
  kinds: Readonly<Record<string, boolean>>,
): Promise<Locator> {
  await orders.getByRole('button', { name: 'Cancel all', exact: true }).click();
  const dialog = page.getByRole('alertdialog');
  await dialog.getByRole('button', { name: scope, exact: true }).click();
  for (const [kind, wanted] of Object.entries(kinds))
    await dialog.getByRole('checkbox', { name: kind, exact: true }).setChecked(wanted);
  return dialog;
}

/** Confirms, reads what is said of each exchange, and closes. */
async function confirmed(dialog: Locator, said: readonly string[]): Promise<void> {
  await dialog.getByRole('button', { name: 'Cancel all', exact: true }).click();
  for (const line of said) await expect(dialog.getByRole('status')).toContainText(line);
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
}

test('cancel all asks which, ends what its scope and kinds name and nothing else, and says what became of it @full', async ({
  installation,
  memberPage,
}) => {
  const member = await installation.member('5000');
  const { client } = member;
  await openSome(client);
  const page = await memberPage(member);
  const complaints = complaintsOf(page);
  const trade = new TradePage(page);
  await trade.open(installation.url);
  await trade.tab('Open orders');
  await expect(trade.rows()).toHaveCount(1);

  // Going back cancels nothing; what each scope reaches is counted before.
  const first = await asked(trade, 'All exchanges', {});
  await expect(first.getByRole('checkbox', { name: 'Limit orders (3)' })).toBeChecked();
  await expect(first.getByRole('checkbox', { name: 'Conditional orders (1)' })).not.toBeChecked();
  await expect(first.getByRole('heading')).toHaveText('Cancel 3 orders?');
  await first.getByRole('button', { name: 'Back', exact: true }).click();
  expect(await open(client)).toHaveLength(4);

  await confirmed(await asked(trade, 'BTCUSDT', { 'Limit orders (1)': true }), ['Binance: 1 cancelled']);
  await expect
    .poll(() => open(client))
    .toEqual([...['rests 1 ETHUSDT', 'rests 2 BTC-USDT', 'waits 1 BTCUSDT']]);

  // Of one exchange, and only what waits.
  await trade.orders.getByRole('tab', { name: /^Conditional/ }).click();
  const waiting = await asked(trade, 'Binance', { 'Conditional orders (1)': true });
  await confirmed(waiting, ['Binance: 1 cancelled']);
  await expect.poll(() => open(client)).toEqual(['rests 1 ETHUSDT', 'rests 2 BTC-USDT']);

  // What is left, everywhere: each exchange says its own.
  await trade.tab('Open orders');
  await trade.orders.getByRole('checkbox', { name: 'This symbol only' }).uncheck();
  const rest = await asked(trade, 'All exchanges', { 'Limit orders (2)': true });
  await confirmed(rest, ['Binance: 1 cancelled', 'OKX: 1 cancelled']);
  await expect.poll(() => open(client)).toEqual([]);
  await expect(trade.rows()).toHaveCount(0);
  expect(complaints.all).toEqual([]);
});

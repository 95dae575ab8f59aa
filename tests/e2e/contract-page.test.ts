import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { addMargin, BINANCE, OKX, sized, stands, type Venue, withMargin } from './contract-venues.ts';
import { complaintsOf, heard, test } from './fixtures.ts';
import type { HubClient } from './hub-client.ts';
import { TradePage } from './trade-page.ts';

/** What the page of a contract says, offers and lists, clicked as a member does. */

const { platformType, symbol } = BINANCE;
const member = (client: HubClient) => ({ email: '', password: '', client });

/** What every order of these flows has. */
const SEEN = {
  ...{ platformType, effect: '0', reduceOnly: 'false', timeInForce: '1', tinstType: '2' },
  ...{ marginMode: 'cross', leverage: '20' },
} as const;

/** USDT without what a sum of floating numbers adds to it. */
const cents = (usdt: number) => Number(usdt.toFixed(2));

/** Where margin that is missing lies, and what each pocket holds once so much of it was brought. */
const LACKS = [
  {
    ...{ venue: BINANCE, from: 'spot' },
    holds: (brought: number) => ({ spot: cents(1_000 - brought), futures: cents(1_000 + brought) }),
  },
  { ...{ venue: OKX, from: 'funding' }, holds: (brought: number) => ({ '': cents(1_000 + brought) }) },
] as const;
for (const { venue, from, holds } of LACKS)
  test(`margin that is missing at ${venue.slug} comes from ${from} in one click, and the order goes out @full`, async ({
    installation,
    memberPage,
  }) => {
    const { platformType, symbol, slug } = venue;
    const client = await withMargin(installation, venue);
    if (from === 'spot') await client.must('x/paper/TestFunds', { platformType, tradingAmount: '1000' });
    const page = await memberPage(member(client));
    const complaints = complaintsOf(page);
    const trade = new TradePage(page);
    await trade.openPath(installation.url, `/futures/${slug}/${symbol}`);
    const { ticket } = trade;
    await trade.type('Limit');
    await trade.field('Price').fill(await trade.priceAwayFromBid(-0.03));
    const coins = sized(venue, Math.floor((28_000 / Number(await trade.best('Bid'))) * 1_000) / 1_000);
    await ticket.getByRole('textbox', { name: 'Size', exact: true }).fill(coins);
    const send = ticket.getByRole('button', { name: `Buy / Long ${coins} BTC` });
    await send.click();
    const missing = ticket.getByRole('button', { name: new RegExp(`^Transfer [\\d,.]+ from ${from}$`) });
    const [, amount = ''] = /^Transfer ([\d,.]+)/.exec((await missing.textContent()) ?? '') ?? [];
    const brought = Number(amount.replaceAll(',', ''));
    expect(brought).toBeGreaterThan(100);
    expect(await trade.orders.getByRole('tab', { name: 'Open orders' }).textContent()).not.toContain('1');
    await missing.click();
    const held = async () => {
      const rows = await client.must<readonly { readonly pocket?: string; readonly total: string }[]>(
        'connexfunding/tradingbalance',
        { platformType, asset: 'USDT' },
      );
      return Object.fromEntries(rows.map(({ pocket = '', total }) => [pocket, Number(total)]));
    };
    await expect.poll(held).toEqual(holds(brought));
    await expect(missing).toHaveCount(0);
    await send.click();
    await heard(page, 'Order successfully');
    await trade.tab('Open orders');
    await expect(trade.rows()).toHaveText([new RegExp(`${symbol}.*${coins.replace('.', '\\.')}`)]);
    expect(complaints.all).toEqual([]);
  });

type Line = Readonly<Record<string, string>>;

/** Presses CSV: the lines of the file, by the names of its head. */
async function exported({ page, orders }: TradePage): Promise<readonly Line[]> {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    orders.getByRole('button', { name: 'Export CSV' }).click(),
  ]);
  const text = (await readFile(await file.path(), 'utf8')).replace('\uFEFF', '');
  const [head = [], ...lines] = text
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(','));
  return lines.map((cells) => Object.fromEntries(head.map((name, at) => [name, cells[at] ?? ''])));
}

const VENUES: Line = { binance: 'Binance', okx: 'OKX' };
/** A whole price, as the lists write it. */
const priced = (price = '') => Number(price).toLocaleString('en');
/** A moment, as they do. */
const timed = (time = '') => `${time.slice(5, 10)} ${time.slice(11, 19)}`;

/** Each line of the file is one row on screen, and no row is left over. */
async function exportsItsRows(
  trade: TradePage,
  rows: number,
  wordsOf: (line: Line) => readonly string[],
): Promise<void> {
  await expect(trade.rows()).toHaveCount(rows);
  const lines = await exported(trade);
  const shown = (await trade.rows().allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '));
  expect(lines).toHaveLength(rows);
  for (const line of lines) {
    const words = [line.symbol ?? '', VENUES[line.exchange ?? ''] ?? '', ...wordsOf(line)];
    expect(
      shown.filter((text) => words.every((word) => text.includes(word))),
      words.join(' '),
    ).not.toEqual([]);
  }
}

/** A list of this symbol or of all: what is shown is what is exported, and the choice is kept over a reload. */
async function keepsFilter(
  page: Page,
  trade: TradePage,
  list: { readonly tab: string; readonly here: number; readonly all: number },
  wordsOf: (line: Line) => readonly string[],
): Promise<void> {
  const onlyThis = trade.orders.getByRole('checkbox', { name: 'This symbol only' });
  const tab = trade.orders.getByRole('tab', { name: new RegExp(`^${list.tab}`) });
  await tab.click();
  for (const [checked, rows] of [
    [true, list.here],
    [false, list.all],
  ] as const) {
    await onlyThis.setChecked(checked);
    await exportsItsRows(trade, rows, wordsOf);
    await page.reload();
    await trade.live();
    await expect(tab).toHaveAttribute('aria-selected', 'true');
    await expect(onlyThis).toBeChecked({ checked });
    await exportsItsRows(trade, rows, wordsOf);
  }
}

/** A position, an order far below and a stop at each exchange, and another position at the first. */
async function trades(client: HubClient, far: string, trigger: string): Promise<void> {
  const at = (venue: Venue, coins: number) => ({
    ...{ ...SEEN, platformType: venue.platformType, symbol: venue.symbol },
    quantity: String(Number((coins / venue.contract).toFixed(6))),
  });
  for (const venue of [BINANCE, OKX]) {
    await client.must('connextrade/PlaceOrder', { ...at(venue, 0.02), side: '1', orderType: '2' });
    await stands(client, venue, 0.02);
    await client.must('connextrade/PlaceOrder', {
      ...at(venue, 0.01),
      side: '1',
      orderType: '1',
      price: far,
    });
    const { quantity: _, ...whole } = at(venue, 0.02);
    await client.must('connextrade/PlaceAlgoOrder', {
      ...{ ...whole, side: '2', algoType: 'stop', triggerPrice: trigger },
      ...{ whole: 'true', reduceOnly: 'true' },
    });
  }
  const other = { ...SEEN, symbol: 'ETHUSDT', side: '2', orderType: '2', quantity: '0.1' };
  await client.must('connextrade/PlaceOrder', other);
}

/** Fills of contracts at an exchange: a market order may have several. */
async function fillsAt(client: HubClient, { platformType: of }: Venue): Promise<readonly Line[]> {
  const asked = { platformType: of, tinstType: '2', limit: '200' };
  return (await client.must<{ readonly rows: readonly Line[] }>('x/trade/Fills', asked)).rows;
}

test('each list of a trade page is saved as it is shown, of this symbol or all; away from the screen orders have their distance too @full', async ({
  installation,
  memberPage,
}) => {
  test.setTimeout(300_000);
  const client = await withMargin(installation, BINANCE);
  await addMargin(client, OKX);
  await client.must('x/paper/TestFunds', { platformType, tradingAmount: '1000' });
  const page = await memberPage(member(client));
  const complaints = complaintsOf(page);
  const trade = new TradePage(page);
  await trade.openPath(installation.url, `/futures/binance/${symbol}`);
  const far = await trade.priceAwayFromBid(-0.03);
  const trigger = await trade.priceAwayFromBid(-0.04);
  await trades(client, far, trigger);

  const positions = { tab: 'Positions', here: 1, all: 3 };
  const coinsOf = ({ symbol: of, quantity = '' }: Line) =>
    (Math.abs(Number(quantity)) * (of === OKX.symbol ? OKX.contract : 1)).toFixed(2);
  await keepsFilter(page, trade, positions, (line) => [coinsOf(line)]);
  await keepsFilter(page, trade, { tab: 'Open orders', here: 1, all: 2 }, ({ price }) => [priced(price)]);
  await expect(trade.rows()).toHaveText([/−[23]\.\d\d%/, /−[23]\.\d\d%/]);
  const waits = { tab: 'Conditional', here: 1, all: 2 };
  await keepsFilter(page, trade, waits, (line) => [priced(line.stopLossTriggerPrice)]);
  await expect(trade.rows()).toHaveText([/−[34]\.\d\d%/, /−[34]\.\d\d%/]);
  await keepsFilter(page, trade, { tab: 'Order history', here: 2, all: 5 }, ({ time }) => [timed(time)]);
  const filled = (await Promise.all([BINANCE, OKX].map((venue) => fillsAt(client, venue)))).flat();
  const here = filled.filter(({ symbol: of }) => of === symbol).length;
  const fills = { tab: 'Trade history', here, all: filled.length };
  await keepsFilter(page, trade, fills, ({ time }) => [timed(time)]);

  const pair = { platformType, tinstType: '1', side: '1', orderType: '1', timeInForce: '1' };
  await client.must('connextrade/PlaceOrder', { ...pair, symbol, price: far, quantity: '0.001' });
  const answer = await fetch(`${installation.url}/md/binance/api/v3/ticker/price?symbol=ETHUSDT`);
  const { price: ether } = (await answer.json()) as { readonly price: string };
  const tenthBelow = String(Math.round(Number(ether) * 0.9));
  const other = { ...pair, symbol: 'ETHUSDT', price: tenthBelow, quantity: '0.01' };
  await client.must('connextrade/PlaceOrder', other);
  await trade.open(installation.url);
  await keepsFilter(page, trade, { tab: 'Open orders', here: 1, all: 2 }, ({ price }) => [priced(price)]);
  await expect(trade.rows()).toHaveText([/−\d+\.\d\d%/, /−\d+\.\d\d%/]);
  expect(complaints.all).toEqual([]);
});

import { expect, type Locator, type Page } from '@playwright/test';
import { drags, findsLine } from './conditional-page.ts';
import {
  addMargin,
  BINANCE,
  CONTRACT_VENUES,
  OKX,
  stands,
  type Venue,
  withMargin,
} from './contract-venues.ts';
import { complaintsOf, heardFrom, logInContext, test } from './fixtures.ts';
import type { HubClient } from './hub-client.ts';
import type { Installation } from './installation.ts';
import { TradePage } from './trade-page.ts';

/**
 * What a trader does all day: each task with the movements of the hand that it takes, as c clicks, k keys, n typed numbers, h
 * holds and d drags, the whole seconds that they may take, and those of the same task at Binance's page as it is known.
 */

/** All of it is traded, at Bybit too. */
test.use({ thirdExchange: 'live' });
const TASKS = {
  'leverage from 10 to 20, its effect seen': { acts: '2c1n', secondsMax: 4, binance: 4 },
  'market buy of 25 % of what is available': { acts: '4k', secondsMax: 2, binance: 5 },
  'a limit at a price of the book, preset size': { acts: '1c2k', secondsMax: 2, binance: 5 },
  'a resting order moved in the chart': { acts: '1d', secondsMax: 2, binance: 3 },
  'half closed at market': { acts: '3c', secondsMax: 4, binance: 4 },
  'turned around': { acts: '1h', secondsMax: 2, binance: 3 },
  'a stop at break-even': { acts: '3c', secondsMax: 4, binance: 8 },
  'an entry with take-profit at 2 % and stop-loss at 1 %': { acts: '2c2n', secondsMax: 6, binance: 10 },
  'everything cancelled and closed at three exchanges': { acts: '1h', secondsMax: 2, binance: 25 },
  'the same size at the best exchange': { acts: '2c', secondsMax: 3, binance: 60 },
} as const;
type Task = keyof typeof TASKS;

type Act = 'c' | 'k' | 'n' | 'h' | 'd';
/**
 * Seconds of an act in the keystroke-level model of Card, Moran and Newell: 1.1 to point, 0.1 to press or release the button, 0.2
 * a key, 0.4 from the mouse to the keys or back. A number has two keys, a hold lasts 0.8. Making up one's mind takes as long on
 * any page and is left out.
 */
const SECONDS: Readonly<Record<Act, number>> = {
  c: 1.1 + 0.1 + 0.1,
  k: 0.2,
  n: 0.4 + 2 * 0.2 + 0.4,
  h: 0.2 + 0.2 + 0.8,
  d: 1.1 + 0.1 + 1.1 + 0.1,
};

/** Counts what a hand does. Moving from one field to the next is part of typing. */
class Hand {
  readonly page: Page;
  readonly #acts = new Map<Act, number>();

  did(act: Act): void {
    this.#acts.set(act, (this.#acts.get(act) ?? 0) + 1);
  }

  /** What it did, in the letters of the table, and how long that takes. */
  get done(): { readonly acts: string; readonly seconds: number } {
    const counted = (['c', 'k', 'n', 'h', 'd'] as const)
      .map((act) => [act, this.#acts.get(act) ?? 0] as const)
      .filter(([, count]) => count > 0);
    const seconds = counted.reduce((sum, [act, count]) => sum + count * SECONDS[act], 0);
    return { acts: counted.map(([act, count]) => `${count}${act}`).join(''), seconds };
  }

  constructor(page: Page) {
    this.page = page;
  }

  async click(target: Locator, at?: { readonly x: number; readonly y: number }): Promise<void> {
    this.did('c');
    await target.click(at === undefined ? {} : { position: at });
  }

  async press(key: string): Promise<void> {
    this.did('k');
    await this.page.keyboard.press(key);
  }

  async number(target: Locator, text: string): Promise<void> {
    this.did('n');
    await target.focus();
    await target.fill(text);
  }

  /** Holds Shift and a key until what it says it does begins. */
  async hold(key: string): Promise<void> {
    this.did('h');
    const { keyboard } = this.page;
    const said = await heardFrom(this.page.locator('body'));
    await keyboard.down('Shift');
    await keyboard.down(key);
    await expect.poll(said).toContain('Keep holding');
    await expect(this.page.getByText('Keep holding')).toHaveCount(0);
    await keyboard.up(key);
    await keyboard.up('Shift');
  }
}

interface Desk {
  readonly client: HubClient;
  readonly trade: TradePage;
  readonly installation: Installation;
  /** Does a task with the acts that the table gives it. */
  readonly task: (name: Task, act: (hand: Hand) => Promise<void>) => Promise<void>;
}

const size = ({ ticket }: TradePage): Locator => ticket.getByRole('textbox', { name: 'Size', exact: true });

/** While nobody trades at the first exchange its book stands as it is. */
async function still({ installation }: Desk, paused: boolean): Promise<void> {
  await installation.simulate('agents', { venue: BINANCE.slug, paused });
}

/** Moves the price of the coin, which is told once for all exchanges. */
async function shock({ installation }: Desk, factor: number): Promise<void> {
  const { slug: venue, symbol } = BINANCE;
  await installation.simulate('shock', { venue, symbol, market: 'perps', factor });
}

/** The best ask is at one exchange: of two pages that are looked at, one at least says that it is elsewhere. */
async function buysWhereItIsCheapest(desk: Desk): Promise<void> {
  const { trade, client, task } = desk;
  const { page, ticket } = trade;
  const offers = page.getByRole('region', { name: /^Best/ }).getByRole('link', { name: /^Best ask/ });
  let here = BINANCE;
  await expect(async () => {
    here = here === BINANCE ? OKX : BINANCE;
    await trade.openPath(client.url, `/futures/${here.slug}/${here.symbol}`);
    await trade.type('Market');
    await ticket.getByRole('button', { name: 'Buy / Long', exact: true }).click();
    await size(trade).fill('0.01');
    await expect(offers).toBeVisible({ timeout: 5_000 });
  }).toPass({ timeout: 120_000 });
  await task('the same size at the best exchange', async (hand) => {
    await hand.click(offers);
    await expect(page).not.toHaveURL(new RegExp(`/${here.slug}/`));
    await trade.live();
    // What it would come to is said once the prices there are known.
    await expect(ticket).toContainText(/0\.010+ long @/);
    await hand.click(ticket.getByRole('button', { name: /^Buy \/ Long 0\.010+ BTC/ }));
  });
  const there = CONTRACT_VENUES.find(({ slug }) => page.url().includes(`/${slug}/`)) ?? here;
  await stands(client, there, 0.01);
}

async function changesLeverage({ trade, client, task }: Desk): Promise<void> {
  const { page, ticket } = trade;
  const { platformType, symbol } = BINANCE;
  await client.must('connextrade/SetLeverage', { platformType, symbol, leverage: '10' });
  await trade.openPath(client.url, `/futures/binance/${symbol}`);
  const chip = ticket.getByRole('button', { name: /^Leverage/ });
  await expect(chip).toContainText('10×');
  await task('leverage from 10 to 20, its effect seen', async (hand) => {
    await hand.click(chip);
    const dialog = page.getByRole('dialog', { name: 'Leverage' });
    await hand.number(dialog.getByRole('textbox', { name: 'Leverage' }), '20');
    await expect(dialog.getByText(/BTC/).first()).toBeVisible();
    await hand.click(dialog.getByRole('button', { name: 'Confirm' }));
  });
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(chip).toContainText('20×');
}

/** Where the line lies for a second: the scale follows the last trades of before a pause. */
async function restingLine(of: Parameters<typeof findsLine>[0]) {
  let found = await findsLine(of);
  await expect
    .poll(
      async () => {
        const last = found;
        found = await findsLine(of);
        return found !== undefined && found.y === last?.y;
      },
      { intervals: [1_000] },
    )
    .toBe(true);
  if (found === undefined) throw new Error('no line in the chart');
  return found;
}

/** A quarter at market by keys alone, then a limit at a price of the book, which is moved in the chart. */
async function ordersAndMoves(desk: Desk): Promise<void> {
  const { trade, task } = desk;
  const { page, orders } = trade;
  await task('market buy of 25 % of what is available', async (hand) => {
    await hand.press('m');
    await hand.press('b');
    await hand.press('2');
    await expect(size(trade)).toBeFocused();
    await hand.press('Enter');
  });
  await expect(orders.getByRole('button', { name: 'Close BTCUSDT long', exact: true })).toBeVisible();
  await page.keyboard.press('Escape');
  const canvas = trade.book.locator('canvas');
  const box = await canvas.boundingBox();
  if (box === null) throw new Error('the book is not on screen');
  const rows = orders.getByRole('tab', { name: /^Open orders ?\(1\)/ });
  // The book shows a few dollars: what rests there is filled soon, or left behind where the market moves away from it.
  await still(desk, true);
  await task('a limit at a price of the book, preset size', async (hand) => {
    await hand.click(canvas, { x: box.width * 0.1, y: box.height - 40 });
    await hand.press('1');
    await expect(size(trade)).toBeFocused();
    await hand.press('Enter');
  });
  await rows.click();
  const price = trade
    .rows()
    .first()
    .getByRole('button', { name: /^Edit price/ });
  const before = (await price.textContent()) ?? '';
  const line = await restingLine({ trade });
  await task('a resting order moved in the chart', async (hand) => {
    hand.did('d');
    await drags({ trade }, line.x, line.y, line.y + 30);
    await page.mouse.up();
  });
  await expect(price).not.toHaveText(before);
  await shock(desk, 1.001);
  await still(desk, false);
  await expect(rows).toBeVisible();
}

async function halvesAndReverses({ trade, task }: Desk): Promise<void> {
  const { page, orders } = trade;
  await orders.getByRole('tab', { name: /^Positions/ }).click();
  const held = (side: string) => orders.getByRole('button', { name: `Close BTCUSDT ${side}`, exact: true });
  const first = trade.rows().first();
  await expect(held('long')).toBeVisible();
  const before = (await first.getByRole('cell').nth(1).textContent()) ?? '';
  await task('half closed at market', async (hand) => {
    await hand.click(held('long'));
    const dialog = page.getByRole('dialog', { name: /^Close BTCUSDT/ });
    await hand.click(dialog.getByRole('button', { name: '50%' }));
    await hand.click(dialog.getByRole('button', { name: /^Close 0\.\d+ BTC/ }));
  });
  await expect(first.getByRole('cell').nth(1)).not.toHaveText(before);
  await page.keyboard.press('Escape');
  await task('turned around', (hand) => hand.hold('F'));
  await expect(held('short')).toBeVisible();
}

async function protects(desk: Desk): Promise<void> {
  const { trade, task } = desk;
  const { page, orders } = trade;
  const targets = orders.getByRole('button', { name: /^TP \/ SL of BTCUSDT/ });
  await shock(desk, 0.97);
  await expect(trade.rows().first()).toContainText('+');
  await task('a stop at break-even', async (hand) => {
    await hand.click(targets);
    const dialog = page.getByRole('dialog', { name: /^Take-profit and stop-loss of BTCUSDT/ });
    await hand.click(dialog.getByRole('button', { name: /^Stop-loss: Break/ }));
    await hand.click(dialog.getByRole('button', { name: 'Place', exact: true }));
  });
  await page.keyboard.press('Escape');
  await expect(targets).toHaveAccessibleName(/\d{4}|\d,\d{3}/);
}

/** Units of both targets are as they were chosen before. */
async function entersWithTargets({ trade, task }: Desk): Promise<void> {
  const { page, ticket, orders } = trade;
  const on = ticket.getByRole('checkbox', { name: 'TP / SL' });
  await trade.type('Market');
  await ticket.getByRole('button', { name: 'Sell / Short', exact: true }).click();
  await on.check();
  for (const name of ['Take-profit', 'Stop-loss'])
    await ticket.getByRole('combobox', { name: `${name}: Given in` }).selectOption('percent');
  await on.uncheck();
  await size(trade).fill('0.01');
  const waits = orders.getByRole('tab', { name: /^Conditional/ });
  const before = (await waits.textContent()) ?? '';
  await task('an entry with take-profit at 2 % and stop-loss at 1 %', async (hand) => {
    await hand.click(on);
    await hand.number(ticket.getByRole('textbox', { name: 'Take-profit', exact: true }), '2');
    await hand.number(ticket.getByRole('textbox', { name: 'Stop-loss', exact: true }), '1');
    await hand.click(ticket.getByRole('button', { name: /^Sell \/ Short 0\.010/ }));
  });
  await expect(waits).not.toHaveText(before);
  await page.keyboard.press('Escape');
}

async function endsEverything({ trade, client, task }: Desk): Promise<void> {
  await trade.page.keyboard.press('Escape');
  await task('everything cancelled and closed at three exchanges', (hand) => hand.hold('Delete'));
  for (const venue of CONTRACT_VENUES) await stands(client, venue, 0);
  await expect(trade.orders.getByRole('tab', { name: /^Open orders ?\(0\)/ })).toBeVisible();
}

async function opensByCall(client: HubClient, { platformType, symbol, contract }: Venue): Promise<void> {
  await client.must('connextrade/PlaceOrder', {
    ...{ platformType, symbol, tinstType: '2', side: '1', orderType: '2', timeInForce: '1' },
    ...{ quantity: String(0.01 / contract), effect: '0', reduceOnly: 'false', marginMode: 'cross' },
    leverage: '20',
  });
}

test('ten tasks of a trader take the clicks, keys, numbers, holds, drags and seconds of their table and no more @full', async ({
  browser,
  installation,
}) => {
  test.setTimeout(600_000);
  const [first = BINANCE, ...others] = CONTRACT_VENUES;
  const client = await withMargin(installation, first);
  for (const venue of others) {
    await addMargin(client, venue);
    await opensByCall(client, venue);
    await stands(client, venue, 0.01);
  }
  const settings = { tradingKeys: true };
  const context = await logInContext(
    browser,
    installation.url,
    { email: '', password: '', client },
    { settings: { 'trade settings': JSON.stringify(settings) } },
  );
  const page = await context.newPage();
  const complaints = complaintsOf(page);
  const trade = new TradePage(page);
  const done: Task[] = [];
  const task: Desk['task'] = async (name, act) => {
    const hand = new Hand(page);
    await act(hand);
    done.push(name);
    const { acts, seconds } = hand.done;
    expect({ name, acts }).toEqual({ name, acts: TASKS[name].acts });
    expect(Math.round(seconds), name).toBeLessThanOrEqual(TASKS[name].secondsMax);
    expect(seconds, name).toBeLessThanOrEqual(TASKS[name].binance);
  };
  const desk: Desk = { client, trade, installation, task };
  await trade.openPath(installation.url, `/futures/${first.slug}/${first.symbol}`);
  // Flows before may have left the price at the lower edge of the chart, where no line can be drawn down.
  await shock(desk, 1.1);
  await changesLeverage(desk);
  await ordersAndMoves(desk);
  await halvesAndReverses(desk);
  await protects(desk);
  await entersWithTargets(desk);
  await endsEverything(desk);
  await buysWhereItIsCheapest(desk);
  expect([...done].sort()).toEqual(Object.keys(TASKS).sort());
  expect(complaints.all).toEqual([]);
  await context.close();
});

import { type CDPSession, expect, type Page } from '@playwright/test';
import { drags, findsLine } from './conditional-page.ts';
import { complaintsOf, logInContext, roomInDays, test } from './fixtures.ts';
import type { HubClient } from './hub-client.ts';
import type { Installation, Member } from './installation.ts';
import { coloursPainted, TradePage } from './trade-page.ts';

/** The line of a resting order: taken by a finger on a phone, and by the mouse up to where it would fill. */

interface Resting {
  readonly price: string;
  readonly quantity: string;
  readonly timeInForce: number;
  readonly side: number;
}

/** A day that had room made reaches far enough for a price that nothing comes near. */
const SETTINGS = { theme: 'dark', 'trade settings': JSON.stringify({ chartInterval: '1d' }) };

/** A member with one bid, 3 % below the market. */
async function bidder(installation: Installation, timeInForce: '1' | '4'): Promise<Member> {
  const member = await installation.member('10000');
  await roomInDays(installation, 'BTCUSDT');
  const depth = await fetch(`${installation.url}/md/binance/api/v3/depth?symbol=BTCUSDT&limit=5`);
  const { bids } = (await depth.json()) as { readonly bids: readonly (readonly [string, string])[] };
  await member.client.must('connextrade/PlaceOrder', {
    ...{ platformType: '43', tinstType: '1', symbol: 'BTCUSDT', side: '1', orderType: '1', timeInForce },
    ...{ price: String(Math.round(Number(bids[0]?.[0]) * 0.97)), quantity: '0.01' },
  });
  return member;
}

async function resting(client: HubClient): Promise<Resting | undefined> {
  const [row] = await client.must<readonly Resting[]>('connextrade/CurOrderList', { platformType: '43' });
  return row;
}

async function lineOf(trade: TradePage): Promise<{ readonly x: number; readonly y: number }> {
  await expect.poll(async () => (await findsLine({ trade })) !== undefined).toBe(true);
  const line = await findsLine({ trade });
  if (line === undefined) throw new Error('the line went away');
  return line;
}

/** One finger on the screen. */
function finger(session: CDPSession) {
  const send = async (
    type: 'touchStart' | 'touchMove' | 'touchEnd',
    touchPoints: { x: number; y: number }[],
  ) => void (await session.send('Input.dispatchTouchEvent', { type, touchPoints }));
  return {
    down: (x: number, y: number) => send('touchStart', [{ x, y }]),
    move: (x: number, y: number) => send('touchMove', [{ x, y }]),
    up: () => send('touchEnd', []),
  };
}

/** Takes a line with a finger, and waits until it is held. */
async function takes(page: Page, touch: ReturnType<typeof finger>, at: { x: number; y: number }) {
  const tuned = page.getByRole('group', { name: 'Price of the line' });
  await touch.down(at.x, at.y);
  await expect(tuned).toBeVisible();
  return tuned;
}

test('a finger that holds a line sees it through a glass, moves it, sets it by the tick and sends it with a button @full', async ({
  browser,
  installation,
}) => {
  const member = await bidder(installation, '4');
  const look = { settings: SETTINGS, touched: { width: 390, height: 844 } };
  const context = await logInContext(browser, installation.url, member, look);
  const page = await context.newPage();
  const complaints = complaintsOf(page);
  const trade = new TradePage(page);
  await page.goto(`${installation.url}/spot/binance/BTCUSDT`);
  const before = await resting(member.client);
  const line = await lineOf(trade);
  const touch = finger(await context.newCDPSession(page));

  const tuned = await takes(page, touch, line);
  const price = tuned.getByRole('status');
  const number = async () => Number((await price.textContent())?.replaceAll(',', ''));
  expect(await number()).toBe(Number(before?.price));
  await touch.move(line.x, line.y + 6);
  await touch.move(line.x, line.y + 30);
  await expect.poll(number).toBeLessThan(Number(before?.price));
  await expect.poll(() => coloursPainted(tuned)).toBeGreaterThan(3);
  await touch.up();
  const dropped = await number();
  await tuned.getByRole('button', { name: 'One tick higher' }).tap();
  await tuned.getByRole('button', { name: 'One tick higher' }).tap();
  await tuned.getByRole('button', { name: 'One tick lower' }).tap();
  await expect.poll(number).toBeCloseTo(dropped + 0.01, 6);
  expect((await resting(member.client))?.price).toBe(before?.price);
  await tuned.getByRole('button', { name: /^Move to / }).tap();
  await expect(tuned).toBeHidden();
  await expect.poll(async () => Number((await resting(member.client))?.price)).toBeCloseTo(dropped + 0.01, 6);

  // Held again and left, it stays; a finger that does not wait scrolls the page and takes nothing.
  const moved = await lineOf(trade);
  await takes(page, touch, moved);
  await touch.up();
  await tuned.getByRole('button', { name: 'Cancel', exact: true }).tap();
  await expect(tuned).toBeHidden();
  await touch.down(moved.x, moved.y);
  await touch.move(moved.x, moved.y - 40);
  await touch.move(moved.x, moved.y - 80);
  await touch.up();
  await expect(tuned).toBeHidden();
  const { price: last, ...rest } = (await resting(member.client)) ?? {};
  expect(Number(last)).toBeCloseTo(dropped + 0.01, 6);
  expect(rest).toMatchObject({ quantity: before?.quantity, timeInForce: 4, side: 1 });
  expect(complaints.all).toEqual([]);
  await context.close();
});

test('a bid that is dragged through the book is moved there only on a second word; elsewhere at once, and keeps everything else @full', async ({
  browser,
  installation,
}) => {
  const member = await bidder(installation, '1');
  const context = await logInContext(browser, installation.url, member, { settings: SETTINGS });
  const page = await context.newPage();
  const complaints = complaintsOf(page);
  const trade = new TradePage(page);
  await trade.open(installation.url);
  const before = await resting(member.client);
  const { x, y } = await lineOf(trade);
  const top = ((await trade.chart.boundingBox())?.y ?? 0) + 70;
  await drags({ trade }, x, y, top);
  await page.mouse.up();
  const asked = page.getByRole('alertdialog', { name: 'This would fill at once.' });
  await asked.getByRole('button', { name: 'Cancel', exact: true }).click();
  await expect(asked).toBeHidden();
  expect(await resting(member.client)).toEqual(before);

  await drags({ trade }, x, y, y + 40);
  await page.mouse.up();
  await expect.poll(async () => (await resting(member.client))?.price).not.toBe(before?.price);
  const after = await resting(member.client);
  expect(Number(after?.price)).toBeLessThan(Number(before?.price));
  const { quantity, timeInForce, side } = before ?? {};
  expect(after).toMatchObject({ quantity, timeInForce, side });

  // Let go above the book and confirmed, it fills.
  const moved = await lineOf(trade);
  await drags({ trade }, moved.x, moved.y, top);
  await page.mouse.up();
  await asked.getByRole('button', { name: 'Confirm', exact: true }).click();
  await expect.poll(() => resting(member.client)).toBeUndefined();
  expect((await member.client.tradingBalances()).has('BTC')).toBe(true);
  expect(complaints.all).toEqual([]);
  await context.close();
});

import { amount, type Millis, type OrderId, type UserId } from '@crossbook/domain';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PriceAlert, PriceAlertStore } from '../../../market/price-alerts.ts';
import { openTestDatabase, type TestDatabase } from '../../testing.ts';
import { priceAlertStore } from './price-alert-store.ts';

let db: TestDatabase;
let store: PriceAlertStore;
beforeAll(async () => {
  db = await openTestDatabase();
  store = priceAlertStore(db.database);
});
afterAll(() => db.close());

const DAY = 86_400_000;
const id = (at: number) => `01890000-0000-7000-8000-${String(at).padStart(12, '0')}` as OrderId;
const alert = (at: number, user: number, price = '105.5'): PriceAlert => ({
  ...{ id: id(at), user: user as UserId, platform: 2, symbolType: 'SWAP', symbol: 'BTC-USDT-SWAP' },
  ...{ price: amount(price), direction: 'rises', createdAt: (400 * DAY + at) as Millis },
});
const fired = (of: PriceAlert, at = 401 * DAY) => ({
  ...of,
  fired: { price: amount('106'), time: at as Millis },
});

test('one comes back as it was kept; it fires once, at the price it was checked for, and is moved no more', async () => {
  const mine = alert(1, 1);
  expect(await store.set(mine, 9)).toBe('set');
  expect(await store.list(1 as UserId)).toEqual([mine]);
  const moved = { ...mine, price: amount('107'), direction: 'falls' as const };
  expect(await store.set(moved, 9)).toBe('set');
  expect(await store.fire([fired(mine)])).toEqual([]);
  expect(await store.waiting(undefined, 9)).toEqual([moved]);
  expect(await store.fire([fired(moved)])).toEqual([fired(moved)]);
  expect(await store.fire([fired(moved)])).toEqual([]);
  expect(await store.list(1 as UserId)).toEqual([fired(moved)]);
  expect([await store.set(mine, 9), await store.waiting(undefined, 9)]).toEqual(['taken', []]);
});

test('its id is its market’s and its member’s; the bound counts those that fired', async () => {
  const mine = alert(10, 2);
  await store.set(mine, 2);
  expect(await store.set({ ...mine, symbol: 'ETH-USDT-SWAP' }, 2)).toBe('taken');
  expect(await store.set({ ...mine, user: 3 as UserId }, 2)).toBe('taken');
  await store.fire([fired(mine)]);
  expect([await store.set(alert(11, 2), 2), await store.set(alert(12, 2), 2)]).toEqual(['set', 'full']);
  await store.remove(3 as UserId, mine.id);
  await store.remove(2 as UserId, mine.id);
  expect(await store.set(alert(12, 2), 2)).toBe('set');
  expect((await store.list(2 as UserId)).map((one) => one.id)).toEqual([id(12), id(11)]);
  const pages = [await store.waiting(undefined, 1), await store.waiting(id(11), 9)];
  expect(pages.map((page) => page.map((one) => one.id))).toEqual([[id(11)], [id(12)]]);
});

test('the sweep ends what fired a month ago and what waited a year, and says which of them waited', async () => {
  const old = { ...alert(20, 5), createdAt: DAY as Millis };
  await store.set(old, 9);
  await store.set(alert(21, 5), 9);
  await store.set(alert(22, 5), 9);
  await store.fire([fired(alert(22, 5), 402 * DAY)]);
  expect(await store.sweep((402 * DAY) as Millis)).toEqual([old.id]);
  expect((await store.list(5 as UserId)).map((one) => one.id)).toEqual([id(22), id(21)]);
  expect(await store.sweep((402 * DAY + 31 * DAY) as Millis)).toEqual([]);
  expect((await store.list(5 as UserId)).map((one) => one.id)).toEqual([id(21)]);
});

import type { BootConfig, PriceAlertRow } from '@crossbook/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { bootStore } from '../app/boot.ts';
import { noticesStore } from '../app/notices.ts';
import {
  applyFiredAlert,
  forgetPriceAlerts,
  loadPriceAlerts,
  priceAlertsStore,
  removePriceAlert,
  setPriceAlert,
} from './price-alerts.ts';

const ROW: PriceAlertRow = {
  ...{ alertId: 'a1', exchange: 1, symbolType: 'SPOT', symbol: 'BTCUSDT', price: '70000' },
  ...{ direction: 'rises', createdAt: 1, fired: null },
};
const FIRED = { ...ROW, fired: { price: '70001', time: 5 } };

let rows: readonly PriceAlertRow[];
let refuses: boolean;
let asked: string[];
beforeEach(() => {
  forgetPriceAlerts();
  noticesStore.setState({ notices: [] });
  [rows, refuses, asked] = [[], false, []];
  vi.stubGlobal('fetch', async (input: string, { body }: { readonly body: URLSearchParams }) => {
    const name = String(input).split('/').at(-1);
    const form = new URLSearchParams(body);
    asked.push([name, form.get('alertId'), form.get('direction')].filter(Boolean).join(' '));
    if (refuses) return new Response(JSON.stringify({ code: 1001, msg: 'at most 20', data: null }));
    const data =
      name === 'List' ? rows : { ...ROW, alertId: form.get('alertId'), price: form.get('price') ?? '' };
    return new Response(JSON.stringify({ code: 1, msg: 'OK', data }));
  });
  const config = { hosts: { own: '' }, tenant: 'crossbook', environment: 'test', platforms: [] };
  bootStore.setState({ status: 'ready', config: config as unknown as BootConfig }, true);
});
afterEach(() => vi.unstubAllGlobals());

const waiting = () => [...priceAlertsStore.getState().waiting.keys()];
const notices = () => noticesStore.getState().notices.map(({ event, key }) => `${event} ${key}`);

test('one that fired is said once, whoever says it and however often, and its row is removed', async () => {
  rows = [ROW];
  await loadPriceAlerts();
  expect(waiting()).toEqual(['a1']);
  applyFiredAlert(FIRED);
  applyFiredAlert(FIRED);
  rows = [FIRED];
  await loadPriceAlerts();
  rows = [ROW];
  await loadPriceAlerts();
  expect([waiting(), notices()]).toEqual([[], ['alert alert a1']]);
  expect(asked.filter((name) => name === 'Remove a1')).toHaveLength(1);
});

test('what fired while no page was open is said when one reads the list', async () => {
  rows = [FIRED, { ...ROW, alertId: 'a2' }];
  await loadPriceAlerts();
  expect([waiting(), notices()]).toEqual([['a2'], ['alert alert a1']]);
});

test.each([
  ['above the newest price', '70000', 69_999, 'rises'],
  ['below it', '70000', 70_001, 'falls'],
])('an alert %s is reached from the other side', async (_, price, last, direction) => {
  const wanted = { platform: 1, symbolType: 'SPOT', symbol: 'BTCUSDT', price, last } as const;
  expect(await setPriceAlert(wanted, 'a9')).toBeUndefined();
  expect([waiting(), asked]).toEqual([['a9'], [`Set a9 ${direction}`]]);
});

test('what the hub refuses is answered in its words; what it does not remove is back', async () => {
  rows = [ROW];
  await loadPriceAlerts();
  refuses = true;
  const wanted = { platform: 1, symbolType: 'SPOT', symbol: 'BTCUSDT', price: '1', last: 2 } as const;
  expect(await setPriceAlert(wanted)).toBe('at most 20');
  await removePriceAlert(ROW);
  expect(waiting()).toEqual(['a1']);
});

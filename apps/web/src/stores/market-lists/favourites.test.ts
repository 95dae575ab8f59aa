import type { BootConfig } from '@crossbook/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { bootStore } from '../app/boot.ts';
import { noticesStore } from '../app/notices.ts';
import { beginSession, endSession } from '../member/session.ts';
import { favouritesStore, loadFavourites, toggleFavourite } from './favourites.ts';

/** A hub that keeps favourites, reached through the browser's own fetch. */
interface FakeHub {
  readonly asked: { readonly name: string; readonly fields: Readonly<Record<string, string>> }[];
  /** What a call answers; absent: what a hub without trouble would. */
  answer: (
    name: string,
  ) => { readonly code: number; readonly msg: string; readonly data: unknown } | 'silent';
}

const KEPT = [{ platformType: 41, tinstType: 2, tinstId: 'BTC-USDT-SWAP' }];
const ETH = { platform: 1, symbolType: 'SPOT', symbol: 'ETHUSDT' } as const;
let hub: FakeHub;

beforeEach(() => {
  const asked: FakeHub['asked'] = [];
  hub = {
    asked,
    answer: (name) => ({
      code: 1,
      msg: 'OK',
      data: name.endsWith('getuserfree') ? KEPT : name.endsWith('existuserfree') ? { exist: true } : KEPT[0],
    }),
  };
  vi.stubGlobal('fetch', async (input: string, init: RequestInit) => {
    const name = String(input).replace(/^.*\/api\//, '');
    asked.push({ name, fields: Object.fromEntries(new URLSearchParams(String(init.body))) });
    const answer = hub.answer(name);
    if (answer === 'silent') throw new TypeError('no network');
    return new Response(JSON.stringify(answer));
  });
  const config = { hosts: { own: '' }, tenant: 'crossbook' } as BootConfig;
  bootStore.setState({ status: 'ready', config }, true);
  noticesStore.setState({ notices: [] });
  beginSession({ token: 'a token', tid: 100_001 });
});
afterEach(() => {
  endSession();
  vi.unstubAllGlobals();
});

const said = () =>
  noticesStore.getState().notices.map(({ message }) => ('id' in message ? message.id : message.text));
const keys = () => [...favouritesStore.getState().keys];

test('favourites of all platforms are read once, and forgotten with the session', async () => {
  await Promise.all([loadFavourites(), loadFavourites()]);
  await loadFavourites();
  expect(hub.asked.map(({ name }) => name)).toEqual(['connexbasicdata/getuserfree']);
  expect(keys()).toEqual(['2:SWAP:BTC-USDT-SWAP']);
  endSession();
  expect(favouritesStore.getState()).toEqual({ status: 'none', keys: new Set() });
});

test('a market is marked and unmarked in the words of the specification', async () => {
  await loadFavourites();
  expect(await toggleFavourite(ETH)).toBe(true);
  expect(keys()).toContain('1:SPOT:ETHUSDT');
  expect(await toggleFavourite(ETH)).toBe(true);
  expect(keys()).toEqual(['2:SWAP:BTC-USDT-SWAP']);
  expect(hub.asked.slice(1)).toMatchObject([
    {
      name: 'connexbasicdata/addsinglefree',
      fields: { platformType: '43', tinstType: '1', tinstId: 'ETHUSDT' },
    },
    { name: 'connexbasicdata/delfree', fields: { platformType: '43', tinstType: '1', tinstId: 'ETHUSDT' } },
  ]);
  expect(said()).toEqual(['favourite.added', 'favourite.removed']);
});

test('a refusal puts the star back and is told in the words of the server', async () => {
  await loadFavourites();
  hub.answer = () => ({ code: 1003, msg: 'Too many requests.', data: null });
  expect(await toggleFavourite(ETH)).toBe(false);
  expect(keys()).toEqual(['2:SWAP:BTC-USDT-SWAP']);
  expect(said()).toEqual(['Too many requests.']);
});

test('no answer puts the star back and says so', async () => {
  await loadFavourites();
  hub.answer = () => 'silent';
  expect(await toggleFavourite(ETH)).toBe(false);
  expect(keys()).toEqual(['2:SWAP:BTC-USDT-SWAP']);
  expect(said()).toEqual(['common.noAnswer']);
});

test('where the list could not be read the server is asked about the one market', async () => {
  hub.answer = (name) =>
    name.endsWith('getuserfree')
      ? 'silent'
      : { code: 1, msg: 'OK', data: name.endsWith('existuserfree') ? { exist: true } : KEPT[0] };
  await loadFavourites();
  expect(favouritesStore.getState().status).toBe('failed');
  expect(await toggleFavourite(ETH)).toBe(true);
  expect(hub.asked.map(({ name }) => name).slice(1)).toEqual([
    'connexbasicdata/existuserfree',
    'connexbasicdata/delfree',
  ]);
});

test('a second press while the first is on its way changes nothing', async () => {
  await loadFavourites();
  const both = await Promise.all([toggleFavourite(ETH), toggleFavourite(ETH)]);
  expect(both.toSorted()).toEqual([false, true]);
  expect(hub.asked).toHaveLength(2);
});

test('a visitor marks nothing and asks nothing', async () => {
  endSession();
  await loadFavourites();
  expect(await toggleFavourite(ETH)).toBe(false);
  expect(hub.asked).toEqual([]);
});

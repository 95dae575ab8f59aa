import type { BootConfig } from '@crossbook/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { bootStore } from '../app/boot.ts';
import { venueRest } from './venue-rest.ts';

/** What the exchange answers, and what stands in the browser's log. */
let status = 404;
let logged: unknown[] = [];
beforeEach(() => {
  status = 404;
  logged = [];
  vi.stubGlobal('location', { href: 'http://hub.test/en/trade' });
  vi.stubGlobal('fetch', async () => new Response(status === 200 ? '{"serverTime":5}' : '{}', { status }));
  vi.spyOn(console, 'info').mockImplementation((line) => logged.push(line));
  const platforms = [{ platform: 1, restBases: { SPOT: '/md/binance', SWAP: '/md/binance-futures' } }];
  bootStore.setState({ status: 'ready', config: { platforms } as unknown as BootConfig }, true);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** One question, by a reader made for it, as pages ask. */
async function ask(symbolType: 'SPOT' | 'SWAP'): Promise<unknown> {
  return await (await venueRest(1, symbolType, []))?.serverTime();
}

test('of a market a read that goes on failing is logged once, whoever asks, and again after it has worked', async () => {
  for (let times = 0; times < 3; times += 1) {
    expect(await ask('SPOT')).toEqual({ ok: false, code: 'http-status' });
  }
  const line = 'platform 1 SPOT: serverTime gave nothing (http-status)';
  expect(logged.splice(0)).toEqual([line]);
  await ask('SWAP');
  expect(logged.splice(0)).toEqual(['platform 1 SWAP: serverTime gave nothing (http-status)']);
  status = 200;
  expect(await ask('SPOT')).toEqual({ ok: true, value: 5 });
  expect(logged).toEqual([]);
  status = 404;
  await ask('SPOT');
  expect(logged).toEqual([line]);
});

test('a market that the hub does not offer is not asked', async () => {
  expect(await venueRest(2, 'SPOT', [])).toBeUndefined();
});

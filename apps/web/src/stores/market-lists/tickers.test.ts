import type { BootConfig } from '@crossbook/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { bootStore } from '../app/boot.ts';
import { readKey, refreshTickers, repeatWhileShown, tickersStore } from './tickers.ts';

/** The browser's document as far as it says whether the page can be seen. */
class FakeDocument extends EventTarget {
  visibilityState: DocumentVisibilityState = 'visible';
  show(state: DocumentVisibilityState): void {
    this.visibilityState = state;
    this.dispatchEvent(new Event('visibilitychange'));
  }
}

let page: FakeDocument;

function boot(environment: BootConfig['environment']): void {
  const binance = { platform: 1, slug: 'binance', restBases: { SPOT: '/md/binance' } };
  const config = { environment, platforms: [binance] } as unknown as BootConfig;
  bootStore.setState({ status: 'ready', config }, true);
}

beforeEach(() => {
  page = new FakeDocument();
  vi.stubGlobal('document', page);
  vi.stubGlobal('location', { href: 'http://127.0.0.1:8080/market' });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test.each([
  ['production', 10_000],
  ['preproduction', 2_000],
] as const)(
  'in %s a list is read at once, every %i ms, and when the page is seen again',
  (environment, pause) => {
    vi.useFakeTimers();
    boot(environment);
    const read = vi.fn();
    const release = repeatWhileShown(read);
    expect(read).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(pause * 3);
    expect(read).toHaveBeenCalledTimes(4);
    page.show('hidden');
    vi.advanceTimersByTime(pause * 5);
    expect(read).toHaveBeenCalledTimes(4);
    page.show('visible');
    expect(read).toHaveBeenCalledTimes(5);
    release();
    vi.advanceTimersByTime(pause * 2);
    page.show('visible');
    expect(read).toHaveBeenCalledTimes(5);
  },
);

const TICKER = {
  symbol: 'BTCUSDT',
  ...{
    lastPrice: '60000.10',
    priceChangePercent: '1.5',
    openPrice: '59000',
    highPrice: '61000',
    lowPrice: '58000',
  },
  ...{ volume: '10', quoteVolume: '600000', closeTime: 1_700_000_000_000, priceChange: '1000', count: 1 },
  ...{ prevClosePrice: '59000', lastQty: '1', bidPrice: '1', bidQty: '1', askPrice: '1', askQty: '1' },
  ...{ weightedAvgPrice: '60000', openTime: 1_699_913_600_000, firstId: 1, lastId: 2 },
};

test('a read that fails is silent: what was read before stays, and the list knows that it is old', async () => {
  boot('production');
  const answers = [() => new Response(JSON.stringify([TICKER])), () => new Response('busy', { status: 503 })];
  vi.stubGlobal('fetch', async () => (answers.shift() ?? (() => Response.error()))());
  const logged = vi.spyOn(console, 'info').mockReturnValue();
  const read = () => tickersStore.getState().reads.get(readKey(1, 'SPOT'));
  const release = refreshTickers(1, 'SPOT');
  await vi.waitFor(() => expect(read()).toMatchObject({ failing: false }), { timeout: 20_000 });
  const at = read()?.at;
  page.show('visible');
  await vi.waitFor(() => expect(read()).toMatchObject({ failing: true }), { timeout: 20_000 });
  expect(read()?.at).toBe(at);
  const row = tickersStore.getState().rows.get('1:SPOT:BTCUSDT');
  expect(row).toMatchObject({ last: '60000.10', lastSize: '1' });
  const first = tickersStore.getState().reads;
  page.show('visible');
  await vi.waitFor(() => expect(tickersStore.getState().reads).not.toBe(first), { timeout: 20_000 });
  expect(logged.mock.calls).toEqual([['platform 1 SPOT: tickers gave nothing (http-status)']]);
  release();
});

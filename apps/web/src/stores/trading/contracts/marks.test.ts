import { amount } from '@crossbook/domain';
import { expect, test, vi } from 'vitest';
import { setClock } from '../../app/clock.ts';
import { streamName } from '../../market/market.ts';
import { keepMarks, MARKS_EVERY_MILLIS, marksStore, takeMark } from './marks.ts';

test('marks are published together, the newest of each, at most four times a second', () => {
  vi.useFakeTimers();
  const published = vi.fn();
  const stop = marksStore.subscribe(published);
  for (const price of ['100', '101', '102']) takeMark('1:SWAP:BTCUSDT', price);
  takeMark('1:SWAP:ETHUSDT', '5', { funding: { rate: '0.0001', at: 9 } });
  takeMark('1:SWAP:ETHUSDT', 'nothing');
  expect(published).not.toHaveBeenCalled();
  vi.advanceTimersByTime(MARKS_EVERY_MILLIS);
  expect(published).toHaveBeenCalledTimes(1);
  expect(marksStore.getState()['1:SWAP:BTCUSDT']?.price).toBe(amount('102'));
  expect(marksStore.getState()['1:SWAP:ETHUSDT']).toMatchObject({
    ...{ price: amount('5'), funding: { rate: '0.0001', at: 9 } },
  });
  vi.advanceTimersByTime(MARKS_EVERY_MILLIS * 4);
  expect(published).toHaveBeenCalledTimes(1);
  stop();
  vi.useRealTimers();
});

/** The browser's socket: what it was asked for, and what the test lets it hear. */
class HubSocket {
  static newest: HubSocket;
  readonly sent: string[] = [];
  onopen = (): void => undefined;
  onmessage = (_: { readonly data: string }): void => undefined;
  constructor() {
    HubSocket.newest = this;
  }
  send(text: string): void {
    this.sent.push(text);
  }
  close(): void {}
}

test('with the mark of a contract come the other prices that triggers follow; two who ask are one subscription', () => {
  vi.useFakeTimers();
  vi.stubGlobal('location', { href: 'http://127.0.0.1:8080/futures/bybit/BTCUSDT' });
  vi.stubGlobal('WebSocket', HubSocket);
  setClock({ now: () => 7, randomBytes: () => new Uint8Array(10) });
  const market = { platform: 3, symbolType: 'SWAP', symbol: 'BTCUSDT' } as const;
  const releases = [keepMarks([market]), keepMarks([market])];
  HubSocket.newest.onopen();
  const asked = () => HubSocket.newest.sent.map((text) => JSON.parse(text).action);
  expect(asked()).toEqual(['subscribe']);
  const stats = { t: 1, change: '0', high: '1', low: '1', volume: '0', quoteVolume: '0' };
  const prices = { last: '60000', mark: '59000', index: '58500' };
  const frame = { ch: 'ticker', ...streamName(market), d: { ...stats, ...prices } };
  HubSocket.newest.onmessage({ data: JSON.stringify(frame) });
  vi.advanceTimersByTime(MARKS_EVERY_MILLIS);
  expect(marksStore.getState()['3:SWAP:BTCUSDT']).toEqual({
    ...{ price: amount('59000'), at: 7, last: '60000', index: '58500' },
  });
  for (const release of releases) release();
  expect(asked()).toEqual(['subscribe', 'unsubscribe']);
  vi.advanceTimersByTime(3_000);
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

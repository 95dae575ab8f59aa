import type { TickerFrame } from '@crossbook/contract';
import { expect, test } from 'vitest';
import { createTickerStore } from './ticker.ts';

function frame(last: string, symbol = 'BTCUSDT'): TickerFrame {
  const stats = {
    open: '64000',
    high: '66000.50000000',
    low: '63000',
    volume: '12.5',
    quoteVolume: '800000',
  };
  return { ch: 'ticker', s: symbol, d: { last, change: '-1.25', ...stats, t: 1 } };
}

test('prices have the digits of the tick, and the direction keeps while the price stands still', () => {
  const ticker = createTickerStore();
  ticker.follow({ s: 'BTCUSDT' }, 2);
  ticker.fold(frame('65000.10000000'), 5);
  expect(ticker.stats()).toMatchObject({
    last: '65000.10',
    high: '66000.50',
    low: '63000.00',
    direction: 'none',
  });
  ticker.fold(frame('65000.20000000'), 6);
  ticker.fold(frame('65000.2'), 7);
  expect(ticker.stats()?.direction).toBe('up');
  ticker.foldLast('65000.10');
  expect(ticker.stats()).toMatchObject({ last: '65000.10', direction: 'down', high: '66000.50' });
  expect(ticker.receivedAt()).toBe(7);
});

test('another symbol starts without figures, and frames of the old one are not taken', () => {
  const ticker = createTickerStore();
  ticker.follow({ s: 'BTCUSDT' }, 2);
  ticker.fold(frame('1'), 1);
  ticker.follow({ s: 'ETHUSDT' }, 2);
  ticker.fold(frame('1'), 2);
  expect([ticker.stats(), ticker.receivedAt()]).toEqual([undefined, undefined]);
});

test('a perpetual has mark, index, funding and open interest, each only when the venue said it', () => {
  const ticker = createTickerStore();
  ticker.follow({ s: 'BTCUSDT', m: 2 }, 1);
  const { d } = frame('65000');
  ticker.fold({ ch: 'ticker', s: 'BTCUSDT', m: 2, d: { ...d, mark: '65001.123456', funding: '0.0001' } }, 1);
  expect(ticker.stats()).toMatchObject({ mark: '65001.1', funding: '0.0001', index: undefined });
  ticker.fold(frame('1'), 2);
  expect(ticker.stats()?.last).toBe('65000.0');
});

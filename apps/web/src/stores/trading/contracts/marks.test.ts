import { amount } from '@crossbook/domain';
import { expect, test, vi } from 'vitest';
import { MARKS_EVERY_MILLIS, marksStore, takeMark } from './marks.ts';

test('marks are published together, the newest of each, at most four times a second', () => {
  vi.useFakeTimers();
  const published = vi.fn();
  const stop = marksStore.subscribe(published);
  for (const price of ['100', '101', '102']) takeMark('1:SWAP:BTCUSDT', price);
  takeMark('1:SWAP:ETHUSDT', '5', { rate: '0.0001', at: 9 });
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

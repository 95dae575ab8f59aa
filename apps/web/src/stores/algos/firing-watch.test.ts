import type { AlgoRow } from '@crossbook/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { noticesStore } from '../app/notices.ts';
import { algosStore } from './algos.ts';
import { watchFiring } from './firing-watch.ts';

type State = AlgoRow['state'];

/** Orders that wait, by their names and states. */
function stand(states: Readonly<Record<string, State>>): void {
  const rows = Object.entries(states).map(([algoId, state]) => ({ algoId, state, symbol: `${algoId}USDT` }));
  algosStore.setState({ open: new Map(rows.map((row) => [row.algoId, row as AlgoRow])) });
}

const said = () =>
  noticesStore.getState().notices.map(({ message, event }) => [event, 'id' in message && message.values]);

beforeEach(() => {
  vi.useFakeTimers();
  noticesStore.setState({ notices: [] });
});
afterEach(() => {
  stand({});
  vi.useRealTimers();
});

test('what fires and is an order within five seconds is no alarm', () => {
  stand({ A: 'waiting' });
  const leave = watchFiring();
  stand({ A: 'firing' });
  vi.advanceTimersByTime(4_900);
  stand({});
  vi.advanceTimersByTime(60_000);
  expect(said()).toEqual([]);
  leave();
});

test('what is still firing after five seconds is one alarm, also where it was firing before the page looked', () => {
  stand({ A: 'firing' });
  const leave = watchFiring();
  vi.advanceTimersByTime(5_000);
  expect(said()).toEqual([['danger', { symbol: 'AUSDT' }]]);
  stand({ A: 'firing', B: 'waiting' });
  vi.advanceTimersByTime(60_000);
  expect(said()).toHaveLength(1);
  leave();
});

test('others that begin to fire meanwhile put no alarm off: each has five seconds of its own', () => {
  const leave = watchFiring();
  stand({ A: 'firing' });
  vi.advanceTimersByTime(4_000);
  stand({ A: 'firing', B: 'firing' });
  vi.advanceTimersByTime(1_000);
  expect(said()).toEqual([['danger', { symbol: 'AUSDT' }]]);
  vi.advanceTimersByTime(3_000);
  expect(said()).toHaveLength(1);
  vi.advanceTimersByTime(1_000);
  expect(said().at(-1)).toEqual(['danger', { symbol: 'BUSDT' }]);
  leave();
});

test('nothing is said once nobody watches', () => {
  stand({ A: 'firing' });
  watchFiring()();
  vi.advanceTimersByTime(60_000);
  expect(said()).toEqual([]);
});

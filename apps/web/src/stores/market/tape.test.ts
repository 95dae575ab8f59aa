import type { TradesFrame } from '@crossbook/contract';
import { expect, test } from 'vitest';
import { createTapeStore, TAPE_TRADES_MAX } from './tape.ts';

function frame(k: 's' | 'd', ...ids: readonly number[]): TradesFrame {
  return {
    ch: 'trades',
    s: 'BTCUSDT',
    k,
    d: ids.map((id) => [`${id}`, 100 + id, 5, id % 2 === 0 ? 1 : 2, id]),
  };
}

test('the tape is newest first and shows no trade twice', () => {
  const tape = createTapeStore();
  tape.follow({ s: 'BTCUSDT' });
  expect(tape.ready()).toBe(false);
  tape.fold(frame('s', 1, 2, 3), 10);
  tape.fold(frame('d', 3, 4), 20);
  expect(tape.trades().map((trade) => trade.id)).toEqual(['4', '3', '2', '1']);
  expect(tape.trades()[0]).toEqual({ id: '4', price: 104, size: 5, side: 'buy', time: 4 });
  expect([tape.ready(), tape.receivedAt()]).toEqual([true, 20]);
});

test('the tape is bounded and drops the oldest', () => {
  const tape = createTapeStore();
  tape.follow({ s: 'BTCUSDT' });
  tape.fold(frame('s', ...Array.from({ length: TAPE_TRADES_MAX }, (_, id) => id)), 1);
  tape.fold(frame('d', 900, 901), 2);
  expect(tape.trades()).toHaveLength(TAPE_TRADES_MAX);
  expect(
    tape
      .trades()
      .slice(0, 3)
      .map((trade) => trade.id),
  ).toEqual(['901', '900', '199']);
  expect(tape.trades().at(-1)?.id).toBe('2');
});

test('a snapshot after a reconnect replaces the tape, another symbol is not taken', () => {
  const tape = createTapeStore();
  tape.follow({ s: 'BTCUSDT' });
  tape.fold(frame('s', 1, 2), 1);
  tape.fold(frame('s', 8, 9), 2);
  tape.fold({ ...frame('d', 10), s: 'ETHUSDT' }, 3);
  expect(tape.trades().map((trade) => trade.id)).toEqual(['9', '8']);
});

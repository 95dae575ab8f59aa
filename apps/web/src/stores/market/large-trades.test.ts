import { amount } from '@crossbook/domain';
import { beforeEach, describe, expect, test } from 'vitest';
import { noticesStore } from '../app/notices.ts';
import { settingsStore } from '../app/settings.ts';
import type { ListedInstrument } from './instruments.ts';
import { floorOf, keepFloor, largeTradesStore, watchLargeTrades, writtenFloor } from './large-trades.ts';
import { createTapeStore } from './tape.ts';

const one = amount('1');
const BTC: ListedInstrument = {
  ...{ platform: 1, symbolType: 'SWAP', symbol: 'BTCUSDT', base: 'BTC', quote: 'USDT', family: 'BTCUSDT' },
  ...{ status: 'trading', tickSize: amount('0.1'), lotSize: amount('0.1'), contractValue: amount('0.01') },
  ...{ minPrice: one, maxPrice: one, minQty: one, maxQty: one, maxMarketQty: one, minNotional: one },
  ...{ maxLeverage: 1, makerFee: one, takerFee: one },
};

/** Trades at 50,000.0, each of so many contracts of 0.01 BTC: of 500 USDT a contract. */
const row = (id: string, contracts: number): readonly [string, number, number, 1 | 2, number] => [
  ...([id, 500_000, contracts * 10, 1, 0] as const),
];

/** A tape that is watched, and a clock that is moved on by hand. */
function watched() {
  const tape = createTapeStore();
  let due: (() => void) | undefined;
  tape.follow({ s: 'BTCUSDT', m: 2 });
  const stop = watchLargeTrades(tape, BTC, (_, act) => {
    due = act;
    return () => {
      due = undefined;
    };
  });
  const comes = (kind: 's' | 'd', ...d: ReturnType<typeof row>[]): void =>
    tape.fold({ ch: 'trades', s: 'BTCUSDT', m: 2, k: kind, d }, 0);
  const later = (): void => {
    const act = due;
    due = undefined;
    act?.();
  };
  return { comes, later, stop, waits: () => due !== undefined };
}

const said = () =>
  noticesStore.getState().notices.map(({ message, detail, event }) => {
    if (!('id' in message) || detail === undefined || !('id' in detail)) return '';
    return `${event}: ${message.values?.side} ${message.values?.size} at ${message.values?.price}, ${detail.values?.value}, ${detail.values?.more} more`;
  });

beforeEach(() => {
  noticesStore.setState({ notices: [] });
  largeTradesStore.setState({ USDT: '10000' });
  settingsStore.setState({ volumeAlert: true });
});

test('a trade of the value or more is said at once, with what it was worth; a smaller one is not', () => {
  const { comes } = watched();
  comes('s', row('1', 20));
  expect(said(), 'the tape as it came').toEqual([]);
  comes('d', row('2', 19));
  expect(said()).toEqual([]);
  comes('d', row('3', 20));
  expect(said()).toEqual(['alert: buy 0.2 at 50000.0, 10000, 0 more']);
});

test('what follows is gathered for a while and said as its largest', () => {
  const { comes, later, waits } = watched();
  comes('s');
  comes('d', row('1', 20), row('2', 3));
  comes('d', row('3', 30));
  comes('d', row('4', 50), row('5', 40));
  expect(said()).toHaveLength(1);
  later();
  expect(said().at(-1)).toBe('alert: buy 0.5 at 50000.0, 25000, 2 more');
  later();
  expect(said()).toHaveLength(2);
  expect(waits(), 'nothing more is waited for').toBe(false);
  comes('d', row('6', 20));
  expect(said()).toHaveLength(3);
});

test('what was traded while the connection was away is said with the tape that is read again, and nothing twice', () => {
  const { comes } = watched();
  comes('s', row('1', 20));
  comes('s', row('1', 20), row('2', 30));
  expect(said()).toEqual(['alert: buy 0.3 at 50000.0, 15000, 0 more']);
  comes('s', row('1', 20), row('2', 30));
  expect(said()).toHaveLength(1);
});

test('a busy market keeps five notices of its own, and what else was said stays', () => {
  noticesStore.setState({
    notices: [{ serial: 0, at: 0, tone: 'error', key: 'books 1', message: { text: 'books' } }],
  });
  const { comes, later } = watched();
  comes('s');
  for (let at = 1; at < 80; at += 1) {
    comes('d', row(String(at), 20 + at));
    later();
  }
  expect(noticesStore.getState().notices.map(({ key }) => key)).toEqual([
    'books 1',
    ...Array(5).fill('large 1 SWAP BTCUSDT'),
  ]);
});

test('nothing is said after its end, also not what was gathered', () => {
  const { comes, stop, waits } = watched();
  comes('s');
  comes('d', row('1', 20));
  comes('d', row('2', 20));
  stop();
  expect(waits()).toBe(false);
  comes('d', row('3', 20));
  expect(said()).toHaveLength(1);
});

describe('the value', () => {
  test('is one for each asset', () => {
    keepFloor('BTC', '0.5');
    expect(writtenFloor(largeTradesStore.getState(), 'BTC')).toBe('0.5');
    expect(writtenFloor(largeTradesStore.getState(), 'USDT')).toBe('10000');
  });

  test.each([
    [{}, 'USDT', '100000'],
    [{}, 'USDC', '100000'],
    [{}, 'EUR', ''],
    [{ USDT: '' }, 'USDT', ''],
    [{ USDT: 5 }, 'USDT', '100000'],
  ])('kept as %j, of %s, is %j', (kept, quote, written) => {
    expect(writtenFloor(kept, quote)).toBe(written);
  });

  test.each([
    ['100000', amount('100000')],
    ['12.', amount('12')],
    ['', undefined],
    ['0', undefined],
    ['0.0', undefined],
    ['x', undefined],
  ])('written as %j is %s', (written, value) => {
    expect(floorOf(written)).toBe(value);
  });

  test.each([
    ['that is none', '0', true],
    ['of an alert that is off', '1', false],
  ])('%s says nothing', (_, written, volumeAlert) => {
    keepFloor('USDT', written);
    settingsStore.setState({ volumeAlert });
    const { comes } = watched();
    comes('s');
    comes('d', row('1', 1_000));
    expect(said()).toEqual([]);
  });
});

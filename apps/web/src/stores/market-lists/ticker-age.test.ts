import type { BootConfig } from '@crossbook/contract';
import { beforeEach, expect, test } from 'vitest';
import { bootStore } from '../app/boot.ts';
import { oldList } from './ticker-age.ts';
import { readKey, type TickersRead } from './tickers.ts';

const LIST = { platform: 2, symbolType: 'SWAP' } as const;

function boot(environment: BootConfig['environment']): void {
  bootStore.setState({ status: 'ready', config: { environment } as BootConfig }, true);
}

function ageOf(read: TickersRead | undefined, time: number) {
  return oldList(LIST, new Map(read === undefined ? [] : [[readKey(2, 'SWAP'), read]]), time);
}

beforeEach(() => boot('production'));

test('a list is old once it missed three reads, whatever the newest try came to', () => {
  expect(ageOf({ at: 1_000, failing: false }, 30_999)).toBeUndefined();
  expect(ageOf({ at: 1_000, failing: true }, 30_999)).toBeUndefined();
  expect(ageOf({ at: 1_000, failing: true }, 31_000)).toEqual({ ...LIST, ageSeconds: 30 });
  boot('preproduction');
  expect(ageOf({ at: 1_000, failing: true }, 8_500)).toEqual({ ...LIST, ageSeconds: 7 });
});

test('a list that was never read is waited for, and said to be silent once a read failed', () => {
  expect(ageOf(undefined, 99_000)).toBeUndefined();
  expect(ageOf({ at: undefined, failing: true }, 99_000)).toEqual({ ...LIST, ageSeconds: undefined });
});

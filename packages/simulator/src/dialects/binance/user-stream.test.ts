import type { Millis } from '@crossbook/domain';
import { expect, test } from 'vitest';
import type { AccountNumber } from '../../exchange.ts';
import { UserStreams } from './user-stream.ts';

const ALICE = 7 as AccountNumber;
const HOUR_MILLIS = 3_600_000;

test('a listen key whose hour is over tells its followers so, once, and they hear no more', () => {
  let now = 1_000_000;
  const streams = new UserStreams(() => now as Millis);
  const key = streams.openListenKey(ALICE, 'k'.repeat(60));
  const heard: string[] = [];
  streams.follow(key, (text, kind) => heard.push(kind === 'listenKeyExpired' ? text : kind));
  now += HOUR_MILLIS;
  streams.endExpired();
  streams.tell(ALICE, { e: 'ORDER_TRADE_UPDATE' });
  now += 1;
  streams.endExpired();
  streams.endExpired();
  streams.tell(ALICE, { e: 'ORDER_TRADE_UPDATE' });
  expect(heard).toEqual([
    'ORDER_TRADE_UPDATE',
    JSON.stringify({ e: 'listenKeyExpired', E: now, listenKey: key }),
  ]);
  expect(streams.follow(key, () => undefined)).toBeUndefined();
});

test('a listen key that is closed ends its streams without a word; whoever stopped before is not stopped twice', () => {
  const streams = new UserStreams(() => 0 as Millis);
  const key = streams.openListenKey(ALICE, 'k'.repeat(60));
  const heard: string[] = [];
  streams.follow(key, (_, kind) => heard.push(kind));
  const stop = streams.follow(key, (_, kind) => heard.push(`second ${kind}`));
  stop?.();
  streams.tell(ALICE, { e: 'A' });
  expect(streams.closeListenKey(key, ALICE)).toBe(true);
  streams.tell(ALICE, { e: 'B' });
  expect(heard).toEqual(['A']);
  expect(streams.isHeard(ALICE)).toBe(false);
});

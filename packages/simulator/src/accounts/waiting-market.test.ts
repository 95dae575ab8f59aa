import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { amount, type Lots, type Millis, type Ticks } from '@crossbook/domain';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { OpenedVenue } from '../open-venue.ts';
import { openQuietVenue } from '../quiet-venue.fixture.ts';

/** A whole market with its agents, in which nobody looks and an order waits for a price. */

const SYMBOL = 'BTCUSDT';
const START = Date.UTC(2026, 0, 2, 12, 0, 0, 500);
let data: string;
let venue: OpenedVenue;
let now: number;

beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), 'waiting-'));
  now = START;
});
afterEach(async () => {
  await venue.close();
  await rm(data, { recursive: true, force: true });
});

async function open(): Promise<void> {
  venue = await openQuietVenue('binance', { clock: () => now as Millis, data });
}
function pass(seconds: number): void {
  const end = now + seconds * 1_000;
  while (now < end) {
    now += 100;
    venue.step(now as Millis);
  }
}
const order = () =>
  venue.spot.order(venue.spot.accountOfLabel('alice') ?? (0 as never), SYMBOL, { clientId: 'stop' });

async function placeStop(): Promise<void> {
  const account = await venue.spot.openAccount('alice');
  await venue.spot.credit(account, 'BTC', amount('1'), 'one');
  venue.spot.depth(SYMBOL, 5);
  const last = venue.spot.trades(SYMBOL, { limit: 1 })[0]?.price ?? 0;
  const placed = await venue.spot.place({
    ...{ account, symbol: SYMBOL, side: 'SELL', kind: 'MARKET', timeInForce: 'IOC', clientId: 'stop' },
    quantity: 1_000 as Lots,
    selfTradePrevention: 'NONE',
    trigger: { purpose: 'STOP', price: Math.round(last * 0.97) as Ticks },
  });
  expect(placed.ok && placed.value.order.status).toBe('NEW');
}

test('it fires long after anybody looked, because the market does not sleep', async () => {
  await open();
  await placeStop();
  pass(180);
  expect(order()?.status).toBe('NEW');
  venue.spot.shock(SYMBOL, 0.95);
  pass(5);
  expect(order()?.status).toBe('FILLED');
});

test('it fires after a restart that nobody has looked at since', async () => {
  await open();
  await placeStop();
  await venue.close();
  now += 60_000;
  await open();
  expect(order()?.status).toBe('NEW');
  venue.spot.shock(SYMBOL, 0.95);
  pass(5);
  expect(order()?.status).toBe('FILLED');
});

test('what the price passed in a downtime meets the market that opens', async () => {
  await open();
  await placeStop();
  // Nobody sees the fall: the process ends first.
  venue.spot.shock(SYMBOL, 0.95);
  await venue.close();
  now += 60_000;
  await open();
  expect([order()?.status, order()?.executed]).toEqual(['FILLED', 1_000]);
});

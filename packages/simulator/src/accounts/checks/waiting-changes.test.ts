import { amount, type Lots, type Millis, type Ticks } from '@crossbook/domain';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { WaitingChange } from '../../conditional-terms.ts';
import { type OpenedExchange, openExchange } from '../../core.ts';
import type { AccountNumber, NewSimOrder, SimOrder } from '../../exchange.ts';
import { QuietMarket, quietFacts } from '../quiet-market.fixture.ts';

/** Changes of spot orders that wait, and trailing by a distance. One tick is 0.01; prices below are in ticks. */

const SYMBOL = 'AAAUSDT';
let exchange: OpenedExchange;
let alice: AccountNumber;
let reported: string[];

beforeEach(async () => {
  exchange = await openExchange({
    market: new QuietMarket([quietFacts('AAA', 'USDT')]),
    clock: () => 1_000 as Millis,
    randomBytes: (size) => new Uint8Array(size),
    onFault: (fault) => {
      throw fault;
    },
  });
  alice = await exchange.openAccount('alice');
  await exchange.credit(alice, 'USDT', amount('1000'), 'quote');
  await exchange.credit(alice, 'AAA', amount('10'), 'base');
  reported = [];
  exchange.subscribe({
    onOrder: ({ cause, order }) => reported.push(`${order.clientId} ${cause} ${order.status}`),
  });
  trade(10_000);
});
afterEach(() => exchange.close());

function trade(price: number): void {
  const one = { price: price as Ticks, quantity: 1 as Lots };
  exchange.house.place(SYMBOL, { ...one, side: 'SELL', kind: 'GTC' });
  exchange.house.place(SYMBOL, { ...one, side: 'BUY', kind: 'IOC' });
}
const waiting = (clientId: string, more: Partial<NewSimOrder>): NewSimOrder => ({
  ...{ account: alice, symbol: SYMBOL, side: 'SELL', kind: 'LIMIT', timeInForce: 'GTC', clientId },
  ...{ price: 9_800 as Ticks, quantity: 1_000 as Lots, selfTradePrevention: 'NONE' },
  trigger: { purpose: 'STOP', price: 9_900 as Ticks },
  ...more,
});
async function place(clientId: string, more: Partial<NewSimOrder> = {}): Promise<SimOrder> {
  const placed = await exchange.place(waiting(clientId, more));
  if (!placed.ok) throw new Error(placed.code);
  return placed.value.order;
}
async function change(...changes: readonly [SimOrder, WaitingChange][]): Promise<string> {
  const asked = new Map(changes.map(([{ orderId }, one]) => [orderId, one]));
  const done = await exchange.amendWaiting(alice, SYMBOL, asked);
  return done.ok ? 'changed' : done.code;
}
const order = (clientId: string) => exchange.order(alice, SYMBOL, { clientId });
const ticks = (price: number) => price as Ticks;
const lots = (quantity: number) => quantity as Lots;
const locked = (asset: string) => exchange.balances(alice).find((one) => one.asset === asset)?.locked ?? 0n;

test('an order waits for its new price and sends what it then says', async () => {
  const stop = await place('stop');
  expect(await change([stop, { trigger: ticks(9_500), price: ticks(9_400), quantity: lots(500) }])).toBe(
    'changed',
  );
  expect([reported.at(-1), locked('AAA')]).toEqual(['stop REPLACED NEW', amount('0.5')]);
  trade(9_900);
  expect(order('stop')).toMatchObject({ price: 9_400, quantity: 500 });
  expect(order('stop')?.workingSince).toBeUndefined();
  trade(9_500);
  expect(order('stop')).toMatchObject({ status: 'NEW', workingSince: 1_000 });
  expect(await change([stop, { trigger: ticks(9_000) }])).toBe('UNKNOWN_ORDER');
});

test('a limit becomes a market order and back, with what a purchase locks', async () => {
  const trigger = { purpose: 'STOP', price: ticks(10_500) } as const;
  const stop = await place('buys', { side: 'BUY', price: ticks(10_600), trigger });
  expect(locked('USDT')).toBe(amount('106'));
  expect(await change([stop, { price: 'MARKET' }])).toBe('changed');
  expect([order('buys')?.kind, order('buys')?.price, locked('USDT')]).toEqual([
    ...['MARKET', undefined, amount('105')],
  ]);
  expect(await change([stop, { price: ticks(10_800) }])).toBe('changed');
  expect([order('buys')?.kind, locked('USDT')]).toEqual(['LIMIT', amount('108')]);
  expect(await change([stop, { quantity: lots(20_000) }])).toBe('INSUFFICIENT_BALANCE');
  expect(await change([stop, { quantity: lots(9_000) }])).toBe('changed');
});

test('a pair changes together or not at all, and locks once', async () => {
  const target = waiting('up', {
    trigger: { purpose: 'TAKE_PROFIT', price: ticks(10_200) },
    price: ticks(10_100),
  });
  const placed = await exchange.placeList({
    ...{ account: alice, symbol: SYMBOL, clientId: 'list', others: [target, waiting('down', {})] },
  });
  if (!placed.ok) throw new Error(placed.code);
  const [up, down] = placed.value.map((report) => report.order);
  if (up === undefined || down === undefined) throw new Error('two were placed');
  const both = { quantity: lots(400) };
  expect(await change([up, both], [down, { ...both, trigger: ticks(10_300) }])).toBe('LIST_PRICES');
  expect(await change([up, both], [down, { trigger: ticks(9_700) }])).toBe('LOT_SIZE');
  expect(await change([down, both])).toBe('UNKNOWN_ORDER');
  expect(order('up')?.quantity).toBe(1_000);
  expect(await change([up, both], [down, { ...both, trigger: ticks(9_700) }])).toBe('changed');
  expect([order('up')?.quantity, order('down')?.trigger?.price, locked('AAA')]).toEqual([
    ...[400, 9_700, amount('0.4')],
  ]);
  trade(9_700);
  expect([order('up')?.status, order('down')?.workingSince]).toEqual(['EXPIRED', 1_000]);
});

test('what follows the price by a distance fires so far behind its best; changed, it follows anew', async () => {
  const trail = await place('trail', { trigger: { purpose: 'TAKE_PROFIT', trailingTicks: ticks(300) } });
  trade(10_400);
  trade(10_150);
  expect(order('trail')?.trailing?.best).toBe(10_400);
  expect(await change([trail, { back: { ticks: ticks(200) } }])).toBe('changed');
  expect(order('trail')).toMatchObject({ trailing: { best: 10_150 }, trigger: { trailingTicks: 200 } });
  trade(9_951);
  expect(order('trail')?.workingSince).toBeUndefined();
  trade(9_950);
  expect(order('trail')?.workingSince).toBe(1_000);
});

test('what trails waits for a new activation, and for one that is reached it is refused', async () => {
  const trail = await place('trail', { trigger: { purpose: 'TAKE_PROFIT', trailingBips: 100 } });
  expect(await change([trail, { trigger: ticks(9_900) }])).toBe('WOULD_TRIGGER');
  expect(await change([trail, { back: { bips: 9 } }])).toBe('TRAILING_DELTA');
  expect(await change([trail, { trigger: ticks(10_500), back: { bips: 200 } }])).toBe('changed');
  expect(order('trail')?.trigger).toMatchObject({ price: 10_500, trailingBips: 200 });
  expect(order('trail')?.trailing).toBeUndefined();
  trade(9_000);
  expect(order('trail')?.workingSince).toBeUndefined();
  trade(10_500);
  trade(10_290);
  expect(order('trail')?.workingSince).toBe(1_000);
});

test.each<[string, WaitingChange, string]>([
  ['a price off the scale', { trigger: ticks(0.5) }, 'PRICE_FILTER'],
  ['a price that is there', { trigger: ticks(10_000) }, 'WOULD_TRIGGER'],
  ['a limit off the scale', { price: ticks(0) }, 'PRICE_FILTER'],
  ['no quantity', { quantity: lots(0) }, 'LOT_SIZE'],
  ['more than there is', { quantity: lots(10_001) }, 'INSUFFICIENT_BALANCE'],
])('%s changes nothing', async (_, asked, code) => {
  const stop = await place('stop');
  expect(await change([stop, asked])).toBe(code);
  expect(order('stop')).toEqual(stop);
});

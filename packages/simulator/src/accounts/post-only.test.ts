import { amount, type Lots, type Millis, type Ticks } from '@crossbook/domain';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type OpenedExchange, openExchange } from '../core.ts';
import type { AccountNumber, NewSimOrder } from '../exchange.ts';
import { QuietMarket, quietFacts } from './quiet-market.fixture.ts';

let exchange: OpenedExchange;
let account: AccountNumber;

beforeEach(async () => {
  exchange = await openExchange({
    market: new QuietMarket([quietFacts('AAA', 'USDT')]),
    clock: () => 1_000 as Millis,
    randomBytes: (size) => new Uint8Array(size),
    onFault: (fault) => {
      throw fault;
    },
  });
  account = await exchange.openAccount('alice');
  await exchange.credit(account, 'USDT', amount('1000'), 'one');
  exchange.house.place('AAAUSDT', {
    side: 'SELL',
    kind: 'GTC',
    price: 10_000 as Ticks,
    quantity: 500 as Lots,
  });
});
afterEach(() => exchange.close());

const taking = (): NewSimOrder => ({
  account,
  symbol: 'AAAUSDT',
  side: 'BUY',
  kind: 'LIMIT_MAKER',
  timeInForce: 'GTC',
  price: 10_000 as Ticks,
  quantity: 100 as Lots,
  clientId: 'mine',
  selfTradePrevention: 'NONE',
});

test('a post-only order that would take is refused, or where the venue takes it on expires under an id of its own', async () => {
  expect(await exchange.place(taking())).toEqual({ ok: false, code: 'WOULD_TAKE' });
  const causes: string[] = [];
  exchange.subscribe({ onOrder: ({ cause }) => causes.push(cause) });
  const first = await exchange.place({ ...taking(), whenTaking: 'EXPIRE' });
  const second = await exchange.place({ ...taking(), whenTaking: 'EXPIRE' });
  if (!first.ok || !second.ok) throw new Error('both are taken on');
  expect(first.value).toMatchObject({ order: { status: 'EXPIRED', executed: 0 }, fills: [] });
  expect(second.value.order.orderId).toBeGreaterThan(first.value.order.orderId);
  expect(causes).toEqual(['NEW', 'EXPIRED', 'NEW', 'EXPIRED']);
  expect(exchange.balances(account)).toEqual([{ asset: 'USDT', free: amount('1000'), locked: 0n }]);
  expect(exchange.depth('AAAUSDT', 5).asks).toEqual([[10_000, 500]]);
});

test('one that rests is not touched by it', async () => {
  const placed = await exchange.place({ ...taking(), price: 9_999 as Ticks, whenTaking: 'EXPIRE' });
  expect(placed).toMatchObject({ ok: true, value: { order: { status: 'NEW' } } });
  expect(exchange.depth('AAAUSDT', 5).bids).toEqual([[9_999, 100]]);
});

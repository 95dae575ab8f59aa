import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { amount, formatAmount, type Lots, type Millis, type Ticks } from '@crossbook/domain';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type OpenedExchange, openExchange } from '../core.ts';
import type { AccountNumber, ExchangeListener, NewSimOrder, SimOrder } from '../exchange.ts';
import { QuietMarket, quietFacts } from './quiet-market.fixture.ts';

/** Spot orders that wait for a price, lists of them, and icebergs. One tick is 0.01; prices below are in ticks. */

const SYMBOL = 'AAAUSDT';
let exchange: OpenedExchange;
let market: QuietMarket;
let alice: AccountNumber;
let bob: AccountNumber;
let heard: string[];
let count = 0;

async function openWith(dataDirectory?: string): Promise<void> {
  market = new QuietMarket([quietFacts('AAA', 'USDT')]);
  exchange = await openExchange({
    market,
    clock: () => 1_000 as Millis,
    randomBytes: (size) => new Uint8Array(size),
    onFault: (fault) => {
      throw fault;
    },
    ...(dataDirectory === undefined ? {} : { dataDirectory }),
  });
  heard = [];
  const listener: ExchangeListener = {
    onOrder: ({ cause, order }) =>
      heard.push(
        `${order.clientId} ${cause} ${order.status}${order.expiry === undefined ? '' : ` ${order.expiry}`}`,
      ),
    onOrderList: ({ cause, orders }) => heard.push(`${orders[0]?.list?.clientId} ${cause}`),
  };
  exchange.subscribe(listener);
}

beforeEach(async () => {
  await openWith();
  alice = await exchange.openAccount('alice');
  bob = await exchange.openAccount('bob');
  for (const account of [alice, bob]) {
    await exchange.credit(account, 'USDT', amount('10000'), `${account} USDT`);
    await exchange.credit(account, 'AAA', amount('100'), `${account} AAA`);
  }
  count = 0;
});
afterEach(() => exchange.close());

/** Alice sells 1.000 at market once told so, unless told otherwise. */
function asked(changes: Partial<NewSimOrder> = {}): NewSimOrder {
  count += 1;
  return {
    account: alice,
    symbol: SYMBOL,
    side: 'SELL',
    kind: 'LIMIT',
    timeInForce: 'GTC',
    quantity: 1_000 as Lots,
    clientId: `o${count}`,
    selfTradePrevention: 'NONE',
    ...changes,
  };
}
const at = (price: number) => ({ price: price as Ticks });
const stop = (price: number, more: Partial<NewSimOrder> = {}) =>
  asked({ kind: 'MARKET', timeInForce: 'IOC', trigger: { purpose: 'STOP', ...at(price) }, ...more });
const target = (price: number, more: Partial<NewSimOrder> = {}) =>
  stop(price, { trigger: { purpose: 'TAKE_PROFIT', ...at(price) }, ...more });
async function place(order: NewSimOrder): Promise<SimOrder> {
  const placed = await exchange.place(order);
  if (!placed.ok) throw new Error(placed.code);
  return placed.value.order;
}
const refusalOf = async (order: NewSimOrder) => {
  const placed = await exchange.place(order);
  return placed.ok ? undefined : placed.code;
};
const placeList = (others: readonly NewSimOrder[], working?: NewSimOrder) =>
  exchange.placeList({
    account: alice,
    symbol: SYMBOL,
    clientId: 'list',
    others,
    ...(working === undefined ? {} : { working }),
  });
function house(side: 'BUY' | 'SELL', kind: 'GTC' | 'IOC', price: number, quantity: number): void {
  exchange.house.place(SYMBOL, { side, kind, price: price as Ticks, quantity: quantity as Lots });
}
/** One lot is traded at a price. */
function trade(price: number): void {
  house('SELL', 'GTC', price, 1);
  house('BUY', 'IOC', price, 1);
}
const order = (clientId: string, account = alice) => exchange.order(account, SYMBOL, { clientId });
const status = (clientId: string) => order(clientId)?.status;
const held = (asset: string, account = alice) => {
  const balance = exchange.balances(account).find((one) => one.asset === asset);
  return [formatAmount(balance?.free ?? amount('0')), formatAmount(balance?.locked ?? amount('0'))];
};

describe('a price that is waited for', () => {
  test.each([
    { name: 'a stop that sells', side: 'SELL', purpose: 'STOP', price: 9_900, short: 9_901 },
    { name: 'a stop that buys', side: 'BUY', purpose: 'STOP', price: 10_100, short: 10_099 },
    { name: 'a target that sells', side: 'SELL', purpose: 'TAKE_PROFIT', price: 10_100, short: 10_099 },
    { name: 'a target that buys', side: 'BUY', purpose: 'TAKE_PROFIT', price: 9_900, short: 9_901 },
  ] as const)(
    '$name fires when a trade reaches it, not a tick before',
    async ({ side, purpose, price, short }) => {
      house('BUY', 'GTC', 9_000, 5_000);
      house('SELL', 'GTC', 11_000, 5_000);
      const placed = await place(stop(price, { side, trigger: { purpose, ...at(price) } }));
      expect([placed.status, placed.workingSince]).toEqual(['NEW', undefined]);
      trade(short);
      expect(status('o1')).toBe('NEW');
      trade(price);
      expect([status('o1'), order('o1')?.workingSince, order('o1')?.executed]).toEqual([
        'FILLED',
        1_000,
        1_000,
      ]);
    },
  );

  test.each([
    ['a stop that sells', stop(10_000)],
    ['a stop that buys', stop(10_000, { side: 'BUY' })],
    ['a target that sells', target(9_999)],
    ['a target that buys', target(10_001, { side: 'BUY' })],
  ])('%s is refused where the price is there already', async (_, order) => {
    expect(await refusalOf({ ...order, account: alice })).toBe('WOULD_TRIGGER');
  });

  test('what it may cost is locked from its placing on, and given back', async () => {
    await place(stop(10_100, { side: 'BUY' }));
    expect(held('USDT')).toEqual(['9899', '101']);
    await place(stop(10_100, { side: 'BUY', kind: 'LIMIT', timeInForce: 'GTC', ...at(10_200) }));
    await place(stop(9_900));
    expect([held('USDT'), held('AAA')]).toEqual([
      ['9797', '203'],
      ['99', '1'],
    ]);
    for (const clientId of ['o1', 'o2', 'o3']) await exchange.cancel(alice, SYMBOL, { clientId });
    expect([held('USDT'), held('AAA')]).toEqual([
      ['10000', '0'],
      ['100', '0'],
    ]);
  });

  test('a jump over several fires each, the first placed first; what one trades may fire the next', async () => {
    house('BUY', 'GTC', 9_850, 1_000);
    house('BUY', 'GTC', 9_700, 9_000);
    await place(stop(9_750));
    await place(stop(9_880));
    await place(stop(9_890));
    // o2 takes the bid at 9850, o3 what is at 9700, and that fires o1.
    trade(9_880);
    await exchange.durable();
    expect(heard.filter((line) => line.includes('TRIGGERED'))).toEqual([
      'o2 TRIGGERED NEW',
      'o3 TRIGGERED NEW',
      'o1 TRIGGERED NEW',
    ]);
    expect(['o1', 'o2', 'o3'].map(status)).toEqual(['FILLED', 'FILLED', 'FILLED']);
  });

  test('a limit order keeps its id when it fires, and rests behind those that were there', async () => {
    const placed = await place(stop(9_900, { kind: 'LIMIT', timeInForce: 'GTC', ...at(9_950) }));
    house('SELL', 'GTC', 9_950, 10);
    trade(9_900);
    expect([order('o1')?.orderId, status('o1')]).toEqual([placed.orderId, 'NEW']);
    house('BUY', 'IOC', 9_950, 15);
    expect([order('o1')?.executed, status('o1')]).toEqual([5, 'PARTIALLY_FILLED']);
  });

  test('a market order that slipped beyond what its account has expires', async () => {
    house('SELL', 'GTC', 15_000, 200_000);
    await place(stop(10_100, { side: 'BUY', quantity: 90_000 as Lots }));
    trade(10_100);
    expect([status('o1'), order('o1')?.expiry]).toEqual(['EXPIRED', 'REFUSED']);
    expect(held('USDT')).toEqual(['10000', '0']);
  });

  test('one that is funded when it fires locks nothing before, and is refused where there is not enough', async () => {
    house('BUY', 'GTC', 9_800, 90_000);
    const late = { purpose: 'STOP', ...at(9_900), fundedWhenFired: true } as const;
    await place(stop(0, { trigger: late, quantity: 80_000 as Lots }));
    await place(stop(0, { trigger: late, quantity: 80_000 as Lots }));
    expect(held('AAA')).toEqual(['100', '0']);
    trade(9_900);
    expect([status('o1'), status('o2'), order('o2')?.expiry]).toEqual(['FILLED', 'EXPIRED', 'REFUSED']);
  });

  test('an account has five of them in a market, and no more', async () => {
    for (let n = 0; n < 5; n += 1) await place(stop(9_900));
    expect(await refusalOf(stop(9_900))).toBe('MAX_NUM_ALGO_ORDERS');
    await exchange.cancel(alice, SYMBOL, { clientId: 'o1' });
    expect(await refusalOf(stop(9_900))).toBeUndefined();
  });

  test('its quantity may be lowered while it waits', async () => {
    const { orderId } = await place(stop(9_900));
    const amended = await exchange.amendKeepPriority(alice, SYMBOL, { orderId }, 400 as Lots);
    expect([amended.ok, held('AAA')]).toEqual([true, ['99.6', '0.4']]);
  });
});

describe('trailing', () => {
  // The scenarios of binance-spot-api-docs, faqs/trailing-stop-faq.md, prices by four.
  test.each([
    {
      name: 'A',
      side: 'BUY',
      purpose: 'STOP',
      price: 11_000,
      bips: 500,
      quiet: [9_250, 11_000, 11_500, 10_500, 11_024],
      fires: 11_025,
    },
    {
      name: 'B',
      side: 'SELL',
      purpose: 'STOP',
      price: 9_750,
      bips: 1_000,
      quiet: [10_375, 9_750, 9_250, 10_250, 9_226],
      fires: 9_225,
    },
    {
      name: 'C',
      side: 'BUY',
      purpose: 'TAKE_PROFIT',
      price: 9_500,
      bips: 850,
      quiet: [10_500, 9_500, 9_250, 9_750, 10_036],
      fires: 10_037,
    },
    {
      name: 'D',
      side: 'SELL',
      purpose: 'TAKE_PROFIT',
      price: 10_500,
      bips: 750,
      quiet: [10_375, 9_750, 10_500, 11_250, 11_625, 10_754],
      fires: 10_753,
    },
    {
      name: 'E',
      side: 'SELL',
      purpose: 'STOP',
      price: undefined,
      bips: 700,
      quiet: [10_500, 9_875, 11_375, 10_579],
      fires: 10_578,
    },
  ] as const)(
    'scenario $name of the venue',
    async ({ side, purpose, price, bips: trailingBips, quiet, fires }) => {
      house('BUY', 'GTC', 8_000, 9_000);
      house('SELL', 'GTC', 13_000, 9_000);
      const named = price === undefined ? {} : at(price);
      await place(stop(0, { side, trigger: { purpose, ...named, trailingBips } }));
      for (const seen of quiet) trade(seen);
      expect(status('o1')).toBe('NEW');
      trade(fires);
      expect(status('o1')).toBe('FILLED');
    },
  );

  test.each([
    [9, 'TRAILING_DELTA'],
    [2_001, 'TRAILING_DELTA'],
    [10, undefined],
    [2_000, undefined],
  ])('%s hundredths of a percent', async (trailingBips, refusal) => {
    expect(await refusalOf(stop(0, { trigger: { purpose: 'STOP', trailingBips } }))).toBe(refusal);
  });
});

describe('lists', () => {
  const pair = (changes: Partial<NewSimOrder> = {}) => [
    asked({ kind: 'LIMIT_MAKER', ...at(10_100), ...changes }),
    stop(9_900, changes),
  ];

  test('of a pair the limit order that fills ends the other, even in part', async () => {
    expect((await placeList(pair())).ok).toBe(true);
    expect(held('AAA')).toEqual(['99', '1']);
    house('BUY', 'IOC', 10_100, 400);
    expect([status('o1'), status('o2'), order('o2')?.expiry]).toEqual([
      'PARTIALLY_FILLED',
      'EXPIRED',
      'OTHER_LEG',
    ]);
    expect(held('AAA')).toEqual(['99', '0.6']);
    house('BUY', 'IOC', 10_100, 600);
    await exchange.durable();
    expect(heard).toEqual([
      ...['o1 NEW NEW', 'o2 NEW NEW', 'list STARTED'],
      ...['o1 TRADE PARTIALLY_FILLED', 'o2 EXPIRED EXPIRED OTHER_LEG', 'o1 TRADE FILLED', 'list DONE'],
    ]);
  });

  test('of a pair the stop that fires ends the other first', async () => {
    house('BUY', 'GTC', 9_800, 5_000);
    await placeList(pair());
    trade(9_900);
    await exchange.durable();
    expect(heard.slice(3)).toEqual([
      ...['o2 TRIGGERED NEW', 'o1 EXPIRED EXPIRED OTHER_LEG', 'o2 TRADE FILLED', 'list DONE'],
    ]);
  });

  test('a pair that buys locks once, at its dearer order', async () => {
    const dear = [
      asked({ side: 'BUY', kind: 'LIMIT_MAKER', ...at(9_900) }),
      stop(10_100, { side: 'BUY', kind: 'LIMIT', timeInForce: 'GTC', ...at(10_300) }),
    ];
    await placeList(dear);
    expect(held('USDT')).toEqual(['9897', '103']);
    house('SELL', 'IOC', 9_900, 500);
    expect(held('USDT')).toEqual(['9901', '49.5']);
  });

  test('cancelling one order of a list cancels the list', async () => {
    await placeList(pair());
    const done = await exchange.cancel(alice, SYMBOL, { clientId: 'o2' });
    expect([done.ok, status('o1'), status('o2'), held('AAA')]).toEqual([
      true,
      'CANCELED',
      'CANCELED',
      ['100', '0'],
    ]);
    expect(exchange.openOrders(alice)).toEqual([]);
  });

  test('lowering one order of a pair lowers both; a new client id is told of the list', async () => {
    await placeList(pair());
    const ref = { clientId: 'o2' };
    expect((await exchange.amendKeepPriority(alice, SYMBOL, ref, 400 as Lots, 'new')).ok).toBe(true);
    expect([order('o1')?.quantity, order('new')?.quantity, held('AAA')]).toEqual([400, 400, ['99.6', '0.4']]);
    expect(exchange.depth(SYMBOL, 5).asks).toEqual([[10_100, 400]]);
    expect(heard.at(-1)).toBe('list UPDATED');
  });

  test('what is pending locks nothing, and is placed when the working order is filled', async () => {
    const working = asked({ side: 'BUY', ...at(9_950) });
    expect((await placeList(pair(), working)).ok).toBe(true);
    expect(['o2', 'o3', 'o1'].map(status)).toEqual(['PENDING_NEW', 'PENDING_NEW', 'NEW']);
    expect([held('USDT'), held('AAA')]).toEqual([
      ['9900.5', '99.5'],
      ['100', '0'],
    ]);
    house('SELL', 'IOC', 9_950, 999);
    expect(['o2', 'o3', 'o1'].map(status)).toEqual(['PENDING_NEW', 'PENDING_NEW', 'PARTIALLY_FILLED']);
    house('SELL', 'IOC', 9_950, 1);
    expect(['o2', 'o3', 'o1'].map(status)).toEqual(['NEW', 'NEW', 'FILLED']);
    expect(held('AAA')).toEqual(['99.999', '1']);
  });

  test('a working order that ends unfilled ends what is pending', async () => {
    await placeList([stop(9_900)], asked({ side: 'BUY', timeInForce: 'IOC', ...at(9_000) }));
    expect([status('o1'), order('o1')?.expiry, status('o2')]).toEqual([
      'EXPIRED',
      'WORKING_ORDER',
      'EXPIRED',
    ]);
  });

  test('what is pending is refused as a whole where its funds are not there', async () => {
    await placeList(pair({ quantity: 100_000 as Lots }), asked({ side: 'SELL', ...at(10_000) }));
    house('BUY', 'IOC', 10_000, 1_000);
    expect([order('o1')?.expiry, order('o2')?.expiry, held('AAA')]).toEqual([
      'REFUSED',
      'REFUSED',
      ['99', '0'],
    ]);
  });

  test.each([
    ['both above', [asked({ kind: 'LIMIT_MAKER', ...at(10_100) }), target(10_200)]],
    ['the stop above', [asked({ kind: 'LIMIT_MAKER', ...at(10_100) }), stop(10_050)]],
    ['the limit below', [asked({ kind: 'LIMIT_MAKER', ...at(9_990) }), stop(9_900)]],
  ])('prices of a pair stand on both sides of the last: %s', async (_, others) => {
    const done = await placeList(others.map((one) => ({ ...one, account: alice })));
    expect(done.ok ? undefined : done.code).toBe('LIST_PRICES');
    expect(exchange.openOrders(alice)).toEqual([]);
  });

  test('lists are found by either id, open and closed', async () => {
    await placeList(pair());
    const list = exchange.orderList(alice, { clientId: 'list' });
    expect([list?.open, list?.contingency, list?.orders.length]).toEqual([true, 'OCO', 2]);
    await exchange.cancel(alice, SYMBOL, { clientId: 'o1' });
    expect(exchange.orderList(alice, { listId: list?.listId ?? 0 })?.open).toBe(false);
    expect(exchange.orderLists(bob)).toEqual([]);
  });
});

describe('an iceberg', () => {
  test('shows a part, which comes again from behind, until all is filled', async () => {
    await place(asked({ ...at(10_000), visible: 300 as Lots }));
    await place(asked({ account: bob, quantity: 200 as Lots, ...at(10_000) }));
    expect(exchange.depth(SYMBOL, 5).asks).toEqual([[10_000, 500]]);
    house('BUY', 'IOC', 10_000, 300);
    expect([order('o1')?.executed, exchange.depth(SYMBOL, 5).asks]).toEqual([300, [[10_000, 500]]]);
    house('BUY', 'IOC', 10_000, 200);
    expect([order('o1')?.executed, order('o2', bob)?.status]).toEqual([300, 'FILLED']);
    house('BUY', 'IOC', 10_000, 900);
    const fills = exchange.fills(alice, SYMBOL, { limit: 10 }).map(({ quantity }) => quantity);
    expect([status('o1'), fills]).toEqual(['FILLED', [300, 300, 300, 100]]);
  });

  test.each([
    [1_001, 'ICEBERG_EXCEEDS'],
    [99, 'ICEBERG_PARTS'],
    [100, undefined],
  ])('%s of 1000 shown', async (visible, refusal) => {
    expect(await refusalOf(asked({ ...at(10_000), visible: visible as Lots }))).toBe(refusal);
  });
});

describe('across a downtime', () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'conditional-'));
    await exchange.close();
    await openWith(directory);
    alice = await exchange.openAccount('alice');
    for (const asset of ['AAA', 'USDT']) await exchange.credit(alice, asset, amount('1000'), asset);
  });
  afterEach(async () => {
    await exchange.close();
    await rm(directory, { recursive: true, force: true });
  });

  async function reopenAt(fair: number): Promise<void> {
    await exchange.close();
    market = new QuietMarket([quietFacts('AAA', 'USDT')]);
    market.fair = fair;
    exchange = await openExchange({
      market,
      clock: () => 2_000 as Millis,
      randomBytes: (size) => new Uint8Array(size),
      onFault: () => undefined,
      dataDirectory: directory,
    });
  }

  test('what the price passed fires as the market opens, in the order of its way; the others wait on', async () => {
    const bid = asked({ side: 'BUY', ...at(9_000), quantity: 2_000 as Lots });
    await place({ ...bid, clientId: 'bid' });
    await place(stop(9_850, { clientId: 'second' }));
    await place(stop(9_950, { clientId: 'first' }));
    await reopenAt(98);
    const fills = exchange.fills(alice, SYMBOL, { limit: 9 }).filter(({ maker }) => !maker);
    expect(fills.map(({ orderId }) => orderId)).toEqual(['first', 'second'].map((id) => order(id)?.orderId));
  });

  test('a limit order that fires as the market opens rests', async () => {
    count = 0;
    await place(stop(9_900, { kind: 'LIMIT', timeInForce: 'GTC', ...at(9_850) }));
    await place(stop(9_700, { kind: 'LIMIT', timeInForce: 'GTC', ...at(9_650) }));
    await place(target(10_200));
    await reopenAt(98);
    expect([order('o1')?.workingSince, order('o2')?.workingSince, status('o3')]).toEqual([
      2_000,
      undefined,
      'NEW',
    ]);
    expect(exchange.depth(SYMBOL, 5).asks).toEqual([[9_850, 1_000]]);
    trade(9_700);
    expect(order('o2')?.workingSince).toBe(2_000);
  });

  test('the best price of a trailing order is not forgotten', async () => {
    await place(stop(0, { kind: 'LIMIT', ...at(9_000), trigger: { purpose: 'STOP', trailingBips: 500 } }));
    trade(11_000);
    await exchange.durable();
    await reopenAt(105);
    expect(order('o1')?.trailing?.best).toBe(11_000);
    trade(10_450);
    expect(order('o1')?.workingSince).toBe(2_000);
  });

  test('what waits behind an order that waits itself comes once that has fired and filled, also if both were passed', async () => {
    const late = { purpose: 'TAKE_PROFIT', ...at(9_900), fundedWhenFired: true } as const;
    const bid = { side: 'BUY', trigger: late, ...at(9_950) } as const;
    count = 0;
    expect((await placeList([stop(9_700), target(10_100)], asked(bid))).ok).toBe(true);
    await reopenAt(100);
    expect([...['o3', 'o1', 'o2'].map(status), ...held('USDT')]).toEqual([
      ...['NEW', 'PENDING_NEW', 'PENDING_NEW'],
      ...['1000', '0'],
    ]);
    await reopenAt(98);
    expect([order('o3')?.workingSince, status('o1'), ...held('USDT')]).toEqual([
      ...[2_000, 'PENDING_NEW'],
      ...['900.5', '99.5'],
    ]);
    house('SELL', 'IOC', 9_950, 1_000);
    expect(['o3', 'o1', 'o2'].map(status)).toEqual(['FILLED', 'NEW', 'NEW']);
    trade(9_700);
    expect([order('o1')?.workingSince, status('o2')]).toEqual([2_000, 'EXPIRED']);
  });

  test('a pair that is open stays a pair', async () => {
    await placeList([asked({ kind: 'LIMIT_MAKER', ...at(10_100) }), stop(9_900)]);
    await reopenAt(100);
    expect(held('AAA')).toEqual(['999', '1']);
    house('BUY', 'IOC', 10_100, 1_000);
    expect([status('o1'), status('o2')]).toEqual(['FILLED', 'EXPIRED']);
  });
});

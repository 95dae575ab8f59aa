import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Amount, amount, formatAmount, type Lots, type Millis, type Ticks } from '@crossbook/domain';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { mayTrade } from './accounts/key-rights.ts';
import { QuietMarket, quietFacts } from './accounts/quiet-market.fixture.ts';
import { type OpenedExchange, openExchange } from './core.ts';
import type {
  AccountNumber,
  ExchangeListener,
  KeyRights,
  NewSimOrder,
  SimOrder,
  SimRefusal,
} from './exchange.ts';

const FACTS = quietFacts('AAA', 'USDT', { maxOpenOrders: 3 });
const ALICE = 1 as AccountNumber;
const BOB = 2 as AccountNumber;

let exchange: OpenedExchange;
let market: QuietMarket;
let faults: unknown[];
let time = 1_000;

function open(dataDirectory?: string): Promise<OpenedExchange> {
  market = new QuietMarket([FACTS, quietFacts('BBB', 'USDT')]);
  faults = [];
  return openExchange({
    market,
    clock: () => time as Millis,
    randomBytes: (size) => new Uint8Array(size).fill(time),
    onFault: (fault) => faults.push(fault),
    ...(dataDirectory === undefined ? {} : { dataDirectory }),
  });
}

async function fund(): Promise<void> {
  for (const [account, label] of [
    [ALICE, 'alice'],
    [BOB, 'bob'],
  ] as const) {
    expect(await exchange.openAccount(label)).toBe(account);
    await exchange.credit(account, 'USDT', amount('10000'), `${label} usdt`);
    await exchange.credit(account, 'AAA', amount('100'), `${label} aaa`);
  }
}

beforeEach(async () => {
  exchange = await open();
  await fund();
});
afterEach(() => exchange.close());

let count = 0;
/** An order of Alice: buys 1.000 at 100.00 unless told otherwise. */
function order(changes: Partial<NewSimOrder> = {}): NewSimOrder {
  count += 1;
  const sized = 'quoteQuantity' in changes ? {} : { quantity: 1_000 as Lots };
  const priced = changes.kind === 'MARKET' ? {} : { price: 10_000 as Ticks };
  return {
    account: ALICE,
    symbol: 'AAAUSDT',
    side: 'BUY',
    kind: 'LIMIT',
    timeInForce: 'GTC',
    ...sized,
    ...priced,
    clientId: `c${count}`,
    selfTradePrevention: 'NONE',
    ...changes,
  };
}

async function placed(changes: Partial<NewSimOrder> = {}) {
  const done = await exchange.place(order(changes));
  if (!done.ok) throw new Error(`refused: ${done.code}`);
  return done.value;
}

function house(side: 'BUY' | 'SELL', price: number, quantity: number): void {
  exchange.house.place('AAAUSDT', { side, kind: 'GTC', price: price as Ticks, quantity: quantity as Lots });
}

function funds(account: AccountNumber): Record<string, string> {
  return Object.fromEntries(
    exchange
      .balances(account)
      .map(({ asset, free, locked }) => [asset, `${formatAmount(free)} + ${formatAmount(locked)}`]),
  );
}

describe('money', () => {
  test('a resting buy locks price times quantity and a cancel gives it back', async () => {
    const { order: resting } = await placed({ quantity: 1_234 as Lots });
    expect(funds(ALICE)).toEqual({ USDT: '9876.6 + 123.4', AAA: '100 + 0' });
    await exchange.cancel(ALICE, 'AAAUSDT', { orderId: resting.orderId });
    expect(funds(ALICE)).toEqual({ USDT: '10000 + 0', AAA: '100 + 0' });
  });

  test('a taker pays the maker price, and both pay their fee from what arrives', async () => {
    await placed({ account: BOB, side: 'SELL', price: 9_900 as Ticks, quantity: 400 as Lots });
    const { order: taker, fills } = await placed();
    expect(taker).toMatchObject({ status: 'PARTIALLY_FILLED', executed: 400, executedQuote: amount('39.6') });
    expect(fills).toMatchObject([
      { price: 9_900, quantity: 400, maker: false, fee: amount('0.0008'), feeAsset: 'AAA' },
    ]);
    // 39.6 paid, 0.6 at 100 still locked; 0.4 received less 20 basis points.
    expect(funds(ALICE)).toEqual({ USDT: '9900.4 + 60', AAA: '100.3992 + 0' });
    // 39.6 received less 10 basis points.
    expect(funds(BOB)).toEqual({ USDT: '10039.5604 + 0', AAA: '99.6 + 0' });
  });

  test('a market buy by quote amount spends at most that, in whole lots, and is then filled', async () => {
    house('SELL', 10_000, 500);
    house('SELL', 10_003, 5_000);
    const { order: done } = await placed({ kind: 'MARKET', quoteQuantity: amount('60') });
    // 50 for the first level; 10 buys 99 lots at 100.03 (9.90297), not 100.
    expect(done).toMatchObject({ status: 'FILLED', executed: 599, executedQuote: amount('59.90297') });
  });

  test('a market order that empties the book expires with what it got', async () => {
    house('SELL', 10_000, 500);
    expect((await placed({ kind: 'MARKET' })).order).toMatchObject({ status: 'EXPIRED', executed: 500 });
    expect(exchange.depth('AAAUSDT', 5).asks).toEqual([]);
    expect((await placed({ kind: 'MARKET' })).order).toMatchObject({ status: 'EXPIRED', executed: 0 });
  });

  test('a transfer under the same id happens once, and the id cannot be used for another', async () => {
    const move = { from: ALICE, to: BOB, asset: 'USDT', amount: amount('10'), transferId: 't1' };
    expect(await exchange.transfer(move)).toEqual({ ok: true, value: { sequence: 1 } });
    expect(await exchange.transfer(move)).toEqual({ ok: true, value: { sequence: 1 } });
    expect(await exchange.transfer({ ...move, amount: amount('11') })).toMatchObject({ code: 'ID_REUSED' });
    const dear = { ...move, amount: amount('99999'), transferId: 't2' };
    expect(await exchange.transfer(dear)).toMatchObject({ code: 'INSUFFICIENT_BALANCE' });
    expect(exchange.findTransfer('t1')).toMatchObject({ sequence: 1, amount: amount('10') });
    expect(exchange.findTransfer('t2')).toBeUndefined();
    expect(funds(ALICE)).toMatchObject({ USDT: '9990 + 0' });
    expect(await exchange.credit(ALICE, 'USDT', amount('5'), 'again')).toBe(true);
    expect(await exchange.credit(ALICE, 'USDT', amount('5'), 'again')).toBe(false);
    expect(funds(ALICE)).toMatchObject({ USDT: '9995 + 0' });
  });

  test('two transfers at once cannot spend the same funds', async () => {
    const moves = ['a', 'b', 'c'].map((transferId) =>
      exchange.transfer({ from: ALICE, to: BOB, asset: 'USDT', amount: amount('6000'), transferId }),
    );
    expect((await Promise.all(moves)).map((done) => done.ok)).toEqual([true, false, false]);
  });
});

describe('kinds of order', () => {
  test.each<[string, Partial<NewSimOrder>, Partial<SimOrder>]>([
    ['IOC keeps nothing resting', { timeInForce: 'IOC' }, { status: 'EXPIRED', executed: 400 as Lots }],
    ['FOK takes all or nothing', { timeInForce: 'FOK' }, { status: 'EXPIRED', executed: 0 as Lots }],
    [
      'FOK fills when there is enough',
      { timeInForce: 'FOK', quantity: 400 as Lots },
      { status: 'FILLED', executed: 400 as Lots },
    ],
    ['GTC rests', {}, { status: 'PARTIALLY_FILLED', executed: 400 as Lots }],
    [
      'post-only rests when it takes nothing',
      { kind: 'LIMIT_MAKER', price: 9_899 as Ticks },
      { status: 'NEW' },
    ],
  ])('%s', async (_, changes, expected) => {
    house('SELL', 9_900, 400);
    expect((await placed(changes)).order).toMatchObject(expected);
  });

  test.each<[NewSimOrder['selfTradePrevention'], string, string, string[]]>([
    ['NONE', 'FILLED', 'FILLED', ['NEW', 'TRADE', 'TRADE']],
    ['EXPIRE_TAKER', 'EXPIRED_IN_MATCH', 'NEW', ['NEW', 'TRADE_PREVENTION']],
    ['EXPIRE_MAKER', 'NEW', 'EXPIRED_IN_MATCH', ['NEW', 'TRADE_PREVENTION']],
    ['EXPIRE_BOTH', 'EXPIRED_IN_MATCH', 'EXPIRED_IN_MATCH', ['NEW', 'TRADE_PREVENTION', 'TRADE_PREVENTION']],
  ])(
    'self-trade prevention %s leaves the taker %s and the maker %s',
    async (selfTradePrevention, taker, maker, causes) => {
      const { order: resting } = await placed({ side: 'SELL' });
      const reported: string[] = [];
      exchange.subscribe({ onOrder: ({ cause }) => reported.push(cause) });
      const { order: taking } = await placed({ selfTradePrevention });
      expect(taking.status).toBe(taker);
      expect(exchange.order(ALICE, 'AAAUSDT', { orderId: resting.orderId })?.status).toBe(maker);
      expect(reported).toEqual(causes);
    },
  );

  test('an amended order keeps its place, releases its share and may take a new client id', async () => {
    const { order: first } = await placed({ clientId: 'first' });
    await placed({ account: BOB });
    const amended = await exchange.amendKeepPriority(
      ALICE,
      'AAAUSDT',
      { clientId: 'first' },
      600 as Lots,
      'second',
    );
    expect(amended).toMatchObject({
      ok: true,
      value: { order: { quantity: 600, clientId: 'second', status: 'NEW' } },
    });
    expect(funds(ALICE).USDT).toBe('9940 + 60');
    house('SELL', 10_000, 500);
    expect(exchange.order(ALICE, 'AAAUSDT', { orderId: first.orderId })?.executed).toBe(500);
    expect(exchange.openOrders(BOB)[0]?.executed).toBe(0);
    for (const [quantity, code] of [
      [600, 'LOT_SIZE'],
      [500, 'LOT_SIZE'],
      [0, 'LOT_SIZE'],
    ] as const) {
      const refused = await exchange.amendKeepPriority(
        ALICE,
        'AAAUSDT',
        { clientId: 'second' },
        quantity as Lots,
      );
      expect(refused).toMatchObject({ ok: false, code });
    }
    const unknown = await exchange.amendKeepPriority(BOB, 'AAAUSDT', { orderId: first.orderId }, 1 as Lots);
    expect(unknown).toMatchObject({ code: 'UNKNOWN_ORDER' });
  });
});

describe('refusals', () => {
  // In the order of the checks: each row breaks its own rule and every later one that it can.
  test.each<[SimRefusal, Partial<NewSimOrder>]>([
    ['UNKNOWN_SYMBOL', { symbol: 'NOPE', price: 0 as Ticks }],
    ['PRICE_FILTER', { price: 0 as Ticks, quantity: 0 as Lots }],
    ['PRICE_FILTER', { price: 1_000_001 as Ticks }],
    ['PRICE_FILTER', { price: 1.5 as Ticks }],
    ['LOT_SIZE', { quantity: 0 as Lots }],
    ['LOT_SIZE', { quantity: 1_000_001 as Lots }],
    ['LOT_SIZE', { quantity: -1 as Lots, price: 1 as Ticks }],
    ['MARKET_LOT_SIZE', { kind: 'MARKET', quantity: 100_001 as Lots }],
    ['NOTIONAL', { quantity: 9 as Lots, price: 10_000 as Ticks }],
    ['NOTIONAL', { quantity: 1_000_000 as Lots, price: 10_001 as Ticks }],
    ['NOTIONAL', { kind: 'MARKET', quantity: 9 as Lots }],
    ['NOTIONAL', { kind: 'MARKET', quoteQuantity: amount('0.99') }],
    ['NOTIONAL', { kind: 'MARKET', quoteQuantity: (10n ** 37n) as Amount }],
    ['PERCENT_PRICE_BY_SIDE', { price: 50_001 as Ticks, quantity: 10 as Lots }],
    ['PERCENT_PRICE_BY_SIDE', { price: 1_999 as Ticks, quantity: 1_000 as Lots }],
    ['INSUFFICIENT_BALANCE', { quantity: 100_001 as Lots, kind: 'LIMIT_MAKER' }],
    ['INSUFFICIENT_BALANCE', { side: 'SELL', quantity: 100_001 as Lots }],
    ['INSUFFICIENT_BALANCE', { kind: 'MARKET', quoteQuantity: amount('10000.01') }],
    ['WOULD_TAKE', { kind: 'LIMIT_MAKER', price: 9_900 as Ticks }],
  ])('%s for %o', async (code, changes) => {
    house('SELL', 9_900, 400);
    const before = funds(ALICE);
    expect(await exchange.place(order(changes))).toMatchObject({ ok: false, code });
    expect(exchange.check(order(changes))).toMatchObject({ ok: false, code });
    expect(funds(ALICE)).toEqual(before);
    expect(exchange.orders(ALICE, 'AAAUSDT', { limit: 10 })).toEqual([]);
  });

  test('a closed market comes before every filter, still cancels, and opens again', async () => {
    const { order: resting } = await placed();
    exchange.setStatus('AAAUSDT', 'BREAK');
    expect(exchange.markets.get('AAAUSDT')?.status).toBe('BREAK');
    expect(await exchange.place(order({ price: 0 as Ticks }))).toMatchObject({ code: 'MARKET_CLOSED' });
    house('SELL', 10_000, 400);
    expect(exchange.order(ALICE, 'AAAUSDT', { orderId: resting.orderId })?.executed).toBe(0);
    expect((await exchange.cancel(ALICE, 'AAAUSDT', { orderId: resting.orderId })).ok).toBe(true);
    exchange.setStatus('AAAUSDT', 'TRADING');
    expect((await exchange.place(order())).ok).toBe(true);
  });

  test('the number of open orders is bounded, and a client id is free again once its order is closed', async () => {
    const { order: first } = await placed({ clientId: 'mine' });
    expect(await exchange.place(order({ clientId: 'mine' }))).toMatchObject({ code: 'DUPLICATE_CLIENT_ID' });
    await placed();
    await placed();
    expect(await exchange.place(order())).toMatchObject({ code: 'MAX_NUM_ORDERS' });
    expect((await exchange.place(order({ timeInForce: 'IOC' }))).ok).toBe(true);
    await exchange.cancel(ALICE, 'AAAUSDT', { clientId: 'mine' });
    expect(await exchange.cancel(ALICE, 'AAAUSDT', { orderId: first.orderId })).toMatchObject({
      code: 'UNKNOWN_ORDER',
    });
    const { order: second } = await placed({ clientId: 'mine' });
    expect(exchange.order(ALICE, 'AAAUSDT', { clientId: 'mine' })?.orderId).toBe(second.orderId);
  });
});

describe('what is told, and when', () => {
  test('the book and the tape move at once; members hear only what is on disk, before the answer', async () => {
    const reported: string[] = [];
    const listener: ExchangeListener = {
      onBookChange: () => reported.push('book'),
      onTrade: () => reported.push('trade'),
      onOrder: ({ cause, order }) => reported.push(`${cause} ${order.account} ${order.status}`),
      onBalances: (account) => reported.push(`balances ${account}`),
    };
    await placed({ account: BOB, side: 'SELL', quantity: 400 as Lots });
    const end = exchange.subscribe(listener);
    const placing = exchange.place(order({ timeInForce: 'IOC' })).then(() => reported.push('answer'));
    expect(reported).toEqual(['trade', 'book']);
    await placing;
    expect(reported.slice(2)).toEqual([
      'NEW 1 NEW',
      'TRADE 2 FILLED',
      'TRADE 1 PARTIALLY_FILLED',
      'EXPIRED 1 EXPIRED',
      'balances 2',
      'balances 1',
      'answer',
    ]);
    end();
    await placed();
    expect(reported).toHaveLength(9);
  });

  test('a listener that throws is reported and disturbs nobody', async () => {
    exchange.subscribe({
      onOrder: () => {
        throw new Error('listener');
      },
    });
    const heard: string[] = [];
    exchange.subscribe({ onOrder: ({ cause }) => heard.push(cause) });
    expect((await placed()).order.status).toBe('NEW');
    expect(heard).toEqual(['NEW']);
    expect(faults).toHaveLength(1);
  });

  test('pages of orders and fills begin at an id or a time, and without either show the newest', async () => {
    for (let at = 0; at < 5; at += 1) {
      time += 10;
      house('SELL', 10_000, 10);
      await placed({ quantity: 10 as Lots });
    }
    const all = exchange.orders(ALICE, 'AAAUSDT', { limit: 10 });
    const ids = all.map((one) => one.orderId);
    expect(ids).toEqual([...ids].sort((a, b) => a - b));
    const shown = (page: Parameters<typeof exchange.orders>[2]) =>
      exchange.orders(ALICE, 'AAAUSDT', page).map((one) => ids.indexOf(one.orderId));
    expect(shown({ limit: 2 })).toEqual([3, 4]);
    expect(shown({ fromId: ids[1] ?? 0, limit: 2 })).toEqual([1, 2]);
    expect(shown({ startTime: (time - 20) as Millis, endTime: (time - 10) as Millis, limit: 5 })).toEqual([
      2, 3,
    ]);
    const fills = exchange.fills(ALICE, 'AAAUSDT', { limit: 3 });
    expect(fills).toHaveLength(3);
    const [middle] = fills;
    const orderId = middle?.orderId ?? all[0]?.orderId;
    expect(
      exchange.fills(ALICE, 'AAAUSDT', { limit: 9, ...(orderId === undefined ? {} : { orderId }) }),
    ).toEqual([middle]);
    expect(exchange.fills(ALICE, 'AAAUSDT', { fromId: middle?.tradeId ?? 0, limit: 9 })).toEqual(fills);
  });
});

describe('after a restart', () => {
  let directory = '';
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'exchange-'));
    await exchange.close();
    exchange = await open(directory);
    await fund();
  });
  afterEach(async () => {
    await exchange.close();
    await rm(directory, { recursive: true, force: true });
  });

  async function restart(fair: number): Promise<void> {
    await exchange.close();
    const reopened = open(directory);
    market.fair = fair;
    exchange = await reopened;
  }

  test('keys, status, orders under their ids, and their place in the queue are back', async () => {
    const key = await exchange.createKey(BOB);
    exchange.setStatus('BBBUSDT', 'BREAK');
    const { order: first } = await placed({ price: 9_990 as Ticks });
    const { order: second } = await placed({ account: BOB, price: 9_990 as Ticks });
    await restart(100);
    expect(exchange.keyOwner(key.apiKey)).toEqual({ account: BOB, secret: key.secret });
    expect(exchange.accountOfLabel('alice')).toBe(ALICE);
    expect(exchange.markets.get('BBBUSDT')?.status).toBe('BREAK');
    expect(exchange.openOrders(ALICE)).toEqual([first]);
    house('SELL', 9_990, 1_500);
    expect(exchange.order(ALICE, 'AAAUSDT', { orderId: first.orderId })?.status).toBe('FILLED');
    expect(exchange.order(BOB, 'AAAUSDT', { orderId: second.orderId })?.executed).toBe(500);
  });

  test('what a key may trade is back: as it was permitted last, and all where nothing was said', async () => {
    const made = async (rights?: KeyRights) => {
      time += 1;
      return (await exchange.createKey(BOB, undefined, rights)).apiKey;
    };
    const keys = [await made(), await made({ pairs: true, contracts: false }), await made()];
    await exchange.permitKey(keys[2] ?? '', { pairs: false, contracts: true });
    const rights = () =>
      keys.map((key) => [mayTrade(exchange, key, 'pairs'), mayTrade(exchange, key, 'contracts')]);
    const expected = [
      [true, true],
      [true, false],
      [false, true],
    ];
    // First from the journal, then from the snapshot.
    for (const _ of [1, 2, 3]) {
      expect(rights()).toEqual(expected);
      await restart(100);
    }
    await expect(exchange.permitKey('nobody', { pairs: true, contracts: true })).rejects.toThrow();
  });

  test('orders that the price went through while the venue was closed fill as maker at their own price', async () => {
    const { order: through } = await placed({ price: 9_900 as Ticks });
    const { order: below } = await placed({ price: 9_500 as Ticks });
    const { order: above } = await placed({ account: BOB, side: 'SELL', price: 10_100 as Ticks });
    await restart(98.5);
    expect(exchange.order(ALICE, 'AAAUSDT', { orderId: through.orderId })).toMatchObject({
      status: 'FILLED',
      executedQuote: amount('99'),
    });
    expect(exchange.fills(ALICE, 'AAAUSDT', { limit: 5 })).toMatchObject([{ price: 9_900, maker: true }]);
    expect(market.tape).toMatchObject([{ price: 9_900, quantity: 1_000, buyerIsMaker: true }]);
    expect(exchange.openOrders(ALICE).map((one) => one.orderId)).toEqual([below.orderId]);
    expect(exchange.openOrders(BOB).map((one) => one.orderId)).toEqual([above.orderId]);
    expect(funds(ALICE)).toEqual({ USDT: '9806 + 95', AAA: '100.999 + 0' });
  });
});

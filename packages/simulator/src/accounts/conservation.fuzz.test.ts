import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Amount, amount, type Lots, type Millis, type Ticks } from '@crossbook/domain';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../../../tests/property-runs.ts';
import { type ExchangeOptions, type OpenedExchange, openExchange } from '../core.ts';
import type { AccountNumber, NewSimOrder, SimOrderId } from '../exchange.ts';
import { brokenLists, brokenSums } from './exchange-sums.fixture.ts';
import { QuietMarket, quietFacts } from './quiet-market.fixture.ts';
import { isWaiting } from './state/terms.ts';

const MARKETS = [quietFacts('AAA', 'USDT'), quietFacts('BBB', 'USDT'), quietFacts('AAA', 'BBB')];
const SYMBOLS = MARKETS.map((facts) => facts.symbol);
const MEMBERS = [1, 2, 3] as AccountNumber[];

const placing = fc.record({
  do: fc.constant('place' as const),
  // 0 stands for the house.
  account: fc.integer({ min: 0, max: 3 }),
  symbol: fc.constantFrom(...SYMBOLS),
  side: fc.constantFrom('BUY' as const, 'SELL' as const),
  kind: fc.constantFrom('LIMIT' as const, 'LIMIT' as const, 'MARKET' as const, 'LIMIT_MAKER' as const),
  timeInForce: fc.constantFrom('GTC' as const, 'GTC' as const, 'IOC' as const, 'FOK' as const),
  price: fc.integer({ min: 9_980, max: 10_020 }),
  quantity: fc.integer({ min: 1, max: 900 }),
  byQuote: fc.boolean(),
  visible: fc.option(fc.integer({ min: 20, max: 300 }), { nil: undefined }),
  selfTradePrevention: fc.constantFrom(
    'NONE' as const,
    'EXPIRE_TAKER' as const,
    'EXPIRE_MAKER' as const,
    'EXPIRE_BOTH' as const,
  ),
});
/** Prices that the price will reach, and pass, while the others trade. */
const trigger = fc.record({
  purpose: fc.constantFrom('STOP' as const, 'TAKE_PROFIT' as const),
  price: fc.integer({ min: 9_970, max: 10_030 }).map((price) => price as Ticks),
  trailingBips: fc.option(fc.integer({ min: 10, max: 40 }), { nil: undefined }),
  unnamed: fc.boolean(),
  fundedWhenFired: fc.option(fc.constant(true as const), { nil: undefined, freq: 1 }),
});
const waiting = fc.record({
  do: fc.constant('wait' as const),
  account: fc.constantFrom(...MEMBERS),
  symbol: fc.constantFrom(...SYMBOLS),
  side: fc.constantFrom('BUY' as const, 'SELL' as const),
  market: fc.boolean(),
  price: fc.integer({ min: 9_980, max: 10_020 }),
  quantity: fc.integer({ min: 100, max: 900 }),
  trigger,
});
const listing = fc.record({
  do: fc.constant('list' as const),
  account: fc.constantFrom(...MEMBERS),
  symbol: fc.constantFrom(...SYMBOLS),
  side: fc.constantFrom('BUY' as const, 'SELL' as const),
  working: fc.option(fc.integer({ min: 9_990, max: 10_010 }), { nil: undefined }),
  follows: fc.boolean(),
  pair: fc.boolean(),
  quantity: fc.integer({ min: 100, max: 900 }),
  away: fc.integer({ min: 1, max: 20 }),
  stopLimit: fc.boolean(),
});
const operation = fc.oneof(
  { weight: 8, arbitrary: placing },
  { weight: 3, arbitrary: waiting },
  { weight: 3, arbitrary: listing },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('cancel' as const),
      account: fc.constantFrom(...MEMBERS),
      pick: fc.nat(20),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('amend' as const),
      account: fc.constantFrom(...MEMBERS),
      pick: fc.nat(20),
      quantity: fc.integer({ min: 1, max: 900 }),
      // With a price the order is matched anew; without one it can only shrink.
      price: fc.option(fc.integer({ min: 9_980, max: 10_020 }), { nil: undefined }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('transfer' as const),
      from: fc.constantFrom(...MEMBERS),
      to: fc.constantFrom(...MEMBERS),
      amount: fc.bigInt({ min: 1n, max: 200n * 10n ** 18n }),
      id: fc.nat(15),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('credit' as const),
      account: fc.constantFrom(...MEMBERS),
      id: fc.nat(5),
    }),
  },
);
type Operation = typeof operation extends fc.Arbitrary<infer Drawn> ? Drawn : never;

/** Drives an exchange and knows what was brought in. */
class Traffic {
  readonly brought = new Map<string, bigint>();
  readonly fates = new Set<string>();
  readonly #exchange: OpenedExchange;
  #count = 0;

  constructor(exchange: OpenedExchange) {
    this.#exchange = exchange;
  }

  async begin(): Promise<void> {
    for (const [at, account] of MEMBERS.entries()) {
      expect(await this.#exchange.openAccount(`member ${at}`)).toBe(account);
      for (const asset of ['AAA', 'BBB', 'USDT'])
        await this.#credit(account, asset, '300', `${account}${asset}`);
    }
  }

  async run(operation: Operation): Promise<void> {
    switch (operation.do) {
      case 'place':
        if (operation.account === 0) this.#placeHouse(operation);
        else await this.#place(operation);
        return;
      case 'wait':
        return await this.#wait(operation);
      case 'list':
        return await this.#placeList(operation);
      case 'cancel': {
        const order = this.#picked(operation.account, operation.pick);
        if (order === undefined) return;
        const done = await this.#exchange.cancel(operation.account, order.symbol, {
          clientId: order.clientId,
        });
        expect(done.ok && done.value.order.status).toBe('CANCELED');
        return;
      }
      case 'amend': {
        const { account, pick, price } = operation;
        const order = this.#picked(account, pick);
        if (order === undefined) return;
        const ref = { orderId: order.orderId };
        const quantity = operation.quantity as Lots;
        if (isWaiting(order)) {
          const change = { quantity, ...(price === undefined ? {} : { trigger: price as Ticks }) };
          const changes = new Map([[order.orderId, change]]);
          const changed = await this.#exchange.amendWaiting(account, order.symbol, changes);
          this.fates.add(changed.ok ? 'waits anew' : changed.code);
          return;
        }
        const done =
          price === undefined
            ? await this.#exchange.amendKeepPriority(account, order.symbol, ref, quantity)
            : await this.#exchange.amend(account, order.symbol, ref, { price: price as Ticks, quantity });
        this.fates.add(done.ok ? 'amended' : done.code);
        return;
      }
      case 'transfer': {
        const { from, to, id } = operation;
        const move = { from, to, asset: 'USDT', amount: operation.amount as Amount, transferId: `${id}` };
        const done = await this.#exchange.transfer(move);
        this.fates.add(done.ok ? 'transferred' : done.code);
        return;
      }
      case 'credit':
        await this.#credit(operation.account, 'USDT', '50', `${operation.id}`);
    }
  }

  async #credit(account: AccountNumber, asset: string, value: string, id: string): Promise<void> {
    const credited = await this.#exchange.credit(account, asset, amount(value), id);
    if (credited) this.brought.set(asset, (this.brought.get(asset) ?? 0n) + amount(value));
  }

  #placeHouse(drawn: Extract<Operation, { do: 'place' }>): void {
    const kind = drawn.kind === 'MARKET' ? 'MARKET' : drawn.timeInForce === 'GTC' ? 'GTC' : 'IOC';
    const price = drawn.price as Ticks;
    this.#exchange.house.place(drawn.symbol, {
      side: drawn.side,
      kind,
      quantity: drawn.quantity as Lots,
      ...(kind === 'MARKET' ? {} : { price }),
    });
  }

  async #place(drawn: Extract<Operation, { do: 'place' }>): Promise<void> {
    const { account, symbol, side, kind, timeInForce, selfTradePrevention, quantity } = drawn;
    this.#count += 1;
    const size =
      kind === 'MARKET' && drawn.byQuote
        ? { quoteQuantity: (BigInt(quantity) * 10n ** 17n + 7n) as Amount }
        : { quantity: quantity as Lots };
    const order: NewSimOrder = {
      account: account as AccountNumber,
      symbol,
      side,
      kind,
      timeInForce,
      selfTradePrevention,
      clientId: `c${this.#count}`,
      ...size,
      ...(kind === 'MARKET' ? {} : { price: drawn.price as Ticks }),
      ...(kind !== 'LIMIT' || timeInForce !== 'GTC' || drawn.visible === undefined
        ? {}
        : { visible: drawn.visible as Lots }),
    };
    await this.#send(order);
  }

  async #send(order: NewSimOrder): Promise<void> {
    const done = await this.#exchange.place(order);
    this.fates.add(done.ok ? done.value.order.status : done.code);
  }

  #asked(from: Pick<NewSimOrder, 'account' | 'symbol' | 'side'>, rest: Partial<NewSimOrder>): NewSimOrder {
    this.#count += 1;
    const { account, symbol, side } = from;
    const base = { account, symbol, side, kind: 'LIMIT', timeInForce: 'GTC' } as const;
    return { ...base, selfTradePrevention: 'NONE', clientId: `c${this.#count}`, ...rest };
  }

  async #wait(drawn: Extract<Operation, { do: 'wait' }>): Promise<void> {
    const { purpose, price, trailingBips, unnamed, fundedWhenFired } = drawn.trigger;
    const named = trailingBips !== undefined && unnamed ? {} : { price };
    const trails = trailingBips === undefined ? {} : { trailingBips };
    await this.#send(
      this.#asked(drawn, {
        quantity: drawn.quantity as Lots,
        trigger: {
          ...{ purpose, ...named, ...trails },
          ...(fundedWhenFired === undefined ? {} : { fundedWhenFired }),
        },
        ...(drawn.market
          ? { kind: 'MARKET' as const, timeInForce: 'IOC' as const }
          : { price: drawn.price as Ticks }),
      }),
    );
  }

  async #placeList(drawn: Extract<Operation, { do: 'list' }>): Promise<void> {
    const { account, symbol, side, away, working } = drawn;
    const quantity = drawn.quantity as Lots;
    const far = (by: number) => ((working ?? 10_000) + (side === 'BUY' ? -by : by)) as Ticks;
    const profit = this.#asked(drawn, { kind: 'LIMIT_MAKER', quantity, price: far(away) });
    const stopped = { quantity, trigger: { purpose: 'STOP' as const, price: far(-away) } };
    const stop = drawn.stopLimit
      ? this.#asked(drawn, { ...stopped, price: far(-away - 5) })
      : this.#asked(drawn, { ...stopped, kind: 'MARKET', timeInForce: 'IOC' });
    const other = { account, symbol, side: side === 'BUY' ? ('SELL' as const) : ('BUY' as const) };
    const done = await this.#exchange.placeList({
      ...{ account, symbol, clientId: `l${this.#count}` },
      ...(working === undefined
        ? {}
        : { working: this.#asked(other, { quantity, price: working as Ticks }) }),
      others: drawn.pair || working === undefined ? [profit, stop] : [stop],
      ...(working === undefined || !drawn.follows ? {} : { follows: true }),
    });
    this.fates.add(done.ok ? 'listed' : done.code);
  }

  /** How every order of every list ended, and every conditional one. */
  seeEnds(): void {
    for (const account of MEMBERS) {
      for (const symbol of SYMBOLS) {
        for (const order of this.#exchange.orders(account, symbol, { limit: 1_000 })) {
          if (order.expiry !== undefined) this.fates.add(order.expiry);
          if (order.trigger !== undefined && order.workingSince !== undefined)
            this.fates.add(`fired ${order.status}`);
          if (order.trailing !== undefined) this.fates.add('trails');
        }
      }
    }
  }

  #picked(account: AccountNumber, pick: number) {
    const open = this.#exchange.openOrders(account);
    return open[pick % Math.max(1, open.length)];
  }
}

function optionsIn(dataDirectory?: string): ExchangeOptions {
  let random = 0;
  return {
    market: new QuietMarket(MARKETS),
    clock: () => 1_700_000_000_000 as Millis,
    randomBytes: (size: number) => new Uint8Array(size).fill(++random),
    onFault: (fault: unknown) => {
      throw fault;
    },
    ...(dataDirectory === undefined ? {} : { dataDirectory }),
  };
}

/** Everything members can see. */
function seen(exchange: OpenedExchange) {
  return MEMBERS.map((account) => ({
    balances: [...exchange.balances(account)].sort((a, b) => (a.asset < b.asset ? -1 : 1)),
    open: [...exchange.openOrders(account)].sort(
      (a, b) => a.orderId - b.orderId || (a.symbol < b.symbol ? -1 : 1),
    ),
    orders: SYMBOLS.map((symbol) => exchange.orders(account, symbol, { limit: 1_000 })),
    fills: SYMBOLS.map((symbol) => exchange.fills(account, symbol, { limit: 1_000 })),
    lists: exchange.orderLists(account),
    transfers: Array.from({ length: 16 }, (_, id) => exchange.findTransfer(`${id}`)),
  }));
}

test('whatever members and the house do, every asset is conserved and locked is what open orders need', async () => {
  const fates = new Set<string>();
  await fc.assert(
    fc.asyncProperty(
      fc.array(operation, { minLength: 20, maxLength: 120, size: 'max' }),
      async (operations) => {
        const exchange = await openExchange(optionsIn());
        const traffic = new Traffic(exchange);
        await traffic.begin();
        for (const one of operations) {
          await traffic.run(one);
          expect(brokenSums(exchange, MEMBERS, traffic.brought, MARKETS)).toEqual([]);
          for (const account of MEMBERS) expect(brokenLists(exchange.orderLists(account))).toEqual([]);
        }
        traffic.seeEnds();
        for (const fate of traffic.fates) fates.add(fate);
        await exchange.close();
      },
    ),
    { numRuns: runs(150, 8), seed: 3 },
  );
  // The streams are worth something only if they reach every way an order can end.
  for (const fate of [
    'NEW',
    'PARTIALLY_FILLED',
    'FILLED',
    'EXPIRED',
    'EXPIRED_IN_MATCH',
    'amended',
    'waits anew',
    'transferred',
    'ID_REUSED',
    'INSUFFICIENT_BALANCE',
    'WOULD_TAKE',
    'NOTIONAL',
    'listed',
    'fired FILLED',
    'fired NEW',
    'fired EXPIRED',
    'trails',
    'OTHER_LEG',
    'WORKING_ORDER',
    'REFUSED',
    'WOULD_TRIGGER',
    'LIST_PRICES',
    'ICEBERG_PARTS',
    'MAX_NUM_ALGO_ORDERS',
  ]) {
    expect(fates).toContain(fate);
  }
}, 1_200_000);

test('a copy of the data directory taken at any moment opens to the same accounts, orders and fills', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'journal-'));
  let run = 0;
  try {
    await fc.assert(
      fc.asyncProperty(
        fc.array(operation, { minLength: 20, maxLength: 60, size: 'max' }),
        fc.boolean(),
        async (operations, snapshots) => {
          run += 1;
          const home = join(directory, `${run}`);
          const limits = snapshots ? { journalLimits: { journalBytesMax: 2_000 } } : {};
          const exchange = await openExchange({ ...optionsIn(home), ...limits });
          const traffic = new Traffic(exchange);
          await traffic.begin();
          for (const one of operations) await traffic.run(one);
          await exchange.durable();
          if (!snapshots) {
            const copy = `${home}-copy`;
            // The copy is another machine's: the claim of this process is not part of it.
            await cp(home, copy, { recursive: true, filter: (file) => !file.endsWith('/lock') });
            await expectSame(exchange, copy);
          }
          const before = seen(exchange);
          await exchange.close();
          const again = await openExchange({ ...optionsIn(home), market: farFrom() });
          expect(seen(again)).toEqual(before);
          expect(brokenSums(again, MEMBERS, traffic.brought, MARKETS)).toEqual([]);
          await again.close();
        },
      ),
      { numRuns: runs(10, 25), seed: 5 },
    );
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}, 1_200_000);

/** A market whose books hold orders on both sides is crossed by any price; this one is never asked. */
function farFrom(): QuietMarket {
  const market = new QuietMarket(MARKETS);
  market.fair = Number.NaN;
  return market;
}

async function expectSame(exchange: OpenedExchange, copy: string): Promise<void> {
  const again = await openExchange({ ...optionsIn(copy), market: farFrom() });
  expect(seen(again)).toEqual(seen(exchange));
  const lastIds = seen(again).flatMap(({ orders }) => orders.flat().map((order) => order.orderId));
  const credited = await again.credit(MEMBERS[0] as AccountNumber, 'USDT', amount('100'), 'after');
  expect(credited).toBe(true);
  const placed = await again.place({
    account: MEMBERS[0] as AccountNumber,
    symbol: 'AAAUSDT',
    side: 'BUY',
    kind: 'LIMIT',
    timeInForce: 'GTC',
    price: 9_000 as Ticks,
    quantity: 100 as Lots,
    clientId: 'after',
    selfTradePrevention: 'NONE',
  });
  expect(placed.ok && lastIds.every((id: SimOrderId) => placed.value.order.orderId > id)).toBe(true);
  await again.close();
}

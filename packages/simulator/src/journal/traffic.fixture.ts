import { randomBytes } from 'node:crypto';
import { writeSync } from 'node:fs';
import { type Amount, amount, type Lots, type Millis, type Ticks } from '@crossbook/domain';
import { QuietMarket, quietFacts } from '../accounts/quiet-market.fixture.ts';
import { type OpenedExchange, openExchange } from '../core.ts';
import type { AccountNumber, NewSimOrder, SimFill, SimOrderReport } from '../exchange.ts';

/** Markets of the traffic. */
export const TRAFFIC_MARKETS = [quietFacts('AAA', 'USDT'), quietFacts('BBB', 'USDT')];
/** Members of the traffic, by label `member 1` to `member 3`. */
export const TRAFFIC_MEMBERS = [1, 2, 3] as AccountNumber[];
/** What every credit brings in. */
export const TRAFFIC_CREDIT = amount('1000');

/** One line of the child's output. `id` is unique over all rounds; a credit's ends in `:account:asset`. */
export type TrafficLine =
  | { readonly kind: 'ready' }
  | { readonly kind: 'sent'; readonly id: string; readonly what: 'place' | 'cancel' | 'transfer' | 'credit' }
  | {
      readonly kind: 'report';
      readonly id: string;
      readonly account: number;
      readonly symbol: string;
      readonly orderId: number;
      readonly status: string;
      readonly executed: number;
      readonly clientId: string;
      readonly tradeIds: readonly number[];
    }
  | { readonly kind: 'filled'; readonly account: number; readonly symbol: string; readonly tradeId: number }
  | { readonly kind: 'transferred'; readonly id: string; readonly sequence: number }
  | { readonly kind: 'credited' | 'refused'; readonly id: string };

/** A small generator, so that a round repeats. */
export function dice(seed: number): (sides: number) => number {
  let state = seed | 0;
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return Math.floor(((state >>> 0) / 2 ** 32) * sides);
  };
}

// Written at once and whole: what the parent reads had been acknowledged before the kill.
function tell(line: TrafficLine): void {
  writeSync(1, `${JSON.stringify(line)}\n`);
}

/** Endless traffic by several members at once, told line by line, until the process is killed. */
class TrafficRound {
  readonly #exchange: OpenedExchange;
  readonly #roll: (sides: number) => number;
  readonly #round: string;
  #count = 0;

  constructor(exchange: OpenedExchange, round: number) {
    this.#exchange = exchange;
    this.#round = `r${round}`;
    this.#roll = dice(round * 7_919 + 1);
    exchange.subscribe({
      onOrder: ({ fill }) => {
        if (fill !== undefined)
          tell({ kind: 'filled', account: fill.account, symbol: fill.symbol, tradeId: fill.tradeId });
      },
    });
  }

  async run(): Promise<void> {
    for (const [at, account] of TRAFFIC_MEMBERS.entries()) {
      await this.#exchange.openAccount(`member ${at + 1}`);
      for (const asset of ['AAA', 'BBB', 'USDT']) await this.#credit(account, asset);
    }
    tell({ kind: 'ready' });
    await Promise.all(Array.from({ length: 24 }, () => this.#worker()));
  }

  async #worker(): Promise<never> {
    for (;;) {
      const account = (1 + this.#roll(3)) as AccountNumber;
      const what = this.#roll(20);
      this.#house();
      if (what < 8) await this.#place(account);
      else if (what < 10) await this.#wait(account);
      else if (what < 12) await this.#list(account);
      else if (what < 16) await this.#cancel(account);
      else if (what < 19) await this.#transfer(account);
      else await this.#credit(account, 'USDT');
    }
  }

  #house(): void {
    const side = this.#roll(2) === 0 ? 'BUY' : 'SELL';
    const price = (10_000 + this.#roll(21) - 10) as Ticks;
    const quantity = (1 + this.#roll(300)) as Lots;
    const symbol = this.#symbol();
    this.#exchange.house.place(symbol, { side, kind: this.#roll(2) === 0 ? 'GTC' : 'IOC', price, quantity });
  }

  async #place(account: AccountNumber): Promise<void> {
    const id = this.#sent('place');
    const market = this.#roll(6) === 0;
    const order: NewSimOrder = {
      account,
      symbol: this.#symbol(),
      side: this.#roll(2) === 0 ? 'BUY' : 'SELL',
      kind: market ? 'MARKET' : 'LIMIT',
      timeInForce: 'GTC',
      quantity: (20 + this.#roll(300)) as Lots,
      ...(market ? {} : { price: (10_000 + this.#roll(21) - 10) as Ticks }),
      clientId: id,
      selfTradePrevention: this.#roll(2) === 0 ? 'NONE' : 'EXPIRE_MAKER',
    };
    const done = await this.#exchange.place(order);
    if (done.ok) this.#report(id, done.value);
    else tell({ kind: 'refused', id });
  }

  /** A stop or a target near the price: what trades soon fires it. */
  async #wait(account: AccountNumber): Promise<void> {
    const id = this.#sent('place');
    const done = await this.#exchange.place(this.#conditional(account, id, this.#symbol()));
    if (done.ok) this.#report(id, done.value);
    else tell({ kind: 'refused', id });
  }

  /** A pair around the price, or an order near it with a stop behind it. */
  async #list(account: AccountNumber): Promise<void> {
    const id = this.#sent('place');
    const symbol = this.#symbol();
    const stop = this.#conditional(account, `${id}-stop`, symbol);
    const { side } = stop;
    // Some stand where nothing trades, and stay.
    const far = this.#roll(4) === 0 ? 30 : 6;
    const gain = side === 'SELL' ? far : -far;
    const limit = { ...stop, kind: 'LIMIT', timeInForce: 'GTC', clientId: `${id}-limit` } as const;
    const { trigger: _, ...plain } = limit;
    const price = (10_000 + gain) as Ticks;
    const profit: NewSimOrder = { ...plain, kind: 'LIMIT_MAKER', price };
    const working: NewSimOrder = { ...plain, side: side === 'SELL' ? 'BUY' : 'SELL', price: 10_000 as Ticks };
    const pair = [
      profit,
      { ...stop, trigger: { purpose: 'STOP' as const, price: (10_000 - gain) as Ticks } },
    ];
    const done = await this.#exchange.placeList({
      ...{ account, symbol, clientId: id },
      ...(this.#roll(2) === 0 ? { others: pair } : { working, others: pair.slice(1) }),
    });
    if (done.ok) for (const report of done.value) this.#report(id, report);
    else tell({ kind: 'refused', id });
  }

  #conditional(account: AccountNumber, clientId: string, symbol: string): NewSimOrder {
    const price = (10_000 + this.#roll(21) - 10) as Ticks;
    const trails = this.#roll(4) === 0 ? { trailingBips: 10 } : {};
    return {
      ...{ account, symbol, clientId },
      side: this.#roll(2) === 0 ? 'BUY' : 'SELL',
      kind: 'MARKET',
      timeInForce: 'IOC',
      quantity: (100 + this.#roll(100)) as Lots,
      trigger: { purpose: this.#roll(2) === 0 ? 'STOP' : 'TAKE_PROFIT', price, ...trails },
      selfTradePrevention: 'NONE',
    };
  }

  async #cancel(account: AccountNumber): Promise<void> {
    const open = this.#exchange.openOrders(account);
    const order = open[this.#roll(Math.max(1, open.length))];
    if (order === undefined) return;
    const id = this.#sent('cancel');
    const done = await this.#exchange.cancel(account, order.symbol, { orderId: order.orderId });
    if (done.ok) this.#report(id, done.value);
    else tell({ kind: 'refused', id });
  }

  async #transfer(from: AccountNumber): Promise<void> {
    const id = this.#sent('transfer');
    const to = (1 + this.#roll(3)) as AccountNumber;
    const value = BigInt(1 + this.#roll(5_000)) * 10n ** 15n;
    const move = { from, to, asset: 'USDT', amount: value as Amount, transferId: id };
    const done = await this.#exchange.transfer(move);
    if (done.ok) tell({ kind: 'transferred', id, sequence: done.value.sequence });
    else tell({ kind: 'refused', id });
  }

  async #credit(account: AccountNumber, asset: string): Promise<void> {
    const id = this.#sent('credit', `:${account}:${asset}`);
    await this.#exchange.credit(account, asset, TRAFFIC_CREDIT, id);
    tell({ kind: 'credited', id });
  }

  #report(id: string, { order, fills }: SimOrderReport): void {
    const { account, symbol, orderId, status, executed, clientId } = order;
    const tradeIds = fills.map((fill: SimFill) => fill.tradeId);
    tell({ kind: 'report', id, account, symbol, orderId, status, executed, clientId, tradeIds });
  }

  #symbol(): string {
    return this.#roll(2) === 0 ? 'AAAUSDT' : 'BBBUSDT';
  }

  #sent(what: 'place' | 'cancel' | 'transfer' | 'credit', detail = ''): string {
    this.#count += 1;
    const id = `${this.#round}-${this.#count}${detail}`;
    tell({ kind: 'sent', id, what });
    return id;
  }
}

/** Opens the directory as the traffic and its judge both do. */
export function openTraffic(dataDirectory: string): Promise<OpenedExchange> {
  const market = new QuietMarket(TRAFFIC_MARKETS);
  // Resting orders must survive as they are: no price ever crosses them.
  market.fair = Number.NaN;
  return openExchange({
    market,
    clock: () => Date.now() as Millis,
    randomBytes: (size) => randomBytes(size),
    dataDirectory,
    journalLimits: { journalBytesMax: 100_000 },
    onFault: (fault) => {
      throw fault;
    },
  });
}

const [, script, directory, round] = process.argv;
if (script?.endsWith('traffic.fixture.ts') && directory !== undefined) {
  await new TrafficRound(await openTraffic(directory), Number(round)).run();
}

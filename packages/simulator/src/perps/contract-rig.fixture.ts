import {
  type Amount,
  amount,
  formatAmount,
  type Lots,
  type Millis,
  type PlatformSlug,
  type Ticks,
} from '@crossbook/domain';
import { QuietMarket, quietFacts } from '../accounts/quiet-market.fixture.ts';
import { type OpenedExchange, openExchange } from '../core.ts';
import type { AccountNumber } from '../exchange.ts';
import type { JournalLimits } from '../journal/file-journal.ts';
import type { HousePlacement } from '../market-port.ts';
import type { PerpConditionalEvent } from '../perp-conditionals.ts';
import type {
  NewPerpOrder,
  PerpAccountEvent,
  PerpFill,
  PerpLiquidation,
  PerpOrderEvent,
  PerpRefusal,
  PerpTier,
} from '../perp-exchange.ts';
import type { PriceKind } from '../triggers/trigger.ts';
import type { PerpFacts, PerpStats } from '../venue.ts';
import type { ContractExchange } from './contract-exchange.ts';
import { venueRules } from './venue-rules.ts';

/** For tests only: contracts without agents, whose marks, rates and clock stand where they are put. */

/** 2026-11-20 00:30 UTC: half an hour after a funding time. */
export const RIG_START = Date.UTC(2026, 10, 20, 0, 30) as Millis;
const HOUR_MILLIS = 3_600_000;

/** A contract of the rig: a tick is 0.1, a lot 0.001 coins, or 0.01 contracts of 0.01 coins at OKX. */
export function rigContract(slug: PlatformSlug, coin: string): PerpFacts {
  const okx = slug === 'okx';
  const symbol = okx ? `${coin}-USDT-SWAP` : `${coin}USDT`;
  const changes = {
    symbol,
    tickSize: amount('0.1'),
    lotSize: amount(okx ? '0.01' : '0.001'),
    minPrice: amount('0.1'),
    maxPrice: amount('1000000'),
    minQty: amount(okx ? '0.01' : '0.001'),
    maxQty: amount('1000000'),
    maxMarketQty: amount('100000'),
    minNotional: amount(okx ? '0' : '5'),
    makerFee: amount('0.0002'),
    takerFee: amount(slug === 'bybit' ? '0.00055' : '0.0005'),
  };
  return {
    ...quietFacts(coin, 'USDT', changes),
    ...{ kind: 'PERPETUAL', settle: 'USDT', maxLeverage: 125, listedAt: 0 as Millis },
    contractValue: amount(okx ? '0.01' : '1'),
    tiers: tiersOf(slug),
    fundingEveryMillis: fundingEvery(symbol),
  };
}

function fundingEvery(symbol: string): number {
  return (symbol.startsWith('ETH') ? 4 : 8) * HOUR_MILLIS;
}

/** BTCUSDT of 2026-07 at Binance, the first tiers of the recordings at the others. */
const TIERS: Readonly<
  Record<PlatformSlug, readonly (readonly [string, string, string, string, number, string])[]>
> = {
  binance: [
    ['1', '0', '300000', '0.004', 125, '0'],
    ['2', '300000', '800000', '0.005', 100, '300'],
    ['3', '800000', '3000000', '0.0065', 75, '1500'],
    ['4', '3000000', '12000000', '0.01', 50, '12000'],
    ['5', '12000000', '70000000', '0.1', 10, '1092000'],
  ],
  okx: [
    ['1', '0', '1000', '0.004', 125, '0'],
    ['2', '1000', '5000', '0.005', 100, '0'],
    ['3', '5000', '20000', '0.01', 50, '0'],
    ['4', '20000', '100000', '0.02', 25, '0'],
  ],
  bybit: [
    ['1', '0', '2000000', '0.005', 100, '0'],
    ['2', '2000000', '2600000', '0.0056', 90, '1200'],
    ['3', '2600000', '3200000', '0.0063', 80, '3020'],
  ],
};

function tiersOf(slug: PlatformSlug): readonly PerpTier[] {
  return TIERS[slug].map(([tier, floor, cap, rate, maxLeverage, deduction]) => ({
    tier: Number(tier),
    floor: amount(floor),
    cap: amount(cap),
    maintenanceRate: amount(rate),
    maxLeverage,
    initialRate: amount((1 / maxLeverage).toFixed(4)),
    deduction: amount(deduction),
  }));
}

/** How a rig is opened. */
export interface RigOptions {
  readonly coins?: readonly string[];
  readonly dataDirectory?: string;
  /** Where clock and marks of an earlier rig stood. */
  readonly now?: Millis;
  readonly marks?: ReadonlyMap<string, number>;
  /** Marks by time instead of those that stand where they are put. */
  readonly path?: (symbol: string, time: Millis) => number;
  /** While nobody trades the last price goes that way too; else there is none then. */
  readonly lastFollows?: boolean;
  readonly journalLimits?: Partial<JournalLimits>;
}

/** Everything that was told, in order. */
export type Reported =
  | { readonly what: 'order'; readonly event: PerpOrderEvent }
  | { readonly what: 'conditional'; readonly event: PerpConditionalEvent }
  | { readonly what: 'account'; readonly event: PerpAccountEvent }
  | { readonly what: 'liquidation'; readonly event: PerpLiquidation };

/** Contracts of one venue with the members `alice` and `bob`. */
export class ContractRig {
  readonly slug: PlatformSlug;
  readonly reported: Reported[] = [];
  /** In quote, by symbol. */
  readonly marks: Map<string, number>;
  /** In quote, by symbol, where they lie apart from the marks. */
  readonly indices = new Map<string, number>();
  /** By symbol, as a fraction. */
  readonly rates = new Map<string, number>();
  readonly symbols: readonly string[];
  now: Millis;
  exchange!: OpenedExchange;
  perps!: ContractExchange;
  readonly #path: RigOptions['path'];
  #count = 0;
  #bytes = 0;

  private constructor(slug: PlatformSlug, options: RigOptions) {
    this.#path = options.path;
    this.slug = slug;
    this.symbols = (options.coins ?? ['BTC', 'ETH']).map((coin) => rigContract(slug, coin).symbol);
    this.marks = new Map(options.marks ?? this.symbols.map((symbol) => [symbol, 60_000]));
    this.now = options.now ?? RIG_START;
  }

  static async open(slug: PlatformSlug, options: RigOptions = {}): Promise<ContractRig> {
    const rig = new ContractRig(slug, options);
    const facts = (options.coins ?? ['BTC', 'ETH']).map((coin) => rigContract(slug, coin));
    const { rules, habits } = venueRules(slug);
    const market = new QuietMarket(facts);
    // No price: nothing rests on its other side after a downtime.
    market.fair = Number.NaN;
    if (options.lastFollows === true) market.path = options.path;
    rig.exchange = await openExchange({
      market: new QuietMarket([quietFacts('AAA', 'USDT')]),
      clock: () => rig.now,
      randomBytes: (size) => {
        rig.#bytes += 1;
        return new Uint8Array(size).fill(rig.#bytes);
      },
      onFault: (fault) => {
        throw fault;
      },
      ...(options.dataDirectory === undefined ? {} : { dataDirectory: options.dataDirectory }),
      ...(options.journalLimits === undefined ? {} : { journalLimits: options.journalLimits }),
      contracts: {
        ...{ market, rules, habits },
        contracts: new Map(facts.map((contract) => [contract.symbol, contract])),
        tiers: () => tiersOf(slug),
        stats: (symbol, time) => rig.stats(symbol, time),
        fundingHistory: (symbol, { startTime }) => {
          const { mark, fundingRate } = rig.stats(symbol, startTime ?? rig.now);
          return [{ time: startTime ?? rig.now, rate: fundingRate, mark }];
        },
      },
    });
    const perps = rig.exchange.contracts;
    if (perps === undefined) throw new Error('the rig has contracts');
    rig.perps = perps;
    perps.subscribePerps({
      onPerpOrder: (event) => rig.reported.push({ what: 'order', event }),
      onPerpConditional: (event) => rig.reported.push({ what: 'conditional', event }),
      onPerpAccount: (event) => rig.reported.push({ what: 'account', event }),
      onLiquidation: (event) => rig.reported.push({ what: 'liquidation', event }),
    });
    return rig;
  }

  stats(symbol: string, time: Millis): PerpStats {
    const mark = this.#path?.(symbol, time) ?? this.marks.get(symbol) ?? 0;
    const every = fundingEvery(symbol);
    const fundingRate = this.rates.get(symbol) ?? 0.0001;
    const nextFundingTime = ((Math.floor(time / every) + 1) * every) as Millis;
    const index = this.indices.get(symbol) ?? mark;
    return { mark, index, fundingRate, lastFundingRate: fundingRate, nextFundingTime, openInterest: 0 };
  }

  /** An account with so much to trade contracts with. */
  async member(label: string, funds: string): Promise<AccountNumber> {
    const account = await this.exchange.openAccount(label);
    await this.exchange.credit(account, 'USDT', amount(funds), `first ${label}`);
    if (this.slug === 'binance') await this.perps.movePocket(account, amount(funds), `in ${label}`);
    return account;
  }

  /** Rests an order of the house. */
  house(symbol: string, side: 'BUY' | 'SELL', price: number, quantity: number): HousePlacement {
    return this.perps.house.place(symbol, {
      side,
      kind: 'GTC',
      price: Math.round(price * 10) as Ticks,
      quantity: quantity as Lots,
    });
  }

  /** Puts a mark and lets what follows from it happen. */
  mark(symbol: string, mark: number): void {
    this.marks.set(symbol, mark);
    this.perps.step(this.now);
  }

  /** One of the prices that triggers follow comes to a value, the others stay; of the house's own trade for the last. */
  reach(symbol: string, by: PriceKind, price: number): void {
    const apart = this.indices.get(symbol) ?? this.marks.get(symbol) ?? 0;
    if (by === 'LAST') for (const side of ['SELL', 'BUY'] as const) this.house(symbol, side, price, 1);
    else this.indices.set(symbol, by === 'INDEX' ? price : apart);
    if (by === 'MARK') this.marks.set(symbol, price);
    this.perps.step(this.now);
  }

  /** Lets time pass, all at once. */
  pass(millis: number): void {
    this.now = (this.now + millis) as Millis;
    this.perps.step(this.now);
  }

  /** What became of everything that was told: a short line each. */
  lines(): string[] {
    return this.reported.splice(0).map((one) => {
      if (one.what === 'liquidation') return `public ${one.event.side} ${one.event.quantity}`;
      if (one.what === 'conditional') return `algo ${one.event.order.algoId} ${one.event.cause}`;
      if (one.what === 'account') {
        const { account, cause, income } = one.event;
        return `${account} ${cause} ${income.map(({ kind, amount: moved }) => `${kind} ${formatAmount(moved)}`).join(', ')}`.trim();
      }
      const { account, status, origin, endReason = '' } = one.event.order;
      return `${account} ${one.event.cause} ${origin} ${status} ${endReason}`.trim();
    });
  }

  /** Resolves when all that was done is told. */
  quiet(): Promise<void> {
    return this.exchange.durable();
  }

  /** The house takes all that rests in a book out. */
  clearHouse(symbol: string): void {
    for (const { orderId } of this.perps.house.openOrders(symbol)) this.perps.house.cancel(symbol, orderId);
  }

  order(
    account: AccountNumber,
    symbol: string,
    asked: Partial<NewPerpOrder> & { at?: number },
  ): NewPerpOrder {
    this.#count += 1;
    const { at, ...rest } = asked;
    return {
      ...{ account, symbol, side: 'BUY', positionSide: 'BOTH', reduceOnly: false },
      kind: at === undefined ? 'MARKET' : 'LIMIT',
      timeInForce: 'GTC',
      ...(at === undefined ? {} : { price: Math.round(at * 10) as Ticks }),
      quantity: 1 as Lots,
      clientId: `order ${this.#count}`,
      selfTradePrevention: 'EXPIRE_TAKER',
      ...rest,
    };
  }

  /** Places an order. @returns its fills, or why it was refused. */
  async place(
    account: AccountNumber,
    symbol: string,
    asked: Partial<NewPerpOrder> & { at?: number },
  ): Promise<readonly PerpFill[] | PerpRefusal> {
    const placed = await this.perps.placePerp(this.order(account, symbol, asked));
    return placed.ok ? placed.value.fills : placed.code;
  }

  /** Buys (above 0) or sells so many lots at a price that the house offers for the purpose. */
  async trade(
    account: AccountNumber,
    symbol: string,
    { lots, at, ...asked }: { lots: number; at: number } & Partial<NewPerpOrder>,
  ): Promise<readonly PerpFill[]> {
    this.house(symbol, lots > 0 ? 'SELL' : 'BUY', at, Math.abs(lots));
    const side = lots > 0 ? 'BUY' : 'SELL';
    const fills = await this.place(account, symbol, { side, quantity: Math.abs(lots) as Lots, at, ...asked });
    if (typeof fills === 'string') throw new Error(fills);
    return fills;
  }

  wallet(account: AccountNumber): Amount {
    return this.perps.pool(account).wallet;
  }
}

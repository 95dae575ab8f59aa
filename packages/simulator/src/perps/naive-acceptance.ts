import type { PlatformSlug } from '@crossbook/domain';
import type { PerpTier } from '../perp-exchange.ts';

/**
 * The second witness of what is accepted: margin by leverage and tier, margin of orders, what may only close, worked out
 * anew for every order from the exchanges' own texts, in plain integers of 1e-18. It shares no code with the exchange.
 */

/** An order that rests or is asked for. */
export interface NaiveOrder {
  readonly symbol: string;
  readonly side: 'BUY' | 'SELL';
  readonly positionSide: 'BOTH' | 'LONG' | 'SHORT';
  readonly marginMode: 'CROSS' | 'ISOLATED';
  readonly reduceOnly: boolean;
  readonly lots: number;
  /** In quote; absent: at market. */
  readonly price?: bigint;
}

/** A position as its venue states it; lots are below 0 for short. */
export interface NaivePosition {
  readonly symbol: string;
  readonly side: 'BOTH' | 'LONG' | 'SHORT';
  readonly marginMode: 'CROSS' | 'ISOLATED';
  readonly lots: number;
  readonly entryPrice: bigint;
  readonly isolatedWallet: bigint;
}

/** What an account has when an order comes. */
export interface NaiveScene {
  readonly wallet: bigint;
  readonly positions: readonly NaivePosition[];
  /** What rests, with what is open of it. */
  readonly orders: readonly NaiveOrder[];
  leverage(of: { readonly symbol: string; readonly marginMode: 'CROSS' | 'ISOLATED' }, long: boolean): number;
  mark(symbol: string): bigint;
  /** Best price that an order of this side would take; absent: none. */
  best(symbol: string, side: 'BUY' | 'SELL'): bigint | undefined;
  tiers(symbol: string): readonly PerpTier[];
}

/** What becomes of an order; `EITHER` too near to the border for two roundings to agree. */
export type NaiveVerdict =
  | 'ACCEPTED'
  | 'EITHER'
  | 'REDUCE_ONLY_NOTHING'
  | 'CLOSE_TOO_LARGE'
  | 'TIER_EXCEEDED'
  | 'INSUFFICIENT_MARGIN';

const ONE = 10n ** 18n;
/** A millionth of a unit: every figure of an account may be rounded to eight decimals. */
const NEAR = 10n ** 12n;
const OKX_LOT_CONTRACTS = 10n ** 16n;

/** One venue's way to decide, over contracts of so many coins a lot. */
export class NaiveAcceptance {
  readonly #slug: PlatformSlug;
  readonly #lotCoins: bigint;
  readonly #takerFee: bigint;

  constructor(slug: PlatformSlug, contract: { readonly lotCoins: bigint; readonly takerFee: bigint }) {
    this.#slug = slug;
    this.#lotCoins = contract.lotCoins;
    this.#takerFee = contract.takerFee;
  }

  /** What the venue must answer; the order is not among those that rest. */
  verdict(order: NaiveOrder, scene: NaiveScene): NaiveVerdict {
    if (onlyCloses(order)) return this.#closing(order, scene);
    const held = lotsOf(order, scene);
    const adds = order.positionSide !== 'BOTH' || Math.max(0, order.lots - against(order, held)) > 0;
    if (adds && this.#tierSize(order, scene) > this.#tierRoom(order, scene)) return 'TIER_EXCEEDED';
    const need = this.#cost(order, scene);
    const spare = this.#available(scene) - need;
    if (need === 0n || spare > NEAR) return 'ACCEPTED';
    return spare < -NEAR ? 'INSUFFICIENT_MARGIN' : 'EITHER';
  }

  #closing(order: NaiveOrder, scene: NaiveScene): NaiveVerdict {
    const held = against(order, lotsOf(order, scene));
    if (held === 0) return 'REDUCE_ONLY_NOTHING';
    // One-way, and legs at Bybit: what is too much is cut, now or when it is filled.
    if (order.positionSide === 'BOTH' || this.#slug === 'bybit') return 'ACCEPTED';
    const resting = scene.orders.filter((one) => sameLeg(one, order) && onlyCloses(one));
    const others = this.#slug === 'okx' ? resting.reduce((sum, { lots }) => sum + lots, 0) : 0;
    return order.lots + others > held ? 'CLOSE_TOO_LARGE' : 'ACCEPTED';
  }

  /** Position and openings of the order's direction, the order included: in contracts at OKX, in money elsewhere. */
  #tierSize(order: NaiveOrder, scene: NaiveScene): bigint {
    const size = (lots: number, price: bigint): bigint =>
      this.#slug === 'okx' ? BigInt(lots) * OKX_LOT_CONTRACTS : this.#value(lots, price);
    const direction = order.side === 'BUY' ? 1 : -1;
    const sum = size(lotsOf(order, scene) * direction, scene.mark(order.symbol));
    return [...scene.orders, order]
      .filter((one) => sameLeg(one, order) && one.side === order.side && !onlyCloses(one))
      .reduce((so, one) => so + size(one.lots, this.#price(one, scene)), sum);
  }

  #tierRoom(order: NaiveOrder, scene: NaiveScene): bigint {
    let room = 0n;
    for (const { maxLeverage, cap } of scene.tiers(order.symbol))
      if (maxLeverage >= scene.leverage(order, opensLong(order))) room = cap;
    return room;
  }

  /** By how much the order makes the margin of its orders grow, and at Binance what it loses at once. */
  #cost(order: NaiveOrder, scene: NaiveScene): bigint {
    const own = scene.orders.filter((one) => sameBook(one, order));
    const grown = this.#ordersMargin([...own, order], scene) - this.#ordersMargin(own, scene);
    return (grown > 0n ? grown : 0n) + (this.#slug === 'binance' ? this.#openLoss(order, scene) : 0n);
  }

  #openLoss(order: NaiveOrder, scene: NaiveScene): bigint {
    const closes = order.positionSide === 'BOTH' ? against(order, lotsOf(order, scene)) : 0;
    const worse = this.#price(order, scene) - scene.mark(order.symbol);
    const loss = order.side === 'BUY' ? worse : -worse;
    return loss > 0n ? this.#value(Math.max(0, order.lots - closes), loss) : 0n;
  }

  /** Wallet and profit of what is cross, less the margin of positions and of all that rests. */
  #available(scene: NaiveScene): bigint {
    let left = scene.wallet;
    for (const { symbol, marginMode, lots, entryPrice, isolatedWallet, side } of scene.positions) {
      left -= isolatedWallet;
      if (marginMode === 'ISOLATED') continue;
      const mark = scene.mark(symbol);
      left += this.#value(lots, mark - entryPrice);
      const leverage = scene.leverage({ symbol, marginMode }, side === 'BOTH' ? lots > 0 : side === 'LONG');
      left -= levered(this.#value(Math.abs(lots), mark), leverage);
      if (this.#slug === 'bybit')
        left -= this.#feeToClose(Math.abs(lots), entryPrice, { long: lots > 0, leverage });
    }
    const books = Map.groupBy(scene.orders, ({ symbol, marginMode }) => `${symbol} ${marginMode}`);
    for (const orders of books.values()) left -= this.#ordersMargin(orders, scene);
    return left > 0n ? left : 0n;
  }

  /** Margin of all orders of one contract and margin mode: legs each for themselves, one-way the worse direction. */
  #ordersMargin(orders: readonly NaiveOrder[], scene: NaiveScene): bigint {
    const opening = orders.filter((order) => !onlyCloses(order));
    let sum = 0n;
    for (const order of opening)
      if (order.positionSide !== 'BOTH') sum += this.#margin(order, order.lots, scene);
    const net = opening.filter(({ positionSide }) => positionSide === 'BOTH');
    const [first] = net;
    if (first === undefined) return sum;
    return (
      sum +
      (this.#slug === 'binance' ? this.#worseValue(net, first, scene) : this.#worseMargin(net, first, scene))
    );
  }

  /** Binance: what position and orders would be worth at the worse end, over leverage, beyond the position's own. */
  #worseValue(orders: readonly NaiveOrder[], like: NaiveOrder, scene: NaiveScene): bigint {
    const held = this.#value(lotsOf(like, scene), scene.mark(like.symbol));
    let [up, down] = [held, held];
    for (const order of orders) {
      const value = this.#value(order.lots, this.#price(order, scene));
      if (order.side === 'BUY') up += value;
      else down -= value;
    }
    const worse = size(up) > size(down) ? size(up) : size(down);
    const grown = worse - size(held);
    return grown > 0n ? levered(grown, scene.leverage(like, opensLong(like))) : 0n;
  }

  /** OKX and Bybit: the dearer direction, in which the orders nearest to the market close what is held for nothing. */
  #worseMargin(orders: readonly NaiveOrder[], like: NaiveOrder, scene: NaiveScene): bigint {
    const held = lotsOf(like, scene);
    const sums = (['BUY', 'SELL'] as const).map((side) => {
      let free = against({ side }, held);
      const nearer = (a: bigint, b: bigint): number => (a === b ? 0 : a > b === (side === 'BUY') ? -1 : 1);
      return orders
        .filter((order) => order.side === side)
        .toSorted((a, b) => nearer(this.#price(a, scene), this.#price(b, scene)))
        .reduce((sum, order) => {
          const opened = Math.max(0, order.lots - free);
          free = Math.max(0, free - order.lots);
          return sum + this.#margin(order, opened, scene);
        }, 0n);
    });
    return sums.reduce((worse, sum) => (sum > worse ? sum : worse), 0n);
  }

  /** Value over leverage; with the fee to open at OKX, and the fee to close as well at Bybit. */
  #margin(order: NaiveOrder, lots: number, scene: NaiveScene): bigint {
    const price = this.#price(order, scene);
    const leverage = scene.leverage(order, opensLong(order));
    const value = this.#value(lots, price);
    const toOpen = this.#slug === 'binance' ? 0n : (value * this.#takerFee) / ONE;
    const long = order.side === 'BUY';
    const toClose = this.#slug === 'bybit' ? this.#feeToClose(lots, price, { long, leverage }) : 0n;
    return levered(value, leverage) + toOpen + toClose;
  }

  /** Fee at the price at which the margin of the entry is gone. */
  #feeToClose(
    lots: number,
    entry: bigint,
    of: { readonly long: boolean; readonly leverage: number },
  ): bigint {
    const share = levered(entry, of.leverage);
    return (this.#value(lots, of.long ? entry - share : entry + share) * this.#takerFee) / ONE;
  }

  /** What an order is reckoned at: its own price, or what the venue assumes of a market order. */
  #price({ symbol, side, price }: NaiveOrder, scene: NaiveScene): bigint {
    if (price !== undefined) return price;
    const mark = scene.mark(symbol);
    const best = scene.best(symbol, side) ?? mark;
    if (this.#slug === 'okx') return best;
    if (this.#slug === 'bybit') return side === 'BUY' ? (best * 105n) / 100n : best;
    if (side === 'BUY') return (best * 10_005n) / 10_000n;
    return best > mark ? best : mark;
  }

  #value(lots: number, price: bigint): bigint {
    return (BigInt(lots) * this.#lotCoins * price) / ONE;
  }
}

function levered(value: bigint, leverage: number): bigint {
  return (value * 100n) / BigInt(Math.round(leverage * 100));
}

function size(value: bigint): bigint {
  return value < 0n ? -value : value;
}

function onlyCloses({ positionSide, reduceOnly, side }: NaiveOrder): boolean {
  return positionSide === 'BOTH' ? reduceOnly : (positionSide === 'LONG') !== (side === 'BUY');
}

function opensLong({ positionSide, side }: NaiveOrder): boolean {
  return positionSide === 'BOTH' ? side === 'BUY' : positionSide === 'LONG';
}

function sameBook(one: NaiveOrder, other: NaiveOrder | NaivePosition): boolean {
  return one.symbol === other.symbol && one.marginMode === other.marginMode;
}

function sameLeg(one: NaiveOrder, other: NaiveOrder): boolean {
  return sameBook(one, other) && one.positionSide === other.positionSide;
}

/** Lots of the position that an order changes. */
function lotsOf(order: NaiveOrder, { positions }: NaiveScene): number {
  return positions.find((one) => sameBook(order, one) && one.side === order.positionSide)?.lots ?? 0;
}

/** Lots of a position that an order of this side closes. */
function against({ side }: { readonly side: 'BUY' | 'SELL' }, held: number): number {
  return side === 'BUY' ? Math.max(0, -held) : Math.max(0, held);
}

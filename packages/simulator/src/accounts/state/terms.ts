import {
  AMOUNT_ONE,
  type Amount,
  amount,
  assert,
  ceilTo,
  type Lots,
  lesser,
  minus,
  mulUp,
  stepsToAmount,
  type Ticks,
  ZERO,
} from '@crossbook/domain';
import type { MarketFacts, SimOrder, SimOrderStatus } from '../../exchange.ts';
import type { RestingOrder } from '../../matching/book.ts';
import { LADDER_TICKS_MAX } from '../../matching/price-ladder.ts';

// Venues state commissions in eight decimals; a finer fee would leave balances that no message can tell.
const FEE_STEP = amount('0.00000001');

/** A market's facts with what follows from them for money. */
export interface Terms {
  readonly facts: MarketFacts;
  /** Quote value of one tick times one lot, exact at 1e-18. */
  readonly quotePerStep: Amount;
  /** Highest allowed price in ticks. */
  readonly ticksMax: number;
}

/**
 * Works out a market's terms.
 * @param contractValue base coins of one unit that lots count: 1 at spot.
 * @throws Error when a tick times a lot is finer than 1e-18 or the highest price does not fit the ladder.
 */
export function termsOf(facts: MarketFacts, contractValue: bigint = AMOUNT_ONE): Terms {
  const product = facts.tickSize * facts.lotSize * contractValue;
  const exact = product > 0n && product % AMOUNT_ONE ** 2n === 0n;
  assert(exact, `${facts.symbol}: tick times lot is exact at 1e-18`);
  const ticksMax = Number(facts.maxPrice / facts.tickSize);
  assert(ticksMax <= LADDER_TICKS_MAX, `${facts.symbol}: the highest price is less than 2^31 ticks`);
  return { facts, quotePerStep: (product / AMOUNT_ONE ** 2n) as Amount, ticksMax };
}

/** Exact quote value of a price and a quantity. */
export function quoteOf(terms: Terms, price: Ticks, quantity: Lots): Amount {
  return (BigInt(price) * BigInt(quantity) * terms.quotePerStep) as Amount;
}

/** Exact base amount of a quantity. */
export function baseOf(terms: Terms, quantity: Lots): Amount {
  return stepsToAmount(quantity, terms.facts.lotSize);
}

/** Whether an order in this status still rests, or waits. */
export function isOpen(status: SimOrderStatus): boolean {
  return status === 'NEW' || status === 'PARTIALLY_FILLED' || status === 'PENDING_NEW';
}

/** Whether an open order waits for its price or for its list: it is in no book. */
export function isWaiting(order: Pick<SimOrder, 'status' | 'trigger' | 'workingSince'>): boolean {
  if (order.status === 'PENDING_NEW') return true;
  return order.status === 'NEW' && order.trigger !== undefined && order.workingSince === undefined;
}

/**
 * What an open order keeps locked; nothing once it is closed, nothing for MARKET, which never rests, and nothing for one
 * that waits for its list.
 */
export function reservationOf(
  terms: Terms,
  order: SimOrder,
): { readonly asset: string; readonly amount: Amount } {
  const { base, quote } = terms.facts;
  const asset = order.side === 'BUY' ? quote : base;
  const { status, quantity, quoteQuantity } = order;
  const price = order.heldAt ?? order.price;
  const waits = isWaiting(order);
  if (!isOpen(status) || status === 'PENDING_NEW' || price === undefined || price === 0) {
    return { asset, amount: ZERO };
  }
  if (waits && order.trigger?.fundedWhenFired === true) return { asset, amount: ZERO };
  if (waits && quoteQuantity !== undefined && order.side === 'BUY') return { asset, amount: quoteQuantity };
  if (quantity === undefined) return { asset, amount: ZERO };
  const left = (quantity - order.executed) as Lots;
  return { asset, amount: order.side === 'BUY' ? quoteOf(terms, price, left) : baseOf(terms, left) };
}

/** A member's open order as its engine holds it: one that waits has its id there, and is in no queue. */
export function restingOf(
  order: Pick<SimOrder, 'orderId' | 'account' | 'side' | 'price' | 'quantity' | 'executed' | 'status'> &
    Pick<SimOrder, 'visible' | 'trigger' | 'workingSince'> & {
      /** How much may be filled, where that is less. */
      readonly fillable?: Lots;
    },
): RestingOrder {
  const { orderId, account, side, price, quantity, executed, visible } = order;
  if (isWaiting(order)) return { orderId, account, side, price: 0 as Ticks, remaining: 0 as Lots };
  assert(price !== undefined && quantity !== undefined, 'a resting order has a price and a quantity');
  const most = Math.min(quantity, order.fillable ?? quantity);
  const resting = { orderId, account, side, price, remaining: (most - executed) as Lots };
  return visible === undefined ? resting : { ...resting, visible };
}

/** What a fill does to the balances of its account: `pays` leaves, `receives` less `fee` arrives. */
export interface FillMoney {
  readonly pays: { readonly asset: string; readonly amount: Amount };
  readonly receives: { readonly asset: string; readonly amount: Amount };
  readonly quoteQuantity: Amount;
  /** In the asset received, rounded up to 1e-8: against the account. */
  readonly fee: Amount;
}

/** The money of one fill. */
export function moneyOfFill(
  terms: Terms,
  fill: {
    readonly side: 'BUY' | 'SELL';
    readonly price: Ticks;
    readonly quantity: Lots;
    readonly maker: boolean;
  },
): FillMoney {
  const { base, quote, makerFee, takerFee } = terms.facts;
  const quoteQuantity = quoteOf(terms, fill.price, fill.quantity);
  const inBase = { asset: base, amount: baseOf(terms, fill.quantity) };
  const inQuote = { asset: quote, amount: quoteQuantity };
  const receives = fill.side === 'BUY' ? inBase : inQuote;
  const exact = mulUp(receives.amount, fill.maker ? makerFee : takerFee);
  const fee = lesser(ceilTo(exact, FEE_STEP), receives.amount);
  return { pays: fill.side === 'BUY' ? inQuote : inBase, receives, quoteQuantity, fee };
}

/** What arrives after the fee. */
export function netOf(money: FillMoney): Amount {
  return minus(money.receives.amount, money.fee);
}

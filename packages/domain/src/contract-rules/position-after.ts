import { type Amount, lesser, magnitude, mulUp, ZERO } from '../amount.ts';
import { notionalDown, notionalUp } from '../instrument.ts';

/** A position's size, below 0 short, in what the venue counts, and its entry. */
export interface SizedContract {
  readonly quantity: Amount;
  readonly entryPrice: Amount;
}

/** What a fill does to a position. */
export interface FillEffect {
  /** Absent when it is flat. */
  readonly after: SizedContract | undefined;
  /** Quantity of the fill that closed, and that opened; at least 0. */
  readonly closed: Amount;
  readonly opened: Amount;
  /** Whether long became short or the other way round. */
  readonly turned: boolean;
}

const FLAT: SizedContract = { quantity: ZERO, entryPrice: ZERO };

/** A position after a fill: its entry is averaged only when it grows, a turn opens at the fill's price. */
export function positionAfter(
  held: SizedContract = FLAT,
  fill: { readonly quantity: Amount; readonly price: Amount },
): FillEffect {
  const before = held.quantity;
  const quantity = (before + fill.quantity) as Amount;
  if (before === 0n || before > 0n === fill.quantity > 0n) {
    const paid = before * held.entryPrice + fill.quantity * fill.price;
    const entryPrice = (quantity === 0n ? 0n : paid / quantity) as Amount;
    const opened = magnitude(fill.quantity);
    const after = quantity === 0n ? undefined : { quantity, entryPrice };
    return { after, closed: ZERO, opened, turned: false };
  }
  const closed = lesser(magnitude(before), magnitude(fill.quantity));
  const opened = (magnitude(fill.quantity) - closed) as Amount;
  const turned = opened > 0n;
  const rest = { quantity, entryPrice: turned ? fill.price : held.entryPrice };
  return { after: quantity === 0n ? undefined : rest, closed, opened, turned };
}

/** Profit of closing a quantity at a price, below 0 a loss, fees not counted; rounded down. */
export function profitOfClosing(
  held: SizedContract,
  close: { readonly quantity: Amount; readonly price: Amount },
  contractValue: Amount,
): Amount {
  const ahead = held.quantity > 0n ? close.price - held.entryPrice : held.entryPrice - close.price;
  if (ahead >= 0n) return notionalDown(ahead as Amount, close.quantity, contractValue);
  return -notionalUp(-ahead as Amount, close.quantity, contractValue) as Amount;
}

/** What a close would bring: its profit less its fee. */
export function realisedEstimate(
  held: SizedContract,
  close: { readonly quantity: Amount; readonly price: Amount },
  { contractValue, feeRate }: { readonly contractValue: Amount; readonly feeRate: Amount },
): Amount {
  const fee = mulUp(notionalUp(close.price, close.quantity, contractValue), feeRate);
  return (profitOfClosing(held, close, contractValue) - fee) as Amount;
}

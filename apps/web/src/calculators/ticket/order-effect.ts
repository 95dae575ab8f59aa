import { type Amount, lesser, positionAfter, SIDE, type Side, ZERO } from '@crossbook/domain';

/** A position before or after an order, in base coins. */
export interface SizedPosition {
  readonly side: Side;
  readonly size: Amount;
  readonly entry: Amount;
}

/** What an order does to a position. */
export interface OrderEffect {
  /** Coins that close, and coins that open. */
  readonly closing: Amount;
  readonly opening: Amount;
  /** Absent when it is flat. */
  readonly after: SizedPosition | undefined;
  /** Whether a position of the other side is there afterwards. */
  readonly flips: boolean;
}

/** Splits an order of base coins into what closes and what opens, and says what is there afterwards. */
export function orderEffect(
  order: {
    readonly side: Side;
    readonly size: Amount;
    readonly price: Amount;
    /** Never opens: reduce-only, or the Close tab of hedge mode. */
    readonly onlyCloses: boolean;
  },
  position: SizedPosition | undefined,
): OrderEffect {
  const closable = position === undefined || position.side === order.side ? ZERO : position.size;
  const filled = order.onlyCloses ? lesser(order.size, closable) : order.size;
  const held =
    position === undefined
      ? undefined
      : { quantity: signed(position.side, position.size), entryPrice: position.entry };
  if (filled === ZERO) return { closing: ZERO, opening: ZERO, after: position, flips: false };
  const effect = positionAfter(held, { quantity: signed(order.side, filled), price: order.price });
  const { after, closed, opened, turned } = effect;
  return {
    ...{ closing: closed, opening: opened, flips: turned },
    after:
      after === undefined
        ? undefined
        : {
            side: after.quantity < ZERO ? SIDE.SELL : SIDE.BUY,
            size: (after.quantity < ZERO ? -after.quantity : after.quantity) as Amount,
            entry: after.entryPrice,
          },
  };
}

function signed(side: Side, size: Amount): Amount {
  return side === SIDE.BUY ? size : (-size as Amount);
}

import type { OrderRow } from '@crossbook/contract';
import {
  AMOUNT_ONE,
  type Amount,
  type Instrument,
  mulDown,
  mulUp,
  parseAmount,
  plus,
  SIDE,
  type SymbolType,
  ZERO,
} from '@crossbook/domain';

/** An instrument with what it costs to take. */
export type PricedInstrument = Pick<Instrument, 'contractValue'> & { readonly takerFee: Amount };

/** What of an open order is not filled yet, at its own price, in quote; 0 where it has none. */
function openValue(row: OrderRow, { contractValue }: PricedInstrument): Amount {
  const left = (parseAmount(row.quantity ?? '') ?? ZERO) - (parseAmount(row.cumQuantity) ?? ZERO);
  const price = parseAmount(row.price ?? '') ?? ZERO;
  return left <= 0n ? ZERO : mulUp(mulDown(left as Amount, contractValue), price);
}

/** What open buys of pairs hold, in quote, at their own price; fees not counted. */
export function spotBuysHold(orders: readonly OrderRow[]): Amount {
  const pair = { contractValue: AMOUNT_ONE as Amount, takerFee: ZERO };
  return orders
    .filter(({ symbolType, side }) => symbolType === 'SPOT' && side === SIDE.BUY)
    .reduce((sum, row) => plus(sum, openValue(row, pair)), ZERO);
}

/**
 * What open orders of a platform keep from standing behind cross positions, in quote: the money of spot buys, margin and
 * fee of isolated orders, the fee of cross ones. An estimate from above: orders that only close count too.
 * @param instrumentOf an instrument by type and symbol; an order on one that is not known counts nothing.
 */
export function heldBackByOrders(
  orders: readonly OrderRow[],
  instrumentOf: (symbolType: SymbolType, symbol: string) => PricedInstrument | undefined,
): Amount {
  return orders.reduce((sum, row) => {
    const instrument = instrumentOf(row.symbolType, row.symbol);
    if (instrument === undefined) return sum;
    const value = openValue(row, instrument);
    if (row.symbolType === 'SPOT') return row.side === SIDE.BUY ? plus(sum, value) : sum;
    const margin = row.marginMode === 'isolated' ? value / BigInt(Math.max(1, row.leverage ?? 1)) : 0n;
    return plus(plus(sum, margin as Amount), mulUp(value, instrument.takerFee));
  }, ZERO);
}

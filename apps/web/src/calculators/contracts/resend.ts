import type { OrderRow } from '@crossbook/contract';
import { type Instrument, mulDown, ORDER_TYPE, parseAmount, SIDE } from '@crossbook/domain';
import type { TicketAction } from '../ticket/ticket.ts';
import type { ContractTicketAction } from './contract-ticket.ts';

/** What both tickets do alike: side, kind, time in force, price and size in coins. */
function common(row: OrderRow, { contractValue }: Pick<Instrument, 'contractValue'>) {
  const { side, price, quantity } = row;
  const type = row.orderType === 2 ? ORDER_TYPE.MARKET : ORDER_TYPE.LIMIT;
  const counted = parseAmount(quantity ?? '');
  const { timeInForce } = row;
  return [
    { kind: 'side', side } as const,
    { kind: 'type', type } as const,
    ...(type === ORDER_TYPE.LIMIT ? [{ kind: 'time-in-force', timeInForce } as const] : []),
    ...(type === ORDER_TYPE.LIMIT && price !== null
      ? [{ kind: 'write', field: 'price', text: price } as const]
      : []),
    ...(counted === undefined ? [] : [{ kind: 'pick-size', size: mulDown(counted, contractValue) } as const]),
  ];
}

/** Fills the ticket of a pair in with an order of before; nothing is sent. */
export function spotResend(row: OrderRow, instrument: Instrument): readonly TicketAction[] {
  const { quoteQuantity, visibleQuantity } = row;
  return [
    ...common(row, instrument),
    ...(visibleQuantity === null
      ? []
      : [{ kind: 'write', field: 'visible', text: visibleQuantity } as const]),
    ...(quoteQuantity === null
      ? []
      : [
          { kind: 'unit', unit: 'quote' } as const,
          { kind: 'write', field: 'quote', text: quoteQuantity } as const,
        ]),
  ];
}

/** Fills the ticket of a contract in with an order of before, on the same leg; nothing is sent. */
export function contractResend(row: OrderRow, instrument: Instrument): readonly ContractTicketAction[] {
  const { effect, side, reduceOnly } = row;
  const opens = (side === SIDE.BUY) === (effect === 1);
  return [
    { kind: 'tab', tab: effect === 0 || opens ? 'open' : 'close' },
    { kind: 'reduce-only', reduceOnly: effect === 0 && reduceOnly },
    ...common(row, instrument),
  ];
}

import {
  type Amount,
  balanceFault,
  bandPrices,
  decimalsOf,
  formatAmountFixed,
  ORDER_FAULT_NAMES,
  ORDER_TYPE,
  type OrderFault,
  type OrderRequest,
  orderFaults,
  SIDE,
  spotTerms,
  TIME_IN_FORCE,
  ZERO,
} from '@crossbook/domain';
import { groupThousands } from '../step-text.ts';
import { makerBound } from './maker-bound.ts';
import { entryAmount } from './number-entry.ts';
import {
  mayHide,
  requestOf,
  sizedInQuote,
  type TicketFacts,
  type TicketField,
  type TicketState,
} from './ticket.ts';

/** Names of the error catalogue that a ticket can foresee, in the catalogue's order: the first one is what the hub would answer. */
export const TICKET_ERROR_NAMES = [
  'field-invalid',
  'platform-coming-soon',
  ...ORDER_FAULT_NAMES,
  'venue-refused',
] as const;
/** One such name. */
export type TicketErrorName = (typeof TICKET_ERROR_NAMES)[number];

/** One thing that is wrong, at the field it concerns; `form` is the ticket as a whole. */
export interface TicketError {
  readonly name: TicketErrorName;
  readonly field: TicketField | 'form';
  /** What would be right: a step, a bound, a range. */
  readonly allowed?: string;
  /** True for a field that was simply not filled in yet: said only on sending. */
  readonly missing?: true;
  /** The price that would do, as the field writes it. */
  readonly instead?: string;
}

const missingFields = (state: TicketState): readonly TicketError[] =>
  (['price', 'quantity', 'visible', 'quote'] as const).flatMap((field) => fieldMissing(field, state) ?? []);

function fieldMissing(field: TicketField, state: TicketState): TicketError | undefined {
  // Left empty the order is no iceberg.
  if (field === 'visible' && (state.visible === '' || !mayHide(state))) return undefined;
  const size = sizedInQuote(state) ? 'quote' : field === 'visible' ? 'visible' : 'quantity';
  if (field === 'price' ? state.type !== ORDER_TYPE.LIMIT : field !== size) return undefined;
  const value = entryAmount(state[field]);
  if (value !== undefined && value > ZERO) return undefined;
  const error = { name: 'field-invalid', field, allowed: '> 0' } as const;
  return value === undefined && state[field] !== '' ? error : { ...error, missing: true };
}

/** Where the ticket has what an order's fault is about. */
const FIELDS = {
  price: 'price',
  quantity: 'quantity',
  quoteQuantity: 'quote',
  visibleQuantity: 'visible',
} as const;

/** A fault of the order as the ticket says it: at its own field. */
function atField({ name, field, allowed }: OrderFault): TicketError {
  return {
    name,
    field: field === undefined ? 'form' : FIELDS[field],
    ...(allowed === undefined ? {} : { allowed: allowed.join(' – ') }),
  };
}

/** The exchange itself refuses a post-only order that would fill at once. */
function onlyMakes(
  { type, timeInForce, side, price }: OrderRequest,
  facts: TicketFacts,
): TicketError | undefined {
  if (type !== ORDER_TYPE.LIMIT || timeInForce !== TIME_IN_FORCE.POST_ONLY) return undefined;
  const other = side === SIDE.BUY ? facts.bestAsk : facts.bestBid;
  const { tickSize } = facts.instrument;
  const waits = makerBound(side, price, { other, tickSize });
  if (waits === undefined || other === undefined) return undefined;
  const digits = decimalsOf(tickSize);
  return {
    ...{ name: 'venue-refused', field: 'price', instead: formatAmountFixed(waits, digits) },
    allowed: `${side === SIDE.BUY ? '<' : '>'} ${groupThousands(formatAmountFixed(other, digits))}`,
  };
}

/** The exchange takes limits within a band around the average price, which the middle of the best prices stands for. */
function outOfBand({ type, side, price }: OrderRequest, facts: TicketFacts): TicketError | undefined {
  const { instrument, bestBid, bestAsk } = facts;
  if (type !== ORDER_TYPE.LIMIT || price === undefined || !bestBid || !bestAsk) return undefined;
  const middle = ((bestBid + bestAsk) / 2n) as Amount;
  const { least, most } = bandPrices(instrument, side === SIDE.BUY, middle);
  const outside = (least !== undefined && price < least) || (most !== undefined && price > most);
  if (!outside) return undefined;
  const ends = [least ?? instrument.minPrice, most ?? instrument.maxPrice].map((end) =>
    groupThousands(formatAmountFixed(end, decimalsOf(instrument.tickSize))),
  );
  const end = least !== undefined && price < least ? least : most;
  const instead =
    end === undefined ? {} : { instead: formatAmountFixed(end, decimalsOf(instrument.tickSize)) };
  return { name: 'price-range', field: 'price', allowed: ends.join(' – '), ...instead };
}

/** Everything that is wrong with a ticket, in the catalogue's order; empty when it may be sent. */
export function ticketErrors(state: TicketState, facts: TicketFacts): readonly TicketError[] {
  const request = requestOf(state, facts);
  const missing = missingFields(state);
  const faults = orderFaults(request, facts)
    // What is not filled in yet is said at its field.
    .filter(({ name }) => missing.length === 0 || name !== 'order-combination')
    .map(atField);
  const terms = spotTerms(request, facts);
  const available = state.side === SIDE.BUY ? facts.availableQuote : facts.availableBase;
  const short = terms && available !== undefined ? balanceFault(request, terms, available) : undefined;
  const refused = onlyMakes(request, facts);
  const banned = outOfBand(request, facts);
  return [
    ...missing,
    ...(facts.platformOpen ? [] : [{ name: 'platform-coming-soon', field: 'form' } as const]),
    ...faults,
    ...(short === undefined ? [] : [atField(short)]),
    ...(refused === undefined ? [] : [refused]),
    ...(faults.length > 0 || banned === undefined ? [] : [banned]),
  ];
}

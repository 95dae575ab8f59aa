import {
  type Amount,
  decimalsOf,
  formatAmount,
  formatAmountFixed,
  ORDER_TYPE,
  SIDE,
  TIME_IN_FORCE,
  ZERO,
} from '@crossbook/domain';
import { entryAmount, entryDecimals } from './number-entry.ts';
import {
  QUOTE_DECIMALS_MAX,
  sizedInQuote,
  summarise,
  type TicketFacts,
  type TicketField,
  type TicketState,
  type TicketSummary,
} from './ticket.ts';

/** Names of the error catalogue that a ticket can foresee, in the catalogue's order: the first one is what the hub would answer. */
export const TICKET_ERROR_NAMES = [
  'field-invalid',
  'platform-coming-soon',
  'symbol-halted',
  'price-step',
  'price-range',
  'quantity-step',
  'quantity-range',
  'price-stale',
  'notional-too-small',
  'balance-insufficient',
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
}

type Check = (state: TicketState, facts: TicketFacts, summary: TicketSummary) => TicketError | undefined;

const fieldMissing =
  (field: TicketField): Check =>
  (state) => {
    const used =
      field === 'price'
        ? state.type === ORDER_TYPE.LIMIT
        : sizedInQuote(state)
          ? field === 'quote'
          : field === 'quantity';
    if (!used) return undefined;
    const value = entryAmount(state[field]);
    if (value !== undefined && value > ZERO) return undefined;
    const error = { name: 'field-invalid', field, allowed: '> 0' } as const;
    return value === undefined && state[field] !== '' ? error : { ...error, missing: true };
  };

const platformOpen: Check = (_state, facts) =>
  facts.platformOpen ? undefined : { name: 'platform-coming-soon', field: 'form' };

const instrumentTrading: Check = (_state, facts) =>
  facts.instrument.status === 'trading' ? undefined : { name: 'symbol-halted', field: 'form' };

const priceStep: Check = (state, { instrument }) => {
  const price = limitPrice(state);
  if (price === undefined || price % instrument.tickSize === 0n) return undefined;
  return { name: 'price-step', field: 'price', allowed: formatAmount(instrument.tickSize) };
};

const priceRange: Check = (state, { instrument }) => {
  const price = limitPrice(state);
  if (price === undefined || price === ZERO) return undefined;
  return outside(price, instrument.minPrice, instrument.maxPrice, {
    name: 'price-range',
    field: 'price',
  });
};

const quantityStep: Check = (state, { instrument }) => {
  if (sizedInQuote(state)) {
    if (entryDecimals(state.quote) <= QUOTE_DECIMALS_MAX) return undefined;
    return { name: 'quantity-step', field: 'quote', allowed: '0.00000001' };
  }
  const quantity = entryAmount(state.quantity);
  if (quantity === undefined || quantity % instrument.lotSize === 0n) return undefined;
  return { name: 'quantity-step', field: 'quantity', allowed: formatAmount(instrument.lotSize) };
};

const quantityRange: Check = (state, { instrument }) => {
  if (sizedInQuote(state)) return undefined;
  const quantity = entryAmount(state.quantity);
  if (quantity === undefined || quantity === ZERO) return undefined;
  const market = state.type === ORDER_TYPE.MARKET && instrument.maxMarketQty > ZERO;
  const most = market ? instrument.maxMarketQty : instrument.maxQty;
  return outside(quantity, instrument.minQty, most, { name: 'quantity-range', field: 'quantity' });
};

const notional: Check = (state, { instrument }, summary) => {
  if (summary.value === undefined || summary.value === ZERO) return undefined;
  if (summary.value >= instrument.minNotional) return undefined;
  return {
    name: 'notional-too-small',
    field: sizedInQuote(state) ? 'quote' : 'quantity',
    allowed: `${formatAmount(instrument.minNotional)} ${instrument.quote}`,
  };
};

const freshPrice: Check = (state, facts) =>
  state.type === ORDER_TYPE.MARKET && facts.priceStale ? { name: 'price-stale', field: 'form' } : undefined;

const balance: Check = (state, _facts, summary) => {
  if (summary.hold === undefined || summary.available === undefined) return undefined;
  if (summary.hold <= summary.available) return undefined;
  return { name: 'balance-insufficient', field: sizedInQuote(state) ? 'quote' : 'quantity' };
};

/** The exchange itself refuses a post-only order that would fill at once. */
const onlyMakes: Check = (state, facts) => {
  if (state.type !== ORDER_TYPE.LIMIT || state.timeInForce !== TIME_IN_FORCE.POST_ONLY) return undefined;
  const price = limitPrice(state);
  const other = state.side === SIDE.BUY ? facts.bestAsk : facts.bestBid;
  if (price === undefined || other === undefined) return undefined;
  const crosses = state.side === SIDE.BUY ? price >= other : price <= other;
  if (!crosses) return undefined;
  const bound = formatAmountFixed(other, decimalsOf(facts.instrument.tickSize));
  return {
    name: 'venue-refused',
    field: 'price',
    allowed: `${state.side === SIDE.BUY ? '<' : '>'} ${bound}`,
  };
};

/** The checks in the catalogue's order. */
const CHECKS: readonly Check[] = [
  fieldMissing('price'),
  fieldMissing('quantity'),
  fieldMissing('quote'),
  platformOpen,
  instrumentTrading,
  priceStep,
  priceRange,
  quantityStep,
  quantityRange,
  notional,
  freshPrice,
  balance,
  onlyMakes,
];

/** Everything that is wrong with a ticket, in the catalogue's order; empty when it may be sent. */
export function errors(state: TicketState, facts: TicketFacts): readonly TicketError[] {
  const summary = summarise(state, facts);
  return CHECKS.map((check) => check(state, facts, summary)).filter((error) => error !== undefined);
}

function limitPrice(state: TicketState): Amount | undefined {
  return state.type === ORDER_TYPE.LIMIT ? entryAmount(state.price) : undefined;
}

function outside(
  value: Amount,
  least: Amount,
  most: Amount,
  where: Pick<TicketError, 'name' | 'field'>,
): TicketError | undefined {
  if (value >= least && value <= most) return undefined;
  return { ...where, allowed: `${formatAmount(least)} – ${formatAmount(most)}` };
}

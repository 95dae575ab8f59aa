import type { OrderRow, PositionRow } from '@crossbook/contract';
import {
  type Amount,
  bandPrices,
  decimalsOf,
  formatAmountFixed,
  NOT_OF_CLOSING,
  ORDER_TYPE,
  type OrderRequest,
  orderFaults,
  plus,
  SIDE,
  type SpotOrderOffer,
  TIME_IN_FORCE,
  toNumberForDisplay,
  ZERO,
} from '@crossbook/domain';
import { costText, moneyText } from '../signed-text.ts';
import { groupThousands } from '../step-text.ts';
import type { BookWalk } from '../ticket/book-walk.ts';
import { makerBound } from '../ticket/maker-bound.ts';
import { entryAmount } from '../ticket/number-entry.ts';
import { slippageWarning, type TicketWarning, throughBookWarning } from '../ticket/ticket-warnings.ts';
import { baseStep } from './contract-size.ts';
import {
  availableMargin,
  type ContractFacts,
  type ContractSummary,
  closingOrders,
  coinsLeft,
  largestContractSize,
  leverageThatFits,
  liquidatesAtOnce,
  tierRoom,
} from './contract-summary.ts';
import {
  type ContractTicketState,
  coinsOf,
  effectOfOrder,
  leverageOf,
  meansWhole,
  onlyCloses,
  venueQuantity,
} from './contract-ticket.ts';
import { signedDecimal } from './position-stats.ts';

/** Names of what can be wrong with a contract order, in the order in which the first one is said. */
export const CONTRACT_ERROR_NAMES = [
  'field-invalid',
  'platform-coming-soon',
  'symbol-halted',
  'order-combination',
  'price-step',
  'price-range',
  'price-band',
  'quantity-step',
  'quantity-range',
  'price-stale',
  'notional-too-small',
  'post-only-crosses',
  'nothing-to-reduce',
  'close-too-large',
  'tier-exceeded',
  'would-liquidate',
  'balance-insufficient',
] as const;
/** One such name. */
export type ContractErrorName = (typeof CONTRACT_ERROR_NAMES)[number];

/** One thing that is wrong, at the field it concerns; `form` is the ticket as a whole. */
export interface ContractError {
  readonly name: ContractErrorName;
  readonly field: 'price' | 'size' | 'form';
  /** What fills the sentence. */
  readonly values: Readonly<Record<string, string>>;
  /** True for a field that was simply not filled in yet: said only on sending. */
  readonly missing?: true;
  /** What one click may write into the field instead: a price, or the largest size. */
  readonly instead?: 'price' | 'largest';
  /** The leverage at which the order would fit. */
  readonly leverage?: number;
  /** Orders in the way, which one click may cancel. */
  readonly cancels?: readonly OrderRow[];
}

function missing(state: ContractTicketState): readonly ContractError[] {
  const fields = [
    ...(state.type === ORDER_TYPE.LIMIT ? [['price', state.price] as const] : []),
    ['size', state.size] as const,
  ];
  return fields.flatMap(([field, text]) => {
    const value = entryAmount(text);
    if (value !== undefined && value > ZERO) return [];
    const error = { name: 'field-invalid', field, values: {} } as const;
    return [text === '' || value === ZERO ? { ...error, missing: true } : error];
  });
}

/** The order as the rules of the hub see it. What is not filled in is absent. */
export function contractRequestOf(state: ContractTicketState, facts: ContractFacts): OrderRequest {
  const { instrument } = facts;
  const coins = coinsOf(state, { ...facts, largest: undefined });
  const limit = state.type === ORDER_TYPE.LIMIT;
  const price = limit ? entryAmount(state.price) : undefined;
  return {
    ...{ instrument, side: state.side, type: state.type },
    timeInForce: limit ? state.timeInForce : TIME_IN_FORCE.GTC,
    ...(price === undefined || price === ZERO ? {} : { price }),
    ...(coins === undefined ? {} : { quantity: venueQuantity(coins, instrument) }),
  };
}

/** How far from the mark the venue takes a limit of this side: said before it is sent, not learnt from a refusal. */
function outOfBand(state: ContractTicketState, facts: ContractFacts): readonly ContractError[] {
  const price = state.type === ORDER_TYPE.LIMIT ? entryAmount(state.price) : undefined;
  if (price === undefined || price === ZERO || facts.mark === undefined) return [];
  const { least, most } = bandPrices(facts.instrument, state.side === SIDE.BUY, facts.mark);
  const low = least !== undefined && price < least;
  const end = low ? least : most;
  if (end === undefined || (!low && price <= end)) return [];
  const values = { end: low ? 'least' : 'most', price: priceText(end, facts) };
  return [{ name: 'price-band', field: 'price', values, instead: 'price' }];
}

function priceText(price: Amount, { instrument }: Pick<ContractFacts, 'instrument'>): string {
  return groupThousands(formatAmountFixed(price, decimalsOf(instrument.tickSize)));
}

function crosses(state: ContractTicketState, facts: ContractFacts): readonly ContractError[] {
  if (state.type !== ORDER_TYPE.LIMIT || state.timeInForce !== TIME_IN_FORCE.POST_ONLY) return [];
  const other = state.side === SIDE.BUY ? facts.bestAsk : facts.bestBid;
  const { tickSize } = facts.instrument;
  const bound = makerBound(state.side, entryAmount(state.price), { other, tickSize });
  if (other === undefined || bound === undefined) return [];
  const values = { best: priceText(other, facts), price: priceText(bound, facts) };
  return [{ name: 'post-only-crosses', field: 'price', values, instead: 'price' }];
}

/** What of the position binds an order that only closes. */
function closingErrors(state: ContractTicketState, facts: ContractFacts): readonly ContractError[] {
  const { instrument, setting } = facts;
  if (!onlyCloses(state, setting)) return [];
  const largest = largestContractSize(state, facts);
  const coins = coinsOf(state, { ...facts, largest: undefined });
  if (largest === undefined) return [];
  const digits = decimalsOf(baseStep(instrument));
  const shown = (value: Amount) => `${formatAmountFixed(value, digits)} ${instrument.base}`;
  const cancels = closingOrders(state, facts);
  if (largest.size === ZERO && cancels.length === 0) {
    const values = { side: state.side === SIDE.BUY ? 'short' : 'long' };
    return [{ name: 'nothing-to-reduce', field: 'form', values }];
  }
  if (coins === undefined || coins <= largest.size || meansWhole(state, setting)) return [];
  const closing = cancels.length === 0 ? 'none' : shown(coinsLeft(cancels, instrument));
  const error = {
    name: 'close-too-large',
    field: 'size',
    values: { size: shown(largest.size), closing },
  } as const;
  return [
    {
      ...error,
      ...(largest.size === ZERO ? {} : { instead: 'largest' as const }),
      ...(cancels.length === 0 ? {} : { cancels }),
    },
  ];
}

function openingErrors(
  state: ContractTicketState,
  facts: ContractFacts,
  summary: ContractSummary,
): readonly ContractError[] {
  const { effect, price, cost } = summary;
  if (effect === undefined || price === undefined || effect.opening === ZERO) return [];
  const found: ContractError[] = [];
  const leverage = leverageOf(effectOfOrder(state, facts.setting), facts.setting);
  const size = effect.after?.size ?? ZERO;
  const coins = plus(effect.closing, effect.opening);
  const room = tierRoom(state, facts, coins);
  if (room !== undefined && effect.opening > room) {
    const worth = (coins: Amount) => moneyText(((coins * price) / 10n ** 18n) as Amount);
    const values = {
      leverage: String(leverage),
      allowed: worth((size - effect.opening + room) as Amount),
      held: worth(size),
    };
    const fits = leverageThatFits(state, facts, { opens: effect.opening, coins });
    const error = { name: 'tier-exceeded', field: 'size', values, instead: 'largest' } as const;
    found.push(fits === undefined ? error : { ...error, leverage: fits });
  }
  const available = availableMargin(facts);
  const unpaid = cost !== undefined && available !== undefined && cost > available;
  // What cannot be paid would often be liquidated too: the money is what to begin with.
  if (!unpaid && liquidatesAtOnce(summary, facts.mark)) {
    const liquidation = summary.liquidationAfter ?? ZERO;
    const values = { price: priceText(liquidation, facts) };
    found.push({ name: 'would-liquidate', field: 'form', values });
  }
  if (unpaid) {
    const short = (cost - (available < ZERO ? ZERO : available)) as Amount;
    const values = { cost: costText(cost), available: moneyText(available), short: costText(short) };
    found.push({ name: 'balance-insufficient', field: 'form', values });
  }
  return found;
}

/**
 * Everything that is wrong with a contract ticket; empty when it may be sent.
 * @param offer kinds and times in force of the platform's order call.
 */
export function contractErrors(
  state: ContractTicketState,
  facts: ContractFacts,
  context: { readonly offer: SpotOrderOffer; readonly summary: ContractSummary },
): readonly ContractError[] {
  const { bestBid, bestAsk, priceStale, setting, platformOpen } = facts;
  const unfilled = missing(state);
  const closes = onlyCloses(state, setting);
  const market = { offer: context.offer, bestBid, bestAsk, priceStale };
  const faults = orderFaults(contractRequestOf(state, facts), market)
    .filter(({ name }) => name !== 'balance-insufficient')
    // What is not filled in yet is said at its field.
    .filter(({ name }) => unfilled.length === 0 || name !== 'order-combination')
    .filter(({ name }) => !closes || !NOT_OF_CLOSING.includes(name))
    .map(
      ({ name, field, allowed }): ContractError => ({
        name: name as ContractErrorName,
        field: field === 'price' ? 'price' : field === undefined ? 'form' : 'size',
        values: { allowed: (allowed ?? []).join(' – ') },
      }),
    );
  return [
    ...unfilled,
    ...(platformOpen || closes ? [] : [{ name: 'platform-coming-soon', field: 'form', values: {} } as const]),
    ...faults,
    ...outOfBand(state, facts),
    ...crosses(state, facts),
    ...closingErrors(state, facts),
    ...openingErrors(state, facts, context.summary),
  ];
}

/** Percent of distance to liquidation from which an order is worth a word, and a second question. */
const LIQUIDATION_PERCENT = { warn: 5, ask: 2 } as const;
/** Funding is worth a word in its last ten minutes, at this rate and above. */
const FUNDING_MILLIS = 600_000;
const FUNDING_RATE_MIN = 0.0005;

/** What the warnings look at besides the ticket. */
export interface WarningContext {
  readonly summary: ContractSummary;
  readonly walk: BookWalk | undefined;
  /** Fraction that longs pay at `at`, ms; `undefined` while unknown. */
  readonly funding: { readonly rate: number; readonly at: number } | undefined;
  readonly now: number;
}

function liquidationWarning(facts: ContractFacts, { summary }: WarningContext): readonly TicketWarning[] {
  const { liquidationAfter, effect } = summary;
  if (liquidationAfter === undefined || facts.mark === undefined || effect?.opening === ZERO) return [];
  const gap = liquidationAfter > facts.mark ? liquidationAfter - facts.mark : facts.mark - liquidationAfter;
  const percent = (toNumberForDisplay(gap as Amount) / toNumberForDisplay(facts.mark)) * 100;
  if (percent >= LIQUIDATION_PERCENT.warn) return [];
  return [
    {
      name: 'near-liquidation',
      grave: percent < LIQUIDATION_PERCENT.ask,
      values: { percent: percent.toFixed(1) },
    },
  ];
}

function fundingWarning({ summary, funding, now }: WarningContext): readonly TicketWarning[] {
  const after = summary.effect?.after;
  if (funding === undefined || after === undefined || summary.price === undefined) return [];
  const millis = funding.at - now;
  const pays = after.side === SIDE.BUY ? funding.rate > 0 : funding.rate < 0;
  if (millis <= 0 || millis > FUNDING_MILLIS || Math.abs(funding.rate) < FUNDING_RATE_MIN || !pays) return [];
  const value = toNumberForDisplay(after.size) * toNumberForDisplay(summary.price) * Math.abs(funding.rate);
  const values = { minutes: String(Math.ceil(millis / 60_000)), amount: value.toFixed(2) };
  return [{ name: 'funding-soon', grave: false, values }];
}

/** What of the account stands behind what is opened, and whether it stands otherwise behind what is held. */
function modeWarnings(
  state: ContractTicketState,
  facts: ContractFacts,
  { summary }: WarningContext,
): readonly TicketWarning[] {
  const { setting, positions, instrument, margin } = facts;
  if (setting === undefined || summary.effect === undefined || summary.effect.opening === ZERO) return [];
  const effect = effectOfOrder(state, setting);
  const leverage = leverageOf(effect, setting);
  const isMet = (row: PositionRow): boolean => row.symbol === instrument.symbol && row.effect === effect;
  const held = positions.find(isMet);
  const values = { mode: setting.marginMode, leverage: String(leverage) };
  const otherwise: readonly TicketWarning[] =
    held === undefined || (held.marginMode === setting.marginMode && held.leverage === leverage)
      ? []
      : [
          {
            ...{ name: 'grows-otherwise', grave: false },
            values: { ...values, heldMode: held.marginMode, heldLeverage: String(held.leverage) },
          },
        ];
  if (setting.marginMode === 'cross') {
    if (margin === undefined) return otherwise;
    const others = positions.filter((row) => row.marginMode === 'cross' && !isMet(row)).length;
    const pool = { amount: moneyText(signedDecimal(margin.wallet)), others: String(others) };
    return [...otherwise, { name: 'cross-pool', grave: false, values: pool }];
  }
  if (summary.cost === undefined) return otherwise;
  const behind = held?.marginMode === 'isolated' ? signedDecimal(held.isolatedMargin) : ZERO;
  const amount = costText((summary.cost + behind) as Amount);
  return [...otherwise, { name: 'isolated-loss', grave: false, values: { amount } }];
}

/** Remarks about an order that may be sent all the same. */
export function contractWarnings(
  state: ContractTicketState,
  facts: ContractFacts,
  context: WarningContext,
): readonly TicketWarning[] {
  const { effect } = context.summary;
  if (effect === undefined) return [];
  const digits = decimalsOf(baseStep(facts.instrument));
  const shown = (coins: Amount) => `${formatAmountFixed(coins, digits)} ${facts.instrument.base}`;
  const limit = state.type === ORDER_TYPE.LIMIT ? entryAmount(state.price) : undefined;
  const { bestBid, bestAsk } = facts;
  return [
    ...throughBookWarning({ side: state.side, price: limit, bestBid, bestAsk, mark: facts.mark }),
    ...slippageWarning(state.type, context.walk),
    ...(effect.flips
      ? [
          {
            name: 'flips' as const,
            grave: true,
            values: { closed: shown(effect.closing), opened: shown(effect.opening) },
          },
        ]
      : []),
    ...(effect.opening === ZERO && effect.closing > ZERO
      ? [{ name: 'reduces' as const, grave: false, values: {} }]
      : []),
    ...modeWarnings(state, facts, context),
    ...liquidationWarning(facts, context),
    ...fundingWarning(context),
  ];
}

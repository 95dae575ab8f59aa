import type { Refusal } from '@crossbook/contract';
import {
  AMOUNT_MAX,
  type Amount,
  formatAmount,
  type Millis,
  mulDown,
  ORDER_TYPE,
  type PlatformState,
  SIDE,
  TIME_IN_FORCE,
} from '@crossbook/domain';
import { orderTerms } from './hold-terms.ts';
import type { CheckedOrder, OrderDraft } from './order.ts';
import { type Refused, refusal } from './ports.ts';

/** Oldest market price a market order may rely on (money-and-security.md 2). */
export const PRICE_AGE_MILLIS_MAX = 5_000;
/** Open orders one member may have in one instrument; the venues allow 200. */
export const OPEN_ORDERS_MAX = 200;

/** What the checks look at besides the order. */
export interface RiskFacts {
  readonly platformName: string;
  readonly platformState: PlatformState;
  readonly halted: string | undefined;
  readonly now: Millis;
  readonly best: { readonly bid: Amount; readonly ask: Amount; readonly receivedAt: Millis } | undefined;
  readonly openOrders: number;
}

/** One rule: a refusal, or nothing. */
type RiskCheck = (draft: OrderDraft, facts: RiskFacts) => Refusal | undefined;

const platformIsLive: RiskCheck = (_draft, facts) =>
  facts.platformState === 'live' ? undefined : { error: 'platform-coming-soon', given: facts.platformName };

const tradingIsOpen: RiskCheck = (_draft, facts) =>
  facts.halted === undefined ? undefined : { error: 'trading-halted' };

const instrumentTrades: RiskCheck = (draft) =>
  draft.instrument.status === 'trading'
    ? undefined
    : { error: 'symbol-halted', given: draft.instrument.symbol };

const settingsGoTogether: RiskCheck = (draft) => {
  const allowed = combinationFault(draft);
  return allowed === undefined ? undefined : { error: 'order-combination', allowed };
};

function combinationFault(draft: OrderDraft): string | undefined {
  const market = draft.type === ORDER_TYPE.MARKET;
  if ((draft.quantity === undefined) === (draft.quoteQuantity === undefined)) {
    return 'exactly one of quantity and quoteQuantity';
  }
  if (market && draft.price !== undefined) return 'a market order has no price';
  if (!market && draft.price === undefined) return 'a limit order needs a price';
  if (draft.quoteQuantity !== undefined && !(market && draft.side === SIDE.BUY)) {
    return 'quoteQuantity is for market buys';
  }
  if (market && draft.timeInForce !== TIME_IN_FORCE.GTC && draft.timeInForce !== TIME_IN_FORCE.IOC) {
    return 'a market order is neither fill-or-kill nor post-only';
  }
  return undefined;
}

const priceOnStep: RiskCheck = ({ price, instrument }) =>
  price === undefined || price % instrument.tickSize === 0n
    ? undefined
    : { error: 'price-step', field: 'price', allowed: formatAmount(instrument.tickSize) };

const priceInRange: RiskCheck = ({ price, instrument }) =>
  price === undefined || (price >= instrument.minPrice && price <= instrument.maxPrice)
    ? undefined
    : {
        error: 'price-range',
        field: 'price',
        allowed: `${formatAmount(instrument.minPrice)} and ${formatAmount(instrument.maxPrice)}`,
      };

const quantityOnStep: RiskCheck = ({ quantity, instrument }) =>
  quantity === undefined || quantity % instrument.lotSize === 0n
    ? undefined
    : { error: 'quantity-step', field: 'quantity', allowed: formatAmount(instrument.lotSize) };

const quantityInRange: RiskCheck = ({ quantity, type, instrument }) => {
  const most = type === ORDER_TYPE.MARKET ? instrument.maxMarketQty : instrument.maxQty;
  return quantity === undefined || (quantity >= instrument.minQty && quantity <= most)
    ? undefined
    : {
        error: 'quantity-range',
        field: 'quantity',
        allowed: `${formatAmount(instrument.minQty)} and ${formatAmount(most)}`,
      };
};

const priceIsFresh: RiskCheck = (draft, facts) =>
  draft.type !== ORDER_TYPE.MARKET ||
  (facts.best !== undefined && facts.now - facts.best.receivedAt <= PRICE_AGE_MILLIS_MAX)
    ? undefined
    : { error: 'price-stale' };

const valueIsEnough: RiskCheck = (draft, facts) => {
  const value = draft.quoteQuantity ?? orderValue(draft, facts);
  return value === undefined || value >= draft.instrument.minNotional
    ? undefined
    : {
        error: 'notional-too-small',
        field: draft.quantity === undefined ? 'quoteQuantity' : 'quantity',
        allowed: `${formatAmount(draft.instrument.minNotional)} ${draft.instrument.quote}`,
      };
};

function orderValue(draft: OrderDraft, facts: RiskFacts): Amount | undefined {
  const market = draft.side === SIDE.BUY ? facts.best?.ask : facts.best?.bid;
  const price = draft.price ?? market;
  return price === undefined || draft.quantity === undefined ? undefined : mulDown(price, draft.quantity);
}

const roomForOneMore: RiskCheck = (_draft, facts) =>
  facts.openOrders < OPEN_ORDERS_MAX
    ? undefined
    : { error: 'too-many-open-orders', allowed: String(OPEN_ORDERS_MAX) };

/** The checks in the order they run; the first refusal wins. The balance is checked last, by the hold itself. */
const RISK_CHECKS: readonly RiskCheck[] = [
  platformIsLive,
  tradingIsOpen,
  instrumentTrades,
  settingsGoTogether,
  priceOnStep,
  priceInRange,
  quantityOnStep,
  quantityInRange,
  priceIsFresh,
  valueIsEnough,
  roomForOneMore,
];

/** Passes a draft through every check and fixes its terms. */
export function riskChecked(
  draft: OrderDraft,
  facts: RiskFacts,
): { readonly ok: true; readonly value: CheckedOrder } | Refused {
  for (const check of RISK_CHECKS) {
    const found = check(draft, facts);
    if (found !== undefined) return refusal(found);
  }
  const terms = orderTerms(draft, facts.best?.ask);
  if (terms === undefined) return refusal({ error: 'price-stale' });
  // Two venues bound no price: price times quantity may be more than the ledger can write, which nobody has.
  if (terms.holdAmount > AMOUNT_MAX) return refusal({ error: 'balance-insufficient' });
  return { ok: true, value: { ...draft, ...terms } as CheckedOrder };
}

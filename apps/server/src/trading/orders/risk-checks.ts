import type { Refusal } from '@crossbook/contract';
import {
  type AlgoFault,
  AMOUNT_MAX,
  type Amount,
  type Millis,
  type OrderFault,
  type OrderMarket,
  orderFaults,
  type PlatformState,
  PRICE_AGE_MILLIS_MAX,
  spotTerms,
} from '@crossbook/domain';
import { venueProfile } from '@crossbook/venues';
import type { CheckedOrder, OrderDraft } from '../order.ts';
import { type Doubt, type Refused, refusal } from '../ports.ts';

/** Open orders one member may have in one instrument; the venues allow 200. */
export const OPEN_ORDERS_MAX = 200;

/** What the checks look at besides the order. */
export interface RiskFacts {
  readonly platformName: string;
  readonly platformState: PlatformState;
  readonly halted: Doubt | undefined;
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

/** A fault that the shared rules found, as it is answered. */
export function faultRefusal({ name, allowed, ...at }: OrderFault | AlgoFault): Refusal {
  return { error: name, ...at, ...(allowed === undefined ? {} : { allowed: allowed.join(' and ') }) };
}

/** What hub and ticket check alike, at the venue's own terms. */
const orderIsSound: RiskCheck = (draft, facts) => {
  const [fault] = orderFaults(draft, marketOf(draft, facts));
  return fault && faultRefusal(fault);
};

function marketOf({ instrument }: OrderDraft, { best, now }: RiskFacts): OrderMarket {
  return {
    offer: venueProfile(instrument.platform).trading.spot,
    bestBid: best?.bid,
    bestAsk: best?.ask,
    priceStale: best === undefined || now - best.receivedAt > PRICE_AGE_MILLIS_MAX,
  };
}

/** That the member may have one more open order in the instrument. */
export const roomForOneMore = (_draft: unknown, { openOrders }: Pick<RiskFacts, 'openOrders'>) =>
  openOrders < OPEN_ORDERS_MAX
    ? undefined
    : ({ error: 'too-many-open-orders', allowed: String(OPEN_ORDERS_MAX) } satisfies Refusal);

/** The checks in the order they run; the first refusal wins. The balance is checked last, by the hold itself. */
const RISK_CHECKS: readonly RiskCheck[] = [platformIsLive, tradingIsOpen, orderIsSound, roomForOneMore];

/** Passes a draft through every check and fixes its terms. */
export function riskChecked(
  draft: OrderDraft,
  facts: RiskFacts,
): { readonly ok: true; readonly value: CheckedOrder } | Refused {
  for (const check of RISK_CHECKS) {
    const found = check(draft, facts);
    if (found !== undefined) return refusal(found);
  }
  const terms = spotTerms(draft, marketOf(draft, facts));
  if (terms === undefined) return refusal({ error: 'price-stale' });
  // Two venues bound no price: price times quantity may be more than the ledger can write, which nobody has.
  if (terms.holdAmount > AMOUNT_MAX) return refusal({ error: 'balance-insufficient' });
  return { ok: true, value: { ...draft, ...terms } as CheckedOrder };
}

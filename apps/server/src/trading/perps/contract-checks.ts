import type { Refusal } from '@crossbook/contract';
import {
  AMOUNT_MAX,
  type Amount,
  type ContractScene,
  type ContractSetting,
  contractOrderCost,
  type Millis,
  NOT_OF_CLOSING,
  type OrderFault,
  type OrderMarket,
  type OrderTerms,
  orderFaults,
  type PlatformState,
  POSITION_SIDE,
  PRICE_AGE_MILLIS_MAX,
  SIDE,
  type Side,
  ZERO,
} from '@crossbook/domain';
import { venueProfile } from '@crossbook/venues';
import type { VenueRead } from '@crossbook/venues/trading';
import type { CheckedOrder, ContractPart, OrderDraft } from '../order.ts';
import { faultRefusal, roomForOneMore } from '../orders/risk-checks.ts';
import { type Doubt, type Refused, refusal } from '../ports.ts';
import { away } from './contract-accounts.ts';

/** An order on a contract before its checks. */
export interface ContractDraft extends OrderDraft {
  readonly contract: ContractPart;
}

/** What the checks look at besides the order. */
export interface ContractRiskFacts {
  readonly platformName: string;
  readonly platformState: PlatformState;
  /** Why the member's figures at the platform are not trusted. */
  readonly doubt: Doubt | undefined;
  readonly now: Millis;
  readonly best: { readonly bid: Amount; readonly ask: Amount; readonly receivedAt: Millis } | undefined;
  /** As the venue has it; where it could not be read, that stops opening only. */
  readonly setting: VenueRead<ContractSetting>;
  readonly openOrders: number;
  /** What stands around the order; `undefined` while no price is known. Only opening asks for it. */
  readonly scene: ContractScene | undefined;
}

/** One rule: a refusal, or nothing. */
type ContractCheck = (draft: ContractDraft, facts: ContractRiskFacts) => Refusal | undefined;

/** What of an order says whether it opens or closes. */
export interface OfPosition {
  readonly side: Side;
  readonly contract: Pick<ContractPart, 'side' | 'reduceOnly'>;
}

/**
 * Whether an order can only make a position smaller: reduce-only in one-way mode; in hedge mode selling the long leg or
 * buying the short one.
 */
export function isClosing({ side, contract }: OfPosition): boolean {
  if (contract.side === POSITION_SIDE.NET) return contract.reduceOnly;
  return (contract.side === POSITION_SIDE.LONG) === (side === SIDE.SELL);
}

/** Rules of an order by itself that one like this does not have to keep. */
export function faultsIgnored(draft: OfPosition): readonly OrderFault['name'][] {
  return isClosing(draft) ? NOT_OF_CLOSING : [];
}

/** Rules that only opening has to pass. */
const opening =
  (check: ContractCheck): ContractCheck =>
  (draft, facts) =>
    isClosing(draft) ? undefined : check(draft, facts);

const platformIsLive = opening((_draft, facts) =>
  facts.platformState === 'live' ? undefined : { error: 'platform-coming-soon', given: facts.platformName },
);

const statsAreTrusted = opening((_draft, facts) =>
  facts.doubt === undefined ? undefined : { error: 'trading-halted' },
);

const legGoesWithSide: ContractCheck = (draft) => {
  const { contract, quoteQuantity } = draft;
  if (quoteQuantity !== undefined)
    return { error: 'order-combination', allowed: 'a contract order has a quantity' };
  return contract.side !== POSITION_SIDE.NET && contract.reduceOnly && !isClosing(draft)
    ? { error: 'order-combination', allowed: 'this side opens the leg and cannot reduce it' }
    : undefined;
};

const orderIsSound: ContractCheck = (draft, facts) => {
  const ignored = faultsIgnored(draft);
  const [fault] = orderFaults(draft, marketOf(draft, facts)).filter(({ name }) => !ignored.includes(name));
  return fault && faultRefusal(fault);
};

const settingsAreAsSeen = opening((draft, { setting }) => settingsFault(draft, setting));

/** Why an opening order is not the one that the member meant; nothing where the venue has what was seen. */
export function settingsFault(
  { instrument, contract }: Pick<ContractDraft, 'instrument' | 'contract'>,
  read: VenueRead<ContractSetting>,
): Refusal | undefined {
  if (!read.ok) return away(instrument.platform, read);
  const { value: setting } = read;
  const { reach } = venueProfile(instrument.platform).trading.contracts;
  const mode = contract.side === POSITION_SIDE.NET ? 'one-way' : 'hedge';
  const same =
    setting.positionMode === mode &&
    leverageOf(setting, contract) === contract.leverage &&
    (reach.marginMode === 'order' || setting.marginMode === contract.marginMode);
  return same ? undefined : { error: 'settings-changed', given: shown(setting, contract) };
}

function shown(setting: ContractSetting, contract: ContractPart): string {
  return `${leverageOf(setting, contract)}x ${setting.marginMode} ${setting.positionMode}`;
}

/** The leverage of the side that an order is on. */
function leverageOf(
  { leverageLong, leverageShort }: ContractSetting,
  { side }: Pick<ContractPart, 'side'>,
): number {
  return side === POSITION_SIDE.SHORT ? leverageShort : leverageLong;
}

/** The checks in the order of the catalogue; the first refusal wins. The balance is checked last, by the hold itself. */
const CONTRACT_CHECKS: readonly ContractCheck[] = [
  platformIsLive,
  statsAreTrusted,
  legGoesWithSide,
  orderIsSound,
  roomForOneMore,
  settingsAreAsSeen,
];

/** Passes a draft through every check and fixes its terms. */
export function contractChecked(
  draft: ContractDraft,
  facts: ContractRiskFacts,
): { readonly ok: true; readonly value: CheckedOrder } | Refused {
  for (const check of CONTRACT_CHECKS) {
    const found = check(draft, facts);
    if (found !== undefined) return refusal(found);
  }
  const terms = termsOf(draft, facts.scene);
  if (terms === undefined) return refusal({ error: 'price-stale' });
  if (terms.holdAmount > AMOUNT_MAX) return refusal({ error: 'balance-insufficient' });
  return { ok: true, value: { ...draft, ...terms } as CheckedOrder };
}

/**
 * How an order goes out, and what it holds until the venue's own figures contain it: what the venue will reserve for it,
 * by the rules that the ticket shows. What closes needs no money of its own.
 */
function termsOf(draft: ContractDraft, scene: ContractScene | undefined): OrderTerms | undefined {
  const { instrument, price, quantity, type, timeInForce, side, contract } = draft;
  const sent = { sendType: type, sendTimeInForce: timeInForce, holdAsset: instrument.quote };
  const terms = price === undefined ? sent : { ...sent, sendPrice: price };
  if (isClosing(draft)) return { ...terms, holdAmount: ZERO };
  if (scene === undefined || quantity === undefined) return undefined;
  const asked = { buys: side === SIDE.BUY, side: contract.side, quantity, reduceOnly: false };
  const priced = price === undefined ? asked : { ...asked, price };
  return { ...terms, holdAmount: contractOrderCost(priced, scene) };
}

function marketOf({ instrument }: OrderDraft, { best, now }: ContractRiskFacts): OrderMarket {
  const { spot, contracts } = venueProfile(instrument.platform).trading;
  return {
    offer: { ...spot, ...contracts },
    bestBid: best?.bid,
    bestAsk: best?.ask,
    priceStale: best === undefined || now - best.receivedAt > PRICE_AGE_MILLIS_MAX,
  };
}

import { type Lots, ok, type Result, refused, stepsToAmount, type Ticks } from '@crossbook/domain';
import { baseOf } from '../accounts/state/terms.ts';
import type { ConditionalRefusal, NewConditionalLeg, PerpSends } from '../perp-conditionals.ts';
import type { PerpRefusal, StopLeg } from '../perp-exchange.ts';
import { followed, isReached, type Trigger } from '../triggers/trigger.ts';
import type { FollowedPrices } from './followed-prices.ts';
import type { ContractDesk, DeskTools } from './state/contract-desk.ts';
import { settingOf } from './state/settings.ts';

/** What is looked at besides the order. */
export interface ConditionalCheckParts {
  readonly tools: DeskTools;
  readonly prices: FollowedPrices;
}

/** A leg as it is taken: its margin mode settled, its trigger following the price already. */
export interface TakenLeg extends Omit<NewConditionalLeg, 'sends'> {
  readonly sends: PerpSends;
}

/** The first reason against a leg, or the leg as it is taken. Margin is looked at when it fires, not before. */
export function takenLeg(
  leg: NewConditionalLeg,
  desk: ContractDesk,
  parts: ConditionalCheckParts,
): Result<TakenLeg, ConditionalRefusal> {
  const { contracts, habits } = parts.tools;
  const { sends } = leg;
  if (desk.status !== 'TRADING') return refused('MARKET_CLOSED');
  const { positionMode, marginMode } = settingOf(contracts.settings, habits, sends.account, sends);
  if ((positionMode === 'HEDGE') === (sends.positionSide === 'BOTH'))
    return refused('POSITION_SIDE_MISMATCH');
  const refusal = triggerRefusal(leg.trigger, desk, habits.trailingBips) ?? sentRefusal(sends, desk);
  if (refusal !== undefined) return refused(refusal);
  const when = { time: parts.tools.stats.now(), live: true };
  const price = parts.prices.at(sends.symbol, leg.trigger.by, when);
  if (price !== undefined && isReached(leg.trigger, price)) return refused('WOULD_TRIGGER');
  const trigger = price === undefined ? leg.trigger : followed(leg.trigger, price);
  return ok({ ...leg, trigger, sends: { ...sends, marginMode } });
}

function triggerRefusal(
  trigger: Trigger,
  desk: ContractDesk,
  [least, most]: readonly [number, number],
): ConditionalRefusal | undefined {
  if (trigger.at === 'PRICE') return isPrice(trigger.price, desk) ? undefined : 'TRIGGER_PRICE';
  const { back, activation } = trigger;
  if (activation !== undefined && !isPrice(activation, desk)) return 'TRIGGER_PRICE';
  const fits = 'bips' in back ? back.bips >= least && back.bips <= most : isPrice(back.ticks, desk);
  return fits ? undefined : 'TRAILING_RANGE';
}

function isPrice(price: Ticks, { terms, facts }: ContractDesk): boolean {
  if (!Number.isSafeInteger(price) || price < 1 || price > terms.ticksMax) return false;
  return stepsToAmount(price, facts.tickSize) >= facts.minPrice;
}

/** What is known of what it sends before it fires. */
function sentRefusal(sends: NewConditionalLeg['sends'], desk: ContractDesk): PerpRefusal | undefined {
  const { kind, price, quantity } = sends;
  if ((kind === 'MARKET') !== (price === undefined)) return 'PRICE_FILTER';
  if (price !== undefined && !isPrice(price, desk)) return 'PRICE_FILTER';
  return quantity === 'WHOLE' ? undefined : sizeRefusal(quantity, kind, desk);
}

function sizeRefusal(
  quantity: Lots,
  kind: NewConditionalLeg['sends']['kind'],
  { terms, facts }: ContractDesk,
): PerpRefusal | undefined {
  if (!Number.isSafeInteger(quantity) || quantity < 1) return 'LOT_SIZE';
  const size = baseOf(terms, quantity);
  if (size < facts.minQty || size > facts.maxQty) return 'LOT_SIZE';
  return kind === 'MARKET' && size > facts.maxMarketQty ? 'MARKET_LOT_SIZE' : undefined;
}

/** Whether there is no room for so many more orders of an account in a contract. */
export function isFull(
  { contracts, habits }: Pick<DeskTools, 'contracts' | 'habits'>,
  asked: { readonly account: PerpSends['account']; readonly symbol: string; readonly onPosition: boolean },
  more: number,
): boolean {
  const { reach, ordersMax, onPositionMax } = habits.conditionals;
  const waiting = contracts.conditionals
    .waiting(asked.account, reach === 'SYMBOL' ? asked.symbol : undefined)
    .filter(({ attached }) => (attached?.position !== undefined) === asked.onPosition);
  const full = waiting.length + more > (asked.onPosition ? onPositionMax : ordersMax);
  return full || contracts.conditionals.index(asked.symbol)?.hasRoom(asked.account, more) === false;
}

/** A leg of a bracket as the position's own venue takes it: on its tick and on the right side of a price. */
export function isLeg(
  leg: StopLeg,
  desk: ContractDesk,
  place: { readonly rises: boolean; readonly from: number },
): boolean {
  const priced = leg.limit === undefined || isPrice(leg.limit, desk);
  // A share of the fill's price lies beyond it by itself.
  if (leg.shareBips !== undefined) return priced;
  const ahead = place.rises ? leg.trigger > place.from : leg.trigger < place.from;
  return priced && ahead && isPrice(leg.trigger, desk);
}

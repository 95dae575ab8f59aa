import type { Lots, Millis, Ticks } from '@crossbook/domain';
import type {
  PerpConditional,
  PerpConditionalEvent,
  PerpSends,
  WaitingConditional,
} from '../../perp-conditionals.ts';
import type { AttachedStops, PerpOrder, SimPositionKey, StopLeg } from '../../perp-exchange.ts';
import { ended } from '../../triggers/conditional-order.ts';
import type { PriceTrigger } from '../../triggers/trigger.ts';
import type { ContractState } from './contract-state.ts';
import type { VenueHabits } from './venue-habits.ts';

/** What follows for conditional orders from fills: those of a bracket come alive, those of a closed position end. */

/** What such changes are made in. */
export interface ConditionalStep {
  readonly time: Millis;
  conditional(order: PerpConditional, cause: PerpConditionalEvent['cause']): void;
}

/** What is looked at. */
export interface ConditionalParts {
  readonly contracts: ContractState;
  readonly habits: VenueHabits;
}

/** The same, and the fill that brings legs. */
export interface FillParts extends ConditionalParts {
  readonly price: Ticks;
}

/** Whose position is closed, and by which side. */
export type Closer = Pick<PerpOrder, 'account' | 'symbol' | 'side' | 'positionSide' | 'marginMode'>;

/** Every price has risen to it. */
const ANY_PRICE: PriceTrigger = { at: 'PRICE', by: 'LAST', direction: 'RISE', price: 1 as Ticks };
const BIPS = 10_000;

/** When a leg fires. @param side of the closing order. @param price of the fill that it protects. */
export function stopTrigger(
  { by, trigger, shareBips, rests }: StopLeg,
  purpose: PerpConditional['purpose'],
  { side, price }: { readonly side: Closer['side']; readonly price?: Ticks },
): PriceTrigger {
  if (rests !== undefined) return ANY_PRICE;
  const rises = (purpose === 'TAKE_PROFIT') === (side === 'SELL');
  const shared =
    shareBips === undefined || price === undefined
      ? trigger
      : (Math.max(1, Math.round((price * (BIPS + shareBips)) / BIPS)) as Ticks);
  return { at: 'PRICE', by, direction: rises ? 'RISE' : 'FALL', price: shared };
}

/** What closes: at market, or at a limit price. */
export function closingOrder(
  closer: Closer,
  asked: {
    readonly limit: Ticks | undefined;
    readonly quantity: Lots | 'WHOLE';
    readonly clientId: string;
  },
): PerpSends {
  const { limit, quantity, clientId } = asked;
  return {
    ...{ ...closer, reduceOnly: closer.positionSide === 'BOTH', timeInForce: 'GTC', quantity, clientId },
    // What protects goes before what its member has resting on the other side.
    selfTradePrevention: 'EXPIRE_MAKER',
    ...(limit === undefined ? { kind: 'MARKET' } : { kind: 'LIMIT', price: limit }),
  };
}

/** The legs of a bracket, take profit first. */
export function legsOf(stops: Pick<AttachedStops, 'takeProfit' | 'targets' | 'stopLoss'>): {
  readonly purpose: 'STOP' | 'TAKE_PROFIT';
  readonly leg: StopLeg;
}[] {
  const { takeProfit, targets = [], stopLoss } = stops;
  return [
    ...(takeProfit === undefined ? [] : [{ purpose: 'TAKE_PROFIT' as const, leg: takeProfit }]),
    ...targets.map(({ leg }) => ({ purpose: 'TAKE_PROFIT' as const, leg })),
    ...(stopLoss === undefined ? [] : [{ purpose: 'STOP' as const, leg: stopLoss }]),
  ];
}

/** What is attached to an order follows its fill. @param order after the fill. */
export function attachStops(step: ConditionalStep, parts: FillParts, order: PerpOrder, lots: Lots): void {
  const { attached } = order;
  if (attached === undefined) return;
  if (attached.extent === 'PART') protectFill(step, parts, { order, attached, lots });
  else if (order.executed === lots) protectPosition(step, parts, { order, attached });
}

/** Legs for what has been filled: those that wait grow, where one fired others follow. */
function protectFill(
  step: ConditionalStep,
  { contracts, habits, price }: FillParts,
  filled: { readonly order: PerpOrder; readonly attached: AttachedStops; readonly lots: Lots },
): void {
  const { order, attached, lots } = filled;
  const own = contracts.conditionals.ofParent(order);
  const waiting = own.filter((one) => one.state === 'WAITING');
  for (const one of waiting) grown(step, one, lots);
  // What its member has taken away stays away.
  const taken = own.some((one) => one.state === 'CANCELLED' && one.cause === 'MEMBER');
  if (waiting.length > 0 || taken) return;
  const named = own.length === 0 ? attached.clientId : undefined;
  const group = contracts.conditionals.nextId;
  const closer = closerOf(order);
  const legs = legsOf(attached).map(({ purpose, leg }): LegTerms => {
    return { purpose, trigger: stopTrigger(leg, purpose, { side: closer.side, price }), limit: leg.limit };
  });
  const { trailing } = attached;
  const direction = closer.side === 'SELL' ? 'FALL' : 'RISE';
  if (trailing !== undefined)
    legs.push({
      ...{ purpose: 'TRAILING', trigger: { at: 'TRAIL', by: 'LAST', direction, ...trailing } },
      limit: undefined,
    });
  for (const terms of legs) {
    const algoId = contracts.conditionals.nextId;
    const clientId = named ?? `stop-${algoId}`;
    const made = waitingLeg(step, order, { ...terms, algoId, clientId, lots });
    const ends = habits.attachedEnds ? ({ position: 'PART' } as const) : {};
    step.conditional(
      { ...made, attached: { ...made.attached, ...ends }, ...(legs.length > 1 ? { group } : {}) },
      'NEW',
    );
  }
}

/** What a leg is, when it fires and what it sends then. */
export interface LegTerms {
  readonly purpose: PerpConditional['purpose'];
  readonly trigger: PerpConditional['trigger'];
  readonly limit: Ticks | undefined;
}

/** A leg that protects what its order has filled. */
export function waitingLeg(
  step: Pick<ConditionalStep, 'time'>,
  order: PerpOrder,
  made: LegTerms & { readonly algoId: number; readonly clientId: string; readonly lots: Lots },
): WaitingConditional {
  const { algoId, clientId, purpose, trigger, limit, lots } = made;
  return {
    ...{ algoId, clientId, purpose, trigger, state: 'WAITING', createdAt: step.time, updatedAt: step.time },
    sends: closingOrder(closerOf(order), { limit, quantity: lots, clientId }),
    attached: { parentId: order.orderId },
  };
}

/** The same for more than it was. */
export function grown(step: ConditionalStep, one: WaitingConditional, lots: number): void {
  const quantity = (Number(one.sends.quantity) + lots) as Lots;
  step.conditional({ ...one, sends: { ...one.sends, quantity }, updatedAt: step.time }, 'AMENDED');
}

/** The legs become those of the whole position, in place of those it had. */
function protectPosition(
  step: ConditionalStep,
  { contracts }: ConditionalParts,
  filled: { readonly order: PerpOrder; readonly attached: AttachedStops },
): void {
  const { order, attached } = filled;
  const { account, symbol, positionSide, marginMode } = order;
  const key: SimPositionKey = { account, symbol, side: positionSide, marginMode };
  const held = contracts.position(key)?.quantity ?? 0;
  if (held === 0 || held > 0 !== (order.side === 'BUY')) return;
  for (const { purpose, leg } of legsOf(attached)) {
    const known = contracts.conditionals
      .protecting(key)
      .find((one) => one.purpose === purpose && one.attached?.position === 'WHOLE');
    const algoId = known?.algoId ?? contracts.conditionals.nextId;
    const clientId = known?.clientId ?? `stop-${algoId}`;
    const closer = closerOf(order);
    const made: WaitingConditional = {
      ...{ algoId, clientId, purpose, state: 'WAITING' },
      attached: known?.attached ?? { position: 'WHOLE', parentId: order.orderId },
      trigger: stopTrigger(leg, purpose, closer),
      sends: closingOrder(closer, { limit: leg.limit, quantity: 'WHOLE', clientId }),
      ...{ createdAt: known?.createdAt ?? step.time, updatedAt: step.time },
    };
    step.conditional(made, known === undefined ? 'NEW' : 'AMENDED');
  }
}

/** What closes what an order opens. */
export function closerOf(order: PerpOrder): Closer {
  const { account, symbol, positionSide, marginMode } = order;
  return { account, symbol, side: order.side === 'BUY' ? 'SELL' : 'BUY', positionSide, marginMode };
}

/** What ends with a position that is gone, or another now. */
export function endWithPosition(
  step: ConditionalStep,
  { contracts, habits }: ConditionalParts,
  key: SimPositionKey,
): void {
  const state = habits.positionGone;
  for (const one of contracts.conditionals.protecting(key))
    step.conditional(ended(one, { state, cause: 'POSITION' }, step.time), state);
}

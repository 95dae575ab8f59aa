import type { AlgoRow, CallInput, PositionRow } from '@crossbook/contract';
import {
  type AlgoFault,
  type AlgoOffer,
  type Amount,
  algoFaults,
  formatAmount,
  type Instrument,
  parseAmount,
  platformFacts,
  plus,
  SIDE,
  type Side,
  type TriggerBy,
  type TriggerPlan,
  ZERO,
} from '@crossbook/domain';
import { positionSide } from '../contracts/position-stats.ts';
import { offersWhole } from './algo-entry.ts';
import { type Bracket, bracketFields, bracketLeg } from './brackets.ts';
import { rowTrigger, type TargetName } from './targets.ts';

/** The side that closes a position. */
export function closingSide(row: Pick<PositionRow, 'effect' | 'quantity'>): Side {
  return positionSide(row) === SIDE.BUY ? SIDE.SELL : SIDE.BUY;
}

/** Orders that wait and protect a position: of its contract and leg, on its closing side, and never opening. */
export function protecting(row: PositionRow, algos: Iterable<AlgoRow>): readonly AlgoRow[] {
  return [...algos].filter(
    (algo) =>
      algo.exchange === row.exchange &&
      algo.symbolType === 'SWAP' &&
      algo.symbol === row.symbol &&
      algo.effect === row.effect &&
      algo.side === closingSide(row) &&
      (algo.reduceOnly || algo.quantity === null),
  );
}

/** The trailing stop that hangs on a position, among the orders that protect it. */
export function hangingStop(protecting: readonly AlgoRow[]): AlgoRow | undefined {
  return protecting.find(
    // One that was set at the exchange is set anew here, never changed.
    ({ algoType, quantity, ofExchange }) =>
      algoType === 'trailing' && quantity === null && ofExchange !== true,
  );
}

/** Whether two legs of one order are among what protects a position: the venue that attached them bound them. */
export function boundByVenue(protecting: readonly Pick<AlgoRow, 'parentOrderId'>[]): boolean {
  const parents = protecting.flatMap(({ parentOrderId }) => parentOrderId ?? []);
  return new Set(parents).size < parents.length;
}

/** Trigger prices of what protects a position, by side of it; first the one that the price comes to first. */
export function triggersOf(
  side: Side,
  rows: readonly Pick<AlgoRow, TargetName>[],
  name: TargetName,
): readonly Amount[] {
  const rises = (side === SIDE.BUY) === (name === 'takeProfit');
  const ahead = (left: Amount, right: Amount): number => (left < right === rises ? -1 : 1);
  return rows.flatMap((row) => rowTrigger(row[name]) ?? []).toSorted(ahead);
}

/** What take-profit and stop-loss of a position are asked with. */
export interface PositionTargets {
  readonly bracket: Bracket;
  readonly by: TriggerBy;
  /** What they close, as the venue counts; absent: all of it when it fires. */
  readonly part: Amount | undefined;
  /** The position as the venue counts it. */
  readonly quantity: Amount;
}

function plansOf(bracket: Bracket, by: TriggerBy, offer: AlgoOffer): readonly TriggerPlan[] {
  const takeProfit = bracketLeg(bracket, 'takeProfit', by);
  const stopLoss = bracketLeg(bracket, 'stopLoss', by);
  if (takeProfit !== undefined && stopLoss !== undefined && offer.kinds.includes('oco')) {
    return [{ kind: 'oco', takeProfit, stopLoss }];
  }
  return [
    // What limits a loss stands first.
    ...(stopLoss === undefined ? [] : [{ kind: 'stop', leg: stopLoss } as const]),
    ...(takeProfit === undefined ? [] : [{ kind: 'take-profit', leg: takeProfit } as const]),
  ];
}

type Size = { readonly whole: true } | { readonly quantity: Amount };

function sendsLimit(plan: TriggerPlan): boolean {
  if (plan.kind === 'trailing') return false;
  const legs = plan.kind === 'oco' ? [plan.takeProfit, plan.stopLoss] : [plan.leg];
  return legs.some(({ limit }) => limit !== undefined);
}

/** Whether the venue closes all there is then; where it does not so at a limit, it is the size of today. */
function closesWhole(plan: TriggerPlan, { effect }: PositionRow, offer: AlgoOffer): boolean {
  return offersWhole(offer, effect) && (offer.wholeAtLimit === true || !sendsLimit(plan));
}

function sizeOf(
  { part, quantity }: PositionTargets,
  plan: TriggerPlan,
  row: PositionRow,
  offer: AlgoOffer,
): Size {
  if (part !== undefined) return { quantity: part };
  return closesWhole(plan, row, offer) ? { whole: true } : { quantity };
}

/** Why an order for all of a position has a size after all: the venue has no other, or a leg sends a limit. */
export function sizedBecause(
  asked: PositionTargets,
  row: PositionRow,
  offer: AlgoOffer,
): 'venue' | 'limit' | undefined {
  if (asked.part !== undefined) return undefined;
  if (!offersWhole(offer, row.effect)) return 'venue';
  const plans = plansOf(asked.bracket, asked.by, offer);
  return plans.every((plan) => closesWhole(plan, row, offer)) ? undefined : 'limit';
}

type Request = Omit<CallInput<'connextrade/PlaceAlgoOrder'>, 'clientId'>;

function fieldsOf(plan: TriggerPlan, by: TriggerBy) {
  if (plan.kind === 'trailing') return undefined;
  if (plan.kind !== 'oco') {
    const { trigger, limit } = plan.leg;
    return {
      ...{ algoType: plan.kind, triggerBy: by },
      ...(trigger === undefined ? {} : { triggerPrice: formatAmount(trigger.price) }),
      ...(limit === undefined ? {} : { price: formatAmount(limit) }),
    };
  }
  const { takeProfit, stopLoss } = plan;
  const limits = {
    ...(takeProfit.limit === undefined ? {} : { takeProfit: takeProfit.limit }),
    ...(stopLoss.limit === undefined ? {} : { stopLoss: stopLoss.limit }),
  };
  const bracket = { takeProfit: takeProfit.trigger?.price, stopLoss: stopLoss.trigger?.price, limits };
  return { algoType: plan.kind, ...bracketFields(bracket, by) };
}

/** The orders that protect a position: one of both legs where the venue has that, else one for each. */
export function targetOrders(asked: PositionTargets, row: PositionRow, offer: AlgoOffer): readonly Request[] {
  const { exchange, symbol, effect, marginMode, leverage } = row;
  return plansOf(asked.bracket, asked.by, offer).flatMap((plan) => {
    const fields = fieldsOf(plan, asked.by);
    if (fields === undefined) return [];
    const size = sizeOf(asked, plan, row, offer);
    return [
      {
        ...{ platformType: platformFacts(exchange).platformType, tinstType: 2 as const, symbol },
        ...{
          side: closingSide(row),
          effect,
          reduceOnly: true,
          marginMode,
          leverage,
          timeInForce: 1 as const,
        },
        ...('whole' in size ? size : { quantity: formatAmount(size.quantity) }),
        ...fields,
      },
    ];
  });
}

/** What is wrong with a leg of a position's targets. */
export interface TargetFault extends AlgoFault {
  /** The leg that it is about. */
  readonly target: TargetName;
}

function targetOf(plan: TriggerPlan, { field }: AlgoFault): TargetName {
  if (plan.kind === 'oco') return field?.startsWith('takeProfit') === true ? 'takeProfit' : 'stopLoss';
  return plan.kind === 'take-profit' ? 'takeProfit' : 'stopLoss';
}

/**
 * What is wrong with take-profit and stop-loss of a position, by the rules of the hub: held against the price that the
 * trigger follows and not against the entry, so that a stop in profit is allowed.
 */
export function targetsFaults(
  asked: PositionTargets,
  row: PositionRow,
  context: {
    readonly instrument: Instrument;
    readonly offer: AlgoOffer;
    readonly prices: Readonly<Partial<Record<TriggerBy, Amount>>>;
  },
): readonly TargetFault[] {
  const { instrument, offer, prices } = context;
  const positionMode = row.effect === 0 ? ('one-way' as const) : ('hedge' as const);
  return plansOf(asked.bracket, asked.by, offer).flatMap((plan) => {
    const request = {
      ...{ instrument, side: closingSide(row), plan, contract: { closes: true, positionMode } },
      ...sizeOf(asked, plan, row, offer),
    };
    return algoFaults(request, { offer, prices }).map((fault) => ({
      ...fault,
      target: targetOf(plan, fault),
    }));
  });
}

/**
 * How much more than a position the parts of one name would close, as the venue counts: those that stand and the one asked
 * for. What is too much the venue cuts, so that it is said and not forbidden. 0 where there is nothing too much.
 */
export function beyondPosition(asked: PositionTargets, standing: readonly AlgoRow[]): Amount {
  const { part, quantity, bracket } = asked;
  if (part === undefined) return ZERO;
  const sums = (['takeProfit', 'stopLoss'] as const)
    .filter((name) => bracket[name] !== undefined)
    .map((name) =>
      standing
        .filter((row) => row[name] !== null && row.quantity !== null)
        .reduce((sum, row) => plus(sum, parseAmount(row.quantity ?? '') ?? ZERO), part),
    );
  const most = sums.reduce((left, right) => (left > right ? left : right), ZERO);
  return most > quantity ? ((most - quantity) as Amount) : ZERO;
}

/** Whether a position is liquidated before a stop-loss is reached. */
export function liquidatesBefore(
  side: Side,
  stopLoss: Amount | undefined,
  liquidation: Amount | undefined,
): boolean {
  if (stopLoss === undefined || liquidation === undefined) return false;
  return side === SIDE.BUY ? stopLoss <= liquidation : stopLoss >= liquidation;
}

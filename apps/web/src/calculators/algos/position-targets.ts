import type { AlgoRow, CallInput, PositionRow } from '@crossbook/contract';
import {
  type AlgoFault,
  type AlgoOffer,
  type AlgoPlan,
  type Amount,
  algoFaults,
  formatAmount,
  type Instrument,
  platformFacts,
  SIDE,
  type Side,
  type TriggerBy,
} from '@crossbook/domain';
import { positionSide } from '../contracts/position-stats.ts';
import { offersWhole } from './algo-entry.ts';
import type { Bracket } from './brackets.ts';
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

function plansOf({ takeProfit, stopLoss }: Bracket, by: TriggerBy, offer: AlgoOffer): readonly AlgoPlan[] {
  const leg = (price: Amount) => ({ trigger: { price, by } });
  if (takeProfit !== undefined && stopLoss !== undefined && offer.kinds.includes('oco')) {
    return [{ kind: 'oco', takeProfit: leg(takeProfit), stopLoss: leg(stopLoss) }];
  }
  return [
    // What limits a loss stands first.
    ...(stopLoss === undefined ? [] : [{ kind: 'stop', leg: leg(stopLoss) } as const]),
    ...(takeProfit === undefined ? [] : [{ kind: 'take-profit', leg: leg(takeProfit) } as const]),
  ];
}

type Size = { readonly whole: true } | { readonly quantity: Amount };

function sizeOf({ part, quantity }: PositionTargets, { effect }: PositionRow, offer: AlgoOffer): Size {
  if (part !== undefined) return { quantity: part };
  return offersWhole(offer, effect) ? { whole: true } : { quantity };
}

type Request = Omit<CallInput<'connextrade/PlaceAlgoOrder'>, 'clientId'>;

function fieldsOf(plan: AlgoPlan, by: TriggerBy) {
  if (plan.kind === 'trailing') return undefined;
  if (plan.kind !== 'oco') {
    const price = plan.leg.trigger?.price;
    return {
      ...{ algoType: plan.kind, triggerBy: by },
      ...(price === undefined ? {} : { triggerPrice: formatAmount(price) }),
    };
  }
  const { takeProfit, stopLoss } = plan;
  return {
    algoType: plan.kind,
    ...(takeProfit.trigger === undefined
      ? {}
      : { takeProfit: formatAmount(takeProfit.trigger.price), takeProfitBy: by }),
    ...(stopLoss.trigger === undefined
      ? {}
      : { stopLoss: formatAmount(stopLoss.trigger.price), stopLossBy: by }),
  };
}

/** The orders that protect a position: one of both legs where the venue has that, else one for each. */
export function targetOrders(asked: PositionTargets, row: PositionRow, offer: AlgoOffer): readonly Request[] {
  const size = sizeOf(asked, row, offer);
  const { exchange, symbol, effect, marginMode, leverage } = row;
  return plansOf(asked.bracket, asked.by, offer).flatMap((plan) => {
    const fields = fieldsOf(plan, asked.by);
    if (fields === undefined) return [];
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
): readonly AlgoFault[] {
  const { instrument, offer, prices } = context;
  const positionMode = row.effect === 0 ? ('one-way' as const) : ('hedge' as const);
  return plansOf(asked.bracket, asked.by, offer).flatMap((plan) =>
    algoFaults(
      {
        ...{ instrument, side: closingSide(row), plan, contract: { closes: true, positionMode } },
        ...sizeOf(asked, row, offer),
      },
      { offer, prices },
    ),
  );
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

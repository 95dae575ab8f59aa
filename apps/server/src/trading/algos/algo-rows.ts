import type { AlgoRow, CallAnswer } from '@crossbook/contract';
import { type AlgoLeg, type AlgoPlan, type Amount, formatAmount } from '@crossbook/domain';
import type { StoredAlgo } from '../algo.ts';
import { refusal } from '../ports.ts';
import { refusalOfReason, reportedReason } from '../venue-refusal.ts';

const optional = (value: Amount | undefined) => (value === undefined ? null : formatAmount(value));

/** A leg as its owner sees it. */
export function legRow(leg: AlgoLeg | undefined): AlgoRow['takeProfit'] {
  if (leg === undefined) return null;
  const { trigger, limit } = leg;
  return {
    triggerPrice: optional(trigger?.price),
    triggerBy: trigger?.by ?? 'last',
    price: optional(limit),
  };
}

function icebergRow(plan: AlgoPlan): AlgoRow['iceberg'] {
  if (plan.kind !== 'iceberg') return null;
  const { limit, visible, ratio, distance } = plan.iceberg;
  return {
    ...{ price: formatAmount(limit), visibleQuantity: formatAmount(visible) },
    ...{ behindRatio: optional(ratio), behindDistance: optional(distance) },
  };
}

function trailingRow(plan: AlgoPlan): AlgoRow['trailing'] {
  if (plan.kind !== 'trailing') return null;
  const { ratio, distance, activation, by } = plan.trailing;
  const values = {
    ratio: optional(ratio),
    distance: optional(distance),
    activation: optional(activation),
  };
  return { ...values, triggerBy: by };
}

/** The legs of a plan by name. */
export function legsByName(plan: AlgoPlan): {
  readonly takeProfit?: AlgoLeg;
  readonly stopLoss?: AlgoLeg;
} {
  if (plan.kind === 'trailing' || plan.kind === 'iceberg') return {};
  if (plan.kind === 'oco') return plan;
  return plan.kind === 'stop' ? { stopLoss: plan.leg } : { takeProfit: plan.leg };
}

/** An algo order as its owner sees it. */
export function algoRow(algo: StoredAlgo): AlgoRow {
  const { plan, contract, childId, childLeg } = algo;
  const { takeProfit, stopLoss } = legsByName(plan);
  return {
    ...{ algoId: algo.id, exchange: algo.platform, symbolType: algo.symbolType, symbol: algo.symbol },
    ...{ side: algo.side, effect: contract?.side ?? 0, reduceOnly: contract?.reduceOnly ?? false },
    ...{ marginMode: contract?.marginMode ?? null, leverage: contract?.leverage ?? null },
    ...{ algoType: plan.kind, takeProfit: legRow(takeProfit), stopLoss: legRow(stopLoss) },
    ...{ iceberg: icebergRow(plan), executed: plan.kind === 'iceberg' ? formatAmount(algo.executed) : null },
    ...{ trailing: trailingRow(plan), timeInForce: algo.timeInForce, quantity: optional(algo.quantity) },
    ...{ state: algo.state, unknown: algo.unknown, cancelPending: algo.cancelPending },
    ...reportedReason(algo.reason),
    children: childId === undefined ? [] : [{ orderId: childId, leg: childLeg ?? null }],
    ...{ placed: algo.venueAlgoId !== undefined, parentOrderId: algo.parent ?? null },
    ...{ createdAt: algo.createdAt, updatedAt: algo.updatedAt },
  };
}

/** It as the answer of a call; one that was never taken is a refusal in the venue's words, however often it is asked for. */
export function algoAnswer(algo: StoredAlgo): CallAnswer<AlgoRow> {
  return algo.state === 'refused' && algo.venueAlgoId === undefined
    ? refusal(refusalOfReason(algo.reason))
    : { ok: true, value: algoRow(algo) };
}

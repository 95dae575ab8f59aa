import type { CallRequest, Refusal } from '@crossbook/contract';
import type { AlgoLeg, AlgoPlan, Amount } from '@crossbook/domain';
import type { AlgoChange } from '@crossbook/venues/trading';

import { legOf, targetsOf } from '../targets.ts';

type PlaceRequest = CallRequest<'connextrade/PlaceAlgoOrder'>;
/** What a change of an algo order names. */
export type ReplaceRequest = CallRequest<'connextrade/ReplaceAlgoOrder'>;

const SINGLE = ['triggerPrice', 'price'] as const;
const PAIR = [
  ...(['takeProfit', 'takeProfitPrice', 'takeProfitBy'] as const),
  ...(['stopLoss', 'stopLossPrice', 'stopLossBy'] as const),
] as const;
const TRAILING = ['trailingRatio', 'trailingDistance', 'activation'] as const;
const ICEBERG = ['visibleQuantity', 'behindRatio', 'behindDistance'] as const;

/** Which fields go with which kind; the rest is refused by name. */
const NOT_OF: Readonly<Record<AlgoPlan['kind'], readonly (keyof PlaceRequest)[]>> = {
  stop: [...PAIR, ...TRAILING, ...ICEBERG],
  'take-profit': [...PAIR, ...TRAILING, ...ICEBERG],
  trailing: [...SINGLE, ...PAIR, ...ICEBERG],
  oco: [...SINGLE, ...TRAILING, ...ICEBERG, 'triggerBy'],
  iceberg: ['triggerPrice', ...PAIR, ...TRAILING, 'triggerBy', 'whole'],
};

/** What a member wants to wait for, or which field does not go with the kind. */
export function planOf(
  request: PlaceRequest,
): { readonly ok: true; readonly plan: AlgoPlan } | { readonly ok: false; readonly code: Refusal } {
  const { algoType: kind, triggerBy: by = 'last' } = request;
  const strange = NOT_OF[kind].find((name) => request[name] !== undefined);
  const not = (field: string, allowed: string) =>
    ({ ok: false, code: { error: 'field-invalid', field, allowed } }) as const;
  if (strange !== undefined) return strangeField(strange, kind);
  if (kind === 'trailing') {
    const { trailingRatio: ratio, trailingDistance: distance, activation } = request;
    return { ok: true, plan: { kind, trailing: { ...present({ ratio, distance, activation }), by } } };
  }
  if (kind === 'oco') {
    const { takeProfit, stopLoss } = targetsOf(request);
    if (takeProfit === undefined) return not('takeProfit', 'required with algoType oco');
    if (stopLoss === undefined) return not('stopLoss', 'required with algoType oco');
    return { ok: true, plan: { kind, takeProfit, stopLoss } };
  }
  if (kind === 'iceberg') {
    const { price: limit, visibleQuantity: visible, behindRatio: ratio, behindDistance: distance } = request;
    if (limit === undefined) return not('price', 'required with algoType iceberg');
    if (visible === undefined) return not('visibleQuantity', 'required with algoType iceberg');
    const behind = {
      ...(ratio === undefined ? {} : { ratio }),
      ...(distance === undefined ? {} : { distance }),
    };
    return { ok: true, plan: { kind, iceberg: { limit, visible, ...behind } } };
  }
  if (request.triggerPrice === undefined) return not('triggerPrice', `required with algoType ${kind}`);
  return { ok: true, plan: { kind, leg: legOf(request.triggerPrice, request.price, by) ?? {} } };
}

function strangeField(field: string, kind: AlgoPlan['kind']) {
  const allowed = `${field} does not go with algoType ${kind}`;
  return { ok: false, code: { error: 'order-combination', field, allowed } } as const;
}

function present(values: {
  readonly ratio: Amount | undefined;
  readonly distance: Amount | undefined;
  readonly activation: Amount | undefined;
}): { readonly ratio?: Amount; readonly distance?: Amount; readonly activation?: Amount } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

/** The plan with new values, and the same as a venue is told it; which field does not go with the kind. */
export function changedPlan(
  plan: Exclude<AlgoPlan, { readonly kind: 'iceberg' }>,
  request: ReplaceRequest,
):
  | { readonly ok: true; readonly plan: AlgoPlan; readonly change: AlgoChange }
  | { readonly ok: false; readonly code: Refusal } {
  const strange = NOT_OF[plan.kind].find((name) => request[name as keyof ReplaceRequest] !== undefined);
  if (strange !== undefined) return strangeField(strange, plan.kind);
  const quantity = request.quantity === undefined ? {} : { quantity: request.quantity };
  if (plan.kind === 'trailing') {
    const { trailingRatio: ratio, trailingDistance: distance, activation } = request;
    const trailing = present({ ratio, distance, activation });
    const changes = Object.keys(trailing).length === 0 ? {} : { trailing };
    return {
      ok: true,
      plan: { ...plan, trailing: { ...plan.trailing, ...trailing } },
      change: { ...quantity, ...changes },
    };
  }
  if (plan.kind === 'oco') {
    const { takeProfit, takeProfitPrice, stopLoss, stopLossPrice } = request;
    const target = changedLeg(plan.takeProfit, takeProfit, takeProfitPrice);
    const stop = changedLeg(plan.stopLoss, stopLoss, stopLossPrice);
    return {
      ok: true,
      plan: { ...plan, takeProfit: target.leg, stopLoss: stop.leg },
      change: {
        ...quantity,
        ...(target.change === undefined ? {} : { takeProfit: target.change }),
        ...(stop.change === undefined ? {} : { stopLoss: stop.change }),
      },
    };
  }
  const { leg: after, change } = changedLeg(plan.leg, request.triggerPrice, request.price);
  const name = plan.kind === 'stop' ? 'stopLoss' : 'takeProfit';
  return {
    ok: true,
    plan: { ...plan, leg: after },
    change: { ...quantity, ...(change === undefined ? {} : { [name]: change }) },
  };
}

function changedLeg(before: AlgoLeg, trigger: Amount | undefined, limit: Amount | undefined) {
  const by = before.trigger?.by ?? 'last';
  const change = {
    ...(trigger === undefined ? {} : { trigger }),
    ...(limit === undefined ? {} : { limit }),
  };
  return {
    leg: {
      ...before,
      ...(trigger === undefined ? {} : { trigger: { price: trigger, by } }),
      ...(limit === undefined ? {} : { limit }),
    },
    change: Object.keys(change).length === 0 ? undefined : change,
  };
}

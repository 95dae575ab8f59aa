import {
  type AlgoLeg,
  type AlgoPlan,
  formatAmount,
  type OrderTargets,
  type PartTarget,
  SIDE,
  TARGETS_MIN,
  TIME_IN_FORCE,
  type Trailing,
} from '@crossbook/domain';
import type { AlgoChange, VenueAlgoRequest } from '../../venue-algos.ts';
import type { ListedLegs, VenueOrderRequest } from '../../venue-orders.ts';
import { attachedId, PARTS_MAX } from './attached-id.ts';
import type { CallParameters } from './calls.ts';

/**
 * How algo orders are written, of pairs and contracts alike. Source: OKX v5 guide, "Place algo order", "Amend algo order",
 * "Place order" (2026).
 */

/** In place of a price: what the leg sends is a market order. */
const AT_MARKET = '-1';

/** What a placement says of its market: margin mode, position, how a size is counted. */
export type AlgoTerms = (request: VenueAlgoRequest) => CallParameters | undefined;

/** The parameters of one leg; `undefined` for one that would rest in the book, which is no algo order here. */
function legIn(prefix: 'tp' | 'sl', { trigger, limit }: AlgoLeg): CallParameters | undefined {
  if (trigger === undefined) return undefined;
  return {
    [`${prefix}TriggerPx`]: formatAmount(trigger.price),
    [`${prefix}TriggerPxType`]: trigger.by,
    [`${prefix}OrdPx`]: limit === undefined ? AT_MARKET : formatAmount(limit),
  };
}

/** Either leg or both under their names; `undefined` where one cannot be written or none is there. */
function legsIn(profit: AlgoLeg | undefined, loss: AlgoLeg | undefined): CallParameters | undefined {
  const takes = profit === undefined ? {} : legIn('tp', profit);
  const stops = loss === undefined ? {} : legIn('sl', loss);
  if (takes === undefined || stops === undefined || (profit ?? loss) === undefined) return undefined;
  return { ...takes, ...stops };
}

/** A trailing stop follows the last price and sends a market order; nothing else can be said of it. */
function trailingIn({ ratio, distance, activation, by }: Trailing): CallParameters | undefined {
  if (by !== 'last' || (ratio === undefined) === (distance === undefined)) return undefined;
  return {
    ...(ratio === undefined ? {} : { callbackRatio: formatAmount(ratio) }),
    ...(distance === undefined ? {} : { callbackSpread: formatAmount(distance) }),
    ...(activation === undefined ? {} : { activePx: formatAmount(activation) }),
  };
}

/** An iceberg; `undefined` unless exactly one distance is there. */
function icebergIn({ iceberg }: Extract<AlgoPlan, { readonly kind: 'iceberg' }>): CallParameters | undefined {
  const { limit, visible, ratio, distance } = iceberg;
  if ((ratio === undefined) === (distance === undefined)) return undefined;
  return {
    ...{ ordType: 'iceberg', szLimit: formatAmount(visible), pxLimit: formatAmount(limit) },
    ...(ratio === undefined ? {} : { pxVar: formatAmount(ratio) }),
    ...(distance === undefined ? {} : { pxSpread: formatAmount(distance) }),
  };
}

type LegPlan = Exclude<AlgoPlan, { readonly kind: 'trailing' | 'iceberg' }>;

function planLegsIn(plan: LegPlan): CallParameters | undefined {
  if (plan.kind === 'oco') return legsIn(plan.takeProfit, plan.stopLoss);
  return plan.kind === 'stop' ? legsIn(undefined, plan.leg) : legsIn(plan.leg, undefined);
}

function planIn(plan: AlgoPlan): CallParameters | undefined {
  if (plan.kind === 'trailing') {
    const trails = trailingIn(plan.trailing);
    return trails && { ordType: 'move_order_stop', ...trails };
  }
  if (plan.kind === 'iceberg') return icebergIn(plan);
  const legs = planLegsIn(plan);
  return legs && { ordType: plan.kind === 'oco' ? 'oco' : 'conditional', ...legs };
}

/** The legs that wait for a price of their own; none of a trailing stop or an iceberg. */
export function legsOf(plan: AlgoPlan): readonly AlgoLeg[] {
  if (plan.kind === 'trailing' || plan.kind === 'iceberg') return [];
  return plan.kind === 'oco' ? [plan.takeProfit, plan.stopLoss] : [plan.leg];
}

function sendsLimit({ limit }: AlgoLeg): boolean {
  return limit !== undefined;
}

/** All of a position (`closeFraction`): only in net mode, by market orders that reduce, never trailing or bit by bit. */
function closesWhole({ contract, plan }: VenueAlgoRequest): boolean {
  if (contract?.positionMode !== 'one-way' || !contract.reduceOnly) return false;
  return plan.kind !== 'trailing' && plan.kind !== 'iceberg' && !legsOf(plan).some(sendsLimit);
}

function sizeIn(request: VenueAlgoRequest): CallParameters | undefined {
  const { quantity } = request;
  if (quantity !== undefined) return request.whole === true ? undefined : { sz: formatAmount(quantity) };
  return request.whole === true && closesWhole(request) ? { closeFraction: '1' } : undefined;
}

/** A placement; `undefined` where it cannot be written for the venue. What a leg sends at a limit rests until cancelled. */
export function algoIn(terms: AlgoTerms, request: VenueAlgoRequest): CallParameters | undefined {
  const { instrument, plan, side, timeInForce } = request;
  const market = terms(request);
  const waits = planIn(plan);
  const size = sizeIn(request);
  if (market === undefined || waits === undefined || size === undefined) return undefined;
  if (legsOf(plan).some(sendsLimit) && timeInForce !== TIME_IN_FORCE.GTC) return undefined;
  return {
    instId: instrument.symbol,
    side: side === SIDE.BUY ? 'buy' : 'sell',
    algoClOrdId: request.clientId,
    ...{ ...market, ...waits, ...size },
  };
}

/** New values under the names of an amendment; `undefined` where nothing changes. */
export function changeIn({
  quantity,
  takeProfit,
  stopLoss,
  trailing,
}: AlgoChange): CallParameters | undefined {
  const values = {
    newSz: quantity,
    newTpTriggerPx: takeProfit?.trigger,
    newTpOrdPx: takeProfit?.limit,
    newSlTriggerPx: stopLoss?.trigger,
    newSlOrdPx: stopLoss?.limit,
    newCallbackRatio: trailing?.ratio,
    newCallbackSpread: trailing?.distance,
    newActivePx: trailing?.activation,
  };
  const changed = Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, formatAmount(value)] as const],
  );
  return changed.length === 0 ? undefined : Object.fromEntries(changed);
}

/** What is to be placed, and which part of its order it is for (0: all of it). */
type Entry = readonly [part: number, terms: CallParameters | undefined];

/** One entry for each of several take-profits, at market, and one for the stop beside them. */
function severalIn(takeProfits: readonly PartTarget[], stopLoss: AlgoLeg | undefined): readonly Entry[] {
  const count = takeProfits.length;
  if (count < TARGETS_MIN || count > PARTS_MAX) return [];
  return [
    ...takeProfits.map(({ trigger, quantity }, at): Entry => {
      const leg = legIn('tp', { trigger });
      return [at + 1, leg && { ...leg, sz: formatAmount(quantity) }];
    }),
    ...(stopLoss === undefined ? [] : [[0, legIn('sl', stopLoss)] as const]),
  ];
}

function entriesIn({ takeProfit, takeProfits, stopLoss, trailing }: OrderTargets): readonly Entry[] {
  if (trailing !== undefined)
    return (takeProfit ?? takeProfits ?? stopLoss) === undefined ? [[0, trailingIn(trailing)]] : [];
  if (takeProfits === undefined) return [[0, legsIn(takeProfit, stopLoss)]];
  return takeProfit === undefined ? severalIn(takeProfits, stopLoss) : [];
}

/**
 * What an order on a contract asks the venue to place of what it fills (`attachAlgoOrds`): each entry becomes an algo order
 * under the name said here, targets of parts only where the order has filled wholly. `undefined` for what has no words there.
 * That the parts come to the order, and lie at prices of their own, is the venue's to say (51083, 51081).
 */
export function attachedIn(
  clientId: VenueOrderRequest['clientId'],
  targets: OrderTargets,
): CallParameters | undefined {
  const entries = entriesIn(targets);
  const attachAlgoOrds = entries.flatMap(([part, terms]) =>
    terms === undefined ? [] : [{ attachAlgoClOrdId: attachedId(clientId, part), ...terms }],
  );
  return attachAlgoOrds.length > 0 && attachAlgoOrds.length === entries.length
    ? { attachAlgoOrds }
    : undefined;
}

/** What an order of a pair brings along, under an id of ours (`attachAlgoOrds`): the venue takes the size of what has filled. */
export function broughtIn({ clientId, plan, quantity, timeInForce }: ListedLegs): CallParameters | undefined {
  const legs = legsOf(plan);
  if (quantity !== undefined || plan.kind === 'trailing') return undefined;
  if (legs.some(({ trigger }) => trigger?.by !== 'last')) return undefined;
  if (legs.some(sendsLimit) && timeInForce !== TIME_IN_FORCE.GTC) return undefined;
  return { attachAlgoOrds: [{ attachAlgoClOrdId: clientId, ...planLegsIn(plan) }] };
}

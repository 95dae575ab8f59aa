import type { AlgoLeg, Amount, TriggerBy, TriggerPlan } from '@crossbook/domain';

/** A leg as a row of a list says it: fires at `price`, and sends `limit` where that is a price. */
export interface ShownLeg {
  readonly price: Amount | undefined;
  readonly by: TriggerBy | undefined;
  readonly limit: Amount | undefined;
}

function legOf({ price, by, limit }: ShownLeg): AlgoLeg | undefined {
  if (price === undefined || price === 0n || by === undefined) return undefined;
  return { trigger: { price, by }, ...(limit === undefined || limit === 0n ? {} : { limit }) };
}

/** What legs come to: both are an OCO, either is one order; `undefined` where neither says when it fires. */
export function planOfLegs(
  profit: ShownLeg | undefined,
  loss: ShownLeg | undefined,
): TriggerPlan | undefined {
  const takeProfit = profit && legOf(profit);
  const stopLoss = loss && legOf(loss);
  if (takeProfit !== undefined && stopLoss !== undefined) return { kind: 'oco', takeProfit, stopLoss };
  if (takeProfit !== undefined) return { kind: 'take-profit', leg: takeProfit };
  return stopLoss === undefined ? undefined : { kind: 'stop', leg: stopLoss };
}

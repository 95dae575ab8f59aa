import {
  type AlgoLeg,
  type Amount,
  lesser,
  type Millis,
  minus,
  type OrderId,
  type OrderTargets,
  type PartTarget,
  type PositionKey,
  plus,
  type TriggerBy,
  ZERO,
} from '@crossbook/domain';
import type { CompanionWrite } from '@crossbook/ledger';
import type { AccountOwner } from './account-pages.ts';

/** What closes what an order fills, and for how much of it legs are written. */
export interface StoredTargets extends AccountOwner, OrderTargets {
  readonly order: OrderId;
  readonly placed: Amount;
  readonly parts: number;
  /** The order was sent with them: the venue makes the legs, and the hub adopts them; of a pair one, whose coins are held from `placed` on. */
  readonly attached: boolean;
  /** The order is over, and all of it has legs. */
  readonly ended: boolean;
  readonly createdAt: Millis;
}

/** Where they are kept; writes travel with the money. */
export interface TargetStore {
  byOrder(id: OrderId): Promise<StoredTargets | undefined>;
  /** Orders whose legs are not all written: those that have filled without come first, then the oldest. */
  open(): Promise<readonly (AccountOwner & { readonly order: OrderId })[]>;
  /** Those of a member's orders on a contract whose legs the venue makes and that are not all known, oldest first. */
  attachedTo(owner: AccountOwner, symbol: string): Promise<readonly OrderId[]>;
  /** Positions of which something that should have legs has none that stands, and when that was filled. */
  unprotected(
    owner: AccountOwner,
  ): Promise<readonly (Omit<PositionKey, 'platform'> & { readonly filledAt: Millis })[]>;
  insert(targets: StoredTargets): CompanionWrite;
  progress(targets: StoredTargets): CompanionWrite;
}

/** Fields of take-profit and stop-loss, of whichever call; those of several targets and of a trailing stop have orders alone. */
type TargetFields = {
  readonly [Name in
    | ('takeProfit' | 'takeProfitPrice' | 'stopLoss' | 'stopLossPrice')
    | ('trailingRatio' | 'trailingDistance' | 'activation')]?: Amount | undefined;
} & {
  readonly [Name in 'takeProfitBy' | 'stopLossBy']?: TriggerBy | undefined;
} & { readonly takeProfits?: readonly (readonly [Amount, Amount])[] | undefined };

/** A leg as fields name it; a limit without a trigger is one that rests. */
export function legOf(
  trigger: Amount | undefined,
  limit: Amount | undefined,
  by: TriggerBy | undefined = 'last',
): AlgoLeg | undefined {
  if (trigger === undefined && limit === undefined) return undefined;
  return {
    ...(trigger === undefined ? {} : { trigger: { price: trigger, by } }),
    ...(limit === undefined ? {} : { limit }),
  };
}

/** What a form names to close what an order fills: take-profits and a stop-loss, or a trailing stop, which follows the last price. */
export function targetsOf(fields: TargetFields): OrderTargets {
  const { takeProfitBy: by = 'last', trailingRatio, trailingDistance, activation } = fields;
  const trailing = present({ ratio: trailingRatio, distance: trailingDistance, activation });
  return present({
    takeProfit: legOf(fields.takeProfit, fields.takeProfitPrice, by),
    takeProfits: fields.takeProfits?.map(([price, quantity]) => ({ trigger: { price, by }, quantity })),
    stopLoss: legOf(fields.stopLoss, fields.stopLossPrice, fields.stopLossBy),
    trailing: Object.keys(trailing).length === 0 ? undefined : { ...trailing, by: 'last' as const },
  });
}

/** The fields that name them: the reverse of `targetsOf`. */
export function targetFields({ takeProfit, takeProfits, stopLoss, trailing }: OrderTargets = {}) {
  return present({
    ...{ takeProfit: takeProfit?.trigger?.price, takeProfitPrice: takeProfit?.limit },
    takeProfits: takeProfits?.map(({ trigger, quantity }): [Amount, Amount] => [trigger.price, quantity]),
    takeProfitBy: (takeProfit ?? takeProfits?.[0])?.trigger?.by,
    ...{ stopLoss: stopLoss?.trigger?.price, stopLossPrice: stopLoss?.limit },
    stopLossBy: stopLoss?.trigger?.by,
    ...{ trailingRatio: trailing?.ratio, trailingDistance: trailing?.distance },
    activation: trailing?.activation,
  });
}

/** Whether a form names anything that closes what its order fills. */
export function bringsTargets(fields: TargetFields): boolean {
  return Object.keys(targetsOf(fields)).length > 0;
}

/** The targets of what an order brings along or is kept with, and nothing else of it. */
export function onlyTargets({ takeProfit, takeProfits, stopLoss, trailing }: OrderTargets): OrderTargets {
  return present({ takeProfit, takeProfits, stopLoss, trailing });
}

/**
 * What of several take-profits is for a stretch of what their order fills: the first of them closes what fills first. A part below
 * the smallest order goes with the one before it, or behind it where there is none.
 * @returns parts of the length of the stretch together.
 */
export function partsBetween(
  takeProfits: readonly PartTarget[],
  { from, to, least }: { readonly from: Amount; readonly to: Amount; readonly least: Amount },
): readonly PartTarget[] {
  const parts: PartTarget[] = [];
  let begins = ZERO;
  for (const [at, { trigger, quantity: whole }] of takeProfits.entries()) {
    const ends = at === takeProfits.length - 1 ? to : lesser(plus(begins, whole), to);
    const quantity = minus(ends, begins > from ? begins : from);
    begins = plus(begins, whole);
    if (quantity <= 0n) continue;
    const before = parts.at(-1);
    if (before === undefined || lesser(before.quantity, quantity) >= least) parts.push({ trigger, quantity });
    else
      parts[parts.length - 1] = {
        trigger: quantity < least ? before.trigger : trigger,
        quantity: plus(before.quantity, quantity),
      };
  }
  return parts;
}

function present<Values extends object>(values: Values) {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Values]?: Exclude<Values[Name], undefined>;
  };
}

import type {
  AlgoLeg,
  Amount,
  Millis,
  OrderId,
  OrderTargets,
  PositionKey,
  TriggerBy,
} from '@crossbook/domain';
import type { CompanionWrite } from '@crossbook/ledger';
import type { AccountOwner } from './account-pages.ts';

/** Take-profit and stop-loss of an order, and for how much of it legs are written. */
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

/** Fields of take-profit and stop-loss, of whichever call. */
type TargetFields = {
  readonly [Name in 'takeProfit' | 'takeProfitPrice' | 'stopLoss' | 'stopLossPrice']?: Amount | undefined;
} & { readonly [Name in 'takeProfitBy' | 'stopLossBy']?: TriggerBy | undefined };

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

/** Take-profit and stop-loss that a form names. */
export function targetsOf(fields: TargetFields): OrderTargets {
  const takeProfit = legOf(fields.takeProfit, fields.takeProfitPrice, fields.takeProfitBy);
  const stopLoss = legOf(fields.stopLoss, fields.stopLossPrice, fields.stopLossBy);
  return {
    ...(takeProfit === undefined ? {} : { takeProfit }),
    ...(stopLoss === undefined ? {} : { stopLoss }),
  };
}

/** The fields that name them: the reverse of `targetsOf`. */
export function targetFields({ takeProfit, stopLoss }: OrderTargets = {}) {
  const present = {
    ...{ takeProfit: takeProfit?.trigger?.price, takeProfitPrice: takeProfit?.limit },
    ...{ takeProfitBy: takeProfit?.trigger?.by },
    ...{
      stopLoss: stopLoss?.trigger?.price,
      stopLossPrice: stopLoss?.limit,
      stopLossBy: stopLoss?.trigger?.by,
    },
  };
  return Object.fromEntries(Object.entries(present).filter(([, value]) => value !== undefined)) as Partial<{
    [Name in keyof typeof present]: NonNullable<(typeof present)[Name]>;
  }>;
}

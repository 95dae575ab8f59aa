import type { AlgoLeg, AlgoPlan, Amount, Millis } from '@crossbook/domain';
import { isUnjudged, type LedgerCommand } from '@crossbook/ledger';
import { venueProfile } from '@crossbook/venues';
import type { AlgoChange, FoundAlgo } from '@crossbook/venues/trading';
import type { IntentStep } from '../../intents/intent.ts';
import { nextHoldId, type StoredAlgo } from '../algo.ts';
import { tryWithRows } from '../booking/booked-rows.ts';
import { type Refused, refusal, type TradingDeps } from '../ports.ts';
import { algoTerms } from './algo-terms.ts';
import { type AlgoChanges, changed, recordAlgo, tellAlgo } from './record-algo.ts';
import { algoWhereabouts } from './whereabouts.ts';

/** What a venue answers from may lag behind what it did: the values of before must be shown so often after the deadline. */
const OLD_VALUES_SHOWN_MIN = 2;

/**
 * What became of a change whose answer was lost: other values than before prove that it was carried out, those of before that
 * it was not, once it no longer can be. The row shows what is proved. In the algo order's lane.
 * @param looked the venue was asked just now; a message of its stream says nothing of values.
 */
export async function settleChange(
  deps: TradingDeps,
  algo: StoredAlgo,
  { shown: found, looked }: { readonly shown: FoundAlgo; readonly looked: boolean },
): Promise<IntentStep<StoredAlgo>> {
  const wait = (intent: StoredAlgo) => ({
    ...{ intent, needsLookup: true },
    why: 'whether it was changed is not known yet',
  });
  if (!looked) return wait(algo);
  const { asks, quantity: size } = found;
  const shown =
    asks === undefined
      ? algo
      : withValues(algo, { ...asks, ...(size === undefined ? {} : { quantity: size }) });
  const before = valuesOf(algo);
  const same = valuesOf(shown).every((value, at) => value === before[at]);
  if (same && asks !== undefined) {
    const { deadlineAt } = algo;
    if (deadlineAt === undefined) {
      // Its sender is gone, and may have asked until a moment ago.
      const from = (deps.clock() + venueProfile(algo.platform).trading.orderDeadlineMillis) as Millis;
      return wait(await recordAlgo(deps, algo, { deadlineAt: from }));
    }
    if (deps.clock() <= deadlineAt) return wait(algo);
    if (algo.lookups < OLD_VALUES_SHOWN_MIN)
      return wait(await recordAlgo(deps, algo, { lookups: algo.lookups + 1 }));
  }
  const { plan, quantity } = shown;
  return { intent: await writeValues(deps, algo, { plan, quantity }), needsLookup: false };
}

function withValues(
  { plan, quantity }: StoredAlgo,
  asks: AlgoChange,
): { readonly plan: AlgoPlan; readonly quantity: Amount | undefined } {
  // The whole of a position stays that, whatever figure the venue shows.
  return {
    plan: planOf(plan, asks),
    quantity: quantity === undefined ? undefined : (asks.quantity ?? quantity),
  };
}

function planOf(plan: AlgoPlan, { takeProfit, stopLoss, trailing }: AlgoChange): AlgoPlan {
  if (plan.kind === 'iceberg') return plan;
  if (plan.kind === 'trailing') return { ...plan, trailing: { ...plan.trailing, ...trailing } };
  if (plan.kind === 'oco')
    return {
      ...plan,
      takeProfit: legOf(plan.takeProfit, takeProfit),
      stopLoss: legOf(plan.stopLoss, stopLoss),
    };
  return { ...plan, leg: legOf(plan.leg, plan.kind === 'stop' ? stopLoss : takeProfit) };
}

/** All that a change may touch, in a fixed order for each kind. */
function valuesOf({
  plan,
  quantity,
}: {
  readonly plan: AlgoPlan;
  readonly quantity?: Amount | undefined;
}): readonly (Amount | undefined)[] {
  if (plan.kind === 'iceberg') return [quantity];
  if (plan.kind === 'trailing') {
    const { ratio, distance, activation } = plan.trailing;
    return [quantity, ratio, distance, activation];
  }
  const legs = plan.kind === 'oco' ? [plan.takeProfit, plan.stopLoss] : [plan.leg];
  return [quantity, ...legs.flatMap(({ trigger, limit }) => [trigger?.price, limit])];
}

/** What a leg has not, it is not given: a market leg stays one. */
function legOf({ trigger, limit, ...leg }: AlgoLeg, shown: AlgoChange['stopLoss'] = {}): AlgoLeg {
  return {
    ...leg,
    ...(trigger === undefined ? {} : { trigger: { ...trigger, price: shown.trigger ?? trigger.price } }),
    ...(limit === undefined ? {} : { limit: shown.limit ?? limit }),
  };
}

/** Writes what an order waits for, as is proved, and holds no more than that needs. */
async function writeValues(
  deps: TradingDeps,
  algo: StoredAlgo,
  values: Pick<AlgoChanges, 'plan' | 'quantity'>,
): Promise<StoredAlgo> {
  const changes = { ...values, ...SETTLED };
  const instrument = (await algoWhereabouts(deps, algo))?.instrument;
  if (algo.contract !== undefined || instrument === undefined) return recordAlgo(deps, algo, changes);
  const { side, plan, quantity, timeInForce } = changed(deps, algo, changes);
  const draft = {
    ...{ instrument, side, plan, timeInForce, closes: false },
    ...(quantity === undefined ? {} : { quantity }),
  };
  const terms = await algoTerms(deps, draft);
  // What it would hold is not known without a price: it keeps what it has.
  if (!terms.ok || terms.hold.amount >= algo.holdAmount) return recordAlgo(deps, algo, changes);
  const held = await rehold(deps, algo, { amount: terms.hold.amount, changes });
  if (!held.ok) throw new Error(`algo order ${algo.id}: ${held.code.error}`);
  return held.algo;
}

/** No change of it is under way. */
export const SETTLED = {
  ...{ unknown: false, cancelPending: false, lookups: 0 },
  ...{ deadlineAt: undefined, firstLookupAt: undefined },
} as const;

/** Changes of a row, and another hold in place of its own where the amount is another, in one commit. */
export async function rehold(
  deps: TradingDeps,
  algo: StoredAlgo,
  { amount, changes }: { readonly amount: Amount; readonly changes: AlgoChanges },
): Promise<{ readonly ok: true; readonly algo: StoredAlgo } | Refused> {
  const moves = amount !== algo.holdAmount;
  const hold = moves ? { holdId: nextHoldId(algo), holdAmount: amount } : {};
  const after = changed(deps, algo, { ...changes, ...hold });
  const done = await tryWithRows(deps, {
    commands: moves ? moving(algo, after) : [],
    writes: [deps.algos.progress(after)],
  });
  if (!done.ok) return refusal({ error: isUnjudged(done.code) ? done.code : 'balance-insufficient' });
  tellAlgo(deps, after);
  return { ok: true, algo: after };
}

function moving(
  before: StoredAlgo,
  { holdId: id, holdAmount: amount, ...after }: StoredAlgo,
): readonly LedgerCommand[] {
  const { user, platform, holdAsset: asset } = after;
  const account = { class: 'TRADING', user, platform, asset } as const;
  const release: readonly LedgerCommand[] =
    before.holdAmount === 0n ? [] : [{ do: 'release', hold: before.holdId }];
  return amount === 0n ? release : [...release, { do: 'hold', id, account, amount, kind: 'order-hold' }];
}

import {
  type AlgoOffer,
  type Amount,
  decimalsOf,
  formatAmount,
  formatAmountFixed,
  SIDE,
  TIME_IN_FORCE,
  targetsFault,
} from '@crossbook/domain';
import { groupThousands } from '../step-text.ts';
import {
  type AlgoEntry,
  type AlgoFacts,
  algoPlanOf,
  EMPTY_ALGO,
  entryOffered,
  trailingFields,
} from './algo-entry.ts';
import { algoErrors } from './algo-errors.ts';
import {
  type BracketError,
  type BracketFields,
  type BracketOrder,
  bracketError,
  bracketFields,
  bracketOf,
  type TargetsAsked,
  unfilledLimit,
} from './brackets.ts';
import { partRows, partsError } from './part-targets.ts';
import {
  TARGET_FORMS,
  type TargetForm,
  type TargetForms,
  type TargetName,
  type TargetScene,
  type TrailingEntry,
  targetStats,
} from './targets.ts';

/** Targets of an order on a contract in the form that was chosen for them. */

/** The order that they come with, and what its exchange takes along. */
export interface TargetedOrder extends Omit<BracketOrder, 'price'> {
  readonly scene: TargetScene;
  readonly offer: AlgoOffer;
}

/** The forms that an exchange takes with an order. */
export function formsOffered({ targetsMax, attachedTrails }: AlgoOffer): readonly TargetForm[] {
  return TARGET_FORMS.filter(
    (form) => form === 'one' || (form === 'several' ? targetsMax !== undefined : attachedTrails === true),
  );
}

/** The chosen form where the exchange has it. */
export function formOf({ form }: Pick<TargetForms, 'form'>, offer: AlgoOffer): TargetForm {
  return formsOffered(offer).includes(form) ? form : 'one';
}

/** A leg as it is shown before it is sent. */
export interface AskedLeg {
  readonly name: TargetName;
  /** Of several take-profits, from 1. */
  readonly number?: number;
  readonly price: Amount;
  readonly limit: Amount | undefined;
  /** What it closes, in base coins. */
  readonly coins: Amount | undefined;
  /** What it brings after fees. */
  readonly net: Amount | undefined;
}

/** What the fields mean for an order. */
export interface AskedTargets {
  /** What is wrong with them; nothing where there are none. */
  readonly error: BracketError | undefined;
  /** What goes with the order's call. */
  readonly fields: BracketFields;
  readonly legs: readonly AskedLeg[];
}

/** What the fields of the ticket mean for an order on a contract. */
export function askedTargets(asked: TargetsAsked & TargetForms, order: TargetedOrder): AskedTargets {
  const form = formOf(asked, order.offer);
  if (form === 'several') return askedParts(asked, order);
  return form === 'trailing' ? askedTrailing(asked.trailing, order) : askedOne(asked, order);
}

function askedOne(asked: TargetsAsked, order: TargetedOrder): AskedTargets {
  const { scene, offer } = order;
  const bracket = bracketOf(asked, scene);
  const price = scene.entry;
  return {
    error: bracketError(bracket, asked.by, { ...order, price }, offer),
    fields: bracketFields(bracket, asked.by),
    legs: legsOf(bracket, scene),
  };
}

function legsOf(bracket: ReturnType<typeof bracketOf>, scene: TargetScene): readonly AskedLeg[] {
  return (['takeProfit', 'stopLoss'] as const).flatMap((name): readonly AskedLeg[] => {
    const price = bracket[name];
    if (price === undefined) return [];
    const limit = bracket.limits?.[name];
    return [{ name, price, limit, coins: scene.size, net: targetStats(price, scene, limit)?.net }];
  });
}

function askedParts(asked: TargetsAsked & TargetForms, order: TargetedOrder): AskedTargets {
  const { instrument, scene, offer } = order;
  const rows = partRows(asked.parts, scene, instrument);
  const stop = { ...bracketOf(asked, scene), takeProfit: undefined };
  const price = scene.entry;
  const pairs = rows.flatMap(({ price: at, quantity }) =>
    at === undefined || quantity === undefined ? [] : [[formatAmount(at), formatAmount(quantity)]],
  );
  return {
    error:
      partsError(rows, { ...order, price, by: asked.by }) ??
      (stop.stopLoss === undefined && unfilledLimit(stop) === undefined
        ? undefined
        : bracketError(stop, asked.by, { ...order, price }, offer)),
    fields: {
      ...bracketFields(stop, asked.by),
      ...{ takeProfits: JSON.stringify(pairs), takeProfitBy: asked.by },
    },
    legs: [
      ...rows.flatMap(({ number, price: at, scene: part }): readonly AskedLeg[] => {
        if (at === undefined) return [];
        const net = targetStats(at, part)?.net;
        return [{ name: 'takeProfit', number, price: at, limit: undefined, coins: part.size, net }];
      }),
      ...legsOf(stop, scene),
    ],
  };
}

/** A trailing stop of an order as one by itself that closes what the order opens. */
export function trailingOfOrder(
  trailing: TrailingEntry,
  { instrument, side, offer }: Pick<TargetedOrder, 'instrument' | 'side' | 'offer'>,
): { readonly entry: AlgoEntry; readonly facts: AlgoFacts } {
  return {
    entry: entryOffered({ ...EMPTY_ALGO, choice: 'trailing', ...trailing }, offer),
    facts: {
      ...{ instrument, side: side === SIDE.BUY ? SIDE.SELL : SIDE.BUY, offer, prices: {}, limit: '' },
      ...{ timeInForce: TIME_IN_FORCE.GTC, quantity: undefined, waiting: 0 },
      contract: { effect: 0, reduceOnly: true },
    },
  };
}

function askedTrailing(asked: TrailingEntry, order: TargetedOrder): AskedTargets {
  const { entry, facts } = trailingOfOrder(asked, order);
  const plan = algoPlanOf(entry, facts);
  if (plan.kind !== 'trailing') throw new Error('a trailing stop is one');
  const [wrong] = algoErrors(entry, facts);
  const error =
    wrong === undefined
      ? followsFrom(order, plan.trailing)
      : { ...wrong, field: wrong.field === 'activation' ? wrong.field : ('callback' as const) };
  return { error, fields: trailingFields(plan.trailing), legs: [] };
}

/** From where it begins to follow, the position gains: elsewhere it would follow at once. */
function followsFrom(
  { side, scene, instrument, offer }: TargetedOrder,
  trailing: Parameters<typeof trailingFields>[0],
): BracketError | undefined {
  const price = scene.entry;
  const fault = targetsFault({ side, price, instrument }, { trailing }, offer);
  if (fault === undefined || price === undefined) return undefined;
  const shown = groupThousands(formatAmountFixed(price, decimalsOf(instrument.tickSize)));
  return { name: 'follows-from', field: 'activation', allowed: `${side === SIDE.BUY ? '>' : '<'} ${shown}` };
}

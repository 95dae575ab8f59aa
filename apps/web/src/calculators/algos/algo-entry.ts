import type { CallInput } from '@crossbook/contract';
import {
  type AlgoLeg,
  type AlgoOffer,
  type AlgoPlan,
  AMOUNT_ONE,
  type Amount,
  divDown,
  formatAmount,
  type Instrument,
  mulDown,
  SIDE,
  type Side,
  TIME_IN_FORCE,
  type TimeInForce,
  type Trailing,
  type TriggerBy,
} from '@crossbook/domain';
import { entryAmount } from '../ticket/number-entry.ts';

/** Kinds of the ticket that wait for a price; whether a stop is a take-profit follows from side and trigger. */
export const ALGO_CHOICES = ['stop', 'trailing', 'oco', 'iceberg'] as const;
/** One such kind. */
export type AlgoChoice = (typeof ALGO_CHOICES)[number];

/** Fields that only such a ticket has; size, limit price and time in force are those of the ordinary one. */
export interface AlgoEntry {
  readonly choice: AlgoChoice;
  /** Whether what it then sends is a market order. */
  readonly market: boolean;
  readonly by: TriggerBy;
  /** The whole position when it fires, instead of a size. */
  readonly whole: boolean;
  readonly trigger: string;
  /** Price of an OCO's take-profit. */
  readonly takeProfit: string;
  /** How far it follows behind: percent, or a distance in quote. */
  readonly callback: string;
  readonly callbackIn: 'percent' | 'distance';
  /** Price from which it follows; empty = from the placement. */
  readonly activation: string;
  /** How much an iceberg shows at a time, in coins. How far behind the market that rests is its callback. */
  readonly visible: string;
}

/** An untouched one. */
export const EMPTY_ALGO: AlgoEntry = {
  ...{ choice: 'stop', market: true, by: 'last', whole: false, trigger: '', takeProfit: '' },
  ...{ callback: '', callbackIn: 'percent', activation: '', visible: '' },
};

/** What the ticket must know of the world. What is unknown is `undefined`. */
export interface AlgoFacts {
  readonly instrument: Instrument;
  readonly side: Side;
  readonly offer: AlgoOffer;
  /** The newest price of each kind. */
  readonly prices: Readonly<Partial<Record<TriggerBy, Amount | undefined>>>;
  /** Limit of what it sends, as the field shows it. */
  readonly limit: string;
  readonly timeInForce: TimeInForce;
  /** As the venue counts. */
  readonly quantity: Amount | undefined;
  /** Of contracts alone. */
  readonly contract?: ContractTerms;
  /** How many wait here already, as the venue's limit counts them. */
  readonly waiting: number;
}

/** How the order stands to the position, and what the member saw of the settings. */
export interface ContractTerms {
  readonly effect: 0 | 1 | 2;
  readonly reduceOnly: boolean;
  readonly marginMode?: 'cross' | 'isolated';
  readonly leverage?: number;
}

/** The kinds that the ticket has at a venue: what hangs on a position is set there. */
export function choicesOf(offer: Pick<AlgoOffer, 'kinds' | 'trailing'>): readonly AlgoChoice[] {
  return ALGO_CHOICES.filter(
    (choice) => offer.kinds.includes(choice) && !(choice === 'trailing' && trailsAtPosition(offer)),
  );
}

/** Whether a venue has trailing stops at positions, and none that are placed. */
export function trailsAtPosition({ trailing }: Pick<AlgoOffer, 'trailing'>): boolean {
  return trailing?.ofPosition === true;
}

/** Whether a kind waits for one price, and may then send a limit order. */
export function hasTrigger(choice: AlgoChoice): boolean {
  return choice === 'stop' || choice === 'oco';
}

/** How a kind says how far it stays from the market; absent where it does not. */
export function distancesOf(
  choice: AlgoChoice,
  { trailing, iceberg }: Pick<AlgoOffer, 'trailing' | 'iceberg'>,
): NonNullable<AlgoOffer['trailing']> | undefined {
  return choice === 'iceberg' ? iceberg : trailing;
}

/** Whether all of a position can be meant: a leg of its own knows whose it is everywhere but where only one-way does. */
export function offersWhole({ whole }: Pick<AlgoOffer, 'whole'>, effect: 0 | 1 | 2): boolean {
  return whole === 'always' || (whole === 'one-way' && effect === 0);
}

/** The prices that a kind may follow. */
export function pricesFollowed(choice: AlgoChoice, { trailing, triggerBy }: AlgoOffer): readonly TriggerBy[] {
  return choice === 'trailing' ? (trailing?.by ?? triggerBy) : triggerBy;
}

/** The chosen kind and price where the venue has them; else its first ones. */
export function entryOffered(entry: AlgoEntry, offer: AlgoOffer): AlgoEntry {
  const choices = choicesOf(offer);
  const choice = choices.includes(entry.choice) ? entry.choice : (choices[0] ?? 'stop');
  const far = distancesOf(choice, offer);
  const followed = pricesFollowed(choice, offer);
  return {
    ...{ ...entry, choice },
    by: followed.includes(entry.by) ? entry.by : (followed[0] ?? 'last'),
    callbackIn:
      entry.callbackIn === 'distance' && far?.distance !== true
        ? 'percent'
        : far?.ratio === undefined
          ? 'distance'
          : entry.callbackIn,
  };
}

/** The price that the trigger follows; of trailing ones and brackets too. */
export function followedPrice(entry: Pick<AlgoEntry, 'by'>, { prices }: AlgoFacts): Amount | undefined {
  return prices[entry.by];
}

/**
 * Whether a trigger is a stop or a take-profit: against the side it is a stop (a buy above the price, a sell below it).
 * While the price is not known it is a stop.
 */
export function kindOfTrigger(
  trigger: Amount | undefined,
  now: Amount | undefined,
  side: Side,
): 'stop' | 'take-profit' {
  if (trigger === undefined || now === undefined) return 'stop';
  return trigger > now === (side === SIDE.BUY) ? 'stop' : 'take-profit';
}

/** A callback in percent as the fraction that is sent. */
export function callbackRatio(percent: Amount): Amount {
  return divDown(percent, (AMOUNT_ONE * 100n) as Amount);
}

/** A fraction as percent. */
export function percentOfRatio(ratio: Amount): string {
  return formatAmount(mulDown(ratio, (AMOUNT_ONE * 100n) as Amount));
}

/** A price that is filled in. */
function filled(text: string): Amount | undefined {
  const value = entryAmount(text);
  return value === 0n ? undefined : value;
}

function legOf(trigger: Amount | undefined, limit: Amount | undefined, by: TriggerBy): AlgoLeg {
  return {
    ...(trigger === undefined ? {} : { trigger: { price: trigger, by } }),
    ...(limit === undefined ? {} : { limit }),
  };
}

/** How far from the market: a fraction of it, or a distance. */
function farOf({ callback: text, callbackIn }: AlgoEntry) {
  const callback = filled(text);
  if (callback === undefined) return {};
  return callbackIn === 'percent' ? { ratio: callbackRatio(callback) } : { distance: callback };
}

/** Coins as the venue counts them; of what is not filled in nothing, which a rule refuses. */
function countedCoins(coins: string, instrument: Instrument): Amount {
  return divDown(filled(coins) ?? (0n as Amount), instrument.contractValue);
}

/** What the ticket asks for, as the rules of the hub see it; what is not filled in is absent. */
export function algoPlanOf(entry: AlgoEntry, facts: AlgoFacts): AlgoPlan {
  const { side } = facts;
  const { by } = entry;
  const trigger = filled(entry.trigger);
  const leg = legOf(trigger, entry.market ? undefined : filled(facts.limit), by);
  if (entry.choice === 'trailing') {
    const activation = filled(entry.activation);
    return {
      kind: 'trailing',
      trailing: { ...farOf(entry), ...(activation === undefined ? {} : { activation }), by },
    };
  }
  if (entry.choice === 'iceberg') {
    const limit = filled(facts.limit) ?? (0n as Amount);
    const visible = countedCoins(entry.visible, facts.instrument);
    return { kind: 'iceberg', iceberg: { limit, visible, ...farOf(entry) } };
  }
  if (entry.choice === 'oco') {
    const price = filled(entry.takeProfit);
    // Where the venue lets it the take-profit rests in the book as a limit order from the placement.
    const takeProfit =
      facts.offer.targetRests === true ? legOf(undefined, price, by) : legOf(price, undefined, by);
    return { kind: 'oco', takeProfit, stopLoss: leg };
  }
  return { kind: kindOfTrigger(trigger, followedPrice(entry, facts), side), leg };
}

function decimal<Name extends string>(
  name: Name,
  value: Amount | undefined,
): { readonly [Key in Name]?: string } {
  return value === undefined ? {} : ({ [name]: formatAmount(value) } as { readonly [Key in Name]: string });
}

/** A trailing stop in the fields of a call. */
export function trailingFields({ ratio, distance, activation }: Trailing) {
  return {
    ...{ ...decimal('trailingRatio', ratio), ...decimal('trailingDistance', distance) },
    ...decimal('activation', activation),
  };
}

/** A plan in the fields of its call. */
function fieldsOf(plan: AlgoPlan) {
  if (plan.kind === 'iceberg') {
    const { limit, visible, ratio, distance } = plan.iceberg;
    return {
      ...{ algoType: plan.kind, ...decimal('price', limit), ...decimal('visibleQuantity', visible) },
      ...{ ...decimal('behindRatio', ratio), ...decimal('behindDistance', distance) },
    };
  }
  if (plan.kind === 'trailing') {
    return { algoType: plan.kind, triggerBy: plan.trailing.by, ...trailingFields(plan.trailing) };
  }
  if (plan.kind === 'oco') {
    const { takeProfit, stopLoss } = plan;
    return {
      algoType: plan.kind,
      ...{
        ...decimal('takeProfit', takeProfit.trigger?.price),
        ...decimal('takeProfitPrice', takeProfit.limit),
      },
      ...(takeProfit.trigger === undefined ? {} : { takeProfitBy: takeProfit.trigger.by }),
      ...{ ...decimal('stopLoss', stopLoss.trigger?.price), ...decimal('stopLossPrice', stopLoss.limit) },
      ...(stopLoss.trigger === undefined ? {} : { stopLossBy: stopLoss.trigger.by }),
    };
  }
  const { trigger, limit } = plan.leg;
  return {
    ...{ algoType: plan.kind, ...decimal('triggerPrice', trigger?.price), ...decimal('price', limit) },
    ...(trigger === undefined ? {} : { triggerBy: trigger.by }),
  };
}

/** Whether all of a position is meant instead of a size. */
export function meansWholePosition(entry: AlgoEntry, { contract, offer }: AlgoFacts): boolean {
  return entry.whole && contract !== undefined && asksWhole(entry, offer, contract.effect);
}

/** Whether what the ticket asks for can close a whole position: nothing but what waits for a price, at a limit only where that is had. */
export function asksWhole(
  { choice, market }: Pick<AlgoEntry, 'choice' | 'market'>,
  offer: AlgoOffer,
  effect: 0 | 1 | 2,
): boolean {
  return hasTrigger(choice) && (market || offer.wholeAtLimit === true) && offersWhole(offer, effect);
}

/** The time in force of what a trigger sends: the chosen one where the venue has it. */
export function timeOfLimit(
  { choice, market }: Pick<AlgoEntry, 'choice' | 'market'>,
  { timeInForce, offer }: Pick<AlgoFacts, 'timeInForce' | 'offer'>,
): TimeInForce {
  const limited = !market && hasTrigger(choice);
  return limited && offer.limitTimes.includes(timeInForce) ? timeInForce : TIME_IN_FORCE.GTC;
}

type Request = Omit<CallInput<'connextrade/PlaceAlgoOrder'>, 'clientId' | 'platformType'>;

/** The order as it is sent; ask `algoErrors` first. */
export function algoRequestOf(entry: AlgoEntry, facts: AlgoFacts): Request {
  const { instrument, side, quantity, contract } = facts;
  const whole = meansWholePosition(entry, facts);
  return {
    tinstType: instrument.symbolType === 'SPOT' ? 1 : 2,
    ...{ symbol: instrument.symbol, side, ...fieldsOf(algoPlanOf(entry, facts)) },
    timeInForce: timeOfLimit(entry, facts),
    ...(whole ? { whole } : quantity === undefined ? {} : { quantity: formatAmount(quantity) }),
    ...(contract === undefined ? {} : { ...contract, reduceOnly: whole || contract.reduceOnly }),
  };
}

import {
  type AlgoFault,
  type AlgoFaultName,
  algoFaults,
  amount,
  type AlgoField as CallField,
  formatAmount,
  mulDown,
} from '@crossbook/domain';
import { entryAmount } from '../ticket/number-entry.ts';
import {
  type AlgoEntry,
  type AlgoFacts,
  algoPlanOf,
  distancesOf,
  followedPrice,
  meansWholePosition,
  percentOfRatio,
} from './algo-entry.ts';

/** Fields of the ticket that an error can stand at; `form` is the ticket as a whole. */
export type AlgoField =
  | ('trigger' | 'limit' | 'takeProfit' | 'callback' | 'activation')
  | ('visible' | 'size' | 'form');

/** One thing that is wrong, by its name in the error catalogue. */
export interface AlgoError {
  readonly name:
    | AlgoFaultName
    | 'field-invalid'
    | 'algo-limit'
    | 'behind-range'
    | 'follows-from'
    | 'price-missing';
  readonly field: AlgoField;
  /** What would be right: a step, a bound, a range. */
  readonly allowed: string;
  /** A field that was simply not filled in yet: said only on sending. */
  readonly missing?: true;
}

/** What is chosen and not entered has no field of its own: it is said of the ticket as a whole. */
const FIELDS: Partial<Readonly<Record<CallField, AlgoField>>> = {
  ...{ triggerPrice: 'trigger', stopLoss: 'trigger', price: 'limit', stopLossPrice: 'limit' },
  ...{ takeProfit: 'takeProfit', takeProfitPrice: 'takeProfit', activation: 'activation' },
  ...{ trailingRatio: 'callback', trailingDistance: 'callback', quantity: 'size' },
  ...{ visibleQuantity: 'visible', behindRatio: 'callback', behindDistance: 'callback' },
};

/** Figures that the kind needs; what begins a trailing order may be left out. */
function fieldsAsked(entry: AlgoEntry, { limit }: AlgoFacts): readonly (readonly [AlgoField, string])[] {
  if (entry.choice === 'trailing') {
    const from = entry.activation === '' ? [] : [['activation', entry.activation] as const];
    return [['callback', entry.callback], ...from];
  }
  if (entry.choice === 'iceberg')
    return [
      ['limit', limit],
      ['visible', entry.visible],
      ['callback', entry.callback],
    ];
  const first = entry.choice === 'oco' ? [['takeProfit', entry.takeProfit] as const] : [];
  const last = entry.market ? [] : [['limit', limit] as const];
  return [...first, ['trigger', entry.trigger], ...last];
}

function unfilled(entry: AlgoEntry, facts: AlgoFacts): readonly AlgoError[] {
  return fieldsAsked(entry, facts).flatMap(([field, text]): readonly AlgoError[] => {
    const value = entryAmount(text);
    if (value !== undefined && value !== 0n) return [];
    const error = { name: 'field-invalid', field, allowed: '> 0' } as const;
    return [text === '' || value === 0n ? { ...error, missing: true } : error];
  });
}

/** A fault of the order as the ticket says it: at its own field, and fractions in percent. */
function atField(
  { name, field, allowed = [] }: AlgoFault,
  { choice }: AlgoEntry,
  { offer, instrument }: AlgoFacts,
): AlgoError {
  const range = distancesOf(choice, offer)?.ratio;
  const shown =
    name === 'trailing-range' && range !== undefined
      ? `${percentOfRatio(range.min)} – ${percentOfRatio(range.max)} % (${percentOfRatio(range.step)} %)`
      : allowed.join(' – ');
  const at = (field && FIELDS[field]) ?? 'form';
  if (at === 'visible')
    return {
      name,
      field: at,
      allowed: allowed
        .map((counted) => formatAmount(mulDown(amount(counted), instrument.contractValue)))
        .join(' – '),
    };
  const behind = choice === 'iceberg' && name === 'trailing-range';
  return { name: behind ? 'behind-range' : name, field: at, allowed: shown };
}

/**
 * Whether a trigger is a stop or a take-profit follows from the price of now, so that nothing is opened without one. What closes
 * is sent as a stop: protection never waits for a price.
 */
function unpriced(entry: AlgoEntry, facts: AlgoFacts, closes: boolean): readonly AlgoError[] {
  if (entry.choice !== 'stop' || closes || followedPrice(entry, facts) !== undefined) return [];
  return [{ name: 'price-missing', field: 'trigger', allowed: '' }];
}

/**
 * Everything that is wrong with an order that waits, by the rules that the hub asks too; money for it is looked at by the
 * ordinary ticket.
 */
export function algoErrors(entry: AlgoEntry, facts: AlgoFacts): readonly AlgoError[] {
  const { instrument, side, quantity, contract, offer, waiting } = facts;
  const missing = unfilled(entry, facts);
  const whole = meansWholePosition(entry, facts);
  const size = whole ? { whole: true as const } : { quantity: quantity ?? instrument.minQty };
  const closes = whole || contract?.reduceOnly === true;
  const terms =
    contract === undefined
      ? {}
      : {
          contract: {
            closes,
            positionMode: contract.effect === 0 ? ('one-way' as const) : ('hedge' as const),
          },
        };
  const prices = Object.fromEntries(Object.entries(facts.prices).filter(([, price]) => price !== undefined));
  const request = { instrument, side, plan: algoPlanOf(entry, facts), ...size, ...terms };
  const faults = algoFaults(request, { offer, prices })
    // What is not filled in yet is said at its field.
    .filter(({ name }) => missing.length === 0 || name !== 'order-combination')
    .filter(({ field }) => quantity !== undefined || (field !== 'quantity' && field !== 'visibleQuantity'))
    .filter(({ field }) => !missing.some((one) => one.field === (field && FIELDS[field])));
  return [
    ...(waiting < offer.openMax
      ? []
      : [{ name: 'algo-limit', field: 'form', allowed: String(offer.openMax) } as const]),
    ...missing,
    ...(missing.length > 0 ? [] : unpriced(entry, facts, closes)),
    ...faults.map((fault) => atField(fault, entry, facts)),
  ];
}

import type { AlgoRow, CallInput, PositionRow } from '@crossbook/contract';
import {
  type AlgoOffer,
  type Amount,
  algoFaults,
  formatAmount,
  type Instrument,
  parseAmount,
  platformFacts,
  type TriggerBy,
} from '@crossbook/domain';
import { entryAmount } from '../ticket/number-entry.ts';
import type { AlgoError } from './algo-errors.ts';
import { closingSide } from './position-targets.ts';

/** The trailing stop of a venue that hangs it on a position: one of each, and it closes all there is. */

/** What its fields hold. */
export interface TrailingAsked {
  readonly distance: string;
  /** From where it follows; empty: from now. */
  readonly activation: string;
}

/** What the fields begin with: what stands, or nothing. */
export function trailingOf(standing: AlgoRow | undefined): TrailingAsked {
  return {
    distance: standing?.trailing?.distance ?? '',
    activation: standing?.trailing?.activation ?? '',
  };
}

/** What differs from what stands, as the call that changes it has it. */
export function trailingChange(
  asked: TrailingAsked,
  standing: AlgoRow | undefined,
): { readonly trailingDistance?: string; readonly activation?: string } {
  const before = trailingOf(standing);
  const changed = (name: keyof TrailingAsked): string | undefined => {
    const value = entryAmount(asked[name]);
    return value === undefined || value === parseAmount(before[name]) ? undefined : formatAmount(value);
  };
  const [trailingDistance, activation] = [changed('distance'), changed('activation')];
  return {
    ...(trailingDistance === undefined ? {} : { trailingDistance }),
    ...(activation === undefined ? {} : { activation }),
  };
}

/** The order that sets a new one. */
export function trailingOrder(
  asked: TrailingAsked,
  row: PositionRow,
): Omit<CallInput<'connextrade/PlaceAlgoOrder'>, 'clientId'> {
  const { exchange, symbol, effect, marginMode, leverage } = row;
  return {
    ...{ platformType: platformFacts(exchange).platformType, tinstType: 2, symbol, algoType: 'trailing' },
    ...{ side: closingSide(row), effect, reduceOnly: true, whole: true, marginMode, leverage },
    ...{ timeInForce: 1, triggerBy: 'last' },
    ...trailingChange(asked, undefined),
  };
}

/** What is wrong with it, by the rules of the hub; nothing of what is not filled in yet. */
export function trailingError(
  asked: TrailingAsked,
  row: PositionRow,
  context: {
    readonly instrument: Instrument;
    readonly offer: AlgoOffer;
    readonly prices: Readonly<Partial<Record<TriggerBy, Amount>>>;
    readonly standing: AlgoRow | undefined;
  },
): AlgoError | undefined {
  const { instrument, offer, prices, standing } = context;
  const [distance, activation] = [entryAmount(asked.distance), entryAmount(asked.activation)];
  const unread = { name: 'field-invalid', allowed: '> 0' } as const;
  if (asked.distance !== '' && !distance) return { ...unread, field: 'callback' };
  // A change cannot take away from where it follows.
  const needed = asked.activation !== '' || trailingOf(standing).activation !== '';
  if (needed && !activation) return { ...unread, field: 'activation' };
  if (distance === undefined) return undefined;
  // What stands was looked at when it was set, and the price may have been there since.
  const fresh = activation !== undefined && 'activation' in trailingChange(asked, standing);
  const positionMode = row.effect === 0 ? ('one-way' as const) : ('hedge' as const);
  const [fault] = algoFaults(
    {
      ...{ instrument, side: closingSide(row), whole: true, contract: { closes: true, positionMode } },
      plan: {
        kind: 'trailing',
        trailing: { by: 'last', distance, ...(fresh ? { activation } : {}) },
      },
    },
    { offer, prices },
  );
  if (fault === undefined) return undefined;
  const { name, field, allowed = [] } = fault;
  const at = field === 'activation' ? 'activation' : field === 'trailingDistance' ? 'callback' : 'form';
  return { name, field: at, allowed: allowed.join(' – ') };
}

import '../../../i18n/later-words.ts';
import { type Amount, formatAmount, SIDE } from '@crossbook/domain';
import type { ReactNode } from 'react';
import {
  type AlgoEntry,
  type AlgoFacts,
  distancesOf,
  pricesFollowed,
} from '../../../calculators/algos/algo-entry.ts';
import type { AlgoError, AlgoField } from '../../../calculators/algos/algo-errors.ts';
import type { TrailingEntry } from '../../../calculators/algos/targets.ts';
import { movingFault } from '../../../calculators/ticket/held-still.ts';
import { entryAmount, stepEntry } from '../../../calculators/ticket/number-entry.ts';
import { type Text, useText } from '../../../i18n/i18n.ts';
import { changeAlgoEntry } from '../../../stores/algos/algo-ticket.ts';
import { TicketEntry } from '../entry/TicketEntry.tsx';
import { useHeldStill } from '../entry/use-held-still.ts';
import { BySelect } from './BySelect.tsx';

/** What the fields of an order that waits get. */
export interface AlgoFieldsProps {
  readonly entry: AlgoEntry;
  readonly facts: AlgoFacts;
  readonly errors: readonly AlgoError[];
  /** Writes the limit price, which is the ordinary ticket's. */
  readonly onLimit: (text: string) => void;
  readonly onEnter: () => void;
  /** Writes fields of a trailing stop; absent: into the ticket of orders that wait. */
  readonly onTrailing?: (change: Partial<TrailingEntry>) => void;
}

/** A figure of an order that waits, with what is wrong below. */
export function AlgoInput(
  props: AlgoFieldsProps & {
    readonly field: AlgoField;
    readonly label: string;
    readonly value: string;
    readonly step: Amount;
    readonly unit: ReactNode;
    readonly onChange: (text: string) => void;
  },
) {
  const { entry, facts, errors, field, label, value, step, unit, onChange, onEnter } = props;
  const text = useText();
  const { platform, symbolType, symbol } = facts.instrument;
  const found = errors.find((candidate) => candidate.field === field);
  const chosen = [platform, symbolType, symbol, facts.side, entry.choice, entry.by, value];
  const error = useHeldStill(movingFault(found?.name, chosen), found);
  return (
    <TicketEntry
      {...{ label, value, onChange, onEnter, unit }}
      name={field}
      onStep={(steps) => onChange(stepEntry(value, step, steps))}
      error={error && text(`trade.algo.error.${error.name}`, { allowed: error.allowed })}
    />
  );
}

/** Percent or quote, where the venue takes both. */
function FarUnit({
  entry,
  facts,
  onTrailing = changeAlgoEntry,
}: Pick<AlgoFieldsProps, 'entry' | 'facts' | 'onTrailing'>) {
  const { instrument, offer } = facts;
  const text = useText();
  const far = distancesOf(entry.choice, offer);
  if (far?.ratio === undefined || !far.distance)
    return entry.callbackIn === 'percent' ? '%' : instrument.quote;
  return (
    <select
      aria-label={text(entry.choice === 'iceberg' ? 'trade.slices.behindIn' : 'trade.algo.callbackIn')}
      value={entry.callbackIn}
      onChange={(event) =>
        onTrailing({
          callbackIn: event.target.value === 'percent' ? 'percent' : 'distance',
          callback: '',
        })
      }
      className="h-6 cursor-pointer rounded-sm bg-transparent text-xs text-soft max-lg:h-9"
    >
      <option value="percent" className="bg-panel">
        %
      </option>
      <option value="distance" className="bg-panel">
        {instrument.quote}
      </option>
    </select>
  );
}

/** How far it stays from the market. */
export function Far(props: AlgoFieldsProps & { readonly label: string; readonly percentStep: Amount }) {
  const { entry, facts, percentStep, onTrailing = changeAlgoEntry } = props;
  return (
    <AlgoInput
      {...props}
      field="callback"
      value={entry.callback}
      step={entry.callbackIn === 'percent' ? percentStep : facts.instrument.tickSize}
      unit={<FarUnit {...props} />}
      onChange={(callback) => onTrailing({ callback })}
    />
  );
}

/** The unit of a price that something waits for, and which price that is. */
export function FollowedUnit({ entry, facts }: Pick<AlgoFieldsProps, 'entry' | 'facts'>) {
  return (
    <span className="flex items-center gap-1">
      {facts.instrument.quote}
      <BySelect
        value={entry.by}
        offered={pricesFollowed(entry.choice, facts.offer)}
        onChange={(by) => changeAlgoEntry({ by })}
      />
    </span>
  );
}

/** How far a trailing stop follows, and from where. */
export function Trailing(props: AlgoFieldsProps) {
  const { entry, facts, onLimit, onTrailing = changeAlgoEntry } = props;
  const { instrument } = facts;
  const text = useText();
  return (
    <>
      <Far {...props} label={text('trade.algo.callback')} percentStep={(10n ** 17n) as Amount} />
      <AlgoInput
        {...props}
        field="activation"
        label={text('trade.algo.activation')}
        value={entry.activation}
        step={instrument.tickSize}
        unit={<FollowedUnit {...{ entry, facts }} />}
        onChange={(activation) => {
          onTrailing({ activation });
          if (activation !== '') onLimit(activation);
        }}
      />
    </>
  );
}

/** How a trailing stop follows, as a sentence; `undefined` while its figures are missing. */
export function trailsText(
  text: Text,
  entry: AlgoEntry,
  { side, instrument }: AlgoFacts,
): string | undefined {
  const value = entryAmount(entry.callback);
  if (value === undefined || value === 0n) return undefined;
  const callback = `${formatAmount(value)} ${entry.callbackIn === 'percent' ? '%' : instrument.quote}`;
  const way = side === SIDE.SELL ? 'down' : 'up';
  return text('trade.algo.fires.trailing', { by: entry.by, callback, way });
}

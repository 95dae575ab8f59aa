import '../../../i18n/later-words.ts';
import type { AlgoRow } from '@crossbook/contract';
import { platformFacts, SIDE } from '@crossbook/domain';
import { useId, useState } from 'react';
import {
  type TrailingAsked,
  trailingChange,
  trailingError,
  trailingOf,
  trailingOrder,
} from '../../../calculators/algos/position-trailing.ts';
import { readNumberEntry, stepEntry } from '../../../calculators/ticket/number-entry.ts';
import { useText } from '../../../i18n/i18n.ts';
import { placeAlgo, replaceAlgo } from '../../../stores/algos/algo-calls.ts';
import { algoOffer } from '../../../stores/market/market.ts';
import { Button } from '../../../ui/Button.tsx';
import { NumberInput } from '../../../ui/entry/NumberInput.tsx';
import { Answer, type Said, saidOf } from '../entry/Answer.tsx';
import { useSending } from '../entry/use-sending.ts';
import type { PositionView } from './use-positions.ts';

/** A figure of it, with what is wrong below. */
function TrailingField(props: {
  readonly view: PositionView;
  readonly label: string;
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (text: string) => void;
  readonly onEnter: () => void;
}) {
  const { view, label, value, error, onChange, onEnter } = props;
  const { tickSize, quote } = view.instrument;
  const id = useId();
  return (
    <>
      <NumberInput
        {...{ label, value, onChange, onEnter }}
        read={readNumberEntry}
        onStep={(steps) => onChange(stepEntry(value, tickSize, steps))}
        unit={quote}
        invalid={error !== undefined}
        {...(error === undefined ? {} : { describedBy: id })}
        className="max-lg:h-12"
      />
      {error !== undefined && (
        <p id={id} className="-mt-1 text-[11px] leading-4 max-lg:text-xs text-danger">
          {error}
        </p>
      )}
    </>
  );
}

/** The trailing stop of a position: set, or changed where one stands; what stands is cancelled in its list. */
export function TrailingOfPosition({
  view,
  standing,
}: {
  readonly view: PositionView;
  readonly standing: AlgoRow | undefined;
}) {
  const { row, instrument, stats } = view;
  const text = useText();
  const title = useId();
  const [asked, setAsked] = useState<TrailingAsked>(() => trailingOf(standing));
  const sending = useSending();
  const offer = algoOffer(row.exchange, 'SWAP');
  const error = trailingError(asked, row, { instrument, offer, prices: {}, standing });
  const change = trailingChange(asked, standing);
  const free = standing === undefined || (standing.state === 'waiting' && !standing.unknown);
  const ready =
    error === undefined &&
    asked.distance !== '' &&
    Object.keys(change).length > 0 &&
    free &&
    standing?.cancelPending !== true;
  const send = async (): Promise<Said | undefined> => {
    const answer = await (standing === undefined
      ? placeAlgo(row.exchange, trailingOrder(asked, row))
      : replaceAlgo(standing, change));
    return answer.ok ? undefined : saidOf(answer, text('order.unknown'));
  };
  const submit = (): void => {
    if (ready) void sending.send(send);
  };
  const wrongAt = (field: 'callback' | 'activation') =>
    error?.field === field || (field === 'callback' && error?.field === 'form')
      ? text(`trade.algo.error.${error.name}`, { allowed: error.allowed })
      : undefined;
  return (
    <section aria-labelledby={title} className="flex flex-col gap-2 border-t border-line pt-3">
      <h3 id={title} className="text-xs text-soft">
        {text('trade.algo.type.trailing')}
      </h3>
      <TrailingField
        {...{ view, onEnter: submit, error: wrongAt('callback') }}
        label={text('trade.trailing.distance')}
        value={asked.distance}
        onChange={(distance) => setAsked({ ...asked, distance })}
      />
      <TrailingField
        {...{ view, onEnter: submit, error: wrongAt('activation') }}
        label={text('trade.algo.activation')}
        value={asked.activation}
        onChange={(activation) => setAsked({ ...asked, activation })}
      />
      <p className="text-[11px] leading-4 max-lg:text-xs text-faint">
        {asked.distance !== '' &&
          `${text('trade.algo.fires.trailing', {
            ...{ by: 'last', callback: `${asked.distance} ${instrument.quote}` },
            way: stats.side === SIDE.BUY ? 'down' : 'up',
          })} `}
        {text('trade.trailing.note', { venue: platformFacts(row.exchange).name })}
      </p>
      <Button busy={sending.busy} disabled={!ready} onClick={submit} className="self-end max-lg:h-11">
        {text(standing === undefined ? 'trade.trailing.set' : 'trade.trailing.change')}
      </Button>
      <Answer said={sending.said} />
    </section>
  );
}

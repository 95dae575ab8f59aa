import { Check, Minus, Plus, X } from 'lucide-react';
import { type RefObject, useRef } from 'react';
import { groupThousands } from '../../../../calculators/step-text.ts';
import { useText } from '../../../../i18n/i18n.ts';
import { classNames } from '../../../../ui/class-names.ts';
import type { ChartPort } from '../chart-port.ts';
import { LineGlass } from './LineGlass.tsx';
import type { TunedMove } from './line-state.ts';

const BUTTON =
  'grid size-11 shrink-0 place-items-center rounded-md border border-line-strong bg-raised text-text hover:bg-hover';

interface TunedPriceProps {
  readonly tuned: TunedMove | undefined;
  /** Where the bars are drawn. */
  readonly pane: RefObject<HTMLElement | null>;
  readonly port: ChartPort | undefined;
}

/**
 * What a finger moves, enlarged, with its price, from the moment it holds a line; once it let go tick by tick. Nothing is sent
 * before the last button.
 */
export function TunedPrice({ tuned, pane, port }: TunedPriceProps) {
  const text = useText();
  const below = useRef(false);
  if (tuned === undefined) return null;
  const y = port?.yOf(Number(tuned.price));
  // Away from the line while the finger moves; after that the buttons stay where they are.
  if (tuned.held && y !== undefined) below.current = y < (pane.current?.clientHeight ?? 0) / 2;
  const price = groupThousands(tuned.price);
  const button = (label: string, onClick: () => void, Icon: typeof X) => (
    <button type="button" aria-label={label} onClick={onClick} className={BUTTON}>
      <Icon size={16} aria-hidden="true" />
    </button>
  );
  return (
    <fieldset
      aria-label={text('trade.chart.tuned')}
      className={classNames(
        'pointer-events-auto absolute inset-x-0 z-20 mx-auto grid w-fit max-w-full justify-items-center gap-1.5 rounded-md border border-line-strong bg-panel p-1.5',
        below.current ? 'bottom-8' : 'top-8',
      )}
    >
      <LineGlass pane={pane} at={() => (y === undefined ? undefined : { x: tuned.x, y })} />
      <div className="flex items-center gap-1.5">
        {button(text('common.cancel'), tuned.leave, X)}
        {button(text('trade.chart.tickDown'), () => tuned.step(-1), Minus)}
        <output className="min-w-24 text-center text-xl font-medium tabular-nums">{price}</output>
        {button(text('trade.chart.tickUp'), () => tuned.step(1), Plus)}
        {button(text('trade.chart.moveTo', { price }), tuned.confirm, Check)}
      </div>
    </fieldset>
  );
}

import { Check, Minus, Plus, X } from 'lucide-react';
import { groupThousands } from '../../../../calculators/step-text.ts';
import { useText } from '../../../../i18n/i18n.ts';
import type { TunedMove } from './line-state.ts';

const BUTTON =
  'grid size-11 shrink-0 place-items-center rounded-md border border-line-strong bg-raised text-text hover:bg-hover';

/** The price at which a finger let a line go, large enough to be read beside it, tick by tick; nothing is sent before the last button. */
export function TunedPrice({ tuned }: { readonly tuned: TunedMove | undefined }) {
  const text = useText();
  if (tuned === undefined) return null;
  const price = groupThousands(tuned.price);
  return (
    <fieldset
      aria-label={text('trade.chart.tuned')}
      className="pointer-events-auto absolute inset-x-0 top-8 z-20 mx-auto flex w-fit max-w-full items-center gap-1.5 rounded-md border border-line-strong bg-panel p-1.5"
    >
      <button type="button" aria-label={text('common.cancel')} onClick={tuned.leave} className={BUTTON}>
        <X size={16} aria-hidden="true" />
      </button>
      <button
        type="button"
        aria-label={text('trade.chart.tickDown')}
        onClick={() => tuned.step(-1)}
        className={BUTTON}
      >
        <Minus size={16} aria-hidden="true" />
      </button>
      <output className="min-w-28 text-center text-xl font-medium tabular-nums">{price}</output>
      <button
        type="button"
        aria-label={text('trade.chart.tickUp')}
        onClick={() => tuned.step(1)}
        className={BUTTON}
      >
        <Plus size={16} aria-hidden="true" />
      </button>
      <button
        type="button"
        aria-label={text('trade.chart.moveTo', { price })}
        onClick={tuned.confirm}
        className={BUTTON}
      >
        <Check size={16} aria-hidden="true" />
      </button>
    </fieldset>
  );
}

import { groupThousands } from '../../../../calculators/step-text.ts';
import { useText } from '../../../../i18n/i18n.ts';
import { Button } from '../../../../ui/Button.tsx';
import { Dialog } from '../../../../ui/Dialog.tsx';
import type { AskedMove } from './line-mover.ts';

/** A limit was dragged to where it would be filled at once: it is moved there only on a second word. */
export function CrossingMove({ asked }: { readonly asked: AskedMove | undefined }) {
  const text = useText();
  if (asked === undefined) return null;
  return (
    <Dialog
      open
      kind="alert"
      onClose={asked.leave}
      title={text('trade.chart.crosses')}
      description={text('trade.chart.crossesText', { price: groupThousands(asked.price) })}
      closeLabel={text('common.close')}
      actions={
        <>
          <Button onClick={asked.leave}>{text('common.cancel')}</Button>
          <Button tone="danger" onClick={asked.confirm}>
            {text('common.confirm')}
          </Button>
        </>
      }
    />
  );
}

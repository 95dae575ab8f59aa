import '../../../i18n/later-words.ts';
import { ArrowDown, ArrowUp } from 'lucide-react';
import type { ReactNode } from 'react';
import {
  type Arranged,
  type KeptColumn,
  movedBy,
  toggled,
} from '../../../calculators/tables/table-columns.ts';
import { useText } from '../../../i18n/i18n.ts';
import { Button } from '../../../ui/Button.tsx';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';

const MOVE = 'grid size-7 place-items-center rounded-sm text-soft hover:bg-hover disabled:opacity-30';

/** Which columns a table shows, and in which order. */
export function ColumnsDialog(props: {
  readonly name: string;
  readonly arranged: readonly Arranged<KeptColumn & { readonly head: ReactNode }>[];
  readonly keep: (next: readonly Arranged<KeptColumn>[] | undefined) => void;
  readonly onClose: () => void;
}) {
  const { name, arranged, keep, onClose } = props;
  const text = useText();
  const movable = arranged.filter(({ column }) => column.sticky !== true);
  return (
    <Dialog
      open
      onClose={onClose}
      title={name}
      closeLabel={text('common.close')}
      actions={
        <>
          <Button onClick={() => keep(undefined)}>{text('trade.columns.reset')}</Button>
          <Button tone="primary" onClick={onClose}>
            {text('common.close')}
          </Button>
        </>
      }
    >
      <ul className="flex max-h-80 flex-col gap-0.5 overflow-y-auto">
        {movable.map(({ column, shown }, at) => (
          <li key={column.id} className="flex items-center gap-1">
            <Checkbox
              label={column.head}
              checked={shown}
              onChange={() => keep(toggled(arranged, column.id))}
              className="flex-1"
            />
            <button
              type="button"
              aria-label={text('trade.columns.left', { at: at + 1 })}
              disabled={at === 0}
              onClick={() => keep(movedBy(arranged, column.id, -1))}
              className={MOVE}
            >
              <ArrowUp size={13} aria-hidden="true" />
            </button>
            <button
              type="button"
              aria-label={text('trade.columns.right', { at: at + 1 })}
              disabled={at === movable.length - 1}
              onClick={() => keep(movedBy(arranged, column.id, 1))}
              className={MOVE}
            >
              <ArrowDown size={13} aria-hidden="true" />
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

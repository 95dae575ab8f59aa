import { ArrowDown, ArrowUp, Columns3 } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import {
  type Arranged,
  arrangeColumns,
  type KeptColumn,
  movedBy,
  toggled,
  writeColumns,
} from '../../../calculators/tables/table-columns.ts';
import { useText } from '../../../i18n/i18n.ts';
import { changeTradeSettings, tradeSettingsStore } from '../../../stores/app/settings.ts';
import { Button } from '../../../ui/Button.tsx';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';

type Column = KeptColumn & { readonly head: ReactNode };

/** A table's columns as they were put in this browser, and how they are kept otherwise. */
export function useColumns<Kept extends Column>(table: string, columns: readonly Kept[]) {
  const kept = useStore(tradeSettingsStore, (settings) => settings.tableColumns);
  const arranged = useMemo(() => arrangeColumns(columns, kept, table), [columns, kept, table]);
  const shown = useMemo(() => arranged.flatMap((row) => (row.shown ? row.column : [])), [arranged]);
  const keep = (next: readonly Arranged<KeptColumn>[] | undefined): void =>
    changeTradeSettings({ tableColumns: writeColumns(kept, table, next) });
  return { arranged, shown, keep };
}

const MOVE = 'grid size-7 place-items-center rounded-sm text-soft hover:bg-hover disabled:opacity-30';

/** Opens the list of a table's columns: which are shown, and in which order. */
export function ColumnsButton<Kept extends Column>({
  label,
  arranged,
  keep,
}: { readonly label: string } & Omit<ReturnType<typeof useColumns<Kept>>, 'shown'>) {
  const text = useText();
  const [open, setOpen] = useState(false);
  const name = text('trade.columns.of', { table: label });
  const movable = arranged.filter(({ column }) => column.sticky !== true);
  return (
    <>
      <button
        type="button"
        aria-label={name}
        title={name}
        onClick={() => setOpen(true)}
        className="grid size-6 place-items-center rounded-sm text-faint hover:bg-hover hover:text-text"
      >
        <Columns3 size={13} aria-hidden="true" />
      </button>
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        title={name}
        closeLabel={text('common.close')}
        actions={
          <>
            <Button onClick={() => keep(undefined)}>{text('trade.columns.reset')}</Button>
            <Button tone="primary" onClick={() => setOpen(false)}>
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
    </>
  );
}

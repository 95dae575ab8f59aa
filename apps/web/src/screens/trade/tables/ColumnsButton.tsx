import { Columns3 } from 'lucide-react';
import { type ReactNode, Suspense, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import {
  type Arranged,
  arrangeColumns,
  type KeptColumn,
  writeColumns,
} from '../../../calculators/tables/table-columns.ts';
import { useText } from '../../../i18n/i18n.ts';
import { changeTradeSettings, tradeSettingsStore } from '../../../stores/app/settings.ts';
import { lazyPart } from '../../../ui/read-ahead.ts';

const ColumnsDialog = lazyPart(async () => (await import('./ColumnsDialog.tsx')).ColumnsDialog);

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

/** Opens the list of a table's columns: which are shown, and in which order. */
export function ColumnsButton<Kept extends Column>({
  label,
  arranged,
  keep,
}: { readonly label: string } & Omit<ReturnType<typeof useColumns<Kept>>, 'shown'>) {
  const text = useText();
  const [open, setOpen] = useState(false);
  const name = text('trade.columns.of', { table: label });
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
      {open && (
        <Suspense>
          <ColumnsDialog {...{ name, arranged, keep }} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

import { Download } from 'lucide-react';
import { useState } from 'react';
import type { CsvColumn } from '../../../calculators/tables/csv.ts';
import { useText } from '../../../i18n/i18n.ts';
import { now } from '../../../stores/app/clock.ts';
import { notify } from '../../../stores/app/notices.ts';
import { type ReadPage, readAll } from '../../../stores/trading/records.ts';
import { Button } from '../../../ui/Button.tsx';
import { downloadCsv } from '../../../ui/tables/download.ts';

/** Saves every row of a table's filter, also those that are not on screen. */
export function ExportCsv<Row>(props: {
  /** Names the file. */
  readonly name: string;
  /** Read when something is exported. */
  readonly columns: () => Promise<readonly CsvColumn<Row>[]>;
  readonly read: ReadPage<Row>;
}) {
  const text = useText();
  const [busy, setBusy] = useState(false);
  const save = async (): Promise<void> => {
    setBusy(true);
    try {
      const [rows, { writeCsv }, columns] = await Promise.all([
        readAll(props.read),
        import('../../../calculators/tables/csv.ts'),
        props.columns(),
      ]);
      const day = new Date(now()).toISOString().slice(0, 10);
      downloadCsv(`${props.name}-${day}.csv`, writeCsv(columns, rows));
      notify('success', { id: 'history.exported', values: { count: rows.length } });
    } catch {
      notify('error', { id: 'history.exportFailed' });
    }
    setBusy(false);
  };
  return (
    <Button
      size="small"
      tone="quiet"
      busy={busy}
      onClick={() => void save()}
      title={text('history.export')}
      aria-label={text('history.export')}
      className="max-lg:h-11"
    >
      <Download size={13} aria-hidden="true" />
      {text('trade.orders.export')}
    </Button>
  );
}

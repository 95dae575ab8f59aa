import type { AdminAuditRow } from '@crossbook/contract';
import { useState } from 'react';
import { useStore } from 'zustand';
import { type CsvColumn, writeCsv } from '../calculators/tables/csv.ts';
import { useText } from '../i18n/i18n.ts';
import { adminSession } from '../stores/admin/admin-service.ts';
import { readAuditFiles, type SavedAudit } from '../stores/admin/audit-file.ts';
import { Button } from '../ui/Button.tsx';
import { Field } from '../ui/Field.tsx';
import { Banner } from '../ui/states.tsx';
import { downloadCsv, downloadJsonLines } from '../ui/tables/download.ts';
import { ActDialog } from './parts/ActDialog.tsx';

const COLUMNS: readonly CsvColumn<AdminAuditRow>[] = [
  { head: 'seq', cell: ({ seq }) => seq ?? '' },
  { head: 'time', cell: ({ at }) => new Date(at).toISOString() },
  { head: 'actor', cell: (row) => `${row.actorKind} ${row.actor}` },
  { head: 'address', cell: ({ address }) => address },
  { head: 'call', cell: ({ call }) => call },
  { head: 'subject', cell: ({ subject }) => subject },
  { head: 'outcome', cell: ({ outcome }) => outcome },
  { head: 'reason', cell: ({ reason }) => reason },
  { head: 'details', cell: ({ details }) => details },
];

/** The rows on screen as a table, and the log as a file that can be verified. */
export function AuditExport({ rows }: { readonly rows: readonly AdminAuditRow[] }) {
  const t = useText();
  const isDemo = useStore(adminSession, ({ self }) => self?.demo ?? false);
  const [isOpen, setOpen] = useState(false);
  const [after, setAfter] = useState('0');
  const [saved, setSaved] = useState<SavedAudit>();
  return (
    <>
      <Button
        disabled={rows.length === 0}
        onClick={() => downloadCsv('audit-log.csv', writeCsv(COLUMNS, rows))}
      >
        {t('admin.audit.csv')}
      </Button>
      {!isDemo && <Button onClick={() => setOpen(true)}>{t('admin.audit.export')}</Button>}
      <div role="status">
        {saved !== undefined && (
          <Banner tone="plain">{t('admin.audit.saved', { last: saved.last, newest: saved.newest })}</Banner>
        )}
      </div>
      {isOpen && (
        <ActDialog
          title={t('admin.audit.export')}
          lead={t('admin.audit.exportLead')}
          button={t('admin.audit.export')}
          ready={/^[0-9]{1,15}$/.test(after)}
          onAct={async (reason) => {
            const answer = await readAuditFiles(Number(after), reason);
            if (answer.ok) {
              const { parts, last } = answer.data;
              downloadJsonLines(`audit-log-${Number(after) + 1}-${last}.jsonl`, parts);
              setSaved(answer.data);
              // The next file goes on where this one ends.
              setAfter(String(last));
            }
            return answer;
          }}
          onDone={() => undefined}
          onClose={() => setOpen(false)}
        >
          <Field
            label={t('admin.audit.after')}
            hint={t('admin.audit.afterHint')}
            inputMode="numeric"
            maxLength={15}
            value={after}
            onChange={(event) => setAfter(event.target.value)}
          />
        </ActDialog>
      )}
    </>
  );
}

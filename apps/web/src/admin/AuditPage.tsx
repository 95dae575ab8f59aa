import type { AdminAuditRow } from '@crossbook/contract';
import { useState } from 'react';
import { formatDateTime } from '../i18n/format.ts';
import { useLocale, useText } from '../i18n/i18n.ts';
import { adminCall, problemOf, readOf } from '../stores/admin/admin-service.ts';
import { Button } from '../ui/Button.tsx';
import { Field } from '../ui/Field.tsx';
import { Select } from '../ui/Select.tsx';
import { Badge, Banner } from '../ui/states.tsx';
import type { Column } from '../ui/tables/Table.tsx';
import { AuditExport } from './AuditExport.tsx';
import { PagedTable, usePages } from './parts/PagedTable.tsx';

type By = 'all' | 'subject' | 'actor' | 'call';

/** Every decision about money and security, newest first, and whether the chain over them is whole. */
export function AuditPage() {
  const t = useText();
  const locale = useLocale();
  const [by, setBy] = useState<By>('all');
  const [typed, setTyped] = useState('');
  const [filter, setFilter] = useState<{ readonly by: By; readonly value: string }>({ by: 'all', value: '' });
  const pages = usePages<AdminAuditRow>(['audit', filter], (cursor) =>
    readOf(
      adminCall('x/admin/AuditSearch', {
        limit: 50,
        ...(filter.by === 'all' || filter.value === '' ? {} : { by: filter.by, value: filter.value }),
        ...(cursor === undefined ? {} : { cursor }),
      }),
    ),
  );
  const columns: readonly Column<AdminAuditRow>[] = [
    { id: 'at', head: t('common.time'), cell: ({ at }) => formatDateTime(at, locale) },
    { id: 'seq', head: t('admin.audit.seq'), cell: ({ seq }) => seq ?? '-', wideOnly: true },
    { id: 'actor', head: t('admin.audit.actor'), cell: (row) => `${row.actorKind} ${row.actor}` },
    { id: 'address', head: t('admin.audit.address'), cell: ({ address }) => address || '-', wideOnly: true },
    { id: 'call', head: t('admin.audit.call'), cell: ({ call }) => call },
    { id: 'subject', head: t('admin.audit.subject'), cell: ({ subject }) => wrapped(subject || '-') },
    {
      id: 'outcome',
      head: t('admin.audit.outcome'),
      cell: ({ outcome }) => <Badge tone={outcome === 'ok' ? 'plain' : 'warning'}>{outcome}</Badge>,
    },
    { id: 'reason', head: t('admin.reason'), cell: ({ reason }) => wrapped(reason || '-'), wideOnly: true },
  ];
  return (
    <>
      <div className="flex flex-wrap items-center gap-3">
        <Verify />
        <AuditExport rows={pages.data?.pages.flatMap((page) => page.rows) ?? []} />
      </div>
      <PagedTable
        label={t('admin.page.audit')}
        columns={columns}
        pages={pages}
        rowKey={({ id }) => id}
        above={
          <form
            className="flex flex-wrap items-end gap-3"
            onSubmit={(event) => {
              event.preventDefault();
              setFilter({ by, value: typed.trim() });
            }}
          >
            <Select
              label={t('admin.audit.by')}
              value={by}
              options={(['all', 'subject', 'actor', 'call'] as const).map((value) => ({
                value,
                label: t(`admin.audit.${value}`),
              }))}
              onChange={setBy}
            />
            <Field
              label={t('admin.audit.value')}
              className="w-64 max-w-full"
              value={typed}
              maxLength={200}
              placeholder="member 100001"
              onChange={(event) => setTyped(event.target.value)}
            />
            <Button type="submit" className="h-10">
              {t('admin.find')}
            </Button>
          </form>
        }
      />
    </>
  );
}

/** What is long wraps, so that on a desk reason and outcome stand beside it. */
function wrapped(text: string) {
  return <span className="block min-w-28 max-w-56 whitespace-normal break-words">{text}</span>;
}

function Verify() {
  const t = useText();
  const [busy, setBusy] = useState(false);
  const [said, setSaid] = useState<{ readonly text: string; readonly good: boolean }>();
  const verify = async (): Promise<void> => {
    setBusy(true);
    const answer = await adminCall('x/admin/AuditVerify', {});
    setBusy(false);
    if (!answer.ok) return setSaid({ text: problemOf(answer) ?? '', good: false });
    const { places, waiting, broken } = answer.data;
    if (broken !== null) return setSaid({ text: t('admin.audit.broken', { broken }), good: false });
    setSaid({ text: t('admin.audit.whole', { places, waiting }), good: true });
  };
  return (
    <>
      <Button busy={busy} onClick={() => void verify()}>
        {t('admin.audit.verify')}
      </Button>
      <div role="status" className="empty:-ml-3">
        {said !== undefined && <Banner tone={said.good ? 'plain' : 'danger'}>{said.text}</Banner>}
      </div>
    </>
  );
}

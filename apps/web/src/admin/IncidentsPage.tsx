import type { AdminResponse } from '@crossbook/contract';
import { useState } from 'react';
import { formatDateTime } from '../i18n/format.ts';
import { useLocale, useText } from '../i18n/i18n.ts';
import { adminCall, readOf } from '../stores/admin/admin-service.ts';
import { Checkbox } from '../ui/Checkbox.tsx';
import { Badge } from '../ui/states.tsx';
import type { Column } from '../ui/tables/Table.tsx';
import { PagedTable, usePages } from './PagedTable.tsx';

type Incident = AdminResponse<'x/admin/Incidents'>['rows'][number];

/** What the hub could not end by itself. */
export function IncidentsPage() {
  const t = useText();
  const locale = useLocale();
  const [all, setAll] = useState(false);
  const pages = usePages<Incident>(['incidents', all], (cursor) =>
    readOf(
      adminCall('x/admin/Incidents', {
        ...{ limit: 50, ...(all ? { all } : {}) },
        ...(cursor === undefined ? {} : { cursor }),
      }),
    ),
  );
  const columns: readonly Column<Incident>[] = [
    { id: 'at', head: t('common.time'), cell: ({ openedAt }) => formatDateTime(openedAt, locale) },
    { id: 'subject', head: t('admin.audit.subject'), cell: (row) => `${row.subject} ${row.subjectId}` },
    { id: 'what', head: t('admin.what'), cell: ({ what }) => what },
    { id: 'evidence', head: t('admin.evidence'), cell: ({ evidence }) => <code>{evidence}</code> },
    {
      id: 'state',
      head: t('common.status'),
      cell: ({ closedAt }) =>
        closedAt === null ? (
          <Badge tone="warning">{t('admin.incident.open')}</Badge>
        ) : (
          formatDateTime(closedAt, locale)
        ),
    },
  ];
  return (
    <>
      <p className="text-[13px] text-soft">{t('admin.incidentsLead')}</p>
      <PagedTable
        label={t('admin.page.incidents')}
        columns={columns}
        pages={pages}
        rowKey={({ id }) => id}
        above={
          <Checkbox
            checked={all}
            onChange={(event) => setAll(event.target.checked)}
            label={t('admin.incident.all')}
          />
        }
      />
    </>
  );
}

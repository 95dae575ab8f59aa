import { mayCall } from '@crossbook/contract';
import { useState } from 'react';
import { useStore } from 'zustand';
import { formatDateTime } from '../i18n/format.ts';
import { useLocale, useText } from '../i18n/i18n.ts';
import { adminCall, adminSession, readOf } from '../stores/admin/admin-service.ts';
import { Checkbox } from '../ui/Checkbox.tsx';
import { Badge } from '../ui/states.tsx';
import type { Column } from '../ui/tables/Table.tsx';
import { type Incident, IncidentDialog } from './IncidentDialog.tsx';
import { openColumn, PagedTable, usePages } from './parts/PagedTable.tsx';

/** The hub looks for questions every two seconds. */
const ANSWER_EVERY_MILLIS = 2_000;

function isWaiting({ request }: Incident): boolean {
  return request !== null && request.outcome === null;
}

/** What the hub could not end by itself. */
export function IncidentsPage() {
  const t = useText();
  const locale = useLocale();
  const [all, setAll] = useState(false);
  const [open, setOpen] = useState<string>();
  const roles = useStore(adminSession, ({ self }) => self?.roles ?? []);
  const pages = usePages<Incident>(
    ['incidents', all],
    (cursor) =>
      readOf(
        adminCall('x/admin/Incidents', {
          ...{ limit: 50, ...(all ? { all } : {}) },
          ...(cursor === undefined ? {} : { cursor }),
        }),
      ),
    (rows) => (rows.some(isWaiting) ? ANSWER_EVERY_MILLIS : undefined),
  );
  const shown = pages.data?.pages.flatMap(({ rows }) => rows).find(({ id }) => id === open);
  const columns: readonly Column<Incident>[] = [
    {
      id: 'at',
      head: t('common.time'),
      cell: ({ openedAt }) => formatDateTime(openedAt, locale),
      wideOnly: true,
    },
    {
      id: 'subject',
      head: t('admin.audit.subject'),
      cell: (row) => `${row.subject} ${row.subjectId}`,
      wideOnly: true,
    },
    { id: 'what', head: t('admin.what'), cell: ({ what }) => what },
    {
      id: 'state',
      head: t('common.status'),
      cell: (row) =>
        row.closedAt !== null ? (
          formatDateTime(row.closedAt, locale)
        ) : (
          <Badge tone="warning">{t(isWaiting(row) ? 'admin.incident.asked' : 'admin.incident.open')}</Badge>
        ),
      wideOnly: true,
    },
    openColumn<Incident>(
      t,
      (row) => t('admin.incident.show', { id: `${row.subject} ${row.subjectId}` }),
      ({ id }) => setOpen(id),
    ),
  ];
  return (
    <>
      <p className="text-[13px] text-soft">{t('admin.incidentsLead')}</p>
      <PagedTable
        label={t('admin.page.incidents')}
        none={t('admin.incidents.none')}
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
      {shown !== undefined && (
        <IncidentDialog
          incident={shown}
          mayResolve={mayCall('x/admin/OrderResolve', roles)}
          onClose={() => setOpen(undefined)}
        />
      )}
    </>
  );
}

import { type AdminMailRow, mayCall } from '@crossbook/contract';
import { useState } from 'react';
import { useStore } from 'zustand';
import { formatDateTime } from '../i18n/format.ts';
import { useLocale, useText } from '../i18n/i18n.ts';
import { adminCall, adminSession, readOf, say } from '../stores/admin/admin-service.ts';
import { Button } from '../ui/Button.tsx';
import type { Column } from '../ui/tables/Table.tsx';
import { ActDialog } from './parts/ActDialog.tsx';
import { PagedTable, readAgain, usePages } from './parts/PagedTable.tsx';

/** Mails that nobody accepted: sent again one by one, or all once the mail server is back. */
export function MailsPage() {
  const t = useText();
  const locale = useLocale();
  const mayRetry = useStore(adminSession, ({ self }) => mayCall('x/admin/MailRetry', self?.roles ?? []));
  const [retried, setRetried] = useState<AdminMailRow | 'all'>();
  const pages = usePages<AdminMailRow>(['mails'], (cursor) =>
    readOf(adminCall('x/admin/Mails', { limit: 50, ...(cursor === undefined ? {} : { cursor }) })),
  );
  const columns: readonly Column<AdminMailRow>[] = [
    {
      id: 'at',
      head: t('admin.mails.failedAt'),
      cell: ({ failedAt }) => formatDateTime(failedAt, locale),
      wideOnly: true,
    },
    { id: 'to', head: t('admin.mails.to'), cell: ({ to }) => to },
    {
      id: 'subject',
      head: t('admin.mails.subject'),
      cell: ({ subject }) => <span className="whitespace-normal">{subject}</span>,
    },
    { id: 'tries', head: t('admin.mails.tries'), numeric: true, cell: ({ tries }) => tries, wideOnly: true },
    {
      id: 'retry',
      head: <span className="sr-only">{t('admin.mails.retry')}</span>,
      sticky: 'always',
      numeric: true,
      cell: (row) =>
        mayRetry && (
          <Button
            size="small"
            aria-label={t('admin.mails.retryOne', { to: row.to })}
            onClick={() => setRetried(row)}
          >
            {t('admin.mails.retry')}
          </Button>
        ),
    },
  ];
  const isEmpty = pages.data?.pages[0]?.rows.length === 0;
  return (
    <>
      <p className="text-[13px] text-soft">{t('admin.mails.lead')}</p>
      <PagedTable
        label={t('admin.page.mails')}
        none={t('admin.mails.none')}
        columns={columns}
        pages={pages}
        rowKey={({ id }) => id}
        above={
          mayRetry &&
          !isEmpty && (
            <Button size="small" onClick={() => setRetried('all')}>
              {t('admin.mails.retryAll')}
            </Button>
          )
        }
      />
      {retried !== undefined && (
        <ActDialog
          title={
            retried === 'all' ? t('admin.mails.retryAll') : t('admin.mails.retryOne', { to: retried.to })
          }
          lead={t('admin.mails.retryLead')}
          button={t('admin.mails.retry')}
          onAct={(reason) =>
            adminCall('x/admin/MailRetry', { reason, ...(retried === 'all' ? {} : { mail: retried.id }) })
          }
          onDone={() => {
            say('admin.done');
            readAgain('mails');
          }}
          onClose={() => setRetried(undefined)}
        />
      )}
    </>
  );
}

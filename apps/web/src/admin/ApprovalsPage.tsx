import type { ApprovalRow } from '@crossbook/contract';
import { mayCall } from '@crossbook/contract';
import { useState } from 'react';
import { useStore } from 'zustand';
import { formatDateTime } from '../i18n/format.ts';
import { useLocale, useText } from '../i18n/i18n.ts';
import { adminCall, adminSession, readOf, say } from '../stores/admin/admin-service.ts';
import { now } from '../stores/app/clock.ts';
import { Button } from '../ui/Button.tsx';
import { Badge } from '../ui/states.tsx';
import type { Column } from '../ui/tables/Table.tsx';
import { ActDialog } from './parts/ActDialog.tsx';
import { PagedTable, readAgain, usePages } from './parts/PagedTable.tsx';

type Decision = 'approve' | 'refuse';

/** What one admin asked for and another decides. */
export function ApprovalsPage() {
  const t = useText();
  const locale = useLocale();
  const [deciding, setDeciding] = useState<{ readonly row: ApprovalRow; readonly how: Decision }>();
  const roles = useStore(adminSession, ({ self }) => self?.roles ?? []);
  const pages = usePages<ApprovalRow>(['approvals'], (cursor) =>
    readOf(adminCall('x/admin/Approvals', { limit: 50, ...(cursor === undefined ? {} : { cursor }) })),
  );
  const columns: readonly Column<ApprovalRow>[] = [
    { id: 'at', head: t('common.time'), cell: ({ madeAt }) => formatDateTime(madeAt, locale) },
    { id: 'kind', head: t('admin.what'), cell: ({ kind }) => t(`admin.kind.${kind}`) },
    { id: 'payload', head: t('admin.payload'), cell: (row) => <Asked {...row} /> },
    { id: 'maker', head: t('admin.maker'), cell: ({ maker }) => maker },
    { id: 'reason', head: t('admin.reason'), cell: ({ reason }) => reason, wideOnly: true },
    {
      id: 'state',
      head: t('common.status'),
      cell: (row) => {
        const over = row.state === 'waiting' && row.expiresAt <= now();
        return (
          <Badge tone={row.state === 'waiting' && !over ? 'warning' : 'plain'}>
            {t(over ? 'admin.state.expired' : `admin.state.${row.state}`)}
          </Badge>
        );
      },
    },
    {
      id: 'decide',
      head: <span className="sr-only">{t('admin.decide')}</span>,
      sticky: 'always',
      numeric: true,
      cell: (row) => (
        <span className="inline-flex gap-2 max-md:flex-col max-md:py-1">
          {row.state === 'waiting' && row.mayDecide && (
            <Button size="small" tone="primary" onClick={() => setDeciding({ row, how: 'approve' })}>
              {t('admin.approve')}
            </Button>
          )}
          {row.state === 'waiting' && (row.mayDecide || row.own) && mayCall('x/admin/Refuse', roles) && (
            <Button size="small" onClick={() => setDeciding({ row, how: 'refuse' })}>
              {t(row.own ? 'admin.withdraw' : 'admin.refuse')}
            </Button>
          )}
        </span>
      ),
    },
  ];
  return (
    <>
      <p className="text-[13px] text-soft">{t('admin.approvalsLead')}</p>
      <PagedTable
        label={t('admin.page.approvals')}
        none={t('admin.approvals.none')}
        columns={columns}
        pages={pages}
        rowKey={({ id }) => id}
      />
      {deciding !== undefined && <Decide {...deciding} onClose={() => setDeciding(undefined)} />}
    </>
  );
}

/** What would be done to the letter, and the digest that a decision about it names: both admins see the same. */
function Asked({ payload, payloadHash }: Pick<ApprovalRow, 'payload' | 'payloadHash'>) {
  return (
    <span className="flex flex-col py-1">
      <code>{payload}</code>
      <code className="text-xs text-faint">SHA-256 {payloadHash}</code>
    </span>
  );
}

function Decide(props: { readonly row: ApprovalRow; readonly how: Decision; readonly onClose: () => void }) {
  const t = useText();
  const { row, how } = props;
  const { id: approval, payloadHash } = row;
  const name = t(how === 'approve' ? 'admin.approve' : row.own ? 'admin.withdraw' : 'admin.refuse');
  return (
    <ActDialog
      title={`${name}: ${t(`admin.kind.${row.kind}`)}`}
      lead={
        <>
          <code className="break-all">{row.payload}</code>
          <br />
          {row.maker}: {row.reason}
          <br />
          <code className="text-xs break-all text-faint">SHA-256 {payloadHash}</code>
        </>
      }
      button={name}
      onAct={(reason) =>
        how === 'approve'
          ? adminCall('x/admin/Approve', { approval, payloadHash, reason })
          : adminCall('x/admin/Refuse', { approval, reason })
      }
      onDone={() => {
        say('admin.done');
        readAgain();
      }}
      onClose={props.onClose}
    />
  );
}

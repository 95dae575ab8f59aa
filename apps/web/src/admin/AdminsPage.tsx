import { type AdminStaffRow, mayCall } from '@crossbook/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useStore } from 'zustand';
import { formatDateTime } from '../i18n/format.ts';
import { useLocale, useText } from '../i18n/i18n.ts';
import { ADMIN_KEY, adminCall, adminSession, readOf } from '../stores/admin/admin-service.ts';
import { queryClient } from '../stores/app/query-client.ts';
import { Button } from '../ui/Button.tsx';
import { Badge } from '../ui/states.tsx';
import type { Column } from '../ui/tables/Table.tsx';
import { AdminDialog, InviteDialog } from './AdminDialogs.tsx';
import { type Invitation, LinkDialog } from './LinkDialog.tsx';
import { PagedTable, usePages } from './parts/PagedTable.tsx';

/** Who is an admin, and as what. Changes take two. */
export function AdminsPage() {
  const t = useText();
  const self = useStore(adminSession, (state) => state.self);
  const [open, setOpen] = useState<AdminStaffRow>();
  const [inviting, setInviting] = useState(false);
  const pages = usePages<AdminStaffRow>(['admins'], (cursor) =>
    readOf(adminCall('x/admin/Admins', { limit: 50, ...(cursor === undefined ? {} : { cursor }) })),
  );
  const mayChange = self !== undefined && !self.demo && mayCall('x/admin/AdminRoles', self.roles);
  const columns = useColumns(mayChange ? setOpen : undefined);
  return (
    <>
      <p className="text-[13px] text-soft">{t('admin.staff.lead')}</p>
      {mayChange && <Invitations />}
      <PagedTable
        label={t('admin.page.admins')}
        columns={columns}
        pages={pages}
        rowKey={({ id }) => String(id)}
        above={
          mayChange && (
            <Button tone="primary" onClick={() => setInviting(true)}>
              {t('admin.staff.invite')}
            </Button>
          )
        }
      />
      {open !== undefined && <AdminDialog row={open} onClose={() => setOpen(undefined)} />}
      {inviting && <InviteDialog onClose={() => setInviting(false)} />}
    </>
  );
}

function useColumns(onOpen: ((row: AdminStaffRow) => void) | undefined): readonly Column<AdminStaffRow>[] {
  const t = useText();
  const locale = useLocale();
  const time = (millis: number | null): string => (millis === null ? '-' : formatDateTime(millis, locale));
  return [
    { id: 'id', head: t('admin.member.id'), cell: ({ id }) => id, wideOnly: true },
    {
      id: 'name',
      head: t('admin.email'),
      cell: ({ name }) => <span className="break-all whitespace-normal">{name}</span>,
    },
    {
      id: 'roles',
      head: t('admin.staff.roles'),
      cell: ({ roles }) => (
        <span className="whitespace-normal">{roles.map((role) => t(`admin.role.${role}`)).join(', ')}</span>
      ),
    },
    {
      id: 'factors',
      head: t('admin.staff.factors'),
      cell: ({ authenticator, passkeys }) =>
        [
          ...(authenticator ? [t('admin.member.authenticator')] : []),
          ...(passkeys > 0 ? [t('admin.staff.passkeys', { count: passkeys })] : []),
        ].join(', ') || '-',
    },
    {
      id: 'seen',
      head: t('admin.staff.seen'),
      cell: ({ lastSeenAt }) => time(lastSeenAt),
      wideOnly: true,
    },
    {
      id: 'since',
      head: t('admin.staff.since'),
      cell: ({ createdAt }) => time(createdAt),
      wideOnly: true,
    },
    {
      id: 'state',
      head: t('common.status'),
      cell: ({ disabled, demo }) =>
        disabled ? (
          <Badge tone="warning">{t('admin.staff.disabled')}</Badge>
        ) : (
          <Badge>{t(demo ? 'admin.staff.demo' : 'admin.staff.active')}</Badge>
        ),
    },
    ...(onOpen === undefined
      ? []
      : [
          {
            id: 'open',
            head: <span className="sr-only">{t('admin.open')}</span>,
            sticky: 'always' as const,
            numeric: true,
            cell: (row: AdminStaffRow) =>
              row.disabled || row.demo ? null : (
                <Button
                  size="small"
                  aria-label={t('admin.staff.openOne', { name: row.name })}
                  onClick={() => onOpen(row)}
                >
                  {t('admin.open')}
                </Button>
              ),
          },
        ]),
  ];
}

/** Invitations of one's own that another admin has approved: their links are made here. */
function Invitations() {
  const t = useText();
  const [linking, setLinking] = useState<Invitation>();
  const query = useQuery(
    {
      queryKey: [ADMIN_KEY, 'admins', 'invitations'],
      queryFn: () => readOf(adminCall('x/admin/Admins', { limit: 1 })),
    },
    queryClient,
  );
  const waiting = query.data?.invitations ?? [];
  if (waiting.length === 0 && linking === undefined) return null;
  return (
    <section className="flex flex-col gap-3 rounded-md border border-line bg-panel p-4">
      <h2 className="text-base font-medium">{t('admin.staff.approved')}</h2>
      <ul className="flex flex-col gap-2">
        {waiting.map((invitation) => (
          <li key={invitation.approval} className="flex flex-wrap items-center gap-3 text-[13px]">
            <span className="break-all">{invitation.name}</span>
            <span className="text-soft">
              {invitation.roles.map((role) => t(`admin.role.${role}`)).join(', ')}
            </span>
            <Button
              size="small"
              className="ml-auto"
              aria-label={t('admin.staff.linkFor', { name: invitation.name })}
              onClick={() => setLinking(invitation)}
            >
              {t('admin.staff.link')}
            </Button>
          </li>
        ))}
      </ul>
      {linking !== undefined && <LinkDialog invitation={linking} onClose={() => setLinking(undefined)} />}
    </section>
  );
}

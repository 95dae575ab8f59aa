import type { AdminResponse } from '@crossbook/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { deviceOf } from '../calculators/user-agent.ts';
import { formatDateTime } from '../i18n/format.ts';
import { useLocale, useText } from '../i18n/i18n.ts';
import { addPasskey } from '../stores/admin/admin-passkeys.ts';
import { ADMIN_KEY, adminCall, readOf, readSelf, say } from '../stores/admin/admin-service.ts';
import { passkeyObstacle } from '../stores/app/passkeys.ts';
import { queryClient } from '../stores/app/query-client.ts';
import { Button } from '../ui/Button.tsx';
import { Field } from '../ui/Field.tsx';
import { Badge, Banner, StaleBadge } from '../ui/states.tsx';
import { type Column, Table } from '../ui/tables/Table.tsx';
import { ActDialog } from './parts/ActDialog.tsx';
import { readAgain } from './parts/PagedTable.tsx';

type Passkey = AdminResponse<'x/admin/Passkeys'>['rows'][number];

const NAME_LENGTH_MAX = 40;

function useColumns(onRemove: (row: Passkey) => void): readonly Column<Passkey>[] {
  const t = useText();
  const locale = useLocale();
  return [
    {
      id: 'name',
      head: t('admin.passkey.name'),
      cell: ({ name, backedUp }) => (
        <span className="flex items-center gap-2">
          <span className="max-w-48 truncate" title={name}>
            {name}
          </span>
          {backedUp && <Badge tone="plain">{t('admin.passkey.synced')}</Badge>}
        </span>
      ),
    },
    {
      id: 'added',
      head: t('admin.passkey.added'),
      cell: ({ createdAt }) => formatDateTime(createdAt, locale),
      wideOnly: true,
    },
    {
      id: 'used',
      head: t('admin.passkey.used'),
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? '-' : formatDateTime(lastUsedAt, locale)),
    },
    {
      id: 'act',
      head: <span className="sr-only">{t('admin.passkey.remove')}</span>,
      sticky: 'always',
      numeric: true,
      cell: (row) => (
        <Button
          size="small"
          aria-label={t('admin.passkey.removeTitle', { name: row.name })}
          onClick={() => onRemove(row)}
        >
          {t('admin.passkey.remove')}
        </Button>
      ),
    },
  ];
}

/** What was changed shows in the list, and in what the log-in of this tab knows of itself. */
function changed(): void {
  say('admin.passkey.done');
  readAgain('passkeys');
  void readSelf();
}

/** One's own passkeys: they log in and prove in place of password and authenticator. */
export function PasskeysPage() {
  const t = useText();
  const [open, setOpen] = useState<Passkey | 'new'>();
  const { data, isError, isPending, refetch } = useQuery(
    { queryKey: [ADMIN_KEY, 'passkeys'], queryFn: () => readOf(adminCall('x/admin/Passkeys', {})) },
    queryClient,
  );
  const columns = useColumns(setOpen);
  const obstacle = passkeyObstacle();
  return (
    <>
      <p className="text-[13px] text-soft">{t('admin.passkey.lead')}</p>
      {obstacle !== undefined && <Banner>{t(`admin.passkey.no.${obstacle}`)}</Banner>}
      <div className="flex items-center gap-2">
        <Button tone="primary" disabled={obstacle !== undefined} onClick={() => setOpen('new')}>
          {t('admin.passkey.add')}
        </Button>
        {isError && data !== undefined && <StaleBadge text={t('admin.stale')} />}
      </div>
      <Table
        label={t('admin.page.passkeys')}
        columns={columns}
        rows={data?.rows ?? []}
        rowKey={({ id }) => id}
        status={isPending ? 'loading' : data === undefined ? 'failed' : 'ready'}
        empty={{ title: t('admin.passkey.none') }}
        failure={{
          title: t('common.failed'),
          retry: t('common.retry'),
          onRetry: () => void refetch(),
        }}
      />
      {open === 'new' && <AddDialog onClose={() => setOpen(undefined)} />}
      {open !== undefined && open !== 'new' && (
        <ActDialog
          danger
          withoutReason
          title={t('admin.passkey.removeTitle', { name: open.name })}
          lead={t('admin.passkey.removeLead')}
          button={t('admin.passkey.remove')}
          onAct={() => adminCall('x/admin/PasskeyRemove', { id: open.id })}
          onDone={changed}
          onClose={() => setOpen(undefined)}
        />
      )}
    </>
  );
}

function AddDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useText();
  const [name, setName] = useState(() => deviceOf(navigator.userAgent).slice(0, NAME_LENGTH_MAX));
  return (
    <ActDialog
      withoutReason
      title={t('admin.passkey.add')}
      lead={t('admin.passkey.addLead')}
      button={t('admin.passkey.add')}
      ready={name.trim() !== ''}
      onAct={() => addPasskey(name.trim())}
      onDone={changed}
      onClose={onClose}
    >
      <Field
        label={t('admin.passkey.name')}
        autoComplete="off"
        maxLength={NAME_LENGTH_MAX}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
    </ActDialog>
  );
}

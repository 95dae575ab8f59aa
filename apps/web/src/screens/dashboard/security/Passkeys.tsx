import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { formatDateTime } from '../../../i18n/format.ts';
import { type Text, useLocale, useText } from '../../../i18n/i18n.ts';
import { passkeyObstacle } from '../../../stores/app/passkeys.ts';
import { queryClient } from '../../../stores/app/query-client.ts';
import { type MemberPasskey, readPasskeys } from '../../../stores/member/passkeys.ts';
import { type MemberSecurity, SECURITY_KEY } from '../../../stores/member/security.ts';
import { Button } from '../../../ui/Button.tsx';
import { Badge } from '../../../ui/states.tsx';
import type { Column } from '../../../ui/tables/Table.tsx';
import { QueryTable, Stale } from '../../fields/QueryTable.tsx';
import { AddPasskeyDialog, RemovePasskeyDialog, RenamePasskeyDialog } from './PasskeyDialogs.tsx';

type Act = 'add' | { readonly act: 'rename' | 'remove'; readonly passkey: MemberPasskey };

function columns(t: Text, locale: string, onAct: (act: Act) => void): readonly Column<MemberPasskey>[] {
  return [
    {
      id: 'name',
      head: t('passkey.name'),
      cell: ({ name, backedUp }) => (
        <span className="flex items-center gap-2">
          <span className="max-w-48 truncate" title={name}>
            {name}
          </span>
          {backedUp && <Badge tone="plain">{t('passkey.synced')}</Badge>}
        </span>
      ),
    },
    {
      id: 'added',
      head: t('passkey.added'),
      cell: ({ createdAt }) => formatDateTime(createdAt, locale),
      wideOnly: true,
    },
    {
      id: 'used',
      head: t('passkey.used'),
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? '-' : formatDateTime(lastUsedAt, locale)),
      wideOnly: true,
    },
    {
      id: 'act',
      head: <span className="sr-only">{t('passkey.acts')}</span>,
      numeric: true,
      cell: (passkey) => (
        <span className="inline-flex gap-2">
          {(['rename', 'remove'] as const).map((act) => (
            <Button
              key={act}
              size="small"
              aria-label={`${t(`passkey.${act}`)}: ${passkey.name}`}
              onClick={() => onAct({ act, passkey })}
            >
              {t(`passkey.${act}`)}
            </Button>
          ))}
        </span>
      ),
    },
  ];
}

/** Passkeys of the member: each is both factors in one, and serves after the password too. */
export function Passkeys({ security }: { readonly security: MemberSecurity }) {
  const t = useText();
  const locale = useLocale();
  const [open, setOpen] = useState<Act>();
  const query = useQuery(
    { queryKey: [SECURITY_KEY, 'passkeys', security.tid], queryFn: readPasskeys },
    queryClient,
  );
  const obstacle = passkeyObstacle();
  const failed = query.isError && query.data === undefined;
  return (
    <section className="flex flex-col rounded-md border border-line bg-panel">
      <div className="flex flex-wrap items-center gap-2 px-4 py-3">
        <div className="mr-auto flex min-w-0 flex-1 basis-64 flex-col gap-0.5">
          <h2 className="text-base font-medium">{t('passkey.title')}</h2>
          <p className="text-xs text-faint">{t('passkey.about')}</p>
        </div>
        <Stale query={query} />
        {obstacle === undefined && (
          <Button size="small" onClick={() => setOpen('add')}>
            {t('passkey.add')}
          </Button>
        )}
      </div>
      {obstacle !== undefined && (
        <p className="px-4 pb-3 text-[13px] text-soft">{t(`passkey.no.${obstacle}`)}</p>
      )}
      {(security.passkeys > 0 || failed) && (
        <QueryTable
          label={t('passkey.title')}
          columns={columns(t, locale, setOpen)}
          rows={query.data ?? []}
          rowKey={({ id }) => id}
          query={query}
        />
      )}
      <Opened security={security} open={open} onClose={() => setOpen(undefined)} />
    </section>
  );
}

function Opened(props: {
  readonly security: MemberSecurity;
  readonly open: Act | undefined;
  readonly onClose: () => void;
}): ReactNode {
  const { open, ...rest } = props;
  if (open === undefined) return null;
  if (open === 'add') return <AddPasskeyDialog {...rest} />;
  const { act, passkey } = open;
  return act === 'rename' ? (
    <RenamePasskeyDialog {...rest} passkey={passkey} />
  ) : (
    <RemovePasskeyDialog {...rest} passkey={passkey} />
  );
}

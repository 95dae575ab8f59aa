import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useStore } from 'zustand';
import { useText } from '../../i18n/i18n.ts';
import '../../i18n/account-words.ts';
import { queryClient } from '../../stores/app/query-client.ts';
import { SECURITY_KEY } from '../../stores/member/security.ts';
import { sessionStore } from '../../stores/member/session.ts';
import { ErrorState, Skeleton, StaleBadge } from '../../ui/states.tsx';

/** A page about the member's own account: its heading, and what was read of him, in every state of reading. */
export function AccountPage<Data>(props: {
  readonly title: string;
  /** Names what is read; pages with the same name share it. */
  readonly name: string;
  readonly read: () => Promise<Data>;
  /** How soon it is read again by itself; absent or undefined: not. */
  readonly everyMillis?: (data: Data) => number | undefined;
  readonly children: (data: Data) => ReactNode;
}) {
  const t = useText();
  const member = useStore(sessionStore, ({ tid }) => tid);
  const { data, isError, refetch } = useQuery(
    {
      queryKey: [SECURITY_KEY, props.name, member],
      queryFn: props.read,
      refetchInterval: ({ state }) => (state.data !== undefined && props.everyMillis?.(state.data)) || false,
    },
    queryClient,
  );
  return (
    <div className="flex max-w-5xl flex-col gap-5">
      <header className="flex flex-wrap items-center gap-3">
        <h1 className="text-xl font-medium">{props.title}</h1>
        {isError && data !== undefined && <StaleBadge text={t('security.stale')} />}
      </header>
      {data !== undefined && props.children(data)}
      {data === undefined && isError && (
        <ErrorState title={t('common.failed')} retry={t('common.retry')} onRetry={() => void refetch()} />
      )}
      {data === undefined && !isError && (
        <div aria-busy="true">
          <Skeleton className="h-96 w-full" />
        </div>
      )}
    </div>
  );
}

/** A titled part of such a page. */
export function AccountCard({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className="flex flex-col gap-3 rounded-md border border-line bg-panel p-4">
      <h2 className="text-base font-medium">{title}</h2>
      {children}
    </section>
  );
}

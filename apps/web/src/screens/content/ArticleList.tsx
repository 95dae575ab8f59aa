import type { ContentRow } from '@crossbook/contract';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import '../../i18n/page-words.ts';
import { formatDateTime } from '../../i18n/format.ts';
import { useLocale, useText } from '../../i18n/i18n.ts';
import { queryClient } from '../../stores/app/query-client.ts';
import type { Language } from '../../stores/app/settings.ts';
import { type ContentKind, readContents } from '../../stores/member/content.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../ui/states.tsx';
import { Markdown } from '../reading/Markdown.tsx';
import { EventState } from './Article.tsx';

/** Texts of a kind, page by page, with the states of a list. */
function Rows(props: {
  readonly kind: ContentKind;
  readonly empty: ReactNode;
  readonly children: (row: ContentRow) => ReactNode;
}) {
  const { kind, empty, children } = props;
  const t = useText();
  const lang = useLocale() as Language;
  const query = useInfiniteQuery(
    {
      queryKey: ['contents', kind, lang],
      initialPageParam: undefined as string | undefined,
      queryFn: ({ pageParam }) => readContents(kind, lang, pageParam),
      getNextPageParam: (page) => page.next,
    },
    queryClient,
  );
  const rows = query.data?.pages.flatMap((page) => page.rows);
  if (rows === undefined) {
    return query.isError ? (
      <ErrorState title={t('common.failed')} retry={t('common.retry')} onRetry={() => void query.refetch()} />
    ) : (
      <div aria-busy="true" className="flex flex-col gap-4 rounded-md border border-line bg-panel p-4">
        <span className="sr-only">{t('common.loading')}</span>
        <Skeleton className="h-4 w-2/3" />
        <Skeleton className="h-4 w-full" />
      </div>
    );
  }
  if (rows.length === 0) return <div className="rounded-md border border-line bg-panel">{empty}</div>;
  return (
    <>
      <ul className="divide-y divide-line rounded-md border border-line bg-panel">
        {rows.map((row) => (
          <li key={row.slug}>{children(row)}</li>
        ))}
      </ul>
      {query.hasNextPage && (
        <Button
          className="self-center"
          busy={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          {t('content.more')}
        </Button>
      )}
    </>
  );
}

/** Events or announcements: each leads to its page. */
export function ArticleList(props: { readonly kind: 'event' | 'announcement'; readonly empty: ReactNode }) {
  const locale = useLocale();
  return (
    <Rows kind={props.kind} empty={props.empty}>
      {(row) => (
        <Link
          {...(props.kind === 'event'
            ? { to: '/eventDetail/$eventId' as const, params: { eventId: row.slug } }
            : { to: '/announcements/$slug' as const, params: { slug: row.slug } })}
          className="flex flex-col gap-1 px-4 py-3 hover:bg-hover"
        >
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span className="text-[15px] font-medium break-words">{row.title}</span>
            <EventState endsAt={row.endsAt} />
            <time className="ml-auto text-xs text-faint max-md:ml-0 max-md:w-full">
              {formatDateTime(row.publishedAt, locale)}
            </time>
          </span>
          {row.summary !== '' && (
            <span className="text-[13px] text-pretty break-words text-soft">{row.summary}</span>
          )}
        </Link>
      )}
    </Rows>
  );
}

/** Questions; each unfolds its answer. */
export function QuestionList() {
  const t = useText();
  return (
    <Rows kind="faq" empty={<EmptyState title={t('common.empty')} />}>
      {({ title, body = '' }) => (
        <details className="group">
          <summary className="flex min-h-11 list-none items-center justify-between gap-4 px-4 py-2 text-[14px] hover:bg-hover">
            {title}
            <ChevronDown size={16} aria-hidden="true" className="shrink-0 text-faint group-open:rotate-180" />
          </summary>
          <div className="px-4 pt-1 pb-4">
            <Markdown ownLink={Link} text={body} below={1} />
          </div>
        </details>
      )}
    </Rows>
  );
}

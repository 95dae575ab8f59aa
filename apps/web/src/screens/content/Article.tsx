import type { ContentText } from '@crossbook/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import '../../i18n/page-words.ts';
import { formatDateTime } from '../../i18n/format.ts';
import { useLocale, useText } from '../../i18n/i18n.ts';
import { now } from '../../stores/app/clock.ts';
import { queryClient } from '../../stores/app/query-client.ts';
import type { Language } from '../../stores/app/settings.ts';
import { type ContentKind, readContent } from '../../stores/member/content.ts';
import { Badge, ErrorState, Skeleton } from '../../ui/states.tsx';
import { Markdown } from '../reading/Markdown.tsx';

/** A column for reading. */
export function Column({ children }: { readonly children: ReactNode }) {
  return (
    <div className="mx-auto flex w-full max-w-3xl flex-1 flex-col gap-6 px-4 py-8 lg:py-12">{children}</div>
  );
}

/** Whether an event is on; nothing for what has no end. */
export function EventState({ endsAt }: { readonly endsAt: number | null }) {
  const t = useText();
  if (endsAt === null) return null;
  const over = endsAt <= now();
  return <Badge tone={over ? 'plain' : 'up'}>{t(over ? 'content.over' : 'content.running')}</Badge>;
}

/** When it was published and changed, and which version it is. */
function Dates({ of }: { readonly of: ContentText }) {
  const t = useText();
  const locale = useLocale();
  const date = (millis: number): string => formatDateTime(millis, locale);
  return (
    <p className="flex flex-wrap items-center gap-x-4 gap-y-1 text-xs text-faint">
      <span>{t('content.published', { date: date(of.publishedAt) })}</span>
      {of.updatedAt !== of.publishedAt && <span>{t('content.updated', { date: date(of.updatedAt) })}</span>}
      <span>{t('content.version', { version: of.version })}</span>
      {of.endsAt !== null && <span>{t('content.ends', { date: date(of.endsAt) })}</span>}
      {of.effectiveAt !== null && <span>{t('content.holds', { date: date(of.effectiveAt) })}</span>}
      <EventState endsAt={of.endsAt} />
    </p>
  );
}

function Loading({ heading }: { readonly heading: string }) {
  const t = useText();
  return (
    <div aria-busy="true" className="flex flex-col gap-4">
      <h1 className="text-2xl font-medium">{heading}</h1>
      <span className="sr-only">{t('common.loading')}</span>
      <Skeleton className="h-4 w-full" />
      <Skeleton className="h-4 w-4/5" />
      <Skeleton className="h-4 w-full" />
    </div>
  );
}

/** One text of the hub, with its states. @param heading what stands above while it is not there. */
export function Article(props: {
  readonly kind: ContentKind;
  readonly slug: string;
  readonly heading: string;
  readonly children?: ReactNode;
}) {
  const { kind, slug, heading } = props;
  const t = useText();
  const lang = useLocale() as Language;
  const { data, isError, refetch } = useQuery(
    { queryKey: ['content', kind, slug, lang], queryFn: () => readContent(kind, slug, lang) },
    queryClient,
  );
  if (data === undefined && !isError) return <Loading heading={heading} />;
  if (data === undefined || data === null) {
    return (
      <>
        <h1 className="text-2xl font-medium">{heading}</h1>
        {data === null ? (
          <p className="text-soft">{t('content.missing')}</p>
        ) : (
          <ErrorState title={t('common.failed')} retry={t('common.retry')} onRetry={() => void refetch()} />
        )}
      </>
    );
  }
  return (
    <article className="flex flex-col gap-6">
      <header className="flex flex-col gap-2">
        <h1 className="text-2xl font-medium text-balance break-words">{data.title}</h1>
        <Dates of={data} />
      </header>
      <Markdown ownLink={Link} text={data.body} />
    </article>
  );
}

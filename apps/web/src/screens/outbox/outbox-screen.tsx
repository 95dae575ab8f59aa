import { useQuery } from '@tanstack/react-query';
import { formatDateTime } from '../../i18n/format.ts';
import { useLocale, useText } from '../../i18n/i18n.ts';
import '../../i18n/page-words.ts';
import { bootConfig } from '../../stores/app/boot.ts';
import { queryClient } from '../../stores/app/query-client.ts';
import { sayCopied } from '../../stores/app/say-copied.ts';
import { codeOfMail, type OutboxMail, readOutbox } from '../../stores/member/outbox.ts';
import { CopyText } from '../../ui/CopyText.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../ui/states.tsx';

const LOOK_EVERY_MILLIS = 2_000;

function Mail({ mail }: { readonly mail: OutboxMail }) {
  const t = useText();
  const locale = useLocale();
  const code = codeOfMail(mail);
  return (
    <li className="flex flex-col gap-2 border-t border-line p-4 first:border-t-0">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 text-xs text-faint">
        <span className="min-w-0 break-words">
          {t('outbox.to')}: <span className="break-all text-soft">{mail.to}</span>
        </span>
        <time>{formatDateTime(mail.sentAt, locale)}</time>
      </div>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 className="min-w-0 text-sm font-medium break-words">{mail.subject}</h2>
        {code !== undefined && (
          <span className="rounded-md border border-line-strong bg-raised px-3 py-1 text-lg font-medium tracking-[0.2em]">
            <CopyText value={code} label={t('common.copy')} onCopied={sayCopied} />
          </span>
        )}
      </div>
      <p className="text-[13px] break-words whitespace-pre-line text-soft">{mail.body}</p>
    </li>
  );
}

function Mails() {
  const t = useText();
  const { data, isError, refetch } = useQuery(
    {
      queryKey: ['outbox'],
      refetchInterval: LOOK_EVERY_MILLIS,
      queryFn: async () => {
        const mails = await readOutbox();
        if (mails === undefined) throw new Error('the outbox did not answer');
        return mails;
      },
    },
    queryClient,
  );
  if (isError && data === undefined) {
    return <ErrorState title={t('common.failed')} retry={t('common.retry')} onRetry={() => void refetch()} />;
  }
  if (data === undefined) return <Skeleton className="m-4 h-16 w-64" />;
  if (data.length === 0) return <EmptyState title={t('common.empty')} advice={t('outbox.empty')} />;
  return (
    <ul>
      {data.map((mail) => (
        <Mail key={mail.id} mail={mail} />
      ))}
    </ul>
  );
}

/** /dev/outbox: the mails of paper mode. */
export function OutboxScreen() {
  const t = useText();
  const { outbox } = bootConfig();
  return (
    <section className="mx-auto flex w-full max-w-2xl flex-1 flex-col gap-4 px-4 py-8">
      <h1 className="text-xl font-medium">{t('outbox.heading')}</h1>
      <p className="text-[13px] text-soft">{t(outbox ? 'outbox.explain' : 'outbox.off')}</p>
      {outbox && (
        <div className="rounded-md border border-line bg-panel">
          <Mails />
        </div>
      )}
    </section>
  );
}

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useStore } from 'zustand';
import '../../i18n/account-words.ts';
import { formatDateTime } from '../../i18n/format.ts';
import { useLocale, useText } from '../../i18n/i18n.ts';
import { notify } from '../../stores/app/notices.ts';
import { queryClient } from '../../stores/app/query-client.ts';
import { settingsStore } from '../../stores/app/settings.ts';
import { openTerms, postponeTerms, termsSheet } from '../../stores/app/terms-sheet.ts';
import { agreeTo, readDueTexts } from '../../stores/member/content.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Banner, Skeleton } from '../../ui/states.tsx';
import { Markdown } from '../reading/Markdown.tsx';

/** What the member has still to agree to: over the page, or put off as a line above it. */
export function TermsSheet() {
  const t = useText();
  const { due, open } = useStore(termsSheet);
  if (due.length === 0) return null;
  return (
    <>
      <aside
        aria-label={t('terms.sheet')}
        className="flex shrink-0 flex-wrap items-center justify-center gap-x-4 gap-y-1 border-b border-line bg-panel px-3 py-1 text-[13px]"
      >
        <p className="text-soft">{t('terms.banner')}</p>
        <Button size="small" onClick={openTerms}>
          {t('terms.read')}
        </Button>
      </aside>
      {open && <Sheet />}
    </>
  );
}

function Sheet() {
  const t = useText();
  const locale = useLocale();
  const lang = useStore(settingsStore, ({ language }) => language);
  const { due } = useStore(termsSheet);
  const [state, setState] = useState<'reading' | 'sending' | 'changed'>('reading');
  const query = useQuery(
    { queryKey: ['terms-due', lang, due], queryFn: () => readDueTexts(due, lang), staleTime: 0 },
    queryClient,
  );
  const texts = query.data;
  const agree = async (): Promise<void> => {
    if (texts === undefined) return;
    setState('sending');
    const answer = await agreeTo(texts);
    if (answer === 'done') return notify('success', { id: 'terms.done' });
    await query.refetch();
    setState(answer === 'changed' ? 'changed' : 'reading');
  };
  return (
    <Dialog
      open
      wide
      kind="alert"
      onClose={postponeTerms}
      title={t('terms.sheet')}
      description={t('terms.lead', {
        date: formatDateTime(Math.min(...due.map(({ effectiveAt }) => effectiveAt)), locale),
      })}
      closeLabel={t('common.close')}
      actions={
        <>
          <Button onClick={postponeTerms}>{t('terms.later')}</Button>
          <Button
            tone="primary"
            busy={state === 'sending'}
            disabled={texts === undefined}
            onClick={() => void agree()}
          >
            {t('terms.agree')}
          </Button>
        </>
      }
    >
      {state === 'changed' && <Banner tone="warning">{t('terms.changed')}</Banner>}
      {query.isError && (
        <Banner tone="danger">
          <p>{t('terms.away')}</p>
          <Button size="small" onClick={() => void query.refetch()}>
            {t('common.retry')}
          </Button>
        </Banner>
      )}
      {texts === undefined && !query.isError && <Skeleton className="h-40 w-full" />}
      {texts?.map((text) => (
        <article key={text.kind} className="flex flex-col gap-4">
          <h3 className="text-xl font-medium break-words">{text.title}</h3>
          <Markdown text={text.body} below={1} />
        </article>
      ))}
    </Dialog>
  );
}

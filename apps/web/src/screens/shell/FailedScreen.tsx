import { useText } from '../../i18n/i18n.ts';
import { Button } from '../../ui/Button.tsx';

/**
 * What is shown when a screen stopped by a mistake of ours, or when its chunk is gone because the hub was updated:
 * reading the page afresh is the remedy for both.
 */
export function FailedScreen() {
  const t = useText();
  return (
    <section role="alert" className="mx-auto flex w-full max-w-xl flex-1 flex-col gap-3 px-4 py-24">
      <h1 className="text-xl font-medium">{t('screen.failed')}</h1>
      <p className="text-soft">{t('screen.failedText')}</p>
      <div>
        <Button tone="primary" onClick={() => window.location.reload()}>
          {t('common.refresh')}
        </Button>
      </div>
    </section>
  );
}

import type { ReactNode } from 'react';
import { useStore } from 'zustand';
import { useText } from '../../i18n/i18n.ts';
import { bootStore, loadBoot } from '../../stores/app/boot.ts';
import { Button } from '../../ui/Button.tsx';

/** Shows the application once the hub has said who it is; otherwise what went wrong and a retry. */
export function BootGate({ children }: { readonly children: ReactNode }) {
  const t = useText();
  const { status } = useStore(bootStore);
  if (status === 'ready') return children;
  if (status === 'loading') return <div aria-busy="true" className="h-12 border-b border-line bg-panel" />;
  return (
    <main className="mx-auto flex w-full max-w-md flex-1 flex-col justify-center gap-3 px-4" role="alert">
      <h1 className="text-xl font-medium">{t('boot.failed')}</h1>
      <p className="text-soft">{t('boot.failedText')}</p>
      <div>
        <Button tone="primary" onClick={() => void loadBoot()}>
          {t('common.retry')}
        </Button>
      </div>
    </main>
  );
}

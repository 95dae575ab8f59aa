import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useStore } from 'zustand';
import { useText } from '../../i18n/i18n.ts';
import '../../i18n/account-words.ts';
import { sessionStore } from '../../stores/member/session.ts';
import { buttonClass } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/states.tsx';

/** A page that needs an account of one's own; a demo member is told how to get there. */
export function OwnAccount({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const t = useText();
  const isDemo = useStore(sessionStore, ({ user }) => user?.demo === true);
  if (!isDemo) return children;
  return (
    <div className="flex max-w-5xl flex-col gap-5">
      <h1 className="text-xl font-medium">{title}</h1>
      <EmptyState
        title={t('demo.needsAccount')}
        advice={
          <Link to="/regist" className={buttonClass('primary')}>
            {t('demo.keep')}
          </Link>
        }
      />
    </div>
  );
}

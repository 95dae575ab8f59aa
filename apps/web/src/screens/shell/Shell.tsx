import { Outlet, useMatches } from '@tanstack/react-router';
import { Suspense, useEffect } from 'react';
import { useStore } from 'zustand';
import { useText } from '../../i18n/i18n.ts';
import { alarmsStore, seeAlarms, titleWithAlarms } from '../../stores/app/alarms.ts';
import { bootConfig } from '../../stores/app/boot.ts';
import { noticesStore } from '../../stores/app/notices.ts';
import { termsSheet } from '../../stores/app/terms-sheet.ts';
import { liveStore } from '../../stores/market/live.ts';
import { readDueTerms } from '../../stores/member/content.ts';
import { call } from '../../stores/member/own-service.ts';
import { sessionStore, setUser } from '../../stores/member/session.ts';
import { classNames } from '../../ui/class-names.ts';
import { lazyPart, useReadAhead } from '../../ui/read-ahead.ts';
import { Footer } from './Footer.tsx';
import { Header } from './Header.tsx';
import { SideWidget } from './SideWidget.tsx';

const ConnectionDialogs = lazyPart(async () => (await import('./ConnectionDialogs.tsx')).ConnectionDialogs);
const DemoBanner = lazyPart(async () => (await import('./DemoBanner.tsx')).DemoBanner);
const TermsSheet = lazyPart(async () => (await import('./TermsSheet.tsx')).TermsSheet);
const Notices = lazyPart(async () => (await import('./Notices.tsx')).Notices);

/** The product name followed by the translated route title (spec section 2), after alarms that nobody has seen yet. */
function usePageTitle(): boolean {
  const t = useText();
  const data = useMatches().at(-1)?.staticData;
  const name = bootConfig().productName;
  const title = data?.titleId === undefined ? t('title.notFound') : t(data.titleId);
  const unseen = useStore(alarmsStore, (state) => state.unseen.size);
  const word = t('common.alarm');
  useEffect(() => {
    document.title = titleWithAlarms(`${name} | ${title}`, unseen, word);
  }, [name, title, unseen, word]);
  useEffect(() => {
    if (unseen === 0) return;
    const signs = ['pointerdown', 'keydown', 'wheel'] as const;
    for (const sign of signs) document.addEventListener(sign, seeAlarms);
    return () => {
      for (const sign of signs) document.removeEventListener(sign, seeAlarms);
    };
  }, [unseen]);
  return data?.terminal === true;
}

/** Reads the member's profile after login and after a reload with a stored token. */
function useProfile(): void {
  const { token, user } = useStore(sessionStore);
  useEffect(() => {
    if (token === undefined || user !== undefined) return;
    const asked = new AbortController();
    void call('security/userinfo', {}, { quiet: true, signal: asked.signal }).then((answer) => {
      if (answer.ok && !asked.signal.aborted) setUser(answer.data);
    });
    return () => asked.abort();
  }, [token, user]);
}

/** Asks after each log-in, and when something was refused for it, what the member has still to agree to. */
function useDueTerms(): boolean {
  const { token, user } = useStore(sessionStore);
  const { due, refusals } = useStore(termsSheet);
  const isMember = token !== undefined && user?.demo === false;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each refusal asks again
  useEffect(() => {
    if (!isMember) return;
    const asked = new AbortController();
    void readDueTerms(asked.signal);
    return () => asked.abort();
  }, [isMember, refusals]);
  return isMember && due.length > 0;
}

/** Header, the screen, footer, and what floats above them. */
export function Shell() {
  const t = useText();
  const terminal = usePageTitle();
  useProfile();
  useReadAhead();
  const owesTerms = useDueTerms();
  const hasNotices = useStore(noticesStore, ({ notices }) => notices.length > 0);
  const isDemo = useStore(sessionStore, ({ user }) => user?.demo === true);
  const hasTrouble = useStore(liveStore, (live) =>
    Object.values(live).some((status) => status.dialog !== 'none'),
  );
  return (
    <div className={classNames('flex min-h-dvh flex-col', terminal && 'lg:h-dvh lg:overflow-hidden')}>
      <a
        href="#screen"
        className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:rounded-md focus:bg-panel focus:p-2"
      >
        {t('nav.skip')}
      </a>
      <Header />
      {isDemo && (
        <Suspense>
          <DemoBanner />
        </Suspense>
      )}
      {owesTerms && (
        <Suspense>
          <TermsSheet />
        </Suspense>
      )}
      <main id="screen" tabIndex={-1} className="flex min-h-0 flex-1 flex-col outline-none">
        <Suspense fallback={<div aria-busy="true" className="flex-1" />}>
          <Outlet />
        </Suspense>
      </main>
      {!terminal && <Footer />}
      {!terminal && <SideWidget />}
      {hasTrouble && (
        <Suspense>
          <ConnectionDialogs />
        </Suspense>
      )}
      {hasNotices && (
        <Suspense>
          <Notices />
        </Suspense>
      )}
    </div>
  );
}

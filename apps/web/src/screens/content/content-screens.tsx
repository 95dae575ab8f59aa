import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import '../../i18n/page-words.ts';
import { useText } from '../../i18n/i18n.ts';
import { EmptyState } from '../../ui/states.tsx';
import { Article, Column } from './Article.tsx';
import { ArticleList, QuestionList } from './ArticleList.tsx';

const LINK = 'text-link hover:underline';

function ListHead({ heading, lead }: { readonly heading: string; readonly lead: string }) {
  return (
    <header className="flex flex-col gap-2">
      <h1 className="text-2xl font-medium">{heading}</h1>
      <p className="text-[15px] text-soft">{lead}</p>
    </header>
  );
}

function Foot({ children }: { readonly children: ReactNode }) {
  return <p className="flex flex-wrap gap-x-5 gap-y-2 border-t border-line pt-4 text-[15px]">{children}</p>;
}

function ToEvents() {
  const t = useText();
  return (
    <Link to="/event" className={LINK}>
      {t('content.toEvents')}
    </Link>
  );
}

function ToAnnouncements() {
  const t = useText();
  return (
    <Link to="/announcements" className={LINK}>
      {t('content.toAnnouncements')}
    </Link>
  );
}

/** /event */
export function EventsScreen() {
  const t = useText();
  return (
    <Column>
      <ListHead heading={t('title.events')} lead={t('content.events.lead')} />
      <ArticleList
        kind="event"
        empty={<EmptyState title={t('content.events.empty')} advice={t('content.events.emptyAdvice')} />}
      />
      <Foot>
        <ToAnnouncements />
      </Foot>
    </Column>
  );
}

/** /eventDetail/{eventId} */
export function EventScreen() {
  const t = useText();
  const { eventId } = useParams({ from: '/eventDetail/$eventId' });
  return (
    <Column>
      <Article kind="event" slug={eventId} heading={t('title.events')} />
      <Foot>
        <ToEvents />
      </Foot>
    </Column>
  );
}

/** /announcements */
export function AnnouncementsScreen() {
  const t = useText();
  return (
    <Column>
      <ListHead heading={t('footer.announcements')} lead={t('content.announcements.lead')} />
      <ArticleList kind="announcement" empty={<EmptyState title={t('content.announcements.empty')} />} />
      <Foot>
        <ToEvents />
      </Foot>
    </Column>
  );
}

/** /announcements/{slug} */
export function AnnouncementScreen() {
  const t = useText();
  const { slug } = useParams({ from: '/announcements/$slug' });
  return (
    <Column>
      <Article kind="announcement" slug={slug} heading={t('footer.announcements')} />
      <Foot>
        <ToAnnouncements />
      </Foot>
    </Column>
  );
}

/** /terms */
export function TermsScreen() {
  const t = useText();
  return (
    <Column>
      <Article kind="terms" slug="terms" heading={t('footer.terms')} />
    </Column>
  );
}

/** /privacy */
export function PrivacyScreen() {
  const t = useText();
  return (
    <Column>
      <Article kind="privacy" slug="privacy" heading={t('footer.privacy')} />
    </Column>
  );
}

/** /community */
export function CommunityScreen() {
  const t = useText();
  return (
    <Column>
      <Article kind="page" slug="community" heading={t('title.community')} />
    </Column>
  );
}

/** /support: how to get help, and every question with its answer. */
export function SupportScreen() {
  const t = useText();
  return (
    <Column>
      <Article kind="page" slug="support" heading={t('footer.support')} />
      <section aria-labelledby="questions" className="flex flex-col gap-3">
        <h2 id="questions" className="text-lg font-medium">
          {t('content.questions')}
        </h2>
        <QuestionList />
      </section>
    </Column>
  );
}

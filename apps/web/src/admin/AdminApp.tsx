import { mayCall } from '@crossbook/contract';
import { useQuery } from '@tanstack/react-query';
import { ChevronDown, Languages, LogOut, Moon, Sun } from 'lucide-react';
import type { MouseEvent, ReactNode } from 'react';
import { useStore } from 'zustand';
import { formatDateTime } from '../i18n/format.ts';
import { LANGUAGE_NAMES, useLocale, useText } from '../i18n/i18n.ts';
import {
  type AdminSelf,
  adminSession,
  endAdminSession,
  readSelf,
  saidStore,
  say,
} from '../stores/admin/admin-service.ts';
import { addressOf, goTo, PAGES, type PageName, placeStore } from '../stores/admin/place.ts';
import { bootStore } from '../stores/app/boot.ts';
import { queryClient } from '../stores/app/query-client.ts';
import { changeSettings, type Language, settingsStore } from '../stores/app/settings.ts';
import { Button } from '../ui/Button.tsx';
import { Menu, MenuChoice } from '../ui/Menu.tsx';
import { SIDE_LINK, SideNav } from '../ui/SideNav.tsx';
import { Banner, ErrorState, Skeleton } from '../ui/states.tsx';

/** How the operator makes another admin on the host; whose and what is for him to say. */
const INVITE_COMMAND = 'npm run admin -- invite EMAIL --roles admin,kyc --reason "..."';

/** Each page is a chunk of its own. */
const PAGE_OF: Readonly<Record<PageName | 'start' | 'log-in', () => Promise<() => ReactNode>>> = {
  start: async () => (await import('./StartPage.tsx')).StartPage,
  'log-in': async () => (await import('./LogInPage.tsx')).LogInPage,
  members: async () => (await import('./members/MembersPage.tsx')).MembersPage,
  kyc: async () => (await import('./members/KycPage.tsx')).KycPage,
  recoveries: async () => (await import('./members/RecoveriesPage.tsx')).RecoveriesPage,
  approvals: async () => (await import('./ApprovalsPage.tsx')).ApprovalsPage,
  texts: async () => (await import('./texts/TextsPage.tsx')).TextsPage,
  referrals: async () => (await import('./members/ReferralsPage.tsx')).ReferralsPage,
  funds: async () => (await import('./FundsPage.tsx')).FundsPage,
  health: async () => (await import('./HealthPage.tsx')).HealthPage,
  incidents: async () => (await import('./IncidentsPage.tsx')).IncidentsPage,
  mails: async () => (await import('./MailsPage.tsx')).MailsPage,
  audit: async () => (await import('./AuditPage.tsx')).AuditPage,
  platforms: async () => (await import('./PlatformsPage.tsx')).PlatformsPage,
  offer: async () => (await import('./offer/OfferPage.tsx')).OfferPage,
  admins: async () => (await import('./AdminsPage.tsx')).AdminsPage,
  passkeys: async () => (await import('./PasskeysPage.tsx')).PasskeysPage,
};

/** What a page reads; who may not read it does not see its link. */
const READS = {
  members: 'x/admin/MemberSearch',
  kyc: 'x/admin/KycQueue',
  recoveries: 'x/admin/Recoveries',
  approvals: 'x/admin/Approvals',
  texts: 'x/admin/ContentList',
  referrals: 'x/admin/Referrals',
  funds: 'x/admin/Funds',
  health: 'x/admin/Health',
  incidents: 'x/admin/Incidents',
  mails: 'x/admin/Mails',
  audit: 'x/admin/AuditSearch',
  platforms: 'x/admin/Platforms',
  offer: 'x/admin/Offer',
  admins: 'x/admin/Admins',
  passkeys: 'x/admin/Passkeys',
} as const;

/** Stays within the page where a plain click is meant. */
function follow(event: MouseEvent, page: PageName): void {
  if (event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  say(undefined);
  goTo(page);
}

/** The back office: who has no session gets nothing but the way in. */
export function AdminApp() {
  const t = useText();
  const { token, self } = useStore(adminSession);
  const place = useStore(placeStore, (state) => state.place);
  const boot = useStore(bootStore);
  const name = boot.status === 'ready' ? boot.config.productName : '';
  return (
    <div className="flex min-h-dvh flex-col bg-page text-text">
      {self !== undefined && place !== 'start' && (
        <a
          href="#screen"
          className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:rounded-md focus:bg-panel focus:p-2"
        >
          {t('nav.skip')}
        </a>
      )}
      <header className="flex h-12 items-center gap-2 border-b border-line bg-panel px-4">
        <p className="mr-auto text-sm font-medium">{t('admin.title', { name })}</p>
        <Appearance />
        {self !== undefined && (
          <Button size="small" tone="quiet" onClick={() => void endAdminSession()}>
            <LogOut size={14} aria-hidden="true" />
            {t('admin.logOut')}
          </Button>
        )}
      </header>
      <Content self={token === undefined ? undefined : self} hasToken={token !== undefined} place={place} />
    </div>
  );
}

function Content(props: {
  readonly self: AdminSelf | undefined;
  readonly hasToken: boolean;
  readonly place: PageName | 'start';
}) {
  const t = useText();
  const { self, place } = props;
  if (place === 'start') return <LoadedPage key="start" page="start" />;
  if (!props.hasToken) return <LoadedPage key="log-in" page="log-in" />;
  if (self === undefined) {
    return (
      <main className="m-auto">
        <ErrorState title={t('common.failed')} retry={t('common.retry')} onRetry={() => void readSelf()} />
      </main>
    );
  }
  // A demo admin, whom anybody plays, has no way of his own to log in.
  const pages = PAGES.filter(
    (page) => mayCall(READS[page], self.roles) && !(self.demo && page === 'passkeys'),
  );
  const page = pages.includes(place) ? place : 'members';
  return (
    <SideNav
      label={t('admin.pages')}
      open={page}
      links={pages.map((name) => (
        <a
          key={name}
          href={addressOf(name)}
          className={SIDE_LINK}
          data-status={name === page ? 'active' : undefined}
          aria-current={name === page ? 'page' : undefined}
          onClick={(event) => follow(event, name)}
        >
          {t(`admin.page.${name}`)}
        </a>
      ))}
    >
      <main id="screen" tabIndex={-1} className="flex flex-col gap-4 outline-none">
        <p className="text-xs text-faint">
          {self.name} · {self.roles.map((role) => t(`admin.role.${role}`)).join(', ')}
        </p>
        {self.demo && <Banner>{t('admin.demoNote')}</Banner>}
        <StaffNotices self={self} />
        <h1 className="text-xl font-medium">{t(`admin.page.${page}`)}</h1>
        <Said />
        <LoadedPage key={page} page={page} />
      </main>
    </SideNav>
  );
}

/** A remark of one line that opens on press: it stands on every page, and a phone has room for little else. */
function FoldedBanner(props: {
  readonly tone: 'warning' | 'danger';
  readonly name: string;
  readonly children: ReactNode;
}) {
  return (
    <Banner tone={props.tone}>
      <details className="group">
        <summary className="flex cursor-pointer list-none items-center justify-between gap-2 max-lg:min-h-11">
          <span className="truncate group-open:whitespace-normal">{props.name}</span>
          <ChevronDown size={16} aria-hidden="true" className="shrink-0 group-open:rotate-180" />
        </summary>
        <p className="pt-1">{props.children}</p>
      </details>
    </Banner>
  );
}

/** What every admin is to know of the staff: who was let in anew, and that nobody else is there to decide. */
function StaffNotices({ self: { breakGlasses, undecidable } }: { readonly self: AdminSelf }) {
  const t = useText();
  const locale = useLocale();
  return (
    <>
      {breakGlasses.map(({ name, at }) => (
        <FoldedBanner key={`${name} ${at}`} tone="danger" name={t('admin.breakGlassName', { name })}>
          {t('admin.breakGlass', { name, at: formatDateTime(at, locale) })}
        </FoldedBanner>
      ))}
      {undecidable.length > 0 && (
        <FoldedBanner tone="warning" name={t('admin.lonelyName')}>
          {t('admin.lonely', { kinds: undecidable.map((kind) => t(`admin.kind.${kind}`)).join(', ') })}{' '}
          <code className="break-all">{INVITE_COMMAND}</code>
        </FoldedBanner>
      )}
    </>
  );
}

function LoadedPage({ page }: { readonly page: keyof typeof PAGE_OF }) {
  const t = useText();
  const { data, isError } = useQuery(
    {
      queryKey: ['admin page', page],
      queryFn: async () => ({ Page: await PAGE_OF[page]() }),
      ...{ staleTime: Number.POSITIVE_INFINITY, retry: false },
    },
    queryClient,
  );
  if (isError) {
    // A browser remembers that a module failed, and after an update its address is another.
    return (
      <ErrorState title={t('common.failed')} retry={t('common.retry')} onRetry={() => location.reload()} />
    );
  }
  if (data !== undefined) return <data.Page />;
  return (
    <div aria-busy="true">
      <Skeleton className="h-40 w-full" />
    </div>
  );
}

function Said() {
  const t = useText();
  const said = useStore(saidStore, ({ id }) => id);
  // Empty it takes no gap of the page; it stays, because a region that appears with its words is not read.
  return (
    <div role="status" className="empty:-mt-4">
      {said !== undefined && <Banner tone="plain">{t(said)}</Banner>}
    </div>
  );
}

function Appearance() {
  const t = useText();
  const { language, theme } = useStore(settingsStore);
  const other = theme === 'dark' ? 'light' : 'dark';
  const Icon = theme === 'dark' ? Sun : Moon;
  return (
    <>
      <Menu
        align="end"
        label={t('nav.language')}
        triggerClass="grid size-8 place-items-center rounded-md text-soft hover:bg-hover hover:text-text"
        trigger={<Languages size={16} aria-hidden="true" />}
      >
        <MenuChoice
          value={language}
          options={(['en', 'ja', 'ko'] as const).map((code) => ({
            value: code,
            label: LANGUAGE_NAMES[code],
          }))}
          onChange={(code) => changeSettings({ language: code as Language })}
        />
      </Menu>
      <Button
        size="small"
        tone="quiet"
        aria-label={t(`nav.theme.${other}`)}
        onClick={() => changeSettings({ theme: other })}
      >
        <Icon size={16} aria-hidden="true" />
      </Button>
    </>
  );
}

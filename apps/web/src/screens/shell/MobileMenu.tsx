import { Link } from '@tanstack/react-router';
import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { useStore } from 'zustand';
import { useText } from '../../i18n/i18n.ts';
import { bootConfig } from '../../stores/app/boot.ts';
import { offerMenuPlace } from '../../stores/app/menu-place.ts';
import { changeSettings, settingsStore } from '../../stores/app/settings.ts';
import { isMember, sessionStore } from '../../stores/member/session.ts';
import { Button, buttonClass } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { EntryLink } from '../member-pages/EntryLink.tsx';
import { DASHBOARD_ENTRIES, type Entry, HISTORY_ENTRIES, WALLET_ENTRIES } from '../member-pages/entries.ts';
import { LanguagePicker, ThemeToggle } from './Appearance.tsx';
import { HelpLink } from './HelpLink.tsx';
import { depositTarget, venueEntries } from './navigation.ts';
import { VenueLink } from './VenueLink.tsx';

const ROW = 'flex min-h-11 items-center justify-between gap-4 rounded-md px-2 text-[15px] hover:bg-hover';

function Section(props: {
  readonly label: string;
  readonly open: boolean;
  readonly onToggle: (open: boolean) => void;
  readonly children: ReactNode;
}) {
  return (
    <details
      open={props.open}
      onToggle={(event) => props.onToggle(event.currentTarget.open)}
      className="group"
    >
      <summary className={`${ROW} list-none`}>
        {props.label}
        <ChevronDown size={16} aria-hidden="true" className="text-faint group-open:rotate-180" />
      </summary>
      <div className="flex flex-col pl-3">{props.children}</div>
    </details>
  );
}

function Entries({ entries }: { readonly entries: readonly Entry[] }) {
  return entries.map((entry) => <EntryLink key={entry.to} entry={entry} className={ROW} />);
}

/** The same entries as the header, on a phone. Unfolded sections are remembered under the spec's keys. */
export function MobileMenu(props: {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly onLogOut: () => void;
}) {
  const t = useText();
  const { platforms, money } = bootConfig();
  const member = useStore(sessionStore, isMember);
  const settings = useStore(settingsStore);
  // A link anywhere in the menu closes it.
  const closeOnLink = (target: EventTarget) =>
    target instanceof Element && target.closest('a') && props.onClose();
  return (
    <Dialog
      open={props.open}
      onClose={props.onClose}
      kind="sheet"
      title={t('nav.menu')}
      closeLabel={t('common.close')}
    >
      <div ref={offerMenuPlace} className="empty:hidden" />
      {/* biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: only watches clicks of the links inside, which keyboards press too */}
      <div onClick={(event) => closeOnLink(event.target)} className="flex flex-col gap-0.5">
        {!member && (
          <div className="grid grid-cols-2 gap-2 pb-2">
            <Link to="/login" className={buttonClass('plain', 'large')}>
              {t('nav.login')}
            </Link>
            <Link to="/regist" className={buttonClass('primary', 'large')}>
              {t('nav.register')}
            </Link>
          </div>
        )}
        <Link to="/market" className={ROW}>
          {t('nav.markets')}
        </Link>
        <Link to="/marketData" className={ROW}>
          {t('nav.marketData')}
        </Link>
        {(['SPOT', 'SWAP'] as const).map((symbolType) => (
          <div key={symbolType}>
            <p className="px-2 pt-2 text-xs text-faint">
              {t(symbolType === 'SPOT' ? 'nav.spot' : 'nav.futures')}
            </p>
            {venueEntries(platforms, symbolType).map((venue) => (
              <VenueLink key={venue.to} venue={venue} className={ROW} />
            ))}
          </div>
        ))}
        {member && (
          <>
            <Section
              label={t('nav.wallet')}
              open={settings.walletMenu ?? true}
              onToggle={(walletMenu) => changeSettings({ walletMenu })}
            >
              <Entries entries={WALLET_ENTRIES} />
            </Section>
            <Section
              label={t('nav.dashboard')}
              open={settings.dashboardMenu ?? false}
              onToggle={(dashboardMenu) => changeSettings({ dashboardMenu })}
            >
              <Entries entries={DASHBOARD_ENTRIES} />
            </Section>
            <Section
              label={t('nav.history')}
              open={settings.historyMenu ?? false}
              onToggle={(historyMenu) => changeSettings({ historyMenu })}
            >
              <Entries entries={HISTORY_ENTRIES} />
            </Section>
            <HelpLink className={ROW} />
            <Link {...depositTarget(money)} className={buttonClass('primary', 'large')}>
              {t('nav.wallet.deposit')}
            </Link>
          </>
        )}
        <div className="flex items-center gap-1 border-t border-line pt-2">
          <LanguagePicker />
          <ThemeToggle />
          {member && (
            <Button tone="quiet" className="ml-auto" onClick={props.onLogOut}>
              {t('nav.logout')}
            </Button>
          )}
        </div>
      </div>
    </Dialog>
  );
}

import { Link } from '@tanstack/react-router';
import { ChevronDown, Menu as MenuIcon } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useStore } from 'zustand';
import { useText } from '../../i18n/i18n.ts';
import { bootConfig, isPaper } from '../../stores/app/boot.ts';
import { isMember, sessionStore } from '../../stores/member/session.ts';
import { buttonClass } from '../../ui/Button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { MENU_LINK, Menu } from '../../ui/Menu.tsx';
import { lazyPart } from '../../ui/read-ahead.ts';
import { Badge } from '../../ui/states.tsx';
import { LanguagePicker, ThemeToggle } from './Appearance.tsx';
import { BAR_ENTRY } from './bar-entry.ts';
import { MemberMenus } from './MemberMenus.tsx';
import { type VenueEntry, venueEntries } from './navigation.ts';
import { VenueLink } from './VenueLink.tsx';

// Dialogs are loaded when they are first opened: the first screen stays small.
const LogOutDialog = lazyPart(async () => (await import('./LogOutDialog.tsx')).LogOutDialog);
const MobileMenu = lazyPart(async () => (await import('./MobileMenu.tsx')).MobileMenu);

function Logo() {
  const { productName } = bootConfig();
  return (
    <Link to="/" className="flex items-center gap-2 rounded-md text-[15px] font-semibold tracking-tight">
      <svg viewBox="0 0 20 16" width="20" height="16" aria-hidden="true">
        <path d="M0 1h12v4H0zM0 7h8v4H0z" className="fill-up" />
        <path d="M20 5H8v4h12zM20 11h-8v4h8z" className="fill-down" />
      </svg>
      {productName}
    </Link>
  );
}

function VenueMenu(props: { readonly label: string; readonly venues: readonly VenueEntry[] }) {
  return (
    <Menu
      triggerClass={BAR_ENTRY}
      trigger={
        <>
          {props.label}
          <ChevronDown size={14} aria-hidden="true" className="text-faint" />
        </>
      }
    >
      {props.venues.map((venue) => (
        <VenueLink key={venue.to} venue={venue} className={MENU_LINK} />
      ))}
    </Menu>
  );
}

/** The header bar, 48 px (spec section 2). */
export function Header() {
  const t = useText();
  const boot = bootConfig();
  const member = useStore(sessionStore, isMember);
  const [menuOpen, setMenuOpen] = useState(false);
  const [leaving, setLeaving] = useState(false);
  return (
    <header className="sticky top-0 z-30 flex h-12 shrink-0 items-center gap-2 border-b border-line bg-panel px-3">
      <Logo />
      <nav aria-label={t('nav.main')} className="ml-3 flex items-center gap-1 max-lg:hidden">
        <Link to="/market" className={BAR_ENTRY}>
          {t('nav.markets')}
        </Link>
        <Link to="/marketData" className={BAR_ENTRY}>
          {t('nav.marketData')}
        </Link>
        <VenueMenu label={t('nav.spot')} venues={venueEntries(boot.platforms, 'SPOT')} />
        <VenueMenu label={t('nav.futures')} venues={venueEntries(boot.platforms, 'SWAP')} />
      </nav>
      <div className="ml-auto flex items-center gap-1">
        {isPaper(boot) && (
          <span title={t('paper.explain')} className="mr-1">
            <Badge tone="warning">{t('paper.badge')}</Badge>
          </span>
        )}
        <div className="flex items-center gap-1 max-lg:hidden">
          {member ? (
            <MemberMenus onLogOut={() => setLeaving(true)} />
          ) : (
            <>
              <Link to="/login" className={buttonClass('quiet', 'small')}>
                {t('nav.login')}
              </Link>
              <Link to="/regist" className={buttonClass('primary', 'small')}>
                {t('nav.register')}
              </Link>
            </>
          )}
          <LanguagePicker />
          <ThemeToggle />
        </div>
        {!member && (
          <Link to="/regist" className={classNames(buttonClass('primary', 'small'), 'lg:hidden')}>
            {t('nav.register')}
          </Link>
        )}
        <button
          type="button"
          aria-label={t('nav.menu')}
          aria-haspopup="dialog"
          onClick={() => setMenuOpen(true)}
          className="grid size-11 place-items-center rounded-md text-soft hover:text-text lg:hidden"
        >
          <MenuIcon size={20} aria-hidden="true" />
        </button>
      </div>
      <Suspense>
        {menuOpen && (
          <MobileMenu
            open
            onClose={() => setMenuOpen(false)}
            onLogOut={() => {
              setMenuOpen(false);
              setLeaving(true);
            }}
          />
        )}
        {leaving && <LogOutDialog open onClose={() => setLeaving(false)} />}
      </Suspense>
    </header>
  );
}

import { Link } from '@tanstack/react-router';
import { ChevronDown, CircleUser, History, Wallet } from 'lucide-react';
import type { ReactNode } from 'react';
import { useStore } from 'zustand';
import { useText } from '../../i18n/i18n.ts';
import { bootConfig } from '../../stores/app/boot.ts';
import { sessionStore } from '../../stores/member/session.ts';
import { buttonClass } from '../../ui/Button.tsx';
import { MENU_LINK, Menu, MenuHeading, MenuItem, MenuLine } from '../../ui/Menu.tsx';
import { EntryLink } from '../member-pages/EntryLink.tsx';
import { DASHBOARD_ENTRIES, type Entry, HISTORY_ENTRIES, WALLET_ENTRIES } from '../member-pages/entries.ts';
import { BAR_ENTRY } from './bar-entry.ts';
import { HelpLink } from './HelpLink.tsx';
import { depositTarget } from './navigation.ts';

function EntryMenu(props: {
  readonly label: string;
  readonly icon: ReactNode;
  readonly entries: readonly Entry[];
  readonly children?: ReactNode;
}) {
  return (
    <Menu
      align="end"
      triggerClass={BAR_ENTRY}
      trigger={
        <>
          {props.icon}
          {props.label}
          <ChevronDown size={14} aria-hidden="true" className="text-faint" />
        </>
      }
    >
      {props.entries.map((entry) => (
        <EntryLink key={entry.to} entry={entry} className={MENU_LINK} />
      ))}
      {props.children}
    </Menu>
  );
}

/** What a logged-in user finds in the header: help, wallet, deposit, dashboard, history, log out. */
export function MemberMenus({ onLogOut }: { readonly onLogOut: () => void }) {
  const t = useText();
  const user = useStore(sessionStore, (session) => session.user);
  const { money } = bootConfig();
  return (
    <>
      {/* A narrow bar leaves it to the widget at the side. */}
      <HelpLink className={`${BAR_ENTRY} max-xl:hidden`} />
      <EntryMenu
        label={t('nav.wallet')}
        icon={<Wallet size={15} aria-hidden="true" className="max-xl:hidden" />}
        entries={WALLET_ENTRIES}
      />
      <EntryMenu
        label={t('nav.history')}
        icon={<History size={15} aria-hidden="true" className="max-xl:hidden" />}
        entries={HISTORY_ENTRIES}
      />
      <EntryMenu
        label={t('nav.dashboard')}
        icon={<CircleUser size={15} aria-hidden="true" className="max-xl:hidden" />}
        entries={DASHBOARD_ENTRIES}
      >
        <MenuLine />
        {user !== undefined && <MenuHeading>{user.email ?? user.mobile ?? user.nickname}</MenuHeading>}
        <MenuItem onClick={onLogOut}>{t('nav.logout')}</MenuItem>
      </EntryMenu>
      <Link {...depositTarget(money)} className={buttonClass('primary', 'small')}>
        {t('nav.wallet.deposit')}
      </Link>
    </>
  );
}

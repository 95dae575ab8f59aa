import { Outlet, useLocation } from '@tanstack/react-router';
import { ChevronDown } from 'lucide-react';
import { useId } from 'react';
import { useStore } from 'zustand';
import type { MessageId } from '../../i18n/i18n.ts';
import { useText } from '../../i18n/i18n.ts';
import '../../i18n/page-words.ts';
import { changeSettings, settingsStore } from '../../stores/app/settings.ts';
import { useKeepLive } from '../../stores/trading/use-keep-live.ts';
import { classNames } from '../../ui/class-names.ts';
import { SIDE_LINK, SideNav } from '../../ui/SideNav.tsx';
import { EntryLink } from './EntryLink.tsx';
import { DASHBOARD_ENTRIES, type Entry, HISTORY_ENTRIES, WALLET_ENTRIES } from './entries.ts';

/** A menu of the member's pages, and the setting that keeps whether it is unfolded. */
interface MemberMenu {
  readonly kept: 'walletMenu' | 'dashboardMenu' | 'historyMenu';
  /** Where its pages are. */
  readonly path: string;
  readonly labelId: MessageId;
  readonly entries: readonly Entry[];
}

const MENUS: readonly MemberMenu[] = [
  { kept: 'walletMenu', path: '/wallet/', labelId: 'nav.wallet', entries: WALLET_ENTRIES },
  { kept: 'historyMenu', path: '/history/', labelId: 'nav.history', entries: HISTORY_ENTRIES },
  { kept: 'dashboardMenu', path: '/dashboard/', labelId: 'nav.dashboard', entries: DASHBOARD_ENTRIES },
];

/** A page of the member: on a phone below a row of links of its menu, elsewhere beside the menus of all. */
export function MemberPages() {
  const t = useText();
  const path = useLocation({ select: ({ pathname }) => pathname });
  const own = MENUS.find((menu) => path.startsWith(menu.path));
  return (
    <SideNav
      label={t('memberPages.near')}
      open={path}
      links={own?.entries
        .filter(({ later }) => !later)
        .map((entry) => <EntryLink key={entry.to} entry={entry} className={SIDE_LINK} />)}
      menu={
        <nav aria-label={t('memberPages.all')} className="flex w-44 shrink-0 flex-col gap-1 max-md:hidden">
          {MENUS.map((menu) => (
            <Folding key={menu.kept} menu={menu} here={menu === own} />
          ))}
        </nav>
      }
    >
      <Outlet />
    </SideNav>
  );
}

/** The same around what the account's streams keep current. */
export function LiveMemberPages() {
  useKeepLive();
  return <MemberPages />;
}

/** What is folded stays so under the keys of spec section 2, as in the menu of a phone; at first the page's own menu is open. */
function Folding(props: { readonly menu: MemberMenu; readonly here: boolean }) {
  const { kept, labelId, entries } = props.menu;
  const t = useText();
  const list = useId();
  const open = useStore(settingsStore, (settings) => settings[kept]) ?? props.here;
  return (
    <div>
      <button
        type="button"
        aria-expanded={open}
        aria-controls={list}
        onClick={() => changeSettings({ [kept]: !open })}
        className="flex min-h-9 w-full items-center justify-between rounded-md px-3 text-[13px] font-medium hover:bg-hover"
      >
        {t(labelId)}
        <ChevronDown
          size={14}
          aria-hidden="true"
          className={classNames('text-faint', open && 'rotate-180')}
        />
      </button>
      <div id={list} hidden={!open} className="pb-2">
        {entries.map((entry) => (
          <EntryLink key={entry.to} entry={entry} className={SIDE_LINK} />
        ))}
      </div>
    </div>
  );
}

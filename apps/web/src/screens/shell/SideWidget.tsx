import { Link } from '@tanstack/react-router';
import { CircleHelp, Megaphone, MessageCircle } from 'lucide-react';
import type { ReactNode } from 'react';
import { useText } from '../../i18n/i18n.ts';
import { bootConfig } from '../../stores/app/boot.ts';
import { MENU_LINK, Menu } from '../../ui/Menu.tsx';
import { HelpLink } from './HelpLink.tsx';

const ENTRY = 'grid size-11 place-items-center text-soft hover:bg-hover hover:text-text';
const PLACE = 'fixed right-4 bottom-6 z-20 rounded-md border border-line bg-panel shadow-float';

/** A page of the operator in a new tab, or the hub's own; named by its icon or by its words. */
function Entry(props: {
  readonly href: string;
  readonly own: '/announcements' | '/support';
  readonly label: string;
  readonly icon: ReactNode;
  readonly words: boolean;
}) {
  const { href, own, label, icon, words } = props;
  const named = words ? { className: MENU_LINK } : { className: ENTRY, 'aria-label': label, title: label };
  const content = words ? label : icon;
  if (href === '')
    return (
      <Link to={own} {...named}>
        {content}
      </Link>
    );
  return (
    <a href={href} target="_blank" rel="noopener noreferrer" {...named}>
      {content}
    </a>
  );
}

function Entries({ words }: { readonly words: boolean }) {
  const t = useText();
  const { announcements, support } = bootConfig().links;
  const help = words
    ? { className: MENU_LINK }
    : { className: ENTRY, icon: <CircleHelp size={18} aria-hidden="true" /> };
  return (
    <>
      <Entry
        {...{ href: announcements, own: '/announcements', label: t('footer.announcements'), words }}
        icon={<Megaphone size={18} aria-hidden="true" />}
      />
      <HelpLink {...help} />
      <Entry
        {...{ href: support, own: '/support', label: t('widget.contact'), words }}
        icon={<MessageCircle size={18} aria-hidden="true" />}
      />
    </>
  );
}

/**
 * Floating links to announcements, help centre and contact (spec section 2): the operator's pages, or the hub's own
 * where he has named none. Where they would lie over the page they stand behind one button and hide as little as possible.
 */
export function SideWidget() {
  const t = useText();
  return (
    <>
      <nav aria-label={t('widget.label')} className={`${PLACE} flex flex-col max-[1400px]:hidden`}>
        <Entries words={false} />
      </nav>
      <nav aria-label={t('widget.label')} className={`${PLACE} right-2! bottom-2! min-[1400px]:hidden`}>
        <Menu
          align="end"
          label={t('widget.label')}
          triggerClass={ENTRY}
          trigger={<CircleHelp size={18} aria-hidden="true" />}
        >
          <Entries words />
        </Menu>
      </nav>
    </>
  );
}

import { Link } from '@tanstack/react-router';
import { CircleHelp, Megaphone, MessageCircle } from 'lucide-react';
import type { ReactNode } from 'react';
import { useText } from '../../i18n/i18n.ts';
import { bootConfig } from '../../stores/app/boot.ts';
import { MENU_LINK, Menu } from '../../ui/Menu.tsx';
import { HelpLink } from './HelpLink.tsx';

const ENTRY = 'grid size-11 place-items-center text-soft hover:bg-hover hover:text-text';
const PLACE = 'fixed right-4 bottom-6 z-20 rounded-md border border-line bg-panel shadow-float';

interface Entry {
  readonly href: string;
  readonly label: string;
  readonly icon: ReactNode;
}

/** A page of the operator, in a new tab; named by its icon or by its words. */
function OperatorLink({ entry, words }: { readonly entry: Entry; readonly words: boolean }) {
  const { href, label, icon } = entry;
  const named = words ? { className: MENU_LINK } : { className: ENTRY, 'aria-label': label, title: label };
  return (
    <a href={href} target="_blank" rel="noopener noreferrer" {...named}>
      {words ? label : icon}
    </a>
  );
}

/** Contact: the operator's page, or what /about says of it. */
function Contact({ words }: { readonly words: boolean }) {
  const t = useText();
  const { support } = bootConfig().links;
  const label = t('widget.contact');
  const icon = <MessageCircle size={18} aria-hidden="true" />;
  if (support !== '') return <OperatorLink entry={{ href: support, label, icon }} words={words} />;
  const named = words ? { className: MENU_LINK } : { className: ENTRY, 'aria-label': label, title: label };
  return (
    <Link to="/about" hash="contact" {...named}>
      {words ? label : icon}
    </Link>
  );
}

/**
 * Floating links to announcements, help centre and contact (spec section 2). Where the operator has named no page, help
 * leads to the questions and answers, contact to what /about says, and announcements are not shown. On a phone they
 * stand behind one button, so that they hide as little as possible.
 */
export function SideWidget() {
  const t = useText();
  const { announcements } = bootConfig().links;
  const label = t('footer.announcements');
  const announcement = { href: announcements, label, icon: <Megaphone size={18} aria-hidden="true" /> };
  return (
    <>
      <nav aria-label={t('widget.label')} className={`${PLACE} flex flex-col max-md:hidden`}>
        {announcements !== '' && <OperatorLink entry={announcement} words={false} />}
        <HelpLink className={ENTRY} icon={<CircleHelp size={18} aria-hidden="true" />} />
        <Contact words={false} />
      </nav>
      <nav aria-label={t('widget.label')} className={`${PLACE} right-2! bottom-2! md:hidden`}>
        <Menu
          align="end"
          label={t('widget.label')}
          triggerClass={ENTRY}
          trigger={<CircleHelp size={18} aria-hidden="true" />}
        >
          {announcements !== '' && <OperatorLink entry={announcement} words />}
          <HelpLink className={MENU_LINK} />
          <Contact words />
        </Menu>
      </nav>
    </>
  );
}

import { Link } from '@tanstack/react-router';
import { CircleHelp, Megaphone, MessageCircle } from 'lucide-react';
import { useText } from '../../i18n/i18n.ts';
import { bootConfig } from '../../stores/boot.ts';
import { HelpLink } from './HelpLink.tsx';

const ENTRY = 'grid size-11 place-items-center text-soft hover:bg-hover hover:text-text';

/**
 * Floating links to announcements, help centre and contact (spec section 2); the operator's pages open in a new tab.
 * Where there is none, help leads to the questions and answers, contact to what /about says, and announcements are not
 * shown.
 */
export function SideWidget() {
  const t = useText();
  const { announcements, support } = bootConfig().links;
  const named = (label: string) => ({ 'aria-label': label, title: label, className: ENTRY });
  const contact = <MessageCircle size={18} aria-hidden="true" />;
  return (
    <nav
      aria-label={t('widget.label')}
      className="fixed right-4 bottom-6 z-20 flex flex-col rounded-md border border-line bg-panel shadow-float max-md:right-2 max-md:bottom-2"
    >
      {announcements !== '' && (
        <a
          href={announcements}
          target="_blank"
          rel="noopener noreferrer"
          {...named(t('footer.announcements'))}
        >
          <Megaphone size={18} aria-hidden="true" />
        </a>
      )}
      <HelpLink className={ENTRY} icon={<CircleHelp size={18} aria-hidden="true" />} />
      {support === '' ? (
        <Link to="/about" hash="contact" {...named(t('widget.contact'))}>
          {contact}
        </Link>
      ) : (
        <a href={support} target="_blank" rel="noopener noreferrer" {...named(t('widget.contact'))}>
          {contact}
        </a>
      )}
    </nav>
  );
}

import { CircleHelp, Megaphone, MessageCircle } from 'lucide-react';
import { useText } from '../../i18n/i18n.ts';
import { bootConfig } from '../../stores/boot.ts';

/** Floating links to announcements, help and contact (spec section 2): only those the operator has configured. */
export function SideWidget() {
  const t = useText();
  const { links } = bootConfig();
  const entries = [
    { href: links.announcements, label: t('footer.announcements'), Icon: Megaphone },
    { href: links.help, label: t('nav.help'), Icon: CircleHelp },
    { href: links.support, label: t('widget.contact'), Icon: MessageCircle },
  ].filter(({ href }) => href !== '');
  if (entries.length === 0) return null;
  return (
    <nav
      aria-label={t('widget.label')}
      className="fixed bottom-6 right-4 z-20 flex flex-col rounded-md border border-line bg-panel shadow-float"
    >
      {entries.map(({ href, label, Icon }) => (
        <a
          key={label}
          href={href}
          target="_blank"
          rel="noopener noreferrer"
          aria-label={label}
          title={label}
          className="grid size-11 place-items-center text-soft hover:bg-hover hover:text-text"
        >
          <Icon size={18} aria-hidden="true" />
        </a>
      ))}
    </nav>
  );
}

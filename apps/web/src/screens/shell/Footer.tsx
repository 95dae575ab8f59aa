import { Link } from '@tanstack/react-router';
import { type MessageId, useText } from '../../i18n/i18n.ts';
import { bootConfig, isPaper } from '../../stores/boot.ts';

const EXTERNAL = [
  ['terms', 'footer.terms'],
  ['privacy', 'footer.privacy'],
  ['announcements', 'footer.announcements'],
  ['products', 'footer.products'],
  ['support', 'footer.support'],
  ['messenger', 'footer.messenger'],
  ['social', 'footer.social'],
] as const satisfies readonly (readonly [string, MessageId])[];

const ABOUT: string = '/about';

/** The footer of spec section 2; external pages that the operator has not named are not shown. */
export function Footer() {
  const t = useText();
  const boot = bootConfig();
  return (
    <footer className="border-t border-line py-5 text-xs text-faint">
      <div className="mx-auto flex max-w-7xl flex-wrap items-center gap-x-5 gap-y-2 px-4">
        <span>
          {boot.productName} {boot.version}
        </span>
        <nav aria-label={t('footer.label')} className="flex flex-wrap gap-x-5 gap-y-2">
          <Link to={ABOUT} className="hover:text-text">
            {t('footer.about')}
          </Link>
          {EXTERNAL.filter(([name]) => boot.links[name] !== '').map(([name, labelId]) => (
            <a
              key={name}
              href={boot.links[name]}
              target="_blank"
              rel="noopener noreferrer"
              className="hover:text-text"
            >
              {t(labelId)}
              <span className="sr-only"> ({t('footer.newTab')})</span>
            </a>
          ))}
        </nav>
        {isPaper(boot) && <p className="ml-auto max-md:ml-0">{t('paper.explain')}</p>}
      </div>
    </footer>
  );
}

import { Link } from '@tanstack/react-router';
import { useText } from '../../i18n/i18n.ts';
import { bootConfig, isPaper } from '../../stores/app/boot.ts';

const LINK = 'hover:text-text max-md:py-1';

const EXTERNAL = [
  ['terms', 'footer.terms'],
  ['privacy', 'footer.privacy'],
  ['announcements', 'footer.announcements'],
  ['products', 'footer.products'],
  ['support', 'footer.support'],
  ['messenger', 'footer.messenger'],
  ['social', 'footer.social'],
] as const;

/** The hub's own page where the operator has named none. */
const OWN = {
  terms: '/terms',
  privacy: '/privacy',
  announcements: '/announcements',
  products: '/market',
  support: '/support',
  messenger: '/community',
  social: '/community',
} as const;

/** The footer of spec section 2. */
export function Footer() {
  const t = useText();
  const boot = bootConfig();
  return (
    <footer className="border-t border-line py-5 text-xs text-faint max-md:pb-16">
      <div className="mx-auto flex max-w-7xl flex-wrap items-center gap-x-5 gap-y-2 px-4">
        <span>
          {boot.productName} {boot.version}
        </span>
        <nav aria-label={t('footer.label')} className="flex flex-wrap gap-x-5 gap-y-2">
          <Link to="/about" className={LINK}>
            {t('footer.about')}
          </Link>
          {EXTERNAL.map(([name, labelId]) => {
            const href = boot.links[name];
            if (href !== '') {
              return (
                <a key={name} href={href} target="_blank" rel="noopener noreferrer" className={LINK}>
                  {t(labelId)}
                  <span className="sr-only"> ({t('footer.newTab')})</span>
                </a>
              );
            }
            return (
              <Link key={name} to={OWN[name]} className={LINK}>
                {t(labelId)}
              </Link>
            );
          })}
        </nav>
        {isPaper(boot) && <p className="ml-auto max-md:ml-0">{t('paper.explain')}</p>}
      </div>
    </footer>
  );
}

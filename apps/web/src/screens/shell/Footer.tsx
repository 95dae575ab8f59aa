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

/** What stands in for a page that the operator has not named; those not here are left out. */
const OWN = {
  products: { to: '/market' },
  support: { to: '/', hash: 'faq' },
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
            return name === 'products' || name === 'support' ? (
              <Link key={name} {...OWN[name]} className={LINK}>
                {t(labelId)}
              </Link>
            ) : null;
          })}
        </nav>
        {isPaper(boot) && <p className="ml-auto max-md:ml-0">{t('paper.explain')}</p>}
      </div>
    </footer>
  );
}

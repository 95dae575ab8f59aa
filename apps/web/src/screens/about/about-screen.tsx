import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { type MessageId, useText } from '../../i18n/i18n.ts';
import '../../i18n/page-words.ts';
import { bootConfig, closedLabel, isPaper } from '../../stores/app/boot.ts';
import { Badge } from '../../ui/states.tsx';

function Part(props: { readonly id?: string; readonly heading: string; readonly children: ReactNode }) {
  return (
    <section id={props.id} className="flex flex-col gap-2 border-t border-line pt-5">
      <h2 className="text-base font-medium">{props.heading}</h2>
      {props.children}
    </section>
  );
}

function Paragraph({ children }: { readonly children: ReactNode }) {
  return <p className="text-[15px] leading-6 text-pretty text-soft">{children}</p>;
}

/** The exchanges of this hub: simulated or live, tradable or coming soon. */
function Exchanges() {
  const t = useText();
  return (
    <ul className="divide-y divide-line rounded-md border border-line bg-panel">
      {bootConfig().platforms.map(({ platform, name, mode, state, paused, restBases }) => (
        <li key={platform} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-3 text-[13px]">
          <span className="w-24 font-medium">{name}</span>
          <Badge tone={mode === 'simulator' ? 'warning' : 'plain'}>
            {t(mode === 'simulator' ? 'about.simulated' : 'about.live')}
          </Badge>
          {state === 'coming-soon' && <Badge>{t(closedLabel({ paused }))}</Badge>}
          <span className="ml-auto text-faint max-md:ml-0 max-md:w-full">
            {t('about.markets')}:{' '}
            {(['SPOT', 'SWAP'] as const)
              .filter((type) => restBases[type] !== undefined)
              .map((type) => t(type === 'SPOT' ? 'nav.spot' : 'nav.futures'))
              .join(', ')}
          </span>
        </li>
      ))}
    </ul>
  );
}

const PAGES = [
  ['terms', 'footer.terms'],
  ['privacy', 'footer.privacy'],
  ['announcements', 'footer.announcements'],
  ['support', 'footer.support'],
  ['help', 'nav.help'],
  ['messenger', 'footer.messenger'],
  ['social', 'footer.social'],
] as const satisfies readonly (readonly [string, MessageId])[];

/** Pages of the operator; support is the hub's own where he names none. */
function Contact() {
  const t = useText();
  const { links } = bootConfig();
  const named = PAGES.filter(([name]) => links[name] !== '');
  return (
    <ul className="flex flex-wrap gap-x-5 gap-y-2 text-[15px]">
      {named.map(([name, labelId]) => (
        <li key={name}>
          <a
            href={links[name]}
            target="_blank"
            rel="noopener noreferrer"
            className="text-link hover:underline"
          >
            {t(labelId)}
            <span className="sr-only"> ({t('footer.newTab')})</span>
          </a>
        </li>
      ))}
      {links.support === '' && (
        <li>
          <Link to="/support" className="text-link hover:underline">
            {t('footer.support')}
          </Link>
        </li>
      )}
    </ul>
  );
}

/** /about: what this is, which exchanges, how funds are kept, version and licence. */
export function AboutScreen() {
  const t = useText();
  const boot = bootConfig();
  const paper = isPaper(boot);
  const name = boot.productName;
  return (
    <article className="mx-auto flex w-full max-w-3xl flex-1 flex-col gap-6 px-4 py-8 lg:py-12">
      <header className="flex flex-col gap-3">
        <h1 className="text-2xl font-medium">{t('about.heading', { name })}</h1>
        <Paragraph>{t('about.what', { name })}</Paragraph>
      </header>
      <Part heading={t('about.exchanges')}>
        <Exchanges />
        <Paragraph>{t(paper ? 'about.exchangesPaper' : 'about.exchangesLive')}</Paragraph>
      </Part>
      <Part heading={t('about.funds')}>
        <Paragraph>{t(boot.money === 'paper' ? 'about.fundsPaper' : 'about.fundsLive')}</Paragraph>
        <Paragraph>{t('about.ledger')}</Paragraph>
      </Part>
      <Part heading={t('about.software')}>
        <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-1 text-[15px]">
          <dt className="text-faint">{t('about.version')}</dt>
          <dd>
            {name} {boot.version}
          </dd>
          <dt className="text-faint">{t('about.licence')}</dt>
          <dd>Apache License 2.0</dd>
        </dl>
        <p className="text-[15px]">
          <a href="/docs/api" className="text-link hover:underline">
            {t('about.api')}
          </a>
        </p>
      </Part>
      <Part id="contact" heading={t('about.contact')}>
        <Contact />
        <p className="text-[15px]">
          <Link to="/" hash="faq" className="text-link hover:underline">
            {t('about.faq')}
          </Link>
        </p>
      </Part>
    </article>
  );
}

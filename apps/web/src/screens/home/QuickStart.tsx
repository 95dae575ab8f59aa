import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { type MessageId, useText } from '../../i18n/i18n.ts';
import { bootConfig } from '../../stores/app/boot.ts';
import { FIRST_PAIR, tradeLink } from '../../stores/market/market.ts';

interface Step {
  readonly id: 'register' | 'funds' | 'order' | 'follow';
  readonly link: (label: ReactNode) => ReactNode;
}

const LINK = 'text-link hover:underline';

const STEPS: readonly Step[] = [
  {
    id: 'register',
    link: (label) => (
      <Link to="/regist" className={LINK}>
        {label}
      </Link>
    ),
  },
  {
    id: 'funds',
    link: (label) => (
      <Link to="/wallet/WalletOverviewSub" hash="funds" className={LINK}>
        {label}
      </Link>
    ),
  },
  {
    id: 'order',
    link: (label) => (
      <Link {...tradeLink(FIRST_PAIR)} className={LINK}>
        {label}
      </Link>
    ),
  },
  {
    id: 'follow',
    link: (label) => (
      <Link to="/history/spot_trading_overview" className={LINK}>
        {label}
      </Link>
    ),
  },
];

/** From the first page to the first order in four steps, each with its place. */
export function QuickStart() {
  const t = useText();
  // Real money is deposited; paper money is asked for.
  const kind = bootConfig().money;
  const textId = (id: Step['id']): MessageId => (id === 'funds' ? `guide.funds.${kind}` : `guide.${id}`);
  const linkId = (id: Step['id']): MessageId =>
    id === 'funds' ? `guide.funds.${kind}.link` : `guide.${id}.link`;
  return (
    <section aria-labelledby="guide" className="flex flex-col gap-3">
      <h2 id="guide" className="text-lg font-medium">
        {t('guide.heading')}
      </h2>
      <ol className="grid gap-4 sm:grid-cols-2 lg:grid-cols-4">
        {STEPS.map(({ id, link }, at) => (
          <li key={id} className="flex flex-col gap-2 rounded-md border border-line bg-panel p-4">
            <span aria-hidden="true" className="text-xs text-faint">
              {at + 1}
            </span>
            <p className="text-[13px] leading-5 text-pretty text-soft">{t(textId(id))}</p>
            <p className="mt-auto text-[13px]">{link(t(linkId(id)))}</p>
          </li>
        ))}
      </ol>
    </section>
  );
}

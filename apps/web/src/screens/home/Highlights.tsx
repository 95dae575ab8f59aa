import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useText } from '../../i18n/i18n.ts';
import { bootConfig, closedLabel } from '../../stores/app/boot.ts';
import { defaultMarket, FIRST_MARKET, isSpotFree, tradeLink } from '../../stores/market/market.ts';
import { Carousel, type Slide } from '../../ui/Carousel.tsx';
import { Badge } from '../../ui/states.tsx';

function Card(props: {
  readonly heading: string;
  readonly text: string;
  readonly badge?: ReactNode;
  readonly link?: ReactNode;
}) {
  return (
    <article className="flex h-full min-h-40 flex-col gap-2 rounded-md border border-line bg-panel p-4">
      <h3 className="flex flex-wrap items-center gap-2 text-[15px] font-medium">
        {props.heading}
        {props.badge}
      </h3>
      <p className="text-[13px] leading-5 text-pretty text-soft">{props.text}</p>
      {props.link !== undefined && <p className="mt-auto pt-1 text-[13px]">{props.link}</p>}
    </article>
  );
}

const LINK = 'text-link hover:underline';

/**
 * What the hub offers, in the words of spec section 1 as far as they are true here: the custody sentence is not said of
 * simulated funds.
 */
export function Highlights() {
  const t = useText();
  const { platforms, money } = bootConfig();
  const free = platforms.find(({ platform }) => isSpotFree(platform));
  const slides: readonly (Slide | undefined)[] = [
    {
      id: 'price',
      content: (
        <Card
          heading={t('home.ai.heading')}
          text={t('home.ai.text')}
          link={
            <Link {...tradeLink(FIRST_MARKET)} className={LINK}>
              {t('home.ai.link')}
            </Link>
          }
        />
      ),
    },
    free && {
      id: 'fee',
      content: (
        <Card
          heading={t('home.fee.heading', { venue: free.name })}
          text={t(free.state === 'live' ? 'home.fee.text' : 'home.fee.soon', { venue: free.name })}
          badge={free.state === 'coming-soon' && <Badge>{t(closedLabel(free))}</Badge>}
          link={
            <Link {...tradeLink(defaultMarket(free.platform, 'SPOT'))} className={LINK}>
              {t('home.fee.link', { venue: free.name })}
            </Link>
          }
        />
      ),
    },
    {
      id: 'custody',
      content: (
        <Card
          heading={t('home.custody.heading')}
          text={t(money === 'paper' ? 'home.custody.paper' : 'home.custody.live')}
          badge={money === 'paper' && <Badge tone="warning">{t('home.custody.simulated')}</Badge>}
          link={
            <Link to="/about" className={LINK}>
              {t('home.custody.link')}
            </Link>
          }
        />
      ),
    },
    {
      id: 'data',
      content: (
        <Card
          heading={t('home.data.heading')}
          text={t('home.data.text')}
          link={
            <Link to="/marketData" className={LINK}>
              {t('home.data.link')}
            </Link>
          }
        />
      ),
    },
    {
      id: 'ledger',
      content: <Card heading={t('home.ledger.heading')} text={t('home.ledger.text')} />,
    },
  ];
  return (
    <Carousel
      label={t('home.highlights')}
      heading={<h2 className="text-lg font-medium">{t('home.highlights')}</h2>}
      previous={t('carousel.previous')}
      next={t('carousel.next')}
      slides={slides.filter((slide) => slide !== undefined)}
    />
  );
}

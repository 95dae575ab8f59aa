import { platformFacts } from '@crossbook/domain';
import { Link } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';
import { useEffect } from 'react';
import { useStore } from 'zustand';
import { type BestOffer, basisPointsText } from '../../../calculators/market/best-offers.ts';
import { groupThousands } from '../../../calculators/step-text.ts';
import { useText } from '../../../i18n/i18n.ts';
import {
  instrumentsOf,
  instrumentsStore,
  type ListedInstrument,
  loadInstruments,
} from '../../../stores/market/instruments.ts';
import { tradeLink } from '../../../stores/market/market.ts';
import { platformsWith } from '../../../stores/market-lists/use-markets.ts';
import { classNames } from '../../../ui/class-names.ts';
import { useBestOffers } from './use-best-offers.ts';

const DASH = '–';

function Offer(props: {
  readonly side: 'ask' | 'bid';
  readonly offer: BestOffer;
  readonly instrument: ListedInstrument;
}) {
  const { side, offer, instrument } = props;
  const text = useText();
  const { base, quote, symbolType, platform } = instrument;
  const there = useStore(instrumentsStore, (state) =>
    instrumentsOf(state, offer.platform, symbolType).find((row) => row.base === base && row.quote === quote),
  );
  const here = offer.platform === platform;
  const venue = platformFacts(offer.platform).name;
  const line = (
    <>
      <span className="text-faint lg:w-[60px]">
        {text(side === 'ask' ? 'trade.best.ask' : 'trade.best.bid')}
      </span>
      <span className="flex items-center gap-1.5 lg:flex-1">
        <span className="text-soft lg:ml-auto">{here ? text('trade.best.here') : venue}</span>
        <span className={classNames('num lg:w-[56px]', here ? 'text-faint' : 'text-text')}>
          {here ? DASH : text('trade.best.bp', { points: basisPointsText(offer.basisPoints) })}
        </span>
        <ChevronRight
          size={12}
          aria-hidden="true"
          className={classNames('shrink-0 text-faint', (here || there === undefined) && 'invisible')}
        />
      </span>
    </>
  );
  const shape =
    'flex h-5 items-center gap-1.5 rounded-sm px-1 text-[11px] whitespace-nowrap max-lg:h-12 max-lg:flex-1 max-lg:flex-col max-lg:items-start max-lg:justify-center max-lg:gap-0 max-lg:px-3 max-lg:leading-[18px]';
  if (here || there === undefined) return <div className={shape}>{line}</div>;
  return (
    <Link
      {...tradeLink(there)}
      title={text('trade.best.open', { venue, price: groupThousands(offer.price) })}
      className={classNames(shape, 'hover:bg-hover')}
    >
      {line}
    </Link>
  );
}

/**
 * Where this coin is cheapest to buy and dearest to sell right now, with the difference to the price on screen. The
 * place is kept while there is nothing to compare; what nobody vouches for any more is not shown.
 */
export function BestOffersLine({
  instrument,
  stale,
  className,
}: {
  readonly instrument: ListedInstrument;
  /** The price on screen is old: nothing is compared with it. */
  readonly stale: boolean;
  readonly className?: string;
}) {
  const text = useText();
  const { offers, old } = useBestOffers(instrument);
  const { symbolType } = instrument;
  useEffect(() => {
    for (const platform of platformsWith(symbolType)) void loadInstruments(platform);
  }, [symbolType]);
  const shown = !old && !stale && offers !== undefined;
  return (
    <section aria-label={text('trade.best.label')} className={className}>
      {shown && (
        <>
          <Offer side="ask" offer={offers.ask} instrument={instrument} />
          <Offer side="bid" offer={offers.bid} instrument={instrument} />
        </>
      )}
    </section>
  );
}

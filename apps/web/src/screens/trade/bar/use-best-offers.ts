import type { BestFrame } from '@crossbook/contract';
import { type Platform, toNumberForDisplay } from '@crossbook/domain';
import { useEffect, useRef } from 'react';
import { BEST_AGE_MILLIS_MAX, type BestOffers, bestOffers } from '../../../calculators/market/best-offers.ts';
import { bootPlatform } from '../../../stores/app/boot.ts';
import type { ListedInstrument } from '../../../stores/market/instruments.ts';
import { follow, liveStore } from '../../../stores/market/live.ts';
import { isOfMarket, marketKey, streamName, takerFee } from '../../../stores/market/market.ts';
import { useMarketSample } from '../live/live-hooks.ts';
import { isVouched } from '../live/live-market.ts';

/** How often the comparison is looked at: it is read, not traded on. */
const LOOK_EVERY_MILLIS = 500;

/** What is known of the coin at all venues. `old`: the newest comparison is too old to be shown as true. */
interface OffersSeen {
  readonly offers: BestOffers | undefined;
  /** Venues whose book of the coin is live. */
  readonly live: readonly Platform[];
  readonly old: boolean;
}

const NONE: OffersSeen = { offers: undefined, live: [], old: true };

function same(left: OffersSeen, right: OffersSeen): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

/** The best offers for the coin on screen, twice a second. What the hub has not said or vouched for lately is old. */
export function useBestOffers(instrument: ListedInstrument): OffersSeen {
  const { platform, base, symbolType } = instrument;
  const newest = useRef<{ readonly frame: BestFrame; readonly at: number }>(undefined);
  useEffect(() => {
    newest.current = undefined;
    return follow(platform, { ch: 'bbo', ...streamName({ symbol: base, symbolType }) }, (frame) => {
      newest.current = { frame, at: performance.now() };
    });
  }, [platform, base, symbolType]);
  const seen = useMarketSample(
    marketKey(instrument),
    () => {
      const last = newest.current;
      // A frame of the coin before, in the moment of a change.
      if (last === undefined || !isOfMarket(last.frame, streamName({ symbol: base, symbolType })))
        return NONE;
      const status = liveStore.getState()[platform];
      const at = performance.now();
      // The hub sends a frame at every change, also when a venue's book is no longer live: silence means unchanged for
      // as long as the hub is heard at all.
      const heard = at - last.at <= BEST_AGE_MILLIS_MAX || isVouched(status, symbolType, at);
      const old = status?.phase !== 'open' || !heard;
      const live = old ? [] : last.frame.d.map(([venue]) => venue);
      const feeOf = (venue: Platform): number | undefined => {
        const boot = bootPlatform(venue);
        const open = boot?.state === 'live' && boot.symbolTypes.includes(symbolType);
        return open ? toNumberForDisplay(takerFee(venue, symbolType)) : undefined;
      };
      return { offers: bestOffers(last.frame.d, platform, feeOf), live, old };
    },
    LOOK_EVERY_MILLIS,
    same,
  );
  return seen ?? NONE;
}

import { platformFacts, stepsToAmount } from '@crossbook/domain';
import { useCallback, useMemo } from 'react';
import { useStore } from 'zustand';
import type { TicketFacts } from '../../../calculators/ticket/ticket.ts';
import { bootPlatform } from '../../../stores/app/boot.ts';
import type { ListedInstrument } from '../../../stores/market/instruments.ts';
import { liveStore } from '../../../stores/market/live.ts';
import { marketKey, spotOffer } from '../../../stores/market/market.ts';
import { availableOf, balancesStore } from '../../../stores/wallet/balances.ts';
import { useMarketSample } from '../live/live-hooks.ts';
import { freshness, isKnown, type LiveMarket } from '../live/live-market.ts';
import { type MarketWalk, useMarketWalk } from '../live/use-market-walk.ts';

/** How often the ticket's estimates follow the market: they are read, not traded on. */
const BEST_EVERY_MILLIS = 500;

interface Best {
  readonly bid: number | undefined;
  readonly ask: number | undefined;
  readonly stale: boolean;
  readonly known: boolean;
}

const NOTHING: Best = { bid: undefined, ask: undefined, stale: true, known: false };

function bestOf(market: LiveMarket, { platform, symbolType }: ListedInstrument): Best {
  return {
    ...{ bid: market.book.book.bestBid(), ask: market.book.book.bestAsk() },
    stale: freshness(market, liveStore.getState()[platform], symbolType, performance.now()).unpriced,
    known: isKnown(market, symbolType),
  };
}

function sameBest(left: Best, right: Best): boolean {
  return (Object.keys(NOTHING) as (keyof Best)[]).every((name) => left[name] === right[name]);
}

/** Facts of the ticket: `shown` for rendering, twice a second; `read` for the moment of a click. */
export interface TicketWorld {
  readonly shown: TicketFacts;
  readonly read: () => TicketFacts;
  /**
   * For the button: as `read`, but prices that were shown as fresh count as that. What is judged by them while the button can be
   * pressed must not stop the press; the hub asks for their age itself.
   */
  readonly pressed: () => TicketFacts;
  /** Whether the market's first prices are here; nothing is sent before that. */
  readonly known: boolean;
  readonly walk: MarketWalk;
  /** False until the balances of the trading wallet were read. */
  readonly balancesReady: boolean;
}

/** Gathers what the ticket must know from the stores. */
export function useTicketFacts(market: LiveMarket, instrument: ListedInstrument): TicketWorld {
  const { platform } = instrument;
  const wallet = platformFacts(platform).platformType;
  const balancesReady = useStore(balancesStore, ({ wallets }) => wallets[wallet]?.status === 'ready');
  const availableBase = useStore(balancesStore, (state) => availableOf(state, wallet, instrument.base));
  const availableQuote = useStore(balancesStore, (state) => availableOf(state, wallet, instrument.quote));
  const platformOpen = bootPlatform(platform)?.state === 'live';
  const best =
    useMarketSample(marketKey(instrument), () => bestOf(market, instrument), BEST_EVERY_MILLIS, sameBest) ??
    NOTHING;
  const fixed = useMemo(
    () => ({
      instrument,
      offer: spotOffer(platform),
      makerFee: instrument.makerFee,
      takerFee: instrument.takerFee,
      availableBase: balancesReady ? availableBase : undefined,
      availableQuote: balancesReady ? availableQuote : undefined,
      platformOpen,
    }),
    [instrument, platform, balancesReady, availableBase, availableQuote, platformOpen],
  );
  const facts = useCallback(
    ({ bid, ask, stale }: Best): TicketFacts => ({
      ...fixed,
      bestBid: bid === undefined ? undefined : stepsToAmount(bid, instrument.tickSize),
      bestAsk: ask === undefined ? undefined : stepsToAmount(ask, instrument.tickSize),
      priceStale: stale,
    }),
    [fixed, instrument],
  );
  const read = useCallback(() => facts(bestOf(market, instrument)), [facts, market, instrument]);
  const shown = useMemo(() => facts(best), [facts, best]);
  const pressed = useCallback((): TicketFacts => {
    const now = read();
    const bestBid = now.bestBid ?? shown.bestBid;
    return { ...now, bestBid, bestAsk: now.bestAsk ?? shown.bestAsk, priceStale: shown.priceStale };
  }, [read, shown]);
  const walk = useMarketWalk(market, instrument);
  return { shown, read, walk, pressed, known: best.known, balancesReady };
}

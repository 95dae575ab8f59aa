import type { Millis, Platform } from '@crossbook/domain';
import type { Config } from '../config.ts';
import type { Database } from '../storage/postgres/database.ts';
import { createEquityStore } from '../storage/stores/equity-store.ts';
import { createEquityDesk, type EquityDeps, type EquityDesk } from '../wallets/equity.ts';
import { createLastPrices, type PriceSource } from '../wallets/last-prices.ts';
import type { LastPrices } from '../wallets/ports.ts';
import { timers } from './outside/outside.ts';
import { type OpenVenue, publicHalf } from './venues/venues.ts';

/** What the estimated balance is made of. */
export interface EquityParts {
  readonly config: Config;
  readonly database: Database;
  readonly venues: ReadonlyMap<Platform, OpenVenue>;
  readonly clock: () => Millis;
  readonly note: EquityDeps['note'];
}

/** The estimated balance, and the last spot prices that it is told by. */
export interface EquityPart extends EquityDesk {
  readonly lastPrices: LastPrices;
}

/** Puts the estimated balance together: priced by the spot tickers of all platforms, in their order. */
export function composeEquity({ config, database, venues, clock, note }: EquityParts): EquityPart {
  const sources = [...venues.keys()]
    .toSorted((left, right) => left - right)
    .flatMap((platform) => priceSource({ config, venues, clock, note }, platform));
  const lastPrices = createLastPrices({ sources, clock, after: timers.after, note });
  const desk = createEquityDesk({
    equities: createEquityStore(database),
    every: timers.every,
    ...{ lastPrices, clock, note },
  });
  return { ...desk, lastPrices };
}

/** A platform's spot tickers as prices of coins; the tickers name symbols, its listing knows whose they are. */
function priceSource(
  { config, venues, clock, note }: Pick<EquityParts, 'config' | 'venues' | 'clock' | 'note'>,
  platform: Platform,
): readonly PriceSource[] {
  const venue = config.venues.find((one) => one.platform === platform);
  const open = venues.get(platform);
  if (venue === undefined || open === undefined) return [];
  const { listing } = open.market;
  const { rest } = publicHalf({ venue, door: open.door }, 'SPOT', { clock, note });
  return [
    {
      name: String(platform),
      async read() {
        // Without the listing nothing could be told, which must not pass for a venue that lists nothing.
        if (listing.all().length === 0) return undefined;
        const answer = await rest.tickers('SPOT');
        if (!answer.ok) return undefined;
        const prices = new Map<string, string>();
        for (const { symbol, lastPrice } of answer.value) {
          const instrument = listing.find(symbol);
          if (instrument !== undefined && instrument.quote === 'USDT') prices.set(instrument.base, lastPrice);
        }
        return prices;
      },
    },
  ];
}

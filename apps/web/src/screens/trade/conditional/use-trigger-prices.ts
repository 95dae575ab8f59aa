import { type Amount, parseAmount, type TriggerBy } from '@crossbook/domain';
import { useMemo } from 'react';
import { type MarketName, marketKey } from '../../../stores/market/market.ts';
import { useMarketSample } from '../live/live-hooks.ts';
import type { LiveMarket } from '../live/live-market.ts';

/** How often the ticket follows the prices that triggers follow. */
const EVERY_MILLIS = 500;

/** The newest last, mark and index price of the market on screen, as far as they are known. */
export function useTriggerPrices(
  market: LiveMarket,
  instrument: MarketName,
): Readonly<Partial<Record<TriggerBy, Amount | undefined>>> {
  const sampled = useMarketSample(
    marketKey(instrument),
    () => {
      const { last, mark, index } = market.ticker.stats() ?? {};
      return JSON.stringify({ last, mark, index });
    },
    EVERY_MILLIS,
  );
  const shown = sampled ?? '{}';
  return useMemo(() => {
    const said: Readonly<Partial<Record<TriggerBy, string>>> = JSON.parse(shown);
    return Object.fromEntries(Object.entries(said).map(([by, price]) => [by, parseAmount(price)]));
  }, [shown]);
}

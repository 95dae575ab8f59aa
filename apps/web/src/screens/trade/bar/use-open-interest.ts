import { useEffect, useState } from 'react';
import type { ListedInstrument } from '../../../stores/market/instruments.ts';
import { marketKey } from '../../../stores/market/market.ts';
import type { TickerStore } from '../../../stores/market/ticker.ts';
import { venueRest } from '../../../stores/market/venue-rest.ts';
import { repeatWhileShown } from '../../../stores/market-lists/tickers.ts';
import { useMarketSample } from '../live/live-hooks.ts';

/**
 * Open interest of a perpetual in base coins: as the stream tells it, or read by REST every 10 s from the venues that
 * tell it nowhere else. `undefined` for a pair, and until it is known.
 */
export function useOpenInterest(instrument: ListedInstrument, ticker: TickerStore): string | undefined {
  const [read, setRead] = useState<{ readonly of: string; readonly value: string | undefined }>();
  const of = marketKey(instrument);
  const reported = useMarketSample(of, () => ticker.stats()?.interest, 1_000);
  const priced = useMarketSample(of, () => ticker.stats() !== undefined, 1_000);
  const asks = instrument.symbolType === 'SWAP' && priced === true && reported === undefined;
  useEffect(() => {
    if (!asks) return;
    let gone = false;
    const ask = async (): Promise<void> => {
      const rest = await venueRest(instrument.platform, 'SWAP', [instrument]);
      const answer = await rest?.openInterest([instrument]);
      // Failures are silent (spec section 8); an old figure would pass for the present one.
      const value = answer?.ok === true ? answer.value.get(instrument.symbol) : undefined;
      if (!gone) setRead({ of, value });
    };
    const stop = repeatWhileShown(() => void ask());
    return () => {
      gone = true;
      stop();
    };
  }, [asks, instrument, of]);
  return reported ?? (read?.of === of ? read.value : undefined);
}

import { useEffect } from 'react';
import { useStore } from 'zustand';
import { settingsStore } from '../../../stores/app/settings.ts';
import type { ListedInstrument } from '../../../stores/market/instruments.ts';
import type { TapeStore } from '../../../stores/market/tape.ts';
import { startLater } from './start-later.ts';

/** Says large trades of the market on screen where the member asked for it. */
export function useLargeTrades(tape: TapeStore, instrument: ListedInstrument): void {
  const wanted = useStore(settingsStore, ({ volumeAlert }) => volumeAlert);
  useEffect(() => {
    if (!wanted) return undefined;
    return startLater(async () => {
      const { watchLargeTrades } = await import('../../../stores/market/large-trades.ts');
      return () => watchLargeTrades(tape, instrument);
    });
  }, [wanted, tape, instrument]);
}

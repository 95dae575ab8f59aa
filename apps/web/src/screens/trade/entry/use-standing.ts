import { platformFacts } from '@crossbook/domain';
import { useStore } from 'zustand';
import { type ButtonFacts, type DeadReason, deadReason } from '../../../calculators/contracts/dead-reason.ts';
import { bootConfig, bootPlatform } from '../../../stores/app/boot.ts';
import type { ListedInstrument } from '../../../stores/market/instruments.ts';
import { liveStore } from '../../../stores/market/live.ts';
import { useOpening } from './use-opening.ts';

/** What of hub and exchange decides whether something can be opened. */
export function useStanding(
  instrument: ListedInstrument,
  { setting, waits }: Pick<ButtonFacts, 'setting' | 'waits'>,
): Omit<ButtonFacts, 'closes'> {
  const { platform, symbol } = instrument;
  const opening = useOpening(instrument, setting === 'failed');
  const live = useStore(liveStore, (state) => state[platform]);
  const update = live?.venues.SWAP;
  return {
    ...{ setting, opening, trading: instrument.status === 'trading' },
    platformLive: bootPlatform(platform)?.state === 'live',
    serverAway: live?.phase === 'failed',
    downSince: update?.state === 'down' ? update.millis : undefined,
    ...{ venue: platformFacts(platform).name, product: bootConfig().productName, symbol, waits },
  };
}

/** What opening waits for at a position's exchange: what closes or protects it goes out all the same, with this beside it. */
export function useDoubt(instrument: ListedInstrument, old: boolean): DeadReason | undefined {
  const facts = useStanding(instrument, { setting: 'known', waits: old ? 'fresh' : undefined });
  return deadReason({ ...facts, closes: false });
}

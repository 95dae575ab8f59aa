import { platformFacts } from '@crossbook/domain';
import { type ButtonFacts, type DeadReason, deadReason } from '../../../calculators/contracts/dead-reason.ts';
import { bootConfig, bootPlatform } from '../../../stores/app/boot.ts';
import type { ListedInstrument } from '../../../stores/market/instruments.ts';
import { liveStore } from '../../../stores/market/live.ts';
import type { ContractTicketWorld } from './use-contract-facts.ts';
import { useOpening } from './use-opening.ts';

/**
 * Why nothing can be sent now; `undefined` where it can.
 * @returns with it the doubt that an order which only closes is sent with.
 */
export function useDeadReason(
  world: ContractTicketWorld,
  instrument: ListedInstrument,
  { closes, waits }: Pick<ButtonFacts, 'closes' | 'waits'>,
): { readonly reason: DeadReason | undefined; readonly doubt: DeadReason | undefined } {
  const { setting } = world.shown;
  const { platform, symbol } = instrument;
  const failed = setting === undefined && world.settingStatus === 'failed';
  const opening = useOpening(instrument, failed);
  const live = liveStore.getState()[platform];
  const update = live?.venues.SWAP;
  const facts: Omit<ButtonFacts, 'closes'> = {
    setting: setting !== undefined ? 'known' : failed ? 'failed' : 'loading',
    ...{ opening, trading: instrument.status === 'trading' },
    platformLive: bootPlatform(platform)?.state === 'live',
    serverAway: live?.phase === 'failed',
    downSince: update?.state === 'down' ? update.millis : undefined,
    ...{ venue: platformFacts(platform).name, product: bootConfig().productName, symbol, waits },
  };
  const reason = deadReason({ ...facts, closes });
  return {
    reason,
    doubt: closes && reason === undefined ? deadReason({ ...facts, closes: false }) : undefined,
  };
}

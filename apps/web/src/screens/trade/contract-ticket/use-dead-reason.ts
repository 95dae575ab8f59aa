import { type ButtonFacts, type DeadReason, deadReason } from '../../../calculators/contracts/dead-reason.ts';
import type { ListedInstrument } from '../../../stores/market/instruments.ts';
import { useStanding } from '../entry/use-standing.ts';
import type { ContractTicketWorld } from './use-contract-facts.ts';

/**
 * Why nothing can be sent now; `undefined` where it can.
 * @returns with it the doubt that an order which only closes is sent with.
 */
export function useDeadReason(
  world: ContractTicketWorld,
  instrument: ListedInstrument,
  { closes, waits }: Pick<ButtonFacts, 'closes' | 'waits'>,
): { readonly reason: DeadReason | undefined; readonly doubt: DeadReason | undefined } {
  const known = world.shown.setting !== undefined;
  const setting = known ? 'known' : world.settingStatus === 'failed' ? 'failed' : 'loading';
  const facts = useStanding(instrument, { setting, waits });
  const reason = deadReason({ ...facts, closes });
  return {
    reason,
    doubt: closes && reason === undefined ? deadReason({ ...facts, closes: false }) : undefined,
  };
}

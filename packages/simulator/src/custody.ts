import type { Amount, PlatformSlug } from '@crossbook/domain';
import { MASTER_LABEL, masterOf } from './accounts/labels.ts';
import { HOUSE } from './accounts/state/balances.ts';
import type { SimulatedVenue } from './simulated-venue.ts';

/** Funds that go from one venue's master account to another's, as a custodian would send them on a chain. */
export interface CustodyMove {
  readonly from: SimulatedVenue;
  readonly to: SimulatedVenue;
  readonly asset: string;
  readonly amount: Amount;
  /** The same id again is the same move. */
  readonly moveId: string;
}

/** Why a move was refused; nothing moved. */
export type CustodyRefusal = 'INSUFFICIENT_BALANCE' | 'ID_REUSED';

// Longer than any id a venue lets its clients choose, so that no transfer of theirs can be taken for a move.
function legId(moveId: string, leg: 'out' | 'in', venue: PlatformSlug): string {
  return `custody move, ${leg} of the account at ${venue}: ${moveId}`;
}

/**
 * Moves free funds between two venues. Each leg is one transfer in the journal of its own venue, from or to the house
 * there, under an id made from the move's: the funds leave first, durably, and then arrive. A process that ends between
 * the two leaves a move that asking again finishes; nothing is created or lost, whoever asks how often.
 * @returns whether this very call made the funds arrive, or why nothing moved.
 */
export async function moveCustody(move: CustodyMove): Promise<boolean | CustodyRefusal> {
  const { from, to, asset, amount, moveId } = move;
  const source = masterOf(from.spot);
  if (source === undefined) return 'INSUFFICIENT_BALANCE';
  const target = await to.spot.openAccount(MASTER_LABEL);
  const arrival = legId(moveId, 'in', to.slug);
  const known = to.spot.findTransfer(arrival);
  if (known !== undefined && (known.asset !== asset || known.amount !== amount)) return 'ID_REUSED';
  const leaving = legId(moveId, 'out', from.slug);
  const left = await from.spot.transfer({ from: source, to: HOUSE, asset, amount, transferId: leaving });
  if (!left.ok) return left.code;
  const arrived = to.spot.findTransfer(arrival) !== undefined;
  const got = await to.spot.transfer({ from: HOUSE, to: target, asset, amount, transferId: arrival });
  if (!got.ok) return got.code;
  return !arrived;
}

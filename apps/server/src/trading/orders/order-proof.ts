import type { Amount, Millis } from '@crossbook/domain';
import type { OrderUpdate } from './on-venue-event.ts';

/** What the venue says that an order asks for, and when it was asked. */
export interface TermsRead {
  readonly price?: Amount;
  readonly quantity?: Amount;
  readonly askedAt: Millis;
}

/** What decides an order. */
export type OrderProof =
  | {
      readonly update: OrderUpdate;
      /** What it asks for at the venue; read where a change of it is under way. */
      readonly terms?: TermsRead;
      /** The venue has only taken the order: what it met at once must be heard or asked. */
      readonly receiptOnly?: boolean;
      /** The answer to the request that sent the order, in the lane that made its row: no fill can be booked yet. */
      readonly first?: boolean;
    }
  /** A definitive refusal, in the venue's words. */
  | { readonly refused: string }
  /** It has ended without more than is booked: never taken, or taken and forgotten. */
  | { readonly absent: 'failed' | 'cancelled' };

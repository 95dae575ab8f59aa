import type { Amount, Millis, OrderId } from '@crossbook/domain';
import type { CompanionWrite } from '@crossbook/ledger';

/** What an operator asks the running hub to do with an order of which no rule can prove anything. */
export interface OperatorRequest {
  readonly id: string;
  readonly orderId: OrderId;
  readonly operator: string;
  readonly reason: string;
  /** Two people asked for exactly this; the database holds the request to what they signed. */
  readonly signedByTwo: boolean;
  /** What it executed beyond what is booked; without it the order ends with what is booked. */
  readonly filled?: { readonly quantity: Amount; readonly quoteQuantity: Amount };
  /** What was booked of it when this was asked for; the command does not say. */
  readonly seen?: { readonly quantity: Amount; readonly quoteQuantity: Amount };
}

/** What became of a request, with all that it was decided by. */
export interface OperatorAnswer {
  readonly outcome: 'done' | 'refused';
  readonly answer: string;
  readonly evidence: Readonly<Record<string, unknown>>;
}

/** Where requests wait and answers are kept; the audit of them is append-only. */
export interface OperatorStore {
  waiting(): Promise<readonly OperatorRequest[]>;
  /** Answer and audit row; they travel with what was decided, and refuse a request that is answered already. */
  answered(request: OperatorRequest, answer: OperatorAnswer, at: Millis): CompanionWrite;
}

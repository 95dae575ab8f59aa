import type { AccountNumber } from '../../../exchange.ts';
import { BoundedMap } from '../../wire/bounded-map.ts';

/** Accounts whose notes are kept; the oldest is forgotten first. */
const ACCOUNTS_MAX = 10_000;
/** Notes of one kind that are kept of an account. */
const NOTES_PER_ACCOUNT_MAX = 500;

/** Isolated margin that a member added or took. */
export interface MarginNote {
  readonly symbol: string;
  readonly type: 1 | 2;
  readonly deltaType: 'USER_ADJUST';
  readonly amount: string;
  readonly asset: string;
  readonly time: number;
  readonly positionSide: string;
}

/** One change of an open order by its member. */
export interface AmendmentNote {
  readonly amendmentId: number;
  readonly orderId: number;
  readonly symbol: string;
  readonly pair: string;
  readonly clientOrderId: string;
  readonly time: number;
  readonly amendment: object;
}

/** The newest notes of each account, in the order in which they were made. */
class NoteShelf<Note> {
  readonly #byAccount = new BoundedMap<AccountNumber, Note[]>(ACCOUNTS_MAX);

  add(account: AccountNumber, note: Note): void {
    const notes = [...this.of(account), note].slice(-NOTES_PER_ACCOUNT_MAX);
    this.#byAccount.set(account, notes);
  }

  of(account: AccountNumber): readonly Note[] {
    return this.#byAccount.get(account) ?? [];
  }
}

/** What members changed that no figure of the venue depends on; it is told until the process ends, and no longer. */
export class ChangeNotes {
  readonly margins = new NoteShelf<MarginNote>();
  readonly amendments = new NoteShelf<AmendmentNote>();
  #amendmentId = 0;

  nextAmendmentId(): number {
    this.#amendmentId += 1;
    return this.#amendmentId;
  }
}

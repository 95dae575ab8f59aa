/** Transfers remembered by their `transId`; the oldest go first. The core knows them by the client's id for ever. */
const NOTES_MAX = 20_000;

/** What the core does not keep of a transfer. */
export interface TransferNote {
  /** The core's id. */
  readonly transferId: string;
  readonly type: string;
  readonly subAcct: string;
  readonly clientId: string;
}

/** What clients may ask about a transfer by the id that the venue gave it. */
export class TransferNotes {
  readonly #notes = new Map<string, TransferNote>();

  note(transId: string, note: TransferNote): void {
    if (this.#notes.size >= NOTES_MAX) {
      const oldest = this.#notes.keys().next().value;
      if (oldest !== undefined) this.#notes.delete(oldest);
    }
    this.#notes.set(transId, note);
  }

  find(transId: string): TransferNote | undefined {
    return this.#notes.get(transId);
  }
}

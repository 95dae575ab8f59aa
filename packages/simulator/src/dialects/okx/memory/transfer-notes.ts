import { BoundedMap } from '../../wire/bounded-map.ts';

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
export class TransferNotes extends BoundedMap<string, TransferNote> {
  constructor() {
    super(NOTES_MAX);
  }
}

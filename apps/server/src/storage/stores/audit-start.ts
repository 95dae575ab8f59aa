import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** A place of the chain: how many rows it covers, and the keyed hash over all of them. */
export interface AuditHead {
  readonly seq: number;
  /** 64 hex digits. */
  readonly hash: string;
}

/** The keys of a chain; none of them is in the database as it is. */
export interface AuditKeys {
  readonly current: Uint8Array;
  /** Oldest first: each hashed the places up to `until`, and after the one before. */
  readonly former?: readonly { readonly key: Uint8Array; readonly until: number }[];
}

/** The journals of money that the chain has seals of. */
export type JournalName = 'decisions' | 'transfers';

/** Seals of a journal that are gone with their rows of the chain: how far they went, and a digest over all of them in their order. */
export interface CarriedSeals {
  readonly until: number;
  readonly digest: string;
}
/** Of every journal. */
export type Carried = Readonly<Record<JournalName, CarriedSeals>>;

/** Nothing was ever cut. */
export const NOTHING_CARRIED: Carried = {
  decisions: { until: 0, digest: '' },
  transfers: { until: 0, digest: '' },
};

/** The digest over the seals before and one more. */
export function carry(
  digest: string,
  seal: { readonly after: number; readonly until: number; readonly digest: string },
): string {
  return createHash('sha256').update(`${digest} ${seal.after} ${seal.until} ${seal.digest}`).digest('hex');
}

/** Where the chain begins since rows were cut: the last place that is gone. */
export interface AuditCut extends AuditHead {
  /** The newest place of the chain when it was signed. */
  readonly newest: number;
  readonly carried: Carried;
}

/** The key that is good for a place. */
export function keyAt(seq: number, { current, former = [] }: AuditKeys): Uint8Array {
  return former.find(({ until }) => seq <= until)?.key ?? current;
}

/** Keyed, over everything that a cut says. */
export function signatureOf({ seq, hash, newest, carried }: AuditCut, keys: AuditKeys): string {
  const { decisions, transfers } = carried;
  const said = [
    'cut 1',
    seq,
    hash,
    newest,
    decisions.until,
    decisions.digest,
    transfers.until,
    transfers.digest,
  ];
  return createHmac('sha256', keyAt(newest, keys)).update(JSON.stringify(said)).digest('hex');
}

interface CutRow {
  readonly seq: string;
  readonly hash: string;
  readonly newest: string;
  readonly decisions_until: string;
  readonly decisions_digest: string;
  readonly transfers_until: string;
  readonly transfers_digest: string;
  readonly signature: string;
}

/** What asks the database: itself, or the client of a transaction. */
type Asks = { query(text: string): Promise<readonly CutRow[] | { readonly rows: readonly CutRow[] }> };

/** The newest cut, and whether who has the key has signed it; `undefined` where nothing was ever cut. */
export async function newestCut(
  database: Asks,
  keys: AuditKeys,
): Promise<{ readonly cut: AuditCut; readonly signed: boolean } | undefined> {
  const answer = await database.query('select * from audit_cuts order by seq desc limit 1');
  const [row] = 'rows' in answer ? answer.rows : answer;
  if (row === undefined) return undefined;
  const cut: AuditCut = {
    ...{ seq: Number(row.seq), hash: row.hash, newest: Number(row.newest) },
    carried: {
      decisions: { until: Number(row.decisions_until), digest: row.decisions_digest },
      transfers: { until: Number(row.transfers_until), digest: row.transfers_digest },
    },
  };
  const signature = Buffer.from(signatureOf(cut, keys), 'hex');
  return { cut, signed: timingSafeEqual(signature, Buffer.from(row.signature, 'hex')) };
}

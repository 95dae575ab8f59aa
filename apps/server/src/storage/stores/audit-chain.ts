import { createHmac } from 'node:crypto';
import type { PoolClient } from 'pg';
import { ADVISORY_LOCKS } from '../postgres/advisory-locks.ts';
import type { Database } from '../postgres/database.ts';
import { type AuditCut, type AuditHead, type AuditKeys, keyAt, newestCut } from './audit-start.ts';

/** What is wrong with the chain, at the first place where it is. */
export interface AuditBreak {
  /** The place; absent for a row that has none. */
  readonly seq?: number;
  /** Id of the row in audit_log. */
  readonly entry?: string;
  readonly what:
    | 'changed or swapped'
    | 'removed'
    | 'place missing'
    | 'never sealed'
    | 'newest rows cut off'
    | 'beginning not signed';
}

/** What a verification found. */
export interface AuditVerdict {
  /** Newest place that was verified; `seq` 0 for an empty chain. */
  readonly head: AuditHead;
  /** Rows that wait for their place: normal for a second, or while no hub runs. */
  readonly waiting: number;
  /** Where it begins, once rows of before were cut. */
  readonly cut?: AuditCut;
  /** Absent = intact. */
  readonly broken?: AuditBreak;
}

/** The chain over audit_log, for one holder of its key. */
export interface AuditChain {
  /** Gives rows that have committed their places, in one transaction. @returns the new head, if there were any. */
  seal(): Promise<AuditHead | undefined>;
  /**
   * Goes through the whole log.
   * @param known the newest head as it is kept outside of the database: without it a tail that was cut is not seen.
   */
  verify(known?: AuditHead): Promise<AuditVerdict>;
}

/** How many rows are sealed in one transaction and read at once. */
const ROWS_MAX = 500;
const ANY_WAITING = { name: 'audit-waiting', text: 'select entry from audit_unsealed limit 1' };
const FORMAT_VERSION = 1;
/** Before the first place. */
export const AUDIT_BEGIN: AuditHead = { seq: 0, hash: '0'.repeat(64) };

/** Everything that is hashed of a row, as text and in this order; `id` is null where the row is gone. */
export const AUDIT_COLUMNS = [
  ...['id', 'at', 'actor_kind', 'actor', 'address', 'call', 'subject', 'outcome', 'reason', 'details'],
] as const;
/** A row as it is hashed. */
export type AuditRow = Readonly<Record<(typeof AUDIT_COLUMNS)[number], string | null>>;
/** The same as a statement reads it. */
export const AUDIT_SELECTED = AUDIT_COLUMNS.map((name) => `l.${name}::text as ${name}`).join(', ');

/** A version byte, then each column as UTF-8 with its length before it: no two rows are alike in bytes. */
function canonical(row: AuditRow): Buffer {
  const parts = AUDIT_COLUMNS.flatMap((name) => {
    const bytes = Buffer.from(row[name] ?? '', 'utf8');
    const length = Buffer.alloc(8);
    length.writeBigUInt64BE(BigInt(bytes.length));
    return [length, bytes];
  });
  return Buffer.concat([Buffer.from([FORMAT_VERSION]), ...parts]);
}

/** The head that a row makes after the one before. */
export function headAfter(before: AuditHead, row: AuditRow, keys: AuditKeys): AuditHead {
  const seq = before.seq + 1;
  const mac = createHmac('sha256', keyAt(seq, keys)).update(`${seq} ${before.hash} `).update(canonical(row));
  return { seq, hash: mac.digest('hex') };
}

async function sealWaiting(client: PoolClient, keys: AuditKeys): Promise<AuditHead | undefined> {
  const lock = await client.query<{ got: boolean }>('select pg_try_advisory_xact_lock($1) as got', [
    ADVISORY_LOCKS.audit,
  ]);
  if (lock.rows[0]?.got !== true) return undefined;
  const { rows } = await client.query<AuditRow>(
    `select ${AUDIT_SELECTED} from audit_unsealed u join audit_log l on l.id = u.entry order by u.entry limit ${ROWS_MAX}`,
  );
  if (rows.length === 0) return undefined;
  const newest = await client.query<{ seq: string; hash: string }>(
    'select seq, hash from audit_heads order by seq desc limit 1',
  );
  let head = newest.rows.map(({ seq, hash }) => ({ seq: Number(seq), hash }))[0] ?? AUDIT_BEGIN;
  const heads = rows.map((row) => {
    head = headAfter(head, row, keys);
    return { ...head, entry: row.id };
  });
  await client.query(
    'insert into audit_heads (seq, entry, hash) select * from unnest($1::bigint[], $2::bigint[], $3::text[])',
    [heads.map(({ seq }) => seq), heads.map(({ entry }) => entry), heads.map(({ hash }) => hash)],
  );
  await client.query('delete from audit_unsealed where entry = any($1::bigint[])', [
    rows.map(({ id }) => id),
  ]);
  return head;
}

/** A place with its row. */
export type AuditLink = AuditRow & { readonly seq: string; readonly entry: string; readonly hash: string };

/** What is wrong with a place, seen from the one before. */
export function breakAt(link: AuditLink, before: AuditHead, keys: AuditKeys): AuditBreak | undefined {
  const { entry } = link;
  const after = headAfter(before, link, keys);
  if (Number(link.seq) !== after.seq) return { seq: after.seq, what: 'place missing' };
  if (link.id === null) return { seq: after.seq, entry, what: 'removed' };
  return link.hash === after.hash ? undefined : { seq: after.seq, entry, what: 'changed or swapped' };
}

/** Rows outside of the chain: how many wait, and the first that nobody would ever seal. */
async function outside(database: Database): Promise<{ waiting: number; broken?: AuditBreak }> {
  const [row] = await database.query<{ waiting: number; lost: string | null }>(
    `select count(u.entry)::int as waiting, min(l.id) filter (where u.entry is null) as lost
     from audit_log l left join audit_unsealed u on u.entry = l.id
     where not exists (select from audit_heads h where h.entry = l.id)`,
  );
  const { waiting = 0, lost = null } = row ?? {};
  return { waiting, ...(lost === null ? {} : { broken: { entry: lost, what: 'never sealed' } }) };
}

/**
 * Seals all that waits, in the transaction of whatever changes the key.
 * @returns the last place under these keys. @throws Error while another one seals.
 */
export async function sealToTheEnd(client: PoolClient, keys: AuditKeys): Promise<number> {
  while ((await sealWaiting(client, keys)) !== undefined);
  const { rows } = await client.query<{ waiting: boolean; seq: string }>(
    'select exists (select from audit_unsealed) as waiting, (select coalesce(max(seq), 0) from audit_heads)::text as seq',
  );
  if (rows[0]?.waiting !== false) throw new Error('the audit log is being sealed by another process');
  return Number(rows[0].seq);
}

/** Goes through the log from where it begins. */
async function verifyFrom(
  database: Database,
  keys: AuditKeys,
  from: Awaited<ReturnType<typeof newestCut>>,
  known: AuditHead | undefined,
): Promise<AuditVerdict> {
  if (from?.signed === false)
    return { head: AUDIT_BEGIN, waiting: 0, broken: { seq: from.cut.seq, what: 'beginning not signed' } };
  const start = from === undefined ? {} : { cut: from.cut };
  let head: AuditHead = from === undefined ? AUDIT_BEGIN : { seq: from.cut.seq, hash: from.cut.hash };
  let knownHash = head.hash;
  while (true) {
    const links = await database.query<AuditLink>(
      `select h.seq::text, h.entry::text, h.hash, ${AUDIT_SELECTED} from audit_heads h
         left join audit_log l on l.id = h.entry where h.seq > $1 order by h.seq limit ${ROWS_MAX}`,
      [head.seq],
    );
    for (const link of links) {
      const broken = breakAt(link, head, keys);
      if (broken !== undefined) return { head, ...start, waiting: 0, broken };
      head = { seq: Number(link.seq), hash: link.hash };
      if (head.seq === known?.seq) knownHash = head.hash;
    }
    if (links.length < ROWS_MAX) break;
  }
  // A head of before the beginning is compared with nothing any more.
  if (known !== undefined && known.seq >= (from?.cut.seq ?? 0) && knownHash !== known.hash)
    return { head, ...start, waiting: 0, broken: { seq: known.seq, what: 'newest rows cut off' } };
  return { head, ...start, ...(await outside(database)) };
}

/** @param keys of this purpose alone. */
export function createAuditChain(database: Database, keys: AuditKeys): AuditChain {
  return {
    async seal() {
      // Most of the time nothing waits: that costs one small read.
      const [waiting] = await database.query(ANY_WAITING);
      return waiting && database.withTransaction((client) => sealWaiting(client, keys));
    },
    async verify(known) {
      while (true) {
        const from = await newestCut(database, keys);
        const verdict = await verifyFrom(database, keys, from, known);
        // What was cut while it was being read is no break: it is read anew from there.
        if (verdict.broken === undefined || from?.cut.seq === (await newestCut(database, keys))?.cut.seq)
          return verdict;
      }
    },
  };
}

/**
 * Verifies a chain, and then what it has seals of.
 * @param rest what is wrong with that, after a beginning.
 */
export async function verifyWith<Broken>(
  chain: Pick<AuditChain, 'verify'>,
  known: AuditHead | undefined,
  rest: (cut: AuditCut | undefined) => Promise<Broken | undefined>,
): Promise<{ readonly verdict: AuditVerdict; readonly broken: AuditBreak | Broken | undefined }> {
  let verdict = await chain.verify(known);
  while (true) {
    const broken = verdict.broken ?? (await rest(verdict.cut));
    if (broken === undefined || verdict.broken !== undefined) return { verdict, broken };
    const again = await chain.verify(known);
    // Seals that were cut meanwhile are looked for where they are carried now.
    if (again.broken === undefined && again.cut?.seq === verdict.cut?.seq) return { verdict, broken };
    verdict = again;
  }
}

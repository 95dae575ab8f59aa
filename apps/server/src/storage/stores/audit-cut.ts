import type { Millis } from '@crossbook/domain';
import type { PoolClient } from 'pg';
import { ADVISORY_LOCKS } from '../postgres/advisory-locks.ts';
import type { Database } from '../postgres/database.ts';
import {
  AUDIT_BEGIN,
  AUDIT_SELECTED,
  type AuditChain,
  type AuditLink,
  breakAt,
  createAuditChain,
} from './audit-chain.ts';
import { appendAudit } from './audit-log.ts';
import {
  type AuditCut,
  type AuditHead,
  type AuditKeys,
  type Carried,
  carry,
  type JournalName,
  NOTHING_CARRIED,
  newestCut,
  signatureOf,
} from './audit-start.ts';
import { SEALED } from './journal-seals.ts';

/** Places that one cut takes at most. */
const PLACES_MAX = 5_000;
/** Cuts of one turn; the next turn goes on. */
const CUTS_MAX = 20;

/** A chain whose old rows go. */
export interface CutChain {
  readonly chain: AuditChain;
  /** Cuts what is older than seven years by the database's clock. Nothing is cut that is not as it was sealed. @returns how many rows went. */
  cut(): Promise<number>;
}

type Sealed = Partial<
  Record<JournalName, { readonly after: number; readonly until: number; readonly digest: string }>
>;

/** What the seals of a row add to those that are gone. */
function carriedBy(before: Carried, { call, details }: AuditLink): Carried {
  if (call !== SEALED || details === null) return before;
  const sealed = JSON.parse(details) as Sealed;
  const next = (name: JournalName) => {
    const seal = sealed[name];
    return seal === undefined
      ? before[name]
      : { until: seal.until, digest: carry(before[name].digest, seal) };
  };
  return { decisions: next('decisions'), transfers: next('transfers') };
}

async function cutOnce(client: PoolClient, keys: AuditKeys, now: Millis): Promise<number> {
  const lock = await client.query<{ got: boolean }>('select pg_try_advisory_xact_lock($1) as got', [
    ADVISORY_LOCKS.audit,
  ]);
  if (lock.rows[0]?.got !== true) return 0;
  const former = await newestCut(client, keys);
  if (former?.signed === false) return 0;
  const from: AuditHead = former?.cut ?? AUDIT_BEGIN;
  const { rows: links } = await client.query<AuditLink>(
    `select h.seq::text, h.entry::text, h.hash, ${AUDIT_SELECTED} from audit_heads h
     left join audit_log l on l.id = h.entry where h.seq > $1 order by h.seq limit ${PLACES_MAX}`,
    [from.seq],
  );
  const limits = await client.query<{ since: string; newest: string }>(
    'select audit_kept_since()::text as since, (select coalesce(max(seq), 0) from audit_heads)::text as newest',
  );
  const { since = '0', newest = '0' } = limits.rows[0] ?? {};
  let head = from;
  let carried = former?.cut.carried ?? NOTHING_CARRIED;
  for (const link of links) {
    // The newest place stays: the head that is kept outside of the database is compared with it.
    if (Number(link.at) >= Number(since) || link.seq === newest) break;
    if (breakAt(link, head, keys) !== undefined) return 0;
    head = { seq: Number(link.seq), hash: link.hash };
    carried = carriedBy(carried, link);
  }
  const rows = head.seq - from.seq;
  if (rows === 0) return 0;
  const cut: AuditCut = { ...head, newest: Number(newest), carried };
  const { decisions, transfers } = carried;
  await client.query('select audit_cut($1, $2, $3, $4, $5, $6, $7, $8)', [
    ...[cut.seq, cut.hash, cut.newest, decisions.until, decisions.digest],
    ...[transfers.until, transfers.digest, signatureOf(cut, keys)],
  ]);
  await appendAudit(client, {
    ...{ at: now, actor: { kind: 'system', id: 'the audit log' }, call: 'audit/cut' },
    ...{ subject: `place ${cut.seq}`, outcome: 'ok', details: { rows, hash: cut.hash } },
  });
  return rows;
}

/** The chain over a database, and what cuts it. @param clock time of day, for the row that tells of it. */
export function cutChain(database: Database, keys: AuditKeys, clock: () => Millis): CutChain {
  return {
    chain: createAuditChain(database, keys),
    async cut() {
      let gone = 0;
      for (let cuts = 0; cuts < CUTS_MAX; cuts += 1) {
        const rows = await database.withTransaction((client) => cutOnce(client, keys, clock()));
        gone += rows;
        if (rows < PLACES_MAX) break;
      }
      return gone;
    },
  };
}

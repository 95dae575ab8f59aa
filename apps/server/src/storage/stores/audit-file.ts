import type { PoolClient } from 'pg';
import {
  AUDIT_BEGIN,
  AUDIT_COLUMNS,
  AUDIT_SELECTED,
  type AuditLink,
  breakAt,
  headAfter,
} from './audit-chain.ts';
import type { AuditHead, AuditKeys } from './audit-start.ts';

/**
 * The audit log as a file: JSON lines. A section begins with a line that says after which place it goes on and how many places
 * follow; each of those is a line with every column as it was hashed. Sections that follow one another may stand in one file.
 */

/** How many places a section has at most. */
const PLACES_MAX = 5_000;
const FORMAT = 'crossbook audit log 1';

interface SectionHead {
  readonly format: typeof FORMAT;
  readonly after: AuditHead;
  readonly places: number;
  /** The newest place of the log when the section was written. */
  readonly newest: number;
}

/** What the verification of a file found. */
export interface AuditFileVerdict {
  /** The place before the first one. */
  readonly after: number;
  /** The last place that was verified. */
  readonly head: AuditHead;
  /** Absent = intact; else what is wrong, at which line. */
  readonly broken?: { readonly line: number; readonly what: string };
}

/** The places after one, or after the newest that was cut, as a section. A place that is not there yet gives a section without places. */
export async function auditFile(
  client: Pick<PoolClient, 'query'>,
  asked: number,
): Promise<{ readonly bytes: Uint8Array; readonly places: number }> {
  const { rows: cuts } = await client.query<{ seq: string; hash: string }>(
    'select seq, hash from audit_cuts order by seq desc limit 1',
  );
  const cut = cuts.map(({ seq, hash }) => ({ seq: Number(seq), hash }))[0] ?? AUDIT_BEGIN;
  const after = Math.max(asked, cut.seq);
  const links = await client.query<AuditLink>(
    `select h.seq::text, h.entry::text, h.hash, ${AUDIT_SELECTED} from audit_heads h
     left join audit_log l on l.id = h.entry where h.seq > $1 order by h.seq limit ${PLACES_MAX}`,
    [after],
  );
  const heads = await client.query<{ hash: string | null; newest: string }>(
    `select (select hash from audit_heads where seq = $1) as hash,
       (select coalesce(max(seq), 0) from audit_heads)::text as newest`,
    [after],
  );
  const { hash = null, newest = '0' } = heads.rows[0] ?? {};
  const head: SectionHead = {
    format: FORMAT,
    after: after === cut.seq ? cut : { seq: after, hash: hash ?? AUDIT_BEGIN.hash },
    places: links.rows.length,
    newest: Number(newest),
  };
  const lines = [head, ...links.rows].map((line) => `${JSON.stringify(line)}\n`);
  return { bytes: new TextEncoder().encode(lines.join('')), places: links.rows.length };
}

function parsed(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function sectionOf(value: Readonly<Record<string, unknown>> | undefined): SectionHead | undefined {
  if (value?.format !== FORMAT) return undefined;
  const { seq, hash } = (value.after ?? {}) as { readonly seq?: unknown; readonly hash?: unknown };
  const isWhole = Number.isSafeInteger(seq) && typeof hash === 'string' && Number.isSafeInteger(value.places);
  return isWhole ? (value as unknown as SectionHead) : undefined;
}

/** A place as it was written, also one whose row is gone; `undefined` for what is none. */
function linkOf(value: Readonly<Record<string, unknown>> | undefined): AuditLink | undefined {
  if (value === undefined || 'format' in value) return undefined;
  const isText = [...AUDIT_COLUMNS, 'seq', 'hash', 'entry'].every(
    (name) => typeof value[name] === 'string' || (value.id === null && value[name] === null),
  );
  const isOwn = value.id === null || value.id === value.entry;
  return isText && isOwn ? (value as unknown as AuditLink) : undefined;
}

/** Recomputes the chain of a file. @param keys of the log that it was written from. */
export function verifyAuditFile(text: string, keys: AuditKeys): AuditFileVerdict {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  let [head, after, owed] = [AUDIT_BEGIN, 0, 0];
  for (const [index, line] of lines.entries()) {
    const broken = (what: string): AuditFileVerdict => ({ after, head, broken: { line: index + 1, what } });
    const value = parsed(line);
    if (owed === 0) {
      const section = sectionOf(value);
      if (section === undefined) return broken('no section begins here');
      const isFirst = index === 0;
      if (!isFirst && (section.after.seq !== head.seq || section.after.hash !== head.hash))
        return broken('does not go on where the section before ended');
      head = { seq: section.after.seq, hash: section.after.hash };
      if (isFirst) after = head.seq;
      if (head.seq === 0 && head.hash !== AUDIT_BEGIN.hash) return broken('begins after nothing with a hash');
      owed = section.places;
      continue;
    }
    const link = linkOf(value);
    if (link === undefined) return broken('no place of the log');
    const wrong = breakAt(link, head, keys);
    if (wrong !== undefined) return broken(wrong.what);
    head = headAfter(head, link, keys);
    owed -= 1;
  }
  if (owed > 0 || lines.length === 0)
    return { after, head, broken: { line: lines.length + 1, what: 'lines are missing at the end' } };
  return { after, head };
}

import type { PoolClient } from 'pg';
import { ADVISORY_LOCKS } from '../postgres/advisory-locks.ts';
import type { Database } from '../postgres/database.ts';

/** What is set field by field: rewards, currencies, and currencies on networks. */
export type SettingKind = 'fee' | 'currency' | 'network';

/** A field as two admins have set it. */
export interface StoredSetting {
  readonly id: string;
  readonly kind: SettingKind;
  readonly subject: string;
  readonly field: string;
  readonly value: string;
  readonly at: number;
  readonly effectiveAt: number;
  readonly by: string;
  readonly reason: string;
  /** Set, and not begun yet. */
  readonly waits: boolean;
}

interface SettingColumns {
  readonly id: string;
  readonly kind: SettingKind;
  readonly subject: string;
  readonly field: string;
  readonly value: string;
  readonly at: string;
  readonly effective_at: string;
  readonly actor: string;
  readonly reason: string;
  readonly waits: boolean;
}

/** How a field stands: in force, and next; without either what is shipped holds. */
export interface FieldStanding {
  readonly now?: StoredSetting;
  readonly next?: StoredSetting;
}

/** Fields by name. */
export type Fields = ReadonlyMap<string, FieldStanding>;

const COLUMNS = `c.id, c.kind, c.subject, c.field, c.value, floor(extract(epoch from c.at) * 1000)::bigint as at,
  floor(extract(epoch from c.effective_at) * 1000)::bigint as effective_at, c.actor, c.reason,
  c.effective_at > clock_timestamp()
    and c.id = (select max(n.id) from offer_changes n
      where n.kind = c.kind and n.subject = c.subject and n.field = c.field) as waits`;
/** In force and newest, which are often one. */
const OF_FIELDS = `cross join lateral (
    select offer_in_force($1, f.subject, f.field) as id
    union
    (select n.id from offer_changes n where n.kind = $1 and n.subject = f.subject and n.field = f.field
     order by n.id desc limit 1)) s
  join offer_changes c on c.id = s.id
  order by c.id`;
const OF_KIND = {
  name: 'settings-of-kind',
  text: `select ${COLUMNS} from offer_ever_set($1) f ${OF_FIELDS}`,
};
const OF_SUBJECT = {
  name: 'settings-of-subject',
  text: `select ${COLUMNS} from (select $2::text as subject, f.field from unnest($3::text[]) f (field)) f ${OF_FIELDS}`,
};

function settingOf({ at, effective_at, actor: by, ...row }: SettingColumns): StoredSetting {
  return { ...row, at: Number(at), effectiveAt: Number(effective_at), by };
}

function standing(rows: readonly SettingColumns[]): ReadonlyMap<string, Fields> {
  const subjects = new Map<string, Map<string, FieldStanding>>();
  for (const row of rows.map(settingOf)) {
    const fields = subjects.get(row.subject) ?? new Map<string, FieldStanding>();
    subjects.set(row.subject, fields);
    fields.set(row.field, { ...fields.get(row.field), ...(row.waits ? { next: row } : { now: row }) });
  }
  return subjects;
}

/** How every subject of a kind stands of which anything was ever set, by the clock of the database. */
export async function settingsOf(
  database: Database,
  kind: SettingKind,
): Promise<ReadonlyMap<string, Fields>> {
  return standing(await database.query<SettingColumns>(OF_KIND, [kind]));
}

/** How one subject stands. */
export async function settingOfSubject(
  database: Database,
  kind: SettingKind,
  { subject, fields }: { readonly subject: string; readonly fields: readonly string[] },
): Promise<Fields> {
  const rows = await database.query<SettingColumns>(OF_SUBJECT, [kind, subject, [...fields]]);
  return standing(rows).get(subject) ?? new Map();
}

/** What was set, the newest first. */
export async function settingHistory(database: Database, limit: number): Promise<readonly StoredSetting[]> {
  const text = `select ${COLUMNS} from offer_changes c order by c.id desc limit $1`;
  return (await database.query<SettingColumns>(text, [limit])).map(settingOf);
}

/** The newest change of a subject; '0' for none. */
const NEWEST = `select coalesce(max(id), 0)::text as id from offer_changes where kind = $1 and subject = $2`;

/** Which change of a subject is the newest, as a decision compares it. */
export async function newestSetting(database: Database, kind: SettingKind, subject: string): Promise<string> {
  const [row] = await database.query<{ id: string }>(NEWEST, [kind, subject]);
  return row?.id ?? '0';
}

/** Fields as they are set together. */
export interface NewSettings {
  readonly kind: SettingKind;
  readonly subject: string;
  /** By field. */
  readonly set: Readonly<Record<string, string>>;
  /** What held where nothing was ever set. */
  readonly was: Readonly<Record<string, string>>;
  /** The newest change that both have seen. */
  readonly standing: string;
  readonly by: string;
  readonly reason: string;
  readonly approval: string;
}

/** Sets fields, in the transaction of the decision. @returns false where another change has come between. */
export async function setSettings(
  client: PoolClient,
  { kind, subject, set, was, standing: seen, by, reason, approval }: NewSettings,
): Promise<boolean> {
  await client.query('select pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.settings]);
  const { rows } = await client.query<{ id: string }>(NEWEST, [kind, subject]);
  if (rows[0]?.id !== seen) return false;
  for (const [field, value] of Object.entries(set))
    await client.query(
      `insert into offer_changes (kind, subject, field, value, was, actor, reason, approval)
       values ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [kind, subject, field, value, was[field] ?? value, by, reason, approval],
    );
  return true;
}

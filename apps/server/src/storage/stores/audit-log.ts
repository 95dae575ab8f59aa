import type { Millis } from '@crossbook/domain';
import type { Database, SqlValue } from '../postgres/database.ts';

/** One decision about money or security. Never holds a secret, a code, a document or a whole contact. */
export interface AuditEntry {
  readonly at: Millis;
  readonly actor: {
    readonly kind: 'member' | 'operator' | 'system' | 'anonymous';
    /** A member's id, or the operator as his machine knows him. */
    readonly id: string;
  };
  /** Where it came from; absent where nobody called. */
  readonly address?: string;
  /** A call's name, or a command's: `user/usernew`, `money-gate/closed`. */
  readonly call: string;
  /** What it was done to, where that is not the actor: `order 0193...`. */
  readonly subject?: string;
  /** `ok`, or the refusal by its name in the catalogue. */
  readonly outcome: string;
  readonly reason?: string;
  /** Ids, amounts and names of choices. */
  readonly details?: object;
}

/** What takes a statement: a database, or the client of a transaction. */
export interface TakesStatements {
  query(statement: string, values: SqlValue[]): Promise<unknown>;
}

/** Writes an entry, in the transaction of what it tells of; it gets its place in the chain within about a second. */
export async function appendAudit(client: TakesStatements, entry: AuditEntry): Promise<void> {
  const { at, actor, address = '', call, subject = '', outcome, reason = '', details = {} } = entry;
  await client.query(
    `insert into audit_log (at, actor_kind, actor, address, call, subject, outcome, reason, details)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [at, actor.kind, actor.id, address, call, subject, outcome, reason, JSON.stringify(details)],
  );
}

/** Writes entries of which nothing else is told, in one transaction. */
export async function appendAll(database: Database, entries: readonly AuditEntry[]): Promise<void> {
  await database.withTransaction(async (client) => {
    for (const entry of entries) await appendAudit(client, entry);
  });
}

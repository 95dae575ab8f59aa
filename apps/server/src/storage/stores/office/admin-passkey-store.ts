import type { Millis } from '@crossbook/domain';
import type { PoolClient } from 'pg';
import {
  type AdminPasskey,
  type AdminPasskeyStore,
  PASSKEYS_PER_ADMIN_MAX,
  type UsedPasskey,
} from '../../../back-office/passkey-ports.ts';
import type { ActingAdmin } from '../../../back-office/ports.ts';
import type { Database } from '../../postgres/database.ts';
import { appendAudit } from '../audit-log.ts';
import { adminActor, beginSession, openChanges } from './admin-store.ts';

interface PasskeyRow {
  readonly id: string;
  readonly admin: number;
  readonly credential_id: string;
  readonly user_handle: string;
  readonly public_key: Buffer;
  readonly transports: readonly string[];
  readonly backed_up: boolean;
  readonly name: string;
  readonly created_at: string;
  readonly last_used_at: string | null;
}

/** Of admins who count: who was ended, or lost his secrets, has none. */
const PASSKEYS = `select p.id, p.admin, p.credential_id, p.user_handle, p.public_key, p.transports, p.backed_up, p.name,
    p.created_at, p.last_used_at
  from admin_passkeys p join admins a on a.id = p.admin and a.disabled_at is null and not a.demo`;

function passkeyOf(row: PasskeyRow): AdminPasskey {
  const { id, admin, transports, backed_up: backedUp, name, last_used_at: used } = row;
  return {
    ...{ id, admin, transports, backedUp, name, credentialId: row.credential_id, handle: row.user_handle },
    publicKey: Uint8Array.from(row.public_key),
    createdAt: Number(row.created_at) as Millis,
    lastUsedAt: used === null ? undefined : (Number(used) as Millis),
  };
}

/** Undoes a use from inside its transaction. */
class NotProved extends Error {
  override readonly name = 'NotProved';
}

/** Whether the work of a transaction was done; what a proof that does not count had written is undone. */
async function whetherDone(work: Promise<unknown>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    if (error instanceof NotProved) return false;
    throw error;
  }
}

async function useChallenge(
  client: PoolClient,
  { hash, expiresAt }: UsedPasskey['challenge'],
): Promise<void> {
  const used = await client.query(
    'insert into used_challenges (hash, expires_at) values ($1, $2) on conflict do nothing',
    [hash, expiresAt],
  );
  if (used.rowCount !== 1) throw new NotProved();
}

async function usePasskey(client: PoolClient, used: UsedPasskey, now: Millis): Promise<void> {
  await useChallenge(client, used.challenge);
  // Those that are synced do not count; one that counts and went back has a copy somewhere.
  const counted = await client.query(
    `update admin_passkeys p set counter = $3, backed_up = $4, last_used_at = $5 from admins a
     where p.id = $1 and p.admin = $2 and (p.counter < $3 or (p.counter = 0 and $3 = 0))
       and a.id = p.admin and a.disabled_at is null and not a.demo`,
    [used.id, used.admin, used.counter, used.backedUp, now],
  );
  if (counted.rowCount !== 1) throw new NotProved();
}

async function note(
  client: PoolClient,
  { admin, address, now }: ActingAdmin,
  entry: { readonly call: string; readonly passkey: string },
): Promise<void> {
  await appendAudit(client, {
    ...{ at: now, actor: adminActor(admin), address, call: entry.call, outcome: 'ok' },
    details: { passkey: entry.passkey },
  });
}

function changes(database: Database): Pick<AdminPasskeyStore, 'add' | 'remove'> {
  return {
    async add(acting, passkey, challenge) {
      const { id, credentialId, handle, publicKey, counter, transports, aaguid, rpId, backedUp, name } =
        passkey;
      let outcome: 'ok' | 'passkey-limit' = 'ok';
      const done = await whetherDone(
        database.withTransaction(async (client) => {
          await useChallenge(client, challenge);
          // Those of one admin follow one another.
          const there = await client.query(
            'select from admins where id = $1 and disabled_at is null and not demo for update',
            [acting.admin],
          );
          if (there.rowCount !== 1) throw new NotProved();
          const { rows } = await client.query<{ n: string }>(
            'select count(*) as n from admin_passkeys where admin = $1',
            [acting.admin],
          );
          if (Number(rows[0]?.n) >= PASSKEYS_PER_ADMIN_MAX) {
            outcome = 'passkey-limit';
            return;
          }
          const made = await client.query(
            `insert into admin_passkeys (id, admin, credential_id, user_handle, public_key, counter, transports, aaguid,
               rp_id, backed_up, name, created_at)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) on conflict do nothing`,
            [
              ...[
                id,
                acting.admin,
                credentialId,
                handle,
                Buffer.from(publicKey),
                counter,
                transports,
                aaguid,
              ],
              ...[rpId, backedUp, name, acting.now],
            ],
          );
          if (made.rowCount !== 1) throw new NotProved();
          await note(client, acting, { call: 'x/admin/PasskeyAdd', passkey: id });
        }),
      );
      return done ? outcome : 'passkey-failed';
    },
    remove: (acting, id) =>
      database.withTransaction(async (client) => {
        const gone = await client.query('delete from admin_passkeys where id = $1 and admin = $2', [
          id,
          acting.admin,
        ]);
        if (gone.rowCount !== 1) return false;
        await note(client, acting, { call: 'x/admin/PasskeyRemove', passkey: id });
        return true;
      }),
  };
}

/** Passkeys of admins on PostgreSQL. */
export function adminPasskeyStore(database: Database): AdminPasskeyStore {
  return {
    ...changes(database),
    async of(admin) {
      const rows = await database.query<PasskeyRow>(
        `${PASSKEYS} where p.admin = $1 order by p.created_at, p.id`,
        [admin],
      );
      return rows.map(passkeyOf);
    },
    async byCredential(credentialId) {
      const [row] = await database.query<PasskeyRow>(`${PASSKEYS} where p.credential_id = $1`, [
        credentialId,
      ]);
      return row && passkeyOf(row);
    },
    logIn: (used, session) =>
      whetherDone(
        database.withTransaction(async (client) => {
          await usePasskey(client, used, session.createdAt);
          await beginSession(client, { admin: used.admin, call: 'x/admin/PasskeyLogIn', session });
        }),
      ),
    stepUp: (acting, used, provedUntil) =>
      whetherDone(
        database.withTransaction(async (client) => {
          await usePasskey(client, used, acting.now);
          await openChanges(client, acting, provedUntil);
        }),
      ),
  };
}

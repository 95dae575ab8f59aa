import type { Millis, UserId } from '@crossbook/domain';
import type { PoolClient } from 'pg';
import {
  type NewPasskey,
  PASSKEYS_PER_MEMBER_MAX,
  type PasskeyStore,
  type StoredPasskey,
} from '../../../accounts/passkey-ports.ts';
import type { Effect, SecurityAct } from '../../../accounts/security-ports.ts';
import type { Database } from '../../postgres/database.ts';

interface PasskeyRow {
  readonly id: string;
  readonly member: number;
  readonly credential_id: string;
  readonly public_key: Buffer;
  readonly transports: readonly string[];
  readonly backed_up: boolean;
  readonly name: string;
  readonly created_at: string;
  readonly last_used_at: string | null;
  readonly user_handle: string | null;
}

const COLUMNS =
  'id, member, credential_id, public_key, transports, backed_up, name, created_at, last_used_at, user_handle';

function passkeyOf(row: PasskeyRow): StoredPasskey {
  const { id, member, transports, backed_up: backedUp, name, last_used_at: used } = row;
  return {
    ...{ id, user: member as UserId, credentialId: row.credential_id, transports, backedUp, name },
    publicKey: Uint8Array.from(row.public_key),
    handle: row.user_handle ?? undefined,
    createdAt: Number(row.created_at) as Millis,
    lastUsedAt: used === null ? undefined : (Number(used) as Millis),
  };
}

/** Passkeys on PostgreSQL; those of a member who has proved that all factors are lost count no more. */
export function passkeyStore(database: Database): PasskeyStore {
  return {
    async of(user) {
      const rows = await database.query<PasskeyRow>(
        `select ${COLUMNS} from passkeys where member = $1 and not otp_is_reset(member) order by created_at, id`,
        [user],
      );
      return rows.map(passkeyOf);
    },
    async byCredential(credentialId) {
      const rows = await database.query<PasskeyRow>(
        `select ${COLUMNS} from passkeys where credential_id = $1 and not otp_is_reset(member)`,
        [credentialId],
      );
      return rows[0] === undefined ? undefined : passkeyOf(rows[0]);
    },
  };
}

/** How many passkeys were made for another host than members open now: no browser offers them there. */
export async function passkeysElsewhere(database: Database, rpId: string): Promise<number> {
  const rows = await database.query<{ n: string }>('select count(*) as n from passkeys where rp_id <> $1', [
    rpId,
  ]);
  return Number(rows[0]?.n);
}

/** Why a passkey was not kept. */
export type PasskeyRefusal = 'passkey-failed' | 'passkey-limit';

/**
 * Ends what a reset that came to its end was about, before a factor is added: else that would count again.
 * @returns whether there was one.
 */
export async function clearReset(client: PoolClient, user: number): Promise<boolean> {
  const over = await client.query(
    `delete from otp_resets where member = $1 and at <= db_clock() - interval '24 hours'`,
    [user],
  );
  if (over.rowCount === 0) return false;
  await client.query(`delete from otp_secrets where member = $1 and state = 'active'`, [user]);
  await client.query('delete from passkeys where member = $1', [user]);
  await client.query('delete from recovery_codes where member = $1', [user]);
  return true;
}

/**
 * Takes off a lost authenticator: after a wait, at the end of it, or at once.
 * @returns false where there was nothing to end.
 */
export async function performOnReset(
  client: PoolClient,
  user: number,
  kind: 'otp-reset' | 'otp-reset-done' | 'otp-removed',
): Promise<boolean> {
  if (kind === 'otp-reset-done') return clearReset(client, user);
  await client.query(
    kind === 'otp-removed'
      ? 'delete from otp_secrets where member = $1'
      : // A second one joins the first.
        'insert into otp_resets (member) values ($1) on conflict do nothing',
    [user],
  );
  return true;
}

/** A reset that has not come to its end is over as soon as the authenticator or a passkey is seen, or the account frozen. */
export async function endReset(
  client: PoolClient,
  { user, proofs, effects }: Pick<SecurityAct, 'user' | 'proofs' | 'effects'>,
): Promise<void> {
  const seen =
    proofs.some(({ kind }) => kind === 'totp' || kind === 'passkey') ||
    effects.some(({ kind }) => kind === 'freeze');
  if (seen) await client.query('delete from otp_resets where member = $1 and not otp_is_reset($1)', [user]);
}

/** Notes when a member has a second factor for the first time, or again after none; the member's row is locked. */
export async function noteFirstFactor(client: PoolClient, user: number): Promise<void> {
  await client.query(
    `insert into first_factors (member)
     select $1 where not exists (select from passkeys where member = $1)
       and not exists (select from otp_secrets where member = $1 and state = 'active')
     on conflict (member) do update set at = excluded.at`,
    [user],
  );
}

/**
 * Takes off all second factors of a member who has had any for less than a day: they may be those of somebody else.
 * @returns whether there were such.
 */
export async function dropYoungFactors(client: PoolClient, user: number): Promise<boolean> {
  const young = await client.query('delete from first_factors where member = $1 and factors_are_young($1)', [
    user,
  ]);
  if (young.rowCount === 0) return false;
  for (const table of ['otp_secrets', 'passkeys', 'recovery_codes', 'otp_resets'])
    await client.query(`delete from ${table} where member = $1`, [user]);
  return true;
}

/** Ten new recovery codes in place of those there were. */
export async function replaceRecoveryCodes(
  client: PoolClient,
  user: number,
  hashes: readonly string[],
): Promise<void> {
  await client.query('delete from recovery_codes where member = $1', [user]);
  await client.query('insert into recovery_codes (member, hash) select $1, unnest($2::text[])', [
    user,
    hashes,
  ]);
}

async function insertPasskey(
  client: PoolClient,
  { user, now }: { readonly user: number; readonly now: Millis },
  passkey: NewPasskey,
): Promise<PasskeyRefusal | undefined> {
  await clearReset(client, user);
  const { rows } = await client.query<{ n: string }>('select count(*) as n from passkeys where member = $1', [
    user,
  ]);
  if (Number(rows[0]?.n) >= PASSKEYS_PER_MEMBER_MAX) return 'passkey-limit';
  await noteFirstFactor(client, user);
  const { id, credentialId, publicKey, counter, transports, aaguid, rpId, backedUp, name } = passkey;
  const made = await client.query(
    `insert into passkeys
       (id, member, credential_id, public_key, counter, transports, aaguid, rp_id, backed_up, name, created_at, user_handle)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11,
       (select user_handle from passkeys where member = $2 order by created_at, id limit 1)) on conflict do nothing`,
    [id, user, credentialId, Buffer.from(publicKey), counter, transports, aaguid, rpId, backedUp, name, now],
  );
  return made.rowCount === 1 ? undefined : 'passkey-failed';
}

async function removePasskey(
  client: PoolClient,
  user: number,
  id: string,
): Promise<PasskeyRefusal | undefined> {
  const removed = await client.query('delete from passkeys where id = $1 and member = $2', [id, user]);
  if (removed.rowCount !== 1) return 'passkey-failed';
  // Codes that stand in for nothing are none.
  await client.query(
    `delete from recovery_codes where member = $1 and not exists (select from passkeys where member = $1)
       and not exists (select from otp_secrets where member = $1 and state = 'active')`,
    [user],
  );
  return undefined;
}

/** What an effect does to passkeys; why it does not, where it does not. The member's row is locked. */
export async function performOnPasskeys(
  client: PoolClient,
  act: { readonly user: number; readonly now: Millis },
  effect: Extract<Effect, { kind: 'passkey' | 'passkey-name' | 'passkey-removed' }>,
): Promise<PasskeyRefusal | undefined> {
  switch (effect.kind) {
    case 'passkey':
      return insertPasskey(client, act, effect.passkey);
    case 'passkey-removed':
      return removePasskey(client, act.user, effect.id);
    case 'passkey-name': {
      const renamed = await client.query('update passkeys set name = $3 where id = $1 and member = $2', [
        effect.id,
        act.user,
        effect.name,
      ]);
      return renamed.rowCount === 1 ? undefined : 'passkey-failed';
    }
  }
}

import type { PoolClient } from 'pg';
import type { SecurityAct } from '../../../accounts/security-ports.ts';

/** Nothing is guarded yet while no money ever moved: a newcomer's first authenticator is no reason to wait a day. */
const NOTHING_TO_GUARD = `not exists (select from ledger_transfers t join ledger_accounts a on a.id in (t.from_account, t.to_account)
  where a.owner = $1::int)`;

/** Writes down what locks money, and the link that freezes. */
export async function noteChange(client: PoolClient, act: SecurityAct): Promise<void> {
  const { user, locks, isFirst, freezeToken, effects } = act;
  if (locks !== undefined) {
    const locking = isFirst === true ? `not (${NOTHING_TO_GUARD})` : 'true';
    // What happens a day later locks from now on, and for a day after it.
    const at = effects.some(({ kind }) => kind === 'otp-reset')
      ? `db_clock() + interval '24 hours'`
      : 'db_clock()';
    await client.query(
      `insert into credential_changes (member, kind, locks, at) select $1::int, $2, ${locking}, ${at}`,
      [user, locks],
    );
  }
  if (freezeToken !== undefined) {
    await client.query('insert into freeze_tokens (hash, member, expires_at) values ($1, $2, $3)', [
      freezeToken.hash,
      user,
      freezeToken.expiresAt,
    ]);
  }
}

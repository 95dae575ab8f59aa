import { createHash, randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { isEmail, type Millis, normaliseEmail } from '@crossbook/domain';
import { z } from 'zod';
import { inviteAdmin, listAdmins } from '../../storage/stores/office/admin-store.ts';
import { notAsked, onDatabase, say } from './installation.ts';

/**
 * `npm run admin -- invite EMAIL --roles ... --reason "..." | break-glass EMAIL --reason "..." | list`: one-time links into
 * the back office. Answers 0 when a link was written, 1 when it was refused, 2 when nothing was asked.
 */

const USAGE = `usage: npm run admin -- invite EMAIL --roles admin,auditor --reason "..."
       npm run admin -- break-glass EMAIL --reason "..."
       npm run admin -- list
Roles: support, kyc, treasury-maker, treasury-checker, admin, auditor. Nobody has both treasury roles, nor kyc and one of
them. The reason has ten letters at least. break-glass is for an admin whose authenticator or password is lost: both stop
counting at once.`;

const LINK_MINUTES = 15;
const roleList = z
  .array(z.enum(['support', 'kyc', 'treasury-maker', 'treasury-checker', 'admin', 'auditor']))
  .min(1)
  .refine((roles) => !(roles.includes('treasury-maker') && roles.includes('treasury-checker')))
  .refine((roles) => !(roles.includes('kyc') && roles.some((role) => role.startsWith('treasury-'))));

async function run(): Promise<number> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { reason: { type: 'string' }, roles: { type: 'string' } },
  });
  const [verb, given = ''] = positionals;
  const email = normaliseEmail(given);
  const reason = values.reason?.trim() ?? '';
  const renew = verb === 'break-glass';
  const roles = roleList.safeParse(renew ? ['admin'] : [...new Set((values.roles ?? '').split(','))]);
  const isLink = renew || verb === 'invite';
  const sound = isLink && isEmail(email) && roles.success && reason.length >= 10 && reason.length <= 500;
  if (verb !== 'list' && !sound) return notAsked(USAGE);
  return onDatabase(async (database, { actor, origin }) => {
    if (verb === 'list') {
      const admins = await listAdmins(database);
      for (const { id, email: name, roles: held, disabled } of admins)
        say(`${id}  ${name}  ${held.join(', ')}${disabled ? '  (disabled)' : ''}`);
      say(`${admins.length} admins`);
      return 0;
    }
    const token = randomBytes(32).toString('base64url');
    const now = Date.now() as Millis;
    const expiresAt = (now + LINK_MINUTES * 60_000) as Millis;
    const invite = {
      email,
      roles: roles.data ?? [],
      hash: createHash('sha256').update(token).digest('hex'),
      invitedBy: actor,
      reason,
    };
    if (!(await inviteAdmin(database, { ...invite, now, expiresAt }, renew))) {
      say(renew ? `refused: ${email} is no admin` : `refused: ${email} is an admin already`);
      return 1;
    }
    say(`For ${email}, once, within ${LINK_MINUTES} minutes:\n${origin}/admin/start#${token}`);
    return 0;
  });
}

process.exitCode = await run();

import type { AdminRole } from '@crossbook/contract';
import type { Millis } from '@crossbook/domain';
import type { Mail } from '../../../accounts/ports.ts';
import type { ShownBreakGlass, StaffWatch } from '../../../back-office/staff-ports.ts';
import type { Database } from '../../postgres/database.ts';
import type { MailRoom } from './approval-store.ts';

/** So long all admins see it. */
const SHOWN_MILLIS = 7 * 86_400_000;
const SHOWN_MAX = 20;
/** Admins of one hub who are written to. */
const READERS_MAX = 1_000;

interface BreakGlassRow {
  readonly id: string;
  readonly name: string;
  readonly at: string;
  readonly operator: string;
  readonly reason: string;
}

/** What an admin is written when another one was let in anew from the host. */
function breakGlassMail(
  productName: string,
  to: string,
  { name, at, operator, reason }: BreakGlassRow,
): Mail {
  const when = new Date(Number(at)).toISOString();
  return {
    to,
    subject: `${productName}: an admin was let in anew by break-glass`,
    body: `${productName}: password and authenticator of the admin ${name} no longer count, and a one-time link was made.\n\nWhen: ${when}\nBy: ${operator}\nReason: ${reason}\n\nWhoever uses the link approves nothing for 24 hours. If nobody here meant this, somebody else has the machine: look at the audit log now.\n`,
  };
}

/** Who of the staff was let in anew, and who is there to decide, on PostgreSQL. */
export function staffWatch(
  database: Database,
  { mails, productName }: { readonly mails: MailRoom; readonly productName: string },
): StaffWatch {
  return {
    async breakGlasses(now): Promise<readonly ShownBreakGlass[]> {
      const rows = await database.query<BreakGlassRow>(
        `select b.id, a.email as name, b.at, b.operator, b.reason from admin_break_glasses b join admins a on a.id = b.admin
         where b.at > $1 order by b.at desc limit ${SHOWN_MAX}`,
        [now - SHOWN_MILLIS],
      );
      return rows.map(({ name, at }) => ({ name, at: Number(at) as Millis }));
    },
    async tell(now) {
      const written = await database.withTransaction(async (client) => {
        const { rows } = await client.query<BreakGlassRow>(
          `select b.id, a.email as name, b.at, b.operator, b.reason from admin_break_glasses b join admins a on a.id = b.admin
           where b.mailed_at is null order by b.id for update of b skip locked`,
        );
        if (rows.length === 0) return false;
        const readers = await client.query<{ email: string }>(
          `select email from admins where not demo and disabled_at is null
           union select a.email from admin_break_glasses b join admins a on a.id = b.admin where b.mailed_at is null
           order by email limit ${READERS_MAX}`,
        );
        for (const row of rows) {
          for (const { email } of readers.rows)
            await mails.putMail(client, breakGlassMail(productName, email, row), now);
          await client.query('update admin_break_glasses set mailed_at = $2 where id = $1', [row.id, now]);
        }
        return true;
      });
      if (written) mails.mailsWritten();
    },
    async rolesOfOthers(admin, roles): Promise<readonly AdminRole[]> {
      const rows = await database.query<{ role: AdminRole }>(
        `select role from unnest($2::text[]) role where exists (
           select from admins where id <> $1 and not demo and disabled_at is null and role = any (roles))`,
        [admin, [...roles]],
      );
      return rows.map(({ role }) => role);
    },
  };
}

import { masked } from '../../../accounts/contacts.ts';
import type { Mail } from '../../../accounts/ports.ts';
import type { MailDesk } from '../../../back-office/mail-calls.ts';
import type { Database } from '../../postgres/database.ts';
import { MAIL_CONTEXT } from '../mail-queue.ts';
import type { Seal } from '../seal.ts';
import { auditAct } from './member-desk.ts';

interface FailedColumns {
  readonly id: string;
  readonly mail: string;
  readonly tries: number;
  readonly failed_at: string;
}

const NEWEST = '9223372036854775807';

/** A subject may hold a code: its digits are nobody's but who is written to. */
function withoutDigits(subject: string): string {
  return subject.replace(/\p{Nd}/gu, '*');
}

/** Mails that were given up. @param wake tells the worker that there is something to send. */
export function mailDesk(database: Database, seal: Seal, wake: () => void): MailDesk {
  return {
    async failed({ limit, cursor }) {
      const from = /^[0-9]{1,18}$/.test(cursor ?? '') ? (cursor ?? NEWEST) : NEWEST;
      const rows = await database.query<FailedColumns>(
        `select id, mail, tries, failed_at from mail_queue
         where failed_at is not null and id < $1 order by id desc limit $2`,
        [from, limit + 1],
      );
      const shown = rows.slice(0, limit).map(({ id, mail, tries, failed_at }) => {
        const { to, subject } = JSON.parse(seal.open(mail, MAIL_CONTEXT)) as Mail;
        const contact = masked({ kind: to.startsWith('+') ? 'mobile' : 'email', to });
        return { id, to: contact, subject: withoutDigits(subject), tries, failedAt: Number(failed_at) };
      });
      return { rows: shown, next: rows.length > limit ? (shown.at(-1)?.id ?? null) : null };
    },
    async retry(act, mail) {
      const again = await database.withTransaction(async (client) => {
        const { rowCount } = await client.query(
          `update mail_queue set tries = 0, failed_at = null, next_at = $1
           where failed_at is not null and ($2::bigint is null or id = $2)`,
          [act.now, mail ?? null],
        );
        const mails = rowCount ?? 0;
        if (mails > 0)
          await auditAct(client, act, {
            subject: mail === undefined ? 'mails' : `mail ${mail}`,
            details: { mails },
          });
        return mails;
      });
      if (again > 0) wake();
      return again;
    },
  };
}

import type { Millis } from '@crossbook/domain';
import { type Mail, type MailSender, NOBODY } from '../../accounts/ports.ts';
import type { Database } from '../postgres/database.ts';
import type { TakesStatements } from './audit-log.ts';

/** Mails shown at once, newest first. */
const MAILS_SHOWN_MAX = 100;
/** Mails kept; older ones go when new ones come. */
const MAILS_KEPT_MAX = 5_000;

/** A mail in the outbox. */
export interface OutboxMail extends Mail {
  readonly id: number;
  readonly sentAt: Millis;
}

/** The embedded outbox of paper mode. */
export interface OutboxMails extends MailSender {
  /** Newest first; of one recipient when given. */
  newest(recipient: string | undefined): Promise<readonly OutboxMail[]>;
  /** The same as `send`, in a transaction; to nobody, whom none is shown of, where it is not meant. */
  put(client: TakesStatements, mail: Mail, now: Millis, isMeant?: boolean): Promise<void>;
}

interface MailRow {
  readonly id: string;
  readonly recipient: string;
  readonly subject: string;
  readonly body: string;
  readonly sent_at: string;
}

/** Keeps mails in the database instead of sending them. */
export function outboxMails(database: Database): OutboxMails {
  const put: OutboxMails['put'] = async (client, mail, now, isMeant = true) => {
    await client.query(
      `with sent as (
           insert into outbox_mails (recipient, subject, body, sent_at)
           values ($1, $2, $3, $4) returning id)
         delete from outbox_mails o using sent where o.id <= sent.id - $5`,
      [isMeant ? mail.to : NOBODY, mail.subject, mail.body, now, MAILS_KEPT_MAX],
    );
  };
  return {
    put,
    send: (mail, now) => put(database.pool, mail, now),
    async newest(recipient) {
      const rows = await database.query<MailRow>(
        `select id, recipient, subject, body, sent_at from outbox_mails
         where ($1::text is null or recipient = $1) and recipient <> '${NOBODY}' order by id desc limit $2`,
        [recipient ?? null, MAILS_SHOWN_MAX],
      );
      return rows.map((row) => ({
        id: Number(row.id),
        to: row.recipient,
        subject: row.subject,
        body: row.body,
        sentAt: Number(row.sent_at) as Millis,
      }));
    },
  };
}

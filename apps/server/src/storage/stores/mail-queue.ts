import type { Millis } from '@crossbook/domain';
import type { PoolClient } from 'pg';
import { type Mail, NOBODY } from '../../accounts/ports.ts';
import type { Database } from '../postgres/database.ts';
import type { Seal } from './seal.ts';

/** A mail is given up after so many tries: with the waits below, after about an hour. */
const TRIES_MAX = 8;
const FIRST_WAIT_MILLIS = 30_000;
/** How long a sender that died keeps a mail from the next one. */
const TAKEN_MILLIS = 120_000;
/** Given up, it is kept so long for staff to send again, and not more of them than this. */
const FAILED_KEPT_MILLIS = 7 * 86_400_000;
const FAILED_KEPT_MAX = 1_000;
/** When what was given up is due. */
const NEVER = Number.MAX_SAFE_INTEGER;

/** A mail that is to be sent now. */
export interface QueuedMail {
  readonly id: string;
  readonly tries: number;
  readonly mail: Mail;
}

/** Mails, and codes for phones, that were written in a transaction and are sent after it, if need be more than once. */
export interface MailQueue {
  /** To nobody, where the mail is not meant: it costs the same and is not sent. */
  put(client: PoolClient, mail: Mail, now: Millis, isMeant?: boolean): Promise<void>;
  /** The oldest mail that is due, taken for two minutes. */
  take(now: Millis): Promise<QueuedMail | undefined>;
  sent(id: string): Promise<void>;
  /** Due again after a wait that doubles. @returns false when it was given up: staff may send it again for a week. */
  failed(queued: QueuedMail, now: Millis): Promise<boolean>;
  /** Deletes what was given up when its time of keeping is over. */
  sweep(now: Millis): Promise<void>;
}

/** What mails that wait are sealed for. */
export const MAIL_CONTEXT = 'mail queue';

/** The queue on PostgreSQL; texts are sealed, because they carry links. */
export function mailQueue(database: Database, seal: Seal): MailQueue {
  return {
    async put(client, mail, now, isMeant = true) {
      await client.query('insert into mail_queue (mail, next_at) values ($1, $2)', [
        seal.seal(JSON.stringify(isMeant ? mail : { ...mail, to: NOBODY }), MAIL_CONTEXT),
        now,
      ]);
    },
    async take(now) {
      const rows = await database.query<{ id: string; tries: number; mail: string }>(
        `update mail_queue set next_at = $2 where id = (
           select id from mail_queue where next_at <= $1 order by next_at, id limit 1 for update skip locked)
         returning id, tries, mail`,
        [now, now + TAKEN_MILLIS],
      );
      const [row] = rows;
      if (row === undefined) return undefined;
      return { id: row.id, tries: row.tries, mail: JSON.parse(seal.open(row.mail, MAIL_CONTEXT)) as Mail };
    },
    async sent(id) {
      await database.query('delete from mail_queue where id = $1', [id]);
    },
    async failed({ id, tries }, now) {
      if (tries + 1 >= TRIES_MAX) {
        await database.query('update mail_queue set tries = $2, next_at = $3, failed_at = $4 where id = $1', [
          id,
          tries + 1,
          NEVER,
          now,
        ]);
        await database.query(
          `delete from mail_queue where failed_at is not null and id <= (
             select id from mail_queue where failed_at is not null order by id desc offset $1 limit 1)`,
          [FAILED_KEPT_MAX],
        );
        return false;
      }
      await database.query('update mail_queue set tries = tries + 1, next_at = $2 where id = $1', [
        id,
        now + FIRST_WAIT_MILLIS * 2 ** tries,
      ]);
      return true;
    },
    async sweep(now) {
      await database.query('delete from mail_queue where failed_at is not null and failed_at < $1', [
        now - FAILED_KEPT_MILLIS,
      ]);
    },
  };
}

import type { Millis, UserId } from '@crossbook/domain';
import type { PoolClient } from 'pg';
import { RECOVERY_WAIT_HOURS, type RecoveryStatement } from '../../../accounts/recovery-ports.ts';
import type { Act, ActOutcome } from '../../../back-office/ports.ts';
import type { OpenedRecovery, RecoveryDesk, StoredRecovery } from '../../../back-office/recovery-calls.ts';
import type { Database } from '../../postgres/database.ts';
import { fieldsContext } from '../members/kyc/kyc-ends.ts';
import { statementContext } from '../members/recovery-store.ts';
import type { ActDeps } from '../members/security-acts.ts';
import { auditAct } from './member-desk.ts';

interface RecoveryColumns {
  readonly id: string;
  readonly member: number;
  readonly nickname: string;
  readonly contact: string;
  readonly asked_at: string;
  readonly state: 'asked' | 'waiting';
  readonly due_at: string | null;
}

interface OpenedColumns extends RecoveryColumns {
  readonly statement: string;
  readonly case_id: string;
  readonly fields: string;
}

const COLUMNS = `r.id, r.member, m.nickname, r.contact, r.asked_at, r.state,
  floor(extract(epoch from r.approved_at + interval '${RECOVERY_WAIT_HOURS} hours') * 1000)::bigint as due_at`;
const OPEN = `from access_recoveries r join members m on m.id = r.member where r.state in ('asked', 'waiting')`;
const ID = /^[1-9][0-9]{0,17}$/;

function recoveryOf(row: RecoveryColumns): StoredRecovery {
  const { id, member, nickname, contact, state, asked_at: askedAt, due_at: dueAt } = row;
  return {
    ...{ id, member: member as UserId, nickname, contact, state, askedAt: Number(askedAt) as Millis },
    dueAt: dueAt === null ? null : (Number(dueAt) as Millis),
  };
}

/** Why an approved request does not begin to wait. */
export type WaitRefusal = 'already-decided' | 'four-eyes' | 'case-unseen';

/**
 * Begins the waiting time of a request, inside the transaction of its decision; the table holds that two have decided. Whoever of them
 * is its member himself, or has not compared the papers, decides nothing.
 */
export async function beginWait(
  client: PoolClient,
  act: Act,
  asked: { readonly approval: string; readonly recovery: string; readonly maker: number },
): Promise<WaitRefusal | undefined> {
  const { rows } = await client.query<{ own: boolean; seen: boolean; sound: boolean }>(
    `select exists (select from admins a where a.id in ($2, $3) and a.email in (m.email, r.contact)) as own,
       exists (select from access_recovery_looks l where l.recovery = r.id and l.admin = $2) as seen,
       m.frozen_at is null and exists (select from kyc_cases k where k.member = m.id and kyc_stands(k.state, k.valid_until) = 'done') as sound
     from access_recoveries r join members m on m.id = r.member
     where r.id = $1 and r.state = 'asked' for update of r, m`,
    [asked.recovery, act.admin, asked.maker],
  );
  const [row] = rows;
  if (row === undefined || !row.sound) return 'already-decided';
  if (row.own) return 'four-eyes';
  if (!row.seen) return 'case-unseen';
  await client.query(`update access_recoveries set state = 'waiting', approval = $2 where id = $1`, [
    asked.recovery,
    asked.approval,
  ]);
  // Another contact that asks for the same account has lost.
  await client.query(
    `update access_recoveries o set state = 'stopped', statement = null, ended_at = $2 from access_recoveries r
     where r.id = $1 and o.member = r.member and o.id <> r.id and o.state = 'asked'`,
    [asked.recovery, act.now],
  );
  return undefined;
}

/** Requests of members who have lost what proves them, as the staff decides them, on PostgreSQL. */
export function recoveryDesk(database: Database, { seal, putMail, mailsWritten }: ActDeps): RecoveryDesk {
  return {
    async list({ limit, cursor }) {
      const rows = await database.query<RecoveryColumns>(
        `select ${COLUMNS} ${OPEN} and r.id > $1 order by r.id limit $2`,
        [ID.test(cursor ?? '') ? (cursor ?? '') : '0', limit + 1],
      );
      const shown = rows.slice(0, limit).map(recoveryOf);
      return { rows: shown, next: rows.length > limit ? (shown.at(-1)?.id ?? null) : null };
    },
    async one(id) {
      const [row] = await database.query<RecoveryColumns>(
        `select ${COLUMNS} from access_recoveries r join members m on m.id = r.member where r.id = $1`,
        [id],
      );
      if (row === undefined) return undefined;
      const { state, ...known } = recoveryOf(row);
      const isAsked = state === 'asked';
      return { ...known, isAsked, isOpen: isAsked || state === 'waiting' };
    },
    open: (act, id) =>
      database.withTransaction(async (client): Promise<OpenedRecovery | undefined> => {
        const { rows } = await client.query<OpenedColumns>(
          `select ${COLUMNS}, r.statement, k.id as case_id, k.fields
           from access_recoveries r join members m on m.id = r.member
             join kyc_cases k on k.member = r.member and kyc_stands(k.state, k.valid_until) = 'done'
           where r.id = $1 and r.state in ('asked', 'waiting')`,
          [id],
        );
        const [row] = rows;
        if (row === undefined) return undefined;
        await client.query(
          'insert into access_recovery_looks (recovery, admin) values ($1, $2) on conflict do nothing',
          [id, act.admin],
        );
        await auditAct(
          client,
          { ...act, reason: '' },
          { subject: `recovery ${id}`, details: { member: row.member } },
        );
        const { fullName, birthDate, documentNumber } = JSON.parse(
          seal.open(row.fields, fieldsContext(row.member, row.case_id)),
        ) as RecoveryStatement;
        const stated = seal.open(row.statement, statementContext(row.member, row.contact));
        return {
          ...recoveryOf(row),
          stated: JSON.parse(stated) as RecoveryStatement,
          kept: { fullName, birthDate, documentNumber },
        };
      }),
    async refuse(act, id, letters) {
      const outcome = await database.withTransaction(async (client): Promise<ActOutcome> => {
        const { rows } = await client.query<{ member: number }>(
          `update access_recoveries set state = 'refused', statement = null, ended_at = $2
           where id = $1 and state in ('asked', 'waiting') returning member`,
          [id, act.now],
        );
        const [row] = rows;
        if (row === undefined) return 'already-decided';
        await auditAct(client, act, { subject: `recovery ${id}`, details: { member: row.member } });
        for (const mail of letters.mails) await putMail(client, mail, act.now);
        return 'ok';
      });
      if (outcome === 'ok') mailsWritten();
      return outcome;
    },
  };
}

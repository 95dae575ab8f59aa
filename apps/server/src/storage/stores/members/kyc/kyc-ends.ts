import type { Millis } from '@crossbook/domain';
import type { PoolClient } from 'pg';
import { type KycMailFacts, kycEndingMail, kycMail } from '../../../../accounts/kyc/kyc-mails.ts';
import type { KycFields } from '../../../../accounts/kyc/kyc-ports.ts';
import type { MailText } from '../../../../accounts/ports.ts';
import type { Database } from '../../../postgres/database.ts';
import { appendAudit } from '../../audit-log.ts';
import type { Seal } from '../../seal.ts';
import { type ActDeps, antiPhishingContext } from '../security-acts.ts';

/** What ends of checks need besides the database. */
export interface KycEndsDeps extends ActDeps {
  /** How long a passed check counts at most, in years. */
  readonly validYears: number;
  readonly productName: string;
}

/** A member is told so long before his check ends, and what passed before ends were written down has so long at least. */
const WARNED_DAYS = 30;
/** Cases of one transaction, and transactions of one turn; the next turn goes on. */
const CASES_MAX = 100;
const PAGES_MAX = 20;

/** What the fields of a case are sealed for. */
export function fieldsContext(member: number, id: string): string {
  return `kyc-fields:${member}:${id}`;
}

interface PassedRow {
  readonly id: string;
  readonly member: number;
  readonly fields: string | null;
}

/**
 * Writes down until when a passed check counts, inside the transaction of what passed it.
 * @param daysMin what it has from now on at least.
 */
export async function setEnd(
  client: PoolClient,
  { id, member, fields }: PassedRow,
  { seal, validYears, daysMin = 0 }: { readonly seal: Seal; readonly validYears: number; daysMin?: number },
): Promise<void> {
  const stated: Partial<KycFields> =
    fields === null ? {} : (JSON.parse(seal.open(fields, fieldsContext(member, id))) as KycFields);
  await client.query(
    // The day that the document names is still one of its own, in UTC.
    `update kyc_cases set valid_until = greatest(
         least((($2::date + 1)::timestamp at time zone 'UTC'), at.passed + make_interval(years => $3)),
         db_clock() + make_interval(days => $4))
       from (select case when $4 = 0 then db_clock() else to_timestamp(decided_at / 1000.0) end as passed
         from kyc_cases where id = $1) at
     where id = $1`,
    [id, stated.documentExpires ?? null, validYears, daysMin],
  );
}

interface EndedRow {
  readonly id: string;
  readonly member: number;
  readonly until: string;
  readonly email: string | null;
  readonly language: KycMailFacts['language'];
  readonly anti_phishing: string | null;
}

/** Ends checks whose time is over, each with its entry in the audit log. @param member of this one alone. */
export async function endPassed(
  client: PoolClient,
  now: Millis,
  member?: number,
): Promise<readonly EndedRow[]> {
  const { rows } = await client.query<EndedRow>(
    `with due as (
       select id from kyc_cases where state = 'done' and valid_until <= db_clock() and ($1::int is null or member = $1)
       order by valid_until limit ${CASES_MAX} for update skip locked)
     update kyc_cases c set state = 'expired', version = version + 1 from due, members m
     where c.id = due.id and m.id = c.member
     returning c.id, c.member, to_char(c.valid_until at time zone 'UTC', 'YYYY-MM-DD') as until,
       m.email, m.language, m.anti_phishing`,
    [member ?? null],
  );
  for (const { id, member: whose, until } of rows) {
    await appendAudit(client, {
      ...{ at: now, actor: { kind: 'system', id: 'checks that end' }, call: 'kyc/expire' },
      ...{ subject: `kyc ${id}`, outcome: 'ok' },
      details: { member: whose, from: 'done', to: 'expired', until },
    });
  }
  return rows;
}

/** Marks checks that end soon, each once. */
async function warned(client: PoolClient, now: Millis): Promise<readonly EndedRow[]> {
  const { rows } = await client.query<EndedRow>(
    `with due as (
       select id from kyc_cases where state = 'done' and warned_at is null
         and valid_until <= db_clock() + interval '${WARNED_DAYS} days' and valid_until > db_clock()
       order by valid_until limit ${CASES_MAX} for update skip locked)
     update kyc_cases c set warned_at = $1 from due, members m where c.id = due.id and m.id = c.member
     returning c.id, c.member, to_char(c.valid_until at time zone 'UTC', 'YYYY-MM-DD') as until,
       m.email, m.language, m.anti_phishing`,
    [now],
  );
  return rows;
}

/** Ends of checks that passed before ends were written down. */
async function fillEnds(client: PoolClient, deps: KycEndsDeps): Promise<number> {
  const { rows } = await client.query<PassedRow>(
    `select id, member, fields from kyc_cases where state = 'done' and valid_until is null
     order by id limit ${CASES_MAX} for update skip locked`,
  );
  for (const row of rows) await setEnd(client, row, { ...deps, daysMin: WARNED_DAYS });
  return rows.length;
}

/**
 * What is due about checks that end: in turns, each once, and each mail in the transaction of what it tells, also where a process
 * dies on the way.
 */
export async function tellKycEnds(database: Database, deps: KycEndsDeps, now: Millis): Promise<void> {
  const { seal, productName, putMail, mailsWritten } = deps;
  const factsOf = ({ member, language, anti_phishing: word }: EndedRow): KycMailFacts => ({
    language,
    antiPhishing: word === null ? undefined : seal.open(word, antiPhishingContext(member)),
  });
  const write = async (
    client: PoolClient,
    rows: readonly EndedRow[],
    text: (row: EndedRow) => MailText,
  ): Promise<number> => {
    for (const row of rows) {
      if (row.email !== null) await putMail(client, { to: row.email, ...text(row) }, now);
    }
    return rows.length;
  };
  const pages: readonly ((client: PoolClient) => Promise<number>)[] = [
    (client) => fillEnds(client, deps),
    async (client) =>
      write(client, await warned(client, now), (row) => kycEndingMail(productName, factsOf(row), row.until)),
    async (client) =>
      write(client, await endPassed(client, now), (row) => kycMail(productName, 'expired', factsOf(row))),
  ];
  for (const page of pages) {
    for (let turn = 0, full = true; full && turn < PAGES_MAX; turn += 1) {
      const read = await database.withTransaction(page);
      if (read > 0) mailsWritten();
      full = read === CASES_MAX;
    }
  }
}

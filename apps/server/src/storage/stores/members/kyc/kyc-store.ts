import { type Millis, ok, type Result, refused, type UserId } from '@crossbook/domain';
import type { PoolClient } from 'pg';
import { keyedHash, type SecretKey } from '../../../../accounts/keyed-hash.ts';
import type {
  DocumentKind,
  KycFields,
  KycPicture,
  KycQueueQuery,
  KycQueueRow,
  KycReason,
  KycStanding,
  KycStore,
  KycSubmission,
  KycVerdict,
  LookRefusal,
  OpenedCase,
  Reviewer,
  SubmitRefusal,
} from '../../../../accounts/kyc/kyc-ports.ts';
import {
  decidedFrom,
  KYC_STEPS,
  type KycCaseState,
  type KycDecision,
  type KycState,
} from '../../../../accounts/kyc/kyc-states.ts';
import type { Database, SqlValue } from '../../../postgres/database.ts';
import { appendAudit } from '../../audit-log.ts';
import { giveBack, isClaimed, takeClaim, unfitness } from './kyc-claims.ts';
import { endPassed, fieldsContext, type KycEndsDeps, setEnd, tellKycEnds } from './kyc-ends.ts';
import { openPicture, sealPicture } from './sealed-picture.ts';

/** What cases need besides the database. */
export interface KycStoreDeps extends KycEndsDeps {
  /** Of the hash by which the same document is found again. */
  readonly documentKey: SecretKey;
}

const DAY_MILLIS = 86_400_000;
/** A picture that was not submitted. */
const DRAFT_KEPT_MILLIS = DAY_MILLIS;
/** What a refused case knows of a person. */
const REFUSED_KEPT_MILLIS = 90 * DAY_MILLIS;

interface CaseRow {
  readonly id: string;
  readonly member: number;
  readonly nickname: string;
  readonly attempt: number;
  readonly state: KycCaseState;
  readonly fields: string | null;
  readonly country: string;
  readonly document_kind: DocumentKind;
  readonly version: number;
  readonly submitted_at: string;
  readonly decided_at: string | null;
  readonly decided_by: string | null;
  readonly ends_at: string | null;
  readonly reason: KycReason | null;
  readonly note: string;
  readonly duplicates: number;
  readonly claimant: string | null;
  readonly claimed_until: string | null;
}

const DUPLICATES_COUNTED_MAX = 5;

const CASE = `select c.*, m.nickname, a.email as claimant, (select count(distinct o.member)::int from (
    select member from kyc_cases d where d.document_hash = c.document_hash and d.member <> c.member
    limit ${DUPLICATES_COUNTED_MAX}) o) as duplicates
  from kyc_cases c join members m on m.id = c.member left join admins a on a.id = c.claimed_by`;

/** What the key of a picture is sealed for. */
export function pictureContext(member: number, id: string): string {
  return `kyc-picture:${member}:${id}`;
}

function millisOf(text: string | null): Millis | undefined {
  return text === null ? undefined : (Number(text) as Millis);
}

function queueRow(row: CaseRow): KycQueueRow {
  const { id, nickname, state, country, attempt, duplicates, claimant } = row;
  const submittedAt = Number(row.submitted_at) as Millis;
  const decidedAt = millisOf(row.decided_at);
  const until = millisOf(row.claimed_until);
  const claim = claimant === null || until === undefined ? undefined : { by: claimant, until };
  return {
    ...{ id, member: row.member as UserId, nickname, state, country, documentKind: row.document_kind },
    ...{ attempt, submittedAt, decidedAt, duplicates, claim, at: decidedAt ?? submittedAt },
  };
}

/** Undoes a submission from inside its transaction. */
class SubmitRefused extends Error {
  override readonly name = 'SubmitRefused';
  readonly why: SubmitRefusal;
  constructor(why: SubmitRefusal) {
    super(why);
    this.why = why;
  }
}

/** By which the same document is found again. */
export function documentHash(key: SecretKey, { country, documentKind, documentNumber }: KycFields): string {
  // Full-width digits, ligatures and marks apart are the same number.
  const letters = documentNumber.normalize('NFKC').replace(/[^\p{L}\p{N}]/gu, '');
  return keyedHash(key, country, documentKind, letters.toUpperCase());
}

async function insertCase(client: PoolClient, submission: KycSubmission, deps: KycStoreDeps): Promise<void> {
  const { user, id, fields, now } = submission;
  // Submissions of one member follow one another.
  const member = await client.query<{ frozen_at: string | null }>(
    'select frozen_at from members where id = $1 for update',
    [user],
  );
  if (member.rows[0]?.frozen_at != null) throw new SubmitRefused('account-frozen');
  // Papers are handed in anew as soon as what passed has ended, before a job has said so.
  await endPassed(client, now, user);
  const newest = await client.query<{ state: KycCaseState; attempt: number }>(
    'select state, attempt from kyc_cases where member = $1 order by attempt desc limit 1',
    [user],
  );
  const from: KycState = newest.rows[0]?.state ?? 'none';
  if (KYC_STEPS[from].submit === undefined) throw new SubmitRefused('kyc-state');
  await client.query(
    `insert into kyc_cases (id, member, attempt, state, fields, country, document_kind, document_hash, submitted_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      ...[id, user, (newest.rows[0]?.attempt ?? 0) + 1, KYC_STEPS[from].submit],
      deps.seal.seal(JSON.stringify(fields), fieldsContext(user, id)),
      ...[fields.country, fields.documentKind, documentHash(deps.documentKey, fields), now],
    ],
  );
}

async function submitIn(client: PoolClient, submission: KycSubmission, deps: KycStoreDeps): Promise<void> {
  const { user, id, pictures, address, now, mail, fields } = submission;
  await insertCase(client, submission, deps);
  for (const [kind, picture] of Object.entries(pictures) as [KycPicture, string][]) {
    const taken = await client.query(
      `update kyc_pictures set case_id = $1
       where id = $2 and member = $3 and kind = $4 and case_id is null and created_at > $5`,
      [id, picture, user, kind, now - DRAFT_KEPT_MILLIS],
    );
    if (taken.rowCount !== 1) throw new SubmitRefused(kind);
  }
  // What was uploaded and then not used.
  await client.query('delete from kyc_pictures where member = $1 and case_id is null', [user]);
  if (mail !== undefined) await deps.putMail(client, mail, now);
  await appendAudit(client, {
    ...{ at: now, actor: { kind: 'member', id: String(user) }, address, call: 'x/kyc/Submit' },
    ...{ subject: `kyc ${id}`, outcome: 'ok', details: { documentKind: fields.documentKind } },
  });
}

function members(
  database: Database,
  deps: KycStoreDeps,
): Pick<KycStore, 'standing' | 'keepPicture' | 'submit'> {
  return {
    async standing(user): Promise<KycStanding> {
      const [row] = await database.query<CaseRow>(
        `select c.*, kyc_stands(state, valid_until) as state,
           floor(extract(epoch from valid_until) * 1000)::bigint as ends_at
         from kyc_cases c where member = $1 order by attempt desc limit 1`,
        [user],
      );
      return {
        state: row?.state ?? 'none',
        validUntil: millisOf(row?.ends_at ?? null),
        submittedAt: millisOf(row?.submitted_at ?? null),
        decidedAt: millisOf(row?.decided_at ?? null),
        reason: row?.reason ?? undefined,
        note: row?.note ?? '',
      };
    },
    async keepPicture({ id, user, kind, picture, address, now }) {
      const { jpeg, width, height } = picture;
      const { key, body } = sealPicture(deps.seal, jpeg, pictureContext(user, id));
      await database.withTransaction(async (client) => {
        await client.query(
          `insert into kyc_pictures (id, member, kind, key, body, width, height, created_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8)
           on conflict (member, kind) where case_id is null do update set id = excluded.id, key = excluded.key,
             body = excluded.body, width = excluded.width, height = excluded.height, created_at = excluded.created_at`,
          [id, user, kind, key, body, width, height, now],
        );
        await appendAudit(client, {
          ...{ at: now, actor: { kind: 'member', id: String(user) }, address, call: 'usercommon/upload' },
          ...{ subject: `picture ${id}`, outcome: 'ok', details: { kind, bytes: jpeg.length } },
        });
      });
    },
    async submit(submission) {
      try {
        await database.withTransaction((client) => submitIn(client, submission, deps));
      } catch (error) {
        if (error instanceof SubmitRefused) return refused(error.why);
        throw error;
      }
      deps.mailsWritten();
      return ok(undefined);
    },
  };
}

async function listCases(
  database: Database,
  { state, limit, after }: KycQueueQuery,
): Promise<readonly KycQueueRow[]> {
  const values: SqlValue[] = state === 'pending' ? [limit] : [limit, state];
  const [column, order, beyond] =
    state === 'pending' ? ['submitted_at', '', '>'] : ['decided_at', ' desc', '<'];
  const rows = await database.query<CaseRow>(
    `${CASE} where c.state = ${state === 'pending' ? `'pending'` : `$2 and c.state <> 'pending'`}
       ${after === undefined ? '' : `and (c.${column}, c.id) ${beyond} ($${values.length + 1}, $${values.length + 2})`}
     order by c.${column}${order}, c.id${order} limit $1`,
    after === undefined ? values : [...values, after.at, after.id],
  );
  return rows.map(queueRow);
}

/** Decisions by their calls. */
const AUDITED_AS: Readonly<Record<KycDecision, string>> = {
  approve: 'x/admin/KycPass',
  refuse: 'x/admin/KycRefuse',
  revoke: 'x/admin/KycRevoke',
};

/** An entry about a case, in the name of who reviews. */
async function note(
  client: PoolClient,
  by: Reviewer,
  entry: {
    readonly now: Millis;
    readonly call: string;
    readonly caseId: string;
    readonly reason?: string;
    readonly details?: object;
  },
): Promise<void> {
  const { now, call, caseId, reason = '', details = {} } = entry;
  await appendAudit(client, {
    ...{ at: now, actor: { kind: 'operator', id: by.id }, address: by.address, call },
    ...{ subject: `kyc ${caseId}`, outcome: 'ok', reason, details },
  });
}

async function decideIn(
  client: PoolClient,
  { caseId, version, decision, reason, note: remark = '', because = '', checks }: KycVerdict,
  { by, now }: { readonly by: Reviewer; readonly now: Millis },
): Promise<Result<undefined, 'decided' | 'claimed' | 'unseen'>> {
  const [from] = decidedFrom(decision);
  if (from === undefined) return refused('decided');
  if (await isClaimed(client, caseId, { by, now })) return refused('claimed');
  const unfit = await unfitness(client, { caseId, version, state: from }, by);
  if (unfit !== undefined) return refused(unfit);
  const state = KYC_STEPS[from][decision] as KycCaseState;
  const why = state === 'refused' ? (reason ?? null) : null;
  const decided = await client.query<{ member: number }>(
    `update kyc_cases set state = $2, version = version + 1, decided_at = $3, decided_by = $4, reason = $5, note = $6,
       claimed_by = null, claimed_until = null
     where id = $1 returning member`,
    [caseId, state, now, by.id, why, remark],
  );
  const details = {
    ...{ member: decided.rows[0]?.member, from, to: state },
    ...(why === null ? {} : { why }),
    ...(checks === undefined ? {} : { checks }),
  };
  await note(client, by, { now, caseId, call: AUDITED_AS[decision], reason: because, details });
  return ok(undefined);
}

/** Takes back what was passed, inside the transaction of the decision; false where the case has moved on. */
export async function takeBack(
  client: PoolClient,
  { caseId, version, why }: { readonly caseId: string; readonly version: number; readonly why: string },
  by: { readonly id: string; readonly address: string; readonly reason: string; readonly now: Millis },
): Promise<boolean> {
  const { id, address, reason: because, now } = by;
  const verdict = { caseId, version, decision: 'revoke', reason: why as KycReason, because } as const;
  return (await decideIn(client, verdict, { by: { id, address, email: '' }, now })).ok;
}

/** A case that waits, and the entry that somebody looked at it. */
function openCase(
  database: Database,
  { seal }: KycStoreDeps,
  { caseId, by, now }: { readonly caseId: string; readonly by: Reviewer; readonly now: Millis },
): Promise<Result<OpenedCase, LookRefusal>> {
  return database.withTransaction(async (client) => {
    const { rows } = await client.query<CaseRow>(`${CASE} where c.id = $1`, [caseId]);
    const [row] = rows;
    if (row === undefined) return refused('unknown');
    if (row.state !== 'pending' || row.fields === null) return refused('decided');
    if (!(await takeClaim(client, caseId, { by, now }))) return refused('claimed');
    const pictures = await client.query<OpenedCase['pictures'][number]>(
      'select id, kind, width, height from kyc_pictures where case_id = $1 order by kind desc',
      [caseId],
    );
    await note(client, by, { now, caseId, call: 'x/admin/KycView', details: { member: row.member } });
    const fields = JSON.parse(seal.open(row.fields, fieldsContext(row.member, caseId))) as KycFields;
    return ok({ ...queueRow(row), version: row.version, fields, pictures: pictures.rows });
  });
}

interface PictureRow {
  readonly member: number;
  readonly kind: KycPicture;
  readonly key: string;
  readonly body: Buffer;
  readonly state: KycCaseState;
}

function reviewers(
  database: Database,
  deps: KycStoreDeps,
): Pick<KycStore, 'list' | 'open' | 'memberOf' | 'passed' | 'picture' | 'decide' | 'release'> {
  return {
    list: (query) => listCases(database, query),
    open: (caseId, by, now) => openCase(database, deps, { caseId, by, now }),
    release: (caseId, by, now) =>
      database.withTransaction(async (client) => {
        if (await giveBack(client, caseId, by))
          await note(client, by, { now, caseId, call: 'x/admin/KycRelease' });
      }),
    async memberOf(caseId) {
      const rows = await database.query<{ member: number }>('select member from kyc_cases where id = $1', [
        caseId,
      ]);
      return rows[0]?.member as UserId | undefined;
    },
    async passed(member) {
      const [row] = await database.query<{ id: string; version: number }>(
        `select id, version from kyc_cases where member = $1 and kyc_stands(state, valid_until) = 'done'`,
        [member],
      );
      return row && { caseId: row.id, version: row.version };
    },
    picture: ({ caseId, id }, by, now) =>
      database.withTransaction(async (client): Promise<Result<Uint8Array, LookRefusal>> => {
        const { rows } = await client.query<PictureRow>(
          `select p.member, p.kind, p.key, p.body, c.state from kyc_pictures p join kyc_cases c on c.id = p.case_id
           where p.id = $1 and p.case_id = $2`,
          [id, caseId],
        );
        const [row] = rows;
        if (row === undefined) return refused('unknown');
        if (row.state !== 'pending') return refused('decided');
        if (!(await takeClaim(client, caseId, { by, now }))) return refused('claimed');
        await note(client, by, { now, caseId, call: 'x/admin/KycPicture', details: { kind: row.kind } });
        return ok(openPicture(deps.seal, row, pictureContext(row.member, id)));
      }),
    async decide(verdict, by, { mail, now }) {
      const done = await database.withTransaction(async (client) => {
        const decided = await decideIn(client, verdict, { by, now });
        if (decided.ok && verdict.decision === 'approve') {
          const passed = await client.query('select id, member, fields from kyc_cases where id = $1', [
            verdict.caseId,
          ]);
          await setEnd(client, passed.rows[0], deps);
        }
        if (decided.ok && mail !== undefined) await deps.putMail(client, mail, now);
        return decided;
      });
      if (done.ok) deps.mailsWritten();
      return done;
    },
  };
}

/** Cases and pictures on PostgreSQL. */
export function kycStore(database: Database, deps: KycStoreDeps): KycStore {
  return {
    ...members(database, deps),
    ...reviewers(database, deps),
    async sweep(now) {
      await tellKycEnds(database, deps, now);
      await database.query('delete from kyc_pictures where case_id is null and created_at < $1', [
        now - DRAFT_KEPT_MILLIS,
      ]);
      const over = now - REFUSED_KEPT_MILLIS;
      await database.query(
        `delete from kyc_pictures p using kyc_cases c
         where c.id = p.case_id and c.state = 'refused' and c.decided_at < $1`,
        [over],
      );
      await database.query(
        // A remark says what staff saw on the papers.
        `update kyc_cases set fields = null, note = ''
         where state = 'refused' and decided_at < $1 and (fields is not null or note <> '')`,
        [over],
      );
    },
  };
}

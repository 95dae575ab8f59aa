import { randomBytes, randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { type Amount, type Millis, parseAmount } from '@crossbook/domain';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { KycStore } from '../../../accounts/kyc/kyc-ports.ts';
import type { PageOf } from '../../../back-office/ports.ts';
import type { Database, SqlValue } from '../../postgres/database.ts';
import { openTestDatabase, type TestDatabase } from '../../testing.ts';
import { limitHistory, limitsInForce, limitsToCome } from '../limit-store.ts';
import { MAIL_CONTEXT } from '../mail-queue.ts';
import { kycStore } from '../members/kyc/kyc-store.ts';
import { stopRecoveries } from '../members/recovery-store.ts';
import { securityStore } from '../members/security-store.ts';
import { newestSayings, platformDebts, platformHistory } from '../platform-state-store.ts';
import { createSeal } from '../seal.ts';
import { newestSetting, settingHistory, settingOfSubject, settingsOf } from '../setting-store.ts';
import { approvalStore } from './approval-store.ts';
import { contentDesk } from './content-desk.ts';
import { mailDesk } from './mail-desk.ts';
import { memberDesk } from './member-desk.ts';
import { recoveryDesk } from './recovery-desk.ts';
import { referralDesk } from './referral-desk.ts';
import { staffDesk } from './staff-desk.ts';
import { watchDesk } from './watch-desk.ts';

/**
 * The lists of the back office read about as many rows as they show, wherever a page begins: by the plan that is really run,
 * no table is read from end to end and no index is walked for rows that are thrown away.
 */

/** A million where `OFFICE_ROWS` asks for it; plans are the same from far fewer on. */
const ROWS = Number(process.env.OFFICE_ROWS ?? 30_000);
const PAGE: PageOf = { limit: 50, cursor: undefined };
/** Where the campaign writes how long pages take. */
const REPORT = process.env.OFFICE_REPORT;
const PAGES_TIMED = 200;
/** A page, its one row more, and what joins them. */
const ROWS_READ_MAX = 300;
/** From the root of an index to its leaf; the index of all names has hundreds. */
const BLOCKS_MAX = 20;

const SEAL = createSeal(randomBytes(32));

let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase();
  const client = await db.owner.pool.connect();
  await client.query('set session_replication_role = replica; set statement_timeout = 0');
  await client.query(
    `insert into members (email, mobile, password_hash, nickname, referral_code, created_at, frozen_at)
     select 'm' || n || '@example.org', '+81' || 9000000000 + n, 'x', 'Nick' || n, 'R' || n, n,
       case when n % 5000 = 0 then n end from generate_series(1, ${ROWS}) n`,
  );
  await client.query(
    `insert into audit_log (at, actor_kind, actor, address, call, subject, outcome, reason, details)
     select n, 'member', (n % 1000)::text, '', case when n % 7000 = 0 then 'rare/call' else 'user/login' end,
       case when n % 3 = 0 then 'member ' || n % 1000 else '' end, 'ok', '', '{}' from generate_series(1, ${ROWS}) n`,
  );
  await client.query(
    `insert into audit_heads (seq, entry, hash) select n, n, repeat('0', 64) from generate_series(1, ${ROWS}) n`,
  );
  await client.query(
    `insert into incidents (subject, subject_id, what, evidence, opened_at, closed_at)
     select 'order', md5(n::text)::uuid, 'w', '{}', n, case when n % 9000 <> 0 then n end
     from generate_series(1, ${ROWS}) n`,
  );
  await client.query(
    `insert into ledger_accounts (key, class, owner, asset, posted)
     select 'f' || n, 'FUNDING', 100000 + n, 'USDT', n from generate_series(1, ${ROWS}) n`,
  );
  await client.query(
    `insert into operator_requests (id, order_id, resolution, operator, reason, requested_at, answer, answered_at)
     select md5(n::text || 'r')::uuid, md5(n::text)::uuid, 'absent', 'admin 1', 'long enough', n, 'a', n
     from generate_series(1, ${ROWS}) n`,
  );
  await client.query(
    `insert into operator_audit (request_id, order_id, operator, resolution, reason, outcome, answer, evidence, at)
     select id, order_id, operator, resolution, reason, 'refused', answer, '{}', requested_at from operator_requests`,
  );
  // Half of them wait; some documents are shown by very many.
  await client.query(
    `insert into kyc_cases (id, member, attempt, state, fields, country, document_kind, document_hash, submitted_at, decided_at)
     select md5(n::text)::uuid, 100000 + n, 1, case when n % 2 = 0 then 'pending' else 'done' end, '', 'JP', 'passport',
       case when n % 4 = 0 then 'shared' else n::text end, n, case when n % 2 <> 0 then n end
     from generate_series(1, ${ROWS}) n`,
  );
  // One has brought a tenth of all; others one each, and some have a code.
  await client.query(
    `insert into referrals (invitee, referrer, code, kind, at)
     select 100000 + n, case when n % 10 = 0 then 100001 else 99999 + n end, 'X', 'self', n
     from generate_series(2, ${ROWS}) n`,
  );
  await client.query(
    `insert into referral_rewards (invitee, referrer, asset, rate_bps, amount, state, accrued_at, settled_at)
     select invitee, referrer, 'USDT', 2000, 10, case when invitee % 50 = 0 and referrer > 100001 then 'unsettled' else 'settled' end,
       at, case when invitee % 50 = 0 and referrer > 100001 then null else at end from referrals`,
  );
  await client.query(
    `update members set kol_referral_code = 'KOL' || id, kol_rate_bps = 100 where id % 3000 = 0`,
  );
  await client.query(
    `insert into mail_queue (mail, tries, next_at, failed_at)
     select $1, 8, 9007199254740991, n from generate_series(1, 1000) n`,
    [SEAL.seal(JSON.stringify({ to: 'a@example.org', subject: 's', body: '' }), MAIL_CONTEXT)],
  );
  // Ten currencies, set over and over; the newest of all still waits.
  await client.query(
    `insert into offer_changes (kind, subject, field, value, was, at, effective_at, actor, reason, approval)
     select 'currency', 'C' || n % 10, case when n % 2 = 0 then 'shown' else 'deposits' end, 'yes', 'no', to_timestamp(n),
       case when n > ${ROWS} - 10 then now() + interval '1 day' else to_timestamp(n) end, 'admins 1 and 2', 'long enough', n
     from generate_series(1, ${ROWS}) n`,
  );
  await fillDecisions(client);
  await fillAccess(client);
  await client.query('reset session_replication_role');
  for (const table of [
    'ledger_accounts',
    'members',
    'audit_log',
    'audit_heads',
    'incidents',
    'kyc_cases',
    'operator_requests',
    'operator_audit',
    'referrals',
    'referral_rewards',
    'mail_queue',
    'offer_changes',
    'admins',
    'admin_sessions',
    'admin_invites',
    'approvals',
    'limit_changes',
    'platform_states',
    'content',
    'content_texts',
    'content_drafts',
    'sessions',
    'access_recoveries',
  ]) {
    await client.query(`vacuum (analyze) ${table}`);
  }
  client.release();
}, 900_000);
afterAll(() => db.close());

/** Admins, what two of them have decided, and texts: as many as of everything else. */
async function fillDecisions(client: { query(text: string): Promise<unknown> }): Promise<void> {
  await client.query(
    `insert into admins (email, roles, demo, created_at)
     select 'a' || n || '@demo.invalid', '{admin}', true, n from generate_series(1, ${ROWS}) n`,
  );
  await client.query(
    `insert into admin_sessions (id, hash, admin, created_at, expires_at, used_at, address, user_agent)
     select md5(n::text || 's')::uuid, md5(n::text) || md5(n::text), n, n, n + 1, n, '', '' from generate_series(1, ${ROWS}) n`,
  );
  // Every hundredth is an invitation, all of one admin's.
  await client.query(
    `insert into approvals (kind, subject, payload, payload_hash, maker, maker_session, reason, made_at, expires_at, state,
       checker, checker_session, decision_reason, decided_at)
     select case when n % 100 = 0 then 'admin-invite' else 'kol' end, 'member ' || n, '{"email": "x@example.org", "roles": []}',
       md5('') || md5(''), case when n % 100 = 0 then 1 else 1 + n % 500 end, md5('1s')::uuid, 'long enough', n, n + 1, 'approved', 501,
       md5('2s')::uuid, 'long enough', n from generate_series(1, ${ROWS}) n`,
  );
  await client.query(
    `insert into admin_invites (hash, email, roles, invited_by, reason, created_at, expires_at, used_at, approval)
     select md5(n::text) || md5(''), 'x@example.org', '{admin}', 'admin 1', 'long enough', n, n + 1, n, n
     from generate_series(100, ${ROWS}, 100) n`,
  );
  await client.query(
    `insert into limit_changes (what, tier, most, was, at, effective_at, actor, reason, approval)
     select 'test-funds', n % 2, n, 1, to_timestamp(n), to_timestamp(n), 'admins 1 and 2', 'long enough', n
     from generate_series(1, ${ROWS}) n`,
  );
  await client.query(
    `insert into platform_states (platform, state, at, actor, reason)
     select 1 + n % 3, 'paused', n, 'admin 1', 'long enough' from generate_series(1, ${ROWS}) n`,
  );
  await client.query(
    `insert into content (kind, slug, version, publish_at, position, withdrawn, author)
     select 'faq', 'q' || n / 3, 1 + n % 3, n, 0, false, 'shipped' from generate_series(3, ${ROWS}) n`,
  );
  await client.query(
    `insert into content_texts (content, lang, title, summary, body) select id, 'en', 't', '', 'b' from content`,
  );
  await client.query(
    `insert into content_drafts (kind, slug, texts, position, withdrawn, author, saved_at)
     select 'faq', 'd' || n, '{}', 0, false, 'x', n from generate_series(1, ${ROWS}) n`,
  );
}

/** Log-ins, a tenth of them of one member, and who asks to be let in again: half of them still open. */
async function fillAccess(client: { query(text: string): Promise<unknown> }): Promise<void> {
  await client.query(
    `insert into sessions (id, hash, member, created_at, expires_at, address, user_agent)
     select md5(n::text || 'l')::uuid, md5(n::text) || md5(n::text || 'l'), case when n % 10 = 0 then 100077 else 100000 + n end,
       n, n + 1, '', '' from generate_series(1, ${ROWS}) n`,
  );
  await client.query(
    `insert into access_recoveries (member, contact, statement, state, asked_at, address, ended_at)
     select 100000 + n, 'n' || n || '@example.org', case when n % 2 = 0 then '' end,
       case when n % 2 = 0 then 'asked' else 'lapsed' end, n, '', case when n % 2 = 1 then n end
     from generate_series(1, ${ROWS}) n`,
  );
}

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly Plans?: readonly PlanNode[];
}

function nodesOf(node: PlanNode): readonly PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}

/** How a statement was run. */
async function planOf(text: string, values: readonly SqlValue[]): Promise<PlanNode> {
  const rows = await db.database.query<{ 'QUERY PLAN': readonly { Plan: PlanNode }[] }>(
    `explain (analyze, buffers, timing off, costs off, format json) ${text}`,
    values,
  );
  const [plan] = rows[0]?.['QUERY PLAN'] ?? [];
  if (plan === undefined) throw new Error('no plan');
  return plan.Plan;
}

/** Big tables that a statement read from end to end, and nodes that read more than a page is worth. */
function wasteOf(plan: PlanNode): readonly string[] {
  return nodesOf(plan).flatMap((node) => {
    const read = (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
    const isScan = node['Node Type'] === 'Seq Scan' && read > ROWS_READ_MAX;
    return isScan || read > ROWS_READ_MAX
      ? [`${node['Node Type']} ${node['Relation Name'] ?? ''}: ${read}`]
      : [];
  });
}

/** Runs a list, and then each of its statements by itself. */
async function plansOf(run: (database: Database) => Promise<unknown>): Promise<readonly PlanNode[]> {
  const asked: (readonly [string, readonly SqlValue[]])[] = [];
  const watched: Database = {
    ...db.database,
    query: (statement, values = []) => {
      asked.push([typeof statement === 'string' ? statement : statement.text, values]);
      return db.database.query(statement, values);
    },
  };
  await run(watched);
  const plans: PlanNode[] = [];
  for (const [text, values] of asked) plans.push(await planOf(text, values));
  return plans;
}

async function waste(run: (database: Database) => Promise<unknown>): Promise<readonly string[]> {
  return (await plansOf(run)).flatMap(wasteOf);
}

const DESK = {
  ended: () => undefined,
  prices: async () => new Map([['USDT', parseAmount('1') as Amount]]),
};
const members =
  (query: string | undefined, page: PageOf, frozen = false) =>
  (database: Database) =>
    memberDesk(database, DESK).search({ query, frozen }, page);
const audit =
  (page: PageOf, by?: 'subject' | 'actor' | 'call', value = '') =>
  (database: Database) =>
    watchDesk(database).audit(by === undefined ? undefined : { by, value }, page);
const papers = (database: Database): KycStore =>
  kycStore(database, {
    ...{ seal: createSeal(randomBytes(32)), documentKey: randomBytes(32), validYears: 5, productName: 'Hub' },
    ...{ putMail: async () => undefined, mailsWritten: () => undefined },
  });
const NOW = 1_760_000_000_000 as Millis;
const NO_LETTERS = { putMail: async () => undefined, mailsWritten: () => undefined };
const MIDDLE: PageOf = { limit: 50, cursor: String(100_001 + ROWS / 2) };
const MIDDLE_OF_ADMINS: PageOf = { limit: 50, cursor: String(ROWS / 2) };
const DEEP: PageOf = { limit: 50, cursor: '400' };
const ACT_DEPS = { seal: SEAL, ...NO_LETTERS };
const logIns = (before: number) => (database: Database) =>
  securityStore(database, ACT_DEPS).logIns(100_077 as never, before as Millis, 51);
const recoveries = (page: PageOf) => (database: Database) => recoveryDesk(database, ACT_DEPS).list(page);
const decisions = (page: PageOf) => (database: Database) => approvalStore(database, NO_LETTERS).list(page);
const waitingPapers = (from?: number) => (database: Database) =>
  papers(database).list({
    ...{ state: 'pending', limit: 51 },
    ...(from === undefined ? {} : { after: { at: from as Millis, id: randomUUID() } }),
  });

/** The lists that grow with the hub: the table that each pages through, and a page anywhere in it. */
const GROWING: readonly [
  string,
  table: string,
  (from: number | undefined) => (database: Database) => Promise<unknown>,
][] = [
  ['members', 'members', (from) => members(undefined, pageFrom(from, 100_001))],
  ['members by the beginning of a nickname', 'members', (from) => members('nick', pageFrom(from, 100_001))],
  ['the audit log', 'audit_log', (from) => audit(pageFrom(from))],
  ['the audit log of one call', 'audit_log', (from) => audit(pageFrom(from), 'call', 'user/login')],
  ['decisions of two', 'approvals', (from) => decisions(pageFrom(from))],
  ['papers that wait', 'kyc_cases', (from) => waitingPapers(from)],
  ["a member's log-ins", 'sessions', (from) => logIns(from ?? ROWS + 1)],
  ['who asks to be let in again', 'access_recoveries', (from) => recoveries(pageFrom(from))],
  ['admins', 'admins', (from) => (database) => staffDesk(database).list(pageFrom(from))],
  ['incidents', 'incidents', (from) => (database) => watchDesk(database).incidents(true, pageFrom(from))],
];

/** A page that begins at a row of the table's own count. @param first the table's first id. */
function pageFrom(from: number | undefined, first = 0): PageOf {
  return from === undefined ? PAGE : { limit: 50, cursor: String(first + from) };
}

test.each<[string, (database: Database) => Promise<unknown>]>([
  ['members, newest first', members(undefined, PAGE)],
  ['members from the middle on', members(undefined, MIDDLE)],
  ['frozen members', members(undefined, PAGE, true)],
  ['a member by address', members('m77@example.org', PAGE)],
  ['a member by number', members('+819000000077', PAGE)],
  ['members by the beginning of a nickname', members('nick', PAGE)],
  ['the same, from the middle on', members('nick', MIDDLE)],
  ['a nickname that nobody has', members('zzz', PAGE)],
  ['one member', (database) => memberDesk(database, DESK).view(100_077, 1 as never)],
  ['the audit log', audit(PAGE)],
  ['the end of the audit log', audit(DEEP)],
  ['the audit log of a subject', audit(PAGE, 'subject', 'member 333')],
  ['the audit log of somebody', audit(DEEP, 'actor', '7')],
  ['the audit log of a rare call', audit(PAGE, 'call', 'rare/call')],
  ['the audit log of a common call', audit(PAGE, 'call', 'user/login')],
  ['open incidents', (database) => watchDesk(database).incidents(false, PAGE)],
  ['all incidents, the end', (database) => watchDesk(database).incidents(true, DEEP)],
  ['who brings others', (database) => referralDesk(database).list(undefined, PAGE, NOW)],
  [
    'who brings others, from the middle on',
    (database) => referralDesk(database).list(undefined, MIDDLE, NOW),
  ],
  ['a KOL code', (database) => referralDesk(database).list('KOL102000', PAGE, NOW)],
  ['a code that nobody has', (database) => referralDesk(database).list('NOBODY', PAGE, NOW)],
  ['mails given up', (database) => mailDesk(database, SEAL, () => undefined).failed(PAGE)],
  ['funds by asset', (database) => watchDesk(database).funds(PAGE)],
  ['texts of a kind', (database) => contentDesk(database).list('faq', 1 as never, PAGE)],
  ['admins', (database) => staffDesk(database).list(PAGE)],
  ['invitations', (database) => staffDesk(database).invitations(1, 1 as never)],
  ['what is set of currencies', (database) => settingsOf(database, 'currency')],
  [
    'what is set of one currency',
    (database) => settingOfSubject(database, 'currency', { subject: 'C3', fields: ['shown', 'deposits'] }),
  ],
  ['the newest change of a currency', (database) => newestSetting(database, 'currency', 'C3')],
  ['what was set last', (database) => settingHistory(database, 50)],
  ['decisions, the end', decisions(DEEP)],
  ['what a log-in stops', (database) => stopRecoveries(database, 100_077, NOW)],
  ['admins, from the middle on', (database) => staffDesk(database).list(MIDDLE_OF_ADMINS)],
  [
    'texts of a kind, from the middle on',
    (database) => contentDesk(database).list('faq', 1 as never, { limit: 50, cursor: 'q5' }),
  ],
  ['one text', (database) => contentDesk(database).view({ kind: 'faq', slug: 'q77' })],
  ['limits in force', (database) => limitsInForce(database, 'test-funds')],
  ['limits to come', (database) => limitsToCome(database, 'test-funds')],
  ['limits that were set last', (database) => limitHistory(database, 50)],
  ['how platforms stand', newestSayings],
  ['what stands as a debt on platforms', platformDebts],
  ['what was said of platforms', (database) => platformHistory(database, 50)],
])('%s', async (_what, run) => {
  expect(await waste(run)).toEqual([]);
});

/** Nodes that read more of a table than a page and its one row more, or without an index. */
function beyondOnePage(plan: PlanNode, table: string): readonly string[] {
  return nodesOf(plan)
    .filter((node) => node['Relation Name'] === table && node['Actual Loops'] === 1)
    .flatMap((node) => {
      const read = node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0);
      const isBounded = read <= PAGE.limit + 1 && node['Node Type'].startsWith('Index');
      return isBounded ? [] : [`${node['Node Type']} ${table}: ${read}`];
    });
}

describe.each(GROWING)('%s', (_list, table, of) => {
  test.each([
    ['the first page', undefined],
    ['a page in the middle', ROWS / 2],
  ])('%s is read by its index, a page and one row', async (_page, from) => {
    const plans = await plansOf(of(from));
    expect(
      plans.flatMap((plan) => nodesOf(plan).filter((node) => node['Relation Name'] === table)),
    ).not.toEqual([]);
    expect(plans.flatMap((plan) => beyondOnePage(plan, table))).toEqual([]);
    expect(plans.flatMap(wasteOf)).toEqual([]);
  });
});

/** The largest number of rows of a table that one of these plans read. */
function rowsRead(plans: readonly PlanNode[], table: string): number {
  const nodes = plans.flatMap(nodesOf).filter((node) => node['Relation Name'] === table);
  return Math.max(...nodes.map((node) => node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)));
}

/** How long pages take that begin anywhere, as a row of the campaign's report. */
async function timesOf([list, table, of]: (typeof GROWING)[number]): Promise<string> {
  const millis: number[] = [];
  for (let page = 0; page < PAGES_TIMED; page += 1) {
    // Spread over the whole table, and never two neighbours in turn.
    const from = 100 + ((page * 7_919_191) % (ROWS - 200));
    const begun = performance.now();
    await of(from)(db.database);
    millis.push(performance.now() - begun);
  }
  const sorted = millis.toSorted((left, right) => left - right);
  const at = (share: number) => (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(1);
  return `| ${list} | ${at(0.5)} | ${at(0.99)} | ${rowsRead(await plansOf(of(ROWS / 2)), table)} |\n`;
}

test('pages that begin anywhere are all read; the campaign writes down how long they take', async () => {
  for (const list of REPORT === undefined ? GROWING.slice(0, 1) : GROWING) {
    const row = await timesOf(list);
    expect(row).toContain(list[0]);
    if (REPORT !== undefined) appendFileSync(REPORT, row);
  }
}, 600_000);

// What an index is walked over without giving a row is in no plan's rows, but in its blocks.
test.each([
  ['of the last in the alphabet', 'nickzzz'],
  ['that nobody has', 'zzz'],
])('names %s are found without walking over those before them', async (_which, query) => {
  const plans = await plansOf(members(query, PAGE));
  const blocks = plans.map((plan) => plan['Shared Hit Blocks'] + plan['Shared Read Blocks']);
  expect(blocks).toHaveLength(1);
  expect(Math.max(...blocks)).toBeLessThan(BLOCKS_MAX);
});

test('what reads a table from end to end is found', async () => {
  expect(
    await waste((database) => database.query(`select count(*) from members where nickname = 'x'`)),
  ).not.toEqual([]);
});

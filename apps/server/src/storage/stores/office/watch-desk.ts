import type { AdminAuditRow, AdminFundsRow, AdminResponse } from '@crossbook/contract';
import type { FundedFloor, PageOf, WatchDesk } from '../../../back-office/ports.ts';
import type { Database } from '../../postgres/database.ts';
import { auditFile } from '../audit-file.ts';
import { newestSeals } from '../journal-seals.ts';
import { createGateOperator } from '../money-gate-store.ts';
import { fundedAccounts } from './funded-accounts.ts';
import { auditAct } from './member-desk.ts';

interface AuditColumns {
  readonly id: string;
  readonly seq: string | null;
  readonly at: string;
  readonly actor_kind: string;
  readonly actor: string;
  readonly address: string;
  readonly call: string;
  readonly subject: string;
  readonly outcome: string;
  readonly reason: string;
  readonly details: string;
}

interface IncidentColumns {
  readonly id: string;
  readonly subject: string;
  readonly subject_id: string;
  readonly what: string;
  readonly evidence: string;
  readonly opened_at: string;
  readonly closed_at: string | null;
  readonly requested_at: string | null;
  readonly operator: string;
  readonly resolution: 'absent' | 'filled';
  readonly outcome: 'done' | 'refused' | null;
  readonly answer: string | null;
  readonly decided_by: string | null;
}

const GATE_EVENTS_SHOWN_MAX = 20;
const NEWEST = '9223372036854775807';

function fromOf({ cursor }: PageOf): string {
  return /^[0-9]{1,18}$/.test(cursor ?? '') ? (cursor ?? NEWEST) : NEWEST;
}

/** One row more than a page was read: whether there is a next page. */
function nextOf(rows: readonly { readonly id: string }[], limit: number): string | null {
  return rows.length > limit ? (rows[limit - 1]?.id ?? null) : null;
}

/** One filter at most, so that each list walks one index. A subject that is empty is no subject. */
const FILTERS = {
  all: 'true',
  subject: `l.subject = $3 and l.subject <> ''`,
  actor: 'l.actor = $3',
  call: 'l.call = $3',
} as const;

function auditRow(row: AuditColumns): AdminAuditRow {
  const { actor_kind: actorKind, at, ...rest } = row;
  return { ...rest, actorKind, at: Number(at) };
}

function requestOf(row: IncidentColumns): AdminResponse<'x/admin/Incidents'>['rows'][number]['request'] {
  const { requested_at: at, operator: by, resolution, outcome } = row;
  if (at === null) return null;
  const [answer, evidence] = [row.answer ?? '', row.decided_by ?? '{}'];
  return { at: Number(at), by, resolution, outcome, answer, evidence };
}

/** The sum of some accounts of an asset, as text without trailing zeros. */
function total(name: string, classes: string): string {
  return `trim_scale(coalesce(sum(posted) filter (where class in (${classes})), 0))::text as ${name}`;
}

/** Accounts that are nobody's; what members have is what they lack to zero, so that no member's account is read. */
const FUNDS = `select asset, trim_scale(-sum(posted))::text as members,
    ${total('fees', "'HOUSE_FEE'")}, ${total('promo', "'HOUSE_PROMO'")}, ${total('conversion', "'HOUSE_FX'")},
    ${total('rounding', "'ROUNDING'")}, ${total('suspense', "'SUSPENSE'")},
    ${total('"inTransit"', "'IN_TRANSIT'")}, ${total('outside', "'EXTERNAL'")}
  from ledger_accounts where owner is null and asset > $1 group by asset order by asset limit $2`;

/** What the back office reads of the hub. */
export function watchDesk(database: Database, floors: readonly FundedFloor[] = []): WatchDesk {
  return {
    async audit(filter, page) {
      const rows = await database.query<AuditColumns>(
        `select l.id, h.seq, l.at, l.actor_kind, l.actor, l.address, l.call, l.subject, l.outcome, l.reason,
           l.details::text as details
         from audit_log l left join audit_heads h on h.entry = l.id
         where ${FILTERS[filter?.by ?? 'all']} and l.id < $1 order by l.id desc limit $2`,
        [fromOf(page), page.limit + 1, ...(filter === undefined ? [] : [filter.value])],
      );
      return { rows: rows.slice(0, page.limit).map(auditRow), next: nextOf(rows, page.limit) };
    },
    auditFile: (act, after) =>
      database.withTransaction(async (client) => {
        const { bytes, places } = await auditFile(client, after);
        await auditAct(client, act, { subject: 'audit log', details: { after, places } });
        return bytes;
      }),
    async incidents(all, page) {
      const rows = await database.query<IncidentColumns>(
        `select i.sequence as id, i.subject, i.subject_id, i.what, i.evidence::text as evidence, i.opened_at, i.closed_at,
           r.requested_at, r.operator, r.resolution, a.outcome, a.answer, a.evidence::text as decided_by
         from incidents i
         left join lateral (
           select id, requested_at, operator, resolution from operator_requests
           where i.subject = 'order' and order_id = i.subject_id order by requested_at desc limit 1) r on true
         left join operator_audit a on a.request_id = r.id
         where ${all ? 'true' : 'i.closed_at is null'} and i.sequence < $1
         order by i.sequence desc limit $2`,
        [fromOf(page), page.limit + 1],
      );
      const shown = rows.slice(0, page.limit).map((row) => ({
        ...{ id: row.id, subject: row.subject, subjectId: row.subject_id, what: row.what },
        ...{ evidence: row.evidence, openedAt: Number(row.opened_at) },
        closedAt: row.closed_at === null ? null : Number(row.closed_at),
        request: requestOf(row),
      }));
      return { rows: shown, next: nextOf(rows, page.limit) };
    },
    async funds({ limit, cursor }) {
      const rows = await database.query<AdminFundsRow>(FUNDS, [cursor ?? '', limit + 1]);
      const shown = rows.slice(0, limit);
      return { rows: shown, next: rows.length > limit ? (shown.at(-1)?.asset ?? null) : null };
    },
    accounts: (now) => fundedAccounts(database, floors, now),
    async gateHistory() {
      const events = await createGateOperator(database).history(GATE_EVENTS_SHOWN_MAX);
      return events.map(({ id, at, event, actor, reason }) => ({
        id,
        at: at.getTime(),
        event,
        actor,
        reason,
      }));
    },
    async seals(now) {
      const { at, ...rest } = await newestSeals(database);
      return { ageMillis: at === undefined ? null : Math.max(0, now - at), ...rest };
    },
    async mails() {
      const [row] = await database.query<{ mailsWaiting: number; mailsFailed: number }>(
        `select count(*) filter (where failed_at is null)::int as "mailsWaiting", count(failed_at)::int as "mailsFailed"
         from mail_queue`,
      );
      return row ?? { mailsWaiting: 0, mailsFailed: 0 };
    },
  };
}

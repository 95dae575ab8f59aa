import type { OrderId } from '@crossbook/domain';
import type { IncidentStore } from '../../../intents/incident-book.ts';
import type { Incident } from '../../../intents/intent.ts';
import type { OperatorRequest, OperatorStore } from '../../../trading/operator-store.ts';
import type { Database } from '../../postgres/database.ts';
import { money } from '../order-columns.ts';
import { ALGO_OPEN } from './algo-store.ts';

/** Incidents in PostgreSQL. */
export function createIncidentStore(database: Database): IncidentStore {
  return {
    async open({ subject, id, what, evidence }: Incident, at) {
      const rows = await database.query(
        `insert into incidents (subject, subject_id, what, evidence, opened_at) values ($1, $2, $3, $4, $5)
         on conflict (subject_id, what) where closed_at is null do nothing returning sequence`,
        [subject, id, what, JSON.stringify(evidence), at],
      );
      return rows.length > 0;
    },
    async close(id, at) {
      await database.query(
        'update incidents set closed_at = $2 where subject_id = $1 and closed_at is null',
        [id, at],
      );
    },
    async closeEnded(at) {
      await database.query(
        `update incidents set closed_at = $1 where closed_at is null and case subject
           when 'order' then exists (select from orders where id = subject_id and settled)
           when 'transfer' then exists (
             select from universal_transfers where id = subject_id and state in ('done', 'refused'))
           when 'setting' then exists (
             select from setting_changes where id = subject_id and state not in ('asked', 'unknown'))
           when 'algo order' then exists (
             select from algo_orders where id = subject_id and not ${ALGO_OPEN})
           else exists (select from test_funds where id = subject_id and state = 'done') end`,
        [at],
      );
    },
    async openIds() {
      const rows = await database.query<{ id: OrderId }>(
        'select distinct subject_id as id from incidents where closed_at is null',
      );
      return rows.map(({ id }) => id);
    },
  };
}

interface RequestColumns {
  readonly id: string;
  readonly order_id: OrderId;
  readonly quantity: string | null;
  readonly quote_quantity: string | null;
  readonly seen_quantity: string | null;
  readonly seen_quote: string | null;
  readonly operator: string;
  readonly reason: string;
  readonly approval: string | null;
}

function pairOf(quantity: string | null, quote: string | null): OperatorRequest['filled'] {
  if (quantity === null || quote === null) return undefined;
  return { quantity: money(quantity), quoteQuantity: money(quote) };
}

function requestOf(row: RequestColumns): OperatorRequest {
  const { id, order_id: orderId, operator, reason } = row;
  const filled = pairOf(row.quantity, row.quote_quantity);
  const seen = pairOf(row.seen_quantity, row.seen_quote);
  return {
    ...{ id, orderId, operator, reason, signedByTwo: row.approval !== null },
    ...(filled === undefined ? {} : { filled }),
    ...(seen === undefined ? {} : { seen }),
  };
}

/**
 * The answer to a request and its audit row, registered with the ledger store so that they commit with the money. A
 * request that is answered already, or not there, refuses its unit: nothing is decided twice.
 */
export const OPERATOR_WRITES: Readonly<Record<string, string>> = {
  'operator.answer': `with given as (
      select * from jsonb_to_recordset($1) as g(id uuid, outcome text, answer text, evidence jsonb, at bigint)),
    answered as (
      update operator_requests set answer = g.answer, answered_at = g.at from given g
      where operator_requests.id = g.id and answered_at is null
      returning g.*, order_id, operator, resolution, reason),
    audited as (
      insert into operator_audit (request_id, order_id, operator, resolution, reason, outcome, answer, evidence, at)
      select id, order_id, operator, resolution, reason, outcome, answer, evidence, at from answered returning 1)
    select ledger_expect((select count(*) from audited), jsonb_array_length($1))`,
};

/** Requests of the operator and their audit in PostgreSQL. */
export function createOperatorStore(database: Database): OperatorStore {
  return {
    async waiting() {
      const rows = await database.query<RequestColumns>(
        'select * from operator_requests where answered_at is null order by requested_at limit 20',
      );
      return rows.map(requestOf);
    },
    answered: ({ id }, { outcome, answer, evidence }, at) => ({
      table: 'operator.answer',
      row: { id, outcome, answer, evidence, at },
    }),
  };
}

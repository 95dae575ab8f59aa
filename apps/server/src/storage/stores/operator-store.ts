import type { OrderId } from '@crossbook/domain';
import type { IncidentStore } from '../../intents/incident-book.ts';
import type { Incident } from '../../intents/intent.ts';
import type { OperatorRequest, OperatorStore } from '../../trading/operator-store.ts';
import type { Database } from '../postgres/database.ts';
import { money } from './trading-store.ts';

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
  readonly operator: string;
  readonly reason: string;
}

function requestOf(row: RequestColumns): OperatorRequest {
  const { id, order_id: orderId, operator, reason } = row;
  const { quantity, quote_quantity: quote } = row;
  const filled =
    quantity === null || quote === null
      ? {}
      : { filled: { quantity: money(quantity), quoteQuantity: money(quote) } };
  return { id, orderId, operator, reason, ...filled };
}

/** Requests of the operator and their audit in PostgreSQL. */
export function createOperatorStore(database: Database): OperatorStore {
  return {
    async waiting() {
      const rows = await database.query<RequestColumns>(
        'select * from operator_requests where answered_at is null order by requested_at limit 20',
      );
      return rows.map(requestOf);
    },
    async answer(request, { outcome, answer, evidence }, at) {
      await database.query(
        `with answered as (
           update operator_requests set answer = $2, answered_at = $3 where id = $1 and answered_at is null
           returning id, order_id, operator, resolution, reason)
         insert into operator_audit (request_id, order_id, operator, resolution, reason, outcome, answer, evidence, at)
         select id, order_id, operator, resolution, reason, $4, $2, $5, $3 from answered`,
        [request.id, answer, at, outcome, JSON.stringify(evidence)],
      );
    },
  };
}

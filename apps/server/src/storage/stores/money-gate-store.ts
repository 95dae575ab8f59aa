import type { Breach, GateStore } from '../../money-gate/ports.ts';
import type { Database } from '../postgres/database.ts';

/** Who the checker is in the gate's history. */
const CHECKER = 'the ledger check';

const READ = {
  name: 'money-gate-read',
  text: `select g.reason as closed, r.id as request, r.actor
    from (select) one
    left join lateral (
      select event, reason from money_gate_events where event in ('closed', 'opened') order by id desc limit 1
    ) g on g.event = 'closed'
    left join lateral (
      select q.id, q.actor from money_gate_events q where q.event = 'open-requested'
        and not exists (select from money_gate_events a where a.request = q.id) order by q.id limit 1
    ) r on true`,
};

/** The gate's history as the server may use it: read, close, answer. */
export function createMoneyGateStore(database: Database): GateStore {
  return {
    async read() {
      const [row] = await database.query<{
        closed: string | null;
        request: string | null;
        actor: string | null;
      }>(READ);
      const { closed = null, request = null, actor = null } = row ?? {};
      return {
        ...(closed === null ? {} : { closed }),
        ...(request === null || actor === null ? {} : { request: { id: request, actor } }),
      };
    },
    async close(reason, evidence) {
      await database.query('select money_gate_close($1, $2, $3)', [
        reason,
        CHECKER,
        JSON.stringify(evidence),
      ]);
    },
    async answer(request, breaches) {
      const clean = breaches.length === 0;
      const reason = clean ? 'every movement and balance was verified' : 'the ledger does not add up';
      const evidence = JSON.stringify(breaches);
      await database.query('select money_gate_answer($1, $2, $3, $4, $5)', [
        request,
        clean,
        reason,
        CHECKER,
        evidence,
      ]);
    },
  };
}

/** One row of the gate's history. */
export interface GateEvent {
  readonly id: string;
  readonly event: 'closed' | 'open-requested' | 'open-refused' | 'opened';
  readonly request: string | null;
  readonly reason: string;
  readonly actor: string;
  readonly evidence: readonly Breach[];
  readonly at: Date;
}

/** The gate's history as the operator may use it, over the owner's connection. */
export interface GateOperator {
  /** Newest first. */
  history(rowsMax: number): Promise<readonly GateEvent[]>;
  /** Whether it is closed by a row. */
  isClosed(): Promise<boolean>;
  close(reason: string, actor: string): Promise<void>;
  /** Asks the hub to check everything and to open. @returns the request's id. */
  requestOpening(reason: string, actor: string): Promise<string>;
  /** What became of a request; `undefined` while the hub has not answered. */
  answerTo(request: string): Promise<GateEvent | undefined>;
}

/** @param database connected as the owner: the server's role may not ask. */
export function createGateOperator(database: Database): GateOperator {
  return {
    history: (rowsMax) =>
      database.query<GateEvent>('select * from money_gate_events order by id desc limit $1', [rowsMax]),
    async isClosed() {
      return (await createMoneyGateStore(database).read()).closed !== undefined;
    },
    async close(reason, actor) {
      await database.query(`select money_gate_close($1, $2, '[]')`, [reason, actor]);
    },
    async requestOpening(reason, actor) {
      const [row] = await database.query<{ id: string }>(
        `insert into money_gate_events (event, reason, actor) values ('open-requested', $1, $2) returning id`,
        [reason, actor],
      );
      return row?.id ?? '';
    },
    async answerTo(request) {
      const [row] = await database.query<GateEvent>('select * from money_gate_events where request = $1', [
        request,
      ]);
      return row;
    },
  };
}

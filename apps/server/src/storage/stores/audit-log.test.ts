import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { expect, test } from 'vitest';
import { openedForEach } from '../../../../../tests/opened.ts';
import { MIGRATIONS_DIRECTORY } from '../migrations/migrations.ts';
import { clientConfig } from '../postgres/database.ts';
import { openTestDatabase } from '../testing.ts';
import { createGateOperator, createMoneyGateStore } from './money-gate-store.ts';

const db = openedForEach(openTestDatabase);

const logged = () =>
  db.owner.query<{ text: string }>(
    `select actor_kind || ' ' || actor || ' ' || call || ' ' || subject || ' ' || outcome || ' ' || reason as text
     from audit_log order by id`,
  );
const REQUEST = '01930000-0000-7000-8000-000000000001';
const ORDER = '01930000-0000-7000-8000-000000000002';

async function acts(): Promise<void> {
  const store = createMoneyGateStore(db.database);
  const operator = createGateOperator(db.owner);
  await store.close('I1 at USDT', [{ invariant: 'I1', subject: 'USDT', found: '1', expected: '0' }]);
  const request = await operator.requestOpening('looked at it', 'ann@desk');
  await store.answer(request, [{ invariant: 'I1', subject: 'USDT', found: '1', expected: '0' }]);
  await db.owner.query(
    `insert into operator_requests (id, order_id, resolution, operator, reason, requested_at)
     values ($1, $2, 'absent', 'ann', 'the exchange confirmed it', 5)`,
    [REQUEST, ORDER],
  );
  await db.owner.query(
    `insert into operator_audit (request_id, order_id, operator, resolution, reason, outcome, answer, evidence, at)
     values ($1, $2, 'ann', 'absent', 'the exchange confirmed it', 'done', 'ended', '{"looks": 5}', 7)`,
    [REQUEST, ORDER],
  );
}

const ACTS = [
  'system the ledger check money-gate/closed  ok I1 at USDT',
  'operator ann@desk money-gate/open-requested  ok looked at it',
  'system the ledger check money-gate/open-refused request 2 refused the ledger does not add up',
  `operator ann resolve/absent order ${ORDER} ok the exchange confirmed it`,
];

test('what the gate and the operator did enters the log in the same transaction, by the server and by the owner', async () => {
  await acts();
  expect((await logged()).map(({ text }) => text)).toEqual(ACTS);
  const [last] = await db.owner.query('select at, details from audit_log order by id desc limit 1');
  expect(last).toMatchObject({ at: '7', details: { request: REQUEST, evidence: { looks: 5 } } });
});

test('acts of before the log are in it after the migration, and their own tables keep every row', async () => {
  await acts();
  const before = await db.owner.query('select * from money_gate_events order by id');
  const client = new pg.Client(clientConfig(db.ownerAddress));
  await client.connect();
  // As the database was before: the tables of this migration are not there.
  await client.query(`drop table audit_log, audit_heads, audit_unsealed cascade`);
  const made = await client.query<{ name: string }>(
    `select oid::regprocedure::text as name from pg_proc where proname like 'audit\\_%' and pronamespace = 'public'::regnamespace`,
  );
  for (const { name } of made.rows) await client.query(`drop function ${name} cascade`);
  await client.query(readFileSync(join(MIGRATIONS_DIRECTORY, '0023-audit', 'up.sql'), 'utf8'));
  await client.end();
  expect((await logged()).map(({ text }) => text)).toEqual(ACTS);
  expect(await db.owner.query('select * from money_gate_events order by id')).toEqual(before);
  expect(await db.owner.query('select count(*)::int as n from audit_unsealed')).toEqual([{ n: 4 }]);
});

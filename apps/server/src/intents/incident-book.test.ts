import type { Millis, OrderId } from '@crossbook/domain';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createIncidentStore } from '../storage/stores/trading/operator-store.ts';
import { openTestDatabase, type TestDatabase } from '../storage/testing.ts';
import { createIncidentBook, type IncidentBook } from './incident-book.ts';
import type { Incident } from './intent.ts';

const ID = '01890000-0000-7000-8000-00000000abcd' as OrderId;
const INCIDENT: Incident = {
  ...{ subject: 'order', id: ID, what: 'the outcome is still open' },
  evidence: { symbol: 'BTCUSDT' },
};

let database: TestDatabase;
let mails: Incident[];
let logged: string[];
const book = (): IncidentBook =>
  createIncidentBook({
    store: createIncidentStore(database.database),
    clock: () => 5 as Millis,
    log: (event) => logged.push(event),
    tell: async (incident) => {
      mails.push(incident);
    },
  });
beforeEach(async () => {
  database = await openTestDatabase();
  mails = [];
  logged = [];
});
afterEach(() => database.close());

const rows = () =>
  database.owner.query(
    'select subject, what, evidence, opened_at, closed_at from incidents order by sequence',
  );

test('an incident is written and reported once, however often it is opened, also by the next process', async () => {
  const first = book();
  first.open(INCIDENT);
  first.open(INCIDENT);
  await first.idle();
  const second = book();
  await second.start();
  second.open(INCIDENT);
  await second.idle();
  expect(mails).toEqual([INCIDENT]);
  const { subject, what, evidence } = INCIDENT;
  expect(await rows()).toEqual([{ subject, what, evidence, opened_at: '5', closed_at: null }]);
});

test('the end of what it is about closes it, also in the next process; it may then open again', async () => {
  const first = book();
  first.open(INCIDENT);
  await first.idle();
  const second = book();
  await second.start();
  second.ended(ID);
  second.open(INCIDENT);
  await second.idle();
  expect(await rows()).toMatchObject([{ closed_at: '5' }, { closed_at: null }]);
  expect(mails).toHaveLength(2);
});

/** Rows of each kind of intent, one that has ended and one that has not. */
const INTENTS = `
  insert into orders (id, user_id, platform, symbol_type, symbol, base, quote, side, order_type, time_in_force, price,
    quantity, send_type, send_time_in_force, payload_hash, hold_id, hold_asset, hold_amount, status, settled, created_at, updated_at)
  select ('01890000-0000-7000-8000-0000000000' || id)::uuid, 1, 1, 'SPOT', 'BTCUSDT', 'BTC', 'USDT', 1, 1, 1, 1,
    1, 1, 1, '', gen_random_uuid(), 'USDT', 1, status, settled, 1, 1
  from (values ('a1', 3, true), ('a0', 0, false)) as o(id, status, settled);
  insert into universal_transfers (id, user_id, platform, direction, asset, amount, payload_hash, state, created_at, updated_at)
  select ('01890000-0000-7000-8000-0000000000' || id)::uuid, 1, 1, 1, 'USDT', 1, '', state, 1, 1
  from (values ('b1', 'done'), ('b2', 'refused'), ('b0', 'unknown')) as t(id, state);
  insert into test_funds (id, user_id, asset, amount, payload_hash, state, created_at, updated_at)
  select ('01890000-0000-7000-8000-0000000000' || id)::uuid, 1, 'USDT', 1, '', state, 1, 1
  from (values ('c1', 'done'), ('c0', 'pending')) as f(id, state);`;

test('what ended just before a process died is closed by the next; what is open stays open', async () => {
  await database.owner.query(INTENTS);
  const about = { order: ['a1', 'a0'], transfer: ['b1', 'b2', 'b0'], 'test funds': ['c1', 'c0'] } as const;
  const first = book();
  for (const subject of ['order', 'transfer', 'test funds'] as const) {
    for (const end of about[subject])
      first.open({ ...INCIDENT, subject, id: `${ID.slice(0, -4)}00${end}` as OrderId });
  }
  await first.idle();
  await book().start();
  const open = await database.owner.query<{ subject_id: string }>(
    'select subject_id from incidents where closed_at is null order by subject_id',
  );
  expect(open.map(({ subject_id: id }) => id.slice(-2))).toEqual(['a0', 'b0', 'c0']);
});

test('the log has what is known of it, and why it was not written', async () => {
  const facts: unknown[] = [];
  const noted = createIncidentBook({
    store: createIncidentStore(database.database),
    clock: () => 5 as Millis,
    log: (event, about) => facts.push([event, about]),
    tell: async () => {
      throw new Error('no mail');
    },
  });
  noted.open(INCIDENT);
  await noted.idle();
  expect(facts).toEqual([
    ['incident: the outcome is still open', { subject: 'order', id: ID, symbol: 'BTCUSDT' }],
    ['an incident was not written', { error: 'Error: no mail' }],
  ]);
});

test('what cannot be written or mailed is in the log and breaks nothing', async () => {
  await database.owner.query('drop table incidents');
  const broken = book();
  broken.open(INCIDENT);
  broken.ended(ID);
  await broken.idle();
  expect(logged).toEqual(['an incident was not written', 'an incident was not written']);
});

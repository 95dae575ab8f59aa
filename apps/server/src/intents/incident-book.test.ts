import type { Millis, OrderId } from '@crossbook/domain';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createIncidentStore } from '../storage/stores/operator-store.ts';
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

test('an incident is written and told once, however often it is opened, also by the next process', async () => {
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

test('what cannot be written or mailed is in the log and breaks nothing', async () => {
  await database.owner.query('drop table incidents');
  const broken = book();
  broken.open(INCIDENT);
  broken.ended(ID);
  await broken.idle();
  expect(logged).toEqual(['an incident was not written', 'an incident was not written']);
});

import { createLanes, type Lanes, type Millis, type OrderId } from '@crossbook/domain';
import { beforeEach, expect, test } from 'vitest';
import { ScriptedTime } from '../main/scripted-time.fixture.ts';
import { createIntentMachine, type IntentMachine } from './machine.ts';
import { DEADLINE_MILLIS, ID, quiet, type Row, ScriptedIntents } from './scripted-intents.fixture.ts';

let time: ScriptedTime;
let rules: ScriptedIntents;
let machine: IntentMachine<Row, string>;
let lanesTaken: string[];
let incidents: unknown[];
let noted: unknown[];

beforeEach(() => {
  time = new ScriptedTime();
  rules = new ScriptedIntents();
  [lanesTaken, incidents, noted] = [[], [], []];
  const lanes = createLanes();
  const watched: Lanes = {
    ...lanes,
    run: (lane, work) => {
      lanesTaken.push(lane);
      return lanes.run(lane, work);
    },
  };
  machine = createIntentMachine(rules, {
    ...{ lanes: watched, clock: time.clock, after: time.after },
    note: (event, facts) => noted.push([event, facts]),
    incidents: { open: (incident) => incidents.push(incident), ended: (id) => incidents.push(['ended', id]) },
  });
});

async function pass(millis: number): Promise<void> {
  time.advance(millis);
  await quiet();
}

const found = () => rules.asked.filter((asked) => Array.isArray(asked) && asked[0] === 'find').length;

test('what its call proves is settled, and nobody looks it up', async () => {
  const row = rules.add();
  const after = await machine.attempt(row, async () => ({ outcome: 'proved', proof: 'done' }));
  expect(after).toEqual({ ...row, ended: true });
  expect([rules.asked, machine.waiting()]).toEqual([[['settle', 'done', undefined]], 0]);
});

test('what may go out later than its call is sent by the rules', async () => {
  rules.resend(undefined, { outcome: 'unknown', why: 'lost' });
  await machine.attempt(rules.add({ perhapsSent: false }));
  expect(rules.asked.slice(0, 3)).toEqual([
    ['prepare', ID],
    ['mark', time.clock() + DEADLINE_MILLIS, undefined],
    ['ask', time.clock() + DEADLINE_MILLIS],
  ]);
  expect(machine.waiting()).toBe(1);
});

test('what stops half way is shown as unknown, noted and looked up soon', async () => {
  const row = rules.add();
  const after = await machine.attempt(row, async () => {
    throw new Error('no line');
  });
  expect(after).toEqual({ ...row, absences: -1 });
  expect(noted).toEqual([['order stopped half way', { id: ID, error: 'Error: no line' }]]);
  await pass(999);
  expect(found()).toBe(0);
  await pass(1);
  expect(found()).toBe(1);
});

test('a call that breaks in its lane says so, and what it may have left is looked up soon', async () => {
  const broken = machine.inLane(ID, 'venue', async () => {
    throw new Error('no database');
  });
  await expect(broken).rejects.toThrow('no database');
  expect([lanesTaken, machine.waiting()]).toEqual([[`lane of ${ID}`], 1]);
  expect(await machine.inLane(ID, 'venue', async () => 7)).toBe(7);
  await pass(1_000);
  expect(machine.waiting()).toBe(0);
});

test('a lookup runs in the lane, and its end ends the incidents', async () => {
  rules.add();
  machine.lookupNow(ID, 'venue');
  await pass(0);
  expect([lanesTaken, incidents, found()]).toEqual([[`lane of ${ID}`], [], 1]);
  rules.finding = { outcome: 'proved', proof: 'done' };
  machine.lookupSoon(ID, 'venue');
  machine.lookUpUnlessWaiting(ID, 'venue');
  await pass(1_000);
  expect([incidents, found(), machine.waiting()]).toEqual([[['ended', ID]], 2, 0]);
});

test('a lookup that breaks is noted and made again', async () => {
  rules.add();
  rules.finding = new Error('no line');
  machine.lookupNow(ID, 'venue');
  await pass(0);
  expect(noted).toEqual([['lookup failed', { of: 'order', id: ID, error: 'Error: no line' }]]);
  await pass(2_000);
  expect(found()).toBe(2);
  await machine.stop();
  await pass(60_000);
  expect(found()).toBe(2);
});

test('a start gives what a former process may have sent a deadline, and looks up everything it left', async () => {
  const left = [
    { id: 'lost' },
    { id: 'kept', deadlineAt: 9 as Millis },
    { id: 'taken', taken: true },
    { id: 'never', perhapsSent: false },
  ].map((part) => rules.add({ ...part, id: part.id as OrderId, absences: 2, firstAbsenceAt: 5 as Millis }));
  const adopted: Row[] = [];
  await machine.start(async (row) => {
    adopted.push(row);
  });
  const deadlineAt = time.clock() + DEADLINE_MILLIS;
  const doubt = { why: 'left by a former process', deadlineAt, absences: 2, firstAbsenceAt: 5, often: false };
  expect(rules.asked).toEqual([['unclear', doubt]]);
  expect(lanesTaken).toEqual(['lane of lost']);
  expect(adopted).toEqual([{ ...left[0], ...doubt }, ...left.slice(1)]);
  expect(machine.waiting()).toBe(4);
  await pass(0);
  await pass(0);
  expect(incidents).not.toEqual([]);
});

test('a start needs nobody to adopt anything', async () => {
  rules.add({ deadlineAt: 9 as Millis });
  await machine.start();
  await pass(0);
  expect(found()).toBe(1);
});

test('an outcome that stays open becomes an incident with what is known', async () => {
  rules.add({ firstAbsenceAt: (time.clock() - 700_000) as Millis, deadlineAt: 9 as Millis });
  rules.finding = { outcome: 'unknown', why: 'no line' };
  await machine.start();
  await pass(0);
  const evidence = { evidence: ID, openMillis: 700_000, lastLookup: 'no line' };
  expect(incidents).toEqual([{ subject: 'order', id: ID, what: 'the outcome is still open', evidence }]);
});

test.each<[string, () => Promise<undefined>, unknown[]]>([
  ['that is gone by then is none', async () => undefined, []],
  [
    'that cannot be read is noted',
    async () => {
      throw new Error('no database');
    },
    [['an overdue intent was not reported', { of: 'order', id: ID, error: 'Error: no database' }]],
  ],
])('an open outcome %s', async (_name, load, expected) => {
  rules.add({ firstAbsenceAt: (time.clock() - 700_000) as Millis, deadlineAt: 9 as Millis });
  rules.finding = { outcome: 'unknown', why: 'no line' };
  await machine.start();
  const find = rules.find.bind(rules);
  rules.find = (row) => {
    rules.load = load;
    return find(row);
  };
  await pass(0);
  expect([incidents, noted]).toEqual([[], expected]);
});

import type { Millis } from '@crossbook/domain';
import { beforeEach, describe, expect, test } from 'vitest';
import type { AbsenceRule } from './intent.ts';
import { DEADLINE_MILLIS, ID, type Row, ScriptedIntents } from './scripted-intents.fixture.ts';
import { lookUp, sendIntent, takeAnswer } from './step.ts';

const NOW = 1_000_000 as Millis;
const DEADLINE = (NOW + DEADLINE_MILLIS) as Millis;
const clock = () => NOW;
const at = (offset: number) => (NOW + offset) as Millis;

let rules: ScriptedIntents;
beforeEach(() => {
  rules = new ScriptedIntents();
});

const NO_DOUBT = { deadlineAt: undefined, absences: 0, firstAbsenceAt: undefined, often: false };

describe('an answer of the venue', () => {
  test('that proves something settles', async () => {
    const row = rules.add();
    const step = await takeAnswer(rules, clock, row, { outcome: 'proved', proof: 'done' });
    expect(step).toEqual({ intent: { ...row, ended: true }, needsLookup: false });
    expect(rules.asked).toEqual([['settle', 'done', undefined]]);
  });

  test.each<[string, Partial<Row>, Millis | undefined, object]>([
    ['takes its deadline', {}, at(7), { deadlineAt: at(7) }],
    ['keeps the deadline that was written', { deadlineAt: at(3) }, undefined, { deadlineAt: at(3) }],
    ['replaces the one that was written', { deadlineAt: at(3) }, at(7), { deadlineAt: at(7) }],
    ['has none', {}, undefined, {}],
    [
      'keeps what lookups counted',
      { absences: 3, firstAbsenceAt: at(-9) },
      undefined,
      { absences: 3, firstAbsenceAt: at(-9) },
    ],
  ])('that is unknown is written down and looked up: %s', async (_name, part, deadlineAt, doubt) => {
    const row = rules.add(part);
    const answer = { outcome: 'unknown', why: 'lost', ...(deadlineAt === undefined ? {} : { deadlineAt }) };
    const step = await takeAnswer(rules, clock, row, answer as { outcome: 'unknown'; why: string });
    const written = { ...NO_DOUBT, why: 'lost', ...doubt };
    expect(step).toEqual({ intent: { ...row, ...written }, needsLookup: true, why: 'lost' });
    expect(rules.asked).toEqual([['unclear', written]]);
  });

  test.each<[string, boolean, number]>([
    ['where only its own call may send it', false, 1_000_000],
    ['while there is patience', true, 19_999],
  ])('that nothing was sent clears the deadline, %s', async (_name, resends, age) => {
    if (resends) rules.resend(undefined, { outcome: 'proved', proof: 'done' });
    const row = rules.add({ createdAt: at(-age), deadlineAt: at(3) });
    const step = await takeAnswer(rules, clock, row, { outcome: 'not-sent', why: 'too busy' });
    expect(step).toMatchObject({ needsLookup: true, why: 'too busy' });
    expect(rules.asked).toEqual([['unclear', { ...NO_DOUBT, why: 'too busy' }]]);
  });

  test('that nothing was sent is given up when patience is over, and never sent afterwards', async () => {
    rules.resend(undefined, { outcome: 'proved', proof: 'done' });
    const row = rules.add({ createdAt: at(-20_000) });
    const step = await takeAnswer(rules, clock, row, { outcome: 'not-sent', why: 'too busy' });
    expect(step.needsLookup).toBe(false);
    expect(rules.asked).toEqual([
      ['mark', DEADLINE, 'too busy'],
      ['settle', 'gave up: too busy', DEADLINE],
    ]);
  });
});

describe('sending', () => {
  test('prepares, writes the deadline, asks once and takes the answer', async () => {
    rules.resend(undefined, { outcome: 'proved', proof: 'done' });
    const step = await sendIntent(rules, clock, rules.add({ perhapsSent: false }));
    expect(step).toMatchObject({ intent: { ended: true, deadlineAt: DEADLINE }, needsLookup: false });
    expect(rules.asked).toEqual([
      ['prepare', ID],
      ['mark', DEADLINE, undefined],
      ['ask', DEADLINE],
      ['settle', 'done', DEADLINE],
    ]);
  });

  test('what cannot be prepared is not asked', async () => {
    rules.resend({ outcome: 'proved', proof: 'refused' }, { outcome: 'proved', proof: 'done' });
    await sendIntent(rules, clock, rules.add({ perhapsSent: false }));
    expect(rules.asked).toEqual([
      ['prepare', ID],
      ['settle', 'refused', undefined],
    ]);
  });

  test('is left to its own call where there is no other', async () => {
    const row = rules.add({ perhapsSent: false });
    const step = await sendIntent(rules, clock, row);
    expect(step).toEqual({ intent: row, needsLookup: true, why: 'sent by its own call only' });
    expect(rules.asked).toEqual([]);
  });
});

describe('a lookup', () => {
  const DONE = { outcome: 'done' };

  test('of what is not there or has ended asks nobody', async () => {
    expect(await lookUp(rules, clock, ID)).toEqual(DONE);
    rules.add({ ended: true });
    expect(await lookUp(rules, clock, ID)).toEqual(DONE);
    expect(rules.asked).toEqual([]);
  });

  test('of what was never sent sends it, or leaves it', async () => {
    rules.add({ perhapsSent: false });
    expect(await lookUp(rules, clock, ID)).toEqual({ outcome: 'again', why: 'sent by its own call only' });
    rules.resend(undefined, { outcome: 'unknown', why: 'lost' });
    expect(await lookUp(rules, clock, ID)).toEqual({ outcome: 'again', why: 'lost' });
    expect(rules.asked).not.toContainEqual(['find', ID]);
  });

  test('that learns nothing changes nothing', async () => {
    rules.add();
    rules.finding = { outcome: 'unknown', why: 'no line' };
    expect(await lookUp(rules, clock, ID)).toEqual({ outcome: 'again', why: 'no line' });
    expect(rules.asked).toEqual([['find', ID]]);
  });

  test.each([
    ['is over', {}, DONE],
    ['says why there is more', { needsLookup: true, why: 'fills' }, { outcome: 'again', why: 'fills' }],
    ['and may not say why', { needsLookup: true }, { outcome: 'again', why: 'not settled yet' }],
  ])('that finds it settles: it %s', async (_name, settled, outcome) => {
    rules.add();
    rules.finding = { outcome: 'proved', proof: 'done' };
    rules.settled = settled;
    expect(await lookUp(rules, clock, ID)).toEqual(outcome);
    expect(rules.asked).toEqual([
      ['find', ID],
      ['settle', 'done', undefined],
    ]);
  });

  const FROM_DEADLINE = { lookupsMin: 2, spanMillisMin: 1_000, countedFrom: 'deadline' } as const;
  const SEEN = { absences: 1, firstAbsenceAt: at(-1_000) };
  test.each<[string, Partial<Row>, AbsenceRule | undefined, object]>([
    ['the first absence is counted', { deadlineAt: at(1) }, undefined, { absences: 1, deadlineAt: at(1) }],
    [
      'none before the deadline is, where only those after it count',
      { deadlineAt: at(1) },
      FROM_DEADLINE,
      { absences: 0, deadlineAt: at(1) },
    ],
    ['nor one at the deadline', { deadlineAt: at(0) }, FROM_DEADLINE, { absences: 0, deadlineAt: at(0) }],
    ['one behind it is', { deadlineAt: at(-1) }, FROM_DEADLINE, { absences: 1, deadlineAt: at(-1) }],
    ['one of what the venue had taken is', { taken: true }, FROM_DEADLINE, { absences: 1 }],
    ['what has no deadline gets one', {}, undefined, { absences: 1, deadlineAt: DEADLINE }],
    [
      'too few do not prove',
      { deadlineAt: at(-1), absences: 0, firstAbsenceAt: at(-9_000) },
      undefined,
      { absences: 1, firstAbsenceAt: at(-9_000), deadlineAt: at(-1) },
    ],
    [
      'too soon do not prove',
      { deadlineAt: at(-1), absences: 7, firstAbsenceAt: at(-999) },
      undefined,
      { absences: 8, firstAbsenceAt: at(-999), deadlineAt: at(-1) },
    ],
    [
      'enough before the deadline do not prove',
      { ...SEEN, deadlineAt: at(0) },
      undefined,
      { absences: 2, firstAbsenceAt: at(-1_000), deadlineAt: at(0), often: true },
    ],
  ])('that finds nothing: %s', async (_name, part, rule, doubt) => {
    rules.add(part);
    rules.absenceProof = 'absent';
    if (rule !== undefined) rules.absence = rule;
    const why = 'the exchange does not know it';
    expect(await lookUp(rules, clock, ID)).toEqual({ outcome: 'again', why });
    expect(rules.asked).toEqual([
      ['find', ID],
      ['unclear', { ...NO_DOUBT, firstAbsenceAt: NOW, why, ...doubt }],
    ]);
  });

  test('that finds nothing often enough behind the deadline tries the proof, and settles by it', async () => {
    rules.add({ ...SEEN, deadlineAt: at(-1) });
    const doubt = { ...NO_DOUBT, why: 'the exchange does not know it', deadlineAt: at(-1), often: true };
    expect(await lookUp(rules, clock, ID)).toMatchObject({ outcome: 'again' });
    rules.absenceProof = 'absent';
    expect(await lookUp(rules, clock, ID)).toEqual(DONE);
    expect(rules.asked).toEqual([
      ['find', ID],
      ['prove absent', ID],
      ['unclear', { ...doubt, absences: 2, firstAbsenceAt: at(-1_000) }],
      ['find', ID],
      ['prove absent', ID],
      ['settle', 'absent', at(-1)],
    ]);
  });
});

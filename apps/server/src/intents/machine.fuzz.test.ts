import { createLanes, type Millis, type OrderId } from '@crossbook/domain';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../../../tests/property-runs.ts';
import { ScriptedTime } from '../main/scripted-time.fixture.ts';
import type { IntentAnswer, IntentFinding, IntentRules } from './intent.ts';
import { createIntentMachine } from './machine.ts';

/** How long a request may be under way, and how long the venue's answers lag behind what it did: shorter than any proof. */
const DEADLINE_MILLIS = 5_000;
const LAG_MILLIS = 3_000;

/**
 * What becomes of one request at the venue. What is lost or late is not heard of, and late is carried out a while later; what
 * breaks throws, before the venue has it or after.
 */
const ASKS = [
  ...(['done', 'refused', 'not-sent', 'lost-done', 'lost-never', 'late'] as const),
  ...(['breaks-before', 'breaks-after'] as const),
];
/** What becomes of one lookup; once the list is at its end every lookup answers the truth. */
const LOOKUPS = ['true', 'true', 'unknown', 'breaks'] as const;

interface Story {
  /** Whether what was provably never sent may go out later, as transfers do, or only by its own call, as orders do. */
  readonly resends: boolean;
  readonly intents: number;
  readonly asks: readonly (typeof ASKS)[number][];
  readonly lookups: readonly (typeof LOOKUPS)[number][];
  readonly lateMillis: number;
  /** The process dies at these steps, before or after the step had its effect. */
  readonly crashes: readonly { readonly after: number; readonly done: boolean }[];
}

const story: fc.Arbitrary<Story> = fc.record({
  resends: fc.boolean(),
  intents: fc.integer({ min: 1, max: 4 }),
  asks: fc.array(fc.constantFrom(...ASKS), { maxLength: 8 }),
  lookups: fc.array(fc.constantFrom(...LOOKUPS), { maxLength: 20 }),
  lateMillis: fc.integer({ min: 0, max: DEADLINE_MILLIS - 1 }),
  crashes: fc.array(fc.record({ after: fc.integer({ min: 1, max: 12 }), done: fc.boolean() }), {
    maxLength: 4,
  }),
});

/** A stored intent; `money` is the hold. */
interface Row {
  readonly id: OrderId;
  readonly createdAt: Millis;
  readonly money: 'held' | 'paid' | 'freed';
  readonly deadlineAt?: Millis;
  readonly absences: number;
  readonly firstAbsenceAt?: Millis;
}
type Proof = 'done' | 'refused';

/** Store and venue, which outlive processes, and what must never be. */
class World {
  readonly time = new ScriptedTime();
  readonly rows = new Map<OrderId, Row>();
  readonly faults: string[] = [];
  /** When the venue carried an intent out, or will. */
  readonly #executed = new Map<OrderId, number>();
  readonly #asked = new Map<OrderId, string>();
  readonly #story: Story;
  readonly #asks: (typeof ASKS)[number][];
  readonly #lookups: (typeof LOOKUPS)[number][];
  #crashes: Story['crashes'];
  #steps = 0;
  /** Which process lives; what a dead one still does has no effect and never returns. */
  generation = 0;

  constructor(reported: Story) {
    this.#story = reported;
    this.#asks = [...reported.asks];
    this.#lookups = [...reported.lookups];
    this.#crashes = reported.crashes;
  }

  /** One step of a process: a write, a request or a lookup. It may be its last. */
  step<Value>(generation: number, effect: () => Value): Promise<Value> {
    const never = new Promise<Value>(() => undefined);
    if (generation !== this.generation) return never;
    const [crash, ...later] = this.#crashes;
    this.#steps += 1;
    if (crash === undefined || this.#steps < crash.after) return Promise.resolve().then(effect);
    this.#steps = 0;
    this.#crashes = later;
    this.generation += 1;
    if (crash.done) {
      try {
        effect();
      } catch {
        // Whether it broke or not, nobody is there to notice.
      }
    }
    return never;
  }

  ask(id: OrderId): IntentAnswer<Proof> {
    const before = this.#asked.get(id);
    if (before !== undefined && before !== 'not-sent') this.faults.push(`${id} asked again after ${before}`);
    const next = this.#asks.shift() ?? 'done';
    const fate = next === 'not-sent' && !this.#story.resends ? 'refused' : next;
    this.#asked.set(id, fate);
    const now = this.time.clock();
    if (fate === 'done' || fate === 'lost-done' || fate === 'breaks-after') this.#executed.set(id, now);
    if (fate === 'late') this.#executed.set(id, now + this.#story.lateMillis);
    if (fate.startsWith('breaks')) throw new Error(fate);
    if (fate === 'done' || fate === 'refused') return { outcome: 'proved', proof: fate };
    if (fate === 'not-sent') return { outcome: 'not-sent', why: fate };
    return { outcome: 'unknown', why: fate, deadlineAt: (now + DEADLINE_MILLIS) as Millis };
  }

  find(id: OrderId): IntentFinding<Proof> {
    const fate = this.#lookups.shift() ?? 'true';
    if (fate === 'breaks') throw new Error(fate);
    if (fate === 'unknown') return { outcome: 'unknown', why: fate };
    const at = this.#executed.get(id);
    const seen = at !== undefined && this.time.clock() >= at + (this.#lookups.length > 0 ? LAG_MILLIS : 0);
    return seen ? { outcome: 'proved', proof: 'done' } : { outcome: 'absent' };
  }

  /** Whether the venue has carried it out by now. */
  has(id: OrderId): boolean {
    return (this.#executed.get(id) ?? Number.POSITIVE_INFINITY) <= this.time.clock();
  }

  write(row: Row): Row {
    const before = this.rows.get(row.id);
    if (before !== undefined && before.money !== 'held') this.faults.push(`${row.id} written after its end`);
    // The venue is the witness, whatever it told: also of what it will still carry out.
    if (row.money !== 'held' && (row.money === 'paid') !== this.#executed.has(row.id))
      this.faults.push(`${row.id} ${row.money} against the venue`);
    this.rows.set(row.id, row);
    return row;
  }
}

function rulesOf(world: World, generation: number, resends: boolean): IntentRules<Row, Proof> {
  const write = (row: Row) => world.step(generation, () => world.write(row));
  const rules: IntentRules<Row, Proof> = {
    name: 'transfer',
    lane: (id) => id,
    load: (id) => world.step(generation, () => world.rows.get(id)),
    left: async () => [...world.rows.values()].filter(({ money }) => money === 'held'),
    standing: ({ money, ...row }) => ({
      ...row,
      ...{ ended: money !== 'held', taken: false },
      perhapsSent: !resends || row.deadlineAt !== undefined,
    }),
    share: () => 'one',
    find: ({ id }) => world.step(generation, () => world.find(id)),
    deadlineMillis: () => DEADLINE_MILLIS,
    absence: resends
      ? { lookupsMin: 5, spanMillisMin: 0, countedFrom: 'deadline' }
      : { lookupsMin: 2, spanMillisMin: 1_000, countedFrom: 'first-lookup' },
    // As orders: what the venue has is found by asking it once more; only what is still under way nobody can see.
    proveAbsent: ({ id }) => world.step(generation, () => (world.has(id) ? undefined : 'refused')),
    async settle(row, proof) {
      const intent = await write({ ...row, money: proof === 'done' ? 'paid' : 'freed' });
      return { intent, needsLookup: false };
    },
    unclear({ deadlineAt: _old, firstAbsenceAt: _first, ...row }, { deadlineAt, absences, firstAbsenceAt }) {
      const deadline = deadlineAt === undefined ? {} : { deadlineAt };
      return write({
        ...row,
        ...deadline,
        absences,
        ...(firstAbsenceAt === undefined ? {} : { firstAbsenceAt }),
      });
    },
    shownUnknown: (row) => row,
    evidence: () => ({}),
    lookups: { firstMillis: [1_000, 2_000], thenMillis: 2_000, atOnceMax: { fresh: 2, old: 1 } },
  };
  if (!resends) return rules;
  const ask = ({ id }: Row) => world.step(generation, () => world.ask(id));
  return {
    ...rules,
    sending: {
      prepare: async () => ({ outcome: 'ready', ask }),
      mark: (row, deadlineAt) => write({ ...row, deadlineAt }),
      patienceMillis: 20_000,
      gaveUp: () => 'refused',
    },
  };
}

/** Everything that was set going runs as far as it gets without time. */
async function quiet(): Promise<void> {
  for (let turn = 0; turn < 4; turn += 1) await new Promise((next) => setImmediate(next));
}

async function live(reported: Story): Promise<World> {
  const world = new World(reported);
  const { clock, after } = world.time;
  const process = () => {
    const { generation } = world;
    const rules = rulesOf(world, generation, reported.resends);
    const outside = { lanes: createLanes(), clock, after, note: () => undefined };
    const incidents = { open: () => undefined, ended: () => undefined };
    return { generation, machine: createIntentMachine(rules, { ...outside, incidents }) };
  };
  let current = process();
  /** A start may be cut short, too. */
  const revived = async (): Promise<void> => {
    while (current.generation !== world.generation) {
      current = process();
      void current.machine.start();
      await quiet();
    }
  };
  for (let made = 0; made < reported.intents; made += 1) {
    const { machine, generation } = current;
    const id = `intent-${made}` as OrderId;
    void machine.inLane(id, 'one', async () => {
      const row: Row = { id, createdAt: clock(), money: 'held', absences: 0 };
      await world.step(generation, () => world.write(row));
      const ask = () => world.step(generation, () => world.ask(id));
      await (reported.resends ? machine.attempt(row) : machine.attempt(row, ask));
    });
    await quiet();
    await revived();
  }
  const open = () => [...world.rows.values()].some(({ money }) => money === 'held');
  for (let seconds = 0; seconds < 600 && open(); seconds += 1) {
    world.time.advance(1_000);
    await quiet();
    await revived();
  }
  return world;
}

test('whatever a venue does and wherever the process dies: sent once, settled once, as the venue has it, always ended', () =>
  fc.assert(
    fc.asyncProperty(story, async (reported) => {
      const world = await live(reported);
      expect(world.faults).toEqual([]);
      expect([...world.rows.values()].filter(({ money }) => money === 'held')).toEqual([]);
    }),
    { numRuns: runs(300) },
  ));

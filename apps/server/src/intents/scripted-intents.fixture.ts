import type { Millis, OrderId } from '@crossbook/domain';
import type {
  AbsenceRule,
  IntentAnswer,
  IntentFinding,
  IntentRules,
  IntentSending,
  IntentStanding,
  IntentStep,
} from './intent.ts';

/** A stored intent is what the machine sees of it. */
export type Row = IntentStanding;

export const ID = '01890000-0000-7000-8000-00000000abcd' as OrderId;

/** How long a request of these intents may be under way. */
export const DEADLINE_MILLIS = 5_000;

/** Lookups of these intents. */
export const TIMES = {
  firstMillis: [1_000, 2_000, 4_000],
  thenMillis: 10_000,
  atOnceMax: { fresh: 2, old: 1 },
};

/** The rules of one kind of intent, which answer as a test says and write down what they were asked. */
export class ScriptedIntents implements IntentRules<Row, string> {
  readonly name = 'order';
  readonly lookups = TIMES;
  /** What was asked of the rules, in order. */
  readonly asked: unknown[] = [];
  readonly rows = new Map<OrderId, Row>();
  finding: IntentFinding<string> | Error = { outcome: 'absent' };
  absenceProof: string | undefined;
  settled: Partial<IntentStep<Row>> = {};
  absence: AbsenceRule = { lookupsMin: 2, spanMillisMin: 1_000, countedFrom: 'first-lookup' };
  sending?: IntentSending<Row, string>;

  /** Adds an intent that may have been sent, without any doubt written yet. */
  add(part: Partial<Row> = {}): Row {
    const untouched = { ended: false, perhapsSent: true, taken: false, absences: 0, createdAt: 0 as Millis };
    const row = { id: ID, ...untouched, ...part };
    this.rows.set(row.id, row);
    return row;
  }

  /** From now on these are intents that may go out later than their call. */
  resend(prepared: IntentAnswer<string> | undefined, answer: IntentAnswer<string>): void {
    this.sending = {
      prepare: async ({ id }) => {
        this.asked.push(['prepare', id]);
        return prepared ?? { outcome: 'ready', ask: async (row) => this.#ask(row, answer) };
      },
      mark: async (row, deadlineAt, why) => {
        this.asked.push(['mark', deadlineAt, why]);
        return { ...row, deadlineAt };
      },
      patienceMillis: 20_000,
      gaveUp: (why) => `gave up: ${why}`,
    };
  }

  lane(id: OrderId): string {
    return `lane of ${id}`;
  }

  async load(id: OrderId): Promise<Row | undefined> {
    return this.rows.get(id);
  }

  async left(): Promise<readonly Row[]> {
    return [...this.rows.values()];
  }

  standing(row: Row): Row {
    return row;
  }

  share(): string {
    return 'venue';
  }

  async find({ id }: Row): Promise<IntentFinding<string>> {
    this.asked.push(['find', id]);
    if (this.finding instanceof Error) throw this.finding;
    return this.finding;
  }

  deadlineMillis(): number {
    return DEADLINE_MILLIS;
  }

  async proveAbsent({ id }: Row): Promise<string | undefined> {
    this.asked.push(['prove absent', id]);
    return this.absenceProof;
  }

  async settle(row: Row, proof: string): Promise<IntentStep<Row>> {
    this.asked.push(['settle', proof, row.deadlineAt]);
    return { intent: { ...row, ended: true }, needsLookup: false, ...this.settled };
  }

  async unclear(row: Row, doubt: object): Promise<Row> {
    this.asked.push(['unclear', doubt]);
    return { ...row, ...doubt };
  }

  shownUnknown(row: Row): Row {
    return { ...row, absences: -1 };
  }

  evidence({ id }: Row): Readonly<Record<string, unknown>> {
    return { evidence: id };
  }

  #ask({ deadlineAt }: Row, answer: IntentAnswer<string>): IntentAnswer<string> {
    this.asked.push(['ask', deadlineAt]);
    return answer;
  }
}

/** Everything that was set going runs as far as it gets without time. */
export async function quiet(): Promise<void> {
  for (let turn = 0; turn < 4; turn += 1) await new Promise((next) => setImmediate(next));
}

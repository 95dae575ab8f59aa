import type { Millis, OrderId } from '@crossbook/domain';
import type { IntentAnswer, IntentOutside, IntentRules, IntentStep } from './intent.ts';
import { createLookupQueue } from './lookup-queue.ts';
import { lookUp, sendIntent, takeAnswer } from './step.ts';

/** Keeps every intent of one feature moving towards its end. */
export interface IntentMachine<Intent, Proof> {
  /**
   * Runs the call that makes an intent in the intent's lane. When it throws, the row may be there all the same: the
   * intent is looked up.
   */
  inLane<Value>(id: OrderId, share: string, work: () => Promise<Value>): Promise<Value>;
  /**
   * Sends an intent whose hold and row are durable, once, and takes the answer. In its lane. Never throws: whatever
   * breaks here leaves the outcome unknown.
   * @param ask the one call to the venue where the feature's own call alone may send.
   */
  attempt(intent: Intent, ask?: () => Promise<IntentAnswer<Proof>>): Promise<Intent>;
  /** Takes over what a former process left. Reads the database only; lookups follow. */
  start(adopted?: (intent: Intent) => Promise<void>): Promise<void>;
  lookupNow(id: OrderId, share: string): void;
  lookupSoon(id: OrderId, share: string): void;
  /** A lookup unless one is waited for already. */
  lookUpUnlessWaiting(id: OrderId, share: string): void;
  /** Begins no further lookup; resolves when those under way are over. */
  stop(): Promise<void>;
  /** Intents that wait for a lookup. */
  waiting(): number;
}

/** Makes the machine of one kind of intent. */
export function createIntentMachine<Intent, Proof>(
  rules: IntentRules<Intent, Proof>,
  outside: IntentOutside,
): IntentMachine<Intent, Proof> {
  const { lanes, clock, incidents } = outside;
  const queue = createLookupQueue({
    ...{ clock, after: outside.after, times: rules.lookups },
    lookUp: async (id) => {
      const looked = await lanes.run(rules.lane(id), () => lookUp(rules, clock, id));
      if (looked.outcome === 'done') incidents.ended(id);
      return looked;
    },
    failed: (id, error) => outside.note('lookup failed', { of: rules.name, id, error: String(error) }),
    overdue: (id, openMillis, why) => void tellOverdue(rules, outside, { id, openMillis, why }),
  });

  return {
    inLane: (id, share, work) =>
      lanes.run(rules.lane(id), work).catch((error: unknown) => {
        queue.soon(id, share);
        throw error;
      }),
    async attempt(intent, ask) {
      const { id } = rules.standing(intent);
      let step: IntentStep<Intent>;
      try {
        step =
          ask === undefined
            ? await sendIntent(rules, clock, intent)
            : await takeAnswer(rules, clock, intent, await ask());
      } catch (error) {
        // The money is held and the venue may have been asked: the outcome is unknown, whatever went wrong here.
        outside.note(`${rules.name} stopped half way`, { id, error: String(error) });
        step = { intent: rules.shownUnknown(intent), needsLookup: true };
      }
      if (step.needsLookup) queue.soon(id, rules.share(intent));
      return step.intent;
    },
    async start(adopted = async () => undefined) {
      for (const intent of await rules.left()) {
        const { id, firstAbsenceAt } = rules.standing(intent);
        await adopted(await withDeadline(rules, outside, intent));
        queue.now(id, rules.share(intent), firstAbsenceAt);
      }
    },
    lookupNow: queue.now,
    lookupSoon: queue.soon,
    lookUpUnlessWaiting: queue.want,
    stop: queue.stop,
    waiting: queue.waiting,
  };
}

/** What a former process may have sent without writing down how it went is unknown from now on, its money held. */
async function withDeadline<Intent, Proof>(
  rules: IntentRules<Intent, Proof>,
  { lanes, clock }: IntentOutside,
  intent: Intent,
): Promise<Intent> {
  const { id, perhapsSent, taken, deadlineAt, absences, firstAbsenceAt } = rules.standing(intent);
  if (!perhapsSent || taken || deadlineAt !== undefined) return intent;
  const from = (clock() + rules.deadlineMillis(intent)) as Millis;
  const doubt = { why: 'left by a former process', deadlineAt: from, absences, firstAbsenceAt, often: false };
  return lanes.run(rules.lane(id), () => rules.unclear(intent, doubt));
}

async function tellOverdue<Intent, Proof>(
  rules: IntentRules<Intent, Proof>,
  { incidents, note }: IntentOutside,
  { id, openMillis, why }: { readonly id: OrderId; readonly openMillis: number; readonly why: string },
): Promise<void> {
  try {
    const intent = await rules.load(id);
    if (intent === undefined) return;
    const evidence = { ...rules.evidence(intent), openMillis, lastLookup: why };
    incidents.open({ subject: rules.name, id, what: 'the outcome is still open', evidence });
  } catch (error) {
    note('an overdue intent was not reported', { of: rules.name, id, error: String(error) });
  }
}

import type { Millis, OrderId } from '@crossbook/domain';
import type { IntentAnswer, IntentDoubt, IntentRules, IntentStep } from './intent.ts';

/** What one lookup came to: `done` needs no further one. */
export type LookupOutcome =
  | { readonly outcome: 'done' }
  | { readonly outcome: 'again'; readonly why: string };

const DONE: LookupOutcome = { outcome: 'done' };

/**
 * Sends an intent that was never sent: prepares, writes the deadline ahead, asks once, takes the answer. In its lane.
 * @throws whatever a port throws: the outcome is then unknown, and the deadline says from when absence can be proved.
 */
export async function sendIntent<Intent, Proof>(
  rules: IntentRules<Intent, Proof>,
  clock: () => Millis,
  made: Intent,
): Promise<IntentStep<Intent>> {
  const { sending } = rules;
  if (sending === undefined) return { intent: made, needsLookup: true, why: 'sent by its own call only' };
  const ready = await sending.prepare(made);
  if (ready.outcome !== 'ready') return takeAnswer(rules, clock, made, ready);
  const marked = await sending.mark(made, deadlineFrom(rules, clock, made));
  return takeAnswer(rules, clock, marked, await ready.ask(marked));
}

function deadlineFrom<Intent, Proof>(
  rules: IntentRules<Intent, Proof>,
  clock: () => Millis,
  intent: Intent,
): Millis {
  return (clock() + rules.deadlineMillis(intent)) as Millis;
}

/** Books an answer: what is proved settles, what is not leaves the money held. In the intent's lane. */
export async function takeAnswer<Intent, Proof>(
  rules: IntentRules<Intent, Proof>,
  clock: () => Millis,
  intent: Intent,
  answer: IntentAnswer<Proof>,
): Promise<IntentStep<Intent>> {
  if (answer.outcome === 'proved') return rules.settle(intent, answer.proof);
  const { why } = answer;
  const standing = rules.standing(intent);
  const doubt = (deadlineAt: Millis | undefined): IntentDoubt => {
    const { absences, firstAbsenceAt } = standing;
    return { why, deadlineAt, absences, firstAbsenceAt, often: false };
  };
  if (answer.outcome === 'unknown') {
    const unclear = await rules.unclear(intent, doubt(answer.deadlineAt ?? standing.deadlineAt));
    return { intent: unclear, needsLookup: true, why };
  }
  const { sending } = rules;
  if (sending === undefined || clock() - standing.createdAt < sending.patienceMillis) {
    return { intent: await rules.unclear(intent, doubt(undefined)), needsLookup: true, why };
  }
  // Written down before anything is taken back: what is given up is never sent again, whatever comes between.
  const marked = await sending.mark(intent, deadlineFrom(rules, clock, intent), why);
  return rules.settle(marked, sending.gaveUp(why));
}

/** Asks the venue what became of an intent and books the answer. In its lane. */
export async function lookUp<Intent, Proof>(
  rules: IntentRules<Intent, Proof>,
  clock: () => Millis,
  id: OrderId,
): Promise<LookupOutcome> {
  const intent = await rules.load(id);
  if (intent === undefined || rules.standing(intent).ended) return DONE;
  if (!rules.standing(intent).perhapsSent) return outcomeOf(await sendIntent(rules, clock, intent));
  const found = await rules.find(intent);
  if (found.outcome === 'unknown') return { outcome: 'again', why: found.why };
  if (found.outcome === 'proved') return outcomeOf(await rules.settle(intent, found.proof));
  return outcomeOf(await notFound(rules, clock, intent));
}

function outcomeOf(step: IntentStep<unknown>): LookupOutcome {
  return step.needsLookup ? { outcome: 'again', why: step.why ?? 'not settled yet' } : DONE;
}

/** Counts an absence; enough of them behind the deadline have the feature try the proof. */
async function notFound<Intent, Proof>(
  rules: IntentRules<Intent, Proof>,
  clock: () => Millis,
  intent: Intent,
): Promise<IntentStep<Intent>> {
  const now = clock();
  const { absence } = rules;
  const standing = rules.standing(intent);
  const { taken, deadlineAt } = standing;
  const past = taken || (deadlineAt !== undefined && now > deadlineAt);
  const absences = standing.absences + (past || absence.countedFrom === 'first-lookup' ? 1 : 0);
  const firstAbsenceAt = standing.firstAbsenceAt ?? now;
  const often = absences >= absence.lookupsMin && now - firstAbsenceAt >= absence.spanMillisMin;
  if (often && past) {
    const proof = await rules.proveAbsent(intent);
    if (proof !== undefined) return rules.settle(intent, proof);
  }
  // Its sender never recorded until when its request can arrive. Nobody is sending now: this runs in its lane.
  const deadline = taken ? deadlineAt : (deadlineAt ?? deadlineFrom(rules, clock, intent));
  const why = 'the exchange does not know it';
  const doubt = { why, deadlineAt: deadline, absences, firstAbsenceAt, often };
  return { intent: await rules.unclear(intent, doubt), needsLookup: true, why };
}

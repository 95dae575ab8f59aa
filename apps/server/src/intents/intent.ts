import type { Lanes, Millis, OrderId } from '@crossbook/domain';

/**
 * An intent is a movement that a venue is asked for, once, with its money held: hold -> send -> unknown -> proof of
 * presence or absence -> settle. The machine owns the order of these steps; a feature says what each of them is.
 */
export interface IntentStanding {
  readonly id: OrderId;
  /** The money is booked; nothing is left to do. */
  readonly ended: boolean;
  /** False only where the venue was certainly never asked, or may be asked any number of times. */
  readonly perhapsSent: boolean;
  /** The venue has acknowledged it, so that no request of ours can still be under way. */
  readonly taken: boolean;
  /** After this time no request of ours can arrive any more: "not found" becomes a proof. */
  readonly deadlineAt?: Millis;
  /** Lookups that found nothing, and when the first of them was made. */
  readonly absences: number;
  readonly firstAbsenceAt?: Millis;
  readonly createdAt: Millis;
}

/** What a venue answered when it was asked for an intent. Only `proved` moves money. */
export type IntentAnswer<Proof> =
  | { readonly outcome: 'proved'; readonly proof: Proof }
  /** Nothing was done for certain, and the same may be asked for later. */
  | { readonly outcome: 'not-sent'; readonly why: string }
  /** The venue may have done it, or may still do it until the deadline. */
  | { readonly outcome: 'unknown'; readonly why: string; readonly deadlineAt?: Millis };

/** What a lookup found. */
export type IntentFinding<Proof> =
  | { readonly outcome: 'proved'; readonly proof: Proof }
  | { readonly outcome: 'absent' }
  | { readonly outcome: 'unknown'; readonly why: string };

/** What is written of an intent whose outcome is not known. Every field replaces what is stored. */
export interface IntentDoubt {
  readonly why: string;
  readonly deadlineAt: Millis | undefined;
  readonly absences: number;
  readonly firstAbsenceAt: Millis | undefined;
  /** Absent often enough for a proof, which then failed for another reason. */
  readonly often: boolean;
}

/** When lookups that found nothing are enough for the proof of absence to be tried. */
export interface AbsenceRule {
  readonly lookupsMin: number;
  /** From the first lookup that found nothing to the last. */
  readonly spanMillisMin: number;
  /** Whether a lookup before the deadline counts among `lookupsMin`. The deadline must have passed in any case. */
  readonly countedFrom: 'first-lookup' | 'deadline';
}

/** An intent after a step; `needsLookup` while the venue may know more than is booked. */
export interface IntentStep<Intent> {
  readonly intent: Intent;
  readonly needsLookup: boolean;
  readonly why?: string;
}

/** Everything is there; `ask` is called once the deadline is durable. */
export interface ReadyToSend<Intent, Proof> {
  readonly outcome: 'ready';
  readonly ask: (intent: Intent) => Promise<IntentAnswer<Proof>>;
}

/** How an intent that was provably never sent goes out, also long after the call that made it. */
export interface IntentSending<Intent, Proof> {
  /** What must be true before the venue is asked, and then how to ask it, once; or why it is not asked. */
  prepare(intent: Intent): Promise<ReadyToSend<Intent, Proof> | IntentAnswer<Proof>>;
  /** The write-ahead of the deadline: once it is durable the intent counts as perhaps sent. Nothing else changes. */
  mark(intent: Intent, deadlineAt: Millis, why?: string): Promise<Intent>;
  /** `not-sent` is tried again for this long after the intent was made, and then given up. */
  readonly patienceMillis: number;
  gaveUp(why: string): Proof;
}

/** What a feature says of its intents. Every rule of proof stays with the feature. */
export interface IntentRules<Intent, Proof> {
  /** What it is, for the log and for incidents. */
  readonly name: 'order' | 'transfer' | 'test funds' | 'setting' | 'algo order';
  /** The lane in which everything about one intent happens. */
  lane(id: OrderId): string;
  load(id: OrderId): Promise<Intent | undefined>;
  /** What a former process left without an end, oldest first. */
  left(): Promise<readonly Intent[]>;
  standing(intent: Intent): IntentStanding;
  /** Whose places a lookup takes: a venue that takes its time to fail keeps only its own waiting. */
  share(intent: Intent): string;
  /** Absent where a venue may take one id twice: then only the call that made the intent ever sends it. */
  readonly sending?: IntentSending<Intent, Proof>;
  find(intent: Intent): Promise<IntentFinding<Proof>>;
  /** How long a request may be under way whose sender is gone. */
  deadlineMillis(intent: Intent): number;
  readonly absence: AbsenceRule;
  /** The last proofs, once the venue has not known the intent often enough. `undefined`: not proved, money stays held. */
  proveAbsent(intent: Intent): Promise<Proof | undefined>;
  /** Books what is proved, in one transaction with the money. */
  settle(intent: Intent, proof: Proof): Promise<IntentStep<Intent>>;
  /** Writes the doubt; the money stays held. */
  unclear(intent: Intent, doubt: IntentDoubt): Promise<Intent>;
  /** The intent as its owner sees it when even the doubt could not be written. */
  shownUnknown(intent: Intent): Intent;
  /** What is known, for a person: no keys, amounts as text. */
  evidence(intent: Intent): Readonly<Record<string, unknown>>;
  readonly lookups: LookupTimes;
}

/** When lookups are made and how many at a time. */
export interface LookupTimes {
  /** Waits before the first lookups after an outcome became doubtful; `soon` is the first of them. */
  readonly firstMillis: readonly number[];
  /** The wait after those; of old doubts it grows with their age. */
  readonly thenMillis: number;
  /** Lookups of one share at a time. Old doubts have places of their own, so that they never crowd out new ones. */
  readonly atOnceMax: { readonly fresh: number; readonly old: number };
}

/** What the machine needs from outside. */
export interface IntentOutside {
  readonly lanes: Lanes;
  readonly clock: () => Millis;
  readonly after: (millis: number, run: () => void) => () => void;
  readonly note: (event: string, facts: Readonly<Record<string, unknown>>) => void;
  readonly incidents: Incidents;
}

/** Something that needs a person. One kind is open once per intent at the most. */
export interface Incident {
  readonly subject: IntentRules<unknown, unknown>['name'];
  readonly id: OrderId;
  readonly what: string;
  readonly evidence: Readonly<Record<string, unknown>>;
}

/** Where incidents are told. Neither call waits, throws or fails. */
export interface Incidents {
  open(incident: Incident): void;
  /** The intent has ended: whatever was open about it is over. */
  ended(id: OrderId): void;
}
